//! Positions to evaluate.

use board::random::SplitMix;
use board::{Epd, Move, Position};

/// The positions of some test suites, each followed by a random game: (before, move, after).
pub fn walks(plies: usize) -> Vec<(Position, Vec<Move>)> {
    let mut random = SplitMix(46);
    let mut walks = Vec::new();
    for name in ["bk", "wacnew", "zugzwang"] {
        let path = format!("{}/../../testdata/epd/{name}.epd", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).expect("the test data is readable");
        for record in text.lines().filter_map(|line| line.parse::<Epd>().ok()) {
            let mut position = *record.position();
            let mut moves = Vec::new();
            for _ in 0..plies {
                let legal = position.legal_moves();
                if legal.is_empty() {
                    break;
                }
                let mv = legal[random.below(legal.len() as u64) as usize];
                moves.push(mv);
                position = position.make(mv);
            }
            walks.push((*record.position(), moves));
        }
    }
    walks
}

/// All positions of such walks.
pub fn positions(plies: usize) -> Vec<Position> {
    let mut positions = Vec::new();
    for (mut position, moves) in walks(plies) {
        positions.push(position);
        for mv in moves {
            position = position.make(mv);
            positions.push(position);
        }
    }
    positions
}
