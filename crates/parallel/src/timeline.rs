//! What each processor did when, simulated or real, for pictures and for files.

use crate::{Message, Peer, TaskId, Time};
use search::Depth;
use search::walk::Place;
use std::collections::HashMap;

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
    /// What the processor did.
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
    /// When it was sent.
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

impl Timeline {
    /// When the last processor ends.
    pub fn end(&self) -> Time {
        let ends = self.segments.iter().filter_map(|segments| segments.last());
        ends.map(|segment| segment.end).max().unwrap_or(0)
    }

    /// The time of all processors together that went into each activity.
    pub fn spent(&self) -> [Time; Activity::ALL.len()] {
        Activity::ALL.map(|activity| {
            let segments = self.segments.iter().flatten();
            let own = segments.filter(|segment| segment.activity == activity);
            own.map(|segment| segment.end - segment.begin).sum()
        })
    }

    /// The iterations of the root on the first processor, and when each was first seen.
    pub fn iterations(&self) -> Vec<(Depth, Time)> {
        let mut iterations: Vec<(Depth, Time)> = Vec::new();
        for segment in self.segments.iter().take(1).flatten() {
            let root = segment.place.filter(|place| place.task == TaskId::ROOT);
            let Some(depth) = root.map(|place| place.depth) else { continue };
            if iterations.last().is_none_or(|(last, _)| *last < depth) {
                iterations.push((depth, segment.begin));
            }
        }
        iterations
    }

    /// How long each piece of work was on its way: from the moment when it was sent to the moment when its
    /// helper was seen to search it.
    pub fn ways(&self) -> Vec<Time> {
        let mut begun = HashMap::new();
        for (helper, segments) in (0..).zip(&self.segments) {
            for segment in segments {
                if let Some(place) = segment.place {
                    begun.entry((helper, place.task)).or_insert(segment.begin);
                }
            }
        }
        let way = |sent: &Sent| {
            let begin = begun.get(&(sent.to, sent.task?))?;
            matches!(sent.kind, "work" | "team").then(|| begin.saturating_sub(sent.time))
        };
        self.messages.iter().filter_map(way).collect()
    }
}
