//! What must hold for every input, whatever it is.

use crate::Form;
use board::perft::{perft, perft_playing_all};
use board::pgn::{Games, replay};
use board::{CastlingStyle, Epd, Packed, Position};
use std::fmt::Display;

/// Reads an input as what it pretends to be; whether (a part of) it was accepted.
pub fn check(form: Form, position: &Position, input: &[u8]) -> bool {
    let text = String::from_utf8_lossy(input);
    match form {
        Form::Fen => match Position::from_fen(&text) {
            Ok(position) => accept(&position),
            Err(error) => refuse(&error),
        },
        Form::Epd => match Epd::parse(&text) {
            Ok(epd) => {
                assert_eq!(Epd::parse(&epd.to_string()), Ok(epd.clone()), "written and read again");
                accept(epd.position())
            }
            Err(error) => refuse(&error),
        },
        Form::Pgn => check_pgn(input),
        Form::Coordinates => match position.parse_uci(&text) {
            Ok(mv) => {
                assert!(position.is_legal(mv));
                assert_eq!(position.parse_uci(&mv.uci(CastlingStyle::Chess960)), Ok(mv));
                accept(&position.make(mv))
            }
            Err(error) => refuse(&error),
        },
        Form::San => match position.parse_san(input) {
            Ok(mv) => {
                assert!(position.is_legal(mv));
                assert_eq!(position.parse_san(position.san(mv).as_bytes()), Ok(mv));
                accept(&position.make(mv))
            }
            Err(error) => refuse(&error.explain(input, position)),
        },
        Form::Packed => check_packed(input),
    }
}

fn check_pgn(input: &[u8]) -> bool {
    let mut accepted = false;
    for game in Games::new(input) {
        match game {
            Ok(game) => {
                let text = game.to_string();
                let again = Games::new(text.as_bytes()).next();
                let same = again.is_some_and(|again| {
                    again.is_ok_and(|again| again.main_line().eq(game.main_line()))
                });
                assert!(same, "written and read again: {text}");
                accepted = true;
            }
            Err(error) => {
                refuse(&error);
            }
        }
    }
    replay(input);
    accepted
}

fn check_packed(input: &[u8]) -> bool {
    let mut bytes = [0; Packed::SIZE];
    for (slot, &byte) in bytes.iter_mut().zip(input) {
        *slot = byte;
    }
    let packed = Packed::from_bytes(bytes);
    match packed.unpack() {
        Ok(position) => {
            assert_eq!(position.pack(), packed);
            accept(&position)
        }
        Err(error) => refuse(&error),
    }
}

/// An accepted position keeps every invariant and can be played on.
fn accept(position: &Position) -> bool {
    assert!(position.is_consistent());
    assert_eq!(Position::from_fen(&position.fen()), Ok(*position));
    assert_eq!(position.pack().unpack(), Ok(*position));
    let moves = position.legal_moves();
    assert_eq!(perft(position, 1), moves.len() as u64);
    assert_eq!(perft(position, 2), perft_playing_all(position, 2));
    for mv in &moves {
        let next = position.make(mv);
        assert!(next.is_consistent(), "{mv:?}");
        let exchange = position.see(mv);
        assert!(position.see_at_least(mv, exchange) && !position.see_at_least(mv, exchange + 1));
        assert_eq!(position.parse_san(position.san(mv).as_bytes()), Ok(mv));
    }
    if !position.in_check() {
        assert!(position.make_null().is_consistent());
    }
    let _ = position.outcome();
    true
}

/// An error is one line that says something.
fn refuse(error: &impl Display) -> bool {
    let text = error.to_string();
    let is_one_line = !text.is_empty() && !text.contains(char::is_control);
    assert!(is_one_line, "not one line of text: {text:?}");
    false
}
