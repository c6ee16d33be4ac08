//! How far a build of tables is: over all of them, and inside the one that is being built.

use crate::interrupt;
use crate::progress::Progress;
use ::endgame::build::{self, Phase, memory_needed};
use ::endgame::{Ending, Metric};
use std::sync::{Mutex, PoisonError};

/// Where the phases of a table begin, in shares of its time; the levels end early where there are draws.
const LEVELS: f64 = 0.35;
const WRITING: f64 = 0.80;

/// A bar for a build.
pub struct Bar {
    progress: Progress,
    /// The tables in the order in which they are built, with what each weighs.
    tables: Vec<(Ending, Metric, u64)>,
    total: u64,
    current: Mutex<Current>,
}

/// The table that is being built.
struct Current {
    name: String,
    before: u64,
    weight: u64,
}

impl Bar {
    /// Nothing is built yet.
    pub fn new(endings: &[Ending], metrics: &[Metric]) -> Bar {
        let mut distances: Vec<Metric> = metrics.to_vec();
        distances.retain(|&metric| metric != Metric::Outcome);
        if distances.is_empty() {
            distances.push(Metric::Outcome);
        }
        let table = |ending: &Ending, &metric| (ending.clone(), metric, memory_needed(ending));
        let tables: Vec<_> = Ending::closure(endings)
            .iter()
            .flat_map(|ending| distances.iter().map(|metric| table(ending, metric)))
            .collect();
        let total = tables.iter().map(|(_, _, weight)| weight).sum();
        let current = Current { name: String::new(), before: 0, weight: 0 };
        let progress = Progress::new();
        Bar { progress, tables, total, current: Mutex::new(current) }
    }

    /// A table is begun.
    pub fn begin(&self, ending: &Ending, metric: Metric) {
        let place = self.tables.iter().position(|one| one.0 == *ending && one.1 == metric);
        let Some(place) = place else { return };
        let before = self.tables[..place].iter().map(|(_, _, weight)| weight).sum();
        let (nth, count) = (place + 1, self.tables.len());
        let name = format!("{ending}.{}, table {nth} of {count}", metric.name());
        let weight = self.tables[place].2;
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        *current = Current { name, before, weight };
    }

    /// How far the table is; any thread may tell.
    pub fn tell(&self, progress: build::Progress) {
        // Where another thread is telling, the next one will do.
        let Ok(current) = self.current.try_lock() else { return };
        if !self.progress.is_visible() {
            return;
        }
        let part = progress.done as f64 / progress.total.max(1) as f64;
        let (share, phase) = match progress.phase {
            Phase::FirstLook => (part * LEVELS, "first look".to_owned()),
            Phase::Levels(level) => (LEVELS + part * (WRITING - LEVELS), format!("level {level}")),
            Phase::Writing => (WRITING + part * (1.0 - WRITING), "packing".to_owned()),
        };
        self.progress.name(match interrupt::requested() {
            true => format!("{}: finishing {phase}; Ctrl-C again ends at once", current.name),
            false => format!("{}: {phase}", current.name),
        });
        let done = current.before + (share * current.weight as f64) as u64;
        self.progress.set(done, self.total);
    }

    /// Writes something above the bar.
    pub fn pause<T>(&self, write: impl FnOnce() -> T) -> T {
        self.progress.pause(write)
    }
}
