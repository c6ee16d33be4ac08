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
        Form::Fen => check_fen(&text),
        Form::Epd => check_epd(&text),
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

/// Strictly, and with repairs: what the strict reading takes needs none.
fn check_epd(text: &str) -> bool {
    match (Epd::parse(text), Epd::parse_repaired(text)) {
        (Ok(strict), repaired) => {
            assert_eq!(Epd::parse(&strict.to_string()).as_ref(), Ok(&strict), "read again");
            assert_eq!(repaired, Ok((strict.clone(), Vec::new())));
            accept(strict.position())
        }
        (Err(_), Ok((epd, repairs))) => {
            assert!(!repairs.is_empty());
            let again = Epd::parse_repaired(&epd.to_string()).map(|(again, _)| again);
            assert_eq!(again.as_ref(), Ok(&epd), "read again");
            accept(epd.position())
        }
        (Err(strict), Err(error)) => {
            refuse(&strict);
            refuse(&error)
        }
    }
}

/// The same for a FEN.
fn check_fen(text: &str) -> bool {
    match (Position::from_fen(text), Position::from_fen_repaired(text)) {
        (Ok(strict), repaired) => {
            assert_eq!(repaired, Ok((strict, Vec::new())));
            accept(&strict)
        }
        (Err(_), Ok((position, repairs))) => {
            assert!(!repairs.is_empty());
            for repair in repairs {
                refuse(&repair);
            }
            accept(&position)
        }
        (Err(strict), Err(error)) => {
            refuse(&strict);
            refuse(&error)
        }
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
    // A packed position may hold more men than the strict reading takes.
    let again = Position::from_fen_repaired(&position.fen()).map(|(position, _)| position);
    assert_eq!(again, Ok(*position));
    assert_eq!(position.flipped().flipped(), *position);
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
