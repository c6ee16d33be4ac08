//! What each processor did when, for pictures and for files.

use crate::Time;

named! {
    /// What a processor does.
    Activity, "activity" {
        /// It searches.
        Search "search",
        /// It sends or receives.
        Message "message",
        /// It waits for the table.
        Table "table",
        /// It waits for its helpers.
        Wait "wait",
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
}

impl Segment {
    /// Adds a span, or makes the last one longer.
    pub(crate) fn push(segments: &mut Vec<Segment>, activity: Activity, begin: Time, end: Time) {
        match segments.last_mut() {
            Some(last) if last.activity == activity && last.end == begin => last.end = end,
            _ => segments.push(Segment { activity, begin, end }),
        }
    }
}

/// A message that was sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sent {
    /// When.
    pub time: Time,
    /// By whom.
    pub from: u32,
    /// To whom.
    pub to: u32,
    /// What kind, as a name.
    pub kind: &'static str,
}

/// The course of a run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Timeline {
    /// The activities of each processor.
    pub segments: Vec<Vec<Segment>>,
    /// The messages between strategies; those of the table are too many.
    pub messages: Vec<Sent>,
}
