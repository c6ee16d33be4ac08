//! The search: one node in phases, its heuristics, profiles and drivers.
//!
//! A [`Worker`] searches a position for an [`Observer`], which alone knows clocks, threads and users. Start
//! reading with `phases/mod.rs` (enter, next, absorb, leave) and `recursive.rs`, the shortest driver.
//!
//! ```
//! use board::{History, Position};
//! use search::{Limits, Profile, Quiet, Worker};
//! use table::AnyTable;
//!
//! let table = AnyTable::new(Profile::Modern.policy(), 1)?;
//! let position = Position::from_fen("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1").unwrap();
//! let limits = Limits { depth: Some(5), ..Limits::default() };
//! let outcome = Worker::new(Profile::Modern).search(&table, &position, &History::new(), &limits, &mut Quiet);
//! assert_eq!(position.san(outcome.best().unwrap()), "Rd8#");
//! # Ok::<(), table::TableError>(())
//! ```

mod corrections;
mod extensions;
mod histories;
mod iterate;
mod keys;
mod killers;
mod lookup;
mod node;
mod observer;
mod ordering;
mod ordering_context;
mod pacer;
pub mod parameters;
mod phases;
mod picker;
mod profile;
mod quiesce;
mod recursive;
mod refutations;
mod root;
mod shared_number;
mod statistics;
pub mod switches;
pub mod time;
mod variation;
pub mod walk;
pub mod wire;
mod worker;

pub use eval::score;
pub use lookup::{Asker, Lookup};
pub use observer::{
    Bound, FIRST_ITERATION, Iteration, Limits, Line, Observer, Outcome, POLL_INTERVAL, Progress,
    Quiet, Report,
};
pub use pacer::Pacer;
pub use profile::Profile;
pub use statistics::{Frontier, Statistics};
pub use worker::{Driver, Worker};

/// A remaining depth in plies; 0 and less is quiescence.
pub type Depth = i32;
