//! What is built in which order, and whether there is memory for it.

use super::checkpoint::Checkpoint;
use super::memory::Memory;
use super::successor::{Loaded, Successors};
use super::table::TableBuild;
use crate::distributed::{
    BuildSpec, Carrier, Course, Model, Packed, in_virtual_time, on_hosts, on_threads,
};
use crate::ending::Ending;
use crate::file::{Header, TableFile, encode, steps, write_atomically};
use crate::layout::Layout;
use crate::value::{Metric, cell};
use files::Lock;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// How to build.
pub struct Options<'a> {
    /// Where the tables lie.
    pub dir: &'a Path,
    /// Which measures are wanted.
    pub metrics: &'a [Metric],
    /// Threads that share the work; the files do not depend on it.
    pub threads: usize,
    /// On what the tables are built; the files do not depend on it.
    pub machine: Machine<'a>,
    /// Bytes of memory that may be used.
    pub memory: u64,
    /// How often the state of a table is saved; never for `None`.
    pub checkpoint: Option<Duration>,
    /// Hears how far the work is, from any thread.
    pub progress: &'a (dyn Fn(Progress) + Sync),
    /// Whether to stop, asked from any thread; once it is so it stays so.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

/// How a build came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Completion {
    /// Every file is there.
    Whole,
    /// It was stopped, and goes on from there the next time.
    Interrupted,
}

/// Why a table is not built to its end.
#[derive(Debug)]
pub(super) enum Halt {
    /// It was stopped.
    Interrupted,
    /// Something is wrong: a line that says what and where.
    Fault(String),
}

impl From<String> for Halt {
    fn from(line: String) -> Halt {
        Halt::Fault(line)
    }
}

/// On what a table is built.
#[derive(Clone, Copy, Debug, Default)]
pub enum Machine<'a> {
    /// One memory that all threads share, with checkpoints.
    #[default]
    Shared,
    /// Threads, each with its own part of the table, that send each other messages.
    Processors(u32),
    /// Processors of a simulated machine.
    Simulated(u32, Model),
    /// Other processes, of which this is the first; all see the same folder.
    Hosts(&'a dyn Carrier),
}

/// What is being done to one table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The first look at every position.
    FirstLook,
    /// Going back from the positions of a level.
    Levels(u16),
    /// Compressing and writing.
    Writing,
}

/// How far one table is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// What is being done.
    pub phase: Phase,
    /// Units done, of `total`. Positions that no level reaches are draws: the levels end early.
    pub done: u64,
    /// Units in all.
    pub total: u64,
}

/// A table that was built.
#[derive(Clone, Debug)]
pub struct Built {
    /// What its header says.
    pub header: Header,
    /// The time it took.
    pub time: Duration,
    /// Bytes of its file.
    pub bytes: u64,
    /// The memory that was planned for it.
    pub memory: u64,
    /// How it went on many processors; the time is that of a simulated machine.
    pub course: Option<Course>,
}

impl Options<'_> {
    pub(super) fn tell(&self, phase: Phase, done: u64, total: u64) {
        (self.progress)(Progress { phase, done, total });
    }

    pub(super) fn is_stopped(&self) -> bool {
        (self.stop)()
    }
}

/// Bytes that building one table needs: its cells, the tables that it leads to, and what the
/// compressed blocks take before they are written.
pub fn memory_needed(ending: &Ending) -> u64 {
    let size = |ending: &Ending| Layout::new(ending).size() as u64;
    let own = Memory::bytes(Layout::new(ending).size());
    let successors: u64 = ending.successors().iter().map(|ending| 2 * size(ending)).sum();
    own + successors + size(ending) / 2
}

/// Builds the endings and everything they lead to, as far as the files are not there yet. `begun` hears
/// of each table before its work and `ended` after it. The error says what was wrong and where.
///
/// A folder belongs to one build at a time; the error of a second one says which process has it.
pub fn build(
    endings: &[Ending],
    options: &Options<'_>,
    begun: &mut dyn FnMut(&Ending, Metric, u64),
    ended: &mut dyn FnMut(&Built),
) -> Result<Completion, String> {
    let all = Ending::closure(endings);
    for ending in &all {
        let needed = memory_needed(ending);
        if needed > options.memory {
            return Err(format!(
                "{ending} needs {} MB of memory, but only {} MB may be used",
                needed.div_ceil(1 << 20),
                options.memory >> 20
            ));
        }
    }
    let in_folder = |error: &dyn std::fmt::Display| format!("{}: {error}", options.dir.display());
    std::fs::create_dir_all(options.dir).map_err(|error| in_folder(&error))?;
    let _lock = match Lock::inside(options.dir) {
        Ok(lock) => {
            files::sweep_folder(options.dir);
            lock
        }
        // A folder that cannot be written to may have all that is asked for.
        Err(_) if is_complete(&all, options) => return Ok(Completion::Whole),
        Err(error) => return Err(in_folder(&error)),
    };
    let mut distances: Vec<Metric> =
        options.metrics.iter().copied().filter(|metric| *metric != Metric::Outcome).collect();
    let outcome = options.metrics.contains(&Metric::Outcome);
    if distances.is_empty() {
        distances.push(Metric::Outcome);
    }
    for ending in &all {
        for (nth, &metric) in distances.iter().enumerate() {
            let mut files = vec![metric];
            if nth == 0 && outcome {
                files.push(Metric::Outcome);
            }
            files.dedup();
            match build_one(ending, metric, &files, options, begun, ended) {
                Ok(()) => (),
                Err(Halt::Interrupted) => return Ok(Completion::Interrupted),
                Err(Halt::Fault(line)) => return Err(line),
            }
        }
    }
    Ok(Completion::Whole)
}

