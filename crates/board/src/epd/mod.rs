//! Extended position description: a position and operations on it, one record a line (section 16.2
//! of the PGN standard).
//!
//! ```
//! use board::Epd;
//! let record: Epd =
//!     "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id \"BK.01\";".parse().unwrap();
//! assert_eq!(record.id(), Some("BK.01"));
//! assert_eq!(record.position().san(record.best_moves()[0]), "Qd1+");
//! ```
//!
//! The clocks live in the position alone: `hmvc` and `fmvn` set them when a record is read, and are
//! written where they differ from 0 and 1.

mod opcode;
mod read;

use crate::{Move, Position};
use opcode::Kind;
pub use read::Scanned;
use std::collections::BTreeMap;
use std::fmt::{Display, Formatter};

/// A position with operations. Every opcode stands at most once, in ASCII order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Epd {
    position: Position,
    operations: BTreeMap<String, Value>,
}

/// What an operation holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// Nothing (`resign`, `draw_offer`, an empty comment).
    Nothing,
    /// A whole number (`acd`, `acn`, `acs`, `ce`, `dc`, `dm`, `fmvn`, `hmvc`, `rc`, `tcgs`).
    Number(i64),
    /// One string (`c0` to `c9`, `eco`, `id`, `nic`, `v0` to `v9`).
    Text(String),
    /// Legal moves (`am`, `bm`, `pm`, `sm`), or moves to be played one after the other (`pv`).
    Moves(Vec<Move>),
    /// Operands as they stand (`noop`, `tcri`, `tcsi`, opcodes that the standard does not know).
    Operands(Vec<Operand>),
}

/// An operand whose meaning is not known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operand {
    /// Printing characters without white space.
    Word(String),
    /// Text in quotation marks.
    Quoted(String),
}

impl Operand {
    /// Its characters, without quotation marks.
    pub fn text(&self) -> &str {
        match self {
            Operand::Word(text) | Operand::Quoted(text) => text,
        }
    }
}

/// What is wrong with a record, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EpdError {
    column: Option<usize>,
    opcode: Option<String>,
    reason: String,
}

impl EpdError {
    /// The column, beginning with 1, if the record was read from a text.
    pub fn column(&self) -> Option<usize> {
        self.column
    }

    /// The opcode whose operation is wrong.
    pub fn opcode(&self) -> Option<&str> {
        self.opcode.as_deref()
    }

    /// What is wrong.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl std::fmt::Display for EpdError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("EPD")?;
        if let Some(column) = self.column {
            write!(f, ", column {column}")?;
        }
        if let Some(opcode) = &self.opcode {
            write!(f, ", {opcode}")?;
        }
        write!(f, ": {}", self.reason)
    }
}

impl std::error::Error for EpdError {}

impl Epd {
    /// A position without operations.
    pub fn new(position: Position) -> Epd {
        Epd { position, operations: BTreeMap::new() }
    }

    /// The position, with the clocks that the record gives it.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// What an opcode holds. The clocks are not here: ask [`Epd::number`] or the position.
    pub fn get(&self, opcode: &str) -> Option<&Value> {
        self.operations.get(opcode)
    }

    /// All operations but the clocks, in ASCII order.
    pub fn operations(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.operations.iter().map(|(opcode, value)| (opcode.as_str(), value))
    }

    /// The number of an opcode, the clocks `hmvc` and `fmvn` included.
    pub fn number(&self, opcode: &str) -> Option<i64> {
        match (opcode, self.get(opcode)) {
            (opcode::HALFMOVE_CLOCK, _) => Some(self.position.halfmove_clock().into()),
            (opcode::FULLMOVE_NUMBER, _) => Some(self.position.fullmove_number().into()),
            (_, Some(Value::Number(number))) => Some(*number),
            _ => None,
        }
    }

