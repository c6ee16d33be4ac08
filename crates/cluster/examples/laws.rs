//! Law 2 over a real MPI library: with the table and all selectivity off, every strategy returns the
//! minimax value on any number of processes. `mpirun -n 3 laws [REPETITIONS]`; the first process says
//! what came of it. With `--near` they know that they are on one host: requests and messages go by memory in
//! common. With `--lose` a process other than the first may be killed at any time (Open MPI's
//! `--enable-recovery`): the values must be the same. It goes on until that has been noticed, and some
//! searches longer; the repetitions say with which strategy it begins.

use board::{History, Position};
use cluster::mpi::Library;
use cluster::{Assignment, Hello, Link};
use definition::minimax;
use parallel::StrategyKind;
use parallel::threads::{STRATEGIES, Settings, ThreadPool, Uplink};
use search::switches::{BARE, Switches};
use search::{Limits, Profile, Quiet};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use table::AnyTable;

#[path = "../../search/tests/minimax/mod.rs"]
mod definition;

const SCOUT: Switches =
    Switches { scout: true, killers: true, history: true, iterate: true, ..BARE };
/// How long a process may be silent here: killed ones are to be noticed soon.
const DEADLINE: Duration = Duration::from_millis(1200);
/// Rounds of the cases after a process is known to be lost.
const ROUNDS_AFTER: usize = 3;
/// Rounds after which no process is lost any more.
const MOST_ROUNDS: usize = 200;

/// Positions, depths, values.
fn cases() -> Vec<(Position, i32, i32)> {
    [
        ("8/8/4k3/3p4/3P4/4K3/8/8 w - - 0 1", 6),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 96 60", 4),
        ("8/1P5k/8/8/8/8/1p5K/8 w - - 0 1", 5),
    ]
    .into_iter()
    .filter_map(|(fen, depth)| Some((Position::from_fen(fen).ok()?, depth)))
    .map(|(position, depth)| (position, depth, minimax(&position, depth)))
    .collect()
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let lose = arguments.iter().any(|word| word == "--lose");
    let repetitions = arguments.iter().find_map(|word| word.parse().ok()).unwrap_or(1);
    let near = arguments.iter().any(|word| word == "--near");
    match run(repetitions, lose, near) {
        Ok(line) => {
            if !line.is_empty() {
                println!("{line}");
            }
            ExitCode::SUCCESS
        }
        Err(reason) => {
            eprintln!("laws: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn run(repetitions: usize, lose: bool, near: bool) -> Result<String, String> {
    let library = Library::start()?;
    let link = Link::new(Box::new(library.fabric()))?;
    if lose {
        link.set_deadline(DEADLINE);
    }
    let memory_domain = if near { "here" } else { "" }.to_owned();
    let (host, pid) = ("here".to_owned(), std::process::id());
    let hello = Hello { host, memory_domain, pid, cores: 1, ..Hello::default() };
    link.greet(&hello)?;
    let table = Arc::new(AnyTable::new(Profile::Plain.policy(), 1).map_err(|e| e.to_string())?);
    if lose && link.is_first() {
        // From here on any process may be killed; before, the library itself would wait for it.
        println!("ready");
    }
    let outcome = match link.is_first() {
        true => lead(&link, &table, repetitions, lose),
        false => follow(&link, &table),
    };
    if !link.leave("") && lose {
        // The library would wait for those that are lost.
        match &outcome {
            Ok(line) => println!("{line}"),
            Err(reason) => eprintln!("laws: {reason}"),
        }
        std::process::exit(i32::from(outcome.is_err()));
    }
    drop(library);
    outcome
}

fn pool(
    link: &Arc<Link>,
    strategy: StrategyKind,
    switches: Switches,
) -> Result<ThreadPool, String> {
    let settings = Settings { grain: 1, ..Settings::new(strategy, 1) };
    let mut pool = ThreadPool::new(Profile::Plain, settings)?.with_switches(switches);
    pool.connect(Some(link.clone()));
    Ok(pool)
}

/// Searches all cases in one way; how many nodes were searched elsewhere.
fn search_cases(
    link: &Arc<Link>,
    table: &Arc<AnyTable>,
    strategy: StrategyKind,
    (name, switches): (&str, Switches),
    repetitions: usize,
) -> Result<(usize, u64), String> {
    let (cases, mut searches, mut remote) = (cases(), 0, 0);
    link.command(&name);
    let mut pool = pool(link, strategy, switches)?;
    for (position, depth, expected) in cases.iter().cycle().take(repetitions * cases.len()) {
        let limits = Limits { depth: Some(*depth), ..Limits::default() };
        let found = pool.search(table, position, &History::new(), &limits, &mut Quiet);
        let value = found.lines.first().map(|line| line.score);
        if value != Some(*expected) {
            let fen = position.fen();
            return Err(format!("{strategy} {name} {fen}: {value:?}, not {expected}"));
        }
        searches += 1;
        remote += pool.reports().iter().skip(1).map(|report| report.nodes).sum::<u64>();
    }
    Ok((searches, remote))
}

fn lead(
    link: &Arc<Link>,
    table: &Arc<AnyTable>,
    repetitions: usize,
    lose: bool,
) -> Result<String, String> {
    link.share_remote_grain(1);
    let ways = STRATEGIES.into_iter().flat_map(|strategy| {
        [("bare", BARE), ("scout", SCOUT)].map(|switches| (strategy, switches))
    });
    let (first, rounds) = if lose { (repetitions, MOST_ROUNDS) } else { (0, ways.clone().count()) };
    let each = if lose { 1 } else { repetitions };
    let (mut searches, mut remote, mut after) = (0, 0, 0);
    for (strategy, switches) in ways.cycle().skip(first).take(rounds) {
        let (more, elsewhere) = search_cases(link, table, strategy, switches, each)?;
        (searches, remote) = (searches + more, remote + elsewhere);
        after += usize::from(link.lost_count() > 0);
        if after > ROUNDS_AFTER {
            break;
        }
    }
    let processes = link.place().processes;
    if remote == 0 && processes > 1 {
        return Err("nothing was searched elsewhere".to_owned());
    }
    let lost = link.lost_count();
    Ok(format!(
        "law 2 holds: {searches} searches, {processes} processes, {lost} lost, {remote} nodes elsewhere"
    ))
}

fn follow(link: &Arc<Link>, table: &Arc<AnyTable>) -> Result<String, String> {
    let mut switches = BARE;
    let mut present: Option<(StrategyKind, Switches, ThreadPool)> = None;
    loop {
        match link.next_assignment() {
            Assignment::Command(name) => {
                let name: String = name.read().map_err(|damage| damage.to_string())?;
                switches = if name == "bare" { BARE } else { SCOUT };
            }
            Assignment::Search(search) => {
                let fits = |(kind, rules, _): &(StrategyKind, Switches, ThreadPool)| {
                    *kind == search.strategy && *rules == switches
                };
                if !present.as_ref().is_some_and(fits) {
                    let pool = pool(link, search.strategy, switches)?;
                    present = Some((search.strategy, switches, pool));
                }
                if let Some((.., pool)) = &mut present {
                    let serve = || pool.serve(table, search.root.clone(), search.grain);
                    link.take_part(search.number, serve);
                }
            }
            Assignment::Call(_) => (),
            Assignment::Leave(_) => return Ok(String::new()),
        }
    }
}
