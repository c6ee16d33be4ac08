//! `rookery data show`: packed games as PGN.

use super::{open_games, wrong};
use crate::arguments::DataShowArguments;
use crate::counted::counted;
use crate::failure::Failure;
use board::pgn::{self, NodeId, PgnWriter};
use eval::score::{MATE, is_mate};
use lab::data::{Game, Outcome};
use std::io::Write;
use std::process::ExitCode;

/// Runs the command.
pub fn run(arguments: &DataShowArguments, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let path = &arguments.file;
    let mut reader = open_games(path)?;
    let mut writer = PgnWriter::new(&mut *out);
    let (mut number, last) = (0, arguments.from.saturating_add(arguments.count));
    while let Some(block) = reader.next_block().map_err(|error| wrong(path, &error.text()))? {
        if number + block.count() < arguments.from {
            number += block.count();
            continue;
        }
        for game in block.games().map_err(|reason| wrong(path, &reason))? {
            number += 1;
            if number >= last {
                return Ok(ExitCode::SUCCESS);
            }
            if number >= arguments.from {
                writer.write(&to_pgn(&game, number))?;
            }
        }
    }
    match number < arguments.from {
        true => Err(wrong(path, &format!("has only {}", counted(number, "game")))),
        false => Ok(ExitCode::SUCCESS),
    }
}

fn to_pgn(game: &Game, number: u64) -> pgn::Game {
    let mut written = pgn::Game::new(game.start);
    written.tags.set("Event", "training data");
    written.tags.set("Round", &number.to_string());
    written.result = match game.outcome {
        Outcome::White => pgn::Outcome::White,
        Outcome::Black => pgn::Outcome::Black,
        Outcome::Draw => pgn::Outcome::Draw,
        Outcome::Unknown => pgn::Outcome::Unknown,
    };
    let mut at = NodeId::ROOT;
    for ply in &game.plies {
        let Some(next) = written.add(at, ply.mv) else { break };
        at = next;
        if let Some(score) = ply.score {
            written.notes_mut(at).comments.push(format!("{}/0", score_text(score)));
        }
    }
    written
}

/// A score as matches write it, so that it can be imported again: `+0.35`, `-M4`.
fn score_text(score: i16) -> String {
    let plies = MATE - score.saturating_abs();
    match (is_mate(score), score > 0) {
        (true, true) => format!("+M{}", (plies + 1) / 2),
        (true, false) => format!("-M{}", plies / 2),
        _ => format!("{:+.2}", f64::from(score) / 100.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eval::score::{mate_in, mated_in};

    #[test]
    fn scores_are_written_as_matches_write_them() {
        let cases = [
            (35, "+0.35"),
            (-1200, "-12.00"),
            (mate_in(3), "+M2"),
            (mated_in(4), "-M2"),
            (0, "+0.00"),
        ];
        for (score, text) in cases {
            assert_eq!(score_text(score), text);
        }
    }
}
