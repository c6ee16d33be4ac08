//! Nodes that are held apart from the stack.
//!
//! A walk has one stack and one line. Where children come back from elsewhere in any order, a processor
//! has many open nodes that have nothing to do with each other (D83): each is a value of its own, with
//! its position, the keys of its line, its killers and its past, and may be asked for plans and given
//! values at any time, whatever the stack does meanwhile. The phases are the same four, so that null moves,
//! deepening for a first move, singular tests, extensions and every other rule of the node hold (D91).
//!
//! The strategy that holds such nodes decides which plans are searched when and where; `child.rs` turns a
//! plan into a [`Job`]. Giving out one plan at a time visits the nodes of a sequential search.

use super::child::{decide, is_promising_child, refreshed};
use super::stack::Stack;
use super::{Job, JobResult, NodeType, RootSearch};
use crate::Depth;
use crate::iterate::Deepening;
use crate::killers::Killers;
use crate::lookup::Lookup;
use crate::node::{Absorbed, Entered, Node, Plan};
use crate::phases::Search;
use crate::switches::Rules;
use crate::variation::Variation;
use board::{Key, Move, Position};
use eval::Evaluator;
use eval::score::{Ply, Score};
use table::Entry;

/// The level on which a detached node is worked on; what lies there is put back.
const DESK: usize = 1;

/// An open node apart from the stack.
pub struct Detached {
    pub(super) node: Node,
    line: Variation,
    ply: Ply,
    /// Keys of the positions before it, as far as they may come again, the oldest first.
    pub(super) keys: Vec<Key>,
    /// Killers from its own ply on.
    pub(super) killers: Vec<Killers>,
    /// Whether the processor's own killers serve it instead (D91): then the first of `killers` is a copy
    /// of theirs.
    local_killers: bool,
    pub(super) node_type: NodeType,
    parent: Option<Entry>,
    above: Option<Box<Above>>,
    pub(super) root_depth: Depth,
    /// Moves that were begun.
    pub(super) begun: u32,
    /// How often killers came back from a child.
    lessons: u32,
    /// The iterations, if it is the root.
    deepening: Option<Box<(Position, Deepening)>>,
}

/// The node above, for what is learnt about the move that led from it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Above {
    pub position: Position,
    pub earlier: [crate::histories::PieceTo; 3],
}

/// What came of opening a node.
pub enum Opened {
    /// Its value is known, and the killers from its ply on.
    Value(JobResult, Vec<Killers>),
    /// Its children must be searched.
    Open(Box<Detached>),
}

impl Detached {
    /// Its position.
    pub fn position(&self) -> &Position {
        &self.node.position
    }

    /// What is expected of it.
    pub fn node_type(&self) -> NodeType {
        self.node_type
    }

    /// Its remaining depth.
    pub fn depth(&self) -> Depth {
        self.node.depth
    }

    /// Its window.
    pub fn window(&self) -> (i32, i32) {
        (self.node.alpha, self.node.beta)
    }

    /// How often killers came back from a child: a child to which they were sent at the same count was
    /// the only one since.
    pub fn lessons(&self) -> u32 {
        self.lessons
    }

    /// Whether it is searched with a null window.
    pub fn is_scout(&self) -> bool {
        self.node.is_scout()
    }

    /// A plan that has waited, with the window as it is now.
    pub fn refreshed(&self, plan: Plan) -> Plan {
        refreshed(&self.node, plan)
    }

    /// Whether a move is likely to cut off (Z39, D85): the table's, a killer, a capture that wins.
    pub fn is_promising(&self, mv: Move) -> bool {
        let killers = self.killers.first().copied().unwrap_or(Killers::NONE);
        is_promising_child(&self.node, killers, mv)
    }

    /// Narrows its window; whether nothing is left of it.
    pub fn narrow(&mut self, alpha: Score, beta: Score) -> bool {
        let node = &mut self.node;
        node.beta = node.beta.min(beta);
        if node.alpha < alpha {
            (node.alpha, node.first_alpha) = (alpha, node.first_alpha.max(alpha));
        }
        let closed = node.alpha >= node.beta;
        if closed {
            decide(node);
        }
        closed
    }

