//! Nanoseconds per evaluation: `cargo run --release -p rookery-eval --example eval_speed FILE.epd [FILE.net]`.
//!
//! Each position of the file is evaluated, and so are those after each of its legal moves, as a
//! search would do it; the time of making the moves is measured apart and taken off.

use board::{Epd, Position};
use eval::nnue::{Network, Nnue, Path};
use eval::{Classical, DarkSight, Evaluator};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

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
        .take(4_000)
        .collect();
    measure("modern", &mut Classical::new(), &positions);
    measure("darksight", &mut DarkSight::new(), &positions);
    let Some(file) = std::env::args().nth(2) else { return };
    let network = std::fs::read(&file).map_err(|error| error.to_string());
    match network.and_then(|bytes| Network::read(&bytes)) {
        Ok(network) => {
            let network = Arc::new(network);
            for path in Path::all() {
                let evaluator = &mut Nnue::on_path(Arc::clone(&network), path);
                measure(&format!("network, {}", path.name()), evaluator, &positions);
            }
        }
        Err(reason) => eprintln!("eval_speed: {file}: {reason}"),
    }
}

fn measure(name: &str, evaluator: &mut impl Evaluator, positions: &[Position]) {
    let begun = Instant::now();
    let (mut calls, mut sum) = (0u64, 0i64);
    for position in positions {
        for mv in &position.legal_moves() {
            black_box(position.make(mv));
        }
    }
    let moving = begun.elapsed();
    let begun = Instant::now();
    for position in positions {
        evaluator.reset(position);
        for mv in &position.legal_moves() {
            let next = position.make(mv);
            evaluator.push(position, mv, &next);
            sum += i64::from(evaluator.evaluate(&next));
            evaluator.pop();
            calls += 1;
        }
    }
    let time = begun.elapsed().saturating_sub(moving);
    println!(
        "{name}: {:.0} ns per call over {calls} calls (sum {sum})",
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
