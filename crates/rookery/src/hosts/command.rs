//! `rookery cluster`: what the hosts offer, and how far apart they are.

use super::{Membership, WITHOUT};
use crate::arguments::ClusterCommand;
use crate::failure::Failure;
use crate::json;
use cluster::{Echo, Link, grain_for};
use parallel::threads::Uplink;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

/// Sizes at which the way is measured: a request, a job, a job with its history, a batch of entries.
const SIZES: [usize; 5] = [16, 48, 296, 4096, 65536];

/// Round trips of one size with one process.
#[derive(Serialize, Deserialize)]
pub struct Trip {
    /// Which way they go: `library`, or `memory` that processes of one host have in common.
    pub way: String,
    pub process: u32,
    pub bytes: usize,
    pub rounds: usize,
    pub least_us: f64,
    pub median_us: f64,
    pub most_us: f64,
    /// Both ways together.
    megabytes_per_second: f64,
}

impl Trip {
    fn new(way: &str, process: u32, (bytes, rounds): (usize, usize), times: [Duration; 3]) -> Trip {
        let [least_us, median_us, most_us] = times.map(|time| time.as_secs_f64() * 1e6);
        let megabytes_per_second = 2.0 * bytes as f64 / median_us.max(1e-3);
        let way = way.to_owned();
        Trip { way, process, bytes, rounds, least_us, median_us, most_us, megabytes_per_second }
    }

    /// Of times in ascending order, of which there is at least one.
    pub fn of_times(way: &str, process: u32, bytes: usize, times: &[Duration]) -> Trip {
        let at = |place: usize| times.get(place).copied().unwrap_or_default();
        let last = times.len().saturating_sub(1);
        Trip::new(way, process, (bytes, times.len()), [at(0), at(last / 2), at(last)])
    }
}

/// What a process offers.
#[derive(Serialize)]
struct Offer {
    process: u32,
    host: String,
    cores: u32,
    host_cores: u32,
    free_megabytes: u64,
    fabric: String,
    /// Shortest round trip from the first process, of 48 bytes.
    round_trip_us: Option<f64>,
}

/// What all of them offer, and what follows.
#[derive(Serialize)]
struct Findings {
    hosts: Vec<Offer>,
    /// The smallest depth of a child that is sent to another process.
    grain: i32,
    /// How the processes share their tables.
    table: &'static str,
    /// The smallest depth of an entry that is passed round.
    entries_from: Option<i32>,
    advice: Vec<String>,
}

/// Runs the command.
pub fn run(
    command: &ClusterCommand,
    membership: &Membership,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    let Some(link) = membership.link() else {
        let name = match command {
            ClusterCommand::Doctor { .. } => "doctor",
            ClusterCommand::Pingpong { .. } => "pingpong",
        };
        return Err(Failure::Usage(match cfg!(feature = "mpi") {
            true => format!("start several processes: mpirun -n 2 rookery cluster {name}"),
            false => WITHOUT.to_owned(),
        }));
    };
    match command {
        ClusterCommand::Doctor { json } => doctor(membership, link, *json, out),
        ClusterCommand::Pingpong { rounds, json } => pingpong(link, *rounds, *json, out),
    }
}

