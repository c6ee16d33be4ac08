//! Which processes there are, and which of them are lost.

use parallel::threads::Place;
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::{Duration, Instant};

/// Silence after which a process is taken for lost.
const DEADLINE: Duration = Duration::from_secs(10);

/// All processes, as one of them knows them.
pub struct Members {
    /// Where this one stands.
    pub place: Place,
    lost: Vec<AtomicBool>,
    begun: Instant,
    /// When each was last heard, in milliseconds since the beginning.
    heard_ms: Vec<AtomicU64>,
    deadline_ms: AtomicU64,
}

impl Members {
    pub fn new(place: Place) -> Members {
        let all = 0..place.processes;
        Members {
            place,
            lost: all.clone().map(|_| AtomicBool::new(false)).collect(),
            begun: Instant::now(),
            heard_ms: all.map(|_| AtomicU64::new(0)).collect(),
            deadline_ms: AtomicU64::new(DEADLINE.as_millis() as u64),
        }
    }

    /// The others that are not lost.
    pub fn others(&self) -> impl Iterator<Item = u32> {
        let there = |&process: &u32| process != self.place.process && !self.is_lost(process);
        (0..self.place.processes).filter(there)
    }

    /// Whether a process is lost, or does not exist.
    pub fn is_lost(&self, process: u32) -> bool {
        self.lost.get(process as usize).is_none_or(|lost| lost.load(Relaxed))
    }

    pub fn lost_count(&self) -> usize {
        self.lost.iter().filter(|lost| lost.load(Relaxed)).count()
    }

    /// Marks a process as lost; whether it was not.
    pub fn lose(&self, process: u32) -> bool {
        self.lost.get(process as usize).is_some_and(|lost| !lost.swap(true, SeqCst))
    }

    pub fn set_deadline(&self, deadline: Duration) {
        self.deadline_ms.store(deadline.as_millis() as u64, Relaxed);
    }

    pub fn deadline(&self) -> Duration {
        Duration::from_millis(self.deadline_ms.load(Relaxed))
    }

    /// Something has come from a process.
    pub fn hear(&self, process: u32) {
        if let Some(heard_ms) = self.heard_ms.get(process as usize) {
            heard_ms.store(self.begun.elapsed().as_millis() as u64, Relaxed);
        }
    }

    /// Takes all as heard now. A process that has not looked for long, as the machine stood still or was too
    /// busy, cannot tell which others were silent meanwhile.
    pub fn excuse_all(&self) {
        (0..self.place.processes).for_each(|process| self.hear(process));
    }

    /// Whether a process has been silent for too long.
    pub fn is_overdue(&self, process: u32) -> bool {
        let heard_ms = self.heard_ms.get(process as usize).map_or(0, |heard| heard.load(Relaxed));
        let silence = self.begun.elapsed().saturating_sub(Duration::from_millis(heard_ms));
        silence > self.deadline()
    }
}
