//! What happens to a console: lines that are read on a thread of their own, and searches that end.

use crate::failure::Failure;
use crate::lines::{self, Line};
use std::io::{self, BufRead};
use std::sync::mpsc::SyncSender;
use std::thread;
use std::time::Instant;

/// Lines that are read ahead.
pub const READ_AHEAD: usize = 64;

/// A line as it was read.
#[derive(Clone, Debug)]
pub struct Heard {
    /// Its text, without what is no text.
    pub text: String,
    /// When it was read: clocks run from then on, however long it waits to be followed.
    pub at: Instant,
}

impl Heard {
    /// A line that was read just now.
    pub fn now(text: impl Into<String>) -> Heard {
        Heard { text: text.into(), at: Instant::now() }
    }
}

/// What happens to a console.
pub enum Event {
    /// A line came.
    Line(Heard),
    /// A line came that was too long to be looked at.
    TooLong,
    /// The input is at its end.
    End,
    /// The input cannot be read.
    Unreadable(io::Error),
    /// The search of this number has answered.
    Finished(u64),
}

/// Reads lines on another thread until the input ends.
pub fn start_reading(
    input: impl BufRead + Send + 'static,
    events: SyncSender<Event>,
) -> Result<(), Failure> {
    // Never joined: it may wait for a line that does not come when `quit` has been read.
    thread::Builder::new()
        .name("input".to_owned())
        .spawn(move || read_lines(input, &events))
        .map(|_| ())
        .map_err(|error| Failure::Work(format!("the system gives no thread: {error}")))
}

fn read_lines(mut input: impl BufRead, events: &SyncSender<Event>) {
    loop {
        let mut buffer = Vec::new();
        let event = match lines::read(&mut input, &mut buffer) {
            Ok(Line::Whole) => Event::Line(Heard::now(String::from_utf8_lossy(&buffer))),
            Ok(Line::TooLong) => Event::TooLong,
            Ok(Line::End) => Event::End,
            Err(error) => Event::Unreadable(error),
        };
        let is_last = matches!(event, Event::End | Event::Unreadable(_));
        if events.send(event).is_err() || is_last {
            return;
        }
    }
}
