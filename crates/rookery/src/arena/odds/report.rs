//! What the steps found, for people and for programs.

use super::fit::Equal;
use crate::arena::elo::{FEWEST_PAIRS, Pentanomial};
use crate::arena::game_end::Cause;
use crate::arena::report::{clock, strength_in_short};
use crate::arena::tally::{Conduct, Duel, Incident};
use crate::counted::counted;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

/// Bounds that lie farther apart than by this factor are wide.
const WIDE: f64 = 2.0;

/// What one step found.
#[derive(Serialize)]
pub struct Step {
    pub odds: f64,
    wins: u64,
    draws: u64,
    losses: u64,
    pairs: [u64; 5],
    elo: f64,
    elo_margin: f64,
    /// Whether there are enough pairs for Elo to mean something, and for the step to count.
    enough_pairs: bool,
    incidents: Vec<Incident>,
    #[serde(skip)]
    pub results: Pentanomial,
}

impl Step {
    /// The step at these odds, and what went wrong in it.
    pub fn new(odds: f64, duel: &Duel, incidents: Vec<Incident>) -> Step {
        let Duel { wins, draws, losses, pairs: results, .. } = *duel;
        let elo = results.elo();
        let (elo, elo_margin, pairs) = (elo.value, elo.margin, results.pairs);
        let enough_pairs = results.are_enough();
        Step { odds, wins, draws, losses, pairs, elo, elo_margin, enough_pairs, incidents, results }
    }

    /// `k 4.00 (1+0.01 against 4+0.04): +40 =120 -40, Elo 0.0 ± 20.1`
    pub fn describe(&self, controls: &str) -> String {
        let Step { odds, wins, draws, losses, results, .. } = self;
        let elo = match self.enough_pairs {
            true => format!("Elo {}", strength_in_short(results)),
            false => format!("too few for Elo ({})", counted(results.total(), "pair")),
        };
        format!("k {odds:.2} ({controls}): +{wins} ={draws} -{losses}, {elo}")
    }
}

/// What is known about the equal-strength time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Answer {
    Found,
    /// No step has enough pairs.
    TooFewPairs,
    /// The curve leads beyond all that was played: no more than the direction is known.
    OutsideWhatWasPlayed,
}

/// How an engine behaved.
#[derive(Serialize)]
struct Engine<'a> {
    name: &'a str,
    #[serde(flatten)]
    conduct: &'a Conduct,
}

/// All that is known at the end, or at Ctrl-C.
#[derive(Serialize)]
pub struct Report<'a> {
    pub first: &'a str,
    pub second: &'a str,
    answer: Answer,
    /// Nothing where no step has enough pairs.
    equal_strength: Option<Equal>,
    pub interrupted: bool,
    pub warnings: &'a [String],
    pub seconds: f64,
    engines: Vec<Engine<'a>>,
    pub endings: &'a BTreeMap<Cause, u64>,
    pub steps: &'a [Step],
}

impl<'a> Report<'a> {
    /// The report of these steps; how it went is told by the fields that are still open.
    pub fn new(
        names: [&'a str; 2],
        conduct: &'a [Conduct],
        endings: &'a BTreeMap<Cause, u64>,
        steps: &'a [Step],
    ) -> Report<'a> {
        let equal_strength = super::fit::fit(steps);
        let (least, most) = played(steps);
        let answer = match equal_strength {
            None => Answer::TooFewPairs,
            Some(equal) if (least..=most).contains(&equal.odds) => Answer::Found,
            Some(_) => Answer::OutsideWhatWasPlayed,
        };
        let engines = names.into_iter().zip(conduct);
        let engines = engines.map(|(name, conduct)| Engine { name, conduct }).collect();
        let ([first, second], warnings) = (names, &[]);
        let (interrupted, seconds) = (false, 0.0);
        Report {
            first,
            second,
            answer,
            equal_strength,
            interrupted,
            warnings,
            seconds,
            engines,
            endings,
            steps,
        }
    }

    /// The fit, where it is an answer.
    pub fn found(&self) -> Option<Equal> {
        self.equal_strength.filter(|_| self.answer == Answer::Found)
    }

    /// In a few lines; `faults` is what the engines did wrong.
    pub fn write(&self, faults: &str, out: &mut impl Write) -> io::Result<()> {
        if self.interrupted {
            writeln!(out, "Interrupted in step {}", self.steps.len().max(1))?;
        }
        write!(out, "{faults}")?;
        writeln!(out, "{}", self.conclusion())?;
        writeln!(out, "Time   {}", clock(Duration::from_secs_f64(self.seconds)))?;
        out.flush()
    }

