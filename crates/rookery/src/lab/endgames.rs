//! `lab endgames`: Marsland's Table 2, by tables that are built here (M27, M28).

use super::commands;
use super::report::{Report, ReportTable};
use super::work::Lab;
use crate::failure::Failure;
use serde::Deserialize;

/// Ströhlein's endings.
const SMALL: &str = "KQK KRK KRKB KRKN KQKR";

/// The same with Thompson's.
const LARGE: &str = "KQK KRK KRKB KRKN KQKR KBBKN KQKNN KQKNB KQKBB KRNKR KRBKR KRRKR KRQKR KQNKQ KQBKQ KQRKQ KQQKQ";

/// A line of `rookery endgame table2 --json`.
#[derive(Deserialize)]
struct Line {
    ending: String,
    printed: u16,
    mate: Option<u16>,
    conversion: Option<u16>,
    reproduced_by: String,
}

/// What `rookery endgame stats --json` says about an ending.
#[derive(Deserialize)]
struct Stats {
    ending: String,
    white_to_move: Counts,
    black_to_move: Counts,
}

#[derive(Deserialize)]
struct Counts {
    wins: u64,
    draws: u64,
    losses: u64,
}

/// Runs the experiment.
pub fn run(lab: &Lab) -> Result<Report, Failure> {
    let mut report = Report::new("Endgames: the longest wins of Table 2");
    report.text(
        "The tables are built backwards from mate, and kept in the folder `tables` beside this report. To mate and to conversion: the most moves of the side that wins, against the best \
         defence, to mate or to a capture or promotion that wins. The survey's heading says moves to mate for Ströhlein's endings; his 18, 27 and 31 are distances to conversion.",
    );
    report.text(lab.choose(
        "The quick run builds the endings of three and four men; those of five take minutes to hours, and `rookery lab endgames` builds them.",
        "All endings that the survey names, and those that they lead to.",
    ));
    let folder = lab.folder().join("tables").to_string_lossy().into_owned();
    let threads = lab.threads().to_string();
    let common = ["--dir", &folder, "--threads", &threads, "--json"];
    let run = |words: &[&str]| {
        let words = ["rookery", "endgame"].into_iter().chain(words.iter().copied()).chain(common);
        commands::output(words, None)
    };
    let endings: Vec<&str> = lab.choose(SMALL, LARGE).split(' ').collect();
    let endings = lab.pick(endings, usize::MAX, usize::MAX)?;
    run(&[&["build"], &endings[..]].concat())?;
    let lines: Vec<Line> = commands::parse(&run(&["table2"])?)?;
    let columns = ["ending", "printed", "to mate", "to conversion", "the printed number is"];
    let mut table = ReportTable::new("table2", "Table 2, moves", &columns);
    for line in &lines {
        let number = |moves: Option<u16>| moves.map_or(String::new(), |moves| moves.to_string());
        let Line { ending, printed, mate, conversion, reproduced_by } = line;
        table.row(vec![
            ending.clone(),
            printed.to_string(),
            number(*mate),
            number(*conversion),
            reproduced_by.clone(),
        ]);
    }
    report.table(table);
    report.table(counts(&commands::parse(&run(&["stats"])?)?));
    Ok(report)
}

fn counts(all: &[Stats]) -> ReportTable {
    let columns = [
        "ending",
        "White to move: wins",
        "draws",
        "losses",
        "Black to move: wins",
        "draws",
        "losses",
    ];
    let title = "Positions of the tables that were built, those that mirror each other once";
    let mut table = ReportTable::new("counts", title, &columns);
    for Stats { ending, white_to_move, black_to_move } in all {
        let sides = [white_to_move, black_to_move];
        let cells = sides.into_iter().flat_map(|side| [side.wins, side.draws, side.losses]);
        let cells = cells.map(|count| count.to_string());
        table.row([ending.clone()].into_iter().chain(cells).collect::<Vec<_>>());
    }
    table
}
