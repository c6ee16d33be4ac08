//! The picture of `--plot`: how strong the engines look after each pair of games, and what the test says.
//!
//! It is drawn from the results in the order of the schedule, so a match that was interrupted and one
//! that was not have the same picture.

use super::elo::{FEWEST_PAIRS, Pentanomial};
use super::report::Setting;
use super::tally::Tally;
use plot::{Axis, COLORS, Canvas, Chart, INK, Mark, Series, Stroke};

/// Points of a line: more would not be seen.
const MOST_POINTS: usize = 600;
const HEIGHT: f64 = 260.0;
/// Differences in Elo beyond which nothing is drawn: all points won.
const MOST_ELO: f64 = 1000.0;
const LINE: Stroke = Stroke { color: COLORS[0], width: 2.0, dashes: &[] };
const EVEN: Stroke = Stroke { color: INK, width: 1.0, dashes: &[4.0, 4.0] };
const LIMIT: Stroke = Stroke { color: COLORS[1], width: 1.0, dashes: &[6.0, 3.0] };

/// Draws.
pub fn draw(setting: &Setting, tally: &Tally) -> Canvas {
    let charts = match setting.schedule.pairings.as_slice() {
        [_] => duel(setting, &sums(setting, tally, 0)),
        _ => vec![table(setting, tally)],
    };
    plot::stack(&charts, HEIGHT)
}

/// The pairs of an engine after each round, from its own view.
fn sums(setting: &Setting, tally: &Tally, engine: usize) -> Vec<Pentanomial> {
    let mut rounds: Vec<Pentanomial> = Vec::new();
    for (&(first, second), duel) in setting.schedule.pairings.iter().zip(&tally.duels) {
        if ![first, second].contains(&engine) {
            continue;
        }
        for (round, half_points) in duel.rounds() {
            if rounds.len() <= round {
                rounds.resize(round + 1, Pentanomial::default());
            }
            let own = if engine == first { half_points } else { 4 - half_points };
            rounds[round].add(own);
        }
    }
    let mut sum = Pentanomial::default();
    rounds.retain(|pairs| pairs.total() > 0);
    for round in &mut rounds {
        sum = sum.plus(*round);
        *round = sum;
    }
    let every = rounds.len().div_ceil(MOST_POINTS).max(1);
    let last = rounds.len().saturating_sub(1);
    let places = rounds.iter().enumerate();
    places.filter(|(place, _)| place % every == 0 || *place == last).map(|it| *it.1).collect()
}

fn games(pairs: &Pentanomial) -> f64 {
    2.0 * pairs.total() as f64
}

/// The axis of the games.
fn axis<'a>(all: impl Iterator<Item = &'a Pentanomial>) -> Axis {
    Axis::linear("games", 0.0, all.map(games).fold(2.0, f64::max), 10)
}

/// A line that stays at one height.
fn level(name: String, axis: &Axis, value: f64, stroke: Stroke) -> Series {
    let last = axis.ticks.last().copied().unwrap_or(1.0);
    Series::line(name, vec![(0.0, value), (last, value)], stroke)
}

/// The axis of strength: the first few pairs say so little that their errors would hide the rest.
fn elo_axis(title: &str, values: impl Iterator<Item = (u64, f64)> + Clone) -> Axis {
    let known = |pairs: u64| {
        let values = values.clone().filter(move |it| it.0 >= pairs && it.1.is_finite());
        let fold = |(low, high): (f64, f64), (_, value): (u64, f64)| {
            (low.min(value.max(-MOST_ELO)), high.max(value.min(MOST_ELO)))
        };
        values.fold((0.0, 0.0), fold)
    };
    let (low, high) = match known(FEWEST_PAIRS) {
        (0.0, 0.0) => known(0),
        range => range,
    };
    Axis::linear(title, low.min(-5.0), high.max(5.0), 6)
}

/// Two engines: Elo with its error, and the evidence.
fn duel(setting: &Setting, sums: &[Pentanomial]) -> Vec<Chart> {
    let x = axis(sums.iter());
    let interval = |pairs: &Pentanomial| {
        let (low, high) = pairs.elo_interval();
        [(pairs.total(), low), (pairs.total(), high)]
    };
    let y = elo_axis("Elo of the first engine", sums.iter().flat_map(interval));
    let edge = |tick: Option<&f64>| tick.copied().unwrap_or(0.0);
    let (least, most) = (edge(y.ticks.first()), edge(y.ticks.last()));
    let inside = |value: f64| value.clamp(least, most);
    let band = sums.iter().map(|pairs| {
        let (low, high) = pairs.elo_interval();
        (games(pairs), inside(low), inside(high))
    });
    let elo = |pairs: &Pentanomial| (games(pairs), inside(pairs.elo().value));
    let strength = Chart {
        title: setting.title(),
        series: vec![
            Series {
                name: "95 % confidence".into(),
                mark: Mark::Band(band.collect(), LINE.color, 0.2),
            },
            level(String::new(), &x, 0.0, EVEN),
            Series::line("Elo", sums.iter().map(elo).collect(), LINE),
        ],
        x: x.clone(),
        y,
    };
    vec![strength, evidence(setting, sums, x)]
}