    /// Takes over the killers that a child's search has come to; `alone` if no other child's came
    /// since it began: then they are what a sequential search would have now.
    pub fn learn(&mut self, plan: &Plan, killers: &[Killers], alone: bool) {
        let from = usize::from(!plan.kind.stays());
        if self.killers.len() < from + killers.len() {
            self.killers.resize(from + killers.len(), Killers::NONE);
        }
        for (own, &sent) in self.killers.iter_mut().skip(from).zip(killers) {
            *own = if alone { sent } else { own.joined(sent) };
        }
        self.lessons += 1;
    }
}

impl Above {
    /// Puts it below its child on the stack.
    pub fn put(&self, under: &mut Node, ply: Ply) {
        (under.position, under.ply) = (self.position, ply - 1);
        under.context = crate::histories::HistoryContext::new(&self.position, self.earlier);
    }
}

impl Detached {
    /// Begins the search of a position; the value if there is nothing to search.
    pub(super) fn root<R: Rules, E: Evaluator, T: Lookup>(
        stack: &Stack,
        search: &mut Search<'_, R, E, T>,
        root: &RootSearch,
    ) -> Opened {
        let clock = root.position.halfmove_clock() as usize;
        let deepening = search.begin_deepening(0, 1);
        let over = deepening.next().is_none();
        if over {
            return Opened::Value(JobResult { value: 0, line: Vec::new(), nodes: 0 }, Vec::new());
        }
        let mut root = Box::new(Detached {
            node: Node::new(),
            line: Variation::new(),
            ply: 0,
            keys: root.game.before(root.game.len(), clock).to_vec(),
            killers: Vec::new(),
            local_killers: stack.local_killers,
            node_type: NodeType::One,
            parent: None,
            above: None,
            root_depth: 0,
            begun: 0,
            lessons: 0,
            deepening: Some(Box::new((root.position, deepening))),
        });
        root.enter_root(stack, search);
        Opened::Open(root)
    }

    /// Enters the root for its next search.
    fn enter_root<R: Rules, E: Evaluator, T: Lookup>(
        &mut self,
        stack: &Stack,
        search: &mut Search<'_, R, E, T>,
    ) {
        let Some((position, deepening)) = self.deepening.as_deref() else { return };
        let (position, Some((alpha, beta, depth))) = (*position, deepening.next()) else { return };
        let best = search.root.moves.first().map_or(Move::NONE, |root_move| root_move.mv);
        self.exchange(search, 0);
        search.place_root(&position, alpha, beta, depth);
        search.evaluator.reset(&position);
        // At the root no rule, table value or pruning ends the node.
        search.enter(0);
        // Where the table lies elsewhere and says nothing, the last iteration knows a first move.
        let node = &mut search.memory.nodes[0];
        if depth > 1 && node.table_move.is_none() {
            node.table_move = best;
        }
        stack.catch_up(search);
        self.exchange(search, 0);
        (self.begun, self.root_depth) = (0, search.root.depth);
    }

    /// The root's children are done: begins its next search, or tells what was found. The observer hears of
    /// lines and says whether to go on.
    pub(super) fn advance<R: Rules, E: Evaluator, T: Lookup>(
        &mut self,
        stack: &mut Stack,
        search: &mut Search<'_, R, E, T>,
    ) -> Option<JobResult> {
        let value = self.on_desk(search, |search, level| search.leave(level));
        let (_, deepening) = self.deepening.as_deref_mut()?;
        search.deepen(deepening, value);
        stack.reached = deepening.finished();
        if deepening.next().is_none() {
            let nodes = search.statistics.nodes;
            return Some(JobResult { value, line: self.line.as_slice().to_vec(), nodes });
        }
        self.enter_root(stack, search);
        None
    }

    /// Opens the node of a job. There must be room on the stack.
    pub(super) fn open<R: Rules, E: Evaluator, T: Lookup>(
        stack: &Stack,
        search: &mut Search<'_, R, E, T>,
        job: &Job,
    ) -> Opened {
        let nested = !stack.tasks.is_empty();
        let level = if nested { stack.top + 2 } else { DESK };
        let history = search.history.len();
        match nested {
            true => search.history.push_null(0),
            false => search.history.clear(),
        }
        job.keys.iter().for_each(|&key| search.history.push(key));
        let root_depth = std::mem::replace(&mut search.root.depth, job.root_depth);
        let ply = job.ply as usize;
        let killers = search.memory.killers[ply];
        if !stack.local_killers {
            search.memory.killers[ply] = job.killers.first().copied().unwrap_or(Killers::NONE);
        }
        let nodes = search.statistics.nodes;
        job.put(search, level);
        let opened = match search.enter(level) {
            Entered::Value(value) => {
                let line = search.memory.variations[level].as_slice().to_vec();
                let nodes = search.statistics.nodes - nodes;
                Opened::Value(JobResult { value, line, nodes }, job.killers.clone())
            }
            Entered::Open => Opened::Open(Box::new(Detached::of(stack, job, search, level))),
        };
        if !stack.local_killers {
            search.memory.killers[ply] = killers;
        }
        search.root.depth = root_depth;
        search.history.truncate(history);
        if nested {
            stack.catch_up(search);
        }
        opened
    }

