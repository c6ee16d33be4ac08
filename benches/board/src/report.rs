//! The figures as a table for people and as JSON for scripts.

use crate::measure::{Counting, Outcome};
use crate::median::median;
use serde::Serialize;
use std::fmt;

/// What issue 2 asks for: ours divided by the best rival, without and with bulk counting.
const TARGETS: [(Counting, f64); 2] = [(Counting::PlayingAll, 1.5), (Counting::Bulk, 1.2)];

/// Everything that is printed.
#[derive(Serialize)]
pub struct Report {
    build: &'static str,
    cpu: String,
    rookery_sliders: &'static str,
    cozy_chess_sliders: &'static str,
    rounds: u32,
    rows: Vec<Row>,
    targets: Vec<Target>,
}

/// One case counted in one way.
#[derive(Serialize)]
struct Row {
    case: &'static str,
    counting: Counting,
    speeds: Vec<Speed>,
    best_rival: &'static str,
    /// Rookery's median divided by the best rival's.
    ratio: f64,
    /// The least and the greatest quotient of any one round against the same rival.
    ratio_range: [f64; 2],
}

#[derive(Serialize)]
struct Speed {
    library: &'static str,
    median_million_nodes_per_second: f64,
}

/// A target and the least ratio over the cases.
#[derive(Serialize)]
struct Target {
    counting: Counting,
    wanted: f64,
    least_ratio: f64,
    met: bool,
}

impl Report {
    /// Works the figures out. Every outcome has Rookery first and at least one rival.
    pub fn new(rounds: u32, outcomes: Vec<Outcome>) -> Report {
        let rows: Vec<Row> = outcomes.iter().map(Row::new).collect();
        let targets = TARGETS
            .iter()
            .map(|&(counting, wanted)| {
                let ratios =
                    rows.iter().filter(|row| row.counting == counting).map(|row| row.ratio);
                let least_ratio = ratios.fold(f64::INFINITY, f64::min);
                Target { counting, wanted, least_ratio, met: least_ratio >= wanted }
            })
            .collect();
        Report {
            build: if cfg!(target_feature = "bmi2") { "native" } else { "plain" },
            cpu: cpu_name(),
            rookery_sliders: board::attacks::cpu_path(),
            cozy_chess_sliders: if cfg!(feature = "pext") { "pext" } else { "magic" },
            rounds,
            rows,
            targets,
        }
    }
}

impl Row {
    fn new(outcome: &Outcome) -> Row {
        let speeds: Vec<Speed> = outcome
            .speeds
            .iter()
            .map(|speeds| Speed {
                library: speeds.library,
                median_million_nodes_per_second: median(&mut speeds.per_round.clone()),
            })
            .collect();
        let figure = |index: usize| speeds[index].median_million_nodes_per_second;
        let best = (1..speeds.len()).max_by(|&a, &b| figure(a).total_cmp(&figure(b))).unwrap_or(0);
        let quotients = || {
            let (ours, theirs) = (&outcome.speeds[0].per_round, &outcome.speeds[best].per_round);
            ours.iter().zip(theirs).map(|(ours, theirs)| ours / theirs)
        };
        Row {
            case: outcome.case,
            counting: outcome.counting,
            best_rival: speeds[best].library,
            ratio: figure(0) / figure(best),
            ratio_range: [
                quotients().fold(f64::INFINITY, f64::min),
                quotients().fold(0.0, f64::max),
            ],
            speeds,
        }
    }
}

impl fmt::Display for Counting {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(match self {
            Counting::PlayingAll => "every move made",
            Counting::Bulk => "bulk counting",
        })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            out,
            "{} build on {}; sliders: rookery {}, cozy-chess {}",
            self.build, self.cpu, self.rookery_sliders, self.cozy_chess_sliders
        )?;
        writeln!(out, "million nodes per second, one thread, median of {} rounds", self.rounds)?;
        writeln!(out)?;
        write!(out, "{:<24} {:<16}", "tree", "counting")?;
        for speed in self.rows.iter().take(1).flat_map(|row| &row.speeds) {
            write!(out, " {:>10}", speed.library)?;
        }
        writeln!(out, "   ours / best rival (range of rounds)")?;
        for row in &self.rows {
            write!(out, "{:<24} {:<16}", row.case, row.counting)?;
            for speed in &row.speeds {
                write!(out, " {:>10.1}", speed.median_million_nodes_per_second)?;
            }
            let [least, greatest] = row.ratio_range;
            let (ratio, rival) = (row.ratio, row.best_rival);
            writeln!(out, "   {ratio:.2} × {rival} ({least:.2}–{greatest:.2})")?;
        }
        writeln!(out)?;
        for target in &self.targets {
            writeln!(
                out,
                "target, {}: {:.1} times the best rival: {}, {:.2} on the worse tree",
                target.counting,
                target.wanted,
                if target.met { "met" } else { "NOT met" },
                target.least_ratio
            )?;
        }
        Ok(())
    }
}

/// What the system calls the processor, where it says so.
fn cpu_name() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("model name"));
    let name = line.and_then(|line| line.split_once(':')).map(|(_, name)| name.trim());
    name.unwrap_or("an unnamed CPU").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Speeds;

    fn outcome(counting: Counting, ours: &[f64], rival: &[f64], other: &[f64]) -> Outcome {
        let speeds = |library, rounds: &[f64]| Speeds { library, per_round: rounds.to_vec() };
        let speeds = vec![speeds("ours", ours), speeds("rival", rival), speeds("other", other)];
        Outcome { case: "a tree", counting, speeds }
    }

    #[test]
    fn ours_is_divided_by_the_best_rival() {
        let row = Row::new(&outcome(
            Counting::Bulk,
            &[300.0, 310.0, 10.0],
            &[100.0, 100.0, 100.0],
            &[150.0, 155.0, 140.0],
        ));
        assert_eq!(row.best_rival, "other");
        assert_eq!(row.ratio, 2.0);
        assert_eq!(row.ratio_range, [10.0 / 140.0, 2.0]);
    }

    #[test]
    fn a_target_is_met_only_if_the_worse_tree_meets_it() {
        let met = |slow: f64| {
            let fast = outcome(Counting::PlayingAll, &[200.0], &[100.0], &[1.0]);
            let slow = outcome(Counting::PlayingAll, &[slow], &[100.0], &[1.0]);
            Report::new(1, vec![fast, slow]).targets[0].met
        };
        assert!(met(150.0));
        assert!(!met(149.0));
    }
}
