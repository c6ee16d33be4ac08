//! `rookery match --odds`: the equal-strength time. The second engine gets k times the time and nodes that
//! were given; the k at which both are equally strong is what the first engine's advantage is worth.
//!
//! Each step plays at the middle (by ratio) of the interval that is left (bisection). All steps together then tell k: the share of the points follows a logistic curve of ln k, fitted by weighted least squares with the
//! variance of the pairs. How steep the curve is the early steps know; where they know little, the usual gain
//! of strength by time ([`USUAL_SLOPE`]) helps.

use super::contestant::Contestant;
use super::elo::{Pentanomial, elo_of_share};
use super::journal::Journal;
use super::plan::Plan;
use super::report::{Setting, clock};
use super::tally::{Duel, Tally};
use super::tournament::Tournament;
use super::words;
use crate::arguments::MatchArguments;
use crate::failure::Failure;
use crate::{interrupt, json};
use cluster::Link;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

const OPTION: &str = "--odds";
/// By how much the logit of the share falls when ln k grows by one, and how far that may be off: 84 ± 42 Elo for
/// twice the time.
const USUAL_SLOPE: (f64, f64) = (0.7, 0.35);
/// The bounds are widened by this: where the next k follows from the results, the fit believes in too steep a curve.
/// With it 84 to 99 % of simulated matches have the truth inside, from 48 to 180 Elo for twice the time.
const WIDER: f64 = 1.25;
/// 95 % of a normal distribution lie within this number of standard deviations.
const TWO_SIDED_95: f64 = 1.96;
/// The least variance of a pair's share that is believed: that of one odd pair in twenty.
const LEAST_VARIANCE: f64 = 0.003;

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

/// What one step found.
#[derive(Serialize)]
struct Step {
    odds: f64,
    wins: u64,
    draws: u64,
    losses: u64,
    pairs: [u64; 5],
    elo: f64,
    elo_margin: f64,
    #[serde(skip)]
    results: Pentanomial,
}

impl Step {
    fn new(odds: f64, duel: &Duel) -> Step {
        let Duel { wins, draws, losses, pairs, .. } = *duel;
        let elo = pairs.elo();
        let (elo, elo_margin) = (elo.value, elo.margin);
        Step { odds, wins, draws, losses, pairs: pairs.pairs, elo, elo_margin, results: pairs }
    }
}

/// An equal-strength factor and its bounds with 95 % confidence.
#[derive(Clone, Copy, Serialize, Debug, PartialEq)]
struct Equal {
    odds: f64,
    low: f64,
    high: f64,
    /// What twice the time is worth by the fit, in Elo.
    doubling_elo: f64,
}

