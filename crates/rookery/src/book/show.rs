//! `rookery book show`: the moves of a position, and the tree behind it.

use crate::arguments::ShowArguments;
use crate::counted::counted;
use crate::failure::Failure;
use crate::json;
use board::fen::quote;
use board::polyglot::{self, Book};
use board::{CastlingStyle, Color, Position};
use serde::Serialize;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Write};
use std::process::ExitCode;

/// A tree of more moves is cut off: it is too long to read.
const MOST_MOVES: usize = 100_000;

/// What is shown.
#[derive(Serialize)]
struct Shown {
    book: String,
    entries: u64,
    fen: String,
    moves: Vec<Branch>,
    /// The tree has more moves than are shown.
    is_cut_off: bool,
}

/// A move and what follows it.
#[derive(Serialize)]
struct Branch {
    san: String,
    uci: String,
    weight: u16,
    /// How often it is played, in percent of the position.
    share: f64,
    /// The position behind it stands in the tree already: another order of moves leads to it.
    transposes: bool,
    then: Vec<Branch>,
}

/// Reads trees out of a book.
struct Walk {
    book: Book<File>,
    style: CastlingStyle,
    /// The positions whose moves have been read.
    seen: HashSet<u64>,
    left: usize,
}

/// Runs the command.
pub fn run(arguments: &ShowArguments, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let (position, style) = position(arguments)?;
    let book = super::open(&arguments.book).map_err(Failure::Work)?;
    let entries = book.len();
    let mut walk = Walk { book, style, seen: HashSet::new(), left: MOST_MOVES };
    let moves = walk.tree(&position, arguments.depth).map_err(|error| {
        Failure::Work(format!("book {:?} cannot be read: {error}", arguments.book))
    })?;
    let book = arguments.book.display().to_string();
    let is_cut_off = walk.left == 0;
    let shown = Shown { book, entries, fen: position.fen(), moves, is_cut_off };
    match arguments.json {
        true => json::write(&shown, out)?,
        false => shown.write(&position, out)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The position that was asked for.
fn position(arguments: &ShowArguments) -> Result<(Position, CastlingStyle), Failure> {
    let usage = |reason: String| Failure::Usage(reason);
    let (mut position, style) = match arguments.position.read()? {
        Some(fen) => (fen.position, fen.style),
        None => (Position::startpos(), CastlingStyle::Standard),
    };
    for (index, word) in arguments.moves.split_whitespace().enumerate() {
        // Numbers, with the dots that follow them, may stand between the moves.
        let text = word.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
        if text.is_empty() {
            continue;
        }
        let mv = position.parse_uci(text).or_else(|_| position.parse_san(text.as_bytes()));
        let mv = mv.map_err(|error| {
            usage(format!("--moves: word {}, {}: {error}", index + 1, quote(text)))
        })?;
        position.play(mv);
    }
    Ok((position, style))
}

impl Walk {
    fn tree(&mut self, position: &Position, depth: u32) -> io::Result<Vec<Branch>> {
        let mut moves = self.book.moves(position)?;
        moves.sort_by_key(|one| std::cmp::Reverse(one.weight));
        self.seen.insert(polyglot::key(position));
        let sum: f64 = moves.iter().map(|one| f64::from(one.weight)).sum();
        let mut branches = Vec::new();
        for one in moves {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            let next = position.make(one.mv);
            let transposes = depth > 1 && self.seen.contains(&polyglot::key(&next));
            let then = match depth > 1 && !transposes {
                true => self.tree(&next, depth - 1)?,
                false => Vec::new(),
            };
            branches.push(Branch {
                san: position.san(one.mv),
                uci: one.mv.uci(self.style),
                weight: one.weight,
                share: if sum > 0.0 { f64::from(one.weight) * 100.0 / sum } else { 0.0 },
                transposes,
                then,
            });
        }
        Ok(branches)
    }
}

impl Shown {
    fn write(&self, position: &Position, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}: {}", self.book, counted(self.entries, "entry"))?;
        writeln!(out, "{}", self.fen)?;
        if self.moves.is_empty() {
            writeln!(out, "the position is not in the book")?;
        }
        let ply = 2 * u32::from(position.fullmove_number())
            + u32::from(position.side_to_move() == Color::Black);
        write_branches(&self.moves, ply, 0, out)?;
        match self.is_cut_off {
            true => writeln!(out, "cut off after {MOST_MOVES} moves"),
            false => Ok(()),
        }
    }
}

/// One line for each move, indented by its depth; `ply` is twice the move's number, plus one for
/// Black.
fn write_branches(
    branches: &[Branch],
    ply: u32,
    depth: usize,
    out: &mut impl Write,
) -> io::Result<()> {
    let dots = if ply.is_multiple_of(2) { "." } else { "..." };
    for branch in branches {
        let name = format!("{:indent$}{}{dots} {}", "", ply / 2, branch.san, indent = 2 * depth);
        let mark = if branch.transposes { "  (see above)" } else { "" };
        writeln!(out, "{name:<24} {:>6} {:>6.1} %{mark}", branch.weight, branch.share)?;
        write_branches(&branch.then, ply + 1, depth + 1, out)?;
    }
    Ok(())
}
