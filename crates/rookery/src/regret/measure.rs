//! `rookery regret measure`: every position in every setting.

use super::reference::{self, Contents, Reference};
use super::report::Report;
use super::setting::{self, Setting};
use crate::arguments::{Evaluation, RegretMeasureArguments};
use crate::counted::counted;
use crate::engine::{Engine, STACK};
use crate::failure::Failure;
use crate::interrupt;
use crate::json;
use crate::network;
use crate::progress::Progress;
use crate::sim::each::REFRESH;
use board::Move;
use cluster::Link;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Instant;

/// What a search chose, and what it took.
#[derive(Clone, Copy)]
pub struct Choice {
    pub mv: Move,
    pub depth: i32,
    pub nodes: u64,
    pub seconds: f64,
}

/// The choices of all settings in one position, once.
pub struct Round {
    /// The position's place in the list.
    pub position: usize,
    pub choices: Vec<Choice>,
}

/// Runs the command.
pub fn run(
    arguments: &RegretMeasureArguments,
    link: Option<&Arc<Link>>,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    let settings = setting::read_all(&arguments.settings).map_err(Failure::Usage)?;
    if arguments.together && link.is_none() {
        let reason = "--together: there is one process; start more with mpirun";
        return Err(Failure::Usage(reason.to_owned()));
    }
    let most = arguments.first.map_or(usize::MAX, |most| most as usize);
    let Contents { references, broken, is_unfinished } =
        reference::read(&arguments.file, most).map_err(Failure::Work)?;
    // For the user at the terminal: it does not matter where stderr is closed.
    let mut errors = std::io::stderr();
    broken.iter().for_each(|reason| drop(writeln!(errors, "rookery: {reason}")));
    if is_unfinished {
        let line =
            "rookery: the file has no end mark: `regret make` did not finish it, or it was cut";
        let _ = writeln!(errors, "{line}");
    }
    interrupt::listen();
    if !arguments.json {
        let positions = counted(references.len(), "position");
        writeln!(out, "{positions} to be searched in {}", counted(settings.len(), "setting"))?;
        out.flush()?;
    }
    let begun = Instant::now();
    let engines = engines(arguments, link, references.len())?;
    let trial = Trial { settings: &settings, references: &references, next: AtomicUsize::new(0) };
    let wanted = references.len() * arguments.repetitions as usize;
    let mut show = |mut rounds: Vec<Round>| {
        rounds.sort_by_key(|round| round.position);
        let interrupted = rounds.len() < wanted;
        if interrupted && !interrupt::requested() {
            return Err(Failure::Work("the search failed: please report it".to_owned()));
        }
        let mut report = Report::new(&settings, &references, &rounds, arguments.scale);
        report.file = arguments.file.display().to_string();
        (report.repetitions, report.interrupted) = (arguments.repetitions, interrupted);
        report.seconds = begun.elapsed().as_secs_f64();
        match arguments.json {
            true => json::write(&report, out)?,
            false => report.write(out)?,
        }
        out.flush()?;
        if interrupted { Err(Failure::Interrupted) } else { Ok(()) }
    };
    let rounds = trial.search_all(engines, wanted, &mut show)?;
    show(rounds)?;
    Ok(if broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Those that search: one for each position at a time, of all processes; or all processes as one.
fn engines(
    arguments: &RegretMeasureArguments,
    link: Option<&Arc<Link>>,
    positions: usize,
) -> Result<Vec<Engine>, Failure> {
    let chosen = arguments.evaluation.open(Evaluation::Net)?;
    network::share(chosen.as_ref(), link).map_err(Failure::Work)?;
    let network = chosen.map(|chosen| chosen.network);
    let (profile, hash) = (arguments.profile, arguments.hash);
    let engines = match link.filter(|_| arguments.together) {
        Some(link) => Engine::new(profile, hash)
            .and_then(|mut engine| engine.connect(link).map(|()| vec![engine])),
        None => {
            let count = usize::from(arguments.concurrency).min(positions) as u32;
            Engine::everywhere(profile, hash, count, link)
        }
    };
    let mut engines = engines.map_err(|reason| Failure::Usage(format!("--hash: {reason}")))?;
    engines.iter_mut().for_each(|engine| engine.set_network(network.clone()));
    Ok(engines)
}

/// What is searched.
struct Trial<'a> {
    settings: &'a [Setting],
    references: &'a [Reference],
    next: AtomicUsize,
}

impl Trial<'_> {
    /// Searches with several engines; each takes the next free round. What is there at Ctrl-C, which ends
    /// the program once it was shown where searches are simulated: they cannot be stopped in the middle.
    fn search_all(
        &self,
        engines: Vec<Engine>,
        wanted: usize,
        show: &mut impl FnMut(Vec<Round>) -> Result<(), Failure>,
    ) -> Result<Vec<Round>, Failure> {
        let is_simulated = self.settings.iter().any(|setting| setting.simulated.is_some());
        let bar = Progress::new();
        thread::scope(|scope| {
            let (sender, results) = mpsc::channel();
            let mut threads = Vec::new();
            for engine in engines {
                let sender = sender.clone();
                let work = move || self.search_some(engine, wanted, &sender);
                let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
                let none = |error| Failure::Work(format!("the system gives no thread: {error}"));
                threads.push(thread.map_err(none)?);
            }
            drop(sender);
            let mut rounds = Vec::new();
            loop {
                match results.recv_timeout(REFRESH) {
                    Ok(round) => rounds.push(round),
                    Err(RecvTimeoutError::Disconnected) => break,
                    Err(RecvTimeoutError::Timeout) => (),
                }
                if is_simulated && interrupt::requested() {
                    bar.pause(|| drop(show(rounds)));
                    std::process::exit(i32::from(interrupt::STATUS));
                }
                bar.set(rounds.len() as u64, wanted as u64);
            }
            for thread in threads {
                let ended = thread.join().unwrap_or_else(|_| Err("the search failed".to_owned()));
                ended.map_err(Failure::Work)?;
            }
            Ok(rounds)
        })
    }

    fn search_some(
        &self,
        mut engine: Engine,
        wanted: usize,
        results: &Sender<Round>,
    ) -> Result<(), String> {
        loop {
            let number = self.next.fetch_add(1, Relaxed);
            let position = number % self.references.len();
            if number >= wanted {
                return Ok(());
            }
            let found = self.search(&mut engine, number, position)?;
            match found {
                Some(choices) => drop(results.send(Round { position, choices })),
                None => return Ok(()),
            }
        }
    }

    /// A position in every setting; nothing after Ctrl-C. Another setting begins each time: what the first
    /// search leaves behind in the machine's caches serves all of them in turn.
    fn search(
        &self,
        engine: &mut Engine,
        number: usize,
        position: usize,
    ) -> Result<Option<Vec<Choice>>, String> {
        let Some(reference) = self.references.get(position) else { return Ok(None) };
        let count = self.settings.len();
        let mut choices = vec![None; count];
        for place in (0..count).map(|place| (place + number) % count) {
            let Some(setting) = self.settings.get(place) else { continue };
            let (outcome, time) = setting.search(engine, &reference.position)?;
            if interrupt::requested() {
                return Ok(None);
            }
            choices[place] = outcome.best().map(|mv| Choice {
                mv,
                depth: outcome.depth,
                nodes: outcome.nodes,
                seconds: time.as_secs_f64(),
            });
        }
        let choices: Option<Vec<Choice>> = choices.into_iter().collect();
        let none = || format!("no move was found in {}", reference.position.fen());
        choices.map(Some).ok_or_else(none)
    }
}
