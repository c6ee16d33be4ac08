//! The files of `--trace` and `--plot`.

use super::{cannot, plot, trace};
use crate::arguments::SimArguments;
use crate::failure::Failure;
use board::fen::quote;
use files::Replacement;
use parallel::sim::Timeline;
use std::path::{Path, PathBuf};

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
        let SimArguments { trace, plot, positions, faults, machine, .. } = arguments;
        let inputs = [positions.as_deref(), faults.as_deref(), Some(Path::new(machine))];
        for (option, output) in [("--trace", trace), ("--plot", plot)] {
            let Some(output) = output else { continue };
            if inputs.into_iter().flatten().any(|input| files::same(input, output)) {
                let name = output.display();
                return Err(Failure::Usage(format!("{option}: {name} is what is read")));
            }
        }
        if let (Some(trace), Some(plot)) = (trace, plot)
            && (trace == plot || files::same(trace, plot))
        {
            return Err(Failure::Usage("--trace and --plot are the same file".to_owned()));
        }
        if let Some(ending) = plot.as_deref().and_then(Path::extension)
            && ending != "svg"
        {
            let ending = quote(&ending.to_string_lossy());
            let why =
                format!("--plot: a picture is written as SVG, not {ending}: name it FILE.svg");
            return Err(Failure::Usage(why));
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
