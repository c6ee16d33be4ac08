//! The machine of many hosts: the search spread over processes, which have memory in common only where they
//! are on one host.
//!
//! A [`Link`] connects the threads of a process with those of the others: it is the
//! [`parallel::threads::Uplink`] of a pool. Bytes travel over a [`Fabric`]: [`loopback`] inside one
//! program, for tests, and with the feature `mpi` an MPI library. No strategy is written here; all that
//! run on threads run on it.
//!
//! The first process speaks to the user and gives commands; the others take each [`Link::next_assignment`] and
//! follow. Start reading with `link.rs`; `docs/design/cluster.md` tells how to use it.

mod command;
mod distance;
mod fabric;
mod frame;
mod greeting;
mod host_map;
mod hybrid_transport;
mod inbox;
mod launch;
mod link;
pub mod loopback;
mod members;
#[cfg(feature = "mpi")]
pub mod mpi;
mod payload;
mod rings;
mod settings;
mod transport;
mod uplink;
mod watch;

pub use command::{Assignment, Call, SearchAssignment};
pub use distance::{Echo, grain_for};
pub use fabric::{Delayed, Fabric};
pub use greeting::Hello;
pub use launch::{job_variables, launched};
pub use link::Link;
pub use payload::{Payload, by_name};
pub use settings::{TABLES, read_table};
pub use transport::Traffic;
