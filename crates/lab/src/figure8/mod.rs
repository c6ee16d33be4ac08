//! Marsland's Figure 8 (M35): what each enhancement of alpha-beta saves, by depth, on the Bratko-Kopec
//! positions.
//!
//! Every trace is a set of switches of the profile `plain`. The base is direct alpha-beta: one search to
//! the full depth, captures before other moves, a quiescence search at the horizon. Everything else is
//! shown in per cent of its nodes. (The survey shows CPU time; nodes are the same on every machine. The
//! seconds are measured as well.) The transposition table has 8 192 places with one probe, as there.

mod picture;
mod report;

pub use picture::{chart, draw};
pub use report::{json, text};

use crate::workers::{Stop, as_they_come};
use board::{History, Position};
use search::switches::{BARE, Quiescence, Switches, TableUse, Window};
use search::{Frontier, Limits, Profile, Quiet, Worker};
use std::time::Instant;
use table::{AnyTable, Table};

/// The survey's table has "eight thousand entries".
const TABLE_ENTRIES: usize = 8_192;

/// Half the window of the aspiration search: a pawn.
const PAWN: i32 = 100;

/// The mean width of the trees on these positions, by the survey.
pub const WIDTH: f64 = 34.0;

/// A way to search.
#[derive(Clone, Debug)]
pub struct Trace {
    /// `pvs +trans +hist`
    pub name: String,
    /// What is switched on.
    pub switches: Switches,
}

/// What a trace cost at one depth, over all positions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Nodes.
    pub nodes: u64,
    /// Seconds.
    pub seconds: f64,
    /// Nodes at the horizon, ALL and CUT, and what they cost.
    pub frontier: [Frontier; 2],
}

impl Cost {
    fn add(&mut self, other: &Cost) {
        self.nodes += other.nodes;
        self.seconds += other.seconds;
        for (sum, other) in self.frontier.iter_mut().zip(&other.frontier) {
            sum.nodes += other.nodes;
            sum.cost += other.cost;
        }
    }
}

/// The figure.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The depths, in plies.
    pub depths: Vec<i32>,
    /// Positions that were searched.
    pub positions: usize,
    /// The traces, the base first, with their costs by depth.
    pub traces: Vec<(Trace, Vec<Cost>)>,
    /// Nodes of direct alpha-beta without quiescence search by depth: what the minimal tree is a part of.
    pub bare: Vec<u64>,
}

/// Direct alpha-beta.
const BASE: Switches = Switches { quiescence: Quiescence::Captures, ..BARE };

/// The traces of the figure; with `all`, every enhancement for itself and together, with and without
/// iterative deepening.
pub fn traces(all: bool) -> Vec<Trace> {
    let direct = |scout| Switches { scout, ..BASE };
    let deepening = |window, scout| Switches { iterate: true, window, scout, ..BASE };
    let ways = [
        ("alpha-beta", direct(false), all),
        ("direct pvs", direct(true), all),
        ("iterative alpha-beta", deepening(Window::Full, false), all),
        ("aspiration", deepening(Window::Static(PAWN), false), true),
        ("pvs", deepening(Window::Full, true), true),
    ];
    let mut traces = Vec::new();
    for (name, way, with_memory) in ways {
        if name != "direct pvs" || all {
            traces.push(Trace { name: name.to_owned(), switches: way });
        }
        for (suffix, switches) in memories(way) {
            let short =
                matches!(suffix, "+ref" | "+trans" | "+hist" | "+ref +hist" | "+trans +hist");
            // Without iterations there is nothing that a refutation table could remember.
            let useful = way.iterate || !switches.refutations;
            if with_memory && useful && (all || short) {
                traces.push(Trace { name: format!("{name} {suffix}"), switches });
            }
        }
    }
    traces
}

