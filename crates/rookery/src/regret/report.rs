//! What a measurement found: the regret of each setting and its difference to the first one's.

use super::measure::{Choice, Round};
use super::reference::Reference;
use super::setting::Setting;
use crate::counted::counted;
use crate::sim::spread::mean_and_spread;
use crate::suite::Limit;
use serde::Serialize;
use std::io::{self, Write};

/// Everything that was found. Losses are in expected score, from 0 to 1.
#[derive(Serialize, Debug)]
pub struct Report {
    pub file: String,
    /// Those that were searched in every setting.
    positions: usize,
    pub repetitions: u32,
    scale: f64,
    pub seconds: f64,
    /// Whether Ctrl-C ended it.
    pub interrupted: bool,
    settings: Vec<Measured>,
}

/// A mean with its standard error; that of a single value is not known.
#[derive(Clone, Copy, Serialize, Debug, PartialEq)]
pub struct Estimate {
    pub mean: f64,
    pub error: Option<f64>,
}

impl Estimate {
    /// The mean of values; 0 of none.
    pub fn of(values: &[f64]) -> Estimate {
        let (mean, spread) = mean_and_spread(values);
        let error = spread.map(|spread| spread / (values.len() as f64).sqrt());
        // The sum of nothing is a negative zero.
        Estimate { mean: mean + 0.0, error }
    }

    /// In thousandths: `12.34 ± 0.56`.
    fn text(self) -> String {
        let error = self.error.map_or("?".to_owned(), |error| format!("{:.2}", 1000.0 * error));
        format!("{:.2} ± {error}", 1000.0 * self.mean)
    }
}

/// What one setting did.
#[derive(Serialize, Debug)]
struct Measured {
    name: String,
    threads: u32,
    /// Processors of the simulated machine that searched, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    simulated: Option<u32>,
    parallel: String,
    limit: LimitRecord,
    regret: Estimate,
    /// The regret minus that of the first setting, position by position.
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<Estimate>,
    /// Shares of the moves that are the best and that are not listed.
    best: f64,
    unlisted: f64,
    /// Means of a search.
    depth: f64,
    nodes: f64,
    seconds: f64,
    losses: Vec<Loss>,
}

/// What became of a position.
#[derive(Serialize, Debug)]
struct Loss {
    line: usize,
    /// The mean over the repetitions.
    loss: f64,
    /// What was chosen in each.
    moves: Vec<String>,
}

#[derive(Serialize, Debug)]
#[serde(rename_all = "lowercase")]
enum LimitRecord {
    Time(f64),
    Nodes(u64),
    Depth(i32),
}

impl Measured {
    fn new(
        setting: &Setting,
        losses: Vec<Loss>,
        chosen: &[(&Reference, Choice)],
        first: Option<&Measured>,
        scale: f64,
    ) -> Measured {
        let values: Vec<f64> = losses.iter().map(|it| it.loss).collect();
        let difference = first.map(|first| {
            let pairs = first.losses.iter().zip(&values);
            Estimate::of(&pairs.map(|(first, own)| own - first.loss).collect::<Vec<f64>>())
        });
        let mean = |of: &dyn Fn(&(&Reference, Choice)) -> f64| {
            (chosen.iter().map(of).sum::<f64>() + 0.0) / (chosen.len() as f64).max(1.0)
        };
        Measured {
            name: setting.name.clone(),
            threads: setting.threads,
            simulated: setting.simulated,
            parallel: setting.strategy.to_string(),
            limit: match setting.limit {
                Limit::Time(time) => LimitRecord::Time(time.as_secs_f64()),
                Limit::Nodes(nodes) => LimitRecord::Nodes(nodes),
                Limit::Depth(depth) => LimitRecord::Depth(depth),
            },
            regret: Estimate::of(&values),
            difference,
            best: mean(&|(reference, choice)| {
                f64::from(u8::from(reference.loss(choice.mv, scale) <= 0.0))
            }),
            unlisted: mean(&|(reference, choice)| f64::from(u8::from(!reference.lists(choice.mv)))),
            depth: mean(&|(_, choice)| f64::from(choice.depth)),
            nodes: mean(&|(_, choice)| choice.nodes as f64),
            seconds: mean(&|(_, choice)| choice.seconds),
            losses,
        }
    }
}

