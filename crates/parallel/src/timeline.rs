//! What each processor did when, simulated or real, for pictures and for files.

use crate::{Message, Peer, TaskId, Time};
use search::walk::Place;

named! {
    /// What a processor does.
    Activity, "activity" {
        /// It searches its part of the tree.
        Search "search",
        /// It sends or receives, or asks its strategy.
        Message "message",
        /// It waits for the table.
        Table "table",
        /// It waits for its helpers.
        Wait "wait",
        /// It has no work and searches the root by itself (real threads only).
        Alone "alone",
        /// It has no work.
        Idle "idle",
    }
}

/// A span of time with one activity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Segment {
    /// What.
    pub activity: Activity,
    /// From when.
    pub begin: Time,
    /// Until when.
    pub end: Time,
    /// What is searched or was searched last, where a task is under way.
    pub place: Option<Place>,
}

impl Segment {
    /// Whether another one is more of the same.
    pub(crate) fn goes_on(&self, next: &Segment) -> bool {
        (self.activity, self.place, self.end) == (next.activity, next.place, next.begin)
    }
}

/// A message that was sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sent {
    /// When.
    pub time: Time,
    /// By whom.
    pub from: u32,
    /// To whom; the sender itself where it is shown to all.
    pub to: u32,
    /// What kind, as a name.
    pub kind: &'static str,
    /// The task that it is about.
    pub task: Option<TaskId>,
}

impl Sent {
    pub(crate) fn new(time: Time, from: Peer, to: Peer, message: &Message) -> Sent {
        let (kind, task) = (Message::KINDS[message.kind()], message.task());
        Sent { time, from: from.0, to: to.0, kind, task }
    }
}

/// The course of a run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Timeline {
    /// The activities of each processor.
    pub segments: Vec<Vec<Segment>>,
    /// The messages between strategies; those of the table are too many.
    pub messages: Vec<Sent>,
}
