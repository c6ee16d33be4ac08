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
pub const HEIGHT: f64 = 260.0;
/// The greatest difference in Elo that an axis shows: what lies beyond it is marked at its end.
const MOST_ELO: f64 = 1000.0;
pub const LINE: Stroke = Stroke { color: COLORS[0], width: 2.0, dashes: &[] };
pub const EVEN: Stroke = Stroke { color: INK, width: 1.0, dashes: &[4.0, 4.0] };
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

/// The axis of strength: all that is drawn lies within it, but for what has no bound or is beyond all measure.
pub fn elo_axis(title: impl Into<String>, values: impl Iterator<Item = f64>) -> Axis {
    let values = values.filter(|value| value.is_finite());
    let fold = |(low, high): (f64, f64), value: f64| (low.min(value), high.max(value));
    let (low, high) = values.map(|value| value.clamp(-MOST_ELO, MOST_ELO)).fold((-5.0, 5.0), fold);
    Axis::linear(title, low, high, 6)
}

/// Marks at the ends of the axis for the points that lie beyond them, if there are any.
pub fn mark_beyond(y: &Axis, points: impl Iterator<Item = (f64, f64)>) -> Option<Series> {
    let (least, most) = (y.ticks.first()?, y.ticks.last()?);
    let beyond = points.filter(|(_, value)| value < least || value > most);
    let dots: Vec<_> = beyond.map(|(x, value)| (x, value.clamp(*least, *most))).collect();
    let name = "beyond the axis, or no bound".into();
    (!dots.is_empty()).then(|| Series { name, mark: Mark::Dots(dots, COLORS[1]) })
}

/// The part of the sums that says something about strength.
fn telling(sums: &[Pentanomial]) -> &[Pentanomial] {
    let first = sums.iter().position(Pentanomial::are_enough);
    first.and_then(|first| sums.get(first..)).unwrap_or_default()
}

/// What stands above a picture of strength, with a word where there is nothing to show yet.
fn title(text: String, is_empty: bool) -> String {
    match is_empty {
        true => format!("{text}: too few games, {FEWEST_PAIRS} pairs are the least"),
        false => text,
    }
}

/// The points of a line of strength: those within the axis.
fn strengths(y: &Axis, sums: &[Pentanomial]) -> Vec<(f64, f64)> {
    let most = y.ticks.last().copied().unwrap_or(MOST_ELO);
    let least = y.ticks.first().copied().unwrap_or(-MOST_ELO);
    let points = sums.iter().map(|pairs| (games(pairs), pairs.elo().value));
    points.filter(|(_, elo)| (least..=most).contains(elo)).collect()
}

/// Two engines: Elo with its error, and the evidence.
fn duel(setting: &Setting, sums: &[Pentanomial]) -> Vec<Chart> {
    let (x, told) = (axis(sums.iter()), telling(sums));
    let bounds = || {
        told.iter().flat_map(|pairs| {
            let (low, high) = pairs.elo_interval();
            [(games(pairs), low), (games(pairs), high), (games(pairs), pairs.elo().value)]
        })
    };
    let y = elo_axis("Elo of the first engine", bounds().map(|bound| bound.1));
    let band = told.iter().map(|pairs| {
        let (low, high) = pairs.elo_interval();
        // An infinite bound is drawn at the end of the axis, and marked.
        (games(pairs), low.max(-2.0 * MOST_ELO), high.min(2.0 * MOST_ELO))
    });
    let mut series = vec![
        Series {
            name: "95 % confidence".into(),
            mark: Mark::Band(band.collect(), LINE.color, 0.2),
        },
        level(String::new(), &x, 0.0, EVEN),
        Series::line("Elo", strengths(&y, told), LINE),
    ];
    series.extend(mark_beyond(&y, bounds()));
    let strength =
        Chart { title: title(setting.title(), told.is_empty()), x: x.clone(), y, series };
    vec![strength, evidence(setting, sums, x)]
}

