//! `rookery endgame build`.

use super::bar::Bar;
use super::{parse, threads};
use crate::arguments::EndgameArguments;
use crate::counted::counted;
use crate::failure::Failure;
use crate::hosts::Builders;
use crate::plain;
use crate::{interrupt, json, memory};
use ::endgame::build::{self, Built, Completion, Machine, Options};
use ::endgame::distributed::{Carrier, Course, Model};
use ::endgame::{Ending, Metric};
use cluster::Link;
use serde::Serialize;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What is to be built, and how.
pub struct BuildSettings {
    pub endings: Vec<Ending>,
    pub metrics: Vec<Metric>,
    pub memory_mb: Option<u64>,
    pub checkpoint_seconds: u64,
    pub plan_only: bool,
    /// The number of processors that send each other messages, simulated or on threads.
    pub processors: Option<u32>,
    pub simulated: bool,
}

impl BuildSettings {
    fn machine<'a>(&self, carrier: Option<&'a dyn Carrier>) -> Machine<'a> {
        if let (Some(carrier), None) = (carrier, self.processors) {
            return Machine::Hosts(carrier);
        }
        match (self.processors, self.simulated) {
            (None, _) => Machine::Shared,
            (Some(processors), false) => Machine::Processors(processors),
            (Some(processors), true) => Machine::Simulated(processors, Model::default()),
        }
    }
}

/// The endings that were named, and all of up to this number of men.
pub fn wanted(names: &[String], men: Option<u8>) -> Result<Vec<Ending>, Failure> {
    let mut endings = parse(names)?;
    for count in 3..=men.unwrap_or(0) {
        endings.extend(Ending::all(usize::from(count)));
    }
    Ok(endings)
}

#[derive(Serialize)]
struct Line {
    ending: String,
    metric: &'static str,
    bytes: u64,
    seconds: f64,
    memory: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    sent: Option<Sent>,
}

/// What the processors of a distributed build sent each other.
#[derive(Serialize)]
struct Sent {
    messages: u64,
    bytes: u64,
    batches: u64,
    updates: u64,
    updates_at_home: u64,
    /// Of a simulated machine: from beginning to end.
    #[serde(skip_serializing_if = "Option::is_none")]
    virtual_seconds: Option<f64>,
    /// Of a simulated machine: the work of all processors.
    #[serde(skip_serializing_if = "Option::is_none")]
    busy_seconds: Option<f64>,
}

#[derive(Serialize)]
struct Plan {
    ending: String,
    memory: u64,
}

/// Builds, with a line for each file.
pub fn run(
    arguments: &EndgameArguments,
    settings: &BuildSettings,
    link: Option<&Arc<Link>>,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    if settings.plan_only {
        return plan(settings, arguments.json, out);
    }
    let memory = memory_for(settings)?;
    let bar = Bar::new(&settings.endings, &settings.metrics);
    let checkpoint = Duration::from_secs(settings.checkpoint_seconds);
    let carrier = link.map(|link| Builders::new(link, &arguments.dir, 0));
    if carrier.is_none() {
        // Under mpirun Ctrl-C is mpirun's, which ends all processes.
        interrupt::listen();
    }
    let options = Options {
        dir: &arguments.dir,
        metrics: &settings.metrics,
        threads: threads(arguments),
        machine: settings.machine(carrier.as_ref().map(|carrier| carrier as _)),
        memory,
        checkpoint: (settings.checkpoint_seconds > 0).then_some(checkpoint),
        progress: &|progress| bar.tell(progress),
        stop: &interrupt::requested,
    };
    let begun = Instant::now();
    let mut files = Vec::new();
    let mut write_error = None;
    let mut ended = |built: &Built| {
        let line = line(built);
        if !arguments.json && write_error.is_none() {
            write_error = bar.pause(|| write_line(&line, out)).err();
        }
        files.push(line);
    };
    let begin = &mut |ending: &Ending, metric, _| bar.begin(ending, metric);
    let completion = build::build(&settings.endings, &options, begin, &mut ended);
    drop(bar);
    let completion = completion.map_err(Failure::Work)?;
    if let Some(error) = write_error {
        return Err(error.into());
    }
    let seconds = begun.elapsed().as_secs_f64();
    if arguments.json {
        json::write(&files, out)?;
    } else if files.is_empty() && matches!(completion, Completion::Whole) {
        let dir = arguments.dir.display();
        writeln!(out, "nothing to build: all tables that were asked for are in {dir} already")?;
    } else {
        let bytes: u64 = files.iter().map(|file| file.bytes).sum();
        let count = counted(files.len(), "file");
        writeln!(out, "{count}, {bytes} bytes, {seconds:.1} s")?;
    }
    match completion {
        Completion::Whole => Ok(ExitCode::SUCCESS),
        Completion::Interrupted => {
            // Where stderr is closed the exit status still tells.
            plain::say("interrupted; the same command goes on");
            Err(Failure::Interrupted)
        }
    }
}

/// The bytes that a build may take.
fn memory_for(settings: &BuildSettings) -> Result<u64, Failure> {
    let Some(megabytes) = settings.memory_mb else {
        return Ok(memory::free_megabytes().map_or(u64::MAX, |megabytes| megabytes << 20));
    };
    memory::check_free(megabytes)
        .map_err(|reason| Failure::Usage(format!("--memory: {reason}")))?;
    Ok(megabytes.saturating_mul(1 << 20))
}

fn line(built: &Built) -> Line {
    Line {
        ending: built.header.ending.to_string(),
        metric: built.header.metric.name(),
        bytes: built.bytes,
        seconds: built.time.as_secs_f64(),
        memory: built.memory,
        sent: built.course.as_ref().map(sent),
    }
}

fn sent(course: &Course) -> Sent {
    let Course { time_ns, busy_ns, traffic } = course;
    let simulated = |nanoseconds: u64| (*time_ns > 0).then_some(nanoseconds as f64 / 1e9);
    Sent {
        messages: traffic.messages,
        bytes: traffic.bytes,
        batches: traffic.batches,
        updates: traffic.updates,
        updates_at_home: traffic.at_home,
        virtual_seconds: simulated(*time_ns),
        busy_seconds: simulated(*busy_ns),
    }
}

fn write_line(line: &Line, out: &mut impl Write) -> std::io::Result<()> {
    let Line { ending, metric, bytes, seconds, memory, sent } = line;
    let megabytes = memory.div_ceil(1 << 20);
    write!(out, "{ending:6} {metric} {bytes:>10} bytes {seconds:8.2} s {megabytes:>5} MB memory")?;
    if let Some(Sent { messages, bytes, batches, updates, virtual_seconds, .. }) = sent {
        write!(
            out,
            ", {messages} messages of {bytes} bytes, {updates} updates in {batches} batches"
        )?;
        if let Some(seconds) = virtual_seconds {
            write!(out, ", {seconds:.3} s of virtual time")?;
        }
    }
    writeln!(out)
}

/// Says what would be built.
fn plan(
    settings: &BuildSettings,
    as_json: bool,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    let plans = Ending::closure(&settings.endings)
        .into_iter()
        .map(|ending| Plan { memory: build::memory_needed(&ending), ending: ending.to_string() });
    let plans: Vec<Plan> = plans.collect();
    if as_json {
        json::write(&plans, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    for Plan { ending, memory } in &plans {
        writeln!(out, "{ending:6} {:>6} MB memory", memory.div_ceil(1 << 20))?;
    }
    Ok(ExitCode::SUCCESS)
}
