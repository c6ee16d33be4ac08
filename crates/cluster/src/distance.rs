//! How far away the other processes are, measured, and what follows from it for the search.

use crate::Link;
use crate::frame::Frame;
use parallel::threads::Distance;
use std::time::{Duration, Instant};

/// Round trips with another process (D79).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Echo {
    /// With whom.
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

/// How long a request for work stays where nobody has any, at least: a process on the same host looks at it
/// twice in that time.
const DWELL: Duration = Duration::from_micros(40);

/// How long an echo is waited for.
const PATIENCE: Duration = Duration::from_secs(2);

/// Round trips up to this cost about as much as a few nodes: processes on one host.
const NEAR: Duration = Duration::from_micros(20);

/// Beyond this, entries of the table travel only if much work stands behind them.
const FAR: Duration = Duration::from_micros(200);

/// The smallest depth of a child that is worth sending over a distance. On one host it is that of threads.
/// Over a network a subtree must be worth the way there and back, and what the receiver lacks of the table;
/// each further ply takes not quite twice as long, so three plies more make up for four times the way.
pub fn grain_for(round_trip: Duration) -> i32 {
    let times = round_trip.as_secs_f64() / NEAR.as_secs_f64();
    if times <= 1.0 { 3 } else { (4.75 + 0.75 * times.log2().ceil()) as i32 }
}

/// What follows for a search from the longest of the shortest round trips. Every entry that travels costs
/// each of the others a visit of its table; a ply more is about half of the entries.
pub fn distance_for(round_trip: Duration, roomy: bool, processes: u32) -> Distance {
    let others = processes.saturating_sub(1).max(1);
    let near = round_trip <= NEAR;
    let crowd = others.ilog2() as i16;
    let (dwell, spread_from, batch, slice) = match round_trip {
        time if time <= NEAR => (DWELL, (2 + crowd).min(4), 8 * others as usize, 16),
        time if time <= FAR => (2 * time, 4, 32, 48),
        time => (2 * time, 6, 32, 128),
    };
    Distance {
        far_grain: grain_for(round_trip),
        dwell: dwell.max(DWELL).as_nanos() as u64,
        spread_from,
        batch: batch.min(32),
        slice,
        near,
        roomy,
    }
}

impl Link {
    /// Sends bytes to a process and back, so many times; nothing if it does not answer.
    pub fn echo(&self, process: u32, bytes: usize, rounds: usize) -> Option<Echo> {
        let mut times = Vec::with_capacity(rounds);
        for round in 0..rounds {
            let mut content = (round as u64).to_le_bytes().to_vec();
            content.resize(bytes.max(content.len()), 0);
            let begun = Instant::now();
            self.write(process, &Frame::Ping(content.clone()));
            while !self.has_answered(process, &content) {
                if begun.elapsed() > PATIENCE || self.is_lost_process(process) {
                    return None;
                }
                std::thread::yield_now();
            }
            times.push(begun.elapsed());
        }
        times.sort_unstable();
        let (&least, &most) = (times.first()?, times.last()?);
        let &median = times.get(times.len() / 2)?;
        Some(Echo { process, bytes, rounds, least, median, most })
    }

    /// Measures how far away all others are; the farthest counts.
    pub fn measure_distance(&self) -> Duration {
        const BYTES: usize = 48;
        const ROUNDS: usize = 30;
        let echoes = self.others().filter_map(|process| self.echo(process, BYTES, ROUNDS));
        let farthest = echoes.map(|echo| echo.least).max().unwrap_or(NEAR);
        self.set_round_trip(farthest);
        farthest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_farther_the_way_the_larger_the_work_that_is_sent() {
        let grains = [1, 10, 100, 1000, 20_000].map(|us| grain_for(Duration::from_micros(us)));
        assert_eq!(grains, [3, 3, 7, 9, 12]);
    }
}
