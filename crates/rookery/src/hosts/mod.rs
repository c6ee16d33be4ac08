//! The program among those of other processes, where `mpirun` has started several.
//!
//! [`join`] finds out; the first process goes on as if it were alone, with a [`Link`] to the others, which
//! [`follow`](follow::follow) its commands. In any case [`Membership::leave`] ends it for all.

mod builders;
mod command;
mod exchange;
mod follow;
#[cfg(feature = "mpi")]
mod identity;
mod protocol;

use crate::arguments::Command;
use crate::failure::Failure;
use crate::plain;
use cluster::{Hello, Link};
use std::process::ExitCode;
use std::sync::Arc;

pub use builders::Builders;
pub use command::{Trip, round_trips, run};
pub use exchange::Exchange;
pub use protocol::{Found, ProcessCommand, RemoteReport, RemoteSearch, Request};

/// For a user whose program cannot.
const WITHOUT: &str =
    "this program was built without MPI: build it with `cargo build --release --features mpi`";

/// A process among others, or alone.
#[derive(Default)]
pub struct Membership {
    link: Option<Arc<Link>>,
    /// Who takes part, where this is the first process.
    hellos: Vec<Hello>,
    /// Shut down when all is over.
    #[cfg(feature = "mpi")]
    library: Option<cluster::mpi::Library>,
}

/// Finds the other processes, if the program was started with some.
#[cfg(feature = "mpi")]
pub fn join() -> Result<Membership, Failure> {
    if cluster::launched().is_none() {
        return Ok(Membership::default());
    }
    let library = cluster::mpi::Library::start().map_err(Failure::Work)?;
    if library.processes() < 2 {
        return Ok(Membership { library: Some(library), ..Membership::default() });
    }
    let fabric = delayed(Box::new(library.fabric()))?;
    let mut hello = identity::hello(fabric.name());
    if std::env::var_os(DELAY).is_some() {
        // Those to whom the way is long are on other hosts.
        hello.memory_domain.clear();
    }
    let link = Link::new(fabric).map_err(Failure::Work)?;
    let hellos = link.greet(&hello);
    let mut membership =
        Membership { link: Some(link), library: Some(library), hellos: Vec::new() };
    match hellos {
        Ok(hellos) => membership.hellos = hellos,
        Err(reason) => {
            // One line for all is enough, and it comes first: mpirun ends everything when the others leave.
            if membership.is_first() {
                Failure::Work(reason.clone()).report();
            }
            membership.leave(ExitCode::FAILURE, &reason);
            return Err(Failure::Silent);
        }
    }
    Ok(membership)
}

/// The variable by which every message comes some microseconds late: a long way, to measure with.
#[cfg(feature = "mpi")]
const DELAY: &str = "ROOKERY_DELAY_US";

#[cfg(feature = "mpi")]
fn delayed(fabric: Box<dyn cluster::Fabric>) -> Result<Box<dyn cluster::Fabric>, Failure> {
    let Some(text) = std::env::var_os(DELAY) else { return Ok(fabric) };
    match text.to_str().and_then(|text| text.parse().ok()) {
        Some(delay) if delay <= 1_000_000 => {
            let delay = std::time::Duration::from_micros(delay);
            Ok(Box::new(cluster::Delayed::new(fabric, delay)))
        }
        _ => Err(Failure::Work(format!("{DELAY} is a number of microseconds up to a million"))),
    }
}

/// Says so where the program was started with others and cannot join them.
#[cfg(not(feature = "mpi"))]
pub fn join() -> Result<Membership, Failure> {
    match cluster::launched() {
        Some(2..) => Err(Failure::Work(WITHOUT.to_owned())),
        _ => Ok(Membership::default()),
    }
}

impl Membership {
    /// The way to the other processes, if there are any.
    pub fn link(&self) -> Option<&Arc<Link>> {
        self.link.as_ref()
    }

    /// Who takes part.
    pub fn hellos(&self) -> &[Hello] {
        &self.hellos
    }

    /// Whether this process speaks to the user.
    pub fn is_first(&self) -> bool {
        self.link.as_ref().is_none_or(|link| link.is_first())
    }

    /// Does as the first process says, to the end.
    pub fn follow(self, command: Option<&Command>) -> ExitCode {
        let Some(link) = self.link() else { return ExitCode::SUCCESS };
        let status = follow::follow(link, command).unwrap_or_else(Failure::report);
        self.leave(status, "")
    }

    /// Ends it, here and for the others; the exit status.
    pub fn leave(self, status: ExitCode, reason: &str) -> ExitCode {
        if let Some(link) = &self.link
            && !link.leave(reason)
        {
            // To shut the library down would be to wait for those who are lost.
            plain::say(format_args!("process {} ends without those who are lost", link.process()));
            std::process::exit(i32::from(status != ExitCode::SUCCESS));
        }
        #[cfg(feature = "mpi")]
        drop(self.library);
        status
    }
}
