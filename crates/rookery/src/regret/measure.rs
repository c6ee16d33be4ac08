//! `rookery regret measure`: every position in every setting.

use super::reference::{self, Contents, Reference};
use super::report::Report;
use super::setting::{self, Setting};
use crate::arguments::{Evaluation, RegretMeasureArguments};
use crate::counted::counted;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::interrupt;
use crate::json;
use crate::memory;
use crate::network;
use crate::plain;
use crate::progress::Progress;
use crate::sim::each::{Event, each};
use board::Move;
use cluster::Link;
use lab::workers::{Stop, as_they_come};
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::{Mutex, PoisonError};
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
    broken.iter().for_each(plain::say);
    if is_unfinished {
        plain::say("the file has no end mark: `regret make` did not finish it, or it was cut");
    }
    interrupt::listen();
    if !arguments.json {
        let positions = counted(references.len(), "position");
        writeln!(out, "{positions} to be searched in {}", counted(settings.len(), "setting"))?;
        out.flush()?;
    }
    let begun = Instant::now();
    let engines = engines(arguments, link, references.len())?;
    check_memory(&settings, &engines)?;
    let trial = Trial { settings: &settings, references: &references };
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

/// Whether there is memory for what is simulated: every engine may come to the largest machine.
fn check_memory(settings: &[Setting], engines: &[Engine]) -> Result<(), Failure> {
    let Some(engine) = engines.first() else { return Ok(()) };
    let needs = settings.iter().map(|setting| setting.megabytes(engine));
    let most = needs.collect::<Result<Vec<u64>, _>>()?.into_iter().max().unwrap_or(0);
    memory::check_free(most.saturating_mul(engines.len() as u64))
        .map_err(|reason| Failure::Usage(format!("simulated: {reason}")))
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
        let (bar, mut rounds) = (Progress::new(), Vec::new());
        let take = |rounds: &mut Vec<Round>, round| {
            rounds.push(round);
            bar.set(rounds.len() as u64, wanted as u64);
        };
        if self.settings.iter().any(|setting| setting.simulated.is_some()) {
            let (threads, numbers) = (engines.len() as u16, (0..wanted).collect::<Vec<_>>());
            let engines = Mutex::new(engines);
            let free = || engines.lock().unwrap_or_else(PoisonError::into_inner);
            let search = |number| {
                let mut engine = free().pop().ok_or("no engine is free")?;
                let round = self.search(&mut engine, number);
                free().push(engine);
                round
            };
            each(threads, &numbers, search, |event| {
                match event {
                    Event::Done(_, Some(round)) => take(&mut rounds, round),
                    Event::Done(_, None) => (),
                    Event::Interrupted => bar.pause(|| show(std::mem::take(&mut rounds)))?,
                }
                Ok(())
            })?;
            return Ok(rounds);
        }
        let engines = engines.into_iter().map(|engine| || Ok(engine));
        let search =
            |engine: &mut Engine, number: u64, _: &Stop<'_>| self.search(engine, number as usize);
        as_they_come(engines, 0..wanted as u64, &interrupt::requested, &search, |_, round| {
            take(&mut rounds, round);
            Ok::<bool, String>(true)
        })
        .map_err(Failure::Work)?;
        Ok(rounds)
    }

    /// A position in every setting; nothing after Ctrl-C. Another setting begins each time: what the first
    /// search leaves behind in the machine's caches serves all of them in turn.
    fn search(&self, engine: &mut Engine, number: usize) -> Result<Option<Round>, String> {
        let position = number % self.references.len();
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
        Ok(Some(Round { position, choices: choices.ok_or_else(none)? }))
    }
}
