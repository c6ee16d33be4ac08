//! The lines that a search tells: in order, complete, and in agreement with its answer.

use crate::support::{Dialogue, field, number, variation};
use board::{CastlingStyle, Position};

/// The value of a line, mates beyond all others and the nearer the farther out.
fn value(line: &str) -> i64 {
    match number(line, "mate") {
        Some(moves) => moves.signum() * (1_000_000 - moves.abs()),
        None => number(line, "cp").expect("a line has a value"),
    }
}

/// The last line of play.
fn last(lines: &[String]) -> &str {
    lines.iter().rfind(|line| line.contains(" pv ")).expect("there is a line of play")
}

/// Half-moves to the mate that a line announces.
fn plies_to_mate(line: &str) -> Option<usize> {
    let moves = number(line, "mate")?;
    Some((2 * moves.unsigned_abs() - u64::from(moves > 0)) as usize)
}

fn search(dialogue: &mut Dialogue, fen: &str, go: &str) -> Vec<String> {
    dialogue.send("ucinewgame");
    dialogue.search(&format!("fen {fen}"), go)
}

#[test]
fn at_the_end_of_every_iteration_lines_stand_in_the_order_of_their_values() {
    const LINES: i64 = 4;
    for threads in [1, 3] {
        let mut dialogue = Dialogue::start();
        dialogue.send(&format!("setoption name Threads value {threads}"));
        dialogue.send(&format!("setoption name MultiPV value {LINES}"));
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1",
            "2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - - 0 1",
            "3rn2k/ppb2rpp/2ppqp2/5N2/2P1P3/1P5Q/PB3PPP/3RR1K1 w - - 0 1",
            "r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1",
            "r1bqkb1r/4npp1/p1p4p/1p1pP1B1/8/1B6/PPPN1PPP/R2Q1RK1 w kq - 0 1",
        ] {
            let lines = search(&mut dialogue, fen, "go depth 8");
            for depth in 1..=8 {
                let of_rank = |rank| {
                    let is_it = |line: &&String| {
                        number(line, "multipv") == Some(rank)
                            && number(line, "depth") == Some(depth)
                            && !line.contains("bound")
                    };
                    lines.iter().rfind(is_it).map(|line| value(line))
                };
                let values: Option<Vec<i64>> = (1..=LINES).map(of_rank).collect();
                // Another thread may have finished the last iteration while the first was at an earlier one.
                let Some(values) = values else {
                    assert!(threads > 1 && depth < 8, "every rank is told at every depth");
                    continue;
                };
                assert!(
                    values.is_sorted_by(|one, other| one >= other),
                    "{fen} {depth}: {values:?}"
                );
            }
            let first = lines.iter().rfind(|line| number(line, "multipv") == Some(1));
            let best = lines.last().and_then(|line| field(line, "bestmove"));
            assert_eq!(first.and_then(|line| field(line, "pv")), best, "{fen}");
        }
    }
}

#[test]
fn the_last_line_begins_with_the_move_that_is_played_and_the_reply_that_is_expected() {
    // Each of them is interrupted when a better move has been found and its line not yet told, or when the
    // line of the best move is just being searched anew.
    let mut dialogue = Dialogue::start();
    for (fen, nodes) in [
        ("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", 3_000),
        ("r4q1k/p2bR1rp/2p2Q1N/5p2/5p2/2P5/PP3PPP/R5K1 w - - 0 1", 3_000),
        ("r4rk1/ppp2ppp/2n5/2bqp3/8/P2PB3/1PP1NPPP/R2Q1RK1 w - - 0 1", 3_000),
        ("1r3r2/4q1kp/b1pp2p1/5p2/pPn1N3/6P1/P3PPBP/2QRR1K1 w - - 0 1", 3_000),
        ("2br2k1/2q3rn/p2NppQ1/2p1P3/Pp5R/4P3/1P3PPP/3R2K1 w - - 0 1", 3_000),
        ("r2q2k1/pp1rbppp/4pn2/2P5/1P3B2/6P1/P3QPBP/1R3RK1 w - - 0 1", 3_000),
        ("4k3/p4prp/1p6/2b5/8/2Q3P1/P2R1PKP/4q3 w - - 0 1", 3_000),
        ("6k1/p5p1/5p2/2P2Q2/3pN2p/3PbK1P/7P/6q1 b - - 0 1", 10_000),
        ("r1bq4/1p4kp/3p1n2/p4pB1/2pQ4/8/1P4PP/4RRK1 w - - 0 1", 10_000),
        ("1k5r/pppbn1pp/4q1r1/1P3p2/2NPp3/1QP5/P4PPP/R1B1R1K1 w - - 0 1", 10_000),
    ] {
        for nodes in (1..8).map(|eighth| eighth * nodes / 8).chain([nodes]) {
            let lines = search(&mut dialogue, fen, &format!("go nodes {nodes}"));
            let answer = lines.last().expect("an answer");
            let told = last(&lines);
            assert_eq!(field(told, "pv"), field(answer, "bestmove"), "{fen} {nodes}: {told}");
            let position = Position::from_fen(fen).expect("a position");
            let reply = variation(told, &position).get(1).map(|mv| mv.uci(CastlingStyle::Standard));
            assert_eq!(reply.as_deref(), field(answer, "ponder"), "{fen} {nodes}: {told}");
        }
    }
}

