//! Settings: `memory`, `cores`, `egtpath`, `option`, and the moves that are not to be searched.

use super::{Xboard, clock, features};
use crate::session::{CommandError, refuse};
use crate::uci::Kind;
use board::Move;
use board::fen::quote;
use std::io::Write;

/// Megabytes that the program needs beside the table.
const BESIDE_TABLE_MB: u64 = 8;

impl Xboard {
    /// `memory MB`: the most that the engine may take in all.
    pub(super) fn memory(
        &mut self,
        words: &[&str],
        out: &mut impl Write,
    ) -> Result<(), CommandError> {
        let text = clock::one("the megabytes", words)?;
        let Ok(size @ 1..) = text.parse::<u64>() else {
            return refuse(format!("{} is not a number of megabytes", quote(text)));
        };
        let table = size.saturating_sub(BESIDE_TABLE_MB).max(1);
        // Interfaces repeat it with every game; what the table holds is kept then.
        if table == self.session.engine().hash_mb() {
            return Ok(());
        }
        self.set("Hash", Some(&table.to_string()), out)
    }

    /// `cores N`.
    pub(super) fn cores(
        &mut self,
        words: &[&str],
        out: &mut impl Write,
    ) -> Result<(), CommandError> {
        let number = clock::one("the number of cores", words)?;
        self.set("Threads", Some(number), out)
    }

    /// `egtpath syzygy PATH`.
    pub(super) fn endgame_path(
        &mut self,
        rest: &str,
        out: &mut impl Write,
    ) -> Result<(), CommandError> {
        match rest.split_once(char::is_whitespace) {
            // Interfaces tell every engine the same path: that nothing is there is no error of theirs.
            Some(("syzygy", path)) => match self.set("SyzygyPath", Some(path.trim()), out) {
                Err(CommandError::Refused(reason)) => Ok(writeln!(out, "# {reason}")?),
                set => set,
            },
            _ => refuse("expected: egtpath syzygy PATH"),
        }
    }

    /// `option NAME` or `option NAME=VALUE`.
    pub(super) fn option(&mut self, rest: &str, out: &mut impl Write) -> Result<(), CommandError> {
        let (name, value) = match rest.split_once('=') {
            Some((name, value)) => (name, Some(value.trim())),
            None => (rest, None),
        };
        let Some((name, kind)) = features::find(name.trim()) else {
            return refuse(format!("no option {}", quote(name.trim())));
        };
        let value = match (kind, value) {
            (Kind::Check(_), Some("1")) => Some("true"),
            (Kind::Check(_), Some("0")) => Some("false"),
            (_, value) => value,
        };
        self.set(name, value, out)
    }

    /// Sets an option of UCI and tells in the words of this protocol what came of it.
    fn set(
        &mut self,
        name: &str,
        value: Option<&str>,
        out: &mut impl Write,
    ) -> Result<(), CommandError> {
        let mut said = Vec::new();
        let outcome = self.session.set(name, value, &mut said);
        for line in String::from_utf8_lossy(&said).lines() {
            writeln!(out, "# {}", line.strip_prefix("info string ").unwrap_or(line))?;
        }
        outcome.or_else(|error| match error {
            CommandError::Refused(reason) => {
                refuse(reason.strip_prefix("setoption: ").unwrap_or(&reason).to_owned())
            }
            other => Err(other),
        })
    }

    /// `exclude MOVE`, `include MOVE`, or `all` of them.
    pub(super) fn exclude(&mut self, words: &[&str], on: bool) -> Result<(), CommandError> {
        let text = clock::one("the move", words)?;
        let legal = self.game.position().legal_moves();
        let chosen: Vec<Move> = match text {
            "all" => legal.iter().copied().collect(),
            _ => vec![self.game.read_move(text).or_else(refuse)?],
        };
        self.excluded.retain(|mv| !chosen.contains(mv));
        if on {
            self.excluded.extend(chosen);
        }
        Ok(())
    }

    /// The moves to analyse; empty where nothing is excluded, none where everything is.
    pub(super) fn root_moves(&self) -> Option<Vec<Move>> {
        if self.excluded.is_empty() {
            return Some(Vec::new());
        }
        let legal = self.game.position().legal_moves();
        let left: Vec<Move> =
            legal.iter().filter(|mv| !self.excluded.contains(mv)).copied().collect();
        Some(left).filter(|left| !left.is_empty())
    }
}
