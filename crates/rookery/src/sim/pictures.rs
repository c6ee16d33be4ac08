//! The files of `--trace` and `--plot`.

use super::{plot, trace};
use crate::arguments::SimArguments;
use crate::failure::Failure;
use crate::input;
use crate::picture;
use files::Replacement;
use parallel::sim::Timeline;
use std::path::Path;

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
            input::refuse_output(option, output, inputs.into_iter().flatten())?;
        }
        if let (Some(trace), Some(plot)) = (trace, plot)
            && (trace == plot || files::same(trace, plot))
        {
            return Err(Failure::Usage("--trace and --plot are the same file".to_owned()));
        }
        let (trace, plot) = (picture::open(trace.as_deref())?, picture::open(plot.as_deref())?);
        Ok(Pictures { trace, plot })
    }

    /// The course of a run.
    pub fn write(&mut self, timeline: &Timeline) -> Result<(), Failure> {
        picture::finish(self.trace.take(), |file| trace::write(file, timeline))?;
        picture::draw(self.plot.take(), || plot::draw(timeline))
    }
}
