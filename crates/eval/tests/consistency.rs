//! All ways to an evaluation lead to the same one, and it stays in its band.

mod support;

use board::{Builder, Color, Piece, PieceKind, Position, Square};
use eval::{
    AnyEvaluator, Classical, DarkSight, EVAL_LIMIT, Evaluator, explain, explain_darksight, trace,
    weights,
};
use support::{positions, walks};

#[test]
fn the_terms_sum_to_the_evaluation() {
    let (mut modern, mut darksight) = (Classical::new(), DarkSight::new());
    for position in positions(20) {
        let (fen, breakdown) = (position.fen(), explain(&position));
        assert_eq!(breakdown.score, modern.evaluate(&position), "{fen}");
        let sum = breakdown.rows.iter().fold([0, 0], |sum, row| {
            let (white, black) = (row.white, row.black);
            [sum[0] + white.middlegame - black.middlegame, sum[1] + white.endgame - black.endgame]
        });
        if !breakdown.known_ending {
            let total = breakdown.total;
            assert_eq!(sum, [total.middlegame, total.endgame], "{fen}");
        }
        if position.halfmove_clock() <= 20 {
            assert_eq!(breakdown.tapered, breakdown.white, "{fen}");
        }
        darksight.reset(&position);
        let breakdown = explain_darksight(&position);
        assert_eq!(breakdown.score, darksight.evaluate(&position), "{fen}");
    }
}

/// Walks that take turns on one processor have one memory between them.
#[test]
fn evaluators_that_exchange_their_memories_give_the_same_values() {
    let classical = || AnyEvaluator::Classical(Box::new(Classical::with_pawn_entries(4096)));
    let darksight = || AnyEvaluator::DarkSight(Box::new(DarkSight::new()));
    let trios = [[classical(), classical(), classical()], [darksight(), darksight(), darksight()]];
    for [mut lender, mut borrower, mut alone] in trios {
        let positions = positions(20);
        for position in &positions {
            borrower.swap_caches(&mut lender);
            borrower.reset(position);
            alone.reset(position);
            assert_eq!(borrower.evaluate(position), alone.evaluate(position), "{}", position.fen());
            borrower.swap_caches(&mut lender);
        }
        // What was looked up with the borrowed memory is known to its owner.
        let counters = lender.counters();
        for position in &positions {
            lender.reset(position);
            lender.evaluate(position);
        }
        let hits = lender.counters().pawn_hits - counters.pawn_hits;
        let probes = lender.counters().pawn_probes - counters.pawn_probes;
        assert!(hits > probes / 2, "{hits} of {probes}");
    }
}

/// D50: the sum that follows the moves is the one of the board.
#[test]
fn incremental_is_from_scratch() {
    let (mut following, mut fresh) = (DarkSight::new(), DarkSight::new());
    for (start, moves) in walks(60) {
        following.reset(&start);
        let mut line = vec![start];
        for &mv in &moves {
            let before = line[line.len() - 1];
            let after = before.make(mv);
            following.push(&before, mv, &after);
            line.push(after);
            fresh.reset(&after);
            assert_eq!(following.evaluate(&after), fresh.evaluate(&after), "{}", after.fen());
        }
        let last = line[line.len() - 1];
        if !last.in_check() {
            let passed = last.make_null();
            following.push_null(&last, &passed);
            fresh.reset(&passed);
            assert_eq!(following.evaluate(&passed), fresh.evaluate(&passed));
            following.pop();
        }
        for position in line.iter().rev() {
            fresh.reset(position);
            assert_eq!(following.evaluate(position), fresh.evaluate(position));
            following.pop();
        }
    }
}

/// M16, M17, D32: what the caches remember is what they would find, and they count their hits.
#[test]
fn caches_change_nothing_and_count_their_hits() {
    let (mut modern, mut tiny) = (Classical::new(), Classical::with_pawn_entries(1));
    let mut calls = 0;
    for (mut position, moves) in walks(60) {
        for mv in moves {
            position = position.make(mv);
            assert_eq!(modern.evaluate(&position), tiny.evaluate(&position), "{}", position.fen());
            calls += 1;
        }
    }
    let counters = modern.counters();
    assert!(counters.pawn_probes <= calls && counters.pawn_probes > calls / 2);
    assert_eq!(counters.king_probes, 2 * counters.pawn_probes);
    assert!(counters.pawn_rate() > 0.5 && counters.king_rate() > 0.5, "{counters:?}");
    assert!(tiny.counters().pawn_hits < counters.pawn_hits);
    modern.clear();
    assert_eq!(modern.counters().pawn_probes, 0);
    assert_eq!(modern.counters().pawn_rate(), 0.0);
}

