//! Nodes at which an owner stops to give all children away instead of searching one himself (F12).

use super::frame::State;
use super::stack::Stack;
use super::{SplitPoint, Walk};
use crate::lookup::Lookup;
use crate::node::Node;
use crate::phases::Search;
use crate::switches::Rules;
use eval::Evaluator;

impl Stack {
    /// Whether the node on top is one whose children are to be given away now. What the owner was told
    /// to do himself he does.
    pub fn stops_here<R: Rules, E: Evaluator, T: Lookup>(
        &self,
        search: &Search<'_, R, E, T>,
    ) -> bool {
        let (frame, node) = (&self.frames[self.top], &search.memory.nodes[self.top]);
        let begun = frame.begun > 0 || !leads(node, search.rules.switches().scout);
        !self.pass && frame.open && node.depth > self.grain && begun
    }
}

/// Whether a node's first child must be done before the others make sense: the table names it (F9), or
/// scouts need its value.
fn leads(node: &Node, scout: bool) -> bool {
    !node.table_move.is_none() || node.pv && scout
}

impl<R: Rules, E: Evaluator> Walk<R, E> {
    /// Whether the walk stops wherever children can be given away.
    pub fn set_watch(&mut self, watch: bool) {
        self.stack.watch = watch;
    }

    /// The level on top, if the walk waits there and somebody watches.
    pub fn watched(&self) -> Option<usize> {
        (self.stack.watch && self.is_waiting()).then_some(self.stack.top)
    }

    /// Takes the next step where the walk has stopped.
    pub fn proceed(&mut self) {
        if self.stack.state == State::Wait {
            (self.stack.state, self.stack.pass) = (State::Next, true);
        }
    }

    /// Whether others may search brothers at an open node by the table's rule (F9): at once, or where a
    /// first child leads, after that.
    pub fn is_free(&self, split_point: &SplitPoint) -> bool {
        let node = &self.memory.nodes[split_point.level];
        split_point.settled > 0 || !leads(node, self.rules.switches().scout)
    }
}
