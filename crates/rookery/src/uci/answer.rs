//! What the console shows: the position, its moves, its counts.

use super::{Console, options};
use crate::session::{Trouble, refuse};
use board::fen::quote;
use board::perft::{Counting, MAX_DEPTH};
use board::{Position, Square};
use std::io::{self, Write};

/// The answer to `uci`.
pub fn identify(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "id name Rookery {}", env!("CARGO_PKG_VERSION"))?;
    writeln!(out, "id author the Rookery authors")?;
    options::write_list(out)?;
    writeln!(out, "uciok")
}

impl Console {
    /// `perft DEPTH`
    pub(super) fn perft(&self, words: &[&str], out: &mut impl Write) -> Result<(), Trouble> {
        let depth = read_depth("perft", words)?;
        match Counting::default().count(&self.position, depth) {
            Some(count) => Ok(writeln!(out, "Nodes searched: {count}")?),
            None => refuse("perft: 64 bits do not hold the count"),
        }
    }

    /// `divide DEPTH` and `go perft DEPTH`
    pub(super) fn divide(
        &self,
        command: &str,
        words: &[&str],
        out: &mut impl Write,
    ) -> Result<(), Trouble> {
        let depth = read_depth(command, words)?;
        let Some(divided) = Counting::default().divide(&self.position, depth) else {
            return refuse(format!("{command}: 64 bits do not hold the count"));
        };
        let mut sum = u64::from(depth == 0);
        for (mv, count) in divided {
            writeln!(out, "{}: {count}", mv.uci(self.castling_style()))?;
            sum = sum.saturating_add(count);
        }
        writeln!(out, "\nNodes searched: {sum}")?;
        Ok(())
    }

    /// `moves`: all legal moves in algebraic notation, in one line.
    pub(super) fn moves(&self, out: &mut impl Write) -> io::Result<()> {
        let position = &self.position;
        let moves: Vec<String> =
            position.legal_moves().iter().map(|&mv| position.san(mv)).collect();
        match (moves.len(), position.in_check()) {
            (0, true) => writeln!(out, "no legal moves: checkmate"),
            (0, false) => writeln!(out, "no legal moves: stalemate"),
            (count, _) => writeln!(out, "{count} legal: {}", moves.join(" ")),
        }
    }

    /// `d`: the board and what belongs to it.
    pub(super) fn display(&self, out: &mut impl Write) -> io::Result<()> {
        write_board(&self.position, out)?;
        let checkers: Vec<String> = self.position.checkers().map(|one| one.to_string()).collect();
        writeln!(out, "Fen: {}", self.position.fen())?;
        writeln!(out, "Key: {:016x}", self.position.key())?;
        let none = checkers.is_empty();
        writeln!(out, "Checkers: {}", if none { "none".to_owned() } else { checkers.join(" ") })
    }
}

fn write_board(position: &Position, out: &mut impl Write) -> io::Result<()> {
    for rank in (0..8).rev() {
        write!(out, "{}", rank + 1)?;
        for file in 0..8 {
            let piece = position.piece_on(Square::at(file, rank));
            write!(out, " {}", piece.map_or('.', |piece| piece.letter()))?;
        }
        writeln!(out)?;
    }
    writeln!(out, "  a b c d e f g h")
}

fn read_depth(command: &str, words: &[&str]) -> Result<u32, Trouble> {
    let [depth, ..] = words else {
        return refuse(format!("{command}: the depth is missing"));
    };
    match depth.parse() {
        Ok(number @ 0..=MAX_DEPTH) => Ok(number),
        _ => refuse(format!("{command}: depth {} is not from 0 to {MAX_DEPTH}", quote(depth))),
    }
}
