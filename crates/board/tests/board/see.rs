//! Exchange evaluation (D35): known values, thresholds against values, and slow references that play
//! the exchange out with legal moves.

use crate::common::random_move;
use board::random::SplitMix;
use board::{Move, MoveKind, MoveList, PieceKind, Position, SEE_VALUES, Square, Stage};

const PAWN: i32 = SEE_VALUES[0];
const KNIGHT: i32 = SEE_VALUES[1];
const ROOK: i32 = SEE_VALUES[3];
const QUEEN: i32 = SEE_VALUES[4];

fn value(kind: PieceKind) -> i32 {
    SEE_VALUES[kind.index()]
}

/// What a move wins at once.
fn gain(position: &Position, mv: Move) -> i32 {
    let promotion = mv.promoted().map_or(0, |kind| value(kind) - PAWN);
    position.captured(mv).map_or(0, value) + promotion
}

/// Legal captures on a square, least valuable man first, the queen first among promotions.
fn captures_on(position: &Position, target: Square) -> Vec<Move> {
    let mut list = MoveList::new();
    position.generate(Stage::Captures, &mut list);
    let mut moves: Vec<Move> = list.into_iter().filter(|mv| mv.to() == target).collect();
    let kind = |mv: &Move| position.piece_on(mv.from()).map(|man| man.kind().index());
    let promoted = |mv: &Move| mv.promoted().map(|kind| 9 - kind.index());
    moves.sort_by_key(|mv| (kind(mv), mv.from(), promoted(mv)));
    moves
}

/// What the side to move wins on a square if both sides take with the least valuable man.
fn replies_in_order(position: &Position, target: Square) -> i32 {
    let first = captures_on(position, target).first().copied();
    first.map_or(0, |mv| (gain(position, mv) - replies_in_order(&position.make(mv), target)).max(0))
}

/// What the side to move wins on a square if both sides take with the best man.
fn best_replies(position: &Position, target: Square) -> i32 {
    let after = |mv: Move| gain(position, mv) - best_replies(&position.make(mv), target);
    captures_on(position, target).into_iter().map(after).fold(0, i32::max)
}

fn played_out(position: &Position, mv: Move, replies: fn(&Position, Square) -> i32) -> i32 {
    match mv.kind() {
        MoveKind::Castling => 0,
        _ => gain(position, mv) - replies(&position.make(mv), mv.to()),
    }
}

/// Positions of random games; captures are preferred now and then, and pawns run, so that exchanges of
/// all kinds come up.
fn random_positions(seed: u64, games: usize, mut visit: impl FnMut(&Position, &MoveList)) {
    let mut random = SplitMix(seed);
    for game in 0..games {
        let number = if game % 2 == 0 { 518 } else { random.below(960) as u16 };
        let mut position = Position::chess960(number);
        for _ in 0..160 {
            let moves = position.legal_moves();
            let Some(first) = random_move(&moves, &mut random) else { break };
            visit(&position, &moves);
            let again = position.is_capture(first) && random.below(3) > 0;
            let second = if again { random_move(&moves, &mut random) } else { None };
            position.play(second.unwrap_or(first));
        }
    }
}

