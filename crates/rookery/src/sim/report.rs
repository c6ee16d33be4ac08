//! What a row of a simulation comes to, for people and for programs.

use super::columns;
use super::outcome::{Sequential, Simulated};
use super::rows::{Case, Row};
use super::spread::Seeds;
use crate::arguments::SimArguments;
use crate::counted::counted;
use parallel::accounting::Balance;
use parallel::sim::{Model, Shape, TableKind, TableMessage};
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
    /// By row, case and seed.
    simulated: Vec<Vec<Vec<Option<Simulated>>>>,
}

impl Results {
    /// No results yet, with room for a number of positions and for these rows.
    pub fn new(positions: usize, rows: &[Row]) -> Results {
        let room = |row: &Row| vec![vec![None; row.seeds.len()]; row.cases.len()];
        let simulated = rows.iter().map(room).collect();
        Results { sequential: vec![Vec::new(); positions], simulated }
    }

    /// A position was searched sequentially.
    pub fn sequential(&mut self, position: usize, search: Sequential) {
        self.sequential[position].push(search);
    }

    /// A case of a row was searched.
    pub fn simulated(&mut self, row: usize, case: usize, seed: usize, run: Simulated) {
        self.simulated[row][case][seed] = Some(run);
    }

    /// Whether all searches of a row are there.
    pub fn is_complete(&self, number: usize, row: &Row) -> bool {
        let is_there = |case, seed| self.pair(number, row, case, seed).is_some();
        (0..row.cases.len()).all(|case| (0..row.seeds.len()).all(|seed| is_there(case, seed)))
    }

