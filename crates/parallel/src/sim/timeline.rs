//! What each processor did when, for pictures and for files.

use crate::Time;

/// What a processor does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Activity {
    /// It searches.
    Search,
    /// It sends or receives.
    Message,
    /// It waits for the table.
    Table,
    /// It waits for its helpers.
    Wait,
    /// It has no work.
    Idle,
}

impl Activity {
    /// All of them.
    pub const ALL: [Activity; 5] =
        [Activity::Search, Activity::Message, Activity::Table, Activity::Wait, Activity::Idle];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Activity::Search => "search",
            Activity::Message => "message",
            Activity::Table => "table",
            Activity::Wait => "wait",
            Activity::Idle => "idle",
        }
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
    pub(super) fn push(segments: &mut Vec<Segment>, activity: Activity, begin: Time, end: Time) {
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
