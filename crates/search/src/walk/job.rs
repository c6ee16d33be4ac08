//! A child that another processor searches: plain data, and what comes back.

use super::NodeType;
use super::detached::Above;
use super::wire::history_bytes;
use crate::Depth;
use crate::histories::{Butterfly, PieceTo};
use crate::killers::Killers;
use crate::lookup::Lookup;
use crate::phases::Search;
use crate::switches::Rules;
use board::{Key, Move, Packed, PieceKind, Position};
use eval::Evaluator;
use eval::score::{Ply, Score};
use table::Entry;

/// A child to be searched by another processor, with all that its search needs to know.
#[derive(Clone, PartialEq, Debug)]
pub struct Job {
    /// What is expected of it.
    pub node_type: NodeType,
    /// Lower end of its window, for the side to move in it.
    pub alpha: Score,
    /// Upper end of its window.
    pub beta: Score,
    /// Remaining depth.
    pub depth: Depth,
    /// Moves from the root.
    pub ply: Ply,
    /// The move that leads to it.
    pub mv: Move,
    pub(crate) position: Position,
    /// Keys of the positions before it, as far as they may come again, the oldest first.
    pub(crate) keys: Vec<Key>,
    pub(crate) fraction: i32,
    pub(crate) pv: bool,
    pub(crate) cut: bool,
    /// The last moves before it, and the evaluations.
    pub(crate) piece_tos: [PieceTo; 4],
    pub(crate) before: [i32; 4],
    pub(crate) captured: Option<PieceKind>,
    pub(crate) doubles: i32,
    /// The moves that refuted the null moves one and two plies before (D43).
    pub(crate) threats: [Move; 2],
    /// What the table knew about the node above (Z35).
    pub(crate) parent: Option<Entry>,
    /// Killers from its own ply on: without them the helper orders its moves worse than its owner.
    pub(crate) killers: Vec<Killers>,
    /// What speaks for quiet moves, if the job is large enough to be worth the bytes.
    pub(crate) history: Option<Box<Butterfly>>,
    /// The iteration.
    pub(crate) root_depth: Depth,
    /// A move that is not to be searched (singular test).
    pub(crate) excluded: Move,
    /// Whether a null move may be tried.
    pub(crate) null_allowed: bool,
    /// The evaluations of the same position, where the child is a test of it.
    pub(crate) evals: Option<[i32; 3]>,
    /// The node above, where something is learnt about the move that led from it.
    pub(crate) above: Option<Box<Above>>,
}

impl Job {
    /// Where it begins.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Puts its node on a level of the stack, and what must be known of the node above below it.
    pub(super) fn put<R: Rules, E: Evaluator, T: Lookup>(
        &self,
        search: &mut Search<'_, R, E, T>,
        level: usize,
    ) {
        // At ply 0 the root's moves are searched. A damaged job may come with another position.
        let is_strange =
            self.ply == 0 && !search.root.moves.iter().all(|root| self.position.is_legal(root.mv));
        let ply = self.ply + i32::from(is_strange);
        let parent = &mut search.memory.nodes[level - 1];
        // Its position is not known: no move leads from it.
        (parent.entry, parent.ply) = (self.parent, ply);
        if let Some([raw_eval, eval, guess]) = self.evals {
            (parent.raw_eval, parent.eval, parent.guess) = (raw_eval, eval, guess);
        }
        if let Some(above) = &self.above {
            above.put(parent, ply);
        }
        let node = &mut search.memory.nodes[level];
        node.position = self.position;
        (node.alpha, node.beta, node.first_alpha) = (self.alpha, self.beta, self.alpha);
        (node.depth, node.ply, node.fraction) = (self.depth, ply, self.fraction);
        (node.pv, node.cut, node.doubles) = (self.pv, self.cut, self.doubles);
        (node.mv, node.captured, node.threats) = (self.mv, self.captured, self.threats);
        (node.piece_tos, node.before) = (self.piece_tos, self.before);
        (node.excluded, node.null_allowed) = (self.excluded, self.null_allowed);
        search.evaluator.reset(&self.position);
    }

    /// Leaves the killers at home (to measure what they are worth).
    pub fn without_killers(mut self) -> Job {
        self.killers.clear();
        self
    }

    /// How many bytes it takes in a message.
    pub fn bytes(&self) -> usize {
        // Window, depths and flags take 24, moves and evaluations 16, threats 4, an entry 8, a killer 4.
        let history = self.history.as_deref().map_or(0, history_bytes);
        let above = if self.above.is_some() { Packed::SIZE + 6 } else { 0 };
        let evals = if self.evals.is_some() { 6 } else { 0 };
        let lists = 8 * self.keys.len() + 4 * self.killers.len() + history + above + evals;
        Packed::SIZE + 24 + 16 + 4 + 8 + lists
    }
}

/// What came of a job.
#[derive(Clone, PartialEq, Debug)]
pub struct JobResult {
    /// The child's value, for the side to move in it.
    pub value: Score,
    /// Its best line.
    pub line: Vec<Move>,
    /// Nodes of the processor that searched it, for its own part.
    pub nodes: u64,
}

impl JobResult {
    /// How many bytes it takes in a message.
    pub fn bytes(&self) -> usize {
        12 + 2 * self.line.len()
    }
}
