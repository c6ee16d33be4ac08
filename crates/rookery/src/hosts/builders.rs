//! Endgame tables that all processes build together, each a part of the positions.

use super::protocol::{MetricName, ProcessCommand};
use ::endgame::distributed::{Carrier, Processor};
use ::endgame::{Ending, Metric};
use cluster::Link;
use parallel::threads::Uplink;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// The processes as builders of tables.
pub struct Builders<'a> {
    link: &'a Arc<Link>,
    dir: &'a Path,
    /// Which table, so that what is said about an earlier one is not taken for it.
    number: AtomicU32,
}

impl<'a> Builders<'a> {
    /// All processes, which see the same folder; with the number of the present table, 0 before the first.
    pub fn new(link: &'a Arc<Link>, dir: &'a Path, number: u32) -> Builders<'a> {
        Builders { link, dir, number: AtomicU32::new(number) }
    }
}

impl std::fmt::Debug for Builders<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} processes", self.processors())
    }
}

impl Carrier for Builders<'_> {
    fn me(&self) -> Processor {
        self.link.process()
    }

    fn processors(&self) -> u32 {
        self.link.place().processes
    }

    fn begin(&self, ending: &Ending, metric: Metric, files: &[Metric]) {
        self.link.command(&ProcessCommand::BuildTable {
            number: self.number.fetch_add(1, Relaxed) + 1,
            ending: ending.clone(),
            metric,
            files: files.iter().copied().map(MetricName).collect(),
            dir: self.dir.to_owned(),
        });
    }

    fn send(&self, to: Processor, message: Vec<u8>) {
        self.link.send_build_message(to, self.number.load(Relaxed), message);
    }

    fn receive(&self, may_wait: bool) -> Result<Option<(Processor, Vec<u8>)>, String> {
        if let Some((process, error)) = self.link.take_failures().into_iter().next() {
            return Err(format!("process {process}: {error}"));
        }
        if !self.link.is_first() && self.link.is_lost_process(0) {
            return Err("the first process is lost".to_owned());
        }
        Ok(self.link.next_build_message(self.number.load(Relaxed), may_wait))
    }
}