impl Report {
    /// Sums up. The rounds are in the order of the positions; those of one position count as one value.
    pub fn new(
        settings: &[Setting],
        references: &[Reference],
        rounds: &[Round],
        scale: f64,
    ) -> Report {
        let groups: Vec<(&Reference, &[Round])> = rounds
            .chunk_by(|one, other| one.position == other.position)
            .filter_map(|rounds| Some((references.get(rounds.first()?.position)?, rounds)))
            .collect();
        let mut measured: Vec<Measured> = Vec::new();
        for (place, setting) in settings.iter().enumerate() {
            let (mut losses, mut chosen) = (Vec::new(), Vec::new());
            for &(reference, rounds) in &groups {
                let choices = rounds.iter().filter_map(|round| round.choices.get(place).copied());
                let choices: Vec<Choice> = choices.collect();
                let sum: f64 = choices.iter().map(|choice| reference.loss(choice.mv, scale)).sum();
                let moves = choices.iter().map(|choice| reference.uci(choice.mv)).collect();
                let loss = sum / choices.len() as f64;
                losses.push(Loss { line: reference.line, loss, moves });
                chosen.extend(choices.into_iter().map(|choice| (reference, choice)));
            }
            measured.push(Measured::new(setting, losses, &chosen, measured.first(), scale));
        }
        Report {
            file: String::new(),
            positions: groups.len(),
            repetitions: 1,
            scale,
            seconds: 0.0,
            interrupted: false,
            settings: measured,
        }
    }

    /// As a table.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let (positions, scale) = (counted(self.positions, "position"), self.scale);
        if self.interrupted {
            writeln!(out, "interrupted after {positions}")?;
        }
        let times = counted(self.repetitions, "time");
        writeln!(out, "{positions}, {times} each, scale {scale} cp")?;
        writeln!(out, "loss in thousandths of the expected score ± standard error\n")?;
        let head = ["regret", "to the first", "best", "unlisted", "depth", "nodes", "seconds"];
        let [regret, difference, best, unlisted, depth, nodes, seconds] = head;
        writeln!(
            out,
            "{regret:>15} {difference:>15} {best:>6} {unlisted:>8} {depth:>5} {nodes:>9} {seconds:>8}  setting"
        )?;
        for one in &self.settings {
            let difference = one.difference.map_or(String::new(), Estimate::text);
            writeln!(
                out,
                "{:>15} {difference:>15} {:>4.1} % {:>6.1} % {:>5.1} {:>9.0} {:>8.3}  {}",
                one.regret.text(),
                100.0 * one.best,
                100.0 * one.unlisted,
                one.depth,
                one.nodes,
                one.seconds,
                one.name
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::DEFAULT_STRATEGY;
    use parallel::threads::Extras;

    #[test]
    fn an_estimate_is_the_mean_and_its_standard_error() {
        let estimate = Estimate::of(&[1.0, 2.0, 3.0, 4.0]);
        assert_eq!(estimate.mean, 2.5);
        // The variance is 5/3; a quarter of it is that of the mean.
        assert!(
            estimate.error.is_some_and(|error| (error - (5.0_f64 / 12.0).sqrt()).abs() < 1e-12)
        );
        assert_eq!(Estimate::of(&[3.0]), Estimate { mean: 3.0, error: None });
        assert_eq!(Estimate::of(&[]).mean, 0.0);
    }

    #[test]
    fn differences_are_taken_position_by_position_over_the_repetitions() {
        let records = [
            "4k3/8/8/8/8/8/8/4K2R w K - 0 30 scores \"h1h8 150 e1g1 0\";",
            "4k3/8/8/8/8/8/8/4K2R w K - 0 31 scores \"h1h7 0 h1h6 -150\";",
        ];
        let references: Vec<Reference> = (1..)
            .zip(records)
            .map(|(line, text)| Reference::read(line, text).expect("good").expect("not empty"))
            .collect();
        let setting = |name: &str| Setting {
            name: name.to_owned(),
            threads: 1,
            simulated: None,
            strategy: DEFAULT_STRATEGY,
            extras: Extras::NONE,
            limit: Limit::Depth(3),
        };
        let round = |position: usize, moves: [&str; 2]| {
            let choice = |uci: &str| {
                let mv = references[position].position.parse_uci(uci).expect("legal");
                Choice { mv, depth: 3, nodes: 10, seconds: 0.5 }
            };
            Round { position, choices: moves.iter().map(|uci| choice(uci)).collect() }
        };
        // The first setting errs once of twice in the first position; the second always in the second.
        let rounds = [
            round(0, ["h1h8", "h1h8"]),
            round(0, ["e1g1", "h1h8"]),
            round(1, ["h1h7", "h1h6"]),
            round(1, ["h1h7", "e1f1"]),
        ];
        let report = Report::new(&[setting("one"), setting("two")], &references, &rounds, 150.0);
        let step = 1.0 / (1.0 + (-1.0_f64).exp()) - 0.5;
        let [one, two] = &report.settings[..] else { panic!("two settings") };
        let near = |value: f64, expected: f64| (value - expected).abs() < 1e-12;
        assert!(near(one.regret.mean, step / 4.0) && near(two.regret.mean, step / 2.0));
        let difference = two.difference.expect("there is a first one");
        assert!(near(difference.mean, step / 4.0), "{difference:?}");
        // The differences are -step/2 and step.
        assert!(difference.error.is_some_and(|error| near(error, 0.75 * step)), "{difference:?}");
        assert!(near(one.best, 0.75) && near(two.best, 0.5) && near(two.unlisted, 0.25));
        assert_eq!((report.positions, one.difference), (2, None));
    }
}