    fn pair(
        &self,
        number: usize,
        row: &Row,
        case: usize,
        seed: usize,
    ) -> Option<(&Sequential, &Simulated)> {
        let Case { position, depth } = *row.cases.get(case)?;
        let enough = |search: &&Sequential| search.reaches(depth, row.setup.step);
        let search = self.sequential.get(position)?.iter().find(enough)?;
        Some((search, self.simulated.get(number)?.get(case)?.get(seed)?.as_ref()?))
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
        let (messages, bytes) = (balance.sum.remote_messages, balance.sum.remote_bytes);
        let seconds = f64::max(balance.time as f64 / 1e9, 1e-9);
        let bytes_per_second = bytes as f64 / seconds / links.max(1) as f64;
        (links > 0).then_some(Links { links, messages, bytes, bytes_per_second })
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let Links { links, messages, bytes, bytes_per_second } = self;
        let (megabytes, kilobytes) = (*bytes as f64 / 1e6, bytes_per_second / 1e3);
        let (messages, links) = (counted(messages, "message"), counted(links, "link"));
        writeln!(
            out,
            "       between clusters {messages}, {megabytes:.2} MB; {kilobytes:.1} KB/s for each of {links}",
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
    /// Whose rules it follows, where there are several.
    rules: Option<String>,
    profile: String,
    machine: String,
    pub processors: u32,
    pub depth: i32,
    /// Smallest depth of a child that another processor searches.
    pub grain: i32,
    /// Whether it is one of several that were asked for.
    #[serde(skip)]
    swept: bool,
    table: String,
    /// Whether the table costs nothing: free global knowledge, which no machine has.
    table_is_free: bool,
    #[serde(skip)]
    pub table_label: String,
    /// Megabytes of the table, of all processors together.
    table_mb: u64,
    /// Whether messages waited for links.
    contention: bool,
    /// The time for which depths were chosen (Figure 6).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    pub positions: usize,
    /// Seeds.
    runs: usize,
    /// Virtual seconds, summed over positions and seeds, as all sums are.
    pub time: f64,
    sequential_time: f64,
    pub time_per_position: f64,
    pub nodes: u64,
    pub sequential_nodes: u64,
    pub sequential_nodes_per_position: f64,
    /// Nodes of all processors in a virtual second.
    node_rate: f64,
    /// The mean of the seeds.
    pub speedup: f64,
    #[serde(flatten)]
    pub seeds: Seeds,
    /// Virtual seconds of each search of the row, over the seeds, and those of the sequential ones.
    times: Vec<f64>,
    sequential_times: Vec<f64>,
    pub search_overhead: f64,
    pub load: f64,
    pub performance: f64,
    /// By how much the identity is off.
    pub closure: f64,
    /// Shares of all processors' time.
    pub synchronisation: f64,
    communication: f64,
    /// Most nodes of a processor over the mean, less one.
    pub imbalance: f64,
    /// How many of each kind were sent.
    messages: BTreeMap<&'static str, u64>,
    pub messages_per_node: f64,
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
    pub rate_share: f64,
}

/// The runs of a row, added up.
#[derive(Default)]
struct Sums {
    balance: Balance,
    hash: u64,
    /// Real seconds of the simulated searches and of the sequential ones.
    seconds: f64,
    sequential_seconds: f64,
    /// The most positions of a seed: after Ctrl-C some are missing.
    positions: usize,
    /// Speedup and overhead of each seed.
    runs: Vec<(f64, f64)>,
    /// Virtual seconds of each position, and those of the sequential search.
    times: Vec<(f64, f64)>,
}

impl Sums {
    fn new(model: &Model, row: &Row, results: &Results, number: usize) -> Sums {
        let mut sums = Sums { times: vec![(0.0, 0.0); row.cases.len()], ..Sums::default() };
        for seed in 0..row.seeds.len() {
            let (mut own, mut count) = (Balance::default(), 0);
            for (case, &Case { depth, .. }) in row.cases.iter().enumerate() {
                let Some((search, run)) = results.pair(number, row, case, seed) else { continue };
                let nodes = search.to_depth(depth);
                count += 1;
                let balance = run.balance(nodes, nodes * model.node);
                sums.times[case].0 += balance.time as f64 / 1e9;
                sums.times[case].1 += balance.sequential_time as f64 / 1e9;
                own.add_all(&balance);
                sums.hash = sums.hash.rotate_left(7) ^ run.hash;
                sums.seconds += run.seconds;
                sums.sequential_seconds += nodes as f64 / search.rate().max(1e-9);
            }
            sums.positions = sums.positions.max(count);
            sums.balance.add_all(&own);
            sums.runs.extend((count > 0).then(|| (own.speedup(), own.search_overhead())));
        }
        sums
    }
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
        let Sums { balance, hash, seconds, sequential_seconds, positions, runs, times } =
            Sums::new(model, row, results, number);
        let seeds = Seeds::new(&runs);
        let (times, sequential_times) = times.into_iter().unzip();
        let sum = &balance.sum;
        let kinds = Message::KINDS.into_iter().zip(sum.sent);
        let table_kinds = TableMessage::KINDS.into_iter().zip(sum.table_sent);
        let messages: BTreeMap<&'static str, u64> =
            kinds.chain(table_kinds).filter(|&(_, count)| count > 0).collect();
        let each = |sum: f64| sum / (positions * runs.len()).max(1) as f64;
        let (time, sequential_nodes) = (balance.time as f64 / 1e9, balance.sequential_nodes);
        let rate = sum.nodes as f64 / f64::max(seconds, 1e-9);
        let sequential_rate = sequential_nodes as f64 / f64::max(sequential_seconds, 1e-9);
        Report {
            strategy: arguments.strategy.to_string(),
            rules: arguments.rules(arguments.strategy),
            profile: arguments.profile.to_string(),
            machine: model.name.clone(),
            processors: row.setup.peers,
            depth: row.depth,
            grain: match row.setup.strategy {
                StrategyKind::Tds => row.setup.tds.grain,
                _ => row.setup.grain,
            },
            swept: arguments.grain.len() > 1,
            table: row.setup.table.kind.to_string(),
            table_is_free: row.setup.table.kind == TableKind::Shared,
            table_label: columns::table_name(row.setup.table.kind, arguments),
            table_mb: row.setup.table.kilobytes >> 10,
            contention: row.setup.contention,
            seconds: row.seconds,
            positions,
            runs: runs.len(),
            time,
            sequential_time: balance.sequential_time as f64 / 1e9,
            time_per_position: each(time),
            nodes: sum.nodes,
            sequential_nodes,
            sequential_nodes_per_position: each(sequential_nodes as f64),
            node_rate: sum.nodes as f64 / time.max(1e-9),
            speedup: seeds.mean().unwrap_or_default(),
            seeds,
            times,
            sequential_times,
            search_overhead: balance.search_overhead(),
            load: balance.load(),
            performance: balance.performance(),
            closure: balance.closure(),
            synchronisation: balance.synchronisation(),
            communication: balance.communication(),
            imbalance: balance.imbalance(),
            messages_per_node: messages.values().sum::<u64>() as f64 / sum.nodes.max(1) as f64,
            messages,
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
        let searches = (self.positions * self.runs) as u64;
        too_small(self.processors, self.depth, self.sequential_nodes, searches)
    }

    /// What it came to, where several grains were asked for.
    pub fn of_sweep(&self) -> Option<Swept> {
        let Report { processors, depth, grain, speedup, .. } = *self;
        self.swept.then_some(Swept { processors, depth, grain, speedup })
    }

    /// What the rows of comma-separated values show of the traffic between clusters.
    pub fn between_clusters(&self) -> [(&'static str, Option<f64>); 4] {
        let links = self.clusters.as_ref();
        [
            ("cluster_links", links.map(|links| links.links as f64)),
            ("cluster_messages", links.map(|links| links.messages as f64)),
            ("cluster_bytes", links.map(|links| links.bytes as f64)),
            ("cluster_bytes_per_second", links.map(|links| links.bytes_per_second)),
        ]
    }

    /// A line of the table, and what went between clusters.
    pub fn write(&self, arguments: &SimArguments, out: &mut impl Write) -> io::Result<()> {
        columns::write_row(self, arguments, out)?;
        self.clusters.as_ref().map_or(Ok(()), |links| links.write(out))
    }
}

/// A warning where the trees of all positions, of `nodes` together, are too small to mean anything.
pub fn too_small(processors: u32, depth: i32, nodes: u64, positions: u64) -> Option<String> {
    let each = nodes / positions.max(1);
    let share = each / u64::from(processors.max(1));
    (share < MEANINGFUL_NODES && processors > 1).then(|| {
        format!(
            "{processors} processors at depth {depth}: {}, {share} for each processor, are too few to mean \
             anything; a greater --depth has more",
            counted(each, "node")
        )
    })
}
