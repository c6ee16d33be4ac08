//! A table built by many processors, none of which holds the whole of it (M29).
//!
//! The numbers of the positions are spread over the processors in small units ([`Share`]). Each has the
//! cells of its own units, looks at them first, and then goes back level by level like the ordinary
//! build; what becomes known about a position that another processor has is sent to it in batches. A
//! processor that has found all of a level, and whose batches have all been taken, says so to the first
//! one, which names the next level when all have. In the end the first processor asks for the cells,
//! block by block, and packs the file. It is the same as that of the ordinary build, byte for byte.
//!
//! A [`Builder`] is one processor, without I/O, threads or clocks: messages go in with
//! [`Builder::handle`], work is done in small steps with [`Builder::work`], and actions come out with
//! [`Builder::poll`]. Its carrier delivers every message at least once, in any order. Two carriers
//! are here: [`on_threads`] and, for tests and measurements, [`in_virtual_time`]; messages are bytes where
//! one needs them ([`Message::to_bytes`]), so that hosts can carry them as well.
//!
//! **Memory.** A processor needs four bytes for each of its positions, and the tables that captures lead
//! to. At most [`WINDOW`] batches to each other processor are on their way, so no queue grows with the
//! table.

mod builder;
mod carriers;
mod coordinator;
mod message;
mod outbox;
mod share;
mod virtual_time;

pub use builder::Builder;
pub use carriers::{Carrier, on_hosts, on_threads};
pub use message::{Message, Processor, Update};
pub use share::Share;
pub use virtual_time::{Course, Model, in_virtual_time};

use crate::build::successor::Successors;
use crate::file::Header;
use crate::layout::Layout;
use crate::value::Metric;

/// Updates in one batch.
pub const BATCH: usize = 1000;
/// Batches to one other processor that may be on their way.
pub const WINDOW: usize = 8;

/// What is to be built.
#[derive(Clone, Copy)]
pub struct BuildSpec<'a> {
    /// The numbering of the ending.
    pub layout: &'a Layout,
    /// The measure by which it is built.
    pub metric: Metric,
    /// The measures by which it is written.
    pub files: &'a [Metric],
    pub(crate) successors: &'a Successors,
}

/// A file: its header and its blocks.
pub type Packed = (Header, Vec<Vec<u8>>);

/// What a processor wants done.
#[derive(Debug)]
pub enum Action {
    /// Send a message.
    Send(Processor, Message),
    /// The files are done, or why there are none; only the first processor says so.
    Report(Result<Vec<Packed>, String>),
}

/// What went over the wires, as the senders counted it.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Traffic {
    /// Messages of all kinds.
    pub messages: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Batches of updates among them.
    pub batches: u64,
    /// Updates in the batches.
    pub updates: u64,
    /// Updates that a processor had for itself.
    pub at_home: u64,
}

impl Traffic {
    /// Adds another's.
    pub fn add(&mut self, other: &Traffic) {
        self.messages += other.messages;
        self.bytes += other.bytes;
        self.batches += other.batches;
        self.updates += other.updates;
        self.at_home += other.at_home;
    }
}
