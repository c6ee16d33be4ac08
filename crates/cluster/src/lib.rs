//! The machine of many hosts: the search spread over processes, which have memory in common only where they
//! are on one host.
//!
//! A [`Link`] connects the threads of a process with those of the others: it is the
//! [`parallel::threads::Uplink`] of a pool. Bytes travel over a [`Fabric`]: [`loopback`] inside one
//! program, for tests, and with the feature `mpi` an MPI library. No strategy is written here; all that
//! run on threads run on it.
//!
//! The first process speaks to the user and gives orders; the others [`Link::next_task`] and follow.
//! Start reading with `link.rs`; `docs/design/cluster.md` tells how to use it.

mod call;
mod delayed;
mod distance;
mod fabric;
mod frame;
mod hello;
mod host_map;
mod hybrid_transport;
mod inbox;
mod launch;
mod link;
pub mod loopback;
#[cfg(feature = "mpi")]
pub mod mpi;
mod order;
mod outbox;
mod rings;
mod searchers;
mod sharing;
mod traffic;
mod uplink;
mod watch;

pub use call::Call;
pub use delayed::Delayed;
pub use distance::{Echo, grain_for};
pub use fabric::Fabric;
pub use frame::SearchOrder;
pub use hello::Hello;
pub use inbox::Task;
pub use launch::{job_variables, launched};
pub use link::Link;
pub use sharing::{TABLES, read_table};
pub use traffic::Traffic;