/// A way with each memory and with those that the survey combines.
fn memories(way: Switches) -> [(&'static str, Switches); 8] {
    let (table, refutations, history, killers) = (true, true, true, true);
    [
        ("+kill", Switches { killers, ..way }),
        ("+hist", Switches { history, ..way }),
        ("+ref", Switches { refutations, ..way }),
        ("+trans", Switches { table, ..way }),
        ("+ref +hist", Switches { refutations, history, ..way }),
        ("+trans +hist", Switches { table, history, ..way }),
        ("+trans +ref +hist", Switches { table, refutations, history, ..way }),
        ("+trans +ref +hist +kill", Switches { table, refutations, history, killers, ..way }),
    ]
}

/// The uses of the table apart, which the survey leaves open (3.6 e), exchanges in place of the quiescence search
/// at the horizon (2.5), and a table that knows the past of a position (D30).
pub fn parts() -> Vec<Trace> {
    let pvs = Switches { iterate: true, scout: true, ..BASE };
    let with = |name: &str, ordering, bounds, cuts| {
        let table_use = TableUse { ordering, bounds, cuts };
        Trace {
            name: format!("pvs +trans {name}"),
            switches: Switches { table: true, table_use, ..pvs },
        }
    };
    let named = |name: &str, switches| Trace { name: name.to_owned(), switches };
    let whole = Switches { table: true, ..pvs };
    vec![
        named("alpha-beta", BASE),
        named("pvs", pvs),
        with("(moves)", true, false, false),
        with("(bounds)", false, true, false),
        with("(cut-offs)", false, false, true),
        with("(moves, bounds)", true, true, false),
        with("(moves, cut-offs)", true, false, true),
        with("(bounds, cut-offs)", false, true, true),
        named("pvs +trans +past", Switches { history_keys: true, ..whole }),
        named("exchanges, pvs +trans", Switches { quiescence: Quiescence::Exchanges, ..whole }),
        named("pvs +trans", whole),
    ]
}

/// Nodes of the minimal tree of a width, all of them down to a depth (Z4 summed over the levels).
pub fn minimal_tree(width: f64, depth: i32) -> f64 {
    (1..=depth).map(|level| width.powi((level + 1) / 2) + width.powi(level / 2) - 1.0).sum::<f64>()
        + 1.0
}

/// Alpha-beta without quiescence search: what the minimal tree is a part of.
pub fn bare() -> Trace {
    Trace { name: "without quiescence".to_owned(), switches: BARE }
}

/// What one search costs that begins with empty memories and a table of its own.
pub fn search_alone(switches: Switches, position: &Position, depth: i32) -> Result<Cost, String> {
    let table = Table::with_entries(TABLE_ENTRIES).map_err(|error| error.to_string())?;
    Ok(search(&AnyTable::Direct(table), switches, position, depth))
}

/// Searches everything; `progress` is told how many of how many searches are done.
pub fn measure(
    positions: &[Position],
    depths: &[i32],
    traces: Vec<Trace>,
    threads: usize,
    mut progress: impl FnMut(usize, usize),
) -> Result<Figure, String> {
    let bare = bare();
    let ways: Vec<&Trace> = traces.iter().chain([&bare]).collect();
    // The deepest first: they take longest, and the end is not waited for by one thread alone.
    let jobs: Vec<(usize, usize, usize)> = (0..depths.len())
        .rev()
        .flat_map(|depth| (0..ways.len()).map(move |way| (depth, way)))
        .flat_map(|(depth, way)| (0..positions.len()).map(move |place| (depth, way, place)))
        .collect();
    let (mut costs, mut done) = (vec![vec![Cost::default(); depths.len()]; ways.len()], 0);
    let table = || {
        let table = Table::with_entries(TABLE_ENTRIES).map_err(|error| error.to_string())?;
        Ok(AnyTable::Direct(table))
    };
    let work = |table: &mut AnyTable, job: u64, _: &Stop<'_>| {
        let (depth, way, place) = jobs[job as usize];
        Ok(Some(search(table, ways[way].switches, &positions[place], depths[depth])))
    };
    let workers = (0..threads.max(1)).map(|_| table);
    as_they_come(workers, 0..jobs.len() as u64, &|| false, &work, |job, cost| {
        let (depth, way, _) = jobs[job as usize];
        costs[way][depth].add(&cost);
        done += 1;
        progress(done, jobs.len());
        Ok::<bool, String>(true)
    })?;
    let bare = costs.pop().unwrap_or_default().iter().map(|cost| cost.nodes).collect();
    let traces = traces.into_iter().zip(costs).collect();
    Ok(Figure { depths: depths.to_vec(), positions: positions.len(), traces, bare })
}