fn is_complete(endings: &[Ending], options: &Options<'_>) -> bool {
    endings.iter().all(|ending| {
        let path = |&metric: &Metric| TableFile::path(options.dir, ending, metric);
        options.metrics.iter().all(|metric| TableFile::open(&path(metric)).is_ok())
    })
}

/// Builds one table by one metric and writes it by one or two.
fn build_one(
    ending: &Ending,
    metric: Metric,
    files: &[Metric],
    options: &Options<'_>,
    begun: &mut dyn FnMut(&Ending, Metric, u64),
    ended: &mut dyn FnMut(&Built),
) -> Result<(), Halt> {
    let layout = Layout::new(ending);
    let checkpoint = Checkpoint::new(options.dir, &layout, metric);
    let path = |metric| TableFile::path(options.dir, ending, metric);
    let missing: Vec<Metric> =
        files.iter().copied().filter(|&metric| TableFile::open(&path(metric)).is_err()).collect();
    if missing.is_empty() {
        // A build may have been killed between its last file and this.
        checkpoint.remove();
        return Ok(());
    }
    if options.is_stopped() {
        return Err(Halt::Interrupted);
    }
    // Before hours of work: whether its files can be written.
    let files = missing.iter().map(|&metric| path(metric)).chain([checkpoint.path().to_owned()]);
    for path in files {
        files::refuse_special(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let memory = memory_needed(ending);
    begun(ending, metric, memory);
    let clock = Instant::now();
    let successors = successors(&layout, metric, options.dir, options.threads)?;
    let spec = BuildSpec { layout: &layout, metric, files: &missing, successors: &successors };
    let (packed, course) = pack(spec, options, &checkpoint)?;
    for (header, blocks) in packed {
        let path = path(header.metric);
        let head = header.to_bytes();
        let bytes = head.len() as u64 + header.data_length();
        write_atomically(&path, |out| {
            out.write_all(&head)?;
            blocks.iter().try_for_each(|block| out.write_all(block))
        })
        .map_err(|error| format!("{}: {error}", path.display()))?;
        ended(&Built { header, time: clock.elapsed(), bytes, memory, course });
    }
    checkpoint.remove();
    Ok(())
}

/// Loads the tables that captures and promotions lead to.
fn successors(
    layout: &Layout,
    metric: Metric,
    dir: &Path,
    threads: usize,
) -> Result<Successors, String> {
    let mut loaded = HashMap::new();
    for successor in layout.ending.successors() {
        let file = TableFile::open(&TableFile::path(dir, &successor, metric))?;
        let table = Loaded::new(&successor, file.load(threads)?);
        loaded.insert(successor, Arc::new(table));
    }
    Ok(Successors::new(layout, &loaded))
}

/// Builds a part of a table with which the first process has begun.
pub fn take_part(
    ending: &Ending,
    metric: Metric,
    files: &[Metric],
    dir: &Path,
    carrier: &dyn Carrier,
) -> Result<(), String> {
    let layout = Layout::new(ending);
    let successors = successors(&layout, metric, dir, 1)?;
    let spec = BuildSpec { layout: &layout, metric, files, successors: &successors };
    on_hosts(spec, carrier, &|_| ()).map(|_| ())
}

/// Builds one table on the machine that was chosen, and packs its files.
fn pack(
    spec: BuildSpec<'_>,
    options: &Options<'_>,
    checkpoint: &Checkpoint,
) -> Result<(Vec<Packed>, Option<Course>), Halt> {
    let told = |level| {
        options.tell(Phase::Levels(level), u64::from(level), u64::from(cell::HIGHEST));
    };
    match options.machine {
        Machine::Shared => {
            let BuildSpec { layout, metric, successors, files } = spec;
            let table = TableBuild::build(layout, metric, successors, options, checkpoint)?;
            let total = files.iter().map(|&metric| steps(metric, layout.size())).sum();
            let done = AtomicU64::new(0);
            let go_on = || {
                options.tell(Phase::Writing, done.fetch_add(1, Relaxed), total);
                !options.is_stopped()
            };
            let pack = |&metric| encode(&layout.ending, metric, &table, options.threads, &go_on);
            let packed = files.iter().map(pack).collect();
            match options.is_stopped() {
                true => Err(table.interrupt(options, checkpoint)),
                false => Ok((packed, None)),
            }
        }
        Machine::Processors(processors) => {
            let ended = on_threads(spec, processors, &told, options.stop);
            let (packed, traffic) = ended.map_err(|line| halt(line, options))?;
            Ok((packed, Some(Course { traffic, ..Course::default() })))
        }
        Machine::Hosts(carrier) => {
            carrier.begin(&spec.layout.ending, spec.metric, spec.files);
            let (packed, traffic) = on_hosts(spec, carrier, &told)?;
            let packed = packed.ok_or_else(|| "only the first process has the files".to_owned())?;
            Ok((packed, Some(Course { traffic, ..Course::default() })))
        }
        Machine::Simulated(processors, model) => {
            let ended = in_virtual_time(spec, processors, model, options.stop);
            let (packed, course) = ended.map_err(|line| halt(line, options))?;
            Ok((packed, Some(course)))
        }
    }
}

/// Processors that are stopped end without files.
fn halt(line: String, options: &Options<'_>) -> Halt {
    if options.is_stopped() { Halt::Interrupted } else { Halt::Fault(line) }
}
