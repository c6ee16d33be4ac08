//! The columns of the printed table, and what stands above them.

use super::report::Report;
use super::spread;
use crate::arguments::{SimArguments, YbwRules};
use crate::durations;
use parallel::StrategyKind;
use parallel::sim::{Model, TableKind};
use std::io::{self, Write};

/// What must be known of every speedup that was measured with it.
pub const FREE_TABLE: &str = "The shared table is free global knowledge, which no machine has: every processor reads \
     and writes it at once and at no cost. The tables that are paid for are blocking and asynchronous.";

/// How a table is named in a row: a distributed one is asked and told by the rules that were chosen.
pub fn table_name(kind: TableKind, arguments: &SimArguments) -> String {
    match kind {
        TableKind::Shared => "shared (free)".to_owned(),
        // In a comparison only the rows of young brothers follow them.
        kind if kind.is_apart() && PAPER(arguments) && !arguments.compare => {
            format!("{kind} (paper)")
        }
        kind => kind.to_string(),
    }
}

/// A strategy, with its rules where they are not the usual ones.
pub fn strategy_name(strategy: StrategyKind, arguments: &SimArguments) -> String {
    match arguments.rules(strategy).filter(|rules| !["ours", "hybrid"].contains(&rules.as_str())) {
        Some(rules) => format!("{strategy} {rules}"),
        None => strategy.to_string(),
    }
}

/// A column: its name, its width, when it is there, and what it shows.
struct Column(&'static str, usize, fn(&SimArguments) -> bool, fn(&Report) -> String);

const ALWAYS: fn(&SimArguments) -> bool = |_| true;
const PAPER: fn(&SimArguments) -> bool = |arguments| arguments.ybw.ybw == YbwRules::Paper;
const SEEDS: fn(&SimArguments) -> bool = |arguments| arguments.seeds > 1;

const COLUMNS: [Column; 20] = [
    Column("procs", 6, ALWAYS, |row| row.processors.to_string()),
    Column("depth", 5, ALWAYS, |row| row.depth.to_string()),
    Column("pos", 4, ALWAYS, |row| row.positions.to_string()),
    Column("seq Mn", 9, ALWAYS, |row| format!("{:.3}", row.sequential_nodes_per_position / 1e6)),
    Column("time", 10, ALWAYS, |row| durations::text(row.time_per_position)),
    Column("speedup", 8, ALWAYS, |row| format!("{:.2}", row.speedup)),
    Column("±", 6, SEEDS, |row| spread::text(row.seeds.speedup_spread, 2)),
    Column("SO %", 7, ALWAYS, |row| percent(row.search_overhead)),
    Column("±", 6, SEEDS, |row| {
        spread::text(row.seeds.search_overhead_spread.map(|spread| spread * 100.0), 1)
    }),
    Column("LOAD %", 7, ALWAYS, |row| percent(row.load)),
    Column("PERF %", 7, ALWAYS, |row| percent(row.performance)),
    Column("sync %", 7, ALWAYS, |row| percent(row.synchronisation)),
    Column("LI %", 7, ALWAYS, |row| percent(row.imbalance)),
    Column("msg/node", 8, ALWAYS, |row| format!("{:.3}", row.messages_per_node)),
    Column("closure %", 9, ALWAYS, |row| closure(row.closure)),
    Column("rate %", 6, ALWAYS, |row| percent(row.rate_share)),
    Column("grain", 6, |arguments| arguments.grain.len() > 1, |row| row.grain.to_string()),
    Column(
        "table",
        13,
        |arguments| arguments.table.len() > 1 && !PAPER(arguments),
        |row| row.table_label.clone(),
    ),
    Column("table", 20, PAPER, |row| row.table_label.clone()),
    Column(
        "for",
        8,
        |arguments| !arguments.figure6.is_empty(),
        |row| row.seconds.map(durations::text).unwrap_or_default(),
    ),
];

/// By how much the identity is off, in per cent; nothing is not a negative number.
pub fn closure(share: f64) -> String {
    let text = format!("{:.2}", share * 100.0);
    if text == "-0.00" { "0.00".to_owned() } else { text }
}

fn percent(share: f64) -> String {
    format!("{:.1}", share * 100.0)
}

fn line(
    arguments: &SimArguments,
    cell: impl Fn(&Column) -> String,
    out: &mut impl Write,
) -> io::Result<()> {
    let shown = COLUMNS.iter().filter(|Column(_, _, is_shown, _)| is_shown(arguments));
    let cells: Vec<String> =
        shown.map(|column| format!("{:>1$}", cell(column), column.1)).collect();
    writeln!(out, "{}", cells.join(" "))
}

/// A row of the table.
pub fn write_row(
    report: &Report,
    arguments: &SimArguments,
    out: &mut impl Write,
) -> io::Result<()> {
    line(arguments, |Column(_, _, _, show)| show(report), out)
}

/// What stands above the rows.
pub fn write_head(arguments: &SimArguments, model: &Model, out: &mut impl Write) -> io::Result<()> {
    let tables: Vec<String> =
        arguments.table.iter().map(|&kind| table_name(kind, arguments)).collect();
    let contended = if arguments.contention { ", links contended" } else { "" };
    writeln!(
        out,
        "{}, profile {}, machine {}{contended}, table {} ({} MB); nodes and time of a position on average",
        strategy_name(arguments.strategy, arguments),
        arguments.profile,
        model.name,
        tables.join(", "),
        arguments.hash,
    )?;
    if arguments.table.contains(&TableKind::Shared) {
        writeln!(out, "{FREE_TABLE}")?;
    }
    if arguments.seeds > 1 {
        writeln!(
            out,
            "Speedups are means of {} seeds; ± is one standard deviation.",
            arguments.seeds
        )?;
    }
    line(arguments, |Column(name, ..)| (*name).to_owned(), out)
}
