//! The reader: one game after the other from any stream of bytes, told to a visitor.

use super::PgnError;
use super::parser::Parser;
use super::source::Source;
use super::visitor::Visitor;
use std::io::Read;

/// How much memory a reader may use, whatever the input is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The longest comment and the longest tag, in bytes. A game with a longer one is broken.
    pub token: usize,
    /// The memory of one game in [`Games`](super::Games), in bytes, about. A larger game is broken.
    pub game: usize,
}

impl Default for Limits {
    /// 1 MiB for a token, 64 MiB for a game.
    fn default() -> Limits {
        Limits { token: 1 << 20, game: 64 << 20 }
    }
}

/// Reads PGN from a stream.
///
/// It never seeks, keeps its own buffer (give it a `File` or a pipe as it is), and needs as much
/// memory as the longest token, at most a small multiple of [`Limits::token`].
///
/// ```
/// use board::pgn::{Reader, Visited, Visitor};
///
/// #[derive(Default)]
/// struct Count(usize);
/// impl Visitor for Count {
///     fn san(&mut self, _token: &[u8]) -> Visited {
///         self.0 += 1;
///         Ok(())
///     }
/// }
///
/// let text = "[Event \"?\"]\n\n1. e4 e5 2. Nf3! (2. f4) 2... Nc6 *\n";
/// let mut reader = Reader::new(text.as_bytes());
/// let mut count = Count::default();
/// while let Some(game) = reader.read_game(&mut count) {
///     game.unwrap();
/// }
/// assert_eq!(count.0, 5);
/// ```
pub struct Reader<R> {
    source: Source<R>,
    limits: Limits,
    games: u64,
    is_done: bool,
}

impl<R: Read> Reader<R> {
    /// A reader with the default limits.
    pub fn new(input: R) -> Reader<R> {
        Reader::with_limits(input, Limits::default())
    }

    /// A reader with other limits.
    pub fn with_limits(input: R, limits: Limits) -> Reader<R> {
        Reader { source: Source::new(input), limits, games: 0, is_done: false }
    }

    /// How many games have been read, broken ones among them.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Reads the next game. `None`: there are no more.
    ///
    /// A broken game is an error, and the next call goes on with the game after it. After an error of
    /// the input itself there are no more games.
    pub fn read_game<V: Visitor>(&mut self, visitor: &mut V) -> Option<Result<(), PgnError>> {
        if self.is_done {
            return None;
        }
        let number = self.games + 1;
        let game = Parser::new(&mut self.source, visitor, self.limits.token, number).game();
        if let Some(failure) = self.source.take_failure() {
            self.is_done = true;
            return Some(Err(PgnError::from_io(number, self.source.line(0), failure)));
        }
        self.is_done = game.is_none();
        self.games += u64::from(game.is_some());
        if let Some(Ok(())) = game {
            visitor.end_game();
        }
        game
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_buffer_stays_small_whatever_comes() {
        struct Silent;
        impl Visitor for Silent {}
        let limits = Limits { token: 1 << 17, ..Limits::default() };
        let long = std::io::repeat(b'x').take(2 << 20);
        let mut reader = Reader::with_limits((&b"1. e4 {"[..]).chain(long), limits);
        assert!(reader.read_game(&mut Silent).is_some_and(|game| game.is_err()));
        assert!(reader.source.buffer_size() <= 4 * limits.token);
    }
}
