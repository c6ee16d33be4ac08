//! What connects the threads of a process with those of others: the door to a network, as a pool sees it.

use super::{Settings, SharedRequests, ThreadReport};
use crate::wire::checked;
use crate::{Message, Peer, RootSearch, TableSettings};
use board::Key;
use search::{Depth, Outcome};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;
use table::Entry;

/// Where a process stands among all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Its number; 0 speaks to the user.
    pub process: u32,
    /// How many there are.
    pub processes: u32,
}

/// How far away the other processes are, and what follows from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Distance {
    /// The smallest depth of a child that another process searches.
    pub remote_grain: i32,
    /// How long a steal request waits where no thread has work.
    pub dwell: Duration,
    /// How the processes share what they know; sizes are not meant.
    pub table: TableSettings,
    /// Longest wait for an answer of another table.
    pub patience: Duration,
    /// Nodes between two looks at the network.
    pub slice: u64,
    /// Whether a message is there within a few nodes.
    pub near: bool,
    /// Whether every thread has a processor of its own: then idle ones need not sleep.
    pub roomy: bool,
}

/// A message between two threads, of one process or of two. Its address is the mailbox that it is for.
#[derive(Clone, Debug)]
pub struct Envelope {
    /// The sender.
    pub from: Peer,
    /// What it says.
    pub message: Message,
}

/// What processes send each other in a search.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Packet {
    /// Entries of the table.
    Entries(Vec<Known>),
    /// "What do you know about these?"
    Reads {
        /// The thread that asks.
        asker: Peer,
        /// The keys of the positions.
        keys: Vec<Word>,
    },
    /// "This": misses are told only to a thread that waits for the answer.
    Answers {
        /// The thread that asked.
        to: Peer,
        /// What the table knows.
        found: Vec<Known>,
    },
    /// How far the threads of a process have come together.
    Progress {
        /// Nodes.
        nodes: u64,
        /// Nodes about which endgame tables knew something.
        tbhits: u64,
        /// The deepest ply.
        selective_depth: Depth,
    },
    /// A finished iteration.
    Found {
        /// Whether it was the last.
        last: bool,
        /// What was found.
        #[serde(with = "checked")]
        outcome: Outcome,
    },
    /// The search is over.
    End,
    /// A message for a thread. It is the hot one, and has a form of its own on the wire.
    #[serde(skip)]
    Envelope(Peer, Envelope),
}

/// Eight bytes on the wire: keys and entries look like chance, and have no small values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "[u8; 8]", into = "[u8; 8]")]
pub struct Word(pub u64);

impl From<[u8; 8]> for Word {
    fn from(bytes: [u8; 8]) -> Word {
        Word(u64::from_le_bytes(bytes))
    }
}

impl From<Word> for [u8; 8] {
    fn from(word: Word) -> [u8; 8] {
        word.0.to_le_bytes()
    }
}

/// What a table knows about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Known {
    key: Word,
    entry: Option<Word>,
}

impl Known {
    /// An entry, or that there is none.
    pub fn new(key: Key, entry: Option<Entry>) -> Known {
        Known { key: Word(key), entry: entry.map(|entry| Word(entry.to_bits())) }
    }

    /// The key of the position.
    pub fn key(&self) -> u64 {
        self.key.0
    }

    /// What is known, if anything is.
    pub fn entry(&self) -> Option<Entry> {
        self.entry.map(|Word(bits)| Entry::from_bits(bits))
    }
}

/// The way to the other processes. No method waits for them but [`Uplink::settle`].
pub trait Uplink: Send + Sync {
    /// Where this process stands.
    fn place(&self) -> Place;

    /// How far away the others are, where each process has this number of threads.
    fn distance(&self, threads: u32) -> Distance;

    /// Where all processes see each other's requests, if there is such a place, and the number of the present
    /// search.
    fn shared_requests(&self) -> Option<(Arc<SharedRequests>, u32)>;

    /// Whether nothing is to be expected of a process any more.
    fn is_lost(&self, process: u32) -> bool;

    /// Tells all others to search with us.
    fn announce(&self, root: &RootSearch, settings: &Settings);

    /// Puts a packet of the present search on its way.
    fn send(&self, process: u32, packet: &Packet);

    /// The same for all others; entries of the table only for those who do not see them anyway.
    fn send_to_all(&self, packet: &Packet);

    /// Lets packets go and hands over those of the present search that have come, each with the process
    /// that sent it.
    fn exchange(&self, take: &mut dyn FnMut(u32, Packet));

    /// Waits until all others have ended the search that was announced last, or are lost.
    fn settle(&self);

    /// What the threads of the others did in it.
    fn reports(&self) -> Vec<ThreadReport>;
}
