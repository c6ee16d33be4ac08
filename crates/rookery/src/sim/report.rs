//! What a simulation shows: the table of Zugzwang's Figure 4, and one object for programs.

use super::outcome::{Sequential, Simulated};
use super::rows::Row;
use crate::arguments::SimArguments;
use crate::durations;
use parallel::accounting::Balance;
use parallel::sim::{Model, Shape, TableMessage};
use parallel::{Message, StrategyKind};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Trees of fewer nodes for each processor tell more about beginning and ending than about searching.
const MEANINGFUL_NODES: u64 = 100;

/// What has been found so far.
pub struct Results {
    /// By position.
    sequential: Vec<Vec<Sequential>>,
    /// By row and position.
    simulated: Vec<Vec<Option<Simulated>>>,
}

impl Results {
    /// No results yet, with room for these numbers of positions and rows.
    pub fn new(positions: usize, rows: usize) -> Results {
        Results {
            sequential: vec![Vec::new(); positions],
            simulated: vec![vec![None; positions]; rows],
        }
    }

    /// A position was searched sequentially.
    pub fn sequential(&mut self, position: usize, search: Sequential) {
        self.sequential[position].push(search);
    }

    /// A position of a row was searched.
    pub fn simulated(&mut self, row: usize, position: usize, run: Simulated) {
        self.simulated[row][position] = Some(run);
    }

    /// Whether all positions of a row are there.
    pub fn is_complete(&self, number: usize, row: &Row) -> bool {
        row.positions.iter().all(|&position| self.pair(number, row, position).is_some())
    }

    fn pair(&self, number: usize, row: &Row, position: usize) -> Option<(&Sequential, &Simulated)> {
        let enough = |search: &&Sequential| search.reaches(row.depth, row.setup.step);
        let search = self.sequential.get(position)?.iter().find(enough)?;
        Some((search, self.simulated.get(number)?.get(position)?.as_ref()?))
    }
}

/// What went from cluster to cluster (D101).
#[derive(Serialize)]
struct Links {
    /// Pairs of clusters.
    links: u64,
    messages: u64,
    bytes: u64,
    /// Bytes in a virtual second, for each of the links.
    bytes_per_second: f64,
}

impl Links {
    /// None on a machine without clusters, or where all are in one.
    fn new(model: &Model, balance: &Balance) -> Option<Links> {
        let Shape::Clusters { size } = model.shape_of(balance.processors) else { return None };
        let clusters = u64::from(balance.processors.div_ceil(size.max(1)));
        let links = clusters * clusters.saturating_sub(1) / 2;
        let (messages, bytes) = (balance.sum.far_messages, balance.sum.far_bytes);
        let seconds = f64::max(balance.time as f64 / 1e9, 1e-9);
        let bytes_per_second = bytes as f64 / seconds / links.max(1) as f64;
        (links > 0).then_some(Links { links, messages, bytes, bytes_per_second })
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let Links { links, messages, bytes, bytes_per_second } = self;
        let (megabytes, kilobytes) = (*bytes as f64 / 1e6, bytes_per_second / 1e3);
        writeln!(
            out,
            "       between clusters {messages} messages, {megabytes:.2} MB; {kilobytes:.1} KB/s for \
             each of {links} links",
        )
    }
}

/// A row of a sweep over grains (D109).
#[derive(Clone, Copy)]
pub struct Swept {
    pub processors: u32,
    pub depth: i32,
    pub grain: i32,
    pub speedup: f64,
}

/// One number of processors, over all positions.
#[derive(Serialize)]
pub struct Report {
    strategy: String,
    profile: String,
    machine: String,
    processors: u32,
    depth: i32,
    /// Smallest depth of a child that another processor searches.
    grain: i32,
    /// Whether it is one of several that were asked for.
    #[serde(skip)]
    swept: bool,
    table: String,
    positions: usize,
    /// Virtual seconds, summed over the positions.
    time: f64,
    sequential_time: f64,
    nodes: u64,
    sequential_nodes: u64,
    speedup: f64,
    search_overhead: f64,
    load: f64,
    performance: f64,
    /// By how much the identity is off.
    closure: f64,
    /// Shares of all processors' time.
    synchronisation: f64,
    communication: f64,
    /// Most nodes of a processor over the mean, less one.
    imbalance: f64,
    /// How many of each kind were sent.
    messages: BTreeMap<&'static str, u64>,
    bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    clusters: Option<Links>,
    restarts: u64,
    aborts: u64,
    jobs: u64,
    seed: u64,
    /// A hash over all messages of all runs.
    hash: String,
    /// Nodes that the simulator searches in a real second.
    rate: f64,
    /// That as a share of the sequential search's.
    rate_share: f64,
}

