//! Which inputs of the network the men on a board set, and what a move changes.

use board::{Color, Move, MoveKind, Piece, PieceKind, Position, Square};

/// Inputs of the network: own and enemy men of six kinds on 64 squares.
pub const INPUTS: usize = 768;

/// A man on a square: `64 · piece + square`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Man(u16);

impl Man {
    /// A piece on a square.
    #[inline(always)]
    pub const fn new(piece: Piece, square: Square) -> Man {
        Man((piece.index() << 6 | square.index()) as u16)
    }
}

/// How a side looks at the board: the bits of a [`Man`] that it sees flipped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View(u16);

/// The colour and the rank of a man.
const COLOR_AND_RANK: u16 = 1 << 6 | 7 << 3;
/// The file of a man.
const FILE: u16 = 7;

impl View {
    /// The view of a side with its king on a square.
    #[inline(always)]
    pub fn new(side: Color, king: Square) -> View {
        let file = if king.file() > 3 { FILE } else { 0 };
        View((COLOR_AND_RANK * side.index() as u16) | file)
    }

    /// The input that a man sets: `64 · (2 · kind + enemy) + square`.
    #[inline(always)]
    pub fn input(self, man: Man) -> usize {
        usize::from(man.0 ^ self.0)
    }
}

/// The men that a move takes off the board and puts on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Changes {
    /// A null move.
    None,
    /// A move to an empty square.
    Move { on: Man, off: Man },
    /// The man that moved and the one that it captured are taken off.
    Capture { on: Man, off: [Man; 2] },
    /// King and rook.
    Castling { on: [Man; 2], off: [Man; 2] },
}

/// What a legal move changes.
#[inline(always)]
pub fn changes(before: &Position, mv: Move) -> Changes {
    let us = before.side_to_move();
    let (from, to) = (mv.from(), mv.to());
    let Some(mover) = before.piece_on(from) else { return Changes::None };
    let off = Man::new(mover, from);
    match mv.kind() {
        MoveKind::Castling => {
            // The king goes to the g or c file and the rook beside it, whichever way they came.
            let rank = from.index() as u8 & 56;
            let (king_file, rook_file) = if to.file() > from.file() { (6, 5) } else { (2, 3) };
            let rook = Piece::new(us, PieceKind::Rook);
            let king_to = Man::new(mover, Square::new(rank + king_file));
            let rook_to = Man::new(rook, Square::new(rank + rook_file));
            Changes::Castling { on: [king_to, rook_to], off: [off, Man::new(rook, to)] }
        }
        MoveKind::EnPassant => {
            let pawn = Piece::new(!us, PieceKind::Pawn);
            let captured = Man::new(pawn, Square::new(to.index() as u8 ^ 8));
            Changes::Capture { on: Man::new(mover, to), off: [off, captured] }
        }
        MoveKind::Promotion | MoveKind::Normal => {
            let on = Man::new(mv.promoted().map_or(mover, |kind| Piece::new(us, kind)), to);
            match before.piece_on(to) {
                Some(captured) => Changes::Capture { on, off: [off, Man::new(captured, to)] },
                None => Changes::Move { on, off },
            }
        }
    }
}
