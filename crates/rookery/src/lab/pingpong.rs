//! `lab pingpong`: how long a message takes there and back, by its size (D79).

use super::figures::{line, powers_of_both};
use super::report::{Report, ReportTable};
use super::work::Lab;
use crate::failure::Failure;
use crate::hosts;
use cluster::Link;
use parallel::sim::Model;
use parallel::threads::Mailbox;
use std::time::{Duration, Instant};

/// A request, an abort, a result and a job of the thesis (Table 4.1: 40, 48 and 296 bytes), a job with its
/// history, a batch of entries.
const SIZES: [usize; 6] = [16, 40, 48, 296, 4096, 65536];

/// Processors of a simulated machine, between two of which the message goes.
const PEERS: u32 = 64;

/// Runs the experiment.
pub fn run(lab: &Lab) -> Result<Report, Failure> {
    let mut report = Report::new("Ping-pong: a message there and back");
    report.text(
        "Round trips by the size of the message, in microseconds. *Threads* and *processes* are measured on this computer, by the mailboxes and the connection that searches \
         use, and differ from run to run; *machines* are the simulator's models, whose costs were set before any search was simulated. Messages of 40, 48 and 296 bytes are the \
         thesis's abort, result and job (Table 4.1). The curve of its Figure 4.1 (DAS-2) is lost in the text that we have; the model `das2` stands for it.",
    );
    let rounds = lab.choose(300, 20_000);
    let threads = lab.keep_measured("pingpong between threads", || between_threads(rounds))?;
    let columns = ["bytes", "rounds", "shortest, µs", "median, µs", "longest, µs"];
    let mut table = ReportTable::new("threads", "Between two threads, measured", &columns);
    threads.iter().for_each(|trip: &hosts::Trip| table.row(cells(trip)));
    report.table(table);
    let mut lines = vec![line(0, "threads, measured", points(threads.iter()))];
    match lab.link() {
        None => report.text(
            "Processes were not measured: this program was started alone. `mpirun -n 2 rookery lab pingpong` (a build with the feature `mpi`) adds them.",
        ),
        Some(link) => {
            // Another number of processes is another measurement.
            let what = format!("pingpong between {} processes", link.others().count() + 1);
            let rounds = lab.choose(50, 1000);
            let trips = lab.keep_measured(&what, || between_processes(link, rounds))?;
            let columns = [&["way", "process"][..], &columns].concat();
            let mut table = ReportTable::new("processes", "From the first process, measured", &columns);
            for trip in &trips {
                let who = vec![trip.way.clone(), trip.process.to_string()];
                table.row([who, cells(trip)].concat());
            }
            report.table(table);
            for (number, way) in [(1, "library"), (10, "memory")] {
                let is_shown = |trip: &&hosts::Trip| trip.way == way && trip.process == 1;
                let points = points(trips.iter().filter(is_shown));
                if !points.is_empty() {
                    let name = format!("processes through {way}, measured");
                    lines.push(line(number, &name, points));
                }
            }
        }
    }
    let (table, modelled) = machines();
    report.table(table);
    lines.extend(modelled);
    report.figure(
        "pingpong",
        powers_of_both("Round trips, shortest", ("bytes", "microseconds"), lines),
    );
    Ok(report)
}

fn cells(trip: &hosts::Trip) -> Vec<String> {
    let times = [trip.least_us, trip.median_us, trip.most_us].map(|time| format!("{time:.1}"));
    let mut cells = vec![trip.bytes.to_string(), trip.rounds.to_string()];
    cells.extend(times);
    cells
}

/// The shortest time that the axis, which has no nought, can show: a sixteenth of a microsecond.
const LEAST_SHOWN: f64 = 0.0625;

/// Bytes, and the shortest time.
fn points<'a>(trips: impl Iterator<Item = &'a hosts::Trip>) -> Vec<(f64, f64)> {
    trips.map(|trip| (trip.bytes as f64, trip.least_us.max(LEAST_SHOWN))).collect()
}

