//! Reading algebraic notation.
//!
//! What a text claims beyond the move itself is not checked: game collections are often wrong about
//! check marks, captures and `e.p.`, and the move is clear without them.

use super::SanError;
use crate::attacks::{self, Isa, Kernel, dispatch};
use crate::coordinate::Illegality;
use crate::{Bitboard, Color, Move, PieceKind, Position, Square};

/// What a text says.
enum Spelling {
    Castling { king_side: bool },
    Man(Wanted),
    Squares { kind: Option<PieceKind>, from: Square, to: Square, promotion: Option<PieceKind> },
}

/// A move of a man whose origin is not fully named.
struct Wanted {
    kind: PieceKind,
    /// Where it may come from, as far as the text says: anywhere, a file, or a rank.
    origins: Bitboard,
    to: Square,
    promotion: Option<PieceKind>,
    /// Whether the text has a capture sign. It matters for pawns only.
    captures: bool,
}

impl Position {
    /// Reads a legal move in algebraic notation.
    ///
    /// Beside the standard's form it understands check marks and annotations (`Nf3+!?`), long
    /// algebraic (`Ng1-f3`, `e2-e4`) and coordinates (`g1f3`, `e1g1`), more disambiguation than is
    /// needed, a missing `x`, `e8Q`, `e8(Q)` and `e8=q`, castling with zeros or small letters,
    /// and `exd6e.p.`
    ///
    /// ```
    /// use board::{Position, SanError};
    /// let start = Position::startpos();
    /// let mv = start.parse_san(b"Nf3").unwrap();
    /// assert_eq!(start.san(mv), "Nf3");
    /// assert_eq!(start.parse_san(b"Nf4"), Err(SanError::NoSuchMove));
    /// assert_eq!(start.parse_san(b"--"), Err(SanError::NullMove));
    /// ```
    pub fn parse_san(&self, text: &[u8]) -> Result<Move, SanError> {
        match read_spelling(text)? {
            Spelling::Man(wanted) => dispatch(Resolve { position: self, wanted }),
            Spelling::Squares { kind, from, to, promotion } => {
                self.resolve_squares(kind, from, to, promotion)
            }
            Spelling::Castling { king_side } => self.resolve_castling(king_side),
        }
    }

    fn resolve_castling(&self, king_side: bool) -> Result<Move, SanError> {
        let us = self.side_to_move();
        let king = self.king(us);
        self.castling_rooks(us)
            .find(|rook| (rook.file() > king.file()) == king_side)
            .map(|rook| Move::castling(king, rook))
            .filter(|&mv| self.is_legal(mv))
            .ok_or(SanError::NoSuchMove)
    }

    fn resolve_squares(
        &self,
        kind: Option<PieceKind>,
        from: Square,
        to: Square,
        promotion: Option<PieceKind>,
    ) -> Result<Move, SanError> {
        let stands = self.piece_on(from).map(crate::Piece::kind);
        if kind.is_some() && kind != stands {
            return Err(SanError::NoSuchMove);
        }
        self.move_between(from, to, promotion).map_err(|illegality| match illegality {
            Illegality::PromotionMissing => SanError::MissingPromotion,
            _ => SanError::NoSuchMove,
        })
    }

    /// The one man that can make the move.
    #[inline(always)]
    fn resolve_man<I: Isa>(&self, isa: I, wanted: &Wanted) -> Result<Move, SanError> {
        let to = wanted.to;
        let us = self.side_to_move();
        match wanted.kind {
            PieceKind::Pawn => self.resolve_pawn(wanted),
            PieceKind::King => {
                let men = self.men_that_reach(isa, PieceKind::King, to) & wanted.origins;
                only(
                    men.filter(|king| !self.is_attacked(isa, to, !us, self.occupied() ^ king.bb())),
                )
                .map(|from| Move::normal(from, to))
            }
            kind => {
                let men = self.men_that_reach(isa, kind, to) & wanted.origins;
                only(men.filter(|&from| self.keeps_king_safe(from, to)))
                    .map(|from| Move::normal(from, to))
            }
        }
        .and_then(|mv| match wanted.promotion {
            Some(_) if mv.promoted() != wanted.promotion => Err(SanError::NoSuchMove),
            _ => Ok(mv),
        })
    }

    #[inline(always)]
    fn resolve_pawn(&self, wanted: &Wanted) -> Result<Move, SanError> {
        let to = wanted.to;
        let men = self.pawns_that_reach(wanted);
        if self.en_passant() == Some(to) && men.meets(!Bitboard::file(to.file())) {
            let legal = men.filter(|&from| self.is_legal(Move::en_passant(from, to)));
            return only(legal).map(|from| Move::en_passant(from, to));
        }
        let from = only(men.filter(|&from| self.keeps_king_safe(from, to)))?;
        match wanted.promotion {
            Some(kind) if to.rank_for(self.side_to_move()) == 7 => {
                Ok(Move::promotion(from, to, kind))
            }
            None if to.rank_for(self.side_to_move()) == 7 => Err(SanError::MissingPromotion),
            _ => Ok(Move::normal(from, to)),
        }
    }

