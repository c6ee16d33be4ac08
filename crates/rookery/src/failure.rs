//! How a command ends when it cannot do what it was asked for: one line, and an exit status.

use crate::interrupt;
use crate::plain;
use std::borrow::Cow;
use std::io;
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

/// The longest message, in characters. Names and values that a user gives may be of any length.
const LONGEST: usize = 600;

/// A message in which what was given stands as it was. Of a very long one the middle is left out: the
/// beginning says what it is about, the end what is wrong.
pub fn cut(message: &str) -> Cow<'_, str> {
    let length = message.chars().count();
    if length <= LONGEST {
        return Cow::Borrowed(message);
    }
    let head: String = message.chars().take(LONGEST / 2).collect();
    let tail: String = message.chars().skip(length - LONGEST / 2).collect();
    Cow::Owned(format!("{head} […] {tail}"))
}

impl Failure {
    /// Says why on stderr and gives the exit status. The reader of our output may stop reading (`head`
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
        plain::say(cut(&line));
        status
    }
}

/// A reason alone says why the work could not be done.
impl From<String> for Failure {
    fn from(reason: String) -> Failure {
        Failure::Work(reason)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_message_the_beginning_and_the_end_are_told() {
        let name = "ä".repeat(1 << 20);
        let message = cut(&format!("cannot read {name}: there is no such file")).into_owned();
        assert!(message.chars().count() < LONGEST + 10);
        assert!(message.starts_with("cannot read ää") && message.ends_with("no such file"));
        assert_eq!(cut("short"), "short");
    }
}
