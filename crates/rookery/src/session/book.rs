//! The opening book in the console: `OwnBook`, `BookFile` and what belongs to them (M33).

use super::strength::random;
use super::{CommandError, GoRequest, Session, refuse};
use crate::book::{Choice, OwnBook};
use crate::counted::counted;
use board::random::SplitMix;
use board::{Move, Position};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The book, if one is open, and the dice that choose from it.
pub struct Shelf {
    book: Option<OwnBook>,
    path: PathBuf,
    random: SplitMix,
}

impl Default for Shelf {
    /// No book. The dice fall differently in every session, as openings should.
    fn default() -> Shelf {
        Shelf { book: None, path: PathBuf::new(), random: random(0) }
    }
}

impl Shelf {
    /// The file of the book, if one is open.
    pub fn path(&self) -> Option<&Path> {
        self.book.as_ref().map(|_| self.path.as_path())
    }
}

impl Session {
    /// `BookFile`: opens a book in place of the old one; no name closes it.
    pub fn set_book(&mut self, path: &str, out: &mut impl Write) -> Result<(), CommandError> {
        if path.is_empty() {
            self.book.book = None;
            return Ok(());
        }
        match OwnBook::open(Path::new(path)) {
            Ok(book) => {
                writeln!(out, "info string book {path:?}: {}", counted(book.len(), "entry"))?;
                (self.book.book, self.book.path) = (Some(book), path.into());
                Ok(())
            }
            Err(reason) => refuse(format!("setoption: BookFile: {reason}")),
        }
    }

    /// `BookSeed`: the same moves of the book in every session; 0: others each time.
    pub fn seed_book(&mut self, seed: u64) {
        self.book.random = random(seed);
    }

    /// The book's moves with their shares in percent, if a book is open.
    pub fn book_moves(&mut self, position: &Position) -> Option<Result<Vec<(Move, f64)>, String>> {
        self.book.book.as_mut().map(|book| book.moves(position))
    }

    /// The book's answer, if it has one. An analysis, or the search for a mate, does not ask it.
    pub(super) fn book_move(
        &mut self,
        position: &Position,
        request: &GoRequest,
    ) -> Result<Option<Choice>, CommandError> {
        let options = &self.options;
        let wanted = options.own_book && !options.analyse_mode && !request.is_analysis();
        let number = i64::from(position.fullmove_number());
        let Some(book) = self.book.book.as_mut().filter(|_| wanted && number <= options.book_depth)
        else {
            return Ok(None);
        };
        let random = self.book.random.next();
        let choice = match book.pick(position, options.best_book_move, random) {
            Ok(choice) => choice,
            Err(reason) => {
                // The game goes on without it.
                self.output.line(format_args!("info string error {reason}"))?;
                None
            }
        };
        let moves = &request.limits.root_moves;
        Ok(choice.filter(|choice| moves.is_empty() || moves.contains(&choice.mv)))
    }
}
