//! FEN as people and programs write it: what is repaired, what is refused, and how many men fit.

use board::perft::{perft, perft_playing_all};
use board::random::SplitMix;
use board::{Builder, Color, MAX_MOVES, Piece, PieceKind, Position, PositionError, Square};

/// The repaired FEN and what was repaired.
fn repaired(fen: &str) -> (String, Vec<String>) {
    let (position, repairs) =
        Position::from_fen_repaired(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert!(position.is_consistent());
    (position.fen(), repairs.iter().map(ToString::to_string).collect())
}

#[test]
fn what_needs_no_repair_is_read_as_it_is() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "4k3/8/8/8/3pP3/8/8/4K2R b K e3 0 7",
        "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKR1N w FCfc - 0 1",
    ] {
        let (position, repairs) = Position::from_fen_repaired(fen).expect("a position");
        assert_eq!((Ok(position), repairs.len()), (Position::from_fen(fen), 0), "{fen}");
    }
    // The strict reading takes these too: they are how such positions are often written.
    for fen in ["4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/8/8/8/4K3 w - -"] {
        assert!(repaired(fen).1.is_empty(), "{fen}");
    }
}

#[test]
fn rights_that_cannot_be_used_are_dropped() {
    let castling =
        |letters| format!("castling rights {letters} dropped: no king and rook in place");
    for (fen, expected, dropped) in [
        ("4k3/8/8/8/8/8/4P3/4K3 w KQkq - 0 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "KQkq"),
        ("r3k3/8/8/8/8/8/8/4K2R w KQkq - 3 9", "r3k3/8/8/8/8/8/8/4K2R w Kq - 3 9", "Qk"),
        ("4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1", "4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "KQ"),
        ("4k3/8/8/8/8/8/8/4K2R w HAh - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Ah"),
    ] {
        assert_eq!(repaired(fen), (expected.to_owned(), vec![castling(dropped)]), "{fen}");
    }
    let told = vec!["castling rights KH named twice: taken once".to_owned()];
    let expected = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".to_owned();
    assert_eq!(repaired("4k3/8/8/8/8/8/8/4K2R w KKH - 0 1"), (expected, told));
    let fen = "4k3/8/8/8/8/8/8/4K3 w - e6 0 1";
    let dropped = "en passant square e6 dropped: no pawn has just passed it";
    let expected = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    assert_eq!(repaired(fen), (expected.to_owned(), vec![dropped.to_owned()]));
    assert_eq!(repaired("4k3/8/8/8/8/8/8/4K3 w - e4 0 1").0, expected);
}

#[test]
fn missing_fields_and_counters_are_replaced() {
    let expected = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    assert_eq!(
        repaired("4k3/8/8/8/8/8/8/4K3 w").1,
        ["castling rights missing: none taken", "en passant square missing: none taken"]
    );
    for (fen, repair) in [
        ("4k3/8/8/8/8/8/8/4K3 w - - - -", "half-move clock not usable: 0 taken"),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "half-move clock not usable: 0 taken"),
    ] {
        let (position, repairs) = repaired(fen);
        assert_eq!((position.as_str(), repairs[0].as_str()), (expected, repair), "{fen}");
    }
    let (position, repairs) = repaired("4k3/8/8/8/8/8/8/4K3 w - - 0 70000");
    assert_eq!(position, "4k3/8/8/8/8/8/8/4K3 w - - 0 65535");
    assert_eq!(repairs, ["full-move number not usable: 65535 taken"]);
}

#[test]
fn what_is_in_doubt_is_refused() {
    for (fen, reason) in [
        ("", "FEN: the piece placement is missing"),
        ("4k3/8/8/8/8/8/8/4K3", "FEN: the side to move is missing"),
        ("4k3/8/8/8/8/8/8/4K3 x KQkq - 0 1", "FEN, side to move: \"x\" is not w or b"),
        ("8/8/8/8/8/8/8/4K3 w KQ - 0 1", "FEN, piece placement: Black has no king"),
        ("4k3/8/8/8/8/8/8/4K2P w K - 0 1", "a pawn of White stands on h1"),
        ("4k3/8/8/8/8/8/8/4K3 w KX - 0 1", "holds something else"),
        ("4k3/8/8/8/8/8/8/4K3 w K e9 0 1", "is neither a square nor -"),
        ("4k3/8/8/8/8/8/8/4K3 w K - x 1", "is not a number"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1 move e1e2", "unexpected text after it: \"move\""),
        ("4k3/8/8/8/8/8/8/4K2R w k - 0 1 ", ""),
        ("4k2R/8/8/8/8/8/8/4K3 w K - 0 1", "Black is in check, but it is White's move"),
    ] {
        match Position::from_fen_repaired(fen) {
            Ok(_) => assert_eq!(reason, "", "{fen}"),
            Err(error) => assert!(error.to_string().contains(reason), "{fen}: {error}"),
        }
    }
}

#[test]
fn more_men_than_a_game_has_are_let_in_while_there_is_room() {
    let fen = "r1bqk1nr/pppppppp/8/8/8/3QQ3/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(repaired(fen), (fen.to_owned(), vec!["White has 18 men, more than sixteen".into()]));
    let fen = "rnbqkbnr/pppppppp/8/8/8/4P3/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let repairs = ["White has 9 pawns, more than eight".to_owned()];
    let read = repaired("rnbqk1nr/pppppppp/8/8/8/4P3/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(read.1, repairs);
    for (fen, reason) in [
        (fen, "33 men on the board, more than the 32"),
        ("4k3/8/8/2QQQQQQ/2QQQQQQ/2QQQQ2/8/4K3 b - - 0 1", "more than 15 men Q"),
        ("4k3/8/8/2QQQQQQ/PPPPPP2/RRRR4/8/4K3 b - - 0 1", ""),
        ("4k3/8/8/2QQQQQQ/PPPPPPPP/RRRR4/8/4K3 b - - 0 1", "more than 416 moves"),
    ] {
        let read = Position::from_fen_repaired(fen);
        let text = read.as_ref().err().map(ToString::to_string).unwrap_or_default();
        assert!(text.contains(reason) && read.is_ok() == reason.is_empty(), "{fen}: {text}");
        assert!(Position::from_fen(fen).is_err(), "{fen}");
    }
}

/// A board that is filled at random until no more men fit.
fn crowded(random: &mut SplitMix) -> Option<Position> {
    let mut builder = Builder::default();
    let mut squares: Vec<Square> = Square::all().collect();
    let mut take =
        |random: &mut SplitMix| squares.swap_remove(random.below(squares.len() as u64) as usize);
    builder.squares[take(random).index()] = Some(Piece::WhiteKing);
    builder.squares[take(random).index()] = Some(Piece::BlackKing);
    let kinds =
        [PieceKind::ALL[random.below(5) as usize], PieceKind::ALL[random.below(5) as usize]];
    let mut last = None;
    for _ in 0..40 {
        let (square, kind) = (take(random), kinds[random.below(2) as usize]);
        let color = Color::from_white(random.below(8) > 0);
        let before = builder.squares[square.index()].replace(Piece::new(color, kind));
        match builder.build_crowded() {
            Ok(position) => last = Some(position),
            Err(PositionError::OpponentInCheck(_)) if random.below(2) > 0 => {
                builder.side = !builder.side;
            }
            Err(_) => builder.squares[square.index()] = before,
        }
    }
    last
}

#[test]
fn crowded_positions_keep_every_promise() {
    let mut random = SplitMix(16);
    let positions: Vec<Position> = (0..4000).filter_map(|_| crowded(&mut random)).collect();
    let large = |position: &&Position| position.color(Color::White).count() > 16;
    assert!(positions.iter().filter(large).count() > 1000);
    for position in positions {
        assert!(position.is_consistent(), "{}", position.fen());
        assert_eq!(position.pack().unpack(), Ok(position));
        assert_eq!(position.flipped().flipped(), position);
        let again = Position::from_fen_repaired(&position.fen()).map(|(position, _)| position);
        assert_eq!(again, Ok(position));
        let moves = position.legal_moves();
        assert!(moves.len() < MAX_MOVES);
        assert_eq!(perft(&position, 1), moves.len() as u64);
        assert_eq!(perft(&position, 2), perft_playing_all(&position, 2));
        for mv in moves.iter().take(4) {
            assert!(position.make(*mv).is_consistent());
        }
    }
}
