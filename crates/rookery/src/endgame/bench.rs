//! `rookery endgame bench`: what a question costs, and how often a search gets an answer.

use crate::engine::Engine;
use crate::failure::Failure;
use crate::json;
use crate::progress::Progress;
use ::endgame::recognise::RECOGNISERS;
use ::endgame::syzygy::Syzygy;
use ::endgame::{Metric, Oracle, Tables, Usage};
use board::random::SplitMix;
use board::{Color, History, Position};
use search::{Limits, Profile, Quiet};
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

/// Endings of five to eleven men, for the search.
const ENDINGS: [&str; 8] = [
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - -",
    "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - -",
    "8/5k2/4p1p1/3pP1Pp/3P3P/4K3/8/8 w - -",
    "4k3/8/8/8/3r4/8/3PK3/3R4 w - -",
    "8/8/3k4/3p4/3P4/3K4/4B1n1/8 w - -",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -",
    "6k1/5p2/6p1/8/7p/8/6PP/6K1 b - -",
    "8/8/p1k5/1p6/1P1K4/P7/8/8 w - -",
];
/// Questions about one block before another, for the warm case.
const AT_A_BLOCK: usize = 64;

/// What is measured.
pub struct BenchSettings<'a> {
    pub dir: &'a Path,
    pub syzygy: Option<&'a str>,
    pub probes: u32,
    pub nodes: u64,
    pub seed: u64,
}

#[derive(Serialize)]
struct Cost {
    what: &'static str,
    probes: u64,
    nanoseconds: f64,
}

#[derive(Serialize)]
struct Rate {
    oracle: &'static str,
    nodes: u64,
    asked: u64,
    answered: u64,
    /// Answers to the questions that were asked.
    hit_rate: f64,
    /// Answers to all nodes.
    of_all_nodes: f64,
    seconds: f64,
}

#[derive(Serialize)]
struct Report {
    costs: Vec<Cost>,
    rates: Vec<Rate>,
}

fn open(dir: &Path) -> Result<Tables, Failure> {
    super::open_folder(dir)
}

