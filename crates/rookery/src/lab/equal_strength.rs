//! The strategies on real threads: time to depth, and time to equal strength beside it (Z45).
//!
//! Strength is what the chosen moves lose against a reference (`rookery regret`). One thread is measured at
//! several times; the time at which it loses as little as several threads do in a short time, over that short
//! time, is the speedup by strength.

use super::commands;
use super::report::{Cell, Report, ReportTable};
use super::simulated::mean;
use super::statistics::bootstrap;
use super::work::Lab;
use crate::failure::Failure;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Positions with scored moves.
const REFERENCE: &[u8] = include_bytes!("positions/reference.epd.gz");

/// The strategies that threads can follow.
const STRATEGIES: [&str; 5] = ["ybw", "abdada", "lazy", "teams", "tds"];

/// One thread is measured at these multiples of the time of the others.
const MULTIPLES: [f64; 4] = [1.0, 2.0, 4.0, 8.0];

/// A row of `rookery speedup --json`.
#[derive(Serialize, Deserialize)]
struct Row {
    strategy: String,
    threads: u32,
    sequential_seconds: f64,
    seconds: f64,
    speedup: f64,
    least_speedup: f64,
    most_speedup: f64,
    node_rate: f64,
    search_overhead: f64,
}

/// What `rookery regret measure --json` writes.
#[derive(Serialize, Deserialize)]
struct Regret {
    settings: Vec<Setting>,
}

#[derive(Serialize, Deserialize)]
struct Setting {
    depth: f64,
    losses: Vec<Loss>,
}

#[derive(Serialize, Deserialize)]
struct Loss {
    loss: f64,
}

impl Setting {
    fn losses(&self) -> Vec<f64> {
        self.losses.iter().map(|loss| loss.loss).collect()
    }
}

/// Adds both sections.
pub fn report(lab: &Lab, report: &mut Report) -> Result<(), Failure> {
    let threads = lab.threads().max(2);
    report.text(format!(
        "On real threads: {threads} of them against one, by the same program (`negascout`), Bratko-Kopec positions to the same depth. Measured by the clock; a computer that is busy with other things, or has \
         fewer processors than threads, shows less.",
    ));
    let (first, depth, repetitions) = lab.choose((4, 6, 2), (24, 8, 3));
    let words = format!(
        "rookery speedup --threads {threads} --strategies {} --profile negascout --first {first} --depth {depth} --repetitions {repetitions} --hash 64 --json",
        STRATEGIES.join(",")
    );
    let rows: Vec<Row> = measured(lab, &words, None)?;
    let columns = [
        "strategy",
        "threads",
        "one thread, s",
        "seconds",
        "speedup",
        "worst repetition",
        "best repetition",
        "node rate",
        "SO, %",
    ];
    let mut table =
        ReportTable::new("threads", &format!("Time to depth on threads: `{words}`"), &columns);
    for row in &rows {
        let numbers = [row.sequential_seconds, row.seconds, row.speedup, row.least_speedup];
        let numbers = numbers.into_iter().chain([row.most_speedup, row.node_rate]);
        let mut cells = vec![row.strategy.clone(), row.threads.to_string()];
        cells.extend(numbers.map(|number| format!("{number:.2}")));
        cells.push(format!("{:.1}", 100.0 * row.search_overhead));
        table.row(cells);
    }
    report.table(table);
    strength(lab, report, u32::from(threads), &rows)
}

/// The rows of a command, which are kept. The name of a file stands apart: it may have spaces, and what is
/// measured does not depend on it.
fn measured<T: Serialize + DeserializeOwned>(
    lab: &Lab,
    words: &str,
    file: Option<&str>,
) -> Result<Vec<T>, Failure> {
    lab.keep_measured(words, || {
        let words = words.split(' ').chain(file);
        let found = commands::output(words, None).and_then(|text| commands::parse(&text));
        found.map_err(|failure| match failure {
            Failure::Work(reason) | Failure::Usage(reason) => reason,
            _ => "it was interrupted".to_owned(),
        })
    })
}

