//! Reading a suite: records with a task, and those that have none.

use crate::counted::counted;
use crate::input::{self, MOST_BAD};
use crate::lines::{self, Line};
use board::epd::Operand;
use board::fen::quote;
use board::{Epd, Move, Position};
use serde::Serialize;
use std::io;
use std::path::Path;

/// A position and what solves it.
pub struct Problem {
    /// The line in the file.
    pub line: usize,
    /// Its name: the record's, or `line 7`.
    pub name: String,
    /// The position.
    pub position: Position,
    /// One of these is right, if there are any.
    pub best: Vec<Move>,
    /// None of these is.
    pub avoid: Vec<Move>,
    /// A mate in at most this number of moves must be announced; negative: against the side to move.
    pub mate: Option<i32>,
    /// What each move is worth.
    pub points: Vec<(Move, u32)>,
}

/// A record that cannot be used.
#[derive(Serialize, Debug)]
pub struct Broken {
    /// The line in the file.
    pub line: usize,
    /// What is wrong with it.
    pub reason: String,
}

impl Problem {
    /// Whether a move with this score (`cp 31`, `mate 3`) solves it. Where only points say what is
    /// right, the moves with the most of them do.
    pub fn is_solved(&self, mv: Move, score: Option<&str>) -> bool {
        let is_right =
            (self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv);
        let is_enough = match self.mate {
            None => true,
            Some(most) => score
                .and_then(mate_of)
                .is_some_and(|moves| moves.signum() == most.signum() && moves.abs() <= most.abs()),
        };
        let points_alone = self.best.is_empty() && self.avoid.is_empty() && self.mate.is_none();
        is_right && is_enough && (!points_alone || self.points_of(mv) == self.most_points())
    }

    /// What a move is worth; nothing where moves have no points.
    pub fn points_of(&self, mv: Move) -> Option<u32> {
        let points =
            self.points.iter().find(|(one, _)| *one == mv).map_or(0, |&(_, points)| points);
        (!self.points.is_empty()).then_some(points)
    }

    /// What the best move is worth.
    pub fn most_points(&self) -> Option<u32> {
        self.points.iter().map(|&(_, points)| points).max()
    }

    /// `bm Qd1+ am Nf3`, `mate in 3`
    pub fn task(&self) -> String {
        let words = [("bm", &self.best), ("am", &self.avoid)].into_iter();
        let words = words.filter(|(_, moves)| !moves.is_empty()).map(|(opcode, moves)| {
            let moves: Vec<String> = moves.iter().map(|&mv| self.position.san(mv)).collect();
            format!("{opcode} {}", moves.join(" "))
        });
        let mut words: Vec<String> = words.collect();
        words.extend(self.mate.map(|moves| match moves {
            1.. => format!("mate in {moves}"),
            _ => format!("mated in {}", moves.abs()),
        }));
        if words.is_empty() {
            words.push(counted(self.most_points().unwrap_or(0), "point"));
        }
        words.join(" ")
    }
}

/// The moves of `mate 3`.
fn mate_of(score: &str) -> Option<i32> {
    score.strip_prefix("mate ")?.parse().ok()
}

/// Reads a file, or the standard input for `-`. Empty lines and lines that begin with `#` are passed over.
pub fn read(file: &Path) -> io::Result<(Vec<Problem>, Vec<Broken>)> {
    let mut input = input::lines(file)?;
    let (mut problems, mut broken, mut buffer) = (Vec::new(), Vec::new(), Vec::new());
    for line in 1.. {
        let read = match lines::read(&mut input, &mut buffer)? {
            Line::End => break,
            Line::TooLong => Err(format!("longer than {} bytes, passed over", lines::LONGEST)),
            Line::Whole => read_line(file, line, &String::from_utf8_lossy(&buffer)),
        };
        match read {
            Ok(problem) => problems.extend(problem),
            Err(reason) => broken.push(Broken { line, reason }),
        }
        if problems.is_empty() && broken.len() == MOST_BAD {
            break;
        }
    }
    Ok((problems, broken))
}

