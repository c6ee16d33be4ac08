//! Searches fixed positions with one of the drivers, for `cargo xtask bench phases`, which counts the
//! instructions of [`measured`] and compares what the drivers found.
//!
//! `phases recursive|twin DEPTH` prints the nodes and a number that every value and every line
//! went into.

use board::{Epd, History, Position};
use search::{Driver, Limits, Profile, Quiet, Worker};
use table::AnyTable;

const POSITIONS: &str = include_str!("../../../testdata/epd/bk.epd");

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let driver = match arguments.first().map(String::as_str) {
        Some("recursive") => Driver::Recursive,
        Some("twin") => Driver::Twin,
        _ => panic!("usage: phases recursive|twin DEPTH"),
    };
    let depth = arguments.get(1).and_then(|text| text.parse().ok()).expect("a depth");
    let positions: Vec<Position> = POSITIONS
        .lines()
        .map(|line| *line.parse::<Epd>().expect("records of the test data are right").position())
        .collect();
    // A stack as large as the engine's.
    let work = move || {
        let table = AnyTable::new(Profile::Modern.policy(), 16).expect("memory for a table");
        let mut worker = Worker::new(Profile::Modern).with_driver(driver);
        measured(&mut worker, &table, &positions, depth)
    };
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(work);
    let (nodes, mark) = thread.expect("a thread").join().expect("the search ends well");
    println!("{nodes} {mark:016x}");
}

/// What is counted: the searches alone.
#[inline(never)]
fn measured(
    worker: &mut Worker,
    table: &AnyTable,
    positions: &[Position],
    depth: i32,
) -> (u64, u64) {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let (mut nodes, mut mark) = (0, 0u64);
    for position in positions {
        let outcome = worker.search(table, position, &History::new(), &limits, &mut Quiet);
        nodes += outcome.nodes;
        for line in &outcome.lines {
            mark = mark.rotate_left(7) ^ line.score as u64;
            for mv in &line.moves {
                let number = u64::from(mv.from().index() as u32 * 64 + mv.to().index() as u32);
                mark = mark.rotate_left(7).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number;
            }
        }
    }
    (nodes, mark)
}
