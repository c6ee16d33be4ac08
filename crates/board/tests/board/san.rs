//! Algebraic notation and coordinates: against an independent library on random games, and spellings
//! that occur in the wild.

use crate::common::{position, random_move};
use board::random::SplitMix;
use board::{CastlingStyle, CoordinateError, Move, Position, SanError};
use proptest::prelude::*;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};

/// Plays one random game and compares every legal move of every second position.
fn compare_game(start: Position, random: &mut SplitMix) {
    let mut ours = start;
    let setup: shakmaty::fen::Fen = start.shredder_fen().parse().unwrap();
    let mut theirs: Chess = setup.into_position(CastlingMode::Chess960).unwrap();
    for ply in 0..120 {
        let moves = ours.legal_moves();
        assert_eq!(moves.len(), theirs.legal_moves().len(), "{ours:?}");
        let Some(chosen) = random_move(&moves, random) else { return };
        for mv in &moves {
            if mv != chosen && ply % 2 == 1 {
                continue;
            }
            let text = ours.san(mv);
            assert_eq!(ours.parse_san(text.as_bytes()), Ok(mv), "{text} in {ours:?}");
            let uci = mv.uci(CastlingStyle::Chess960);
            assert_eq!(ours.parse_uci(&uci), Ok(mv), "{uci} in {ours:?}");
            assert_eq!(ours.parse_san(uci.as_bytes()), Ok(mv), "{uci} in {ours:?}");
            let uci: shakmaty::uci::UciMove = uci.parse().unwrap();
            let other = uci.to_move(&theirs).unwrap();
            assert_eq!(text, SanPlus::from_move(theirs.clone(), other).to_string(), "{ours:?}");
        }
        let uci: shakmaty::uci::UciMove = chosen.uci(CastlingStyle::Chess960).parse().unwrap();
        theirs = theirs.clone().play(uci.to_move(&theirs).unwrap()).unwrap();
        ours = ours.make(chosen);
        let fen = shakmaty::fen::Fen::from_position(&theirs, EnPassantMode::Legal);
        assert_eq!(ours.fen(), fen.to_string());
    }
}

#[test]
fn random_classical_games_read_and_write_as_in_shakmaty() {
    let mut random = SplitMix(1);
    (0..60).for_each(|_| compare_game(Position::startpos(), &mut random));
}

#[test]
fn random_chess960_games_read_and_write_as_in_shakmaty() {
    let mut random = SplitMix(960);
    (0..960).step_by(16).for_each(|number| compare_game(Position::chess960(number), &mut random));
}

#[test]
fn crowded_positions_are_disambiguated_as_in_shakmaty() {
    let mut random = SplitMix(7);
    for fen in [
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        "7k/2N1N3/1N3N2/8/1N3N2/2N1N3/8/K7 w - - 0 1",
        "4k3/8/8/8/1r1r1r2/8/3r4/4K3 b - - 0 1",
        "k7/1P1P1P2/8/8/8/8/p1p1p3/1N1Q1N1K b - - 0 1",
        "3q1k2/8/8/1B6/8/1N1N4/3K4/8 w - - 0 1",
    ] {
        compare_game(position(fen), &mut random);
    }
}

const OPEN: &str = "r3k2r/pPp2ppp/2n2n1q/3pP3/1bB5/2N2N2/PPP2PPP/R1BQK2R w KQkq d6 0 9";

