//! The keys of positions (D29, M14): kept up to date move by move, they are those of a position that is
//! set up afresh, and different positions have different ones.

use board::Position;
use std::collections::BTreeMap;

const STARTS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
];

/// Calls `visit` with every position down to a depth.
fn walk(position: &Position, depth: u32, visit: &mut impl FnMut(&Position)) {
    visit(position);
    if depth > 0 {
        position.legal_moves().iter().for_each(|&mv| walk(&position.make(mv), depth - 1, visit));
    }
}

#[test]
fn m14_keys_kept_up_to_date_are_those_of_the_position_set_up_afresh() {
    for start in STARTS {
        let start = Position::from_fen(start).expect("a legal position");
        walk(&start, 2, &mut |position| {
            let fresh = Position::from_fen(&position.fen()).expect("what was written is read");
            assert_eq!(position.key(), fresh.key(), "{}", position.fen());
            assert_eq!(position.pawn_key(), fresh.pawn_key(), "{}", position.fen());
            assert_eq!(position.minor_key(), fresh.minor_key(), "{}", position.fen());
        });
    }
}

#[test]
fn d29_different_positions_have_different_keys() {
    let mut seen: BTreeMap<u64, String> = BTreeMap::new();
    for start in STARTS {
        let start = Position::from_fen(start).expect("a legal position");
        walk(&start, 3, &mut |position| {
            let fen = position.fen();
            // The clocks are no part of a position as the rules compare them.
            let place = fen.rsplitn(3, ' ').last().unwrap_or_default().to_owned();
            let known = seen.entry(position.key()).or_insert_with(|| place.clone());
            assert_eq!(*known, place);
        });
    }
    assert!(seen.len() > 50_000, "{}", seen.len());
}
