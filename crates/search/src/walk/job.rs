//! A child that is handed to somebody else: plain data, and what comes back.

use super::NodeType;
use crate::histories::{Butterfly, Step};
use crate::killers::Killers;
use board::{Move, Packed, PieceKind, Position};
use table::Entry;

/// A child to be searched by another processor, with all that its search needs to know.
#[derive(Clone, PartialEq, Debug)]
pub struct Job {
    /// What is expected of it.
    pub node_type: NodeType,
    /// Lower end of its window, for the side to move in it.
    pub alpha: i32,
    /// Upper end of its window.
    pub beta: i32,
    /// Remaining depth.
    pub depth: i32,
    /// Moves from the root.
    pub ply: i32,
    /// The move that leads to it.
    pub mv: Move,
    pub(crate) position: Position,
    /// Keys of the positions before it, as far as they may come again, the oldest first.
    pub(crate) keys: Vec<u64>,
    pub(crate) fraction: i32,
    pub(crate) pv: bool,
    pub(crate) cut: bool,
    /// The last steps before it, and the evaluations.
    pub(crate) steps: [Step; 4],
    pub(crate) before: [i32; 4],
    pub(crate) captured: Option<PieceKind>,
    pub(crate) doubles: i32,
    /// What the table knew about the node above (Z35).
    pub(crate) father: Option<Entry>,
    /// Killers from its own ply on: without them the slave orders its moves worse than its master.
    pub(crate) killers: Vec<Killers>,
    /// What speaks for quiet moves, if the job is large enough to be worth the bytes.
    pub(crate) history: Option<Box<Butterfly>>,
    /// The iteration.
    pub(crate) root_depth: i32,
}

impl Job {
    /// Where it begins.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Leaves the killers at home (to measure what they are worth).
    pub fn without_killers(mut self) -> Job {
        self.killers.clear();
        self
    }

    /// How many bytes it takes in a message.
    pub fn bytes(&self) -> usize {
        // Window, depths and flags take 24, steps and evaluations 16, an entry 8, a killer 4.
        let history = if self.history.is_some() { size_of::<Butterfly>() } else { 0 };
        let lists = 8 * self.keys.len() + 4 * self.killers.len() + history;
        Packed::SIZE + 24 + 16 + 8 + lists
    }
}

/// What came of a job.
#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    /// The child's value, for the side to move in it.
    pub value: i32,
    /// Its best line.
    pub line: Vec<Move>,
    /// Nodes of the processor that searched it, for its own part.
    pub nodes: u64,
}

impl Verdict {
    /// How many bytes it takes in a message.
    pub fn bytes(&self) -> usize {
        12 + 2 * self.line.len()
    }
}
