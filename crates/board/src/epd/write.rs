//! Writing records in the standard's canonical form: opcodes in ASCII order, single blanks, SAN.

use super::{Epd, Operand, Value, opcode};
use crate::Position;
use opcode::Kind;
use std::fmt::{Display, Formatter, Result};

impl Display for Epd {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
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
    fn write_value(&self, opcode: &str, value: &Value, f: &mut Formatter<'_>) -> Result {
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
