//! `rookery timeline`: what each thread does during one short search, beside a simulated machine.

mod report;

use crate::arguments::TimelineArguments;
use crate::engine::{Engine, on_search_stack};
use crate::failure::Failure;
use crate::input;
use crate::interrupt::{self, unwatched};
use crate::json;
use crate::memory;
use crate::picture;
use crate::sim::each::{Event, each};
use crate::sim::{plot, read_model, root_search, trace};
use board::{History, Position};
use eval::nnue::Network;
use parallel::Time;
use parallel::sim::{self, Model, Setup};
use parallel::threads::{Recorder, Settings};
use parallel::timeline::Timeline;
use report::{Report, Side};
use search::{Limits, Outcome};
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The time of a move at a second and a half a game.
const USUAL_TIME: Duration = Duration::from_millis(40);

/// Spans and messages of each thread that are kept: some ten seconds of search.
const MOST: usize = 1 << 20;

/// How often the time of a node is measured; the shortest counts.
const TRIALS: usize = 3;

/// Runs the command.
pub fn run(arguments: &TimelineArguments, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let given = arguments.position.read()?;
    let (position, game) = given
        .map_or((Position::startpos(), History::new()), |given| (given.position, given.history));
    if position.legal_moves().len() < 2 {
        return Err(Failure::Usage("there is nothing to choose in this position".to_owned()));
    }
    let (drawing, table) = (arguments.plot.as_deref(), arguments.csv.as_deref());
    if drawing.zip(table).is_some_and(|(one, two)| one == two || files::same(one, two)) {
        return Err(Failure::Usage("--plot and --csv are the same file".to_owned()));
    }
    let machine = arguments.machine.as_deref().unwrap_or("threads");
    for (option, output) in [("--plot", drawing), ("--csv", table)] {
        output.map_or(Ok(()), |output| input::refuse_output(option, output, [machine]))?;
    }
    let model = read_model(machine)?;
    let (drawing, table) = (picture::open(drawing)?, picture::open(table)?);
    interrupt::listen();
    let real = RealSearch { arguments, position, game };
    let seen = on_search_stack(|| real.search())?;
    if interrupt::requested() {
        return Err(Failure::Interrupted);
    }
    let setup = setup(arguments, model, &seen);
    memory::check_free(setup.megabytes())
        .map_err(|reason| Failure::Usage(format!("the simulated machine: {reason}")))?;
    let root = parallel::RootSearch { game: real.game, ..root_search(&position, seen.depth) };
    let run = simulate(&setup, &root)?;
    let simulated = run.timeline.clone().unwrap_or_default();
    let report = Report {
        threads: arguments.threads,
        strategy: arguments.strategy.name(),
        machine: setup.model.name.clone(),
        node_us: setup.model.node as f64 / 1e3,
        depth: seen.depth,
        forgotten: seen.forgotten,
        real: Side::new(&seen.timeline, seen.nodes),
        simulated: Side::new(&simulated, run.nodes()),
    };
    picture::finish(table, |file| trace::write_both(file, &seen.timeline, &simulated))?;
    picture::draw(drawing, || plot::draw_both(&seen.timeline, &simulated))?;
    match arguments.json {
        true => json::write(&report, out)?,
        false => report.write(out)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The simulated search, on a thread of its own: Ctrl-C is heard meanwhile.
fn simulate(setup: &Setup, root: &parallel::RootSearch) -> Result<sim::Run, Failure> {
    let search = |()| sim::run(setup, root).map_err(|error| error.to_string());
    let mut found = None;
    each(1, &[()], search, |event| {
        if let Event::Done((), run) = event {
            found = Some(run);
        }
        Ok(())
    })?;
    found.ok_or_else(|| Failure::Work("the simulation failed: please report it".to_owned()))
}

/// The simulated machine for the same search.
fn setup(arguments: &TimelineArguments, model: Model, seen: &Seen) -> Setup {
    let TimelineArguments { strategy, threads, profile, hash, .. } = *arguments;
    let setup =
        Setup::new(strategy, model, threads, profile).like(&Settings::new(strategy, threads));
    let mut setup = Setup { record: true, network: seen.network.clone(), ..setup };
    setup.table.kilobytes = hash << 10;
    if arguments.machine.is_none() {
        setup.model.node = seen.node_ns;
    }
    setup
}

/// What was seen of the real search.
struct Seen {
    timeline: Timeline,
    /// The last finished iteration.
    depth: i32,
    nodes: u64,
    forgotten: u64,
    /// What a node takes one thread here.
    node_ns: Time,
    network: Option<Arc<Network>>,
}

struct RealSearch<'a> {
    arguments: &'a TimelineArguments,
    position: Position,
    game: History,
}

impl RealSearch<'_> {
    fn search(&self) -> Result<Seen, String> {
        let TimelineArguments { threads, strategy, profile, hash, .. } = *self.arguments;
        let mut engine = Engine::new(profile, hash)?;
        engine.set_strategy(strategy);
        engine.set_threads(threads)?;
        let recorder = Arc::new(Recorder::new(threads, MOST));
        engine.set_recorder(Some(Arc::clone(&recorder)));
        let limits = Limits { depth: self.arguments.depth, lines: 1, ..Limits::default() };
        let time = self.arguments.time.unwrap_or(USUAL_TIME);
        let time = self.arguments.depth.is_none().then_some(time);
        let mut until = interrupt::until(time);
        let Outcome { depth, nodes, .. } =
            engine.search(&self.position, &self.game, &limits, &mut until)?;
        // The threads that help may end a moment later.
        engine.set_threads(1)?;
        let (timeline, forgotten) = (recorder.since(0), recorder.forgotten());
        let node_ns = self.time_of_a_node(&mut engine, depth.max(1))?;
        let (_, network) = engine.rules();
        Ok(Seen { timeline, depth: depth.max(1), nodes, forgotten, node_ns, network })
    }

    /// Searches the same with one thread.
    fn time_of_a_node(&self, engine: &mut Engine, depth: i32) -> Result<Time, String> {
        let limits = Limits { depth: Some(depth), lines: 1, ..Limits::default() };
        let mut best = Time::MAX;
        for _ in 0..TRIALS {
            engine.new_game();
            let begun = Instant::now();
            let found = engine.search(&self.position, &self.game, &limits, &mut unwatched())?;
            best = best.min(begun.elapsed().as_nanos() as Time / found.nodes.max(1));
        }
        Ok(best.max(1))
    }
}
