//! Moves in 16 bits, and lists of them.

use crate::{PieceKind, Square};

/// A move: from, to, and what is special about it.
///
/// Castling is written as the king taking its own rook, which is unambiguous in Chess960. Whether a
/// move captures is a question to the position: [`crate::Position::is_capture`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u16);

/// What is special about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum MoveKind {
    /// Nothing: a man goes to a square, and takes what is there.
    Normal = 0,
    /// A pawn becomes something else.
    Promotion = 1,
    /// A pawn takes a pawn that has just passed it.
    EnPassant = 2,
    /// The king takes its own rook.
    Castling = 3,
}

impl Move {
    /// "No move": a null move in a line, an empty table entry. From a1 to a1, so never legal.
    pub const NONE: Move = Move(0);

    /// An ordinary move.
    #[inline(always)]
    pub const fn normal(from: Square, to: Square) -> Move {
        Move((from.index() | to.index() << 6) as u16)
    }

    /// A promotion to a knight, bishop, rook or queen (a pawn or a king is read as a knight).
    #[inline(always)]
    pub const fn promotion(from: Square, to: Square, kind: PieceKind) -> Move {
        let piece = kind.index().wrapping_sub(1) as u16 & 3;
        Move(Move::special(from, to, MoveKind::Promotion).0 | piece << 12)
    }

    /// An en passant capture; `to` is the empty square behind the captured pawn.
    #[inline(always)]
    pub const fn en_passant(from: Square, to: Square) -> Move {
        Move::special(from, to, MoveKind::EnPassant)
    }

    /// Castling with the rook on `rook`.
    #[inline(always)]
    pub const fn castling(king: Square, rook: Square) -> Move {
        Move::special(king, rook, MoveKind::Castling)
    }

    const fn special(from: Square, to: Square, kind: MoveKind) -> Move {
        Move(Move::normal(from, to).0 | (kind as u16) << 14)
    }

    /// Where it starts.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::new(self.0 as u8 & 63)
    }

    /// Where it ends; for castling the rook's square.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::new((self.0 >> 6) as u8 & 63)
    }

    /// What is special about it.
    #[inline(always)]
    pub const fn kind(self) -> MoveKind {
        match self.0 >> 14 {
            0 => MoveKind::Normal,
            1 => MoveKind::Promotion,
            2 => MoveKind::EnPassant,
            _ => MoveKind::Castling,
        }
    }

    /// What the pawn becomes, if it is a promotion.
    #[inline(always)]
    pub const fn promoted(self) -> Option<PieceKind> {
        match self.kind() {
            MoveKind::Promotion => Some(PieceKind::PROMOTIONS[(self.0 >> 12 & 3) as usize]),
            _ => None,
        }
    }

    /// The 16 bits, for tables and messages.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Any 16 bits read as a move. Ask [`crate::Position::is_legal`] before you play it.
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Move {
        Move(bits)
    }

    /// Whether this is [`Move::NONE`].
    #[inline(always)]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }
}

impl std::fmt::Debug for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.kind() {
            MoveKind::Normal => Ok(()),
            MoveKind::Promotion => write!(f, "{}", self.promoted().map_or('?', PieceKind::letter)),
            MoveKind::EnPassant => f.write_str("(ep)"),
            MoveKind::Castling => f.write_str("(castling)"),
        }
    }
}

/// Room for the moves of any position with at most sixteen men a side: fifteen queens of 27 moves
/// each and a king of eight make 413. (Positions of real games have at most 218.) Where a side has more
/// men, [`Builder::build_crowded`](crate::Builder::build_crowded) makes sure that there is room.
pub const MAX_MOVES: usize = 416;

/// A list of moves on the stack.
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; MAX_MOVES],
    len: usize,
}

impl MoveList {
    /// An empty list.
    #[inline(always)]
    pub const fn new() -> MoveList {
        MoveList { moves: [Move::NONE; MAX_MOVES], len: 0 }
    }

    /// Adds a move.
    #[inline(always)]
    pub fn push(&mut self, one: Move) {
        debug_assert!(self.len < MAX_MOVES);
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = one;
            self.len += 1;
        }
    }

    /// Adds moves; the length stays in a register until the last one is written.
    #[inline(always)]
    pub fn extend(&mut self, moves: impl Iterator<Item = Move>) {
        let mut len = self.len;
        for one in moves {
            debug_assert!(len < MAX_MOVES);
            if let Some(slot) = self.moves.get_mut(len) {
                *slot = one;
                len += 1;
            }
        }
        self.len = len;
    }

    /// Removes all moves.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl std::ops::Deref for MoveList {
    type Target = [Move];

    #[inline(always)]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl std::ops::DerefMut for MoveList {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [Move] {
        &mut self.moves[..self.len]
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = Move;
    type IntoIter = std::iter::Copied<std::slice::Iter<'a, Move>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter().copied()
    }
}

impl std::fmt::Debug for MoveList {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