/// Round trips between two threads that sleep until an envelope comes.
fn between_threads(rounds: usize) -> Result<Vec<hosts::Trip>, String> {
    let (there, back) = (Mailbox::<Vec<u8>>::new(1), Mailbox::<Vec<u8>>::new(1));
    let wait = |mailbox: &Mailbox<Vec<u8>>| {
        let mut envelopes = Vec::new();
        while envelopes.is_empty() {
            // As a thread does that has nothing to search: it looks for a while before it sleeps.
            let until = Instant::now() + Duration::from_micros(50);
            while !mailbox.has_mail() && Instant::now() < until {
                std::hint::spin_loop();
            }
            mailbox.sleep(Some(Duration::from_millis(100)));
            mailbox.take(&mut envelopes);
        }
        envelopes.pop().unwrap_or_default()
    };
    let echoes = SIZES.len() * rounds;
    std::thread::scope(|scope| {
        let echo = || {
            for _ in 0..echoes {
                // Its own bytes: what is sent is copied at both ends, as between processes.
                let envelope = wait(&there).clone();
                let _ = back.post(envelope);
            }
        };
        std::thread::Builder::new()
            .spawn_scoped(scope, echo)
            .map_err(|error| format!("the system gives no thread: {error}"))?;
        let trip = |bytes: usize| {
            let message = vec![7; bytes];
            let mut times: Vec<Duration> = (0..rounds)
                .map(|_| {
                    let begun = Instant::now();
                    let _ = there.post(message.clone());
                    wait(&back);
                    begun.elapsed()
                })
                .collect();
            times.sort_unstable();
            hosts::Trip::of_times("threads", 0, bytes, &times)
        };
        Ok(SIZES.into_iter().map(trip).collect())
    })
}

fn between_processes(link: &Link, rounds: usize) -> Result<Vec<hosts::Trip>, String> {
    let mut trips = Vec::new();
    hosts::round_trips(link, &SIZES, rounds, |trip| {
        trips.push(trip);
        Ok(())
    })
    .map_err(|failure| match failure {
        Failure::Work(reason) | Failure::Usage(reason) => reason,
        _ => "the processes could not be measured".to_owned(),
    })?;
    Ok(trips)
}

/// The simulator's machines, from one processor to its nearest and to its farthest.
fn machines() -> (ReportTable, Vec<plot::Series>) {
    let columns = ["machine", "bytes", "nearest, µs", "farthest, µs", "nearest, nodes of search"];
    let title = format!("On the simulator's machines of {PEERS} processors");
    let mut table = ReportTable::new("machines", &title, &columns);
    let mut lines = Vec::new();
    for (number, model) in Model::all().filter(|model| model.name != "ideal").enumerate() {
        let mut points = Vec::new();
        for bytes in SIZES {
            let [near, far] = model.round_trips(PEERS, bytes).map(|time| time as f64 / 1e3);
            let nodes = near * 1e3 / model.node as f64;
            points.push((bytes as f64, near.max(LEAST_SHOWN)));
            table.row(vec![
                model.name.clone(),
                bytes.to_string(),
                format!("{near:.1}"),
                format!("{far:.1}"),
                format!("{nodes:.2}"),
            ]);
        }
        lines.push(line(number + 2, &format!("{}, model", model.name), points));
    }
    (table, lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d79_round_trips_are_sorted_by_size_and_take_time() {
        let trips = between_threads(3).expect("there are threads");
        assert_eq!(trips.len(), SIZES.len());
        for (trip, bytes) in trips.iter().zip(SIZES) {
            assert_eq!((trip.bytes, trip.rounds), (bytes, 3));
            assert!(0.0 < trip.least_us && trip.least_us <= trip.median_us, "{bytes}");
            assert!(trip.median_us <= trip.most_us, "{bytes}");
        }
    }
}
