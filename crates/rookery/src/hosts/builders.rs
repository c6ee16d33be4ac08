//! Endgame tables that all processes build together, each a part of the positions.

use ::endgame::build;
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
    /// All processes, which see the same folder.
    pub fn new(link: &'a Arc<Link>, dir: &'a Path) -> Builders<'a> {
        Builders { link, dir, number: AtomicU32::new(0) }
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
        let number = self.number.fetch_add(1, Relaxed) + 1;
        let files: Vec<&str> = files.iter().map(|metric| metric.name()).collect();
        let (metric, files, dir) = (metric.name(), files.join(","), self.dir.display());
        self.link.order(&format!("table {number} {ending} {metric} {files} {dir}"));
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

/// Builds a part of a table, as the first process says: `NUMBER ENDING METRIC FILES FOLDER`.
pub fn take_part(link: &Arc<Link>, order: &str) -> Result<(), String> {
    let words: Vec<&str> = order.splitn(5, ' ').collect();
    let [number, ending, metric, files, dir] = words[..] else {
        return Err(format!("an order that nobody knows: table {order:?}"));
    };
    let number = number.parse().map_err(|_| format!("{number:?} is no number of a table"))?;
    let ending = Ending::parse(ending).map_err(|error| error.to_string())?;
    let read = |name: &str| {
        let found = Metric::ALL.into_iter().find(|metric| metric.name() == name);
        found.ok_or_else(|| format!("{name:?} is no measure"))
    };
    let files = files.split(',').map(read).collect::<Result<Vec<Metric>, String>>()?;
    let dir = Path::new(dir);
    let builders = Builders { link, dir, number: AtomicU32::new(number) };
    build::take_part(&ending, read(metric)?, &files, dir, &builders)
}