    /// The answer, or what is missing for one.
    fn conclusion(&self) -> String {
        let Report { first, second, .. } = self;
        let longest = self.steps.iter().map(|step| step.results.total()).max().unwrap_or(0);
        let Some(equal) = self.equal_strength else {
            return format!(
                "No answer yet: no step has more than {}, and {FEWEST_PAIRS} are the least that says \
                 anything. Play --games {} or more",
                counted(longest, "pair"),
                2 * FEWEST_PAIRS
            );
        };
        let Equal { odds, low, high, doubling_elo } = equal;
        let (least, most) = played(self.steps);
        if self.answer == Answer::OutsideWhatWasPlayed {
            let (beyond, bound) = match odds > most {
                true => ("more", most),
                false => ("less", least),
            };
            return format!(
                "No answer yet: {first} is as strong as {second} with {beyond} than {bound:.3} times the \
                 time, but {least:.3} to {most:.3} is all that was played. Widen from= and to=, or play \
                 more games"
            );
        }
        let mut text = format!(
            "{first} is as strong as {second} with {odds:.2} times the time ({low:.2} to {high:.2}, 95 %); \
             twice the time: {doubling_elo:.0} Elo"
        );
        // The width of the bounds falls with the root of the games.
        let times = ((high / low).ln() / WIDE.ln()).powi(2);
        if times > 1.0 && times.is_finite() {
            let games = (2.0 * longest as f64 * times).ceil();
            let wanted =
                format!("--games {games:.0} would bring them within a factor of {WIDE:.0}");
            text.push_str(&format!("\nThese bounds are wide: {wanted}"));
        }
        text
    }
}

/// The least and the greatest factor of the steps that count.
fn played(steps: &[Step]) -> (f64, f64) {
    let odds = || steps.iter().filter(|step| step.enough_pairs).map(|step| step.odds);
    (odds().fold(f64::MAX, f64::min), odds().fold(0.0, f64::max))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conclusion(steps: &[(f64, [u64; 5])]) -> String {
        let step = |&(odds, pairs): &(f64, [u64; 5])| {
            let mut duel = Duel::default();
            duel.pairs = Pentanomial { pairs };
            Step::new(odds, &duel, Vec::new())
        };
        let steps: Vec<Step> = steps.iter().map(step).collect();
        Report::new(["A", "B"], &[], &BTreeMap::new(), &steps).conclusion()
    }

    #[test]
    fn what_is_no_answer_says_what_is_missing() {
        let few = "No answer yet: no step has more than 1 pair, and 10 are the least that says anything. \
                   Play --games 20 or more";
        assert_eq!(conclusion(&[(4.0, [0, 0, 0, 0, 1]), (8.0, [1, 0, 0, 0, 0])]), few);
        assert!(conclusion(&[]).contains("more than 0 pairs"));
        let won = conclusion(&[(4.0, [0, 0, 2, 8, 10]), (8.0, [0, 1, 2, 8, 9])]);
        assert!(
            won.starts_with("No answer yet: A is as strong as B with more than 8.000"),
            "{won}"
        );
        let lost = conclusion(&[(4.0, [9, 8, 2, 1, 0]), (2.0, [9, 8, 2, 1, 0])]);
        assert!(lost.contains("with less than 2.000 times the time"), "{lost}");
        // One step was even or by chance on the other side: the curve still leads beyond all of them.
        let (even, all_but_one) = ([2, 2, 4, 2, 2], [9, 2, 1, 0, 0]);
        let steps =
            [(2.83, all_but_one), (1.68, [6, 4, 2, 0, 0]), (1.30, even), (1.14, [4, 4, 4, 0, 0])];
        let beyond = conclusion(&steps);
        let expected = "No answer yet: A is as strong as B with less than 1.140 times the time, but 1.140 to \
                        2.830 is all that was played.";
        assert!(beyond.starts_with(expected), "{beyond}");
        // So it does from a last step that was a little less than even.
        let near = conclusion(&[(4.0, [5, 1, 0, 2, 4]), (2.0, [1, 0, 1, 0, 10])]);
        assert!(near.contains("more than 4.000 times the time"), "{near}");
    }

    #[test]
    fn an_answer_has_bounds_and_wide_ones_say_how_many_games_are_missing() {
        let answer = conclusion(&[(2.0, [1, 2, 4, 6, 7]), (8.0, [7, 6, 4, 2, 1])]);
        assert!(answer.starts_with("A is as strong as B with 4.00 times the time ("), "{answer}");
        assert!(answer.contains("\nThese bounds are wide: --games "), "{answer}");
        let sharp = conclusion(&[(2.0, [10, 20, 400, 600, 70]), (8.0, [70, 600, 400, 20, 10])]);
        assert!(!sharp.contains("wide") && !sharp.contains("No answer"), "{sharp}");
    }
}
