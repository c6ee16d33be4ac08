//! The reference file: EPD records with the opcode `scores`, moves and their scores by turns.
//!
//! Lines that begin with `#` are comments; the first one says how the file was made, the last one how many
//! positions there are. A record ends with `;`: one that was cut inside a number is known by that.

use crate::arena::Score;
use crate::castling;
use crate::counted::counted;
use crate::input::{self, MOST_BAD};
use crate::lines::{self, Line};
use board::fen::quote;
use board::{Epd, Move, Position};
use std::fmt;
use std::path::Path;

/// The opcode of the scores.
const OPCODE: &str = "scores";
/// How a file begins that `regret make` has written.
pub const FORM: &str = "# rookery regret 1: ";
/// How its last line begins, once it is finished.
const END: &str = "# end: ";

/// The last line of a finished file.
pub fn end_mark(positions: u64) -> String {
    format!("{END}{}", counted(positions, "position"))
}

/// The number of positions in the last line of a finished file; nothing of any other line.
pub fn read_end_mark(line: &str) -> Option<u64> {
    let count = line.strip_prefix(END)?.split(' ').next()?.parse().ok()?;
    (line == end_mark(count)).then_some(count)
}

impl Score {
    /// Reads `31` or `#-3`.
    fn read(text: &str) -> Option<Score> {
        match text.strip_prefix('#') {
            Some(moves) => moves.parse().ok().filter(|&moves| moves != 0).map(Score::Mate),
            None => text.parse().ok().map(Score::Centipawns),
        }
    }

    /// The expected score of the game: logistic, as Elo's. A mate is as good as done.
    pub fn expected(self, scale: f64) -> f64 {
        1.0 / (1.0 + (-f64::from(self.centipawns()) / scale).exp())
    }
}

impl fmt::Display for Score {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Centipawns(centipawns) => write!(out, "{centipawns}"),
            Score::Mate(moves) => write!(out, "#{moves}"),
        }
    }
}

/// A position with the scores of its best moves, best first.
#[derive(Clone, PartialEq, Debug)]
pub struct Reference {
    /// The line in the file.
    pub line: usize,
    pub position: Position,
    pub moves: Vec<(Move, Score)>,
}

impl Reference {
    /// With the moves in order.
    pub fn new(line: usize, position: Position, mut moves: Vec<(Move, Score)>) -> Reference {
        moves.sort_by_key(|(_, score)| -score.centipawns());
        Reference { line, position, moves }
    }

    /// What a move loses in expected score against the best one. One that is not listed loses what the last
    /// one does, at least: nothing more is known about it.
    pub fn loss(&self, mv: Move, scale: f64) -> f64 {
        let expected = |score: Option<&(Move, Score)>| score.map_or(0.0, |it| it.1.expected(scale));
        let found = self.moves.iter().find(|(listed, _)| *listed == mv);
        expected(self.moves.first()) - expected(found.or(self.moves.last()))
    }

    /// Whether a move has a score.
    pub fn lists(&self, mv: Move) -> bool {
        self.moves.iter().any(|(listed, _)| *listed == mv)
    }

    /// Whether it is still open who wins, and whether it matters what is played.
    pub fn is_fit(&self, max_score: i32, at_stake: i32) -> bool {
        let (Some((_, best)), Some((_, last))) = (self.moves.first(), self.moves.last()) else {
            return false;
        };
        let (best, last) = (best.centipawns(), last.centipawns());
        self.moves.len() > 1 && best.abs() <= max_score && best - last >= at_stake
    }

    /// Its line, without the end.
    pub fn record(&self) -> String {
        let moves = self.moves.iter().map(|&(mv, score)| format!("{} {score}", self.uci(mv)));
        let moves: Vec<String> = moves.collect();
        format!("{} {OPCODE} \"{}\";", self.position.fen(), moves.join(" "))
    }

    /// A move in coordinates.
    pub fn uci(&self, mv: Move) -> String {
        mv.uci(castling::style(&self.position.fen(), &self.position))
    }

