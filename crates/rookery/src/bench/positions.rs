//! The positions of the benchmark: a mix of all parts of a game. The signature depends on each of
//! them and on their order, so the list changes only with a reason.

/// All positions, in FEN.
pub fn all() -> impl Iterator<Item = &'static str> {
    [OPENINGS, MIDDLE_GAMES, TACTICS, ENDGAMES].into_iter().flatten().copied()
}

/// After some ten moves.
const OPENINGS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r2qkb1r/pp1n1ppp/2p1pn2/3p4/6b1/1P3NP1/PBPPPPBP/RN1Q1RK1 w kq - 0 7",
    "r1bqk2r/2p1bppp/p1np1n2/1p2p3/4P3/1BP2N2/PP1P1PPP/RNBQR1K1 b kq - 0 8",
    "r4rk1/pppqbppp/2np1n2/4pbN1/2P5/P1NP2P1/1P2PPBP/R1BQ1RK1 w - - 7 10",
    "rn1qkb1r/pp3ppp/2p1pn2/3p3b/3PP3/2NB1N1P/PPP1QPP1/R1B1K2R w KQkq - 0 8",
    "r2qkbnr/pp1n1ppp/2p1p3/3p4/4P3/3P1BPP/PPP2P2/RNBQK2R b KQkq - 0 7",
    "r1bqk2r/1ppnbppp/p1p5/8/3QP3/5N2/PPP2PPP/RNB1R1K1 b kq - 0 9",
    "r1bq1rk1/ppp2pbp/n2p2p1/3Pp2n/2P1P3/2N1BN1P/PP3PP1/R2QKB1R w KQ - 3 9",
    "r2q1rk1/1pp2pbp/p1np1np1/4p3/1PP1P1b1/P1NP1N2/4BPPP/1RBQ1RK1 b - - 2 10",
    "rn1q1rk1/p4ppp/bp3n2/2pp4/3P4/P1PBP3/4NPPP/R1BQ1RK1 w - - 2 11",
    "r3k2r/pp1nq1p1/2pb1n1p/3p1b2/3Pp3/1BP1B2P/PP1NQPP1/R3K1NR w KQkq - 2 13",
    "r1bqr1k1/ppp2pp1/1bnp1n1p/8/2BPP3/2N1BN1P/PP3PP1/R2Q1RK1 w - - 4 11",
    "r3k1nr/ppp2ppp/1b2b3/n2q4/3P4/B2B1N2/P4PPP/RN1Q1RK1 w kq - 2 12",
    "rnb1kb1r/p2p1ppp/2p2n2/1B3Nq1/4PpP1/3P4/PPP4P/RNBQ1KR1 b kq - 2 11",
    "r1b1k1nr/pppp1ppp/2n3q1/b3P3/2B5/1QPp1N2/P4PPP/RNB1R1K1 b kq - 2 10",
    "r3k1nr/pp3ppp/2Pp4/bB6/3pq3/1QP2b2/P5PP/RNBK3R w kq - 0 14",
];

/// Everything on the board and in contact.
const MIDDLE_GAMES: &[&str] = &[
    "r3r1k1/1p1n1p2/1qpb1n1p/p2pp1pb/4P3/PP1P2PP/1BPN1PBN/R1Q1R1K1 w - - 2 19",
    "r3rbk1/3b1ppn/p2p3p/1ppPp3/P3P2q/1PP1B1NP/2B1QPP1/R3R1K1 b - - 1 21",
    "r4r1k/p2qbpp1/1p1p1n1p/2p1p2b/1PPnP3/P1NPBPP1/1R3NBP/3Q1RK1 b - - 3 17",
    "2k1rr2/pp1n2p1/2p1n1p1/3pP3/5qPP/P4NR1/1PP1QP2/1K1NR3 w - - 1 23",
    "r3k2r/ppq1bpp1/2p2nn1/4p2p/3P3P/2P3P1/PP1NQPB1/R1B1K2R w KQkq - 0 16",
    "3r1rk1/1pp1qbp1/p1p1np1p/8/4P3/2N1QPBP/PPP3PK/R3R3 w - - 2 20",
    "4r1k1/2pb3p/pp1q1rp1/2pPpp2/1PP1Pb2/P1Q2B1P/3N1PP1/1R2R1K1 b - - 4 23",
    "r2q1rk1/1ppn1pbp/3p2p1/pP2p3/2PnP3/P1NPB3/3Q1PPP/1R1B1RK1 b - - 2 18",
    "r3r1k1/p2n1ppp/1p6/3pP3/q1pP4/1nP2PN1/1BQ3PP/4RRK1 w - - 1 21",
    "4r1k1/pp1b2rp/3nppn1/q2p3Q/P1pP3N/2P1R1P1/1BP2P1P/R4B1K w - - 7 22",
    "1r1k3r/p1p2ppp/3b4/3n4/3P3q/5BN1/PP1P2PP/RNBQ2K1 b - - 0 16",
    "r2qr1k1/5pp1/p4n1p/2bP1b2/Np5B/3n1B2/PP1Q1PPP/1N1R1RK1 b - - 1 19",
];