fn strength(lab: &Lab, report: &mut Report, threads: u32, to_depth: &[Row]) -> Result<(), Failure> {
    report.text(
        "Time to equal strength next to time to depth. Strength is the regret: what the chosen moves lose against a reference, in thousandths of the expected score. \
         One thread is given 1, 2, 4 and 8 times the time of the others; the speedup by strength is the time at which one thread loses as little, over the time of the others (linear between the measured \
         times by their logarithm). Intervals are bootstraps over the positions, 95 %; `<` and `>` where it lies outside what was measured. Profile `modern`.",
    );
    if lab.quick {
        report.text("The quick run has too few positions to tell strategies apart: its intervals say so. The full one has 500.");
    }
    let path = lab.folder().join("reference.epd.gz");
    files::write(&path, REFERENCE)
        .map_err(|error| Failure::Work(format!("cannot write {}: {error}", path.display())))?;
    let (first, time) = lab.choose((60, 0.02), (500, 0.05));
    let mut words = "rookery regret measure".to_owned();
    let one = MULTIPLES.map(|multiple| format!(" --setting threads=1 time={}", multiple * time));
    let many = STRATEGIES
        .map(|strategy| format!(" --setting threads={threads} parallel={strategy} time={time}"));
    words += &one.into_iter().chain(many).collect::<String>();
    words += &format!(" --first {first} --json");
    let found: Vec<Regret> = measured(lab, &words, Some(&path.to_string_lossy()))?;
    let Some(Regret { settings }) = found.into_iter().next() else {
        return Err(Failure::Work("regret was not measured".to_owned()));
    };
    let losses: Vec<Vec<f64>> = settings.iter().map(Setting::losses).collect();
    let columns = [
        "setting",
        "time, s",
        "depth, mean",
        "regret, thousandths",
        "speedup by strength",
        "95 %",
        "speedup to depth (negascout)",
    ];
    let mut table = ReportTable::new("strength", "Time to equal strength on threads", &columns);
    for (number, (setting, losses_of_it)) in settings.iter().zip(&losses).enumerate() {
        let name = match number.checked_sub(MULTIPLES.len()) {
            None => "one thread".to_owned(),
            Some(strategy) => format!("{threads} threads, {}", STRATEGIES[strategy]),
        };
        let seconds = MULTIPLES.get(number).copied().unwrap_or(1.0) * time;
        let mut cells = vec![
            Cell::from(name),
            format!("{seconds:.2}").into(),
            format!("{:.1}", setting.depth).into(),
            format!("{:.1}", 1000.0 * mean(losses_of_it)).into(),
        ];
        match number.checked_sub(MULTIPLES.len()) {
            None => cells.extend([const { String::new() }; 3].map(Cell::from)),
            Some(strategy) => {
                cells.extend(equal(lab, &losses[..MULTIPLES.len()], losses_of_it));
                let depth = to_depth.iter().find(|row| row.strategy == STRATEGIES[strategy]);
                cells.push(depth.map_or(String::new(), |row| format!("{:.2}", row.speedup)).into());
            }
        }
        table.row(cells);
    }
    report.table(table);
    Ok(())
}

/// The speedup by strength and its interval.
fn equal(lab: &Lab, one: &[Vec<f64>], many: &[f64]) -> [Cell; 2] {
    let count = many.len();
    let drawn = |places: &[usize]| {
        let of = |losses: &[f64]| mean(&places.iter().map(|&at| losses[at]).collect::<Vec<_>>());
        multiple(&one.iter().map(|losses| of(losses)).collect::<Vec<_>>(), of(many))
    };
    let whole = drawn(&(0..count).collect::<Vec<_>>());
    let interval = bootstrap(count, lab.choose(500, 2000), lab.seed, |draw| {
        let places: Vec<usize> = (0..count).map(|_| draw()).collect();
        Some(drawn(&places))
    });
    let (least, most) = (MULTIPLES[0], MULTIPLES[MULTIPLES.len() - 1]);
    let text = |value: f64| match value {
        value if value <= least => format!("< {least:.2}"),
        value if value >= most => format!("> {most:.2}"),
        value => format!("{value:.2}"),
    };
    [Cell::from(text(whole)), Cell::interval(interval, 2)]
}

/// By what factor one thread's time must grow until it loses as little: between the two measured times
/// around it, by their logarithms. The curve is taken as falling: what noise turns up is levelled.
fn multiple(one: &[f64], many: f64) -> f64 {
    let mut falling = one.to_vec();
    for place in 1..falling.len() {
        falling[place] = falling[place].min(falling[place - 1]);
    }
    let logs: Vec<f64> = MULTIPLES.iter().map(|multiple| multiple.ln()).collect();
    for place in 1..falling.len() {
        let (above, below) = (falling[place - 1], falling[place]);
        if many >= above {
            return logs[place - 1].exp();
        }
        if many >= below && above > below {
            let part = (above - many) / (above - below);
            return (logs[place - 1] + part * (logs[place] - logs[place - 1])).exp();
        }
    }
    logs.last().copied().unwrap_or(0.0).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn z45_the_speedup_by_strength_lies_between_the_measured_times() {
        let one = [0.040, 0.030, 0.020, 0.010];
        assert_eq!(multiple(&one, 0.050), 1.0, "weaker than one thread");
        assert_eq!(multiple(&one, 0.030), 2.0);
        assert!((multiple(&one, 0.025) - 8f64.sqrt()).abs() < 1e-9, "half way from 2 to 4");
        assert!((multiple(&one, 0.005) - 8.0).abs() < 1e-9, "stronger than eight times the time");
        // Noise: twice the time loses more.
        assert!((multiple(&[0.030, 0.035, 0.020, 0.010], 0.025) - 8f64.sqrt()).abs() < 1e-9);
    }
}
