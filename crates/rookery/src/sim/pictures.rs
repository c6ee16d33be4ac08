//! The files of `--trace` and `--plot`.

use super::{cannot, plot, trace};
use crate::arguments::SimArguments;
use crate::failure::Failure;
use files::Replacement;
use parallel::sim::Timeline;
use std::path::PathBuf;

/// The files that are drawn and listed into. They are made before the run, so that what cannot be
/// written is told before it, and get their names after it.
#[derive(Default)]
pub struct Pictures {
    /// Who did what when.
    pub trace: Option<Replacement>,
    /// The drawing.
    pub plot: Option<Replacement>,
}

impl Pictures {
    /// Makes the files that were asked for.
    pub fn open(arguments: &SimArguments) -> Result<Pictures, Failure> {
        let names = [&arguments.trace, &arguments.plot, &arguments.positions].map(|name| {
            let name = name.as_ref()?;
            Some(std::fs::canonicalize(name).unwrap_or_else(|_| name.clone()))
        });
        let [trace, plot, positions] = &names;
        let same = |one: &Option<PathBuf>, two: &Option<PathBuf>| one.is_some() && one == two;
        if same(trace, plot) || same(trace, positions) || same(plot, positions) {
            let why = "--trace, --plot and --positions must be different files";
            return Err(Failure::Usage(why.to_owned()));
        }
        let create = |path: &Option<PathBuf>| {
            let file = path.as_deref().map(|path| {
                Replacement::create(path).map_err(|error| cannot("write", path, &error))
            });
            file.transpose()
        };
        Ok(Pictures { trace: create(&arguments.trace)?, plot: create(&arguments.plot)? })
    }

    /// The course of a run.
    pub fn write(&mut self, timeline: &Timeline) -> Result<(), Failure> {
        finish(self.trace.take(), |file| trace::write(file, timeline))?;
        finish(self.plot.take(), |file| plot::write(file, timeline))
    }
}

/// Writes a file, if there is one, and gives it its name.
pub fn finish(
    file: Option<Replacement>,
    write: impl FnOnce(&mut Replacement) -> std::io::Result<()>,
) -> Result<(), Failure> {
    let Some(mut file) = file else { return Ok(()) };
    let path = file.path().to_owned();
    write(&mut file).and_then(|()| file.commit()).map_err(|error| cannot("write", &path, &error))
}
