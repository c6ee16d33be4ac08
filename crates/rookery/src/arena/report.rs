//! What the runner says: where a match stands, and how it ended.

use super::elo::{Decision, Estimate, FEWEST_PAIRS, Pentanomial, Sprt};
use super::schedule::Schedule;
use super::tally::{Duel, Tally};
use crate::counted::counted;
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
            ([duel], [_]) => self.duel(duel),
            _ => self.table(tally),
        };
        if let Some(eta) = eta {
            let _ = writeln!(text, "Left   {}", clock(eta));
        }
        text
    }

    /// Who plays whom, and how.
    pub fn title(&self) -> String {
        let (first, second) = self.schedule.pairings.first().copied().unwrap_or_default();
        let (first, second) = (self.name(first), self.name(second));
        format!("{first} – {second} ({}, {})", self.controls, self.openings)
    }

    fn duel(&self, duel: &Duel) -> String {
        let mut text = String::new();
        let Duel { wins, draws, losses, pairs, .. } = duel;
        let _ = writeln!(text, "{}", self.title());
        let _ = writeln!(text, "Elo    {}", strength(pairs));
        let played = duel.played();
        if played > 0 {
            let _ = writeln!(
                text,
                "Games  {played}: +{wins} ={draws} -{losses}, {:.1} % of the points, {:.1} % draws",
                100.0 * duel.share(),
                percent(*draws, played)
            );
        }
        if pairs.total() > 0 {
            let _ = writeln!(
                text,
                "Pairs  {}: {:?} from 0 to 2 points, {:.1} % even{}",
                pairs.total(),
                pairs.pairs,
                100.0 * pairs.even_share(),
                match pairs.ratio() {
                    _ if pairs.pairs[2] == pairs.total() => String::new(),
                    ratio if ratio.is_finite() => format!(", ratio {ratio:.2}"),
                    _ => String::from(", none lost"),
                }
            );
        }
        if let Some(sprt) = self.sprt {
            let (lower, upper) = sprt.bounds();
            let _ = writeln!(
                text,
                "SPRT   LLR {:.2} ({lower:.2}, {upper:.2}) for {} Elo [{:.2}, {:.2}]{}",
                sprt.log_likelihood_ratio(pairs),
                sprt.model.name(),
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
                duel.points(),
                100.0 * duel.share(),
                strength_in_short(pairs),
            );
        }
        text.push_str(&self.crosstable(tally, rows.iter().map(|(engine, _)| *engine).collect()));
        text
    }

    /// The points of each engine against each other one, in the order of the table.
    fn crosstable(&self, tally: &Tally, order: Vec<usize>) -> String {
        let against = |engine: usize, other: usize| {
            let mut pairings = self.schedule.pairings.iter().zip(&tally.duels);
            pairings.find_map(|(&pairing, duel)| match pairing {
                _ if pairing == (engine, other) => Some(duel.clone()),
                _ if pairing == (other, engine) => Some(duel.reversed()),
                _ => None,
            })
        };
        let cell = |engine: usize, other: usize| match against(engine, other) {
            _ if engine == other => String::from("·"),
            Some(duel) if duel.played() > 0 => format!("{:.1}/{}", duel.points(), duel.played()),
            _ => String::from("-"),
        };
        let rows: Vec<Vec<String>> = order
            .iter()
            .map(|&engine| order.iter().map(|&other| cell(engine, other)).collect())
            .collect();
        let width = rows.iter().flatten().map(|cell| cell.chars().count()).max().unwrap_or(0);
        let names = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
        let mut text = format!("  # {:names$}", "points");
        for number in 1..=order.len() {
            let _ = write!(text, "  {number:>width$}");
        }
        text.push('\n');
        for ((rank, &engine), cells) in (1..).zip(&order).zip(&rows) {
            let _ = write!(text, "{rank:3} {:names$}", self.name(engine));
            for cell in cells {
                let _ = write!(text, "  {cell:>width$}");
            }
            text.push('\n');
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
        match tally.copies.count() {
            0 => {}
            copies => {
                let (repeat, they_say) = match copies {
                    1 => ("repeats", "it says"),
                    _ => ("repeat", "they say"),
                };
                let _ = writeln!(
                    text,
                    "Copies {copies} of {} {repeat} another move by move: {they_say} nothing new, \
                     and the error is larger than shown. More openings help",
                    counted(tally.played(), "game")
                );
            }
        }
        for (name, conduct) in self.names.iter().zip(&tally.conduct) {
            let mut faults: Vec<String> = conduct
                .failures
                .iter()
                .map(|(cause, count)| format!("{count} {}", cause.words()))
                .collect();
            if conduct.illegal_variations > 0 {
                faults.push(counted(conduct.illegal_variations, "illegal variation"));
            }
            if !faults.is_empty() {
                let _ = writeln!(text, "Faults of {name}: {}", faults.join(", "));
            }
        }
        text
    }
}

