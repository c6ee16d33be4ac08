//! `rookery data static`: positions inside searches with their static evaluation.

use super::rate::Rate;
use super::{begin, settings, threads, write_samples};
use crate::arguments::StaticArguments;
use crate::counted::counted;
use crate::failure::Failure;
use crate::interrupt;
use crate::memory;
use lab::data::samples::{SIZE, shuffle};
use lab::selfplay::{Player, Statics};
use lab::workers::in_order;
use std::io::Write;
use std::process::ExitCode;

/// Runs the command.
pub fn run(arguments: &StaticArguments, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let wanted = arguments.samples;
    memory::check_free((wanted * SIZE as u64) >> 20)
        .map_err(|reason| Failure::Usage(format!("--samples: {reason}")))?;
    let statics = Statics { games: settings(&arguments.play), one_in: arguments.one_in };
    interrupt::listen();
    let file = begin(&arguments.output)?;
    let mut rate = Rate::new("samples", 0, wanted);
    let (mut samples, mut tasks) = (Vec::new(), 0);
    let statics = &statics;
    let player = |_| || Player::new(&statics.games, statics.evaluator());
    in_order(
        (0..threads(arguments.play.threads)).map(player),
        0..u64::MAX,
        &interrupt::requested,
        &|player, task, stop| Ok(statics.take(player, task, stop)),
        |taken| {
            samples.extend(taken);
            tasks += 1;
            rate.tell((samples.len() as u64).min(wanted), (tasks, "tasks"));
            Ok::<bool, Failure>((samples.len() as u64) < wanted)
        },
    )?;
    if samples.is_empty() {
        return Err(Failure::Interrupted);
    }
    samples.truncate(wanted as usize);
    shuffle(&mut samples, arguments.play.seed);
    write_samples(&arguments.output, &samples, file)?;
    writeln!(
        out,
        "{}: {} in {:.1} s",
        arguments.output.display(),
        counted(samples.len(), "sample"),
        rate.seconds()
    )?;
    interrupt::status()
}
