//! Writing algebraic notation, as short as the standard wants it.

use crate::attacks::{Isa, Kernel, dispatch};
use crate::position::castling_targets;
use crate::{Bitboard, CastlingStyle, Move, MoveKind, PieceKind, Position, Square};

impl Position {
    /// The move in algebraic notation, with `+` or `#` where it belongs.
    ///
    /// [`Move::NONE`] is written as `--`, and a move that is not legal here in coordinates: a log of
    /// something gone wrong shall show what it was.
    pub fn san(&self, mv: Move) -> String {
        let mut text = String::with_capacity(8);
        self.write_san(mv, &mut text);
        text
    }

    /// Appends what [`Position::san`] gives.
    pub fn write_san(&self, mv: Move, text: &mut String) {
        if mv.is_none() {
            return text.push_str("--");
        }
        let legal = self.is_legal(mv);
        let Some(piece) = self.piece_on(mv.from()).filter(|_| legal) else {
            return text.push_str(&mv.uci(CastlingStyle::Chess960));
        };
        match (mv.kind(), piece.kind()) {
            (MoveKind::Castling, _) => {
                let king_side = castling_targets(mv.from(), mv.to()).0.file() == 6;
                text.push_str(if king_side { "O-O" } else { "O-O-O" });
            }
            (_, PieceKind::Pawn) => {
                if self.is_capture(mv) {
                    text.push(mv.from().file_letter());
                }
                self.write_target(mv, text);
            }
            (_, kind) => {
                text.push(kind.letter().to_ascii_uppercase());
                self.write_origin(kind, mv, text);
                self.write_target(mv, text);
            }
        }
        let next = self.make(mv);
        if next.in_check() {
            text.push(if next.has_legal_move() { '+' } else { '#' });
        }
    }

    fn write_target(&self, mv: Move, text: &mut String) {
        if self.is_capture(mv) {
            text.push('x');
        }
        text.push(mv.to().file_letter());
        text.push(mv.to().rank_digit());
        if let Some(kind) = mv.promoted() {
            text.push('=');
            text.push(kind.letter().to_ascii_uppercase());
        }
    }

    /// The file if it tells the man from its rivals, else the rank, else both.
    fn write_origin(&self, kind: PieceKind, mv: Move, text: &mut String) {
        let rivals = dispatch(Rivals { position: self, kind, mv });
        if rivals.is_empty() {
            return;
        }
        let from = mv.from();
        let same_file = rivals.meets(Bitboard::file(from.file()));
        let same_rank = rivals.meets(Bitboard::rank(from.rank()));
        if same_rank || !same_file {
            text.push(from.file_letter());
        }
        if same_file {
            text.push(from.rank_digit());
        }
    }
}

/// The other men of a kind that could legally go to the same square.
struct Rivals<'a> {
    position: &'a Position,
    kind: PieceKind,
    mv: Move,
}

impl Kernel for Rivals<'_> {
    type Output = Bitboard;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Bitboard {
        let (position, to) = (self.position, self.mv.to());
        if self.kind == PieceKind::King {
            return Bitboard::EMPTY;
        }
        position
            .men_that_reach(isa, self.kind, to)
            .without(self.mv.from().bb())
            .filter(|&from: &Square| position.keeps_king_safe(from, to))
            .collect()
    }
}
