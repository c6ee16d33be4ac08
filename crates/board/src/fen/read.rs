//! Reading FEN: classical, X-FEN and Shredder-FEN castling fields; 4 to 6 fields.

use crate::position::{Builder, PositionError};
use crate::{Bitboard, Color, Piece, PieceKind, Position, Square};

/// What is wrong with a FEN, by field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FenError {
    field: &'static str,
    reason: String,
}

impl FenError {
    pub(super) fn new(field: &'static str, reason: impl Into<String>) -> FenError {
        FenError { field, reason: reason.into() }
    }

    /// The name of the field that is wrong.
    pub fn field(&self) -> &'static str {
        self.field
    }

    /// What is wrong with it.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl std::fmt::Display for FenError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.reason.as_str() {
            MISSING => write!(f, "FEN: the {} {MISSING}", self.field),
            reason => write!(f, "FEN, {}: {reason}", self.field),
        }
    }
}

impl std::error::Error for FenError {}

/// The reason where there is no such field.
pub(super) const MISSING: &str = "is missing";

pub(super) const PLACEMENT: &str = "piece placement";
pub(super) const SIDE: &str = "side to move";
pub(super) const CASTLING: &str = "castling rights";
pub(super) const EN_PASSANT: &str = "en passant square";
pub(super) const HALFMOVES: &str = "half-move clock";
pub(super) const FULLMOVES: &str = "full-move number";

impl Position {
    /// Reads a FEN. The two clocks may be missing (0 and 1 are taken then).
    ///
    /// ```
    /// use board::Position;
    /// let error = Position::from_fen("4k3/8/8/8/8/8/8/K3K3 w - - 0 1").unwrap_err();
    /// assert_eq!(error.to_string(), "FEN, piece placement: White has 2 kings");
    /// ```
    pub fn from_fen(fen: &str) -> Result<Position, FenError> {
        let mut fields = fen.split_ascii_whitespace();
        let position = Position::from_fields(&mut fields)?;
        match fields.next() {
            None => Ok(position),
            Some(extra) => {
                let reason = format!("unexpected text after it: {}", quote(extra));
                Err(FenError::new(FULLMOVES, reason))
            }
        }
    }

    fn from_fields<'a>(fields: &mut impl Iterator<Item = &'a str>) -> Result<Position, FenError> {
        let mut builder = Builder::default();
        let mut field = |name| fields.next().ok_or_else(|| FenError::new(name, MISSING));
        read_placement(field(PLACEMENT)?, &mut builder)?;
        builder.side = read_side(field(SIDE)?)?;
        read_castling(field(CASTLING)?, &mut builder)?;
        builder.en_passant = read_en_passant(field(EN_PASSANT)?)?;
        builder.halfmove_clock = read_number(HALFMOVES, fields.next(), 0)?;
        builder.fullmove_number = read_number(FULLMOVES, fields.next(), 1)?;
        builder.build().map_err(FenError::from)
    }

    /// Reads the first four fields of a FEN or EPD and says how many bytes they took.
    pub(crate) fn from_epd_prefix(text: &str) -> Result<(Position, usize), FenError> {
        let (mut fields, end) = epd_fields(text);
        Ok((Position::from_fields(&mut fields)?, end))
    }
}

impl From<PositionError> for FenError {
    fn from(error: PositionError) -> FenError {
        use PositionError::*;
        let field = match error {
            Kings(..) | Men(..) | Pawns(..) | MenInAll(..) | Crowd(..) | Alike(..) => PLACEMENT,
            PawnOnBackRank(..) | AdjacentKings(..) => PLACEMENT,
            OpponentInCheck(..) => SIDE,
            CastlingKing(..) | CastlingRook(..) | CastlingWing(..) => CASTLING,
            EnPassantRank(..) | EnPassantPawn(..) => EN_PASSANT,
        };
        FenError::new(field, error.to_string())
    }
}

/// The first four fields of a FEN or EPD, as many as there are, and where they end.
pub(super) fn epd_fields(text: &str) -> (impl Iterator<Item = &str>, usize) {
    let mut end = 0;
    let mut fields = [""; 4];
    for field in &mut fields {
        let begin = end + text[end..].len() - text[end..].trim_ascii_start().len();
        let length = text[begin..].find([' ', '\t', ';']).unwrap_or(text.len() - begin);
        *field = &text[begin..begin + length];
        end = begin + length;
    }
    (fields.into_iter().filter(|field| !field.is_empty()), end)
}