fn read_line(file: &Path, line: usize, text: &str) -> Result<Option<Problem>, String> {
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() || text.starts_with('#') {
        return Ok(None);
    }
    lines::check_end(text)?;
    let ((position, operations), repairs) =
        Epd::scan_repaired(text).map_err(|error| error.to_string())?;
    input::tell_repairs(&format!("{}, line {line}", input::name(file)), &repairs);
    let mut problem = Problem {
        line,
        name: format!("line {line}"),
        position,
        best: Vec::new(),
        avoid: Vec::new(),
        mate: None,
        points: Vec::new(),
    };
    let mut comments: [String; 10] = Default::default();
    // What other opcodes hold is none of our business, however odd it is.
    for (opcode, operands) in &operations {
        match *opcode {
            "bm" => problem.read_best(operands)?,
            "am" => problem.avoid.extend(read_moves("am", &position, operands)?),
            "dm" => problem.mate = read_mate(operands)?.or(problem.mate),
            "id" if !operands.is_empty() => problem.name = joined(operands),
            _ => {
                let number = opcode.strip_prefix('c').and_then(|digit| digit.parse::<usize>().ok());
                if let Some(place) = number.and_then(|number| comments.get_mut(number)) {
                    *place = joined(operands);
                }
            }
        }
    }
    problem.points = points(&position, &comments);
    let has_moves = !problem.best.is_empty() || !problem.avoid.is_empty();
    match has_moves || problem.mate.is_some() || !problem.points.is_empty() {
        true => Ok(Some(problem)),
        false => Err("neither bm, am, dm nor points say what is right".to_owned()),
    }
}

impl Problem {
    /// `bm Qd1+ Kf2`, `bm #3`
    fn read_best(&mut self, operands: &[Operand]) -> Result<(), String> {
        let (mates, moves): (Vec<&Operand>, Vec<&Operand>) =
            operands.iter().partition(|operand| read_signed(operand.text()).is_some());
        self.mate = mates.first().and_then(|operand| read_signed(operand.text())).or(self.mate);
        self.best.extend(read_moves("bm", &self.position, moves)?);
        Ok(())
    }
}

/// `#3`, `#-3`
fn read_signed(text: &str) -> Option<i32> {
    text.strip_prefix('#')?.parse().ok().filter(|&moves| moves != 0)
}

/// The number of `dm 3`. In lists of endings 0 says that there is no mate.
fn read_mate(operands: &[Operand]) -> Result<Option<i32>, String> {
    let text = operands.first().map_or("", Operand::text);
    match text.trim_start_matches('#').parse() {
        Ok(0) => Ok(None),
        Ok(moves) => Ok(Some(moves)),
        Err(_) => Err(format!("dm: {} is not a number of moves", quote(text))),
    }
}

fn joined(operands: &[Operand]) -> String {
    operands.iter().map(Operand::text).collect::<Vec<_>>().join(" ")
}

/// Moves of an operation; commas behind them and signs that stand apart are let through.
fn read_moves<'a>(
    opcode: &str,
    position: &Position,
    operands: impl IntoIterator<Item = &'a Operand>,
) -> Result<Vec<Move>, String> {
    let mut moves = Vec::new();
    for operand in operands {
        let text = operand.text().trim_end_matches(',');
        if text.bytes().all(|byte| b"+#!?".contains(&byte)) {
            continue;
        }
        let mv = position.parse_san(text.as_bytes());
        moves.push(mv.map_err(|error| format!("{opcode}: {}: {error}", quote(text)))?);
    }
    Ok(moves)
}

