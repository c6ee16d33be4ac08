//! `rookery match --odds`: the equal-strength time. The second engine gets k times the time and nodes that
//! were given; the k at which both are equally strong is what the first engine's advantage is worth.
//!
//! Each step plays at the middle (by ratio) of the interval that is left (bisection). All steps together then
//! tell k ([`fit`]); where there are too few games, the [`report`] says what is missing instead.

mod chart;
mod fit;
mod report;

use super::contestant::Contestant;
use super::elo::FEWEST_PAIRS;
use super::journal::Journal;
use super::plan::Plan;
use super::setting;
use super::tally::{Duel, Tally};
use super::tournament::{Tell, Tournament};
use super::words;
use crate::arguments::MatchArguments;
use crate::counted::counted;
use crate::failure::Failure;
use crate::{interrupt, json, picture};
use cluster::Link;
use report::{Report, Step};
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

const OPTION: &str = "--odds";

/// Where k is looked for, and in how many steps.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Range {
    pub from: f64,
    pub to: f64,
    pub steps: u32,
}

/// A part of a match: its number, and the factor of the second engine's time.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Stage {
    pub number: u32,
    pub odds: f64,
}

impl Default for Stage {
    fn default() -> Stage {
        Stage { number: 0, odds: 1.0 }
    }
}

/// Reads `from=1 to=16 steps=6`.
pub fn read(settings: &[String]) -> Result<Range, String> {
    let mut range = Range { from: 1.0, to: 16.0, steps: 6 };
    for (key, value) in words::pairs(OPTION, settings)? {
        match key {
            "from" => range.from = words::value(OPTION, key, value, "a factor")?,
            "to" => range.to = words::value(OPTION, key, value, "a factor")?,
            "steps" => range.steps = words::value(OPTION, key, value, "a number")?,
            _ => return Err(words::unknown(OPTION, key, "from, to, steps")),
        }
    }
    let Range { from, to, steps } = range;
    match from >= 0.001 && to <= 1000.0 && from < to && (1..=100).contains(&steps) {
        true => Ok(range),
        false => Err(format!("{OPTION}: 0.001 <= from < to <= 1000, and steps from 1 to 100")),
    }
}

/// There must be two engines, and the second's limits such that can be multiplied.
pub fn check(contestants: &[Contestant]) -> Result<(), String> {
    match contestants {
        [_, second] if second.limits.depth.is_some() => {
            Err(format!("{OPTION}: {}: a depth cannot be multiplied", second.name))
        }
        [_, _] => Ok(()),
        _ => Err(format!("{OPTION} compares two engines, not more")),
    }
}

/// Plays all steps.
pub fn run(
    arguments: &MatchArguments,
    plan: &Plan,
    range: Range,
    link: Option<&Arc<Link>>,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    let openings = super::read_openings(plan).map_err(Failure::Work)?;
    let picture = picture::open(arguments.plot.as_deref())?;
    let mut warnings = super::warnings(plan, &openings, &[]);
    warnings.extend(too_few(plan));
    if !arguments.json {
        warnings.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    }
    warnings.extend(super::greet_all(plan, arguments.json, out)?);
    let (names, begun) = (plan.names(), Instant::now());
    let tablebase = plan.tablebase().map_err(Failure::Work)?;
    let (mut low, mut high) = (range.from, range.to);
    // What engines do wrong is counted over all steps, games by step.
    let mut tally = Tally::new(&plan.schedule, plan.contestants.len());
    let (mut steps, mut all) = (Vec::new(), Duel::default());
    for number in 0..range.steps {
        let odds = (low * high).sqrt();
        let stage = plan.at(Stage { number, odds });
        tally.duels = vec![Duel::default()];
        let told = tally.incidents.len();
        let pgn = arguments.pgn.as_deref();
        let journal =
            Journal::open(pgn, None, stage.identity(), &mut tally).map_err(Failure::Work)?;
        let setting = setting(&names, &stage);
        let mut tournament = Tournament {
            plan: &stage,
            link,
            setting: &setting,
            openings: &openings,
            tablebase: tablebase.as_ref(),
            journal: &journal,
            tally: &mut tally,
            every: u64::MAX,
            tell: if arguments.json { Tell::Nothing } else { Tell::Faults },
            event: &arguments.event,
        };
        tournament.run(out)?;
        let Some(duel) = tally.duels.first().filter(|duel| duel.played() > 0) else { break };
        let step = Step::new(odds, duel, tally.incidents.get(told..).unwrap_or_default().to_vec());
        if !arguments.json {
            writeln!(out, "{}", step.describe(&setting.controls))?;
            out.flush()?;
        }
        match duel.share() > 0.5 {
            true => low = odds,
            false => high = odds,
        }
        all = all.plus(duel);
        steps.push(step);
        if interrupt::requested() {
            break;
        }
    }
    tally.duels = vec![all];
    let [first, second] = &names[..] else { return Ok(ExitCode::FAILURE) };
    let interrupted = interrupt::requested();
    let mut report = Report::new([first, second], &tally.conduct, &tally.causes, &steps);
    (report.interrupted, report.warnings) = (interrupted, &warnings);
    report.seconds = begun.elapsed().as_secs_f64();
    picture::draw(picture, || chart::draw(&report))?;
    match arguments.json {
        true => json::write(&report, out)?,
        false => report.write(&setting(&names, plan).conduct(&tally), out)?,
    }
    interrupt::status()
}

/// A warning where no step will have enough pairs for an answer.
fn too_few(plan: &Plan) -> Option<String> {
    let pairs = plan.schedule.games_each as u64 / 2;
    (pairs < FEWEST_PAIRS).then(|| {
        format!(
            "Warning: {OPTION} with {} a step: fewer than {FEWEST_PAIRS} give no answer",
            counted(pairs, "pair")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn the_range_is_read_and_checked() {
        assert_eq!(read(&[]), Ok(Range { from: 1.0, to: 16.0, steps: 6 }));
        assert_eq!(
            read(&words("from=0.5 to=4 steps=3")),
            Ok(Range { from: 0.5, to: 4.0, steps: 3 })
        );
        for text in ["from=4 to=2", "from=0", "to=1e9", "steps=0", "to=nan", "games=5", "from"] {
            assert!(read(&words(text)).is_err(), "{text}");
        }
    }
}
