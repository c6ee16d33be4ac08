//! The measuring: every round runs every library on every case, and each round begins with another
//! library, so that a slow minute of the machine falls on all alike.

#[cfg(feature = "chess")]
use crate::libraries::Chess;
use crate::libraries::{CozyChess, Library, Rookery, Shakmaty};
use crate::mailbox::Mailbox;
use serde::Serialize;
use std::time::Instant;

/// How the last ply is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Counting {
    /// Every move is played.
    PlayingAll,
    /// The generator's count is taken.
    Bulk,
}

/// A position, a depth and the number of leaves that every library must find.
pub struct Case {
    /// Its name in the tables.
    pub name: &'static str,
    fen: &'static str,
    depth: u32,
    nodes: u64,
}

/// The two trees of the comparison.
pub const CASES: [Case; 2] = [
    Case {
        name: "start position, depth 6",
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        depth: 6,
        nodes: 119_060_324,
    },
    Case {
        name: "kiwipete, depth 5",
        fen: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        depth: 5,
        nodes: 193_690_690,
    },
];

/// One library on one case: the speed of each round.
pub struct Speeds {
    /// The library.
    pub library: &'static str,
    /// Million nodes per second, round by round.
    pub per_round: Vec<f64>,
}

/// One case counted in one way by every library, Rookery first.
pub struct Outcome {
    /// The case's name.
    pub case: &'static str,
    /// How it was counted.
    pub counting: Counting,
    /// The libraries' speeds.
    pub speeds: Vec<Speeds>,
}

/// A library as a row of the experiment.
struct Contender {
    name: &'static str,
    run: fn(&Case, Counting) -> Result<f64, String>,
}

const fn contender<L: Library>() -> Contender {
    Contender { name: L::NAME, run: million_nodes_per_second::<L> }
}

const CONTENDERS: &[Contender] = &[
    contender::<Rookery>(),
    contender::<CozyChess>(),
    contender::<Shakmaty>(),
    #[cfg(feature = "chess")]
    contender::<Chess>(),
    contender::<Mailbox>(),
];

/// Counts one tree once and checks the count.
fn million_nodes_per_second<L: Library>(case: &Case, counting: Counting) -> Result<f64, String> {
    let board =
        L::parse(case.fen).map_err(|error| format!("{}: {}: {error}", L::NAME, case.fen))?;
    let count = match counting {
        Counting::PlayingAll => L::playing_all,
        Counting::Bulk => L::bulk,
    };
    // Tables that a library fills at first use, and the caches, are warm before the clock starts.
    count(&board, case.depth.min(4));
    let start = Instant::now();
    let nodes = count(&board, case.depth);
    let seconds = start.elapsed().as_secs_f64();
    if nodes != case.nodes {
        return Err(format!(
            "{} counts {nodes} leaves in {}, not {}",
            L::NAME,
            case.name,
            case.nodes
        ));
    }
    Ok(nodes as f64 / seconds / 1e6)
}

/// Runs all rounds; tells on standard error how far it is.
pub fn run(rounds: u32) -> Result<Vec<Outcome>, String> {
    let mut outcomes = Vec::new();
    for case in &CASES {
        for counting in [Counting::PlayingAll, Counting::Bulk] {
            let speeds = CONTENDERS
                .iter()
                .map(|contender| Speeds { library: contender.name, per_round: Vec::new() })
                .collect();
            outcomes.push(Outcome { case: case.name, counting, speeds });
        }
    }
    for round in 0..rounds as usize {
        eprintln!("round {} of {rounds}", round + 1);
        for (index, outcome) in outcomes.iter_mut().enumerate() {
            for turn in 0..CONTENDERS.len() {
                let who = (round + turn) % CONTENDERS.len();
                let speed = (CONTENDERS[who].run)(&CASES[index / 2], outcome.counting)?;
                outcome.speeds[who].per_round.push(speed);
            }
        }
    }
    Ok(outcomes)
}