    /// Reads a line; nothing from an empty one or a comment.
    pub fn read(line: usize, text: &str) -> Result<Option<Reference>, String> {
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.is_empty() || text.starts_with('#') {
            return Ok(None);
        }
        // What was repaired was told when the file was made.
        let ((position, operations), _) =
            Epd::scan_repaired(text).map_err(|error| error.to_string())?;
        let scores = operations.iter().find(|(opcode, _)| *opcode == OPCODE);
        let (_, operands) = scores.ok_or("it has no scores")?;
        lines::check_end(text)?;
        if !text.ends_with(';') {
            return Err("it is cut off: a record ends with ;".to_owned());
        }
        let text: Vec<&str> = operands.iter().flat_map(|it| it.text().split_whitespace()).collect();
        let mut moves: Vec<(Move, Score)> = Vec::new();
        for pair in text.chunks(2) {
            let [mv, score] = pair else { return Err("a move has no score".to_owned()) };
            let read = position.parse_uci(mv).map_err(|error| format!("{}: {error}", quote(mv)))?;
            let score =
                Score::read(score).ok_or_else(|| format!("{} is no score", quote(score)))?;
            if moves.iter().any(|(listed, _)| *listed == read) {
                return Err(format!("{} has two scores", quote(mv)));
            }
            moves.push((read, score));
        }
        match moves.len() {
            0 => Err("it has no scores".to_owned()),
            _ => Ok(Some(Reference::new(line, position, moves))),
        }
    }
}

/// What a file holds.
pub struct Contents {
    pub references: Vec<Reference>,
    /// What is wrong with the lines that are broken.
    pub broken: Vec<String>,
    /// Where `regret make` wrote the file and did not finish it, or its end is gone.
    pub is_unfinished: bool,
}

