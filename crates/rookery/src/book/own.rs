//! The book that the engine plays from.

use board::polyglot::{self, Book};
use board::{Move, Position};
use std::fs::File;
use std::path::Path;

/// A book that is open.
pub struct OwnBook {
    book: Book<File>,
}

/// A move to play without a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Choice {
    /// The move.
    pub mv: Move,
    /// How often the book plays it, in percent.
    pub share: f64,
    /// What the book expects as the reply.
    pub reply: Option<Move>,
}

impl OwnBook {
    /// Opens a book; or a line that names it and says why not.
    pub fn open(path: &Path) -> Result<OwnBook, String> {
        super::open(path).map(|book| OwnBook { book })
    }

    /// How many entries it has.
    pub fn len(&self) -> u64 {
        self.book.len()
    }

    /// All moves of the position with their shares in percent; none outside the book.
    pub fn moves(&mut self, position: &Position) -> Result<Vec<(Move, f64)>, String> {
        let moves = self.book.moves(position);
        let moves = moves.map_err(|error| format!("the book cannot be read: {error}"))?;
        let sum: f64 = moves.iter().map(|one| f64::from(one.weight)).sum();
        let share = |weight: u16| f64::from(weight) * 100.0 / sum.max(1.0);
        Ok(moves.iter().map(|one| (one.mv, share(one.weight))).collect())
    }

    /// A move of the position: one at random by the weights, or the heaviest. `None`: the book is left.
    pub fn pick(
        &mut self,
        position: &Position,
        best: bool,
        random: u64,
    ) -> Result<Option<Choice>, String> {
        let cannot = |error| format!("the book cannot be read: {error}");
        let moves = self.book.moves(position).map_err(cannot)?;
        let chosen = match best {
            true => polyglot::best(&moves),
            false => polyglot::choose(&moves, random),
        };
        let Some(mv) = chosen else { return Ok(None) };
        let sum: f64 = moves.iter().map(|one| f64::from(one.weight)).sum();
        let weight = moves.iter().find(|one| one.mv == mv).map_or(0.0, |one| f64::from(one.weight));
        let replies = self.book.moves(&position.make(mv)).map_err(cannot)?;
        Ok(Some(Choice { mv, share: weight * 100.0 / sum, reply: polyglot::best(&replies) }))
    }
}
