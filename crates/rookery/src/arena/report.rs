//! What the runner says: where a match stands, and how it ended.

use super::schedule::Schedule;
use super::tally::{Duel, Tally};
use lab::elo::{Decision, Estimate, Sprt};
use std::fmt::Write as _;
use std::time::Duration;

/// Who plays and what is tested: what a report needs beside the results.
pub struct Setting<'a> {
    pub names: &'a [String],
    pub schedule: &'a Schedule,
    pub sprt: Option<Sprt>,
    /// How long it takes, in words.
    pub controls: String,
    pub openings: String,
}

impl Setting<'_> {
    fn name(&self, engine: usize) -> &str {
        self.names.get(engine).map_or("?", String::as_str)
    }

    /// Where the match stands: of two engines the duel, of more the table.
    pub fn standing(&self, tally: &Tally, eta: Option<Duration>) -> String {
        let mut text = match (tally.duels.as_slice(), self.schedule.pairings.as_slice()) {
            ([duel], &[(first, second)]) => self.duel(duel, first, second),
            _ => self.table(tally),
        };
        if let Some(eta) = eta {
            let _ = writeln!(text, "Left   {}", clock(eta));
        }
        text
    }

    fn duel(&self, duel: &Duel, first: usize, second: usize) -> String {
        let mut text = String::new();
        let Duel { wins, draws, losses, pairs, .. } = duel;
        let (first, second) = (self.name(first), self.name(second));
        let _ = writeln!(text, "{first} – {second} ({}, {})", self.controls, self.openings);
        let _ = writeln!(
            text,
            "Elo    {} (normalised {}), LOS {:.1} %",
            estimate(pairs.elo()),
            estimate(pairs.normalised_elo()),
            100.0 * pairs.superiority()
        );
        let played = duel.played();
        let _ = writeln!(
            text,
            "Games  {played}: +{wins} ={draws} -{losses}, {:.1} % of the points, {:.1} % draws",
            100.0 * duel.share(),
            percent(*draws, played)
        );
        let _ = writeln!(
            text,
            "Pairs  {}: {:?} from 0 to 2 points, {:.1} % even, ratio {:.2}",
            pairs.total(),
            pairs.pairs,
            100.0 * pairs.even_share(),
            pairs.ratio()
        );
        if let Some(sprt) = self.sprt {
            let (lower, upper) = sprt.bounds();
            let _ = writeln!(
                text,
                "SPRT   LLR {:.2} ({lower:.2}, {upper:.2}) for Elo [{:.2}, {:.2}]{}",
                sprt.log_likelihood_ratio(pairs),
                sprt.elo0,
                sprt.elo1,
                match sprt.decide(pairs) {
                    Some(Decision::Upper) => ": passed",
                    Some(Decision::Lower) => ": failed",
                    None => "",
                }
            );
        }
        text
    }

    /// The engines in the order of their points.
    fn table(&self, tally: &Tally) -> String {
        let mut rows: Vec<(usize, Duel)> = (0..self.names.len())
            .map(|engine| (engine, tally.of_engine(self.schedule, engine)))
            .collect();
        rows.sort_by(|(_, one), (_, two)| two.share().total_cmp(&one.share()));
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
        let mut text = format!(
            "  # {:width$}  games   points      %     Elo ± 95 %        +    =    -\n",
            "engine"
        );
        for (rank, (engine, duel)) in (1..).zip(&rows) {
            let Duel { wins, draws, losses, pairs, .. } = duel;
            let _ = writeln!(
                text,
                "{rank:3} {:width$}  {:5}  {:7.1}  {:5.1}  {:>15}  {wins:4} {draws:4} {losses:4}",
                self.name(*engine),
                duel.played(),
                *wins as f64 + 0.5 * *draws as f64,
                100.0 * duel.share(),
                if pairs.total() > 0 { estimate(pairs.elo()) } else { String::from("?") },
            );
        }
        text
    }

    /// What every engine did wrong, and how games ended.
    pub fn conduct(&self, tally: &Tally) -> String {
        let mut text = String::new();
        let causes: Vec<String> = tally
            .causes
            .iter()
            .map(|(cause, count)| format!("{count} {}", cause.words()))
            .collect();
        if !causes.is_empty() {
            let _ = writeln!(text, "Ends   {}", causes.join(", "));
        }
        for (name, conduct) in self.names.iter().zip(&tally.conduct) {
            let mut faults: Vec<String> = conduct
                .failures
                .iter()
                .map(|(cause, count)| format!("{count} {}", cause.words()))
                .collect();
            if conduct.illegal_variations > 0 {
                faults.push(format!("{} illegal variations", conduct.illegal_variations));
            }
            if !faults.is_empty() {
                let _ = writeln!(text, "Faults of {name}: {}", faults.join(", "));
            }
        }
        text
    }
}

/// A value with its error.
fn estimate(Estimate { value, margin }: Estimate) -> String {
    match margin.is_finite() {
        true => format!("{value:+.1} ± {margin:.1}"),
        false => format!("{value:+.1} ± ∞"),
    }
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// A span of time in hours, minutes and seconds.
pub fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
