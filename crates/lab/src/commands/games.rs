//! What the commands that play games have in common: arguments, and lines that tell how far they are.

use clap::Args;
use lab::duel::{DuelConfig, Openings, TimeControl};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How the games are played.
#[derive(Args)]
pub struct GamesArguments {
    /// Nodes for each move
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Seconds for a game and for each move, such as 8+0.08, in place of nodes
    #[arg(long, value_name = "S+I", value_parser = read_clock, conflicts_with = "nodes")]
    tc: Option<TimeControl>,
    /// Threads, each with its own games
    #[arg(long, visible_alias = "concurrency", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Megabytes of each player's table
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..=65536))]
    hash: u64,
    /// The positions that games begin with: EPD or FEN, one a line
    #[arg(long, value_name = "FILE")]
    openings: PathBuf,
    /// Where the random numbers begin
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

impl GamesArguments {
    pub fn config(&self) -> DuelConfig {
        let time_control = self.tc.unwrap_or(TimeControl::Nodes(self.nodes));
        DuelConfig { threads: usize::from(self.threads), hash_mb: self.hash, time_control }
    }

    /// The file of the openings.
    pub fn openings_file(&self) -> &Path {
        &self.openings
    }

    /// The openings, in an order that `salt` changes.
    pub fn openings(&self, salt: u64) -> Result<Openings, String> {
        Openings::read(&self.openings, self.seed ^ salt.wrapping_mul(0x9e37_79b9))
    }
}

/// Reads `8+0.08`.
fn read_clock(text: &str) -> Result<TimeControl, String> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    let milliseconds = |text: &str| match text.parse::<f64>() {
        Ok(seconds) if (0.0..=86_400.0).contains(&seconds) => Ok((seconds * 1e3) as i64),
        _ => Err(format!("expected seconds such as 8+0.08, not {text:?}")),
    };
    let (base_ms, increment_ms) = (milliseconds(base)?, milliseconds(increment)?);
    match base_ms + increment_ms {
        0 => Err("a clock needs time".to_owned()),
        _ => Ok(TimeControl::Clock { base_ms, increment_ms }),
    }
}

/// Says now and then how far the work is and how long it will take.
pub struct Ticker {
    begun: Instant,
    last: Instant,
    every: Duration,
}

impl Ticker {
    pub fn new(every: Duration) -> Ticker {
        Ticker { begun: Instant::now(), last: Instant::now(), every }
    }

    /// Whether it is time to speak again.
    pub fn is_due(&mut self) -> bool {
        let due = self.last.elapsed() >= self.every;
        if due {
            self.last = Instant::now();
        }
        due
    }

    /// `12:30 passed, 1:02:00 left`, for `done` of `all` that were done since the beginning.
    pub fn times(&self, done: u64, all: u64) -> String {
        let passed = self.begun.elapsed();
        let left = passed.as_secs_f64() * all.saturating_sub(done) as f64 / done.max(1) as f64;
        format!("{} passed, {} left", clock(passed.as_secs()), clock(left as u64))
    }
}

fn clock(seconds: u64) -> String {
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_and_written() {
        assert_eq!(
            read_clock("8+0.08"),
            Ok(TimeControl::Clock { base_ms: 8000, increment_ms: 80 })
        );
        assert_eq!(read_clock("1"), Ok(TimeControl::Clock { base_ms: 1000, increment_ms: 0 }));
        for text in ["", "0+0", "-1+1", "x", "1+inf", "1e9"] {
            assert!(read_clock(text).is_err(), "{text}");
        }
        assert_eq!([clock(59), clock(61), clock(3725)], ["0:59", "1:01", "1:02:05"]);
    }
}
