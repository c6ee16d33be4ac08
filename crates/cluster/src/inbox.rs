//! What has come and waits for those whom it concerns.

use crate::frame::Frame;
use crate::payload::Payload;
use crate::{Hello, Traffic};
use parallel::threads::{Packet, ThreadReport};
use std::collections::VecDeque;

/// Packets of searches that have not begun here are kept, but not without end.
const MOST_EARLY: usize = 1 << 16;

/// What has come.
#[derive(Default)]
pub struct Inbox {
    /// With the number of the search and the sender.
    packets: VecDeque<(u32, u32, Packet)>,
    /// What a process that follows has to do, in the order in which it was told.
    pub to_do: VecDeque<Frame>,
    /// What went wrong elsewhere, with the process.
    pub failures: VecDeque<(u32, String)>,
    /// Answers to calls: which, whether it is the last, what.
    pub answers: VecDeque<(u32, bool, Payload)>,
    /// Calls that are to be cut short.
    pub cut_short: Vec<u32>,
    /// Messages about tables that all build: the table, the sender, what it says.
    pub build_messages: VecDeque<(u32, u32, Payload)>,
    pub pongs: VecDeque<(u32, Payload)>,
    pub welcome: bool,
    /// Whether all have said goodbye, when that is known.
    pub settled: Option<bool>,
    /// What each process has said.
    pub of_each: Vec<Said>,
}

/// What a process has said last.
#[derive(Clone, Default)]
pub struct Said {
    pub hello: Option<Hello>,
    pub bye: bool,
    /// The last [`Frame::Sync`] that it has answered.
    pub ready: u32,
    /// The last search that it has ended, what its threads did in it, and what it had sent by then.
    pub done: u32,
    pub reports: Vec<ThreadReport>,
    pub traffic: Traffic,
}

impl Inbox {
    pub fn new(processes: u32) -> Inbox {
        Inbox { of_each: vec![Said::default(); processes as usize], ..Inbox::default() }
    }

    /// Whether this holds of what each of these processes has said.
    pub fn all(&self, processes: impl Iterator<Item = u32>, holds: impl Fn(&Said) -> bool) -> bool {
        let mut said = processes.filter_map(|process| self.of_each.get(process as usize));
        said.all(holds)
    }

    /// Keeps a packet for a search that runs or is to come.
    pub fn keep(&mut self, present: u32, number: u32, from: u32, packet: Packet) {
        if number >= present && self.packets.len() < MOST_EARLY {
            self.packets.push_back((number, from, packet));
        }
    }

    /// Takes the packets of the present search; those of later ones stay.
    pub fn take_packets(&mut self, present: u32) -> Vec<(u32, Packet)> {
        let mut taken = Vec::new();
        for (number, from, packet) in std::mem::take(&mut self.packets) {
            if number == present {
                taken.push((from, packet));
            } else if number > present {
                self.packets.push_back((number, from, packet));
            }
        }
        taken
    }
}