    /// Takes the value of a child.
    pub(super) fn settle<R: Rules, E: Evaluator, T: Lookup>(
        &mut self,
        search: &mut Search<'_, R, E, T>,
        plan: &Plan,
        job_result: &JobResult,
    ) -> Absorbed {
        let value = if plan.kind.stays() { job_result.value } else { -job_result.value };
        self.on_desk(search, |search, level| {
            let line = search.memory.variations[level + 1].clone();
            search.memory.variations[level + 1].assign(&job_result.line);
            let child = &mut search.memory.nodes[level + 1].best_move;
            let found = job_result.line.first().copied().unwrap_or(Move::NONE);
            let best = std::mem::replace(child, found);
            let absorbed = search.absorb(level, plan, value);
            search.memory.nodes[level + 1].best_move = best;
            search.memory.variations[level + 1] = line;
            absorbed
        })
    }

    /// Leaves the node, whose children are done: what was found, and the killers from its ply on.
    pub(super) fn leave<R: Rules, E: Evaluator, T: Lookup>(
        &mut self,
        search: &mut Search<'_, R, E, T>,
    ) -> (JobResult, Vec<Killers>) {
        let value = self.on_desk(search, |search, level| search.leave(level));
        let line = self.line.as_slice().to_vec();
        (JobResult { value, line, nodes: 1 }, std::mem::take(&mut self.killers))
    }

    /// Works on the node as a level of the stack, and puts back what lay in its place.
    pub(super) fn on_desk<R: Rules, E: Evaluator, T: Lookup, A>(
        &mut self,
        search: &mut Search<'_, R, E, T>,
        work: impl FnOnce(&mut Search<'_, R, E, T>, usize) -> A,
    ) -> A {
        if self.deepening.is_some() {
            self.exchange(search, 0);
            let answer = work(search, 0);
            self.exchange(search, 0);
            return answer;
        }
        let root_depth = std::mem::replace(&mut search.root.depth, self.root_depth);
        let under = &mut search.memory.nodes[DESK - 1];
        let kept = (under.entry, under.ply, under.position, under.context);
        let ply = self.node.ply;
        (under.entry, under.ply) = (self.parent, ply);
        if let Some(above) = &self.above {
            above.put(under, ply);
        }
        self.exchange(search, DESK);
        let answer = work(search, DESK);
        self.exchange(search, DESK);
        let under = &mut search.memory.nodes[DESK - 1];
        (under.entry, under.ply, under.position, under.context) = kept;
        search.root.depth = root_depth;
        answer
    }

    /// The node that was just entered on a level.
    fn of<R: Rules, E: Evaluator, T: Lookup>(
        stack: &Stack,
        job: &Job,
        search: &Search<'_, R, E, T>,
        level: usize,
    ) -> Detached {
        Detached {
            node: search.memory.nodes[level].clone(),
            line: search.memory.variations[level].clone(),
            ply: job.ply,
            keys: job.keys.clone(),
            killers: job.killers.clone(),
            local_killers: stack.local_killers,
            node_type: job.node_type,
            parent: job.parent,
            above: job.above.clone(),
            root_depth: job.root_depth,
            begun: 0,
            lessons: 0,
            deepening: None,
        }
    }

    /// Changes places with what is on a level.
    fn exchange<R: Rules, E: Evaluator, T: Lookup>(
        &mut self,
        search: &mut Search<'_, R, E, T>,
        level: usize,
    ) {
        std::mem::swap(&mut self.node, &mut search.memory.nodes[level]);
        std::mem::swap(&mut self.line, &mut search.memory.variations[level]);
        if self.killers.is_empty() {
            self.killers.push(Killers::NONE);
        }
        let killers = &mut search.memory.killers[self.ply as usize];
        match self.local_killers {
            true => self.killers[0] = *killers,
            false => std::mem::swap(&mut self.killers[0], killers),
        }
    }
}
