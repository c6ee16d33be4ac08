//! `rookery data shuffle`: files of samples in one, of those that are wanted, in random order.

use super::{begin, open, write_samples, wrong};
use crate::arguments::ShuffleArguments;
use crate::counted::counted;
use crate::failure::Failure;
use crate::input;
use lab::data::{Sample, samples};
use std::io::Write;
use std::process::ExitCode;

/// Runs the command.
pub fn run(arguments: &ShuffleArguments, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let ShuffleArguments { output, max_score, min_men, max_men, seed, .. } = arguments;
    input::refuse_output("--output", output, &arguments.samples)?;
    let largest = max_score.unwrap_or(i16::MAX).unsigned_abs();
    let is_wanted = |sample: &Sample| {
        sample.score().unsigned_abs() <= largest && (*min_men..=*max_men).contains(&sample.men())
    };
    let file = begin(output)?;
    let (mut kept, mut total) = (Vec::new(), 0);
    for path in &arguments.samples {
        let keep = |sample: &Sample| kept.extend(is_wanted(sample).then_some(*sample));
        total += samples::read(open(path)?, keep).map_err(|reason| wrong(path, &reason))?;
    }
    if kept.is_empty() {
        let total = counted(total, "sample");
        return Err(Failure::Work(format!("no samples: none to keep of {total}")));
    }
    samples::shuffle(&mut kept, *seed);
    write_samples(output, &kept, file)?;
    let count = counted(kept.len(), "sample");
    writeln!(out, "{}: {count} of {total}", output.display())?;
    Ok(ExitCode::SUCCESS)
}
