//! Reading FEN as people and programs write it: what can be repaired without doubt is repaired and told.
//!
//! [`Position::from_fen`] stays strict, for tests and for tables. What is repaired here changes no man and
//! no side to move: rights that cannot be used are dropped, counters that say nothing are
//! replaced, and more men than a game can have are let in as far as there is room for them.

use super::read::{
    CASTLING, EN_PASSANT, FULLMOVES, FenError, HALFMOVES, MISSING, PLACEMENT, SIDE, epd_fields,
    outermost_rook, quote, read_en_passant, read_placement, read_side,
};
use crate::position::{Builder, PositionError};
use crate::{Color, Piece, PieceKind, Position, Square};

/// What was repaired.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Repair {
    /// Castling rights were dropped, as king or rook are not in place.
    Castling(String),
    /// Castling rights were named twice and taken once.
    Repeated(String),
    /// An en passant square was dropped: no pawn can just have passed it.
    EnPassant(Square),
    /// A field was missing; what is taken instead.
    Missing(&'static str, &'static str),
    /// A counter was no number that a position can hold; what is taken instead.
    Counter(&'static str, u16),
    /// A side has more men than a game begins with.
    Men(Color, u32),
    /// A side has more pawns than a game begins with.
    Pawns(Color, u32),
}

impl std::fmt::Display for Repair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Repair::Castling(letters) => {
                write!(f, "castling rights {letters} dropped: no king and rook in place")
            }
            Repair::Repeated(letters) => {
                write!(f, "castling rights {letters} named twice: taken once")
            }
            Repair::EnPassant(square) => {
                write!(f, "en passant square {square} dropped: no pawn has just passed it")
            }
            Repair::Missing(field, taken) => write!(f, "{field} missing: {taken} taken"),
            Repair::Counter(field, taken) => write!(f, "{field} not usable: {taken} taken"),
            Repair::Men(color, count) => write!(f, "{color} has {count} men, more than sixteen"),
            Repair::Pawns(color, count) => write!(f, "{color} has {count} pawns, more than eight"),
        }
    }
}

impl Position {
    /// Reads a FEN and repairs what can be repaired without doubt. A FEN that
    /// [`Position::from_fen`] takes gives the same position and no repairs.
    ///
    /// ```
    /// use board::Position;
    /// let (position, repairs) =
    ///     Position::from_fen_repaired("4k3/8/8/8/8/8/4P3/4K3 w KQkq - 0 1").unwrap();
    /// assert_eq!(position.fen(), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    /// assert_eq!(
    ///     repairs[0].to_string(),
    ///     "castling rights KQkq dropped: no king and rook in place"
    /// );
    /// ```
    pub fn from_fen_repaired(fen: &str) -> Result<(Position, Vec<Repair>), FenError> {
        if let Ok(position) = Position::from_fen(fen) {
            return Ok((position, Vec::new()));
        }
        let mut fields = fen.split_ascii_whitespace();
        let repaired = repair(&mut fields)?;
        match fields.next() {
            None => Ok(repaired),
            Some(extra) => {
                let reason = format!("unexpected text after it: {}", quote(extra));
                Err(FenError::new(FULLMOVES, reason))
            }
        }
    }

    /// Reads the first four fields of a FEN or EPD, repairs them, and says how many bytes they took.
    pub(crate) fn from_epd_prefix_repaired(
        text: &str,
    ) -> Result<(Position, Vec<Repair>, usize), FenError> {
        if let Ok((position, end)) = Position::from_epd_prefix(text) {
            return Ok((position, Vec::new(), end));
        }
        let (mut fields, end) = epd_fields(text);
        repair(&mut fields).map(|(position, repairs)| (position, repairs, end))
    }
}