#[test]
fn known_exchanges_have_their_values() {
    for (fen, mv, expected) in [
        // A free pawn; a defended one.
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", PAWN),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", PAWN - KNIGHT),
        // No man attacks the square; a rook is put where a pawn takes it.
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4", 0),
        ("4k3/8/8/2p5/8/8/8/3RK3 w - - 0 1", "d1d4", -ROOK),
        // X-rays: rook behind rook, queen behind bishop, bishop behind pawn.
        ("3rk3/8/8/3p4/8/3R4/3R4/4K3 w - - 0 1", "d3d5", PAWN),
        ("3rk3/3r4/8/3p4/8/3R4/3R4/4K3 w - - 0 1", "d3d5", PAWN - ROOK),
        ("6k1/8/4p3/3p4/2P5/1B6/8/6K1 w - - 0 1", "c4d5", PAWN),
        ("6k1/5b2/4p3/3p4/2P5/1B6/8/6K1 w - - 0 1", "c4d5", 0),
        // En passant, and the rook behind the pawn that vanishes.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", PAWN),
        ("3rk3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
        ("3rk3/8/8/3pP3/8/8/8/3RK3 w - d6 0 1", "e5d6", PAWN),
        // Promotions: free, taken back, by capture, to a knight; a recapture that promotes.
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8q", QUEEN - PAWN),
        ("7r/P5k1/8/8/8/8/8/K7 w - - 0 1", "a7a8q", -PAWN),
        ("1n5r/P5k1/8/8/8/8/8/K7 w - - 0 1", "a7b8q", KNIGHT - PAWN),
        ("7r/P5k1/8/8/8/8/8/K7 w - - 0 1", "a7a8n", -PAWN),
        ("8/7k/8/8/8/8/1p5K/R7 w - - 0 1", "a1c1", -ROOK - QUEEN + PAWN),
        // Castling.
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 0),
        // The knight on e7 is pinned; when its pinner captures, it is free.
        ("4k3/4n3/8/3p4/8/2N5/8/4RK2 w - - 0 1", "c3d5", PAWN),
        ("3k4/4n3/8/3p4/8/2N5/8/4RK2 w - - 0 1", "c3d5", PAWN - KNIGHT),
        ("4k3/4n3/8/3pR3/8/2N5/8/5K2 w - - 0 1", "e5d5", PAWN - ROOK + KNIGHT),
        // The king takes what is undefended and nothing else.
        ("8/8/3k4/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", PAWN - ROOK),
        ("8/8/3k4/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", PAWN),
    ] {
        let position = Position::from_fen(fen).unwrap();
        let parsed = position.parse_uci(mv);
        let mv = match parsed {
            Ok(mv) => mv,
            Err(error) => panic!("{fen}: {error}"),
        };
        assert_eq!(position.see(mv), expected, "{mv:?} in {fen}");
    }
}

#[test]
fn thresholds_agree_with_values() {
    random_positions(35, 60, |position, moves| {
        for mv in moves {
            let exact = position.see(mv);
            for offset in [-1000, -301, -100, -1, 0, 1, 99, 200, 901] {
                let threshold = exact + offset;
                let expected = exact >= threshold;
                assert_eq!(position.see_at_least(mv, threshold), expected, "{mv:?} {position:?}");
                let compared = position.see_compare(mv, threshold);
                assert_eq!(compared, exact.cmp(&threshold), "{mv:?} {position:?}");
            }
            for threshold in [i32::MIN, -100, 0, 1, 100, i32::MAX] {
                let expected = exact >= threshold;
                assert_eq!(position.see_at_least(mv, threshold), expected, "{mv:?} {position:?}");
                assert_eq!(position.see_compare(mv, threshold), exact.cmp(&threshold));
            }
        }
    });
}

#[test]
fn the_value_is_that_of_the_exchange_played_out_legally_least_valuable_man_first() {
    random_positions(36, 120, |position, moves| {
        for mv in moves {
            let expected = played_out(position, mv, replies_in_order);
            assert_eq!(position.see(mv), expected, "{mv:?} in {position:?}");
        }
    });
}

#[test]
fn the_order_least_valuable_first_is_nearly_always_the_best() {
    let (mut exchanges, mut different) = (0, 0);
    random_positions(37, 100, |position, moves| {
        for mv in moves {
            let best = played_out(position, mv, best_replies);
            exchanges += u32::from(gain(position, mv) != 0 || best != 0);
            different += u32::from(position.see(mv) != best);
        }
    });
    eprintln!("{different} of {exchanges} exchanges differ from the best order");
    assert!(exchanges > 50_000);
    assert!(different * 1000 < exchanges, "{different} of {exchanges}");
}
