//! `position`: setting up a position and playing moves from it.

use super::Console;
use crate::arguments::position::{play, split_moves};
use crate::castling;
use crate::session::{CommandError, refuse};
use board::fen::quote;
use board::{CastlingStyle, Position};
use std::io::Write;

impl Console {
    /// `startpos` or `fen FEN`, then perhaps `moves MOVE …`. Taken over only if all of it is right, or can
    /// be repaired without doubt; otherwise nothing is searched until the next one.
    pub(super) fn set_up(
        &mut self,
        words: &[&str],
        out: &mut impl Write,
    ) -> Result<(), CommandError> {
        let outcome = self.read_position(words, out);
        self.refused = outcome.is_err();
        outcome
    }

    /// `flip`: the same position with the colours exchanged, and without a past.
    pub(super) fn flip(&mut self) {
        self.position = self.position.flipped();
        self.history.clear();
    }

    fn read_position(&mut self, words: &[&str], out: &mut impl Write) -> Result<(), CommandError> {
        let (place, moves) = split_moves(words);
        let (start, style) = match place {
            ["startpos"] => (Position::startpos(), CastlingStyle::Standard),
            ["startpos", extra, ..] => {
                let found = quote(extra);
                return refuse(format!("position: expected moves after startpos, found {found}"));
            }
            ["fen", fields @ ..] => read_fen(fields, out)?,
            [other, ..] => {
                let found = quote(other);
                return refuse(format!("position: expected startpos or fen, found {found}"));
            }
            [] => return refuse("position: expected startpos or fen, found nothing"),
        };
        let played = play(start, moves);
        (self.position, self.history) =
            played.or_else(|reason| refuse(format!("position: {reason}")))?;
        self.style = style;
        Ok(())
    }
}

fn read_fen(
    fields: &[&str],
    out: &mut impl Write,
) -> Result<(Position, CastlingStyle), CommandError> {
    let fen = fields.join(" ");
    match Position::from_fen_repaired(&fen) {
        Ok((position, repairs)) => {
            for repair in repairs {
                writeln!(out, "info string position: {repair}")?;
            }
            Ok((position, castling::style(&fen, &position)))
        }
        Err(error) => refuse(format!("position: {error}")),
    }
}