fn pingpong(
    link: &Link,
    rounds: usize,
    json: bool,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    if !json {
        writeln!(
            out,
            "way      process    bytes  rounds  least us  median us    most us     MB/s"
        )?;
    }
    round_trips(link, &SIZES, rounds, |trip| {
        let Trip { way, process, bytes, rounds, .. } = &trip;
        let Trip { least_us, median_us, most_us, megabytes_per_second, .. } = trip;
        match json {
            true => json::write(&trip, out)?,
            false => writeln!(
                out,
                "{way:<7}  {process:>7}  {bytes:>7}  {rounds:>6}  {least_us:>8.1}  {median_us:>9.1}  {most_us:>9.1}  {megabytes_per_second:>7.1}"
            )?,
        }
        Ok(())
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Measures the way to every other process, through the library and, where there is some, through memory.
pub fn round_trips(
    link: &Link,
    sizes: &[usize],
    rounds: usize,
    mut tell: impl FnMut(Trip) -> Result<(), Failure>,
) -> Result<(), Failure> {
    // The first greeting may have come before all were ready to use memory in common.
    link.sync();
    let ways = [("library", false), ("memory", true)];
    for (way, in_memory) in ways.into_iter().filter(|(_, memory)| !memory || link.has_rings()) {
        link.share_rings(in_memory);
        let each_size = |process| sizes.iter().map(move |&size| (process, size));
        for (process, bytes) in link.others().flat_map(each_size) {
            let echo = link.echo(process, bytes, rounds);
            let Echo { least, median, most, rounds, .. } = echo.ok_or_else(|| {
                Failure::Work(format!("process {process} does not answer within two seconds"))
            })?;
            tell(Trip::new(way, process, (bytes, rounds), [least, median, most]))?;
        }
    }
    Ok(())
}

fn doctor(
    membership: &Membership,
    link: &Link,
    json: bool,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    let farthest = link.measure_distance();
    let hosts = (0..).zip(membership.hellos()).map(|(process, hello)| {
        let echo = (process != 0).then(|| link.echo(process, 48, 100)).flatten();
        Offer {
            process,
            host: hello.host.clone(),
            cores: hello.cores,
            host_cores: hello.host_cores,
            free_megabytes: hello.memory_mb,
            fabric: hello.fabric.clone(),
            round_trip_us: echo.map(|echo| echo.least.as_secs_f64() * 1e6),
        }
    });
    let hosts: Vec<Offer> = hosts.collect();
    let advice = advise(&hosts);
    let table = link.distance(1).table;
    let (grain, name) = (grain_for(farthest), table.kind.name());
    let entries_from = (table.write_from < i32::MAX).then_some(table.write_from);
    let findings = Findings { hosts, grain, table: name, entries_from, advice };
    match json {
        true => json::write(&findings, out)?,
        false => findings.write(out)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Round trips beyond this make other processes searchers of their own: they get few children to search.
const LONG_US: f64 = 2000.0;

/// What is worth changing.
fn advise(hosts: &[Offer]) -> Vec<String> {
    let mut advice = Vec::new();
    if hosts.iter().any(|host| host.round_trip_us.is_some_and(|time| time > LONG_US)) {
        advice.push(
            "the way is long: for many positions `analyse FILE` keeps every process busy; for one, try Parallel lazy"
                .to_owned(),
        );
    }
    for host in hosts.iter().filter(|host| host.cores < host.host_cores) {
        advice.push(format!(
            "process {} may use {} of the {} processors of {}: for more threads start with --bind-to none",
            host.process, host.cores, host.host_cores, host.host
        ));
    }
    for (place, host) in hosts.iter().enumerate() {
        let is_first = hosts[..place].iter().all(|other| other.host != host.host);
        let processes = hosts.iter().filter(|other| other.host == host.host).count();
        if is_first && processes > 1 {
            advice.push(format!(
                "{processes} processes share {}: one with {processes} times the threads needs no messages and is faster",
                host.host
            ));
        }
    }
    advice
}

impl Findings {
    fn write(&self, out: &mut impl Write) -> std::io::Result<()> {
        writeln!(out, "process  cores  of  free MB  round trip us  host")?;
        for host in &self.hosts {
            let trip = host.round_trip_us.map_or("-".to_owned(), |time| format!("{time:.1}"));
            writeln!(
                out,
                "{:>7}  {:>5}  {:>2}  {:>7}  {trip:>13}  {}",
                host.process, host.cores, host.host_cores, host.free_megabytes, host.host
            )?;
        }
        let mut fabrics: Vec<&str> = self.hosts.iter().map(|host| host.fabric.as_str()).collect();
        fabrics.dedup();
        writeln!(out, "\nlibrary  {}", fabrics.join("; "))?;
        writeln!(out, "grain    {}: children of less depth stay in their process", self.grain)?;
        match self.entries_from {
            None => writeln!(out, "table    {}: one for all, as all are on one host", self.table)?,
            Some(depth) => writeln!(
                out,
                "table    {}: one for each host, entries of depth {depth} and more are passed round",
                self.table
            )?,
        }
        self.advice.iter().try_for_each(|line| writeln!(out, "advice   {line}"))
    }
}
