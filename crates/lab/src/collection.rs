//! A collection of games of any size, for measuring what reads them.
//!
//! The games of a small collection are repeated: each copy has tags of its own, clocks and some words
//! after its moves, and ends after a random share of them. The same arguments give the same bytes.

use board::pgn::{Game, Games};
use board::random::SplitMix;
use board::{Color, Position};
use files::Replacement;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// What comments are made of.
const WORDS: [&str; 16] = [
    "the", "knight", "takes", "aim", "at", "f7", "and", "Black", "must", "give", "a", "pawn", "or",
    "lose", "his", "centre",
];

/// A game that is repeated: its players and its moves in SAN with their numbers.
struct Model {
    white: String,
    black: String,
    moves: Vec<String>,
}

/// How large a collection became.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Games.
    pub games: u64,
    /// Bytes.
    pub bytes: u64,
}

/// Writes a collection of at least this many megabytes, of games of another one, with `words` words
/// after each move.
pub fn write(from: &Path, out: &Path, megabytes: u64, words: u64) -> Result<Size, String> {
    let models = read(from)?;
    let fail = |error: io::Error| format!("cannot write {}: {error}", out.display());
    let file = Replacement::create(out).map_err(fail)?;
    let mut output = BufWriter::with_capacity(1 << 20, file);
    let mut random = SplitMix(0x0052_6f6f_6b65_7279);
    let mut size = Size { games: 0, bytes: 0 };
    let mut text = String::new();
    while size.bytes < megabytes << 20 {
        let model = &models[size.games as usize % models.len()];
        text.clear();
        model.write(size.games, words, &mut random, &mut text);
        output.write_all(text.as_bytes()).map_err(fail)?;
        size.games += 1;
        size.bytes += text.len() as u64;
    }
    let written = output.into_inner().map_err(io::IntoInnerError::into_error);
    written.and_then(Replacement::commit).map_err(fail)?;
    Ok(size)
}

/// The whole games of a collection that begin as usual.
fn read(from: &Path) -> Result<Vec<Model>, String> {
    let fail = |reason: String| format!("{}: {reason}", from.display());
    let file = File::open(from).map_err(|error| fail(error.to_string()))?;
    let games = Games::new(file).flatten();
    let usual = games.filter(|game| *game.start() == Position::startpos());
    let models: Vec<Model> = usual.map(|game| Model::new(&game)).collect();
    if models.is_empty() { Err(fail("it has no games".to_owned())) } else { Ok(models) }
}

impl Model {
    fn new(game: &Game) -> Model {
        let name = |tag| game.tags.get(tag).unwrap_or("?").replace(['"', '\\'], "");
        let mut position = *game.start();
        let moves = game.main_line().take_while(|mv| !mv.is_none()).map(|mv| {
            let number = position.fullmove_number();
            let san = position.san(mv);
            let text = match position.side_to_move() {
                Color::White => format!("{number}. {san}"),
                Color::Black => format!("{number}... {san}"),
            };
            position.play(mv);
            text
        });
        Model { white: name("White"), black: name("Black"), moves: moves.collect() }
    }

    /// A copy of the game, up to half of it left out.
    fn write(&self, number: u64, words: u64, random: &mut SplitMix, text: &mut String) {
        let half = self.moves.len() / 2;
        let length = self.moves.len() - random.below(half as u64 + 1) as usize;
        let result = ["1-0", "0-1", "1/2-1/2", "*"][random.below(4) as usize];
        let (white, black) = (&self.white, &self.black);
        let (day, rating) = (1 + number % 28, 1800 + random.below(1000));
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "[Event \"Copy {number}\"]\n[Site \"?\"]\n[Date \"2024.01.{day:02}\"]\n\
             [Round \"{number}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\
             [WhiteElo \"{rating}\"]\n\n"
        );
        let mut clocks = [5400, 5400];
        for (index, mv) in self.moves.iter().take(length).enumerate() {
            let clock = &mut clocks[index % 2];
            *clock = (*clock - random.below(120) as i64).max(1);
            let (hours, minutes, seconds) = (*clock / 3600, *clock / 60 % 60, *clock % 60);
            let _ = write!(text, "{mv} {{[%clk {hours}:{minutes:02}:{seconds:02}]");
            for word in 0..words {
                text.push(if word % 12 == 11 { '\n' } else { ' ' });
                text.push_str(WORDS[random.below(WORDS.len() as u64) as usize]);
            }
            text.push_str("}\n");
        }
        let _ = write!(text, "{result}\n\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_whole_games_and_differ() {
        let game = Games::new(&b"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *"[..]).next();
        let model = Model::new(&game.expect("a game").expect("a whole one"));
        let (mut random, mut text) = (SplitMix(7), String::new());
        (0..20).for_each(|number| model.write(number, number, &mut random, &mut text));
        let games: Vec<Game> =
            Games::new(text.as_bytes()).map(|game| game.expect("whole")).collect();
        assert_eq!(games.len(), 20);
        let lengths: Vec<usize> = games.iter().map(Game::move_count).collect();
        assert!(lengths.contains(&3) && lengths.contains(&6), "{lengths:?}");
    }
}