#[test]
fn odd_spellings_name_the_same_move() {
    for (plain, odd) in [
        ("O-O", &["0-0", "o-o", "O-O!", "0-0+?", "e1g1", "e1h1", "Ke1g1"][..]),
        ("Nd4", &["Nf3d4", "Nfd4", "N3d4", "Nf3-d4", "f3d4", "f3-d4", "Nd4!?", "Nd4+", "N-d4"]),
        ("exd6", &["ed6", "e5d6", "e5xd6", "exd6e.p.", "exd6ep", "exd6 e.p."]),
        ("exd6", &["e:d6", "xd6", "Pexd6", "exd6!e.p.", "exd6e.p.+", "e5-d6"]),
        ("exf6", &["ef6", "e5f6", "e5xf6", "exf6#", "exf6e.p."]),
        ("Bxd5", &["Bd5", "Bc4d5", "Bcxd5", "B4xd5", "c4d5", "Bc4xd5!!", "BXd5", "B:d5"]),
        ("bxa8=Q+", &["ba8Q", "bxa8Q", "bxa8(Q)", "bxa8=q+", "b7a8q", "b7xa8=Q", "bxa8/Q"]),
        ("bxa8=N", &["ba8N", "bxa8(N)+", "b7a8n", "bxa8n"]),
        ("b8=B", &["b8B", "b8b", "b8(b)", "b7b8b", "b7-b8=B", "Pb8=B"]),
        ("a4", &["a2a4", "a2-a4", "Pa4", "Pa2a4", "a4?!"]),
    ] {
        let position = position(OPEN);
        let expected = position.parse_san(plain.as_bytes());
        assert!(expected.is_ok(), "{plain}: {expected:?}");
        for text in odd {
            assert_eq!(position.parse_san(text.as_bytes()), expected, "{text}");
        }
    }
}

#[test]
fn what_is_no_move_is_told_apart() {
    use SanError::*;
    let open = position(OPEN);
    for (text, error) in [
        ("", Syntax),
        ("+", Syntax),
        ("e", Syntax),
        ("e9", Syntax),
        ("i4", Syntax),
        ("exd", Syntax),
        ("NNf3", Syntax),
        ("Nf3f", Syntax),
        ("O-O-", Syntax),
        ("b8=K", Syntax),
        ("1-0", Syntax),
        ("Ng1f3x", Syntax),
        ("\u{2658}f3", Syntax),
        ("Nd5d5", NoSuchMove),
        ("Nf4", NoSuchMove),
        ("Bf3d4", NoSuchMove),
        ("O-O-O", NoSuchMove),
        ("a5", NoSuchMove),
        ("d5", NoSuchMove),
        ("exd5", NoSuchMove),
        ("a4=Q", NoSuchMove),
        ("Nd4=Q", NoSuchMove),
        ("b8", MissingPromotion),
        ("bxa8", MissingPromotion),
        ("b7b8", MissingPromotion),
    ] {
        assert_eq!(open.parse_san(text.as_bytes()), Err(error), "{text:?}");
    }
    for text in ["--", "Z0", "@@@@", "null", "<>", "0000", "--!?"] {
        assert_eq!(open.parse_san(text.as_bytes()), Err(NullMove), "{text}");
    }
    let rooks = position("4k3/8/8/8/8/8/4K3/R6R w - - 0 1");
    assert_eq!(rooks.parse_san(b"Rd1"), Err(Ambiguous));
    assert!(rooks.parse_san(b"Rad1").is_ok());
}

#[test]
fn a_pinned_rival_needs_no_disambiguation() {
    let pinned = position("4r1k1/8/8/8/8/2N5/4N3/4K3 w - - 0 1");
    let mv = pinned.parse_san(b"Nd5").unwrap();
    assert_eq!(pinned.san(mv), "Nd5");
    let mv = pinned.parse_san(b"Nb1").unwrap();
    assert_eq!(pinned.parse_san(b"Ncb1"), Ok(mv));
    assert_eq!(pinned.parse_san(b"Nd4"), Err(SanError::NoSuchMove));
}

