//! Calls: work that one process gives another to do alone, such as a position of a file.
//!
//! A call is bytes, and so are its answers, of which the last says so. What they mean is up to those
//! who send and do them.

use crate::Link;
use crate::frame::Frame;
use crate::link::lock;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Work for one process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// Its name.
    pub id: u32,
    /// Which of the receiver's hands is to do it.
    pub slot: u32,
    /// What is to be done.
    pub content: Vec<u8>,
}

/// How long to wait for an answer at a time.
const LOOK: Duration = Duration::from_millis(2);

impl Link {
    /// Sends a process on a call; its name.
    pub fn send_call(&self, process: u32, slot: u32, content: Vec<u8>) -> u32 {
        let id = self.questions.fetch_add(1, Relaxed) + 1;
        self.write(process, &Frame::Call(Call { id, slot, content }));
        id
    }

    /// The next answer to a call, if one comes in a moment, and whether it is the last.
    pub fn next_answer(&self, id: u32) -> Option<(bool, Vec<u8>)> {
        self.await_news(LOOK, |inbox| {
            let place = inbox.answers.iter().position(|(known, ..)| *known == id)?;
            inbox.answers.remove(place).map(|(_, last, content)| (last, content))
        })
    }

    /// Wants no more of a call than its last answer, soon.
    pub fn cut_short(&self, process: u32, id: u32) {
        self.write(process, &Frame::CutShort(id));
    }

    /// Whether a call is to be cut short.
    pub fn is_cut_short(&self, id: u32) -> bool {
        lock(&self.inbox).cut_short.contains(&id)
    }

    /// Answers a call.
    pub fn answer(&self, id: u32, last: bool, content: Vec<u8>) {
        if last {
            lock(&self.inbox).cut_short.retain(|&known| known != id);
        }
        self.write(0, &Frame::Answer(id, last, content));
    }

    /// Tells a process something about a work that all do together.
    pub fn send_build_message(&self, process: u32, number: u32, content: Vec<u8>) {
        self.write(process, &Frame::BuildMessage(number, content));
    }

    /// What somebody says about a work, if it has come or comes in a moment. What was said about earlier
    /// ones is forgotten, what is said about later ones stays.
    pub fn next_build_message(&self, number: u32, may_wait: bool) -> Option<(u32, Vec<u8>)> {
        let limit = if may_wait { LOOK } else { Duration::ZERO };
        self.await_news(limit, |inbox| {
            inbox.build_messages.retain(|(known, ..)| *known >= number);
            let place = inbox.build_messages.iter().position(|(known, ..)| *known == number)?;
            inbox.build_messages.remove(place).map(|(_, from, content)| (from, content))
        })
    }
}