/// Reads the fields and repairs them.
fn repair<'a>(
    fields: &mut impl Iterator<Item = &'a str>,
) -> Result<(Position, Vec<Repair>), FenError> {
    let mut repairs = Vec::new();
    let mut builder = Builder::default();
    let missing = |name| FenError::new(name, MISSING);
    read_placement(fields.next().ok_or_else(|| missing(PLACEMENT))?, &mut builder)?;
    builder.side = read_side(fields.next().ok_or_else(|| missing(SIDE))?)?;
    match fields.next() {
        Some(text) => read_castling(text, &mut builder, &mut repairs)?,
        None => repairs.push(Repair::Missing(CASTLING, "none")),
    }
    match fields.next() {
        Some(text) => builder.en_passant = read_en_passant(text)?,
        None => repairs.push(Repair::Missing(EN_PASSANT, "none")),
    }
    builder.halfmove_clock = read_counter(HALFMOVES, fields.next(), 0, &mut repairs)?;
    builder.fullmove_number = read_counter(FULLMOVES, fields.next(), 1, &mut repairs)?;
    let position = build(builder, &mut repairs)?;
    Ok((position, repairs))
}

/// Builds it, if need be without its en passant square and with more men than usual.
fn build(mut builder: Builder, repairs: &mut Vec<Repair>) -> Result<Position, FenError> {
    let mut built = builder.build_crowded();
    if let Err(PositionError::EnPassantRank(square) | PositionError::EnPassantPawn(square)) = built
    {
        repairs.push(Repair::EnPassant(square));
        builder.en_passant = None;
        built = builder.build_crowded();
    }
    let position = built?;
    for color in Color::ALL {
        match (position.men(color, PieceKind::Pawn).count(), position.color(color).count()) {
            (pawns @ 9.., _) => repairs.push(Repair::Pawns(color, pawns)),
            (_, men @ 17..) => repairs.push(Repair::Men(color, men)),
            _ => (),
        }
    }
    Ok(position)
}

/// Takes the rights whose king and rook are in place.
fn read_castling(
    text: &str,
    builder: &mut Builder,
    repairs: &mut Vec<Repair>,
) -> Result<(), FenError> {
    let (mut dropped, mut repeated) = (String::new(), String::new());
    for letter in text.bytes().filter(|_| text != "-") {
        let color = Color::from_white(letter.is_ascii_uppercase());
        let rank = if color == Color::White { 0 } else { 7 };
        let file = match letter.to_ascii_lowercase() {
            wing @ (b'k' | b'q') => outermost_rook(builder, color, rank, wing),
            b'-' => None,
            file @ b'a'..=b'h' => Some(file - b'a').filter(|&file| {
                // A king on the back rank is what a right of either wing needs.
                let rook = Some(Piece::new(color, PieceKind::Rook));
                builder.squares[Square::at(file, rank).index()] == rook
                    && (0..8).any(|file| {
                        let king = Some(Piece::new(color, PieceKind::King));
                        builder.squares[Square::at(file, rank).index()] == king
                    })
            }),
            _ => {
                let reason = format!("{} holds something else than KQkq, a file or -", quote(text));
                return Err(FenError::new(CASTLING, reason));
            }
        };
        let rights = &mut builder.castling[color.index()];
        match file {
            Some(file) if *rights >> file & 1 == 1 => repeated.push(letter as char),
            Some(file) => *rights |= 1 << file,
            None => dropped.push(letter as char),
        }
    }
    if !repeated.is_empty() {
        repairs.push(Repair::Repeated(repeated));
    }
    if !dropped.is_empty() {
        repairs.push(Repair::Castling(dropped));
    }
    Ok(())
}

/// A counter; `-` and numbers that a position cannot hold are replaced.
fn read_counter(
    name: &'static str,
    text: Option<&str>,
    missing: u16,
    repairs: &mut Vec<Repair>,
) -> Result<u16, FenError> {
    let Some(text) = text else { return Ok(missing) };
    let digits = text.strip_prefix('-').unwrap_or(text);
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        let reason = format!("{} is not a number from 0 to 65535", quote(text));
        return Err(FenError::new(name, reason));
    }
    text.parse().or_else(|_| {
        // Below nothing, or nothing at all; or beyond every game.
        let taken = if text.starts_with('-') { missing } else { u16::MAX };
        repairs.push(Repair::Counter(name, taken));
        Ok(taken)
    })
}
