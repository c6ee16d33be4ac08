//! The choices of a pool, and the usual ones.

use super::extras::{Extra, Extras};
use crate::strategy::YbwSettings;
use crate::{StrategyKind, Time};
use search::Depth;
use std::thread;

/// The usual smallest depth of a child that another thread searches. Where every child is sent to its home
/// unasked, an envelope must be worth more.
pub(super) fn grain(strategy: StrategyKind) -> i32 {
    if strategy == StrategyKind::Tds { 5 } else { 3 }
}

/// To be woken takes some fifty microseconds: to look for as long costs at most as much again.
const LINGER_NS: Time = 50_000;

/// Smaller children are not worth a mark where all search the root and the table is near.
const LAZY_DEFERRAL: Depth = 7;

/// Threads that search the root at the same time for each processor: more would only keep the one that
/// answers from its processor, so that neither `stop` nor the clock is heard in time.
const ROOT_SEARCHERS_EACH: usize = 4;
const ROOT_SEARCHERS_LEAST: usize = 8;

/// Pause after a refusal: less would be spinning.
const RETRY_NS: Time = 30_000;

/// The choices of a pool.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// How many threads, at least 1.
    pub threads: u32,
    /// The way of searching.
    pub strategy: StrategyKind,
    /// The smallest depth of a child that another thread searches; 0 where it is chosen by what searches
    /// take (transposition-driven scheduling only).
    pub grain: Depth,
    /// The other choices of young brothers.
    pub ybw: YbwSettings,
    /// The smallest depth of a child with which the history of moves is sent (young brothers).
    pub history_from: Depth,
    /// The smallest depth of a child that is put off while another thread searches it (ABDADA).
    pub deferral: Depth,
    /// Nodes of at most this depth are searched by the recursive driver, which is faster but does not look
    /// around: some nodes.
    pub recursion: Depth,
    /// Time for which a thread without work looks for mail before it sleeps.
    pub linger_ns: Time,
    /// How long an answer may take before it is taken for lost; never without.
    pub patience_ns: Option<Time>,
    /// Whether a thread without work searches the root by itself meanwhile (young brothers, teams). It
    /// would take the processor from others where there are more threads than processors.
    pub idle_search: bool,
    /// How many threads of a process search the root at the same time, where all do (lazy, ABDADA).
    pub root_searchers: u32,
    /// What they do beyond the bare strategy.
    pub extras: Extras,
    /// Where chance begins.
    pub seed: u64,
}

impl Settings {
    /// The usual choices.
    pub fn new(strategy: StrategyKind, threads: u32) -> Settings {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let at_home = threads as usize <= processors;
        Settings {
            threads: threads.max(1),
            linger_ns: if at_home { LINGER_NS } else { 0 },
            patience_ns: None,
            strategy,
            grain: grain(strategy),
            ybw: YbwSettings {
                wait_more: 0,
                free_after: Some(1),
                // A request is shown to all: to show it again costs nothing.
                hop_limit: None,
                retry_ns: RETRY_NS,
                ..YbwSettings::default()
            },
            history_from: 6,
            deferral: 3,
            recursion: 1,
            idle_search: at_home,
            root_searchers: (ROOT_SEARCHERS_EACH * processors).max(ROOT_SEARCHERS_LEAST) as u32,
            extras: Extras::default(),
            seed: 1,
        }
    }
}

impl Settings {
    /// The smallest depth of a child that is put off while another thread searches it, where that is done.
    pub(super) fn deferral(&self) -> Option<Depth> {
        match self.strategy {
            StrategyKind::Abdada => Some(self.deferral),
            StrategyKind::Lazy if self.extras.has(Extra::Defer) => Some(LAZY_DEFERRAL),
            _ => None,
        }
    }
}