/// Reads a file, or the standard input for `-`: the first `most` positions.
pub fn read(file: &Path, most: usize) -> Result<Contents, String> {
    let name = input::name(file);
    let cannot = |error: std::io::Error| input::unreadable(&name, &error);
    let mut input = input::lines(file).map_err(cannot)?;
    let (mut references, mut broken, mut buffer) = (Vec::new(), Vec::new(), Vec::new());
    // Whether it should have an end mark, and the number in it.
    let (mut is_made, mut end) = (false, None);
    for line in 1.. {
        let read = match lines::read(&mut input, &mut buffer).map_err(cannot)? {
            Line::End => break,
            Line::TooLong => Err(format!("longer than {} bytes, passed over", lines::LONGEST)),
            Line::Whole => {
                let text = String::from_utf8_lossy(&buffer);
                is_made |= line == 1 && text.trim_start_matches('\u{feff}').starts_with(FORM);
                end = read_end_mark(text.trim_end()).or(end);
                Reference::read(line, &text)
            }
        };
        match read {
            Ok(reference) => references.extend(reference),
            Err(reason) => broken.push(format!("line {line}: {reason}")),
        }
        if references.len() == most {
            is_made = false;
            break;
        }
        if references.is_empty() && broken.len() == MOST_BAD {
            break;
        }
    }
    let found = references.len() + broken.len();
    if references.len() < most
        && let Some(count) = end.filter(|&count| count != found as u64)
    {
        let (count, found) = (counted(count, "position"), counted(found, "position"));
        broken.push(format!("the last line says {count}, there are {found}"));
    }
    match (&references[..], &broken[..]) {
        ([], [first, ..]) => Err(input::wrong_kind(&name, "a reference file", first)),
        ([], []) => Err(format!("{name} holds no positions")),
        _ => Ok(Contents { references, broken, is_unfinished: is_made && end.is_none() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: &str =
        "4k3/P7/8/8/8/8/8/4K2R w K - 0 30 scores \"a7a8q #9 e1g1 150 h1h8 0 e1f1 #-3\";";

    #[test]
    fn a_record_comes_out_as_it_went_in() {
        let reference = Reference::read(3, RECORD).expect("a record").expect("not empty");
        assert_eq!((reference.line, reference.moves.len()), (3, 4));
        assert_eq!(reference.record(), RECORD);
        let turned = RECORD.replace("a7a8q #9 e1g1 150", "e1g1 150 a7a8q #9");
        assert_eq!(Reference::read(3, &turned), Ok(Some(reference)), "the best comes first");
    }

    #[test]
    fn what_is_broken_is_named() {
        assert_eq!(Reference::read(1, " # a comment"), Ok(None));
        for (from, to, reason) in [
            ("scores", "points", "it has no scores"),
            (" #-3", "", "a move has no score"),
            ("#-3", "#0", "\"#0\" is no score"),
            ("150", "+", "\"+\" is no score"),
            ("e1f1", "h1h8", "\"h1h8\" has two scores"),
            (" e1f1 #-3\";", "", "it is cut off: a record ends with ;"),
        ] {
            let read = Reference::read(1, &RECORD.replace(from, to));
            assert_eq!(read, Err(reason.to_owned()), "{from}");
        }
        assert!(Reference::read(1, &RECORD.replace("e1f1", "e1e3")).is_err());
    }

    #[test]
    fn a_record_that_is_cut_anywhere_is_refused() {
        for end in 1..RECORD.len() {
            let read = Reference::read(1, &RECORD[..end]);
            assert!(read.is_err(), "{}: {read:?}", &RECORD[..end]);
        }
    }

    #[test]
    fn the_end_mark_is_read_back() {
        for count in [0, 1, 386] {
            assert_eq!(read_end_mark(&end_mark(count)), Some(count));
        }
        for line in ["# end: ", "# end: 38", "# end: 386 position", "# end: x positions", "386"] {
            assert_eq!(read_end_mark(line), None, "{line}");
        }
    }

    #[test]
    fn a_move_loses_the_difference_of_expected_scores() {
        let reference = Reference::read(1, &RECORD.replace("#9", "150 e1e2 150"));
        let reference = reference.expect("a record").expect("not empty");
        let loss = |uci: &str| {
            let mv = reference.position.parse_uci(uci).expect("legal");
            (reference.loss(mv, 150.0), reference.lists(mv))
        };
        assert_eq!((loss("a7a8q"), loss("e1e2")), ((0.0, true), (0.0, true)));
        let best = 1.0 / (1.0 + (-1.0_f64).exp());
        assert!((loss("h1h8").0 - (best - 0.5)).abs() < 1e-12);
        // It is not listed: it counts as the last one, which is mated.
        assert_eq!((loss("e1d1").1, loss("e1d1").0), (false, loss("e1f1").0));
        assert!((loss("e1d1").0 - best).abs() < 1e-9);
    }

    #[test]
    fn decided_positions_and_those_with_nothing_at_stake_are_unfit() {
        let fit = |scores: &str, max_score, at_stake| {
            let record = format!("4k3/P7/8/8/8/8/8/4K2R w K - 0 30 scores \"{scores}\";");
            let reference = Reference::read(1, &record).expect("a record").expect("not empty");
            reference.is_fit(max_score, at_stake)
        };
        assert!(fit("e1g1 500 h1h8 490", 500, 10) && fit("e1g1 20 h1h8 #-5", 500, 10));
        assert!(!fit("e1g1 501 h1h8 0", 500, 10) && !fit("e1g1 -501 h1h8 #-9", 500, 10));
        assert!(!fit("e1g1 9 h1h8 0", 500, 10) && !fit("e1g1 9", 500, 0));
        assert!(!fit("e1g1 #5 h1h8 0", 500, 10));
    }

    #[test]
    fn quicker_mates_are_better_and_slower_ones_to_suffer() {
        let values = [Score::Mate(1), Score::Mate(9), Score::Centipawns(9_000)];
        let values = values.iter().chain(&[Score::Mate(-9), Score::Mate(-1)]);
        let values: Vec<i32> = values.map(|score| score.centipawns()).collect();
        assert!(values.is_sorted_by(|one, other| one > other), "{values:?}");
    }
}