/// With a combination.
const TACTICS: &[&str] = &[
    "8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - 0 1",
    "R7/P4k2/8/8/8/8/r7/6K1 w - - 0 1",
    "3rb1k1/pq3pbp/4n1p1/3p4/2N5/2P2QB1/PP3PPP/1B1R2K1 b - - 0 1",
    "3r2k1/p2q4/1p4p1/3rRp1p/5P1P/6PK/P3R3/3Q4 w - - 0 1",
    "8/k1b5/P4p2/1Pp2p1p/K1P2P1P/8/3B4/8 w - - 0 1",
    "4r1k1/p1qr1p2/2pb1Bp1/1p5p/3P1n1R/1B3P2/PP3PK1/2Q4R w - - 0 1",
    "5rk1/2p4p/2p4r/3P4/4p1b1/1Q2NqPp/PP3P1K/R4R2 b - - 0 1",
    "2rqrn1k/pb4pp/1p2pp2/n2P4/2P3N1/P2B2Q1/1B3PPP/2R1R1K1 w - - 0 1",
    "2b5/1r6/2kBp1p1/p2pP1P1/2pP4/1pP3K1/1R3P2/8 b - - 0 1",
    "rn3k1r/pp2bBpp/2p2n2/q5N1/3P4/1P6/P1P3PP/R1BQ1RK1 w - - 0 1",
];

/// Few pieces: pawns, rooks, a mate with bishop and knight, blocked chains.
const ENDGAMES: &[&str] = &[
    "8/2p2rk1/1p2Q1pq/pP2p1R1/2Pp1P2/P2P4/6K1/8 w - - 6 63",
    "4b3/1r2nk2/1r6/3p1pBp/p1pP4/2P2P1B/2P4R/R1K5 w - - 4 59",
    "8/R7/2p5/2kpP3/1R5P/P7/2r2r2/K7 b - - 4 45",
    "8/ppkr2N1/6R1/1Pp3Pp/4n3/1P4P1/P7/1K6 b - - 0 40",
    "4b1k1/1n4p1/2pB1p2/pp2P2p/2pN1P1P/P1P5/1P4PK/8 w - - 1 40",
    "1r1b2k1/r4p2/5Pbp/pBpNp3/2P1P2p/3P3K/R7/5R2 w - - 2 39",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1",
    "8/8/1p1k4/5ppp/PPK1p3/6P1/5PP1/8 b - - 0 1",
    "8/3k4/8/3PK3/8/8/2r5/4R3 w - - 0 1",
    "4k3/8/8/2B5/8/3K4/6N1/8 w - - 0 1",
    "8/1p3pk1/p3b1p1/2P1P3/1P3PKp/P6P/3B4/8 w - - 0 1",
];

#[cfg(test)]
mod tests {
    use super::all;
    use board::Position;
    use std::collections::BTreeSet;

    #[test]
    fn every_position_is_legal_has_moves_and_stands_once() {
        let keys = all().map(|fen| {
            let position = Position::from_fen(fen).expect(fen);
            assert!(position.has_legal_move(), "{fen}");
            position.key()
        });
        assert_eq!(keys.collect::<BTreeSet<u64>>().len(), all().count());
    }
}