/// What moves are worth in suites of strategy: the scores of `c8` with the moves of `c9` (in UCI) or of
/// `c7` (in SAN), or both together in `c0` (`f5=10, Be5+=2`). Anything else is a comment.
fn points(position: &Position, comments: &[String; 10]) -> Vec<(Move, u32)> {
    let [c0, .., c7, c8, c9] = comments;
    let numbers: Option<Vec<u32>> = c8.split_whitespace().map(|text| text.parse().ok()).collect();
    let numbers = numbers.unwrap_or_default();
    for (text, is_uci) in [(c9, true), (c7, false)] {
        let moves: Option<Vec<Move>> = text
            .split_whitespace()
            .map(|text| match is_uci {
                true => position.parse_uci(text).ok(),
                false => position.parse_san(text.as_bytes()).ok(),
            })
            .collect();
        if let Some(moves) = moves.filter(|moves| moves.len() == numbers.len() && !moves.is_empty())
        {
            return moves.into_iter().zip(numbers).collect();
        }
    }
    let one = |text: &str| {
        let (mv, number) = text.trim().rsplit_once('=')?;
        Some((position.parse_san(mv.trim().as_bytes()).ok()?, number.trim().parse().ok()?))
    };
    c0.split(',').map(one).collect::<Option<Vec<_>>>().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_needs_a_task() {
        assert!(matches!(read_line(Path::new("x"), 1, "  # nothing"), Ok(None)));
        assert!(read_line(Path::new("x"), 1, "4k3/8/8/8/8/8/8/4K2R w K -").is_err());
        assert!(read_line(Path::new("x"), 1, "4k3/8/8/8/8/8/8/4K2R w K - bm Qh8;").is_err());
        let record = "4k3/8/8/8/8/8/8/4K2R w K - bm O-O Rh8+; am Rh8+;";
        let problem = read_line(Path::new("x"), 7, record).expect("a record").expect("not empty");
        assert_eq!((problem.name.as_str(), problem.best.len()), ("line 7", 2));
        let right = |san: &str| {
            problem.is_solved(problem.position.parse_san(san.as_bytes()).expect("legal"), None)
        };
        assert!(right("O-O") && !right("Rh8") && !right("Rh7"));
        assert_eq!(problem.task(), "bm O-O Rh8+ am Rh8+");
    }

    fn problem(record: &str) -> Problem {
        read_line(Path::new("x"), 1, record).expect("a record").expect("not empty")
    }

    #[test]
    fn a_mate_must_be_announced_and_short_enough() {
        let position = "7k/8/5K2/8/8/8/8/6R1 w - -";
        for task in ["bm #2; pv nonsense", "dm 2; bm Kf7; c0", "dm 2 bm Kf7; acd x"] {
            let problem = problem(&format!("{position} {task};"));
            let king = problem.position.parse_san(b"Kf7").expect("legal");
            let solved = |score| problem.is_solved(king, score);
            assert!(solved(Some("mate 2")) && solved(Some("mate 1")), "{task}");
            assert!(!solved(Some("mate 3")) && !solved(Some("cp 900")) && !solved(None));
            assert!(!solved(Some("mate -2")), "the other side's");
            assert!(problem.task().ends_with("mate in 2"), "{}", problem.task());
        }
        let lost = problem("7k/5K2/8/8/8/8/8/6R1 b - - bm #-1;");
        let king = lost.position.parse_san(b"Kh7").expect("legal");
        assert!(lost.is_solved(king, Some("mate -1")) && !lost.is_solved(king, Some("mate 1")));
        assert!(read_line(Path::new("x"), 1, &format!("{position} dm soon;")).is_err());
    }

    #[test]
    fn points_are_read_in_both_forms() {
        let position = "4k3/P7/8/8/8/8/8/4K2R w K - 0 1";
        let both = [
            "c0 \"O-O=10, a8=Q+=7, Rh8+=2\"",
            "c7 \"O-O a8=Q+ Rh8+\"; c8 \"10 7 2\"",
            "c0 \"a comment\"; c8 \"10 7 2\"; c9 \"e1g1 a7a8q h1h8\"",
        ];
        for points in both {
            let problem = problem(&format!("{position} {points}; id \"STS 1\";"));
            let of = |san: &str| {
                let mv = problem.position.parse_san(san.as_bytes()).expect("legal");
                (problem.points_of(mv), problem.is_solved(mv, None))
            };
            assert_eq!(of("O-O"), (Some(10), true), "{points}");
            assert_eq!((of("a8=Q"), of("Kf1")), ((Some(7), false), (Some(0), false)));
            assert_eq!((problem.most_points(), problem.name.as_str()), (Some(10), "STS 1"));
        }
        let comment = problem(&format!("{position} bm O-O; c0 \"1 = 0\"; c8 \"1 2\";"));
        assert_eq!((comment.points.len(), comment.most_points()), (0, None));
    }
}
