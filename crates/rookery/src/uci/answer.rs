//! What the console shows: the position, its moves, its counts.

use super::{Console, REFUSED, options};
use crate::bench;
use crate::network;
use crate::session::{CommandError, Control, Next, Output, refuse};
use crate::version;
use board::fen::quote;
use board::perft::{Counting, MAX_DEPTH};
use board::{Position, Square};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::Arc;

/// The answer to `uci`.
pub fn identify(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "id name Rookery {}", env!("CARGO_PKG_VERSION"))?;
    writeln!(out, "id author the Rookery authors")?;
    options::write_list(out)?;
    writeln!(out, "uciok")
}

/// The answer to `compiler`: how this program was built.
pub fn write_build(out: &mut impl Write) -> io::Result<()> {
    let checks = if cfg!(debug_assertions) { "with" } else { "without" };
    writeln!(out, "Rookery {}", version::LONG)?;
    writeln!(out, "checks    {checks} debug assertions")
}

/// `export_net FILE`: writes the embedded network to a new file.
pub fn export_net(words: &[&str], out: &mut impl Write) -> Result<(), CommandError> {
    let path = words.join(" ");
    if path.is_empty() {
        return refuse("export_net: name a file");
    }
    network::export(path.as_ref()).or_else(|reason| refuse(format!("export_net: {reason}")))?;
    let text = network::text(eval::nnue::embedded());
    Ok(writeln!(out, "info string network {text} saved to {path:?}")?)
}

impl Console {
    /// `perft DEPTH`
    pub(super) fn perft(&mut self, words: &[&str]) -> Result<Next, CommandError> {
        self.check_position("perft")?;
        let (depth, position) = (read_depth("perft", words)?, self.position);
        let count = move |control: &Control| {
            let counting =
                Counting { should_stop: &|| control.is_stopped(), ..Counting::default() };
            let count = counting.count(&position, depth)?;
            Some(format!("Nodes searched: {count}\n"))
        };
        self.session.work(move |control, output| tell_count("perft", control, output, count))?;
        Ok(Next::Go)
    }

    /// `divide DEPTH` and `go perft DEPTH`
    pub(super) fn divide(
        &mut self,
        command: &'static str,
        words: &[&str],
    ) -> Result<Next, CommandError> {
        self.check_position(command)?;
        let (depth, position) = (read_depth(command, words)?, self.position);
        let style = self.castling_style();
        let count = move |control: &Control| {
            let counting =
                Counting { should_stop: &|| control.is_stopped(), ..Counting::default() };
            let (mut text, mut sum) = (String::new(), u64::from(depth == 0));
            for (mv, count) in counting.divide(&position, depth)? {
                let _ = writeln!(text, "{}: {count}", mv.uci(style));
                sum = sum.saturating_add(count);
            }
            let _ = writeln!(text, "\nNodes searched: {sum}");
            Some(text)
        };
        self.session.work(move |control, output| tell_count(command, control, output, count))?;
        Ok(Next::Go)
    }

    /// `bench [DEPTH]`
    pub(super) fn bench(&mut self, words: &[&str]) -> Result<(), CommandError> {
        let depth = bench::read_depth(words).or_else(refuse)?;
        let (profile, network) = self.session.engine().rules();
        self.session.work(move |control, output| {
            let told = Arc::clone(control);
            let text = match bench::in_console(depth, profile, network, move || told.is_stopped()) {
                Ok(text) => text,
                Err(_) if control.is_stopped() => "info string bench: stopped\n".to_owned(),
                Err(reason) => format!("info string error {reason}\n"),
            };
            tell(&text, control, output);
        })
    }

    /// `moves`: all legal moves in algebraic notation, in one line.
    pub(super) fn moves(&self, out: &mut impl Write) -> Result<(), CommandError> {
        self.check_position("moves")?;
        let position = &self.position;
        let moves: Vec<String> =
            position.legal_moves().iter().map(|&mv| position.san(mv)).collect();
        Ok(match (moves.len(), position.in_check()) {
            (0, true) => writeln!(out, "no legal moves: checkmate"),
            (0, false) => writeln!(out, "no legal moves: stalemate"),
            (count, _) => writeln!(out, "{count} legal: {}", moves.join(" ")),
        }?)
    }

    /// `d`: the board and what belongs to it.
    pub(super) fn display(&self, out: &mut impl Write) -> io::Result<()> {
        write_board(&self.position, out)?;
        let checkers: Vec<String> = self.position.checkers().map(|one| one.to_string()).collect();
        writeln!(out, "Fen: {}", self.position.fen())?;
        writeln!(out, "Key: {:016x}", self.position.key())?;
        let none = checkers.is_empty();
        writeln!(out, "Checkers: {}", if none { "none".to_owned() } else { checkers.join(" ") })?;
        if self.refused {
            writeln!(out, "info string {REFUSED}: this is the one before")?;
        }
        Ok(())
    }
}

/// Counts, and says what came of it.
fn tell_count(
    command: &str,
    control: &Control,
    output: &Output,
    count: impl FnOnce(&Control) -> Option<String>,
) {
    let text = match count(control) {
        Some(text) => text,
        None if control.is_stopped() => format!("info string {command}: stopped\n"),
        None => format!("info string error {command}: 64 bits do not hold the count\n"),
    };
    tell(&text, control, output);
}

/// Writes an answer, unless it was abandoned; if the output is closed, the console notices.
fn tell(text: &str, control: &Control, output: &Output) {
    if !control.is_abandoned() {
        let _ = output.send(text.as_bytes());
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

fn read_depth(command: &str, words: &[&str]) -> Result<u32, CommandError> {
    let [depth, ..] = words else {
        return refuse(format!("{command}: the depth is missing"));
    };
    match depth.parse() {
        Ok(number @ 0..=MAX_DEPTH) => Ok(number),
        _ => refuse(format!("{command}: depth {} is not from 0 to {MAX_DEPTH}", quote(depth))),
    }
}
