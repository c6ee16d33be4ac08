//! `rookery endgame stats`: counts and longest wins.

use crate::counted::counted;
use crate::failure::Failure;
use crate::json;
use ::endgame::file::{Summary, TableFile};
use ::endgame::{Ending, Metric, Tables};
use board::Color;
use serde::Serialize;
use std::io::Write;
use std::process::ExitCode;

/// The longest win of an ending for one side.
#[derive(Serialize, Clone)]
pub struct Longest {
    /// The winner's moves.
    pub moves: u16,
    /// Half-moves, for the distance to mate.
    pub plies: u16,
    /// An example.
    pub fen: String,
}

#[derive(Serialize)]
struct Counts {
    wins: u64,
    draws: u64,
    losses: u64,
}

#[derive(Serialize)]
struct Report {
    ending: String,
    white_to_move: Counts,
    black_to_move: Counts,
    #[serde(skip_serializing_if = "Option::is_none")]
    longest_mate_white: Option<Longest>,
    #[serde(skip_serializing_if = "Option::is_none")]
    longest_mate_black: Option<Longest>,
    #[serde(skip_serializing_if = "Option::is_none")]
    longest_conversion_white: Option<Longest>,
    #[serde(skip_serializing_if = "Option::is_none")]
    longest_conversion_black: Option<Longest>,
}

/// The longest win of a side, whichever side is to move.
pub fn longest(file: &TableFile, winner: Color) -> Option<Longest> {
    let [own, other] = [winner, !winner].map(|side| (side, &file.header.sides[side.index()]));
    let candidates = [(own.0, own.1.summary.longest_win), (other.0, other.1.summary.longest_loss)];
    let known = candidates.into_iter().filter_map(|(side, longest)| Some((side, longest?)));
    let (side, (plies, index)) = known.max_by_key(|(_, (plies, _))| *plies)?;
    let position = file.layout.position(index as usize, side)?;
    Some(Longest { moves: plies.div_ceil(2), plies, fen: position.fen() })
}

fn counts(summary: &Summary) -> Counts {
    Counts { wins: summary.wins, draws: summary.draws, losses: summary.losses }
}

fn report(tables: &Tables, ending: &Ending) -> Option<Report> {
    let [mate, conversion, outcome] = Metric::ALL.map(|metric| tables.file(ending, metric));
    let any = mate.or(conversion).or(outcome)?;
    let [white, black] = any.header.sides.each_ref().map(|side| counts(&side.summary));
    let longest = |file: Option<&TableFile>, winner| file.and_then(|file| longest(file, winner));
    Some(Report {
        ending: ending.to_string(),
        white_to_move: white,
        black_to_move: black,
        longest_mate_white: longest(mate, Color::White),
        longest_mate_black: longest(mate, Color::Black),
        longest_conversion_white: longest(conversion, Color::White),
        longest_conversion_black: longest(conversion, Color::Black),
    })
}

/// Shows the counts of some endings, or of all that are there.
pub fn run(
    tables: &Tables,
    endings: &[Ending],
    as_json: bool,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    let wanted = super::chosen(tables, endings);
    let mut reports = Vec::new();
    for ending in &wanted {
        match report(tables, ending) {
            Some(report) => reports.push(report),
            None => return Err(Failure::Work(format!("there is no table of {ending}"))),
        }
    }
    if as_json {
        json::write(&reports, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    for report in &reports {
        write(report, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn write(report: &Report, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "{}", report.ending)?;
    for (who, counts) in [("White", &report.white_to_move), ("Black", &report.black_to_move)] {
        let Counts { wins, draws, losses } = counts;
        let (wins, draws) = (counted(wins, "win"), counted(draws, "draw"));
        writeln!(out, "  {who} to move: {wins}, {draws}, {}", counted(losses, "loss"))?;
    }
    for (what, longest) in [
        ("White mates", &report.longest_mate_white),
        ("Black mates", &report.longest_mate_black),
        ("White converts", &report.longest_conversion_white),
        ("Black converts", &report.longest_conversion_black),
    ] {
        if let Some(Longest { moves, fen, .. }) = longest {
            writeln!(out, "  {what} in at most {}: {fen}", counted(moves, "move"))?;
        }
    }
    Ok(())
}