/// Analysis by a client takes the value from the last line.
#[test]
fn a_search_without_an_iteration_tells_the_static_evaluation() {
    let mut dialogue = Dialogue::start();
    let fen = "4k3/8/8/8/8/8/PPPP4/R3K3 w - - 0 1";
    for nodes in 0..4 {
        let lines = search(&mut dialogue, fen, &format!("go nodes {nodes}"));
        let told = last(&lines);
        assert_eq!(field(told, "depth"), Some("0"), "{told}");
        let value = field(told, "cp").and_then(|value| value.parse::<i32>().ok());
        assert!(value.is_some_and(|value| value > 500), "a rook and four pawns: {told}");
        assert_eq!(field(told, "pv"), field(lines.last().expect("an answer"), "bestmove"));
    }
}

#[test]
fn a_mate_is_told_to_its_end() {
    let mut dialogue = Dialogue::start();
    let mut mates = 0;
    for (fen, depth) in [
        ("r2rb1k1/pp1q1p1p/2n1p1p1/2bp4/5P2/PP1BPR1Q/1BPN2PP/R5K1 w - - 0 1", 6),
        ("r3r2k/2R3pp/pp1q1p2/8/3P3R/7P/PP3PP1/3Q2K1 w - - 0 1", 6),
        ("k5r1/p4b2/2P5/5p2/3P1P2/4QBrq/P5P1/4R1K1 w - - 0 1", 6),
        ("2rr3k/1b2bppP/p2p1n2/R7/3P4/1qB2P2/1P4Q1/1K5R w - - 0 1", 6),
        ("r6k/p1Q4p/2p1b1rq/4p3/B3P3/4P3/PPP3P1/4RRK1 b - - 0 1", 8),
        ("7Q/ppp2q2/3p2k1/P2Ppr1N/1PP5/7R/5rP1/6K1 b - - 0 1", 8),
        ("rn1qr2Q/pbppk1p1/1p2pb2/4N3/3P4/2N5/PPP3PP/R4RK1 w - - 0 1", 8),
        ("2r1b3/1pp1qrk1/p1n1P1p1/7R/2B1p3/4Q1P1/PP3PP1/3R2K1 w - - 0 1", 9),
        ("2r2b1r/p1Nk2pp/3p1p2/N2Qn3/4P3/q6P/P4PP1/1R3K1R w - - 0 1", 9),
    ] {
        for depth in depth..depth + 3 {
            let lines = search(&mut dialogue, fen, &format!("go depth {depth}"));
            let told = last(&lines);
            let Some(plies) = plies_to_mate(told) else { continue };
            mates += 1;
            let mut end = Position::from_fen(fen).expect("a position");
            let moves = variation(told, &end);
            assert_eq!(moves.len(), plies, "{fen} {depth}: {told}");
            moves.iter().for_each(|&mv| end = end.make(mv));
            assert!(end.in_check() && end.legal_moves().is_empty(), "{fen} {depth}: {told}");
        }
    }
    assert!(mates >= 9, "{mates} mates are no test");
}
