//! Nanoseconds per evaluation: `cargo run --release -p rookery-eval --example eval_speed FILE.epd [FILE.net]`;
//! without a file of a network the embedded one.
//!
//! The positions after each legal move of each position of the file are evaluated, as a search would do it
//! after the position itself; the time of making the moves is measured apart and taken off. The least time of
//! each position counts, not that of a whole run: no run is left alone on a busy machine.

use board::{Epd, Position};
use eval::nnue::{Network, Nnue, Path, embedded};
use eval::{Classical, DarkSight, Evaluator};
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Runs, of which the best counts.
const RUNS: usize = 30;

fn main() {
    let Some(file) = std::env::args().nth(1) else {
        eprintln!("eval_speed: the file of positions is missing");
        return;
    };
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) => return eprintln!("eval_speed: {file}: {error}"),
    };
    let positions: Vec<Position> = text
        .lines()
        .filter_map(|line| line.parse::<Epd>().ok())
        .map(|record| *record.position())
        .take(300)
        .collect();
    measure("modern", &mut Classical::new(), &positions);
    measure("darksight", &mut DarkSight::new(), &positions);
    let network = match std::env::args().nth(2) {
        None => Arc::clone(embedded()),
        Some(file) => {
            let bytes = std::fs::read(&file).map_err(|error| error.to_string());
            match bytes.and_then(|bytes| Network::read(&bytes)) {
                Ok(network) => Arc::new(network),
                Err(reason) => return eprintln!("eval_speed: {file}: {reason}"),
            }
        }
    };
    for path in Path::all() {
        let evaluator = &mut Nnue::on_path(Arc::clone(&network), path);
        let name = format!("network, {} wide, {}", network.hidden(), path.name());
        measure(&name, evaluator, &positions);
    }
}

/// The best of several runs: what other programs take is no cost of ours.
fn measure(name: &str, evaluator: &mut impl Evaluator, positions: &[Position]) {
    let (mut time, mut calls, mut sum) = (Duration::ZERO, 0u64, 0i64);
    for position in positions {
        let (mut moving, mut evaluating) = (Duration::MAX, Duration::MAX);
        let moves = position.legal_moves();
        for run in 0..RUNS {
            let begun = Instant::now();
            for mv in &moves {
                black_box(position.make(mv));
            }
            moving = moving.min(begun.elapsed());
            evaluator.reset(position);
            evaluator.evaluate(position);
            let begun = Instant::now();
            for mv in &moves {
                let next = position.make(mv);
                evaluator.push(position, mv, &next);
                let value = i64::from(evaluator.evaluate(&next));
                evaluator.pop();
                (calls, sum) = (calls + u64::from(run == 0), sum + value * i64::from(run == 0));
            }
            evaluating = evaluating.min(begun.elapsed());
        }
        time += evaluating.saturating_sub(moving);
    }
    println!(
        "{name}: {:.0} ns per call, best of {RUNS} runs over {calls} calls (sum {sum})",
        time.as_nanos() as f64 / calls.max(1) as f64
    );
    let counters = evaluator.counters();
    if counters.pawn_probes > 0 {
        println!(
            "pawn cache {:.1} %, shelters {:.1} %",
            counters.pawn_rate() * 100.0,
            counters.king_rate() * 100.0
        );
    }
}