/// Measures, and shows the figures.
pub fn run(
    settings: &BenchSettings<'_>,
    as_json: bool,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    let bar = Progress::new();
    let mut report = Report { costs: costs(settings, &bar)?, rates: Vec::new() };
    let recognisers = Oracle::new(None, None, true, Usage::default());
    report.rates.push(rate("recognisers", recognisers, settings.nodes)?);
    bar.set(6, 7);
    let tables = Oracle::new(Some(open(settings.dir)?), None, true, Usage::default());
    report.rates.push(rate("tables, recognisers", tables, settings.nodes)?);
    drop(bar);
    if as_json {
        json::write(&report, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    for Cost { what, probes, nanoseconds } in &report.costs {
        writeln!(out, "{what:44} {nanoseconds:>9.0} ns a probe ({probes} probes)")?;
    }
    for Rate { oracle, nodes, asked, answered, hit_rate, of_all_nodes, .. } in &report.rates {
        let (hits, all) = (hit_rate * 100.0, of_all_nodes * 100.0);
        writeln!(
            out,
            "search with {oracle}: {nodes} nodes, {asked} asked, {answered} answered: {hits:.1} % of the questions, {all:.1} % of the nodes"
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Random positions of the tables that are there, some neighbours from the same block together.
fn positions(tables: &Tables, settings: &BenchSettings<'_>, together: usize) -> Vec<Position> {
    let files = tables.files();
    let mut random = SplitMix(settings.seed);
    let mut found = Vec::new();
    let wanted = settings.probes as usize;
    let mut tries = 0;
    while found.len() < wanted && tries < 100 * wanted && !files.is_empty() {
        tries += 1;
        let file = files[random.below(files.len() as u64) as usize];
        let begin = random.below(file.layout.size() as u64) as usize;
        let side = Color::from_white(random.next() & 1 == 0);
        let near = (begin..file.layout.size().min(begin + 4 * together)).filter_map(|index| {
            let position = file.layout.position(index, side)?;
            (position.occupied().count() <= 4).then_some(position)
        });
        found.extend(near.take(together));
    }
    found.truncate(wanted);
    found
}

fn timed(what: &'static str, positions: &[Position], mut ask: impl FnMut(&Position)) -> Cost {
    let clock = Instant::now();
    positions.iter().for_each(&mut ask);
    let nanoseconds = clock.elapsed().as_secs_f64() * 1e9 / positions.len().max(1) as f64;
    Cost { what, probes: positions.len() as u64, nanoseconds }
}

fn costs(settings: &BenchSettings<'_>, bar: &Progress) -> Result<Vec<Cost>, Failure> {
    let tables = open(settings.dir)?;
    let (far, near) = (positions(&tables, settings, 1), positions(&tables, settings, AT_A_BLOCK));
    let mut costs = Vec::new();
    let mut answered = 0u64;
    let far_few = &far[..far.len().min(20_000)];
    let mut own = |what, positions: &[Position], metric, tables: &Tables| {
        timed(what, positions, |position| {
            answered += u64::from(tables.probe(position, metric).is_ok());
        })
    };
    costs.push(own("own distances to mate, a new block each", far_few, Metric::Mate, &tables));
    bar.set(1, 7);
    let warm = open(settings.dir)?;
    costs.push(own("own distances to mate, blocks used again", &near, Metric::Mate, &warm));
    bar.set(2, 7);
    costs.push(own("own outcomes, a new block each", far_few, Metric::Outcome, &tables));
    bar.set(3, 7);
    costs.push(own("own outcomes, blocks used again", &near, Metric::Outcome, &warm));
    bar.set(4, 7);
    // The first question of all unpacks nothing, but makes the recognisers.
    let _ = RECOGNISERS.claim(&Position::startpos());
    costs.push(timed("recognisers, anywhere", &far, |position| {
        answered += u64::from(RECOGNISERS.recognise(position).is_some());
    }));
    costs.push(timed("recognisers, near each other", &near, |position| {
        answered += u64::from(RECOGNISERS.recognise(position).is_some());
    }));
    if let Some(folder) = settings.syzygy {
        let syzygy = Syzygy::open(folder);
        if syzygy.most_men() == 0 {
            return Err(Failure::Work(format!("there are no Syzygy tables in {folder}")));
        }
        costs.push(timed("Syzygy outcomes, anywhere", &far, |position| {
            answered += u64::from(syzygy.probe(position).is_some());
        }));
        costs.push(timed("Syzygy outcomes, near each other", &near, |position| {
            answered += u64::from(syzygy.probe(position).is_some());
        }));
    }
    bar.set(5, 7);
    std::hint::black_box(answered);
    Ok(costs)
}

/// Searches the endings and counts questions and answers.
fn rate(name: &'static str, oracle: Oracle, nodes: u64) -> Result<Rate, Failure> {
    let mut engine = Engine::new(Profile::Modern, 16).map_err(Failure::Work)?;
    engine.set_oracle(Some(Arc::new(oracle)));
    let mut rate = Rate {
        oracle: name,
        nodes: 0,
        asked: 0,
        answered: 0,
        hit_rate: 0.0,
        of_all_nodes: 0.0,
        seconds: 0.0,
    };
    let clock = Instant::now();
    for fen in ENDINGS {
        let position = Position::from_fen(fen).map_err(|error| Failure::Work(error.to_string()))?;
        engine.new_game();
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        engine.search(&position, &History::new(), &limits, &mut Quiet).map_err(Failure::Work)?;
        let statistics = engine.statistics();
        rate.nodes += statistics.nodes;
        rate.asked += statistics.table_questions;
        rate.answered += statistics.tbhits;
    }
    rate.seconds = clock.elapsed().as_secs_f64();
    rate.hit_rate = rate.answered as f64 / rate.asked.max(1) as f64;
    rate.of_all_nodes = rate.answered as f64 / rate.nodes.max(1) as f64;
    Ok(rate)
}
