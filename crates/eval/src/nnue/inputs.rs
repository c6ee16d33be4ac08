//! Which inputs of the network the men on a board set, and what a move changes.

use board::{Color, Move, MoveKind, Piece, PieceKind, Position, Square};

/// Inputs of the network: own and enemy men of six kinds on 64 squares.
pub const INPUTS: usize = 768;

/// A man on a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Man {
    pub piece: Piece,
    pub square: Square,
}

/// How a side looks at the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    side: Color,
    /// What to flip in a square's number: the ends of the board for Black, and the files where the own
    /// king stands on the right half.
    flip: u8,
}

impl View {
    /// The view of a side with its king on a square.
    #[inline(always)]
    pub fn new(side: Color, king: Square) -> View {
        let files = if king.file() > 3 { 7 } else { 0 };
        View { side, flip: (56 * side.index() as u8) ^ files }
    }

    /// The input that a man sets.
    #[inline(always)]
    pub fn input(self, man: Man) -> usize {
        let enemy = usize::from(man.piece.color() != self.side);
        384 * enemy + 64 * man.piece.kind_index() + (man.square.index() ^ usize::from(self.flip))
    }
}

/// The men that a move takes off the board and puts on it: one or two of each, or none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Changes {
    off: [Man; 2],
    on: [Man; 2],
    off_count: u8,
    on_count: u8,
}

impl Changes {
    /// A null move changes nothing.
    pub const NONE: Changes = {
        let unused = Man { piece: Piece::WhitePawn, square: Square::new(0) };
        Changes { off: [unused; 2], on: [unused; 2], off_count: 0, on_count: 0 }
    };

    /// The men that are taken off.
    #[inline(always)]
    pub fn off(&self) -> &[Man] {
        &self.off[..usize::from(self.off_count.min(2))]
    }

    /// The men that are put on.
    #[inline(always)]
    pub fn on(&self) -> &[Man] {
        &self.on[..usize::from(self.on_count.min(2))]
    }

    #[inline(always)]
    fn take(&mut self, piece: Piece, square: Square) {
        self.off[usize::from(self.off_count & 1)] = Man { piece, square };
        self.off_count += 1;
    }

    #[inline(always)]
    fn put(&mut self, piece: Piece, square: Square) {
        self.on[usize::from(self.on_count & 1)] = Man { piece, square };
        self.on_count += 1;
    }
}

/// What a legal move changes.
#[inline(always)]
pub fn changes(before: &Position, mv: Move) -> Changes {
    let us = before.side_to_move();
    let (from, to) = (mv.from(), mv.to());
    let mut changes = Changes::NONE;
    let Some(mover) = before.piece_on(from) else { return changes };
    changes.take(mover, from);
    match mv.kind() {
        MoveKind::Castling => {
            // The king goes to the g or c file and the rook beside it, whichever way they came.
            let rank = from.index() as u8 & 56;
            let (king_file, rook_file) = if to.file() > from.file() { (6, 5) } else { (2, 3) };
            let rook = Piece::new(us, PieceKind::Rook);
            changes.take(rook, to);
            changes.put(mover, Square::new(rank + king_file));
            changes.put(rook, Square::new(rank + rook_file));
        }
        MoveKind::EnPassant => {
            changes.take(Piece::new(!us, PieceKind::Pawn), Square::new(to.index() as u8 ^ 8));
            changes.put(mover, to);
        }
        MoveKind::Promotion | MoveKind::Normal => {
            if let Some(captured) = before.piece_on(to) {
                changes.take(captured, to);
            }
            changes.put(mv.promoted().map_or(mover, |kind| Piece::new(us, kind)), to);
        }
    }
    changes
}
