//! The positions of a reference: one or more of each game, in any order; or those of a list as they are.

use crate::analyse::{Format, stream};
use crate::input::{Place, broken_game, tell_repairs, unreadable};
use crate::lines::{self, Line};
use board::pgn::Games;
use board::random::SplitMix;
use board::{Epd, Position};
use std::collections::HashSet;
use std::io::{BufReader, Read};

/// What was taken from the inputs.
#[derive(Default)]
pub struct Sample {
    pub positions: Vec<Position>,
    /// Games and lines that could not be read, and what is wrong with the first.
    pub broken: u64,
    pub first_broken: Option<String>,
    games: u64,
}

/// Which positions of games are taken.
#[derive(Clone, Copy)]
pub struct Choice {
    pub seed: u64,
    /// Moves at the beginning that are left out.
    pub after: u16,
    /// Positions of each game, at most.
    pub per_game: u16,
}

impl Sample {
    /// Takes positions from files. They are shuffled where any came from games; a position is taken once.
    pub fn read(words: &[String], choice: Choice) -> Result<Sample, String> {
        let mut sample = Sample::default();
        for word in words {
            let opened = stream::open(word, Format::Auto, &Place::default())?;
            match opened.format {
                Format::Epd => sample.add_list(&opened.name, opened.input)?,
                Format::Pgn | Format::Auto => {
                    sample.add_games(&opened.name, opened.input, choice)?;
                }
            }
        }
        if sample.games > 0 {
            SplitMix(choice.seed).shuffle(&mut sample.positions);
        }
        let mut seen = HashSet::new();
        sample.positions.retain(|position| seen.insert(position.key()));
        Ok(sample)
    }

    /// Some positions of each game, by its number and the seed alone.
    fn add_games(&mut self, name: &str, input: impl Read, choice: Choice) -> Result<(), String> {
        let mut games = Games::new(input);
        while let Some(part) = games.next_part() {
            self.games += 1;
            let game = match part {
                Ok(game) => game,
                Err(fragment) => match fragment.error.io_error() {
                    Some(error) => return Err(unreadable(name, error)),
                    None => {
                        self.note_broken(|| broken_game(name, &fragment.error));
                        continue;
                    }
                },
            };
            let (mut position, mut fit) = (*game.start(), Vec::new());
            for mv in game.main_line() {
                if position.fullmove_number() > choice.after && has_choice(&position) {
                    fit.push(position);
                }
                position.play(mv);
            }
            let mut random = SplitMix::stream(choice.seed, self.games);
            for _ in 0..usize::from(choice.per_game).min(fit.len()) {
                self.positions.push(fit.swap_remove(random.below(fit.len() as u64) as usize));
            }
        }
        Ok(())
    }

    fn note_broken(&mut self, reason: impl FnOnce() -> String) {
        self.broken += 1;
        self.first_broken.get_or_insert_with(reason);
    }

    fn add_list(&mut self, name: &str, input: impl Read) -> Result<(), String> {
        let (mut input, mut buffer) = (BufReader::new(input), Vec::new());
        for number in 1_u64.. {
            let cannot = |error| unreadable(name, &error);
            let line = lines::read(&mut input, &mut buffer).map_err(cannot)?;
            let text = String::from_utf8_lossy(&buffer);
            let text = text.trim();
            match line {
                Line::End => return Ok(()),
                Line::Whole if text.is_empty() || text.starts_with('#') => (),
                Line::Whole => {
                    let read = lines::check_end(text)
                        .and_then(|()| Epd::scan_repaired(text).map_err(|error| error.to_string()));
                    match read {
                        Ok(((position, _), repairs)) => {
                            tell_repairs(&format!("{name}, line {number}"), &repairs);
                            self.positions.extend(Some(position).filter(has_choice));
                        }
                        Err(reason) => {
                            self.note_broken(|| format!("{name}, line {number}: {reason}"));
                        }
                    }
                }
                Line::TooLong => {
                    let longest = lines::LONGEST;
                    self.note_broken(|| {
                        format!("{name}, line {number}: longer than {longest} bytes")
                    });
                }
            }
        }
        Ok(())
    }
}

fn has_choice(position: &Position) -> bool {
    position.legal_moves().len() > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAMES: &str = "[White \"a\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 1-0\n\n\
        [White \"b\"]\n\n1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 0-1\n\n\
        [White \"c\"]\n\n1. c4 1-0\n\n[White \"d\"]\n\n1. e4 e5 2. Ke5 *\n";

    fn sample(seed: u64, per_game: u16) -> Sample {
        let mut sample = Sample::default();
        let choice = Choice { seed, after: 2, per_game };
        sample.add_games("games", GAMES.as_bytes(), choice).expect("memory is always readable");
        sample
    }

    #[test]
    fn one_position_of_each_game_is_taken_after_the_opening() {
        let Sample { positions, broken, games, first_broken } = sample(1, 1);
        assert!(first_broken.is_some_and(|first| first.starts_with("games, game 4, ")));
        assert_eq!((positions.len(), broken, games), (2, 1, 4));
        assert!(positions.iter().all(|position| position.fullmove_number() > 2));
        assert_eq!(positions, sample(1, 1).positions, "a seed gives one sample");
        let other = (2..20).find(|&seed| sample(seed, 1).positions != positions);
        assert!(other.is_some(), "another seed gives another one");
        // Four half-moves of two games are behind the opening; no position is taken twice.
        let mut keys: Vec<_> = sample(1, 9).positions.iter().map(Position::key).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!((sample(1, 3).positions.len(), keys.len()), (6, 8));
        let more = sample(1, 3).positions;
        assert!(
            positions.iter().all(|position| more.contains(position)),
            "one of each is among them"
        );
    }

    #[test]
    fn a_list_is_taken_as_it_is_but_for_what_leaves_no_choice() {
        let list = "# a comment\n4k3/8/8/8/8/8/8/4K2R w K - 0 30\nnonsense\n\n\
            7k/5K2/8/8/8/8/8/6R1 b - - 0 1\n8/8/8/8/8/2k5/8/K6R w - - id \"x\";\n";
        let mut sample = Sample::default();
        sample.add_list("a list", list.as_bytes()).expect("memory is always readable");
        assert_eq!((sample.positions.len(), sample.broken), (2, 1));
    }
}