/// D46: no position leaves the band, however crowded, and no 16-bit half overflows.
#[test]
fn extremes_stay_in_the_band_and_no_half_overflows() {
    for position in extremes() {
        let fen = position.fen();
        let score = Classical::new().evaluate(&position);
        assert!(score.abs() <= EVAL_LIMIT, "{fen}: {score}");
        let mut darksight = DarkSight::new();
        darksight.reset(&position);
        assert!(darksight.evaluate(&position).abs() <= EVAL_LIMIT, "{fen}");
        let Some(trace) = trace(&position) else { continue };
        for counts in &*trace.counts {
            for role in [weights::Role::Score, weights::Role::Danger] {
                let mut sums = [0i64; 2];
                for (weight, &times) in counts.iter().enumerate() {
                    if weights::role(weight) == role {
                        let value = weights::WEIGHTS[weight];
                        sums[0] += i64::from(value.middlegame()) * i64::from(times);
                        sums[1] += i64::from(value.endgame()) * i64::from(times);
                    }
                }
                // The difference of two sides must fit too, and the lesser side has at most a pawn.
                assert!(sums.iter().all(|sum| sum.abs() < 31_000), "{fen}: {role:?} {sums:?}");
            }
        }
    }
}

/// M1: a whole piece more outweighs what the others can do at home; a pawn does when pieces are gone.
#[test]
fn material_dominates() {
    let mut modern = Classical::new();
    for (fen, most) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1", -500),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1", -200),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1", -150),
        ("4k3/pppppppp/8/8/8/8/1PPPPPPP/4K3 w - - 0 1", -50),
    ] {
        let score = modern.evaluate(&Position::from_fen(fen).expect("a position"));
        assert!(score < most, "{fen}: {score}");
    }
}

/// Fifteen men of one kind against a king and a pawn, both ways round, and against their like.
fn extremes() -> Vec<Position> {
    let mut positions = Vec::new();
    for kind in PieceKind::ALL {
        for (side, lone) in [(Color::White, false), (Color::Black, true), (Color::White, true)] {
            let mut builder = Builder { side, ..Builder::default() };
            builder.squares[Square::at(0, 0).index()] = Some(Piece::WhiteKing);
            builder.squares[Square::at(7, 7).index()] = Some(Piece::BlackKing);
            builder.squares[Square::at(7, 6).index()] = Some(Piece::BlackPawn);
            let most = if kind == PieceKind::Pawn { 8 } else { 15 };
            // Spread over the board, on squares that give no check from afar at once.
            for place in 0..if kind == PieceKind::King { 0 } else { most } {
                let square = Square::at(1 + place % 5, 1 + place / 5);
                builder.squares[square.index()] = Some(Piece::new(Color::White, kind));
                if !lone && place < 6 {
                    let square = Square::at(1 + place % 6, 6);
                    builder.squares[square.index()] = Some(Piece::new(Color::Black, kind));
                }
            }
            positions.extend(builder.build());
        }
    }
    assert!(positions.len() >= 8, "{}", positions.len());
    positions.extend(crowds());
    positions
}

/// More men than a game has, of two kinds, as many as a position may have.
fn crowds() -> Vec<Position> {
    let mut positions = Vec::new();
    for pair in 0..25 {
        let kinds = [PieceKind::ALL[pair % 5], PieceKind::ALL[pair / 5]];
        let mut builder = Builder { side: Color::White, ..Builder::default() };
        builder.squares[Square::at(0, 0).index()] = Some(Piece::WhiteKing);
        builder.squares[Square::at(7, 7).index()] = Some(Piece::BlackKing);
        builder.squares[Square::at(7, 6).index()] = Some(Piece::BlackPawn);
        for place in 0..42 {
            let square = Square::at(1 + place % 7, 1 + place / 7).index();
            let kind = kinds[place as usize % 2];
            if builder.squares[square].is_none() {
                builder.squares[square] = Some(Piece::new(Color::White, kind));
                if builder.build_crowded().is_err() {
                    builder.squares[square] = None;
                }
            }
        }
        positions.extend(builder.build_crowded());
    }
    assert!(positions.iter().any(|position| position.color(Color::White).count() > 25));
    positions
}