/// The logarithm of the likelihood ratio between its bounds; without a test, the likelihood that the
/// first engine is the stronger one.
fn evidence(setting: &Setting, sums: &[Pentanomial], x: Axis) -> Chart {
    let through = |sums: &[Pentanomial], value: &dyn Fn(&Pentanomial) -> f64| {
        sums.iter().map(|pairs| (games(pairs), value(pairs))).collect::<Vec<_>>()
    };
    let Some(sprt) = setting.sprt else {
        let points = through(telling(sums), &|pairs| 100.0 * pairs.superiority());
        let even = level(String::new(), &x, 50.0, EVEN);
        return Chart {
            title: "Likelihood that the first engine is the stronger one".into(),
            y: Axis::linear("likelihood, %", 0.0, 100.0, 5),
            series: vec![even, Series::line("likelihood", points, LINE)],
            x,
        };
    };
    let (lower, upper) = sprt.bounds();
    let points = through(sums, &|pairs| sprt.log_likelihood_ratio(pairs));
    let range = points
        .iter()
        .fold((lower, upper), |(low, high), point| (low.min(point.1), high.max(point.1)));
    Chart {
        title: format!(
            "Sequential test of {} Elo {} against {}",
            sprt.model.name(),
            sprt.elo0,
            sprt.elo1
        ),
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
    let x = axis(engines.iter().flat_map(|(_, sums)| sums));
    let told = || engines.iter().flat_map(|(_, sums)| telling(sums));
    let y = elo_axis("Elo", told().map(|pairs| pairs.elo().value));
    let mut series = vec![level(String::new(), &x, 0.0, EVEN)];
    for ((name, sums), color) in engines.iter().zip(COLORS.into_iter().cycle()) {
        let estimate = telling(sums).last().map(|pairs| pairs.elo().value);
        let name = match estimate.filter(|elo| elo.is_finite()) {
            Some(elo) => format!("{name} {elo:+.0}"),
            None => (*name).clone(),
        };
        let stroke = Stroke { color, width: 2.0, dashes: &[] };
        series.push(Series::line(name, strengths(&y, telling(sums)), stroke));
    }
    series.extend(mark_beyond(&y, told().map(|pairs| (games(pairs), pairs.elo().value))));
    let text = format!("Elo of each engine against its opponents ({})", setting.controls);
    Chart { title: title(text, told().next().is_none()), x, y, series }
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

    /// The heights of the labels of the first axis, and the numbers on them.
    fn labels(picture: &str) -> Vec<f64> {
        let texts = picture.lines().filter(|line| line.contains("text-anchor=\"end\""));
        let inner = |line: &str| Some(line.split('>').nth(1)?.split('<').next()?.to_owned());
        texts.filter_map(|line| inner(line)?.parse().ok()).collect()
    }

    #[test]
    fn the_axis_holds_all_error_bars_and_few_pairs_have_no_numbers() {
        // Nine pairs say nothing; ten have an error of more than 100 either way.
        let few = picture(2, &["10101=0=1=101010=="], None);
        assert!(few.contains("too few games, 10 pairs are the least"), "{few}");
        let enough = picture(2, &["11111=1=111=111111=1"], None);
        let sums = Pentanomial { pairs: [0, 0, 0, 4, 6] };
        let (_, high) = sums.elo_interval();
        let top = labels(&enough).into_iter().fold(f64::MIN, f64::max);
        assert!(high > 300.0 && top >= high, "{high} {top}: {enough}");
        assert!(!enough.contains("too few") && !enough.contains("beyond the axis"), "{enough}");
        // All won: the error has no upper bound, which is marked.
        let won = picture(2, &["1".repeat(24).as_str()], None);
        assert!(won.contains("beyond the axis, or no bound"), "{won}");
        let table = picture(3, &["11==", "0=", ""], None);
        assert!(table.contains("too few games") && !table.contains("engine0 +"), "{table}");
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