    /// A bare square is a push; a capture shows by its sign or by naming where the pawn comes from.
    #[inline(always)]
    fn pawns_that_reach(&self, wanted: &Wanted) -> Bitboard {
        let us = self.side_to_move();
        let pawns = self.men(us, PieceKind::Pawn) & wanted.origins;
        let to = wanted.to;
        let mut found = Bitboard::EMPTY;
        if !wanted.captures && !self.occupied().has(to) {
            let back = if us == Color::White { -8 } else { 8 };
            let behind = to.bb().shift(back);
            found = behind & pawns;
            if to.rank_for(us) == 3 && !self.occupied().meets(behind) {
                found = behind.shift(back) & pawns;
            }
        }
        if (wanted.captures || wanted.origins != Bitboard::FULL)
            && (self.color(!us).has(to) || self.en_passant() == Some(to))
        {
            found |= attacks::pawn(!us, to) & pawns;
        }
        found
    }
}

struct Resolve<'a> {
    position: &'a Position,
    wanted: Wanted,
}

impl Kernel for Resolve<'_> {
    type Output = Result<Move, SanError>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        self.position.resolve_man(isa, &self.wanted)
    }
}

#[inline(always)]
fn only(mut squares: impl Iterator<Item = Square>) -> Result<Square, SanError> {
    match (squares.next(), squares.next()) {
        (None, _) => Err(SanError::NoSuchMove),
        (Some(square), None) => Ok(square),
        (Some(_), Some(_)) => Err(SanError::Ambiguous),
    }
}

/// Takes the text apart from its end, where the target square is.
#[inline(always)]
fn read_spelling(text: &[u8]) -> Result<Spelling, SanError> {
    let body = without_marks(text);
    let (squares, promotion) = split_promotion(body);
    let [head @ .., file @ b'a'..=b'h', rank @ b'1'..=b'8'] = squares else {
        return read_words(body);
    };
    let to = Square::at(file - b'a', rank - b'1');
    let (kind, head) = match head {
        [letter, rest @ ..] => match man_of(*letter) {
            Some(kind) => (Some(kind), rest),
            None => (None, head),
        },
        [] => (None, head),
    };
    let (head, captures) = match head {
        [rest @ .., b'x' | b'X' | b':'] => (rest, true),
        [rest @ .., b'-'] => (rest, false),
        _ => (head, false),
    };
    let origins = match head {
        [] => Bitboard::FULL,
        [file @ b'a'..=b'h'] => Bitboard::file(file - b'a'),
        [rank @ b'1'..=b'8'] => Bitboard::rank(rank - b'1'),
        _ => {
            let from = Square::parse(head).ok_or(SanError::Syntax)?;
            return Ok(Spelling::Squares { kind, from, to, promotion });
        }
    };
    let kind = kind.unwrap_or(PieceKind::Pawn);
    Ok(Spelling::Man(Wanted { kind, origins, to, promotion, captures }))
}

#[inline(always)]
fn man_of(letter: u8) -> Option<PieceKind> {
    Some(match letter {
        b'N' => PieceKind::Knight,
        b'B' => PieceKind::Bishop,
        b'R' => PieceKind::Rook,
        b'Q' => PieceKind::Queen,
        b'K' => PieceKind::King,
        b'P' => PieceKind::Pawn,
        _ => return None,
    })
}

/// Without check marks, annotations and the words for en passant at the end.
#[inline(always)]
fn without_marks(text: &[u8]) -> &[u8] {
    let body = without_signs(text);
    match body {
        [.., b'.' | b'p'] => {
            let words: [&[u8]; 3] = [b"e.p.", b"e.p", b"ep"];
            let cut = words.iter().find_map(|word| body.strip_suffix(*word));
            cut.map_or(body, |rest| without_signs(rest.trim_ascii_end()))
        }
        _ => body,
    }
}

#[inline(always)]
fn without_signs(mut text: &[u8]) -> &[u8] {
    while let [rest @ .., b'+' | b'#' | b'!' | b'?'] = text {
        text = rest;
    }
    text
}

/// `e8=Q`, `e8Q`, `e8/Q`, `e8(Q)`, in either case.
#[inline(always)]
fn split_promotion(body: &[u8]) -> (&[u8], Option<PieceKind>) {
    let (rest, letter) = match body {
        [.., b'1'..=b'8'] => return (body, None),
        [rest @ .., b'(', letter, b')'] => (rest, *letter),
        [rest @ .., b'=' | b'/', letter] => (rest, *letter),
        [rest @ .., letter] => (rest, *letter),
        [] => return (body, None),
    };
    match PieceKind::from_letter(letter) {
        Some(kind) if PieceKind::PROMOTIONS.contains(&kind) => (rest, Some(kind)),
        _ => (body, None),
    }
}

/// Castling and null moves: what names no square.
fn read_words(body: &[u8]) -> Result<Spelling, SanError> {
    match body {
        b"O-O" | b"0-0" | b"o-o" => Ok(Spelling::Castling { king_side: true }),
        b"O-O-O" | b"0-0-0" | b"o-o-o" => Ok(Spelling::Castling { king_side: false }),
        b"--" | b"Z0" | b"@@@@" | b"null" | b"NULL" | b"<>" | b"0000" => Err(SanError::NullMove),
        _ => Err(SanError::Syntax),
    }
}
