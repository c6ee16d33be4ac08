//! The types of nodes in the minimal tree (Z5), extended to all nodes (Z6), and what overrules them.
//!
//! The type that a node gets from those above it says nothing about the node itself. A shallower search
//! does: an entry of the table from the iteration before, or the search for a first move. As in Felten and
//! Otto's rule (F3) it overrules what the parent expects.

use super::detached::Detached;
use crate::phases::from_table;
use eval::score::Score;
use table::Bound;

/// What is expected of a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NodeType {
    /// On the principal variation.
    One,
    /// A move is expected to cut it off.
    Two,
    /// All its moves are expected to fail.
    Three,
}

impl NodeType {
    /// The type of a child: the first, or a later one (Hsu's rule for those of type-2 nodes).
    #[inline(always)]
    pub const fn child(self, first: bool) -> NodeType {
        match (self, first) {
            (NodeType::One, true) => NodeType::One,
            (NodeType::Two, true) => NodeType::Three,
            _ => NodeType::Two,
        }
    }

    /// The type of the position after a null move: there is none on the principal variation.
    #[inline(always)]
    pub const fn passed(self) -> NodeType {
        match self {
            NodeType::Two => NodeType::Three,
            _ => NodeType::Two,
        }
    }
}

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
    pub fn set_expected(&mut self, value: Score) {
        if self.node_type != NodeType::One && self.is_scout() {
            let cuts = value >= self.node.beta;
            self.node_type = if cuts { NodeType::Two } else { NodeType::Three };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::NodeType::{One, Three, Two};

    #[test]
    fn z5_z6_types_follow_the_four_rules() {
        assert_eq!([One.child(true), One.child(false)], [One, Two]);
        assert_eq!([Two.child(true), Two.child(false)], [Three, Two]);
        assert_eq!([Three.child(true), Three.child(false)], [Two, Two]);
    }
}
