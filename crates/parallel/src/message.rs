//! Who the processors are, and what they say to each other (Z28): plain data.

use crate::Dewey;
use eval::score::Score;
use search::walk::{HistoryDelta, Job, JobResult, Killers, RootSearch, TaskId};
use serde::{Deserialize, Serialize};
use table::Entry;

/// A moment or a span in nanoseconds, of a clock that the machine reads.
pub type Time = u64;

/// A processor, whether simulated, a thread or a thread of another process.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Peer(pub u32);

impl Peer {
    /// The one that has the root and talks to the user.
    pub const FIRST: Peer = Peer(0);

    /// Its place in a list of all.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The task with a number that it gives out; numbers begin with 1.
    pub const fn task(self, number: u32) -> TaskId {
        TaskId { issuer: self.0, number }
    }
}

impl std::fmt::Display for Peer {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}", self.0)
    }
}

/// A processor that helps in a team.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Member {
    /// Which processor.
    pub peer: Peer,
    /// The number under which a waiting owner has lent itself; 0 for one that has nothing else to do.
    pub ticket: u32,
}

impl Member {
    /// Bytes of one in a message.
    const BYTES: usize = 6;
}

/// A message between strategies.
#[derive(Clone, Debug)]
pub enum Message {
    /// "Give me work" (Z24).
    Request {
        /// The processor that wants it.
        origin: Peer,
        /// The request's number, by which the work is recognised.
        ticket: u32,
        /// How often it was passed on.
        hops: u32,
        /// From inside this work of the receiver only: the asker waits for it (helpful owner). Help
        /// from elsewhere on top of what waits could make processors wait for each other. `None` if any
        /// peer may give work.
        within: Option<TaskId>,
    },
    /// "There was no work" (request back to its origin, Z31).
    Refused {
        /// The request.
        ticket: u32,
    },
    /// "Search this".
    Work {
        /// Under this name.
        task: TaskId,
        /// The request that it fulfils.
        ticket: u32,
        /// What to search.
        job: Box<Job>,
    },
    /// "Search this, with these" (teams).
    Team {
        /// Under this name.
        task: TaskId,
        /// The loan by which the receiver may be taken; 0 for a member.
        ticket: u32,
        /// What to search.
        job: Box<Job>,
        /// Its helpers.
        members: Vec<Member>,
    },
    /// "These help you too."
    Join {
        /// In this work.
        task: TaskId,
        /// Which processors.
        members: Vec<Member>,
    },
    /// "I have no use for these."
    Release {
        /// In this work.
        task: TaskId,
        /// Which processors.
        members: Vec<Member>,
    },
    /// "I do not want it": the work came too late or twice.
    Declined {
        /// The work.
        task: TaskId,
    },
    /// "This is what came of it" (Z25), and a request (Z32).
    Return {
        /// The work.
        task: TaskId,
        /// What came of it.
        job_result: JobResult,
        /// The number of the request, if the sender wants more.
        ticket: Option<u32>,
    },
    /// "The window has become narrower" (Z26).
    Narrow {
        /// The work.
        task: TaskId,
        /// Its window for the side to move.
        alpha: Score,
        /// The upper end.
        beta: Score,
    },
    /// "It is of no use any more" (Z26: the empty window).
    Cancel {
        /// The work.
        task: TaskId,
    },
    /// "Are you still at it?"
    Ask {
        /// The work.
        task: TaskId,
    },
    /// "Yes", or "I know nothing of it".
    Alive {
        /// The work.
        task: TaskId,
        /// Whether it is being searched.
        working: bool,
    },
    /// "Search the root with us."
    Begin {
        /// What to search.
        root: Box<RootSearch>,
    },
    /// "The search is over."
    Stop,
    /// "This state lives with you: search it" (transposition-driven, D73, D78).
    State {
        /// Its place in the tree, which is its name.
        path: Dewey,
        /// What to search.
        job: Box<Job>,
    },
    /// "This is what came of the state" (D86).
    Value {
        /// Its name.
        path: Dewey,
        /// What came of it.
        state_result: Box<StateResult>,
    },
    /// "The state is of no use any more", or all below it wherever they are (D88).
    Abort {
        /// Its name.
        path: Dewey,
        /// Whether all those below it are meant, and all processors are told.
        below: bool,
    },
    /// "The state's window is this now."
    Bounds {
        /// Its name.
        path: Dewey,
        /// The window for the side to move in it.
        alpha: Score,
        /// The upper end.
        beta: Score,
    },
    /// "Do you know this state?"
    Inquiry {
        /// Its name.
        path: Dewey,
    },
    /// "Yes", or "no".
    Status {
        /// Its name.
        path: Dewey,
        /// Whether it is here.
        known: bool,
    },
    /// "You asked for work: search this state of mine for me."
    Steal {
        /// Its name.
        path: Dewey,
        /// What to search.
        job: Box<Job>,
        /// The request that it fulfils.
        ticket: u32,
    },
    /// "This I have learnt about moves."
    HistoryDelta {
        /// Which of the sender's receivers this one is.
        receiver: u8,
        /// The changes.
        history_delta: Box<HistoryDelta>,
    },
}

/// What came of a state that was searched at its home.
#[derive(Clone, PartialEq, Debug)]
pub struct StateResult {
    /// Its value and line.
    pub job_result: JobResult,
    /// The window with which it was searched, for the side to move in it.
    pub alpha: Score,
    /// The upper end.
    pub beta: Score,
    /// The killers from its ply on.
    pub killers: Vec<Killers>,
    /// What a thief's table knows about it now, for its home.
    pub entry: Option<Entry>,
}

impl Message {
    /// The task that it is about, if tasks have numbers.
    pub(crate) fn task(&self) -> Option<TaskId> {
        match self {
            Message::Work { task, .. }
            | Message::Team { task, .. }
            | Message::Join { task, .. }
            | Message::Release { task, .. }
            | Message::Declined { task }
            | Message::Return { task, .. }
            | Message::Narrow { task, .. }
            | Message::Cancel { task }
            | Message::Ask { task }
            | Message::Alive { task, .. } => Some(*task),
            _ => None,
        }
    }
}

/// Bytes that every message has: who, to whom, kind, task.
const HEADER: usize = 16;

impl Message {
    /// How many bytes it takes on a wire.
    pub fn bytes(&self) -> usize {
        HEADER
            + match self {
                Message::Request { .. } => 16,
                Message::Work { job, .. } => job.bytes(),
                Message::Team { job, members, .. } => job.bytes() + Member::BYTES * members.len(),
                Message::Join { members, .. } | Message::Release { members, .. } => {
                    Member::BYTES * members.len()
                }
                Message::Return { job_result, .. } => job_result.bytes(),
                Message::Narrow { .. } => 4,
                Message::Begin { root } => 40 + 8 * root.game.len(),
                Message::State { path, job } | Message::Steal { path, job, .. } => {
                    path.bytes() + job.bytes()
                }
                Message::Value { path, state_result } => {
                    let entry = if state_result.entry.is_some() { 8 } else { 0 };
                    path.bytes()
                        + state_result.job_result.bytes()
                        + 4
                        + 4 * state_result.killers.len()
                        + entry
                }
                Message::Abort { path, .. }
                | Message::Inquiry { path }
                | Message::Status { path, .. } => path.bytes() + 1,
                Message::Bounds { path, .. } => path.bytes() + 4,
                Message::HistoryDelta { history_delta, .. } => history_delta.bytes(),
                _ => 0,
            }
    }
}
