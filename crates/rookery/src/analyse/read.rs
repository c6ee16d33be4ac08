//! What single games and records of the input become.

use super::source::{InputError, Work};
use crate::input;
use crate::lines::{self, Line};
use board::Epd;
use board::fen::{Repair, quote};
use board::pgn::{Fragment, Game, PgnError};
use files::Digest;
use std::io::BufRead;

/// A broken game as far as it is good, with a comment that says where it stops. Nothing is left of one
/// whose tags are broken, nor of what has neither tags nor moves.
pub fn keep(name: &str, part: Fragment, digest: &mut Digest) -> Result<Work, InputError> {
    let Fragment { mut game, end, is_in_moves, error } = part;
    let reason = match describe(name, &error) {
        InputError::Broken(reason) => reason,
        error => return Err(error),
    };
    let has_content = game.move_count() > 0 || game.tags.iter().next().is_some();
    if !is_in_moves || !has_content {
        return Err(InputError::Broken(reason));
    }
    add_game(digest, &game);
    let (line, what) = (error.line(), error.reason());
    let token = match error.token() {
        "" => String::new(),
        token => format!(", {}", quote(token)),
    };
    let comment = format!("the game stops here: line {line}{token}: {what}");
    game.notes_mut(end).comments.push(comment);
    Ok(Work::Game(Box::new(game), Some(reason)))
}

fn describe(name: &str, error: &PgnError) -> InputError {
    match error.io_error() {
        Some(error) => InputError::Input(input::unreadable(name, error)),
        None => InputError::Broken(input::broken_game(name, error)),
    }
}

/// The next record. Empty lines and lines that begin with `#` are passed over.
pub fn next_record(
    name: &str,
    text: &mut impl BufRead,
    buffer: &mut Vec<u8>,
    number: &mut u64,
) -> Option<Result<(Epd, Vec<Repair>), InputError>> {
    loop {
        *number += 1;
        match lines::read(text, buffer) {
            Ok(Line::End) => return None,
            Ok(Line::TooLong) => {
                let reason = format!("longer than {} bytes", lines::LONGEST);
                return Some(Err(InputError::Broken(reason)));
            }
            Ok(Line::Whole) => (),
            Err(error) => return Some(Err(InputError::Input(input::unreadable(name, &error)))),
        }
        let text = String::from_utf8_lossy(buffer);
        let text = text.trim_start_matches('\u{feff}').trim();
        if !text.is_empty() && !text.starts_with('#') {
            let record = Epd::parse_repaired(text);
            return Some(record.map_err(|error| InputError::Broken(error.to_string())));
        }
    }
}

/// Adds the tags and the moves of the main line.
pub fn add_game(digest: &mut Digest, game: &Game) {
    for (name, value) in game.tags.iter() {
        digest.add(name.as_bytes());
        digest.add(value.as_bytes());
    }
    game.main_line().for_each(|mv| digest.add(&mv.bits().to_le_bytes()));
}
