//! Endings that are known: a bare king against mating material (drive it to the edge), bishop and
//! knight (to the right corner), king and pawn (solved), and material that cannot win.
//!
//! The values stay in the band of evaluations: recognised results with their own band (D65) belong to
//! the `endgame` crate.

mod kpk;

pub use kpk::{prepare, wins as pawn_wins};

use board::{Bitboard, Color, PieceKind, Position, Square};

/// The least value of an ending that is won by technique.
pub const KNOWN_WIN: i32 = 5_000;

/// White's advantage where one side has a bare king and the outcome is known.
#[inline(always)]
pub(crate) fn known(position: &Position) -> Option<i32> {
    let white_bare = !position.color(Color::White).several();
    let black_bare = !position.color(Color::Black).several();
    if !(white_bare || black_bare) {
        return None;
    }
    against_bare_king(position, Color::from_white(black_bare))
}

#[cold]
#[inline(never)]
fn against_bare_king(position: &Position, strong: Color) -> Option<i32> {
    let count = |kind| position.men(strong, kind).count() as i32;
    let pawns = count(PieceKind::Pawn);
    let (knights, bishops) = (count(PieceKind::Knight), count(PieceKind::Bishop));
    let heavy = count(PieceKind::Rook) + count(PieceKind::Queen);
    let value = if heavy == 0 && pawns == 0 {
        light_pieces(position, strong, knights, bishops)
    } else if heavy == 0 && pawns == 1 && knights + bishops == 0 {
        king_and_pawn(position, strong)
    } else if heavy == 0 && wrong_bishop(position, strong, knights) {
        0
    } else if heavy == 0 && knights + bishops < 2 {
        // Pawns, and perhaps a piece beside them: the ordinary terms evaluate it.
        return None;
    } else {
        mop_up(position, strong)
    };
    Some(if strong == Color::White { value } else { -value })
}

/// Knights and bishops alone against a bare king.
fn light_pieces(position: &Position, strong: Color, knights: i32, bishops: i32) -> i32 {
    let set = position.men(strong, PieceKind::Bishop);
    let pair = set.meets(Bitboard::DARK) && set.meets(!Bitboard::DARK);
    match (knights, bishops) {
        (1, 1) => bishop_and_knight(position, strong),
        (0, _) if !pair => 0,
        (1 | 2, 0) => 0,
        _ => mop_up(position, strong),
    }
}

/// Bishops of one colour and rook pawns that promote on the other, with the lone king in the corner.
fn wrong_bishop(position: &Position, strong: Color, knights: i32) -> bool {
    let (pawns, bishops) =
        (position.men(strong, PieceKind::Pawn), position.men(strong, PieceKind::Bishop));
    let file = if pawns.without(Bitboard::FILE_A).is_empty() {
        0
    } else if pawns.without(Bitboard::FILE_H).is_empty() {
        7
    } else {
        return false;
    };
    let corner = Square::at(file, if strong == Color::White { 7 } else { 0 });
    let colour = if Bitboard::DARK.has(corner) { Bitboard::DARK } else { !Bitboard::DARK };
    knights == 0 && !bishops.meets(colour) && position.king(!strong).distance(corner) <= 1
}

/// The material, and what brings a bare king to the edge and the own king near.
fn mop_up(position: &Position, strong: Color) -> i32 {
    let (king, lone) = (position.king(strong), position.king(!strong));
    let count = |kind| position.men(strong, kind).count() as i32;
    let material = count(PieceKind::Queen) * 1000
        + count(PieceKind::Rook) * 500
        + (count(PieceKind::Bishop) + count(PieceKind::Knight)) * 300
        + count(PieceKind::Pawn) * 100;
    KNOWN_WIN + material.min(3_500) + to_edge(lone) * 20 + (7 - i32::from(king.distance(lone))) * 20
}

/// How far from the centre, 0 to 6.
fn to_edge(square: Square) -> i32 {
    let off = |coordinate: u8| i32::from(3u8.abs_diff(coordinate).min(4u8.abs_diff(coordinate)));
    off(square.file()) + off(square.rank())
}

/// Bishop and knight mate only in a corner of the bishop's colour.
fn bishop_and_knight(position: &Position, strong: Color) -> i32 {
    let (king, lone) = (position.king(strong), position.king(!strong));
    let dark = position.men(strong, PieceKind::Bishop).meets(Bitboard::DARK);
    // The main diagonal's corners are dark: distances to a light corner are those of the mirror.
    let seen = if dark { lone } else { lone.mirror() };
    let (file, rank) = (i32::from(seen.file()), i32::from(seen.rank()));
    // Rook moves to the nearer right corner, 0 to 7.
    let corner = (file + rank).min(14 - file - rank);
    KNOWN_WIN + (7 - corner) * 60 + to_edge(lone) * 10 + (7 - i32::from(king.distance(lone))) * 20
}

/// Solved; a win is worth more the further the pawn is, but less than the queen it becomes.
fn king_and_pawn(position: &Position, strong: Color) -> i32 {
    let pawn = position.men(strong, PieceKind::Pawn).lowest().relative(strong);
    let king = position.king(strong).relative(strong);
    let lone = position.king(!strong).relative(strong);
    match kpk::wins(king, pawn, lone, position.side_to_move() == strong) {
        true => 700 + 40 * i32::from(pawn.rank()),
        false => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(fen: &str) -> Option<i32> {
        known(&Position::from_fen(fen).expect("a position"))
    }

    #[test]
    fn material_that_cannot_win_is_a_draw() {
        for fen in [
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/4KN2 w - - 0 1",
            "4k3/8/8/8/8/8/8/4KB2 w - - 0 1",
            "4k3/8/8/8/8/8/8/3NKN2 w - - 0 1",
            "k7/8/P7/8/8/8/8/2B1K3 w - - 0 1",
        ] {
            assert_eq!(value(fen), Some(0), "{fen}");
        }
    }

    #[test]
    fn a_bare_king_is_driven_to_the_edge_and_to_the_right_corner() {
        let of = |fen| value(fen).expect("known");
        assert!(of("7k/8/5K2/8/8/8/8/R7 w - - 0 1") > of("8/8/5K2/8/3k4/8/8/R7 w - - 0 1"));
        // The bishop on f1 is light: h1 and a8 are its corners.
        assert!(of("k7/2K5/8/8/8/8/8/4NB2 w - - 0 1") > of("7k/5K2/8/8/8/8/8/4NB2 w - - 0 1"));
        assert_eq!(of("4k2r/8/8/8/8/8/8/4K3 w - - 0 1"), -of("4k3/8/8/8/8/8/8/4K2R b - - 0 1"));
    }

    #[test]
    fn pawns_without_a_piece_are_left_to_the_ordinary_terms_when_there_are_two() {
        assert_eq!(value("4k3/8/8/8/8/8/3PP3/4K3 w - - 0 1"), None);
        assert!(value("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1").is_some_and(|value| value > 500));
    }
}
