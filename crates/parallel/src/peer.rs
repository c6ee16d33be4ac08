//! Names of processors and tasks, and time.

/// A moment or a span in nanoseconds, of a clock that somebody else reads.
pub type Time = u64;

/// A processor, whether simulated, a thread or an observer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Peer(pub u32);

impl Peer {
    /// The one that has the root and talks to the user.
    pub const FIRST: Peer = Peer(0);

    /// Its place in a list of all.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::fmt::Display for Peer {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}", self.0)
    }
}

/// A task: the processor that gave it out, and a number that it never gives twice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TaskId(pub u64);

impl TaskId {
    /// The whole search.
    pub const ROOT: TaskId = TaskId(0);

    /// The task with a number that a processor gives out; numbers begin with 1.
    pub const fn new(issuer: Peer, number: u32) -> TaskId {
        TaskId((issuer.0 as u64) << 32 | number as u64)
    }

    /// Who gave it out.
    pub const fn issuer(self) -> Peer {
        Peer((self.0 >> 32) as u32)
    }
}
