//! The evaluation knows no colour and no wing: mirrored positions have mirrored scores.

use board::zobrist::SplitMix;
use board::{Builder, Color, Epd, Move, Piece, Position, Square};
use eval::{Classical, DarkSight, Evaluator, explain};

/// The positions of some test suites, and those of random games that begin there.
fn positions() -> Vec<Position> {
    let mut random = SplitMix(46);
    let mut positions = Vec::new();
    for name in ["bk", "wacnew", "zugzwang"] {
        let path = format!("{}/../../testdata/epd/{name}.epd", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).expect("the test data is readable");
        for record in text.lines().filter_map(|line| line.parse::<Epd>().ok()) {
            let mut position = *record.position();
            for _ in 0..30 {
                positions.push(position);
                let moves = position.legal_moves();
                let Some(&mv) = moves.get(random.below(moves.len().max(1) as u64) as usize) else {
                    break;
                };
                position = position.make(mv);
            }
        }
    }
    positions
}

/// Another position with each man on another square, perhaps of the other colour.
fn transformed(
    position: &Position,
    square: fn(Square) -> Square,
    swap: bool,
    castling: bool,
) -> Option<Position> {
    let mut builder = Builder::new();
    for from in position.occupied() {
        let piece = position.piece_on(from)?;
        let color = if swap { !piece.color() } else { piece.color() };
        builder.put(Piece::new(color, piece.kind()), square(from));
    }
    if castling {
        for color in Color::ALL {
            for rook in position.castling_rooks(color) {
                builder.castling_rook(square(rook));
            }
        }
    }
    let side = position.side_to_move();
    builder.side_to_move(if swap { !side } else { side });
    builder.clocks(position.halfmove_clock(), position.fullmove_number());
    builder.build().ok()
}
