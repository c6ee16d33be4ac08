//! How far away the other processes are, measured, and what follows from it for the search.

use crate::Link;
use crate::Payload;
use crate::frame::Frame;
use crate::transport::lock;
use parallel::threads::Distance;
use parallel::{TableKind, TableSettings};
use std::time::{Duration, Instant};

/// Round trips with another process (D79).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Echo {
    /// The other process.
    pub process: u32,
    /// Bytes in each direction.
    pub bytes: usize,
    /// How many.
    pub rounds: usize,
    /// The shortest.
    pub least: Duration,
    /// The one in the middle.
    pub median: Duration,
    /// The longest.
    pub most: Duration,
}

/// How long a steal request stays at least where no thread has work: a process on the same host looks at it
/// twice in that time.
const DWELL: Duration = Duration::from_micros(40);

/// How long an answer of another table is waited for, at least.
const SHORTEST_PATIENCE: Duration = Duration::from_millis(2);

/// How long an echo is waited for.
const PATIENCE: Duration = Duration::from_secs(2);

/// How long an echo is looked for without giving the processor to others: they keep it for longer than most
/// round trips take.
pub(crate) const SPIN: Duration = Duration::from_micros(200);

/// Round trips up to this cost about as much as a few nodes: processes on one host.
const NEAR: Duration = Duration::from_micros(20);

/// Round trips up to this can be those of a host that has other things to do.
const BUSY: Duration = Duration::from_millis(1);

/// Beyond this, entries of the table travel only if much work stands behind them.
const FAR: Duration = Duration::from_micros(200);

/// The smallest depth of a child that is worth sending over a distance. On one host it is that of threads.
/// Over a network a subtree must take several times the way there and back: a thread that waits for it at the
/// end of a node has nothing else to do that counts. A child of depth 3 takes some twenty nodes, of a microsecond
/// each, and every further ply two thirds more.
pub fn grain_for(round_trip: Duration) -> i32 {
    let times = round_trip.as_secs_f64() / NEAR.as_secs_f64();
    if times <= 1.0 { 3 } else { (5.2 + 1.4 * times.log2()).round() as i32 }
}

/// Nodes between two looks at the network: a look costs as much as a node or two, and what comes has been on
/// its way for long.
fn slice_for(round_trip: Duration) -> u64 {
    match round_trip {
        time if time <= NEAR => 16,
        time if time <= FAR => 48,
        time => (time.as_micros() as u64 / 4).clamp(128, 1024),
    }
}

/// What follows for a search from the longest of the shortest round trips.
pub fn distance_for(round_trip: Duration, roomy: bool, kind: TableKind) -> Distance {
    let dwell = if round_trip <= NEAR { DWELL } else { (2 * round_trip).max(DWELL) };
    Distance {
        remote_grain: grain_for(round_trip),
        dwell,
        table: table_for(round_trip, kind),
        patience: (20 * round_trip).max(SHORTEST_PATIENCE),
        slice: slice_for(round_trip),
        near: round_trip <= NEAR,
        roomy,
    }
}

/// What is worth a message about the table. Replicated, every entry costs each of the others a visit of its
/// table; those of depth 1 to 3 saved no nodes between two processes of one host. Distributed, a question must
/// cost less than the search of the node that it may save (blocking), or be answered before the search is over
/// (asynchronous).
fn table_for(round_trip: Duration, kind: TableKind) -> TableSettings {
    let grain = grain_for(round_trip);
    let read_from = if kind == TableKind::Blocking { grain + 2 } else { grain + 1 };
    let write_from = match kind.is_apart() {
        // What has a depth less names a move, at least.
        true => read_from - 1,
        false if round_trip <= FAR => 4,
        false => 6,
    };
    TableSettings {
        kind,
        read_from,
        read_below_known: round_trip > FAR,
        write_from,
        batch: 32,
        kilobytes: 0,
        ..TableSettings::default()
    }
}

impl Link {
    /// Sends bytes to a process and back, again and again; nothing if it does not answer.
    pub fn echo(&self, process: u32, bytes: usize, rounds: usize) -> Option<Echo> {
        let mut times = Vec::with_capacity(rounds);
        for round in 0..rounds {
            let mut content = (round as u64).to_le_bytes().to_vec();
            content.resize(bytes.max(content.len()), 0);
            let content = Payload(content);
            let begun = Instant::now();
            self.write(process, &Frame::Ping(content.clone()));
            while !self.has_answered(process, &content) {
                if begun.elapsed() > PATIENCE || self.is_lost_process(process) {
                    return None;
                }
                match begun.elapsed() < SPIN {
                    true => std::hint::spin_loop(),
                    false => std::thread::yield_now(),
                }
            }
            times.push(begun.elapsed());
        }
        times.sort_unstable();
        let (&least, &most) = (times.first()?, times.last()?);
        let &median = times.get(times.len() / 2)?;
        Some(Echo { process, bytes, rounds, least, median, most })
    }

    /// Whether a process has sent this back.
    fn has_answered(&self, process: u32, content: &Payload) -> bool {
        self.step();
        let mut inbox = lock(&self.inbox);
        let found = inbox.pongs.iter().any(|(from, bytes)| *from == process && bytes == content);
        if found {
            inbox.pongs.clear();
        }
        found
    }

    /// The shortest round trip with a process. One that is not near may only be busy: it is measured longer.
    fn shortest_trip(&self, process: u32) -> Option<Duration> {
        const BYTES: usize = 48;
        let few = self.echo(process, BYTES, 30)?.least;
        match few {
            time if time > NEAR && time <= BUSY => {
                Some(self.echo(process, BYTES, 200)?.least.min(few))
            }
            time => Some(time),
        }
    }

    /// Measures how far away all others are; the farthest counts.
    pub fn measure_distance(&self) -> Duration {
        let trips = self.others().filter_map(|process| self.shortest_trip(process));
        let farthest = trips.max().unwrap_or(NEAR);
        self.set_round_trip(farthest);
        farthest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_long_way_must_be_worth_more() {
        let table = |us, kind| distance_for(Duration::from_micros(us), true, kind).table;
        let told = |us| table(us, TableKind::Replicated).write_from;
        assert_eq!([5, 100, 10_000].map(told), [4, 4, 6]);
        let asked = |us| table(us, TableKind::Blocking).read_from;
        assert_eq!([5, 100, 10_000].map(asked), [5, 10, 20]);
    }

    #[test]
    fn the_farther_the_way_the_larger_the_work_that_is_sent() {
        let grains = [1, 10, 100, 1000, 20_000].map(|us| grain_for(Duration::from_micros(us)));
        assert_eq!(grains, [3, 3, 8, 13, 19]);
        let slices = [5, 100, 1000, 2000, 20_000].map(|us| slice_for(Duration::from_micros(us)));
        assert_eq!(slices, [16, 48, 250, 500, 1024]);
    }
}
