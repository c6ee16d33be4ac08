//! The arguments of `go`.

use crate::session::GoRequest;
use board::fen::quote;
use board::{Color, Move, Position};
use search::time::Clock;
use std::num::IntErrorKind;

/// The words that `go` understands.
const WORDS: [&str; 12] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
];

/// Reads the words after `go`, and says what is wrong with them first. Where one is given twice, the last
/// counts.
///
/// Whatever stands there is answered, as an interface may wait for `bestmove` for ever: what cannot be
/// understood is passed over. Where no limit is left then, one iteration is searched, as a limit that is
/// misspelt would make the search endless.
pub fn read(mut words: &[&str], position: &Position) -> (GoRequest, Option<String>) {
    let (mut go, mut clock) = (GoRequest::default(), Clock::default());
    let (ours, increment) = match position.side_to_move() {
        Color::White => ("wtime", "winc"),
        Color::Black => ("btime", "binc"),
    };
    let (mut has_clock, mut has_our_time, mut fault) = (false, false, None);
    while let Some((&word, rest)) = words.split_first() {
        words = rest;
        match word {
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "searchmoves" => {
                words = read_moves(words, position, &mut go.limits.root_moves, &mut fault);
            }
            _ if !WORDS.contains(&word) => {
                note(&mut fault, || format!("unknown word {}", quote(word)))
            }
            _ => {
                let Some(number) = read_number(word, &mut words, &mut fault) else { continue };
                match word {
                    "depth" => go.limits.depth = Some(at_least_one(number)),
                    "mate" => go.limits.mate = Some(at_least_one(number)),
                    "nodes" => go.limits.nodes = Some(number.max(1).unsigned_abs()),
                    "movetime" => go.move_time_ms = Some(number),
                    "movestogo" => {
                        clock.moves_to_go = u32::try_from(number).ok().filter(|&moves| moves > 0);
                    }
                    word if word == ours => (clock.remaining_ms, has_our_time) = (number, true),
                    word => {
                        // The opponent's time does not count, but a clock runs.
                        has_clock = true;
                        if word == increment {
                            clock.increment_ms = number;
                        }
                    }
                }
            }
        }
    }
    go.clock = has_our_time.then_some(clock);
    if !go.is_bounded() && go.limits.mate.is_none() && !go.infinite {
        if has_clock {
            note(&mut fault, || format!("{ours} is missing"));
        }
        match fault {
            Some(_) => go.limits.depth = Some(1),
            None => go.infinite = true,
        }
    }
    (go, fault)
}

/// What is wrong with a `go`: a person who gave it as arguments can mend it.
pub fn check(words: &[&str], position: &Position) -> Result<(), String> {
    read(words.get(1..).unwrap_or_default(), position).1.map_or(Ok(()), Err)
}

/// Keeps what is wrong, where nothing was before.
fn note(fault: &mut Option<String>, what: impl FnOnce() -> String) {
    fault.get_or_insert_with(|| format!("go: {}", what()));
}

/// Reads the moves up to the next word that is none; the words behind them. Without a legal move among
/// them, all moves are searched.
fn read_moves<'a, 'b>(
    words: &'a [&'b str],
    position: &Position,
    moves: &mut Vec<Move>,
    fault: &mut Option<String>,
) -> &'a [&'b str] {
    moves.clear();
    let end = words.iter().position(|word| WORDS.contains(word)).unwrap_or(words.len());
    let (texts, rest) = words.split_at(end);
    if texts.is_empty() {
        note(fault, || "searchmoves: the moves are missing".to_owned());
    }
    for text in texts {
        match position.parse_uci(text) {
            Ok(mv) if moves.contains(&mv) => (),
            Ok(mv) => moves.push(mv),
            Err(error) => note(fault, || format!("searchmoves: {error}")),
        }
    }
    rest
}

