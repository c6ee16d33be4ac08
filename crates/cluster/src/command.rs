//! What the first process has the others do: commands for all, searches for all, calls for one.
//!
//! Commands, calls and their answers are values of the program that uses the link ([`Payload`]); those who
//! follow get them from [`Link::next_assignment`].

use crate::Link;
use crate::frame::Frame;
use crate::payload::{Payload, by_name};
use crate::transport::lock;
use parallel::threads::{Settings, ThreadReport};
use parallel::wire::checked;
use parallel::{RootSearch, StrategyKind};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A search that all are to take part in.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SearchAssignment {
    /// Its number.
    pub number: u32,
    /// Threads of each process.
    pub threads: u32,
    /// The way of searching.
    #[serde(with = "by_name")]
    pub strategy: StrategyKind,
    /// The smallest depth of a child that another thread searches.
    pub grain: i32,
    /// What is searched.
    #[serde(with = "checked")]
    pub root: RootSearch,
}

impl SearchAssignment {
    /// A search with a pool's settings.
    pub fn new(number: u32, root: &RootSearch, settings: &Settings) -> SearchAssignment {
        let &Settings { threads, strategy, grain, .. } = settings;
        SearchAssignment { number, threads, strategy, grain, root: root.clone() }
    }
}

/// Work that one process is to do alone, such as a position of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Call {
    /// Its name.
    pub id: u32,
    /// Which of the receiver's threads for calls is to do it.
    pub slot: u32,
    /// What is to be done.
    pub request: Payload,
}

/// What a process that follows is to do next.
#[derive(Clone, Debug)]
pub enum Assignment {
    /// Follow a command.
    Command(Payload),
    /// Take part in a search.
    Search(Box<SearchAssignment>),
    /// Do something alone.
    Call(Call),
    /// Leave; with a reason, if it is a bad one.
    Leave(String),
}

/// How long to wait for an answer at a time.
const LOOK: Duration = Duration::from_millis(2);

impl Link {
    /// Tells all others what to do.
    pub fn command<T: Serialize>(&self, command: &T) {
        if let Some(payload) = self.payload(command) {
            self.tell_all(&Frame::Command(payload));
        }
    }

    /// A value as it is sent; one that cannot be is a failure of this process.
    fn payload<T: Serialize>(&self, value: &T) -> Option<Payload> {
        Payload::new(value).map_err(|reason| self.report_failure(&reason)).ok()
    }

    /// Waits until the others have done all that they were told so far.
    pub fn sync(&self) {
        let number = self.next_number();
        self.tell_all(&Frame::Sync(number));
        self.await_news(Duration::MAX, |inbox| {
            inbox.all(self.others(), |said| said.ready >= number).then_some(())
        });
    }

    /// Tells the first process what went wrong.
    pub fn report_failure(&self, text: &str) {
        match self.is_first() {
            true => self.complain(0, text.to_owned()),
            false => self.write(0, &Frame::Failure(text.to_owned())),
        }
    }

    /// What to do next, as one that follows: waits for it.
    pub fn next_assignment(&self) -> Assignment {
        loop {
            let gone = || Frame::Leave("the first process is lost".to_owned());
            let frame = self.await_news(Duration::MAX, |inbox| {
                inbox.to_do.pop_front().or_else(|| self.is_lost_process(0).then(gone))
            });
            match frame.unwrap_or_else(gone) {
                Frame::Setting(setting) => self.follow(setting),
                Frame::Sync(number) => self.write(0, &Frame::Ready(number)),
                Frame::Command(command) => return Assignment::Command(command),
                Frame::Search(search) => return Assignment::Search(search),
                Frame::Call(call) => return Assignment::Call(call),
                Frame::Leave(reason) => return Assignment::Leave(reason),
                // Nothing else is put there.
                _ => (),
            }
        }
    }

    /// Takes part in a search: calls what searches, and tells what each thread did.
    pub fn take_part(&self, number: u32, search: impl FnOnce() -> Vec<ThreadReport>) {
        self.enter(number);
        let reports = search();
        self.exit(number);
        self.write(0, &Frame::Done(number, self.traffic(), reports));
    }

    /// Gives a process work to do alone; the name of the call.
    pub fn call<T: Serialize>(&self, process: u32, slot: u32, request: &T) -> u32 {
        let id = self.next_number();
        if let Some(request) = self.payload(request) {
            self.write(process, &Frame::Call(Call { id, slot, request }));
        }
        id
    }

    /// The next answer to a call, if one comes in a moment, and whether it is the last.
    pub fn next_answer(&self, id: u32) -> Option<(bool, Payload)> {
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
    pub fn answer<T: Serialize>(&self, id: u32, last: bool, answer: &T) {
        if last {
            lock(&self.inbox).cut_short.retain(|&known| known != id);
        }
        // One that cannot be sent is answered by nothing, which no reader takes for an answer.
        let answer = self.payload(answer).unwrap_or_default();
        self.write(0, &Frame::Answer(id, last, answer));
    }

    /// Tells a process something about a table that all build together.
    pub fn send_build_message(&self, process: u32, number: u32, content: Vec<u8>) {
        self.write(process, &Frame::BuildMessage(number, Payload(content)));
    }

    /// A message about a table, with its sender, if one has come or comes in a moment. Those about earlier
    /// tables are forgotten, those about later ones stay.
    pub fn next_build_message(&self, number: u32, may_wait: bool) -> Option<(u32, Vec<u8>)> {
        let limit = if may_wait { LOOK } else { Duration::ZERO };
        self.await_news(limit, |inbox| {
            inbox.build_messages.retain(|(known, ..)| *known >= number);
            let place = inbox.build_messages.iter().position(|(known, ..)| *known == number)?;
            inbox.build_messages.remove(place).map(|(_, from, Payload(content))| (from, content))
        })
    }
}