#[derive(Serialize)]
struct Report<'a> {
    first: &'a str,
    second: &'a str,
    /// Nothing where no pair was played.
    equal_strength: Option<Equal>,
    interrupted: bool,
    seconds: f64,
    steps: &'a [Step],
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
    for (introduction, complaints) in super::greet_all(plan)? {
        if !arguments.json {
            writeln!(out, "{introduction}")?;
            complaints.iter().try_for_each(|line| writeln!(out, "Warning: {line}"))?;
        }
    }
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    if let Some(warning) = plan.crowding(processors).filter(|_| !arguments.json) {
        writeln!(out, "{warning}")?;
    }
    out.flush()?;
    let (names, begun) = (plan.names(), Instant::now());
    let tablebase = plan.tablebase().map_err(Failure::Work)?;
    let (mut low, mut high) = (range.from, range.to);
    let mut steps: Vec<Step> = Vec::new();
    for number in 0..range.steps {
        let odds = (low * high).sqrt();
        let stage = plan.at(Stage { number, odds });
        let mut tally = Tally::new(&stage.schedule, stage.contestants.len());
        let pgn = arguments.pgn.as_deref();
        let journal =
            Journal::open(pgn, None, stage.identity(), &mut tally).map_err(Failure::Work)?;
        let setting = Setting {
            names: &names,
            schedule: &stage.schedule,
            sprt: None,
            controls: stage.controls(),
            openings: super::describe(&stage),
        };
        let mut tournament = Tournament {
            plan: &stage,
            link,
            setting: &setting,
            openings: &openings,
            tablebase: tablebase.as_ref(),
            journal: &journal,
            tally: &mut tally,
            every: u64::MAX,
            quiet: true,
            event: &arguments.event,
        };
        tournament.run(out)?;
        let Some(duel) = tally.duels.first().filter(|duel| duel.pairs.total() > 0) else { break };
        let step = Step::new(odds, duel);
        if !arguments.json {
            writeln!(out, "{}", describe(&step, &setting.controls))?;
            out.flush()?;
        }
        match duel.share() > 0.5 {
            true => low = odds,
            false => high = odds,
        }
        steps.push(step);
        if interrupt::requested() {
            break;
        }
    }
    let [first, second] = &names[..] else { return Ok(ExitCode::FAILURE) };
    let (equal_strength, interrupted) = (fit(&steps), interrupt::requested());
    let seconds = begun.elapsed().as_secs_f64();
    let report = Report { first, second, equal_strength, interrupted, seconds, steps: &steps };
    match arguments.json {
        true => json::write(&report, out)?,
        false => conclude(&report, begun, out)?,
    }
    if interrupted { Err(Failure::Interrupted) } else { Ok(ExitCode::SUCCESS) }
}

/// `k 4.00 (1+0.01 against 4+0.04): +40 =120 -40, Elo 0.0 ± 20.1`
fn describe(step: &Step, controls: &str) -> String {
    let Step { odds, wins, draws, losses, elo, elo_margin, .. } = step;
    format!("k {odds:.2} ({controls}): +{wins} ={draws} -{losses}, Elo {elo:+.1} ± {elo_margin:.1}")
}

fn conclude(report: &Report<'_>, begun: Instant, out: &mut impl Write) -> Result<(), Failure> {
    let Report { first, second, .. } = report;
    if report.interrupted {
        writeln!(out, "Interrupted after {} steps", report.steps.len())?;
    }
    match report.equal_strength {
        Some(Equal { odds, low, high, doubling_elo }) => writeln!(
            out,
            "{first} is as strong as {second} with {odds:.2} times the time ({low:.2} to {high:.2}, 95 %); \
             twice the time: {doubling_elo:.0} Elo"
        )?,
        None => writeln!(out, "No pair of games was played")?,
    }
    let tried = || report.steps.iter().map(|step| step.odds);
    let (least, most) = (tried().fold(f64::MAX, f64::min), tried().fold(0.0, f64::max));
    if report.equal_strength.as_ref().is_some_and(|equal| equal.odds < least || equal.odds > most) {
        writeln!(
            out,
            "That lies outside the odds that were played ({least:.3} to {most:.3}): it says no more than the \
             direction. Widen from= and to=, or play more games."
        )?;
    }
    writeln!(out, "Time   {}", clock(begun.elapsed()))?;
    Ok(out.flush()?)
}

