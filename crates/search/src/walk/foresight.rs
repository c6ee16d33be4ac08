//! What is expected of a node, by what is known about it.
//!
//! The type that a node gets from those above it (Z6) says nothing about the node itself. A shallower
//! search does: an entry of the table from the iteration before, or the search for a first move. As in
//! Felten and Otto's rule (F3) it overrules what the parent expects.

use super::NodeType;
use super::detached::Detached;
use crate::phases::from_table;
use table::Bound;

impl Detached {
    /// Takes what the table knows about the node for what is expected of it.
    pub fn expected_type(&mut self) {
        let Some(entry) = self.node.entry else { return };
        let value = from_table(entry.score, self.node.ply);
        let says_something = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => value >= self.node.beta,
            Bound::Upper => value < self.node.beta,
            Bound::None => false,
        };
        if says_something {
            self.set_expected(value);
        }
    }

    /// Expects of the node a value that a shallower search has found; nothing changes on the principal
    /// variation.
    pub fn set_expected(&mut self, value: i32) {
        if self.node_type != NodeType::One && self.is_scout() {
            let cuts = value >= self.node.beta;
            self.node_type = if cuts { NodeType::Two } else { NodeType::Three };
        }
    }
}