    /// The string of an opcode.
    pub fn text(&self, opcode: &str) -> Option<&str> {
        match self.get(opcode) {
            Some(Value::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The moves of an opcode; none where it is missing.
    pub fn moves(&self, opcode: &str) -> &[Move] {
        match self.get(opcode) {
            Some(Value::Moves(moves)) => moves,
            _ => &[],
        }
    }

    /// The name of the position.
    pub fn id(&self) -> Option<&str> {
        self.text("id")
    }

    /// The moves that solve it (`bm`).
    pub fn best_moves(&self) -> &[Move] {
        self.moves("bm")
    }

    /// The moves that do not (`am`).
    pub fn avoid_moves(&self) -> &[Move] {
        self.moves("am")
    }

    /// The predicted line (`pv`).
    pub fn variation(&self) -> &[Move] {
        self.moves("pv")
    }

    /// Removes an operation and says what it held. The clocks cannot be removed.
    pub fn remove(&mut self, opcode: &str) -> Option<Value> {
        self.operations.remove(opcode)
    }

    /// Sets an operation in place of what the opcode held. The value must be of the opcode's kind,
    /// moves legal, and everything such that it can be written down and read back.
    pub fn set(&mut self, opcode: &str, value: Value) -> Result<(), EpdError> {
        self.store(opcode, value).map_err(|reason| EpdError {
            column: None,
            opcode: Some(opcode.to_owned()),
            reason,
        })
    }

    fn store(&mut self, opcode: &str, mut value: Value) -> Result<(), String> {
        opcode::check_name(opcode)?;
        let kind = Kind::of(opcode);
        kind.check(&value)?;
        if let Value::Moves(moves) = &mut value {
            match kind {
                Kind::Line => self.check_line(moves)?,
                _ => self.check_moves(moves)?,
            }
            if kind == Kind::Moves {
                moves.sort_by_cached_key(|&mv| self.position.san(mv));
                moves.dedup();
            }
        }
        // The kinds of the clocks allow no number beyond 16 bits.
        let clock = |number: i64| u16::try_from(number).unwrap_or(u16::MAX);
        let (halfmoves, fullmoves) =
            (self.position.halfmove_clock(), self.position.fullmove_number());
        match (opcode, &value) {
            (opcode::HALFMOVE_CLOCK, Value::Number(number)) => {
                self.position = self.position.with_clocks(clock(*number), fullmoves);
            }
            (opcode::FULLMOVE_NUMBER, Value::Number(number)) => {
                self.position = self.position.with_clocks(halfmoves, clock(*number));
            }
            _ => drop(self.operations.insert(opcode.to_owned(), value)),
        }
        Ok(())
    }

    fn check_moves(&self, moves: &[Move]) -> Result<(), String> {
        match moves.iter().find(|&&mv| !self.position.is_legal(mv)) {
            Some(mv) => Err(format!("{mv:?} is not legal here")),
            None => Ok(()),
        }
    }

    fn check_line(&self, moves: &[Move]) -> Result<(), String> {
        let mut position = self.position;
        for &mv in moves {
            if !position.is_legal(mv) {
                return Err(format!("{mv:?} is not legal where the line plays it"));
            }
            position = position.make(mv);
        }
        Ok(())
    }
}

/// The records of a text with their line numbers, beginning with 1. Empty lines and lines that begin
/// with `#` are passed over.
pub fn records(text: &str) -> impl Iterator<Item = (usize, Result<Epd, EpdError>)> {
    record_lines(text).map(|(number, line)| (number, Epd::parse(line)))
}

/// The lines of a text that are records, with their numbers.
pub fn record_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim_ascii_start().starts_with('#') && !line.trim().is_empty())
}

impl Display for Epd {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.position.epd())?;
        let usual = [(opcode::FULLMOVE_NUMBER, 1), (opcode::HALFMOVE_CLOCK, 0)];
        let mut clocks = usual
            .into_iter()
            .filter_map(|(name, usual)| Some((name, self.number(name).filter(|&n| n != usual)?)))
            .peekable();
        for (opcode, value) in self.operations() {
            while let Some((name, number)) = clocks.next_if(|&(name, _)| name < opcode) {
                write!(f, " {name} {number};")?;
            }
            write!(f, " {opcode}")?;
            self.write_value(opcode, value, f)?;
            f.write_str(";")?;
        }
        clocks.try_for_each(|(name, number)| write!(f, " {name} {number};"))
    }
}

impl Epd {
    fn write_value(&self, opcode: &str, value: &Value, f: &mut Formatter<'_>) -> std::fmt::Result {
        match value {
            Value::Nothing => Ok(()),
            Value::Number(number) => write!(f, " {number}"),
            Value::Text(text) => write!(f, " \"{text}\""),
            Value::Operands(operands) => operands.iter().try_for_each(|one| match one {
                Operand::Word(text) => write!(f, " {text}"),
                Operand::Quoted(text) => write!(f, " \"{text}\""),
            }),
            Value::Moves(moves) => {
                let mut position: Position = *self.position();
                moves.iter().try_for_each(|&mv| {
                    write!(f, " {}", position.san(mv))?;
                    if Kind::of(opcode) == Kind::Line {
                        position = position.make(mv);
                    }
                    Ok(())
                })
            }
        }
    }
}
