//! `rookery eval` and the console's `eval`: what a position is worth, term by term.

use crate::analyse::end_of;
use crate::arguments::{EvalArguments, Evaluation, Profile};
use crate::failure::Failure;
use crate::network;
use board::{Color, Position, Square};
use eval::nnue::{NetBreakdown, Network, explain_net};
use eval::{Breakdown, Halves, Row};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::process::ExitCode;

/// Runs the command.
pub fn run(arguments: &EvalArguments, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let given = arguments.position.read()?;
    let position = given.map_or_else(Position::startpos, |fen| fen.position);
    let (breakdown, usual) = match arguments.profile {
        Profile::Modern => (eval::explain(&position), Evaluation::Net),
        Profile::Darksight => (eval::explain_darksight(&position), Evaluation::Classical),
    };
    let network = arguments.evaluation.open(usual)?.map(|chosen| chosen.network);
    if arguments.json {
        let mut report = Report::new(&position, arguments.profile, &breakdown);
        report.network = network
            .filter(|_| !breakdown.known_ending)
            .map(|network| NetworkReport::new(&explain_net(&network, &position)));
        serde_json::to_writer(&mut *out, &report).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        write(&position, &breakdown, network.as_deref(), out)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What people see: the terms, and what a network says. None is asked about a known ending.
pub fn write(
    position: &Position,
    breakdown: &Breakdown,
    network: Option<&Network>,
    out: &mut impl Write,
) -> io::Result<()> {
    if let Some(end) = end_of(position) {
        return writeln!(out, "The game is over: {end}.");
    }
    write_table(position, breakdown, out)?;
    match network.filter(|_| !breakdown.known_ending) {
        Some(network) => write_network(network, position, &explain_net(network, position), out),
        None => Ok(()),
    }
}

/// The table for people: a row per term, then how the score comes of their sum.
fn write_table(position: &Position, breakdown: &Breakdown, out: &mut impl Write) -> io::Result<()> {
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

/// What a network says, and a board with what the value for White loses without each man, in pawns.
fn write_network(
    network: &Network,
    position: &Position,
    breakdown: &NetBreakdown,
    out: &mut impl Write,
) -> io::Result<()> {
    writeln!(out, "\nNetwork, {}", network::text(network))?;
    for rank in (0..8).rev() {
        for file in 0..8 {
            let square = Square::new(8 * rank + file);
            let Some(piece) = position.piece_on(square) else {
                write!(out, "{:>8}", ".")?;
                continue;
            };
            let worth = breakdown.men.iter().find(|(man, _)| *man == square);
            let worth = worth
                .map_or(String::new(), |(_, worth)| format!("{:+.2}", f64::from(*worth) / 100.0));
            write!(out, "{:>8}", format!("{}{worth}", piece.letter()))?;
        }
        writeln!(out)?;
    }
    let (white, side) = (breakdown.white, position.side_to_move());
    let own = if side == Color::White { white } else { -white };
    writeln!(out, "Network: {white} for White, {own} for {side} to move (centipawns)")
}

fn pair(halves: Halves) -> String {
    format!("{:>6} {:>6}", halves.middlegame, halves.endgame)
}

/// What the evaluation of the search sees in a position, as one JSON object.
#[cfg(feature = "web")]
pub fn json(position: &Position) -> String {
    let breakdown = eval::explain(position);
    let mut report = Report::new(position, Profile::Modern, &breakdown);
    report.network = (!breakdown.known_ending)
        .then(|| NetworkReport::new(&explain_net(eval::nnue::embedded(), position)));
    serde_json::to_string(&report).unwrap_or_default()
}

/// The same for programs.
#[derive(Serialize)]
struct Report<'a> {
    fen: String,
    profile: Profile,
    #[serde(flatten)]
    sum: Option<Sum<'a>>,
    known_ending: bool,
    white: i32,
    score: i16,
    #[serde(skip_serializing_if = "Option::is_none")]
    network: Option<NetworkReport>,
}

/// How the value comes of terms; a known ending has none.
#[derive(Serialize)]
struct Sum<'a> {
    terms: Vec<Term<'a>>,
    middlegame: i32,
    endgame: i32,
    phase: i32,
    full_phase: i32,
    scale: i32,
    tapered: i32,
}

/// What a network says, for White, and what the value loses without each man.
#[derive(Serialize)]
struct NetworkReport {
    white: i32,
    men: BTreeMap<String, i32>,
}

impl NetworkReport {
    fn new(breakdown: &NetBreakdown) -> NetworkReport {
        let men = breakdown.men.iter().map(|(square, worth)| (square.to_string(), *worth));
        NetworkReport { white: breakdown.white, men: men.collect() }
    }
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
        let sum = || Sum {
            terms: breakdown.rows.iter().map(term).collect(),
            middlegame: breakdown.total.middlegame,
            endgame: breakdown.total.endgame,
            phase: breakdown.phase,
            full_phase: breakdown.full_phase,
            scale: breakdown.scale,
            tapered: breakdown.tapered,
        };
        Report {
            fen: position.fen(),
            profile,
            sum: (!breakdown.known_ending).then(sum),
            known_ending: breakdown.known_ending,
            white: breakdown.white,
            score: breakdown.score,
            network: None,
        }
    }
}
