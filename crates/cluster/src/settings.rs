//! How the processes are connected and share what they know: set by the first, followed by all.

use crate::Link;
use crate::distance::distance_for;
use crate::frame::Frame;
use crate::host_map::{Location, is_one_host};
use crate::payload::by_name;
use crate::transport::lock;
use parallel::TableKind;
use parallel::threads::Distance;
use serde::{Deserialize, Serialize};
use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize};
use std::time::Duration;

/// The kinds of tables that processes can follow, the usual one first. Shared means one table for the
/// processes of a host, and what is told between hosts as when it is replicated.
pub const TABLES: [TableKind; 5] = [
    TableKind::Shared,
    TableKind::Replicated,
    TableKind::Blocking,
    TableKind::Asynchronous,
    TableKind::Local,
];

/// The kind of a name, among those that processes can follow.
pub fn read_table(text: &str) -> Result<TableKind, String> {
    TABLES.into_iter().find(|kind| kind.name() == text).ok_or_else(|| {
        let names = TABLES.map(TableKind::name).join(", ");
        format!("processes share their tables in one of these ways: {names}; not {text:?}")
    })
}

/// One of the settings, as the first process tells it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Setting {
    /// Where each process is.
    HostMap(Vec<Location>),
    /// What follows from the hosts.
    Machine {
        /// With the farthest process.
        round_trip: Duration,
        /// Processes on the fullest host; 1 where each has processors of its own.
        crowd: u32,
        /// Processors of the smallest host.
        cores: u32,
    },
    /// How the processes share their tables, from the next search on.
    Table(#[serde(with = "by_name")] TableKind),
    /// The smallest depth of a child that another process searches; 0 for what follows from the distance.
    RemoteGrain(u32),
    /// How many processes search together, from the first on; 0 for all.
    Searchers(u32),
    /// Whether messages go by memory in common where there is some.
    Rings(bool),
}

/// The settings of a link.
pub struct LinkSettings {
    round_trip_ns: AtomicU64,
    crowd: AtomicU32,
    cores: AtomicU32,
    remote_grain: AtomicU32,
    /// The place of the kind among [`TABLES`].
    table: AtomicUsize,
    searchers: AtomicU32,
    /// Where each process is; empty where that is not known.
    pub host_map: Mutex<Vec<Location>>,
}

impl Default for LinkSettings {
    fn default() -> LinkSettings {
        LinkSettings {
            round_trip_ns: AtomicU64::new(5_000),
            crowd: AtomicU32::new(1),
            cores: AtomicU32::new(1),
            remote_grain: AtomicU32::new(0),
            table: AtomicUsize::new(0),
            searchers: AtomicU32::new(0),
            host_map: Mutex::default(),
        }
    }
}

impl LinkSettings {
    pub fn set_round_trip(&self, round_trip: Duration) {
        self.round_trip_ns.store(round_trip.as_nanos() as u64, Relaxed);
    }

    /// How the processes share their tables.
    pub fn table(&self) -> TableKind {
        TABLES.get(self.table.load(Relaxed)).copied().unwrap_or(TABLES[0])
    }

    /// The number of processes that search together, of all there are.
    pub fn searchers(&self, processes: u32) -> u32 {
        match self.searchers.load(Relaxed) {
            0 => processes,
            some => some.min(processes),
        }
    }

    /// How far away the others are for processes with this number of threads, and what follows.
    pub fn distance(&self, threads: u32) -> Distance {
        let round_trip = Duration::from_nanos(self.round_trip_ns.load(Relaxed));
        let needed = self.crowd.load(Relaxed).saturating_mul(threads);
        let roomy = needed <= self.cores.load(Relaxed);
        let mut distance = distance_for(round_trip, roomy, self.table());
        if self.table() == TableKind::Shared && is_one_host(&lock(&self.host_map)) {
            // All see it anyway.
            distance.table.write_from = i32::MAX;
        }
        match self.remote_grain.load(Relaxed) {
            0 => distance,
            wanted => Distance { remote_grain: wanted as i32, ..distance },
        }
    }
}

impl Link {
    /// Follows a setting, and as the first process has all others follow it.
    pub(crate) fn share(&self, setting: Setting) {
        // First here: the others may look for memory that is made here.
        self.follow(setting.clone());
        if self.is_first() {
            self.tell_all(&Frame::Setting(setting));
        }
    }

    /// Follows a setting here.
    pub(crate) fn follow(&self, setting: Setting) {
        let settings = &self.settings;
        match setting {
            Setting::HostMap(host_map) => self.set_host_map(host_map),
            Setting::Machine { round_trip, crowd, cores } => {
                settings.set_round_trip(round_trip);
                settings.crowd.store(crowd, Relaxed);
                settings.cores.store(cores, Relaxed);
            }
            Setting::Table(kind) => {
                if let Some(place) = TABLES.iter().position(|known| *known == kind) {
                    settings.table.store(place, Relaxed);
                }
            }
            Setting::RemoteGrain(grain) => settings.remote_grain.store(grain, Relaxed),
            Setting::Searchers(processes) => settings.searchers.store(processes, Relaxed),
            Setting::Rings(in_use) => {
                self.transport.with_fabric(|fabric| fabric.use_rings(in_use));
            }
        }
    }

    /// Sets the way to the others here, for all that follows from it.
    pub fn set_round_trip(&self, round_trip: Duration) {
        self.settings.set_round_trip(round_trip);
    }

    /// How the processes share their tables.
    pub fn table(&self) -> TableKind {
        self.settings.table()
    }

    /// Changes it for all, from the next search on.
    pub fn share_table(&self, kind: TableKind) {
        self.share(Setting::Table(kind));
    }

    /// Lets children of at least this depth go to other processes, from all; 0 for what the distance tells.
    pub fn share_remote_grain(&self, grain: u32) {
        self.share(Setting::RemoteGrain(grain));
    }

    /// Lets this number of processes search together, from the first on; 0 for all.
    pub fn share_search(&self, processes: u32) {
        self.share(Setting::Searchers(processes));
    }

    /// Lets messages of all processes go by memory in common where there is some, or not.
    pub fn share_rings(&self, in_use: bool) {
        self.share(Setting::Rings(in_use));
        self.sync();
    }
}
