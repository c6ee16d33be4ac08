//! The transposition table, shared by all threads without locks, and the small caches of one
//! thread.
//!
//! A [`Table`] is memory in cache lines and a [`Policy`] that says which position may displace which:
//! [`Bucketed`] for play, [`TwoDeep`] and [`Direct`] for the papers' programs. The policy is a type,
//! so a probe is straight code; [`AnyTable`] makes the choice at run time, once at the root. What an
//! [`Entry`] says is a claim by its writer: a line of memory may be torn by two writers (see
//! `line.rs` for how that is seen) and two positions may share a key, so a move from the table is
//! checked before it is played (D28). Scores are stored as given: to count mates from the node
//! instead of from the root is the search's business.
//!
//! ```
//! use board::Position;
//! use table::{Bound, Bucketed, Entry, Probe, Table};
//!
//! let table = Table::<Bucketed>::new(1)?;
//! let start = Position::startpos();
//! let Probe::Miss(slot) = table.probe(start.key()) else { panic!("a new table is empty") };
//! let mv = start.legal_moves()[0];
//! table.store(slot, Entry { mv, score: 20, eval: Some(15), depth: 7, bound: Bound::Lower, pv: false });
//! let Probe::Hit(entry, _) = table.probe(start.key()) else { panic!("it was stored") };
//! assert_eq!((entry.mv, entry.depth), (mv, 7));
//! # Ok::<(), table::TableError>(())
//! ```

mod any;
mod cache;
mod common;
mod entry;
mod error;
mod experience;
mod file;
mod line;
#[cfg(test)]
mod line_tests;
mod memory;
mod policy;
mod shared;
mod sync;
#[cfg(all(test, target_os = "linux", not(miri)))]
mod touch_tests;

pub use any::AnyTable;
pub use cache::Cache;
pub use common::{Common, CommonWords, lent_by};
pub use entry::{Bound, Entry, MAX_DEPTH, MIN_DEPTH};
pub use error::TableError;
pub use experience::{Experience, ExperienceError, Learned};
pub use policy::{Bucketed, Direct, Policy, PolicyKind, TwoDeep};
pub use shared::{Probe, Slot, Table};
