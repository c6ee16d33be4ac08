//! The opcodes of the standard, and what each of them may hold.

use super::{Operand, Value};
use crate::fen::quote;

pub(super) const HALFMOVE_CLOCK: &str = "hmvc";
pub(super) const FULLMOVE_NUMBER: &str = "fmvn";

/// What an opcode's operands are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Moves from the position, as a set.
    Moves,
    /// One move from the position.
    OneMove,
    /// Moves to be played one after the other.
    Line,
    /// One number within these bounds.
    Number(i64, i64),
    /// One string, which may be missing.
    Text,
    /// One string.
    Name,
    /// Two strings: an address and a name.
    Address,
    /// No operand.
    Flag,
    /// Anything, and all of it is kept.
    Any,
}

impl Kind {
    pub fn of(opcode: &str) -> Kind {
        match opcode {
            "am" | "bm" => Kind::Moves,
            "pm" | "sm" => Kind::OneMove,
            "pv" => Kind::Line,
            "acd" | "acn" | "acs" | "dc" | "dm" => Kind::Number(0, i64::MAX),
            "rc" | "tcgs" => Kind::Number(1, i64::MAX),
            "ce" => Kind::Number(-32767, 32766),
            HALFMOVE_CLOCK => Kind::Number(0, u16::MAX as i64),
            FULLMOVE_NUMBER => Kind::Number(1, u16::MAX as i64),
            "draw_accept" | "draw_claim" | "draw_offer" | "draw_reject" | "resign" => Kind::Flag,
            "eco" | "nic" => Kind::Text,
            "id" => Kind::Name,
            "tcri" | "tcsi" => Kind::Address,
            _ => match opcode.as_bytes() {
                [b'c' | b'v', b'0'..=b'9'] => Kind::Text,
                _ => Kind::Any,
            },
        }
    }

    /// Whether the operands are moves.
    pub fn has_moves(self) -> bool {
        matches!(self, Kind::Moves | Kind::OneMove | Kind::Line)
    }

    /// Whether the value is one for this kind, apart from the legality of moves.
    pub fn check(self, value: &Value) -> Result<(), String> {
        match (self, value) {
            (Kind::Moves | Kind::Line, Value::Moves(_)) => Ok(()),
            (Kind::OneMove, Value::Moves(moves)) if moves.len() == 1 => Ok(()),
            (Kind::OneMove, Value::Moves(moves)) => {
                Err(format!("{} moves instead of one", moves.len()))
            }
            (Kind::Number(least, most), Value::Number(number)) => {
                match (least..=most).contains(number) {
                    true => Ok(()),
                    false if most == i64::MAX => Err(format!("{number} is less than {least}")),
                    false => Err(format!("{number} is not from {least} to {most}")),
                }
            }
            (Kind::Text | Kind::Flag, Value::Nothing) => Ok(()),
            (Kind::Text | Kind::Name, Value::Text(text)) => check_text(text),
            (Kind::Address, Value::Operands(operands)) if operands.len() != 2 => {
                Err(format!("{} strings instead of two", operands.len()))
            }
            (Kind::Address, Value::Operands(operands))
                if operands.iter().any(|one| matches!(one, Operand::Word(_))) =>
            {
                Err(String::from("needs two strings in quotation marks"))
            }
            (Kind::Any | Kind::Address, Value::Operands(operands)) => {
                operands.iter().try_for_each(check_operand)
            }
            _ => Err(format!("needs {}", self.describe())),
        }
    }

    /// What the opcode needs, for error messages.
    pub fn describe(self) -> &'static str {
        match self {
            Kind::Moves => "moves",
            Kind::OneMove => "one move",
            Kind::Line => "a line of moves",
            Kind::Number(..) => "one whole number",
            Kind::Text => "one string or nothing",
            Kind::Name => "one string",
            Kind::Address => "two strings",
            Kind::Flag => "no operand",
            Kind::Any => "operands",
        }
    }
}

/// A letter and up to fourteen letters, digits and underscores.
pub(super) fn check_name(opcode: &str) -> Result<(), String> {
    let letter_first = opcode.starts_with(|letter: char| letter.is_ascii_alphabetic());
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if letter_first && opcode.len() <= 15 && opcode.bytes().all(allowed) {
        Ok(())
    } else {
        Err(format!("{} is not an opcode", quote(opcode)))
    }
}

fn check_operand(operand: &Operand) -> Result<(), String> {
    match operand {
        Operand::Quoted(text) => check_text(text),
        Operand::Word(text) => {
            let bad = |letter: char| {
                letter.is_ascii_whitespace() || letter.is_control() || matches!(letter, ';' | '"')
            };
            match text.is_empty() || text.contains(bad) {
                true => Err(format!("{} cannot stand without quotation marks", quote(text))),
                false => Ok(()),
            }
        }
    }
}

/// The standard has no escape for a quotation mark, and a record is one line. It also wants fewer
/// than 256 bytes, which comments in real suites exceed: that is let through.
fn check_text(text: &str) -> Result<(), String> {
    let bad = |letter: char| letter == '"' || letter.is_control() && letter != '\t';
    match text.contains(bad) {
        true => Err(format!("{} holds a quotation mark or control character", quote(text))),
        false => Ok(()),
    }
}