/// One search that begins with empty memories.
fn search(table: &AnyTable, switches: Switches, position: &Position, depth: i32) -> Cost {
    table.clear(1);
    let mut worker = Worker::new(Profile::Plain).with_switches(switches);
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let begun = Instant::now();
    let outcome = worker.search(table, position, &History::new(), &limits, &mut Quiet);
    let (seconds, frontier) = (begun.elapsed().as_secs_f64(), worker.statistics().frontier);
    Cost { nodes: outcome.nodes, seconds, frontier }
}

impl Figure {
    /// A trace's nodes in per cent of the base's, by depth.
    pub fn percents(&self, costs: &[Cost]) -> Vec<f64> {
        let base = self.traces.first().map_or(&[][..], |(_, base)| base);
        let percent = |(cost, base): (&Cost, &Cost)| ratio(cost.nodes as f64, base.nodes as f64);
        costs.iter().zip(base).map(percent).collect()
    }

    /// The minimal tree in per cent of direct alpha-beta, both without quiescence search, by depth.
    pub fn minimal_percents(&self) -> Vec<f64> {
        let minimal = |(&depth, &bare): (&i32, &u64)| {
            ratio(minimal_tree(WIDTH, depth) * self.positions as f64, bare as f64)
        };
        self.depths.iter().zip(&self.bare).map(minimal).collect()
    }
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { 100.0 * part / whole } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn z4_the_minimal_tree_is_counted_level_by_level() {
        // Width 3: 1 root, 3 children, 3 + 3 − 1 grandchildren, 9 + 3 − 1 below.
        assert_eq!(minimal_tree(3.0, 1), 1.0 + 3.0);
        assert_eq!(minimal_tree(3.0, 3), 1.0 + 3.0 + 5.0 + 11.0);
    }

    #[test]
    fn m35_the_base_is_100_and_the_memories_save_nodes() {
        let fens = [
            "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1",
            "2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - - 0 1",
        ];
        let positions = fens.map(|fen| Position::from_fen(fen).expect("a legal position"));
        let figure = measure(&positions, &[1, 3], traces(false), 2, |_, _| ());
        let figure = figure.expect("the searches end");
        let of = |name: &str| {
            let found = figure.traces.iter().find(|(trace, _)| trace.name == name);
            figure.percents(&found.expect("a trace of the figure").1)
        };
        assert_eq!(of("alpha-beta"), [100.0, 100.0]);
        assert!(of("pvs +trans +hist")[1] < of("iterative alpha-beta")[1]);
        assert!(figure.minimal_percents()[1] < 100.0);
        for (trace, costs) in &figure.traces {
            let [all, cut] = costs[1].frontier;
            assert!(all.nodes > 0 && cut.nodes > 0, "{}: nodes of both types", trace.name);
            assert!(all.cost + cut.cost < costs[1].nodes, "{}: and others", trace.name);
        }
        assert!(traces(true).len() > traces(false).len());
    }

    #[test]
    fn m35_every_use_of_the_table_is_a_trace_of_its_own() {
        let traces = parts();
        let uses: Vec<TableUse> = traces
            .iter()
            .filter(|trace| trace.switches.table)
            .map(|trace| trace.switches.table_use)
            .collect();
        let of = |part: fn(&TableUse) -> bool| uses.iter().filter(|one| part(one)).count();
        // Alone, with each of the two others, and three times with both.
        assert_eq!([of(|one| one.ordering), of(|one| one.bounds), of(|one| one.cuts)], [6; 3]);
        let table = |switches: Switches| Switches { table_use: TableUse::ALL, ..switches };
        let same = |trace: &&Trace| table(trace.switches) == traces[10].switches;
        assert_eq!(traces.iter().filter(same).count(), 7, "they differ in nothing else");
    }

    #[test]
    fn m21_a_table_that_is_too_small_costs_more_the_deeper_the_search() {
        let fen = "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1";
        let position = Position::from_fen(fen).expect("a legal position");
        let whole = Switches { iterate: true, scout: true, table: true, ..BASE };
        let nodes = |entries, depth| {
            let table = Table::with_entries(entries).expect("a small table");
            search(&AnyTable::Direct(table), whole, &position, depth).nodes as f64
        };
        let [shallow, deep] = [2, 5].map(|depth| nodes(64, depth) / nodes(1 << 16, depth));
        assert!(deep > 1.1 * shallow, "{shallow} times as many nodes at 2 plies, {deep} at 5");
    }
}