/// The text in quotation marks, shortened and with control characters escaped, for error messages.
pub fn quote(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut short: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    format!("\"{short}\"")
}

pub(super) fn read_side(text: &str) -> Result<Color, FenError> {
    match text {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        other => Err(FenError::new(SIDE, format!("{} is not w or b", quote(other)))),
    }
}

pub(super) fn read_placement(text: &str, builder: &mut Builder) -> Result<(), FenError> {
    let fail = |reason: String| Err(FenError::new(PLACEMENT, reason));
    let rows = text.split('/').count();
    match rows {
        8 => (),
        1 => return fail(format!("{} is no board of 8 ranks with / between them", quote(text))),
        _ => return fail(format!("{rows} ranks instead of 8")),
    }
    for (row, rank) in text.split('/').zip((0..8).rev()) {
        let mut file = 0;
        for letter in row.bytes() {
            match (letter, Piece::from_letter(letter)) {
                (b'1'..=b'8', _) => file += letter - b'0',
                (_, Some(piece)) if file < 8 => {
                    builder.squares[Square::at(file, rank).index()] = Some(piece);
                    file += 1;
                }
                (_, Some(_)) => file += 1,
                (_, None) => {
                    return fail(format!("{} in rank {} is no man", quote(row), rank + 1));
                }
            }
            if file > 8 {
                return fail(format!("rank {} has more than 8 squares", rank + 1));
            }
        }
        if file != 8 {
            return fail(format!("rank {} has {file} squares instead of 8", rank + 1));
        }
    }
    Ok(())
}

/// `KQkq` name the outermost rook of a wing (X-FEN), `A` to `H` and `a` to `h` a file (Shredder-FEN).
fn read_castling(text: &str, builder: &mut Builder) -> Result<(), FenError> {
    if text == "-" {
        return Ok(());
    }
    for letter in text.bytes() {
        let color = Color::from_white(letter.is_ascii_uppercase());
        let rank = if color == Color::White { 0 } else { 7 };
        let file = match letter.to_ascii_lowercase() {
            b'k' | b'q' => {
                let wing = letter.to_ascii_lowercase();
                outermost_rook(builder, color, rank, wing).ok_or_else(|| {
                    let side = if wing == b'k' { "king's" } else { "queen's" };
                    let what = "has no king and rook for it on the back rank";
                    FenError::new(
                        CASTLING,
                        format!("{color} may castle on the {side} side, but {what}"),
                    )
                })?
            }
            file @ b'a'..=b'h' => file - b'a',
            _ => {
                let reason = format!("{} holds something else than KQkq, a file or -", quote(text));
                return Err(FenError::new(CASTLING, reason));
            }
        };
        if builder.castling[color.index()] >> file & 1 != 0 {
            return Err(FenError::new(CASTLING, format!("{} names a right twice", quote(text))));
        }
        builder.castling[color.index()] |= 1 << file;
    }
    Ok(())
}

pub(super) fn outermost_rook(builder: &Builder, color: Color, rank: u8, wing: u8) -> Option<u8> {
    let files_of = |kind| -> Bitboard {
        let piece = Some(Piece::new(color, kind));
        Square::all()
            .filter(|square| square.rank() == rank && builder.squares[square.index()] == piece)
            .collect()
    };
    let king = files_of(PieceKind::King).first()?.file();
    let mut rooks = files_of(PieceKind::Rook).map(Square::file);
    match wing {
        b'k' => rooks.filter(|&file| file > king).last(),
        _ => rooks.find(|&file| file < king),
    }
}

pub(super) fn read_en_passant(text: &str) -> Result<Option<Square>, FenError> {
    match (text, Square::parse(text.as_bytes())) {
        ("-", _) => Ok(None),
        (_, Some(square)) => Ok(Some(square)),
        _ => Err(FenError::new(EN_PASSANT, format!("{} is neither a square nor -", quote(text)))),
    }
}

fn read_number(name: &'static str, text: Option<&str>, missing: u16) -> Result<u16, FenError> {
    let Some(text) = text else { return Ok(missing) };
    let digits_only = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits_only).ok_or_else(|| {
        FenError::new(name, format!("{} is not a number from 0 to 65535", quote(text)))
    })
}
