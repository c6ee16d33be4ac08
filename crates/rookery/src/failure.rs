//! How a command ends when it cannot do what it was asked for: one line, and an exit status.

use crate::interrupt;
use std::io::{self, Write};
use std::process::ExitCode;

/// The exit status of wrong usage, as clap has it.
const USAGE: u8 = 2;

/// Why a command did not do its work.
#[derive(Debug)]
pub enum Failure {
    /// The arguments cannot be followed.
    Usage(String),
    /// The work could not be done.
    Work(String),
    /// The user pressed Ctrl-C; what there was to show has been shown.
    Interrupted,
    /// Another process says why.
    #[cfg(feature = "mpi")]
    Silent,
    /// The output could not be written.
    Output(io::Error),
}

impl Failure {
    /// Says why on stderr and gives the exit status. Whoever reads our output may stop reading (`head`
    /// does): that is no failure.
    pub fn report(self) -> ExitCode {
        let (line, status) = match self {
            Failure::Usage(line) => (line, ExitCode::from(USAGE)),
            Failure::Work(line) => (line, ExitCode::FAILURE),
            Failure::Interrupted => return ExitCode::from(interrupt::STATUS),
            #[cfg(feature = "mpi")]
            Failure::Silent => return ExitCode::FAILURE,
            Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                return ExitCode::SUCCESS;
            }
            Failure::Output(error) => (format!("cannot write: {error}"), ExitCode::FAILURE),
        };
        // Where stderr is closed too, only the status is left to tell.
        let _ = writeln!(io::stderr(), "rookery: {line}");
        status
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}