/// The logarithm of the likelihood ratio between its bounds; without a test, the likelihood that the
/// first engine is the stronger one.
fn evidence(setting: &Setting, sums: &[Pentanomial], x: Axis) -> Chart {
    let through = |value: &dyn Fn(&Pentanomial) -> f64| {
        sums.iter().map(|pairs| (games(pairs), value(pairs))).collect::<Vec<_>>()
    };
    let Some(sprt) = setting.sprt else {
        let points = through(&|pairs| 100.0 * pairs.superiority());
        let even = level(String::new(), &x, 50.0, EVEN);
        return Chart {
            title: "Likelihood that the first engine is the stronger one".into(),
            y: Axis::linear("likelihood, %", 0.0, 100.0, 5),
            series: vec![even, Series::line("likelihood", points, LINE)],
            x,
        };
    };
    let (lower, upper) = sprt.bounds();
    let points = through(&|pairs| sprt.log_likelihood_ratio(pairs));
    let range = points
        .iter()
        .fold((lower, upper), |(low, high), point| (low.min(point.1), high.max(point.1)));
    Chart {
        title: format!("Sequential test of Elo {} against {}", sprt.elo0, sprt.elo1),
        y: Axis::linear("log-likelihood ratio", range.0, range.1, 6),
        series: vec![
            level(format!("passed above {upper:.2}"), &x, upper, LIMIT),
            level(format!("failed below {lower:.2}"), &x, lower, LIMIT),
            level(String::new(), &x, 0.0, EVEN),
            Series::line("ratio", points, LINE),
        ],
        x,
    }
}

/// More engines: the Elo of each against all that it plays.
fn table(setting: &Setting, tally: &Tally) -> Chart {
    let engines: Vec<(&String, Vec<Pentanomial>)> = setting
        .names
        .iter()
        .enumerate()
        .map(|(engine, name)| (name, sums(setting, tally, engine)))
        .collect();
    let all = || engines.iter().flat_map(|(_, sums)| sums);
    let x = axis(all());
    let y = elo_axis("Elo", all().map(|pairs| (pairs.total(), pairs.elo().value)));
    let mut series = vec![level(String::new(), &x, 0.0, EVEN)];
    for ((name, sums), color) in engines.iter().zip(COLORS.into_iter().cycle()) {
        let points: Vec<_> = sums.iter().map(|pairs| (games(pairs), pairs.elo().value)).collect();
        let estimate = sums.last().map(|pairs| pairs.elo().value).filter(|elo| elo.is_finite());
        let name = estimate.map_or((*name).clone(), |elo| format!("{name} {elo:+.0}"));
        series.push(Series::line(name, points, Stroke { color, width: 2.0, dashes: &[] }));
    }
    Chart {
        title: format!("Elo of each engine against its opponents ({})", setting.controls),
        x,
        y,
        series,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::elo::{Model, Sprt};
    use crate::arena::schedule::{Format, Schedule};

    /// The picture of these results, a result for each game.
    fn picture(engines: usize, results: &[&str], sprt: Option<Sprt>) -> String {
        let schedule = Schedule::new(engines, Format::RoundRobin, 40);
        let mut tally = Tally::new(&schedule, engines);
        let results: Vec<String> = results.iter().map(|text| (*text).to_owned()).collect();
        tally.read_results(&results).expect("results");
        let names: Vec<String> = (0..engines).map(|engine| format!("engine{engine}")).collect();
        let (controls, openings) = ("1+0".to_owned(), "the usual start".to_owned());
        let setting = Setting { names: &names, schedule: &schedule, sprt, controls, openings };
        draw(&setting, &tally).svg()
    }

    #[test]
    fn a_duel_shows_elo_and_likelihood_and_a_test_its_bounds() {
        let games = "1=01=1==10=11=0=1=0111==";
        let plain = picture(2, &[games], None);
        for text in ["games", "Elo", "95 % confidence", "likelihood, %", "engine0 – engine1"] {
            assert!(plain.contains(text), "{text}: {plain}");
        }
        let sprt = Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: Model::Logistic };
        let tested = picture(2, &[games], Some(sprt));
        assert!(tested.contains("log-likelihood ratio") && tested.contains("passed above 2.94"));
    }

    #[test]
    fn nothing_played_everything_won_and_a_table_are_drawn_without_wild_numbers() {
        for (engines, results) in [
            (2, vec![""]),
            (2, vec!["1"]),
            (2, vec!["11111111"]),
            (2, vec!["0000"]),
            (3, vec!["11==", "0=", ""]),
        ] {
            let picture = picture(engines, &results, None);
            let is_wild = ["NaN", "inf"].iter().any(|wild| picture.contains(wild));
            assert!(!is_wild && picture.len() < 20_000, "{results:?}: {picture}");
        }
    }
}
