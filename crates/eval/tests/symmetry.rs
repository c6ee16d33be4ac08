//! The evaluation knows no colour and no wing: mirrored positions have mirrored scores.

mod support;

use board::{Builder, Color, Piece, Position, Square};
use eval::{Classical, DarkSight, Evaluator};
use support::positions;

/// The position with each man on another square, perhaps of the other colour.
fn transformed(position: &Position, square: fn(Square) -> Square, swap: bool) -> Position {
    let mut builder = Builder {
        halfmove_clock: position.halfmove_clock(),
        fullmove_number: position.fullmove_number(),
        side: if swap { !position.side_to_move() } else { position.side_to_move() },
        ..Builder::default()
    };
    for from in position.occupied() {
        builder.squares[square(from).index()] = position.piece_on(from).map(|piece| {
            let color = if swap { !piece.color() } else { piece.color() };
            Piece::new(color, piece.kind())
        });
    }
    for color in Color::ALL {
        let side = if swap { !color } else { color };
        for rook in position.castling_rooks(color) {
            builder.castling[side.index()] |= 1 << square(rook).file();
        }
    }
    builder.build().expect("a mirrored position is a position")
}

fn score(evaluator: &mut impl Evaluator, position: &Position) -> i16 {
    evaluator.reset(position);
    evaluator.evaluate(position)
}

#[test]
fn exchanging_the_colours_changes_nothing_for_the_side_to_move() {
    let (mut modern, mut darksight) = (Classical::new(), DarkSight::new());
    for position in positions(40) {
        let flipped = transformed(&position, Square::flip, true);
        assert_eq!(
            score(&mut modern, &position),
            score(&mut modern, &flipped),
            "{}",
            position.fen()
        );
        let fen = position.fen();
        assert_eq!(score(&mut darksight, &position), score(&mut darksight, &flipped), "{fen}");
    }
}

#[test]
fn exchanging_the_wings_changes_nothing_once_no_side_may_castle() {
    let mut modern = Classical::new();
    let mut seen = 0;
    for position in positions(40) {
        if Color::ALL.into_iter().any(|color| position.castling_rooks(color).non_empty()) {
            continue;
        }
        let mirrored = transformed(&position, Square::mirror, false);
        assert_eq!(
            score(&mut modern, &position),
            score(&mut modern, &mirrored),
            "{}",
            position.fen()
        );
        seen += 1;
    }
    assert!(seen > 2_000);
}
