//! Strategies: who searches which child when.
//!
//! | strategy | page | rule |
//! | --- | --- | --- |
//! | [`Ybw`] | docs/design/ybw.md | young brothers wait; idle processors ask for work (Zugzwang) |
//! | [`Lazy`] | docs/design/lazy.md | every processor searches the root, sharing the table |
//! | [`Teams`] | docs/design/teams.md | owners over teams, helpers that schedule themselves (Felten and Otto) |
//! | [`Lazy`] with marks | docs/design/abdada.md | the same; children under search elsewhere are deferred |
//! | [`Tds`] | docs/design/tds.md | a state goes to the home of its key (DarkSight) |

mod lazy;
mod tds;
mod teams;
mod ybw;

pub use lazy::Lazy;
pub use tds::{Brothers, Tds, TdsSettings};
pub use teams::{Teams, TeamsSettings};
pub use ybw::{Ybw, YbwSettings};

use crate::{Message, Peer, RootOrder, Searcher, TaskId, Time};
use board::Move;
use search::walk::JobResult;

/// What a strategy wants done.
#[derive(Clone, Debug)]
pub enum Action {
    /// Send a message.
    Send(Peer, Message),
    /// Call [`Strategy::timeout`] at this time, or a little later. Of several the earliest counts; the
    /// call clears them all.
    WakeAt(Time),
    /// The search is over; only the first processor says so.
    Report(Answer),
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The value for the side to move.
    pub value: i32,
    /// The best line; empty if there is no move.
    pub line: Vec<Move>,
}

/// A way of searching in parallel, as one processor follows it.
///
/// After each call the machine takes the actions with [`Strategy::poll`] until there are none. A
/// strategy may be called with anything at any time: messages may be late, twice, or about what nobody
/// remembers.
pub trait Strategy {
    /// A search begins; the first processor gets the root.
    fn begin(&mut self, now: Time, order: Option<&RootOrder>, searcher: &mut dyn Searcher);

    /// A message has come.
    fn handle(&mut self, now: Time, from: Peer, message: Message, searcher: &mut dyn Searcher);

    /// The task on top of the stack is done.
    fn finished(
        &mut self,
        now: Time,
        task: TaskId,
        job_result: JobResult,
        searcher: &mut dyn Searcher,
    );

    /// The walk has stopped: it waits, or others must be told something.
    fn paused(&mut self, now: Time, searcher: &mut dyn Searcher);

    /// The time that was asked for has come.
    fn timeout(&mut self, now: Time, searcher: &mut dyn Searcher);

    /// The next thing to be done.
    fn poll(&mut self) -> Option<Action>;

    /// A processor is known to be lost before the search begins: it gets nothing to do.
    fn lose(&mut self, _peer: Peer) {}

    /// Whether a request for work would be fulfilled now, as far as can be seen. A machine whose
    /// processors see each other's requests asks before it passes one on.
    fn could_give(&mut self, _searcher: &mut dyn Searcher) -> bool {
        false
    }
}

/// The strategies by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StrategyKind {
    /// Young brothers wait (Zugzwang).
    Ybw,
    /// All search the root.
    Lazy,
    /// The same with busy marks.
    Abdada,
    /// Transposition-driven (DarkSight).
    Tds,
    /// Owners over teams (Felten and Otto).
    Teams,
}

impl StrategyKind {
    /// All of them.
    pub const ALL: [StrategyKind; 5] = [
        StrategyKind::Ybw,
        StrategyKind::Lazy,
        StrategyKind::Abdada,
        StrategyKind::Tds,
        StrategyKind::Teams,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            StrategyKind::Ybw => "ybw",
            StrategyKind::Lazy => "lazy",
            StrategyKind::Abdada => "abdada",
            StrategyKind::Tds => "tds",
            StrategyKind::Teams => "teams",
        }
    }
}

impl std::fmt::Display for StrategyKind {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(self.name())
    }
}

impl std::str::FromStr for StrategyKind {
    type Err = String;

    fn from_str(text: &str) -> Result<StrategyKind, String> {
        StrategyKind::ALL.into_iter().find(|kind| kind.name() == text).ok_or_else(|| {
            let names: Vec<&str> = StrategyKind::ALL.into_iter().map(StrategyKind::name).collect();
            format!("no strategy is called {text:?}; there are {}", names.join(", "))
        })
    }
}