/// What the results say about the strength of two players.
fn strength(pairs: &Pentanomial) -> String {
    if !pairs.are_enough() {
        return format!("too few games: {FEWEST_PAIRS} pairs are the least that says anything");
    }
    let superiority = match 100.0 * pairs.superiority() {
        percent if percent >= 99.95 => String::from("> 99.9"),
        percent if percent < 0.05 => String::from("< 0.1"),
        percent => format!("{percent:.1}"),
    };
    match pairs.elo_interval() {
        (low, high) if low.is_finite() && high.is_finite() => format!(
            "{} (normalised {}), LOS {superiority} %",
            estimate(pairs.elo()),
            estimate(pairs.normalised_elo())
        ),
        (low, _) if low.is_finite() => format!("more than {low:+.1}, LOS {superiority} %"),
        (_, high) if high.is_finite() => format!("less than {high:+.1}, LOS {superiority} %"),
        _ => format!("{:+.1}, but every pair ended alike: the error is unknown", pairs.elo().value),
    }
}

/// The same for a column of a table.
pub fn strength_in_short(pairs: &Pentanomial) -> String {
    match pairs.elo_interval() {
        _ if !pairs.are_enough() => String::from("?"),
        (low, high) if low.is_finite() && high.is_finite() => estimate(pairs.elo()),
        (low, _) if low.is_finite() => format!("> {low:+.1}"),
        (_, high) if high.is_finite() => format!("< {high:+.1}"),
        _ => String::from("?"),
    }
}

/// A value with its error.
fn estimate(Estimate { value, margin }: Estimate) -> String {
    format!("{value:+.1} ± {margin:.1}")
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// A span of time in hours, minutes and seconds.
pub fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::schedule::Format;

    fn said(pairs: [u64; 5]) -> String {
        strength(&Pentanomial { pairs })
    }

    #[test]
    fn few_games_say_nothing_and_extreme_ones_a_bound() {
        let few = "too few games: 10 pairs are the least that says anything";
        assert_eq!(said([0; 5]), few);
        assert_eq!(said([0, 0, 0, 0, 1]), few);
        assert_eq!(said([0, 0, 0, 0, 10]), "more than +140.2, LOS > 99.9 %");
        assert_eq!(said([20, 0, 0, 0, 0]), "less than -277.4, LOS < 0.1 %");
        let alike = "+0.0, but every pair ended alike: the error is unknown";
        assert_eq!(said([0, 0, 30, 0, 0]), alike);
        let usual = said([0, 1, 3, 4, 12]);
        assert_eq!(usual, "+284.9 ± 144.9 (normalised +364.6 ± 107.7), LOS > 99.9 %");
        for counts in 0..3_u64.pow(5) {
            let pairs = [0, 1, 2, 3, 4].map(|place| 9 * (counts / 3_u64.pow(place) % 3));
            let text = said(pairs) + &strength_in_short(&Pentanomial { pairs });
            assert!(!["inf", "NaN", "∞"].iter().any(|odd| text.contains(odd)), "{pairs:?} {text}");
        }
    }

    #[test]
    fn the_crosstable_has_each_engine_against_each_other() {
        let schedule = Schedule::new(3, Format::RoundRobin, 2);
        let names = ["A", "Bee", "C"].map(str::to_owned);
        let mut tally = Tally::new(&schedule, 3);
        tally.read_results(&["0=", "=", ""].map(str::to_owned)).expect("results");
        let (controls, openings) = (String::new(), String::new());
        let setting =
            Setting { names: &names, schedule: &schedule, sprt: None, controls, openings };
        let text = setting.standing(&tally, None);
        let expected = "  # points      1      2      3\n  \
                        1 Bee         ·      -  1.5/2\n  \
                        2 C           -      ·  0.5/1\n  \
                        3 A       0.5/2  0.5/1      ·\n";
        assert!(text.ends_with(expected), "{text}");
        assert!(text.contains("  1 Bee         2      1.5   75.0                ?"), "{text}");
    }
}
