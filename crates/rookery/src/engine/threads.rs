//! How many threads search, in which way, and what each of them did.

use super::Engine;
use crate::hosts::ProcessCommand;
use crate::memory;
use crate::numa::{Nodes, Numa};
use parallel::StrategyKind;
use parallel::threads::{Extras, Placement, Recorder, Settings, ThreadPool, ThreadReport};
use search::Statistics;
use serde::Serialize;
use std::sync::Arc;
use table::AnyTable;

/// Megabytes that a thread takes for its histories, caches and nodes, at most.
const THREAD_MB: u64 = 12;

/// What a thread did, in JSON.
#[derive(Clone, Copy, Default, Serialize)]
pub struct ThreadRecord {
    nodes: u64,
    /// Those of them that it searched by itself while it had no work.
    idle_nodes: u64,
    /// Tasks of others that it finished.
    jobs: u64,
    messages: u64,
    /// How often it had no work, and how long in sum.
    waits: u64,
    waiting_seconds: f64,
    /// Questions to the tables of other processes, and what came of them.
    #[serde(flatten)]
    reads: ReadRecord,
}

/// What a thread asked the tables of other processes, in JSON; nothing where it asked for nothing.
#[derive(Clone, Copy, Default, Serialize)]
struct ReadRecord {
    #[serde(skip_serializing_if = "is_zero")]
    table_reads: u64,
    #[serde(skip_serializing_if = "is_zero")]
    table_answers: u64,
    /// Nodes that began anew because of an answer.
    #[serde(skip_serializing_if = "is_zero")]
    restarts: u64,
    #[serde(skip_serializing_if = "is_nothing")]
    reading_seconds: f64,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

fn is_nothing(time: &f64) -> bool {
    *time == 0.0
}

impl ThreadRecord {
    /// Adds what the thread did in another search.
    pub fn add(&mut self, other: &ThreadRecord) {
        self.nodes += other.nodes;
        self.idle_nodes += other.idle_nodes;
        self.jobs += other.jobs;
        self.messages += other.messages;
        self.waits += other.waits;
        self.waiting_seconds += other.waiting_seconds;
        self.reads.table_reads += other.reads.table_reads;
        self.reads.table_answers += other.reads.table_answers;
        self.reads.restarts += other.reads.restarts;
        self.reads.reading_seconds += other.reads.reading_seconds;
    }
}

impl From<ThreadReport> for ThreadRecord {
    fn from(report: ThreadReport) -> ThreadRecord {
        ThreadRecord {
            nodes: report.nodes,
            idle_nodes: report.idle_nodes,
            jobs: report.jobs,
            messages: report.messages,
            waits: report.waits,
            waiting_seconds: report.waiting.as_secs_f64(),
            reads: ReadRecord {
                table_reads: report.table_reads,
                table_answers: report.table_answers,
                restarts: report.restarts,
                reading_seconds: report.reading.as_secs_f64(),
            },
        }
    }
}

/// Where threads run. Those of several processes are placed by who starts the processes.
fn place(alone: bool, numa: Numa, threads: u32) -> Option<Placement> {
    if alone { Nodes::here().place(numa, threads) } else { None }
}

impl Engine {
    /// How many threads search.
    pub fn threads(&self) -> u32 {
        match &self.remote {
            Some(remote) => remote.threads,
            None => self.pool.as_ref().map_or(1, |pool| pool.settings().threads),
        }
    }

    /// Searches with this number of threads from now on; where the system does not give them, nothing changes.
    /// Their memory is made at once, and not while a search should answer.
    pub fn set_threads(&mut self, threads: u32) -> Result<(), String> {
        if let Some(remote) = &mut self.remote {
            remote.threads = threads;
            return Ok(());
        }
        let before = self.threads();
        let more = u64::from(threads.saturating_sub(before));
        memory::check_free(THREAD_MB * more)?;
        match (&mut self.pool, threads) {
            (_, 0..=1) if self.link.is_none() => self.pool = None,
            (Some(_), _) if threads == before => (),
            (Some(pool), _) => {
                pool.set_threads(threads)?;
                pool.set_placement(place(self.link.is_none(), self.numa, threads));
                pool.prepare(&self.table);
            }
            (None, _) => {
                let usual = Settings::new(self.strategy, threads);
                let settings = Settings { extras: self.extras, ..usual };
                let mut pool = ThreadPool::new(self.profile, settings)?;
                pool.set_placement(place(self.link.is_none(), self.numa, threads));
                pool.connect(self.link.clone().map(|link| link as _));
                pool.set_network(self.network.clone());
                pool.prepare(&self.table);
                self.pool = Some(pool);
                self.tell_worker();
            }
        }
        if threads != before {
            self.tell_others(&ProcessCommand::Threads(threads));
        }
        Ok(())
    }

    /// Binds threads to processors in this way from now on. The table is spread when it is made anew.
    pub fn set_numa(&mut self, numa: Numa) -> Result<(), String> {
        if std::mem::replace(&mut self.numa, numa) == numa {
            return Ok(());
        }
        // A thread that was bound is free again only in another one.
        let threads = self.threads();
        self.pool = None;
        self.set_threads(threads)
    }

    /// Searches in another way from now on, where there are several threads.
    pub fn set_strategy(&mut self, strategy: StrategyKind) {
        let before = std::mem::replace(&mut self.strategy, strategy);
        if let Some(pool) = self.pool.as_mut().filter(|_| strategy != before) {
            pool.set_strategy(strategy);
            // Another way of searching may need more memory.
            pool.prepare(&self.table);
        }
    }

    /// Records what each thread does from the next search on, or nothing. One thread searches without a pool
    /// and is not recorded.
    pub fn set_recorder(&mut self, recorder: Option<Arc<Recorder>>) {
        if let Some(pool) = &mut self.pool {
            pool.set_recorder(recorder);
        }
    }

    /// Does more or less than the bare strategy from now on, where there are several threads.
    pub fn set_extras(&mut self, extras: Extras) {
        let before = std::mem::replace(&mut self.extras, extras);
        if let Some(pool) = self.pool.as_mut().filter(|_| extras != before) {
            pool.set_extras(extras);
            pool.prepare(&self.table);
        }
    }

    /// Waits until all threads of the last search have stopped.
    pub(super) fn settle(&mut self) {
        if let Some(pool) = &mut self.pool {
            pool.settle();
        }
    }

    /// The table, once no thread uses it.
    pub(super) fn table_alone(&mut self) -> Result<&mut AnyTable, String> {
        self.settle();
        Arc::get_mut(&mut self.table).ok_or_else(|| "the table is in use".to_owned())
    }

    /// What the last search counted, all threads together.
    pub fn statistics(&self) -> Statistics {
        match &self.pool {
            None => self.worker.statistics().clone(),
            Some(pool) => pool.statistics(),
        }
    }

    /// What each thread did in the last search.
    pub fn thread_records(&self) -> Vec<ThreadRecord> {
        match &self.pool {
            None => {
                let nodes = self.worker.statistics().nodes;
                vec![ThreadRecord { nodes, ..ThreadRecord::default() }]
            }
            Some(pool) => pool.reports().into_iter().map(ThreadRecord::from).collect(),
        }
    }
}
