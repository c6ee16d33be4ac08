//! `setoption`: what can be set.

use super::{Console, Trouble, refuse};
use board::fen::quote;
use std::io::{self, Write};

const CHESS960: &str = "UCI_Chess960";

/// Writes the options as `uci` lists them.
pub fn write_list(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "option name {CHESS960} type check default false")
}

impl Console {
    /// `name NAME value VALUE`; both may be several words, and the name's case does not matter.
    pub(super) fn set_option(&mut self, words: &[&str]) -> Result<(), Trouble> {
        let ["name", rest @ ..] = words else {
            return refuse("setoption: expected: setoption name NAME value VALUE");
        };
        let mut parts = rest.splitn(2, |word| *word == "value");
        let name = parts.next().unwrap_or_default().join(" ");
        let value = parts.next().map(|words| words.join(" "));
        if !name.eq_ignore_ascii_case(CHESS960) {
            return refuse(format!("setoption: no option {}", quote(&name)));
        }
        self.chess960 = match value.as_deref() {
            Some("true") => true,
            Some("false") => false,
            Some(value) => {
                return refuse(format!(
                    "setoption: {CHESS960} is true or false, not {}",
                    quote(value)
                ));
            }
            None => return refuse(format!("setoption: the value of {CHESS960} is missing")),
        };
        Ok(())
    }
}
