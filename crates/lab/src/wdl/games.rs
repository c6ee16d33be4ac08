//! Samples from games with evaluations: the comments that `rookery match` writes behind moves, or packed
//! games of `rookery datagen`.

use super::Sample;
use crate::data::file::Problem;
use crate::data::{self, GamesReader};
use board::Color;
use board::pgn::{Game, Games, NodeId, Outcome};
use eval::chances::material;
use std::io::Read;

/// Scores beyond this, in centipawns, are as good as decided and say nothing about the slope.
const LARGEST_SCORE: f64 = 1500.0;

/// What a file held.
#[derive(Debug, Default)]
pub struct Reading {
    /// The samples.
    pub samples: Vec<Sample>,
    /// Games with a result.
    pub games: u64,
    /// Games that could not be used, and why the first could not.
    pub skipped: u64,
    /// The reason.
    pub first_reason: Option<String>,
}

/// Reads the games of a stream. With `engine` only that player's scores count.
pub fn read(input: impl Read, engine: Option<&str>, reading: &mut Reading) {
    for game in Games::new(input) {
        let problem = match game {
            Ok(game) if game.result == Outcome::Unknown => "a game has no result".to_owned(),
            Ok(game) => {
                reading.games += 1;
                take(&game, engine, &mut reading.samples);
                continue;
            }
            Err(error) => error.to_string(),
        };
        reading.skipped += 1;
        reading.first_reason.get_or_insert(problem);
    }
}

/// Reads packed games, of which both players' scores count; or says why it cannot.
pub fn read_packed(input: impl Read, reading: &mut Reading) -> Result<(), String> {
    let mut blocks = GamesReader::new(input)?;
    while let Some(block) = blocks.next_block().map_err(Problem::text)? {
        for game in block.games()? {
            if game.outcome == data::Outcome::Unknown {
                reading.skipped += 1;
                reading.first_reason.get_or_insert("a game has no result".to_owned());
                continue;
            }
            reading.games += 1;
            let mut position = game.start;
            for ply in &game.plies {
                let result = game.outcome.for_side(position.side_to_move());
                let score = ply.score.map(f64::from).filter(|score| score.abs() <= LARGEST_SCORE);
                let sample = |score| Sample { score, material: material(&position), result };
                reading.samples.extend(score.map(sample));
                position.play(ply.mv);
            }
        }
    }
    Ok(())
}

fn take(game: &Game, engine: Option<&str>, samples: &mut Vec<Sample>) {
    let counts = |color| {
        let tag = if color == Color::White { "White" } else { "Black" };
        engine.is_none_or(|name| game.tags.get(tag) == Some(name))
    };
    let (mut position, mut at) = (*game.start(), NodeId::ROOT);
    while let Some(next) = game.children(at).next() {
        let (mv, side) = (game.mv(next), position.side_to_move());
        let comments = game.notes(next).map_or(&[][..], |notes| &notes.comments);
        let score = comments.iter().find_map(|comment| score_of(comment));
        if let Some(score) = score.filter(|score| score.abs() <= LARGEST_SCORE && counts(side)) {
            let result = match (game.result, side) {
                (Outcome::White, Color::White) | (Outcome::Black, Color::Black) => 2,
                (Outcome::Draw, _) => 1,
                _ => 0,
            };
            samples.push(Sample { score, material: material(&position), result });
        }
        if !position.is_legal(mv) {
            return;
        }
        (position, at) = (position.make(mv), next);
    }
}

/// The score of a comment such as `+0.70/10 0.018s`, in centipawns; mates have none.
fn score_of(comment: &str) -> Option<f64> {
    let (score, _) = comment.split_once('/')?;
    score.trim().parse::<f64>().ok().map(|pawns| pawns * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAMES: &str = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 {+0.50/9 0.1s} e5 {-0.25/8 0.1s} \
        2. Nf3 {+M7/20 0.1s} 1-0\n\n1. d4 {+0.10/9 0.1s} *\n";

    #[test]
    fn scores_and_results_are_those_of_the_side_that_moved() {
        let mut reading = Reading::default();
        read(GAMES.as_bytes(), None, &mut reading);
        let found: Vec<(f64, u8)> =
            reading.samples.iter().map(|sample| (sample.score, sample.result)).collect();
        assert_eq!(found, [(50.0, 2), (-25.0, 0)]);
        assert_eq!((reading.games, reading.skipped), (1, 1));
    }

    #[test]
    fn packed_games_give_the_same_samples() {
        let start = board::Position::startpos();
        let ply = |mv: &board::Move, score| data::Ply { mv: *mv, score };
        let (moves, reply) =
            (start.legal_moves(), start.make(start.legal_moves()[0]).legal_moves());
        let plies = vec![ply(&moves[0], Some(50)), ply(&reply[0], Some(-25))];
        let won = data::Game { start, outcome: data::Outcome::White, plies };
        let unknown = data::Game { outcome: data::Outcome::Unknown, ..won.clone() };
        let mut bytes = data::file::header("a test");
        bytes.extend(data::file::pack_block(&[won, unknown]));
        let mut reading = Reading::default();
        assert_eq!(read_packed(&bytes[..], &mut reading), Ok(()));
        let found: Vec<(f64, u8)> =
            reading.samples.iter().map(|sample| (sample.score, sample.result)).collect();
        assert_eq!(found, [(50.0, 2), (-25.0, 0)]);
        assert_eq!((reading.games, reading.skipped), (1, 1));
        assert!(read_packed(&bytes[..bytes.len() - 1], &mut reading).is_err());
    }

    #[test]
    fn one_engine_can_be_asked_for() {
        let mut reading = Reading::default();
        read(GAMES.as_bytes(), Some("B"), &mut reading);
        assert_eq!(reading.samples.len(), 1);
        assert!(reading.samples[0].score < 0.0 && reading.samples[0].material == 1.0);
    }
}