/// Takes the number after a word; one that is too large for us is the largest.
fn read_number(word: &str, words: &mut &[&str], fault: &mut Option<String>) -> Option<i64> {
    let Some((text, rest)) = words.split_first().filter(|(text, _)| !WORDS.contains(text)) else {
        note(fault, || format!("the number after {word} is missing"));
        return None;
    };
    *words = rest;
    match text.parse::<i64>().map_err(|error| *error.kind()) {
        Ok(number) => Some(number),
        Err(IntErrorKind::PosOverflow) => Some(i64::MAX),
        Err(IntErrorKind::NegOverflow) => Some(i64::MIN),
        Err(_) => {
            note(fault, || format!("{word} {} is not a number", quote(text)));
            None
        }
    }
}

/// A number of plies or moves; more than 32 bits hold is as good as no limit.
fn at_least_one(number: i64) -> i32 {
    i32::try_from(number.max(1)).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_line(line: &str) -> (GoRequest, Option<String>) {
        let words: Vec<&str> = line.split_whitespace().collect();
        read(&words, &Position::startpos())
    }

    fn read_well(line: &str) -> GoRequest {
        let (go, fault) = read_line(line);
        assert_eq!(fault, None, "{line}");
        go
    }

    #[test]
    fn every_argument_is_understood() {
        let line = "searchmoves e2e4 d2d4 e2e4 ponder wtime -5 btime 7 winc 3 binc 4 movestogo 9 \
                    depth 12 nodes 0 mate 99999999999 movetime 50";
        let go = read_well(line);
        assert_eq!(go.limits.root_moves.len(), 2);
        assert_eq!((go.limits.depth, go.limits.nodes), (Some(12), Some(1)));
        assert_eq!((go.limits.mate, go.move_time_ms), (Some(i32::MAX), Some(50)));
        let clock = Clock { remaining_ms: -5, increment_ms: 3, moves_to_go: Some(9) };
        assert_eq!((go.clock, go.ponder, go.infinite), (Some(clock), true, false));
    }

    #[test]
    fn numbers_out_of_range_are_the_nearest_that_make_sense() {
        for (line, depth) in [("depth 0", 1), ("depth -3", 1), ("depth 99999999999", i32::MAX)] {
            assert_eq!(read_well(line).limits.depth, Some(depth), "{line}");
        }
        assert_eq!(read_well("mate -99999999999999999999").limits.mate, Some(1));
        let most = Some(i64::MAX.unsigned_abs());
        assert_eq!(read_well("nodes 99999999999999999999").limits.nodes, most);
    }

    #[test]
    fn without_a_limit_it_is_infinite() {
        for line in ["", "infinite", "searchmoves e2e4", "ponder", "movestogo 4"] {
            assert!(read_well(line).infinite, "{line}");
        }
        assert!(!read_well("wtime 1000").infinite);
    }

    #[test]
    fn what_is_wrong_is_named_and_does_not_make_the_search_endless() {
        for (line, expected) in [
            ("dept 5", "go: unknown word \"dept\""),
            ("depth", "go: the number after depth is missing"),
            ("depth searchmoves e2e4", "go: the number after depth is missing"),
            ("depth five", "go: depth \"five\" is not a number"),
            ("searchmoves", "go: searchmoves: the moves are missing"),
            ("btime 5", "go: wtime is missing"),
            ("ponder wtime x btime 5", "go: wtime \"x\" is not a number"),
        ] {
            let (go, fault) = read_line(line);
            assert_eq!(fault.as_deref(), Some(expected));
            assert_eq!((go.limits.depth, go.infinite), (Some(1), false), "{line}");
        }
        let (go, fault) = read_line("searchmoves e2e5 d2d4 nonsense");
        assert!(fault.is_some_and(|reason| reason.contains("e2e5")));
        assert_eq!((go.limits.root_moves.len(), go.limits.depth), (1, Some(1)));
    }

    #[test]
    fn what_is_understood_holds_beside_what_is_not() {
        let (go, fault) = read_line("blah depth 3 nodes many movetime 500");
        assert_eq!(fault.as_deref(), Some("go: unknown word \"blah\""));
        assert_eq!((go.limits.depth, go.limits.nodes, go.move_time_ms), (Some(3), None, Some(500)));
        assert!(read_line("blah infinite").0.infinite);
    }
}
