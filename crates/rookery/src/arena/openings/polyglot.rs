//! Openings drawn from a Polyglot book: lines whose moves are chosen by their weights (M19).

use super::Opening;
use board::Position;
use board::polyglot::{Book, choose};
use board::random::SplitMix;
use std::collections::HashSet;
use std::io::{Cursor, Read};

/// How long a line is unless something else is asked for.
pub const DEFAULT_PLIES: usize = 8;
/// Openings that are drawn at most; after them they come again.
const MOST_LINES: usize = 10_000;
/// After this number of known lines in a row the book holds hardly any others.
const MOST_REPETITIONS: usize = 1_000;

/// Draws lines of `plies` plies, none twice. The first ones are the same however many are drawn.
pub fn lines(
    mut file: impl Read,
    plies: usize,
    seed: u64,
    most: usize,
) -> Result<Vec<Opening>, String> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    let mut book = Book::open(Cursor::new(bytes)).map_err(|error| error.to_string())?;
    let mut random = SplitMix(seed);
    let (mut lines, mut seen, mut repetitions) = (Vec::new(), HashSet::new(), 0);
    while lines.len() < most.min(MOST_LINES) && repetitions < MOST_REPETITIONS {
        let (mut position, mut moves) = (Position::startpos(), Vec::new());
        while moves.len() < plies {
            let known = book.moves(&position).map_err(|error| error.to_string())?;
            let Some(mv) = choose(&known, random.next()) else { break };
            position.play(mv);
            moves.push(mv);
        }
        if moves.is_empty() {
            return Err(String::from("the book does not know the usual start"));
        }
        match seen.insert(position.key()) && position.outcome().is_none() {
            true => {
                repetitions = 0;
                lines.push(Opening { start: Position::startpos(), moves });
            }
            false => repetitions += 1,
        }
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOOK: &[u8] = include_bytes!("../../../../../testdata/polyglot/rodent_micro.bin");

    #[test]
    fn a_seed_draws_its_lines_and_none_twice() {
        let draw = |seed, most| lines(BOOK, 6, seed, most).expect("a book");
        let drawn = draw(1, 50);
        assert_eq!(drawn.len(), 50);
        assert_eq!(drawn[..20], draw(1, 20));
        assert_ne!(drawn[..20], draw(2, 20));
        let ends: HashSet<u64> = drawn.iter().map(|opening| opening.end().key()).collect();
        assert_eq!(ends.len(), 50);
        assert!(drawn.iter().all(|opening| (1..=6).contains(&opening.moves.len())));
    }

    #[test]
    fn a_small_book_has_few_lines_and_a_broken_one_none() {
        let drawn = lines(BOOK, 1, 1, 500).expect("a book");
        assert!((1..20).contains(&drawn.len()));
        assert!(lines(&b"12345"[..], 4, 1, 9).is_err());
        assert!(lines(&[][..], 4, 1, 9).is_err());
    }
}