impl Report {
    /// Puts the runs of a row together.
    pub fn new(
        arguments: &SimArguments,
        model: &Model,
        row: &Row,
        results: &Results,
        number: usize,
    ) -> Report {
        let mut balance = Balance::default();
        let (mut hash, mut seconds, mut sequential_seconds) = (0u64, 0.0, 0.0);
        let mut positions = 0;
        for &position in &row.positions {
            let Some((search, run)) = results.pair(number, row, position) else { continue };
            let nodes = search.to_depth(row.depth);
            positions += 1;
            balance.add_all(&run.balance(nodes, nodes * model.node));
            hash = hash.rotate_left(7) ^ run.hash;
            seconds += run.seconds;
            sequential_seconds += nodes as f64 / search.rate().max(1e-9);
        }
        let sum = &balance.sum;
        let kinds = Message::KINDS.into_iter().zip(sum.sent);
        let table_kinds = TableMessage::KINDS.into_iter().zip(sum.table_sent);
        let rate = sum.nodes as f64 / f64::max(seconds, 1e-9);
        let sequential_rate = balance.sequential_nodes as f64 / f64::max(sequential_seconds, 1e-9);
        Report {
            strategy: arguments.strategy.to_string(),
            profile: arguments.profile.to_string(),
            machine: model.name.clone(),
            processors: balance.processors,
            depth: row.depth,
            grain: match row.setup.strategy {
                StrategyKind::Tds => row.setup.tds.grain,
                _ => row.setup.grain,
            },
            swept: arguments.grain.len() > 1,
            table: arguments.table.to_string(),
            positions,
            time: balance.time as f64 / 1e9,
            sequential_time: balance.sequential_time as f64 / 1e9,
            nodes: sum.nodes,
            sequential_nodes: balance.sequential_nodes,
            speedup: balance.speedup(),
            search_overhead: balance.search_overhead(),
            load: balance.load(),
            performance: balance.performance(),
            closure: balance.closure(),
            synchronisation: balance.synchronisation(),
            communication: balance.communication(),
            imbalance: balance.imbalance(),
            messages: kinds.chain(table_kinds).filter(|&(_, count)| count > 0).collect(),
            bytes: sum.bytes,
            clusters: Links::new(model, &balance),
            restarts: sum.restarts,
            aborts: sum.aborts,
            jobs: sum.jobs,
            seed: arguments.seed,
            hash: format!("{hash:016x}"),
            rate,
            rate_share: rate / sequential_rate.max(1e-9),
        }
    }

    /// Whether there is anything in it: after Ctrl-C a row may be empty.
    pub fn has_positions(&self) -> bool {
        self.positions > 0
    }

    /// Says so if the trees were too small to mean anything.
    pub fn too_small(&self) -> Option<String> {
        too_small(self.processors, self.depth, self.sequential_nodes, self.positions as u64)
    }

    /// What it came to, where several grains were asked for.
    pub fn of_sweep(&self) -> Option<Swept> {
        let Report { processors, depth, grain, speedup, .. } = *self;
        self.swept.then_some(Swept { processors, depth, grain, speedup })
    }

    /// A line of the table.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let percent = |share: f64| format!("{:.1}", share * 100.0);
        let each = |sum: f64| sum / self.positions.max(1) as f64;
        let sent: u64 = self.messages.values().sum();
        writeln!(
            out,
            "{:>6} {:>5} {:>4} {:>9.3} {:>10} {:>8.2} {:>7} {:>7} {:>7} {:>7} {:>7} {:>8.3} \
             {:>9.2} {:>6}{}",
            self.processors,
            self.depth,
            self.positions,
            each(self.sequential_nodes as f64) / 1e6,
            durations::text(each(self.time)),
            self.speedup,
            percent(self.search_overhead),
            percent(self.load),
            percent(self.performance),
            percent(self.synchronisation),
            percent(self.imbalance),
            sent as f64 / self.nodes.max(1) as f64,
            self.closure * 100.0,
            percent(self.rate_share),
            if self.swept { format!(" {:>6}", self.grain) } else { String::new() },
        )?;
        self.clusters.as_ref().map_or(Ok(()), |links| links.write(out))
    }
}

/// A warning where the trees of all positions, of `nodes` together, are too small to mean anything.
pub fn too_small(processors: u32, depth: i32, nodes: u64, positions: u64) -> Option<String> {
    let each = nodes / positions.max(1);
    let share = each / u64::from(processors.max(1));
    (share < MEANINGFUL_NODES && processors > 1).then(|| {
        format!(
            "{processors} processors at depth {depth}: {each} nodes, {share} for each processor, are too \
             few to mean anything; a greater --depth has more"
        )
    })
}

/// What stands above the lines.
pub fn write_head(arguments: &SimArguments, model: &Model, out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "{}, profile {}, machine {}, table {} ({} MB); nodes and time of a position on average",
        arguments.strategy, arguments.profile, model.name, arguments.table, arguments.hash,
    )?;
    writeln!(
        out,
        "{:>6} {:>5} {:>4} {:>9} {:>10} {:>8} {:>7} {:>7} {:>7} {:>7} {:>7} {:>8} {:>9} {:>6}{}",
        "procs",
        "depth",
        "pos",
        "seq Mn",
        "time",
        "speedup",
        "SO %",
        "LOAD %",
        "PERF %",
        "sync %",
        "LI %",
        "msg/node",
        "closure %",
        "rate %",
        if arguments.grain.len() > 1 { "  grain" } else { "" },
    )
}
