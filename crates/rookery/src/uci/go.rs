//! The arguments of `go`.

use crate::session::{CommandError, GoRequest, refuse};
use board::fen::quote;
use board::{Color, Move, Position};
use search::time::Clock;

/// The words that `go` understands; other words are refused, as a limit that is misspelt would make
/// the search endless.
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

/// Reads the words after `go`. Where one is given twice, the last counts.
pub fn read(mut words: &[&str], position: &Position) -> Result<GoRequest, CommandError> {
    let (mut go, mut clock) = (GoRequest::default(), Clock::default());
    let (ours, increment) = match position.side_to_move() {
        Color::White => ("wtime", "winc"),
        Color::Black => ("btime", "binc"),
    };
    let (mut has_clock, mut has_our_time) = (false, false);
    while let Some((&word, rest)) = words.split_first() {
        words = rest;
        match word {
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "searchmoves" => words = read_moves(words, position, &mut go.limits.root_moves)?,
            _ if !WORDS.contains(&word) => {
                return refuse(format!("go: unknown word {}", quote(word)));
            }
            _ => {
                let number = read_number(word, words)?;
                words = words.get(1..).unwrap_or_default();
                match word {
                    "depth" => go.limits.depth = Some(at_least_one(word, number)?),
                    "mate" => go.limits.mate = Some(at_least_one(word, number)?),
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
    let limits = &go.limits;
    let limited = limits.depth.is_some() || limits.nodes.is_some() || limits.mate.is_some();
    if !limited && !has_our_time && go.move_time_ms.is_none() {
        // A clock that is not ours alone would make the search endless by mistake.
        if has_clock && !go.infinite {
            return refuse(format!("go: {ours} is missing"));
        }
        go.infinite = true;
    }
    Ok(go)
}

/// The moves up to the next word that is none; at least one.
fn read_moves<'a, 'b>(
    words: &'a [&'b str],
    position: &Position,
    moves: &mut Vec<Move>,
) -> Result<&'a [&'b str], CommandError> {
    moves.clear();
    let end = words.iter().position(|word| WORDS.contains(word)).unwrap_or(words.len());
    let (texts, rest) = words.split_at(end);
    if texts.is_empty() {
        return refuse("go: searchmoves: the moves are missing");
    }
    for text in texts {
        match position.parse_uci(text) {
            Ok(mv) if moves.contains(&mv) => (),
            Ok(mv) => moves.push(mv),
            Err(error) => return refuse(format!("go: searchmoves: {error}")),
        }
    }
    Ok(rest)
}

fn read_number(word: &str, words: &[&str]) -> Result<i64, CommandError> {
    let Some(text) = words.first() else {
        return refuse(format!("go: the number after {word} is missing"));
    };
    match text.parse() {
        Ok(number) => Ok(number),
        Err(_) => refuse(format!("go: {word} {} is not a number", quote(text))),
    }
}

/// A number of plies or moves; more than 32 bits hold is as good as no limit.
fn at_least_one(word: &str, number: i64) -> Result<i32, CommandError> {
    match number {
        ..=0 => refuse(format!("go: {word} {number} is not 1 or more")),
        _ => Ok(i32::try_from(number).unwrap_or(i32::MAX)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_line(line: &str) -> Result<GoRequest, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        read(&words, &Position::startpos()).map_err(|error| match error {
            CommandError::Refused(reason) => reason,
            CommandError::Output(error) => error.to_string(),
        })
    }

    #[test]
    fn every_argument_is_understood() {
        let line = "searchmoves e2e4 d2d4 e2e4 ponder wtime -5 btime 7 winc 3 binc 4 movestogo 9 \
                    depth 12 nodes 0 mate 99999999999 movetime 50";
        let go = read_line(line).expect("all is right");
        assert_eq!(go.limits.root_moves.len(), 2);
        assert_eq!((go.limits.depth, go.limits.nodes), (Some(12), Some(1)));
        assert_eq!((go.limits.mate, go.move_time_ms), (Some(i32::MAX), Some(50)));
        let clock = Clock { remaining_ms: -5, increment_ms: 3, moves_to_go: Some(9) };
        assert_eq!((go.clock, go.ponder, go.infinite), (Some(clock), true, false));
    }

    #[test]
    fn without_a_limit_it_is_infinite() {
        for line in ["", "infinite", "searchmoves e2e4", "ponder", "movestogo 4"] {
            assert!(read_line(line).expect("right").infinite, "{line}");
        }
        assert!(!read_line("wtime 1000").expect("right").infinite);
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (line, expected) in [
            ("dept 5", "go: unknown word \"dept\""),
            ("depth", "go: the number after depth is missing"),
            ("depth five", "go: depth \"five\" is not a number"),
            ("depth 0", "go: depth 0 is not 1 or more"),
            ("nodes 99999999999999999999", "go: nodes \"99999999999999999999\" is not a number"),
            ("searchmoves", "go: searchmoves: the moves are missing"),
            ("btime 5", "go: wtime is missing"),
        ] {
            assert_eq!(read_line(line), Err(expected.to_owned()));
        }
        assert!(read_line("searchmoves e2e5").is_err_and(|reason| reason.contains("e2e5")));
    }
}
