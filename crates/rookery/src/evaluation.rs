//! `rookery eval` and the console's `eval`: what a position is worth, term by term.

use crate::arguments::{EvalArguments, Profile};
use crate::failure::Failure;
use board::Position;
use eval::{Breakdown, Halves, Row};
use serde::Serialize;
use std::io::{self, Write};
use std::process::ExitCode;

/// Runs the command.
pub fn run(arguments: &EvalArguments, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let given = arguments.position.read()?;
    let position = given.map_or_else(Position::startpos, |fen| fen.position);
    let breakdown = match arguments.profile {
        Profile::Modern => eval::explain(&position),
        Profile::Darksight => eval::explain_darksight(&position),
    };
    if arguments.json {
        let report = Report::new(&position, arguments.profile, &breakdown);
        serde_json::to_writer(&mut *out, &report).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        write_table(&position, &breakdown, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The table for people: a row per term, then how the score comes of their sum.
pub fn write_table(
    position: &Position,
    breakdown: &Breakdown,
    out: &mut impl Write,
) -> io::Result<()> {
    if breakdown.known_ending {
        writeln!(out, "A known ending: no terms are summed.")?;
    } else {
        writeln!(out, "{:<15} {:>13} {:>13} {:>13}", "term (mg eg)", "White", "Black", "total")?;
        for Row { name, white, black } in &breakdown.rows {
            let total = Halves {
                middlegame: white.middlegame - black.middlegame,
                endgame: white.endgame - black.endgame,
            };
            let (white, black, total) = (pair(*white), pair(*black), pair(total));
            writeln!(out, "{name:<15} {white:>13} {black:>13} {total:>13}")?;
        }
        writeln!(out, "{:<15} {:>41}", "sum", pair(breakdown.total))?;
        let Breakdown { phase, full_phase, scale, tapered, .. } = breakdown;
        writeln!(out, "phase {phase} of {full_phase}, endgame scaled by {scale}/128: {tapered}")?;
    }
    let side = position.side_to_move();
    writeln!(
        out,
        "Evaluation: {} for White, {} for {side} to move (centipawns)",
        breakdown.white, breakdown.score
    )
}

fn pair(halves: Halves) -> String {
    format!("{:>6} {:>6}", halves.middlegame, halves.endgame)
}

/// What the evaluation of the search sees in a position, as one JSON object.
#[cfg(feature = "web")]
pub fn json(position: &Position) -> String {
    let breakdown = eval::explain(position);
    serde_json::to_string(&Report::new(position, Profile::Modern, &breakdown)).unwrap_or_default()
}

/// The same for programs.
#[derive(Serialize)]
struct Report<'a> {
    fen: String,
    profile: Profile,
    terms: Vec<Term<'a>>,
    middlegame: i32,
    endgame: i32,
    phase: i32,
    full_phase: i32,
    scale: i32,
    tapered: i32,
    known_ending: bool,
    white: i32,
    score: i16,
}

/// Values are (middlegame, endgame).
#[derive(Serialize)]
struct Term<'a> {
    name: &'a str,
    white: [i32; 2],
    black: [i32; 2],
}

impl Report<'_> {
    fn new<'a>(position: &Position, profile: Profile, breakdown: &'a Breakdown) -> Report<'a> {
        let halves = |halves: Halves| [halves.middlegame, halves.endgame];
        let term =
            |row: &Row| Term { name: row.name, white: halves(row.white), black: halves(row.black) };
        Report {
            fen: position.fen(),
            profile,
            terms: breakdown.rows.iter().map(term).collect(),
            middlegame: breakdown.total.middlegame,
            endgame: breakdown.total.endgame,
            phase: breakdown.phase,
            full_phase: breakdown.full_phase,
            scale: breakdown.scale,
            tapered: breakdown.tapered,
            known_ending: breakdown.known_ending,
            white: breakdown.white,
            score: breakdown.score,
        }
    }
}