#[test]
fn castling_is_read_in_both_styles_and_written_in_the_one_asked_for() {
    let classical = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    for (texts, san, standard) in
        [(["e1g1", "e1h1"], "O-O", "e1g1"), (["e1c1", "e1a1"], "O-O-O", "e1c1")]
    {
        for text in texts {
            let mv = classical.parse_uci(text).unwrap();
            assert_eq!(classical.san(mv), san);
            assert_eq!(mv.uci(CastlingStyle::Standard), standard);
            assert_eq!(mv.uci(CastlingStyle::Chess960), texts[1]);
        }
    }
    // The king on f1 castles to g1, but f1g1 is a step of the king.
    let shuffled = position("4k3/8/8/8/8/8/8/R4K1R w HA - 0 1");
    let step = shuffled.parse_uci("f1g1").unwrap();
    assert_eq!(shuffled.san(step), "Kg1");
    let castling = shuffled.parse_uci("f1h1").unwrap();
    assert_eq!(shuffled.san(castling), "O-O");
    assert_eq!(
        shuffled.parse_san(b"O-O-O"),
        shuffled.parse_uci("f1a1").map_err(|_| SanError::Syntax)
    );
}

#[test]
fn coordinate_errors_say_what_is_wrong() {
    let start = Position::startpos();
    for (text, message) in [
        ("e2e5", "e2e5 is not legal here"),
        ("e3e4", "e3e4 is not legal here: nothing stands on e3"),
        ("e7e5", "e7e5 is not legal here: the man on e7 is the opponent's"),
        ("e2e9", "\"e2e9\" is not a move in coordinates such as e2e4 or e7e8q"),
        ("e7e8k", "\"e7e8k\" is not a move in coordinates such as e2e4 or e7e8q"),
        ("", "\"\" is not a move in coordinates such as e2e4 or e7e8q"),
        ("0000", "0000 is the null move, not a legal one"),
    ] {
        assert_eq!(start.parse_uci(text).unwrap_err().to_string(), message);
    }
    assert_eq!(start.parse_uci("0000"), Err(CoordinateError::NullMove));
    let pawn = position("8/4P3/8/8/8/8/8/K1k5 w - - 0 1");
    assert_eq!(pawn.parse_uci("e7e8Q"), pawn.parse_uci("e7e8q"));
    assert_eq!(
        pawn.parse_uci("e7e8").unwrap_err().to_string(),
        "e7e8 is not legal here: what the pawn becomes (q, r, b or n) is missing"
    );
    let check = position("4r1k1/8/8/8/8/8/P7/4K3 w - - 0 1");
    assert_eq!(
        check.parse_uci("a2a3").unwrap_err().to_string(),
        "a2a3 is not legal here: White is in check"
    );
}

#[test]
fn any_sixteen_bits_are_written_without_a_panic() {
    let open = position(OPEN);
    for bits in 0..=u16::MAX {
        let mv = Move::from_bits(bits);
        let text = open.san(mv);
        assert!(open.is_legal(mv) || text.len() <= 5, "{text}");
    }
    assert_eq!(open.san(Move::NONE), "--");
    assert_eq!(Move::NONE.uci(CastlingStyle::Standard), "0000");
}

fn legal_or_error(text: &[u8]) {
    for fen in [OPEN, "4k3/1P6/8/8/3pP3/8/8/R3K2R b KQ e3 0 1"] {
        let position = position(fen);
        match position.parse_san(text) {
            Ok(mv) => assert!(position.is_legal(mv), "{text:?}"),
            Err(error) => assert!(!error.explain(text, &position).contains('\n')),
        }
        match position.parse_uci(&String::from_utf8_lossy(text)) {
            Ok(mv) => assert!(position.is_legal(mv), "{text:?}"),
            Err(error) => assert!(!error.to_string().contains('\n')),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn any_bytes_are_a_legal_move_or_an_error(text in proptest::collection::vec(any::<u8>(), 0..24)) {
        legal_or_error(&text);
    }

    #[test]
    fn anything_like_a_move_is_a_legal_move_or_an_error(
        text in "[NBRQKPO0]?[a-h]?[1-8]?[x:-]?[a-h][1-8](=?[NBRQKnbrqk]|\\([QN]\\)|e\\.p\\.)?[+#!?]{0,3}"
    ) {
        legal_or_error(text.as_bytes());
    }
}
