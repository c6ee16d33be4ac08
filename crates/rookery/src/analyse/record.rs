//! What was found in a position, as JSON and as lines of text.

use super::analyst::numbered;
use super::score::{Plain, Score};
use super::study::{Stage, Study, score_of};
use crate::castling;
use crate::engine::ThreadRecord;
use board::{CastlingStyle, Epd, Move, Outcome, Position};
use search::Line;
use serde::Serialize;
use std::fmt::Write;

/// The longest line of play in a table of positions, in half-moves.
const LONGEST_LINE: usize = 10;

/// A position in JSON. All scores are White's.
#[derive(Serialize)]
pub struct Record<'a> {
    /// The file, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    /// The number of the game in the file, of games.
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<u64>,
    /// Half-moves of the game before this position.
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<usize>,
    /// The line of the file, of records.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    /// The record's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    fen: String,
    score: Plain,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<String>,
    depth: i32,
    selective_depth: i32,
    nodes: u64,
    /// Only where one position is looked at: in files the same work shall give the same bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// What each thread did, likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<Vec<ThreadRecord>>,
    lines: Vec<PlainLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    played: Option<PlainMove>,
    /// Why a broken game ends with this position.
    #[serde(skip_serializing_if = "Option::is_none")]
    broken: Option<&'a str>,
}

/// A line of play.
#[derive(Serialize)]
struct PlainLine {
    score: Plain,
    san: Vec<String>,
    uci: Vec<String>,
}

/// The move that was played.
#[derive(Serialize)]
struct PlainMove {
    san: String,
    uci: String,
    /// The chance to win that it lost, in hundredths.
    #[serde(skip_serializing_if = "Option::is_none")]
    loss: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mark: Option<super::quality::Mark>,
}

impl<'a> Record<'a> {
    /// What was found in a position.
    pub fn new(position: &Position, found: Option<&search::Outcome>) -> Record<'a> {
        let fen = position.fen();
        let style = castling::style(&fen, position);
        let lines = found.map_or(&[][..], |found| &found.lines);
        let end = end_of(position);
        let score = match (found, end) {
            (Some(found), _) => score_of(found, position),
            (None, Some(outcome)) => Score::of_end(outcome),
            (None, None) => Score::Centipawns(0),
        };
        Record {
            file: None,
            game: None,
            ply: None,
            line: None,
            id: None,
            fen,
            score: score.plain(),
            end: end.map(|end| end.to_string()),
            best: found.and_then(search::Outcome::best).map(|mv| position.san(mv)),
            depth: found.map_or(0, |found| found.depth),
            selective_depth: found.map_or(0, |found| found.selective_depth),
            nodes: found.map_or(0, |found| found.nodes),
            seconds: None,
            threads: None,
            lines: lines.iter().map(|line| plain_line(*position, line, style)).collect(),
            played: None,
            broken: None,
        }
    }

    /// The file of a record or a game, if it is to be named.
    pub fn in_file(mut self, file: Option<&'a str>) -> Record<'a> {
        self.file = file;
        self
    }

    /// The name and the place of a record.
    pub fn named(mut self, record: &'a Epd, line: Option<u64>) -> Record<'a> {
        (self.id, self.line) = (record.id(), line);
        self
    }

    /// A position of a game.
    fn of_stage(game: u64, ply: usize, stage: &Stage) -> Record<'a> {
        let mut record = Record::new(&stage.position, stage.found.as_ref());
        (record.game, record.ply) = (Some(game), Some(ply));
        let style = castling::style(&record.fen, &stage.position);
        record.played = stage.played.as_ref().map(|played| PlainMove {
            san: match played.mv.is_none() {
                true => "--".to_owned(),
                false => stage.position.san(played.mv),
            },
            uci: uci(played.mv, style),
            loss: played.quality.map(|quality| (quality.loss * 100.0).round() / 100.0),
            mark: played.quality.and_then(|quality| quality.mark),
        });
        record
    }

    /// As one line.
    pub fn to_line(&self) -> Result<String, String> {
        let mut text = serde_json::to_string(self).map_err(|error| error.to_string())?;
        text.push('\n');
        Ok(text)
    }
}

/// Every position of a game, a line each. The game has a number and, where it is to be named, a file;
/// a broken one ends with the reason.
pub fn game_lines(
    (file, number): (Option<&str>, u64),
    study: &Study,
    flaw: Option<&str>,
) -> Result<String, String> {
    let last = study.stages.len() - 1;
    let stages = study.stages.iter().enumerate();
    let lines = stages.map(|(ply, stage)| {
        let mut record = Record::of_stage(number, ply, stage).in_file(file);
        record.broken = flaw.filter(|_| ply == last);
        record.to_line()
    });
    lines.collect()
}

/// A position of a file for people: `BK.01: Qd1+ #-3, depth 12: 1... Qd1+ 2. Kxd1 …`. Further lines of
/// play stand below.
pub fn text(name: &str, position: &Position, found: Option<&search::Outcome>) -> String {
    let mut text = format!("{name}: ");
    let lines = found.map_or(&[][..], |found| &found.lines);
    if let (None, Some(end)) = (lines.first(), end_of(position)) {
        let _ = write!(text, "{end}");
    }
    for (rank, line) in lines.iter().enumerate() {
        let score = Score::new(line.score, position.side_to_move()).text();
        let best = line.moves.first().map(|&mv| position.san(mv)).unwrap_or_default();
        let play = numbered(*position, &line.moves, LONGEST_LINE);
        let depth = found.map_or(0, |found| found.depth);
        let _ = match rank {
            0 => write!(text, "{best} {score}, depth {depth}: {play}"),
            _ => write!(text, "\n    {best} {score}: {play}"),
        };
    }
    text.push('\n');
    text
}

/// How the game ends with a position without legal moves.
pub fn end_of(position: &Position) -> Option<Outcome> {
    if position.has_legal_move() { None } else { position.outcome() }
}

fn plain_line(mut position: Position, line: &Line, style: CastlingStyle) -> PlainLine {
    let score = Score::new(line.score, position.side_to_move()).plain();
    let uci = line.moves.iter().map(|&mv| uci(mv, style)).collect();
    let san = line.moves.iter().map(|&mv| {
        let san = position.san(mv);
        position.play(mv);
        san
    });
    PlainLine { score, san: san.collect(), uci }
}

fn uci(mv: Move, style: CastlingStyle) -> String {
    if mv.is_none() { "0000".to_owned() } else { mv.uci(style) }
}
