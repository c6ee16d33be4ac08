//! `rookery endgame table2`: the endings of Marsland's Table 2 (M27, M28), with both metrics.

use super::stats::longest;
use crate::failure::Failure;
use crate::json;
use ::endgame::{Ending, Metric, Tables};
use board::Color;
use serde::Serialize;
use std::io::Write;
use std::process::ExitCode;

/// Ströhlein's five and Thompson's twelve, with the printed numbers.
const PRINTED: [(&str, u16); 17] = [
    ("KQK", 10),
    ("KRK", 16),
    ("KRKB", 18),
    ("KRKN", 27),
    ("KQKR", 31),
    ("KBBKN", 66),
    ("KQKNN", 63),
    ("KQKNB", 42),
    ("KQKBB", 71),
    ("KRNKR", 33),
    ("KRBKR", 59),
    ("KRRKR", 31),
    ("KRQKR", 35),
    ("KQNKQ", 41),
    ("KQBKQ", 33),
    ("KQRKQ", 67),
    ("KQQKQ", 30),
];

#[derive(Serialize)]
struct Line {
    ending: &'static str,
    printed: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    conversion: Option<u16>,
    /// What the printed number is, as far as the tables are there.
    reproduced_by: &'static str,
}

/// Shows the printed numbers beside the tables'.
pub fn run(tables: &Tables, as_json: bool, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let mut lines = Vec::new();
    for (name, printed) in PRINTED {
        let ending = Ending::parse(name).map_err(|error| Failure::Work(error.to_string()))?;
        // The side that is named first wins: it is Black where the other side has more men.
        let winner =
            Color::from_white(ending.to_string().len() == name.len() && first(&ending, name));
        let moves = |metric| {
            let file = tables.file(&ending, metric)?;
            longest(file, winner).map(|longest| longest.moves)
        };
        let (mate, conversion) = (moves(Metric::Mate), moves(Metric::Conversion));
        let reproduced_by = match (mate == Some(printed), conversion == Some(printed)) {
            (true, true) => "both",
            (true, false) => "mate",
            (false, true) => "conversion",
            (false, false) if mate.is_none() || conversion.is_none() => "not built",
            (false, false) => "neither",
        };
        lines.push(Line { ending: name, printed, mate, conversion, reproduced_by });
    }
    if as_json {
        json::write(&lines, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out, "ending printed  mate  conversion  reproduced by")?;
    let number = |moves: Option<u16>| moves.map_or("-".to_owned(), |moves| moves.to_string());
    for Line { ending, printed, mate, conversion, reproduced_by } in &lines {
        let (mate, conversion) = (number(*mate), number(*conversion));
        writeln!(out, "{ending:6} {printed:7} {mate:>5} {conversion:>11}  {reproduced_by}")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether the side that a name gives first is the stronger one of the ending.
fn first(ending: &Ending, name: &str) -> bool {
    let men = name[1..].find('K').map_or(0, |end| end);
    men == ending.side(Color::White).len()
        && name.bytes().skip(1).take(men).all(|letter| {
            let kind = board::PieceKind::from_letter(letter);
            kind.is_some_and(|kind| ending.side(Color::White).contains(&kind))
        })
}