/// Fits share = 1 / (1 + e^(slope · ln k - level)) to the steps, by Gauss and Newton. The curve is at one half
/// where ln k = level / slope.
fn fit(steps: &[Step]) -> Option<Equal> {
    let points: Vec<(f64, f64, f64)> = steps
        .iter()
        .filter(|step| step.results.total() > 0)
        .map(|step| {
            let variance = step.results.variance().max(LEAST_VARIANCE);
            (step.odds.ln(), step.results.share(), step.results.total() as f64 / variance)
        })
        .collect();
    let middle = points.iter().map(|&(x, ..)| x).sum::<f64>() / points.len() as f64;
    let (usual, deviation) = USUAL_SLOPE;
    let (mut slope, mut level) = (usual, usual * middle);
    let mut information = [[0.0; 2]; 2];
    for _ in 0..100 {
        // For the slope there is something like an observation: its usual value.
        information = [[deviation.powi(-2), 0.0], [0.0, 0.0]];
        let mut push = [(usual - slope) * deviation.powi(-2), 0.0];
        for &(x, share, weight) in &points {
            let expected = 1.0 / (1.0 + (slope * x - level).exp());
            let steep = (expected * (1.0 - expected)).max(1e-3);
            let gradient = [-steep * x, steep];
            for (row, one) in gradient.into_iter().enumerate() {
                push[row] += weight * one * (share - expected);
                for (column, other) in gradient.into_iter().enumerate() {
                    information[row][column] += weight * one * other;
                }
            }
        }
        let [[a, b], [_, d]] = information;
        let determinant = a * d - b * b;
        if points.is_empty() || determinant <= 0.0 {
            return None;
        }
        let change =
            [(d * push[0] - b * push[1]) / determinant, (a * push[1] - b * push[0]) / determinant];
        // Half steps at most: far from the solution the curve is flat.
        slope = (slope + change[0].clamp(-0.5, 0.5)).max(0.05);
        level += change[1].clamp(-0.5, 0.5);
    }
    let [[a, b], [_, d]] = information;
    let determinant = a * d - b * b;
    let centre = level / slope;
    // The variance of level / slope, from those of both.
    let gradient = [-centre / slope, 1.0 / slope];
    let variance = (gradient[0].powi(2) * d - 2.0 * gradient[0] * gradient[1] * b
        + gradient[1].powi(2) * a)
        / determinant;
    let reach = WIDER * TWO_SIDED_95 * variance.max(0.0).sqrt();
    let doubling_elo = elo_of_share(1.0 / (1.0 + (-slope * std::f64::consts::LN_2).exp()));
    let [odds, low, high] = [centre, centre - reach, centre + reach].map(f64::exp);
    Some(Equal { odds, low, high, doubling_elo })
}

#[cfg(test)]
mod tests {
    use super::*;
    use board::random::SplitMix;

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

    /// A step of games between players whose strength is equal at k = `truth`.
    fn step(odds: f64, truth: f64, slope: f64, pairs: u64, random: &mut SplitMix) -> Step {
        let share = 1.0 / (1.0 + (slope * (odds / truth).ln()).exp());
        let mut duel = Duel::default();
        for _ in 0..pairs {
            let games = [random.unit(), random.unit()].map(|chance| usize::from(chance < share));
            duel.pairs.add(2 * games.iter().sum::<usize>());
        }
        Step::new(odds, &duel)
    }

    #[test]
    fn the_bounds_hold_the_truth_about_as_often_as_they_say() {
        let mut random = SplitMix(7);
        let (runs, truth) = (200, 5.0);
        let mut held = 0;
        for _ in 0..runs {
            let (mut low, mut high) = (1.0_f64, 16.0);
            let mut steps = Vec::new();
            for _ in 0..6 {
                let odds = (low * high).sqrt();
                let step = step(odds, truth, 0.6, 100, &mut random);
                match step.results.share() > 0.5 {
                    true => low = odds,
                    false => high = odds,
                }
                steps.push(step);
            }
            let equal = fit(&steps).expect("pairs were played");
            assert!(equal.low < equal.odds && equal.odds < equal.high);
            assert!((1.5..20.0).contains(&equal.odds), "{equal:?}");
            held += u32::from(equal.low < truth && truth < equal.high);
        }
        assert!(held >= 183, "{held} of {runs}");
    }

    #[test]
    fn a_match_that_is_won_throughout_has_a_factor_beyond_the_range() {
        let mut random = SplitMix(1);
        let steps: Vec<Step> =
            [4.0, 8.0, 11.3].iter().map(|&odds| step(odds, 1e9, 2.0, 20, &mut random)).collect();
        let equal = fit(&steps).expect("pairs were played");
        assert!(equal.odds > 11.3 && equal.high > 30.0, "{equal:?}");
        assert_eq!(fit(&[]), None);
    }
}
