//! The types of nodes in the minimal tree (Z5), extended to all nodes (Z6), and what overrules them.
//!
//! The type that a node gets from those above it says nothing about the node itself. A shallower search
//! does: an entry of the table from the iteration before, or the search for a first move. As in Felten and
//! Otto's rule (F3) it overrules what the parent expects.

use super::detached::Detached;
use crate::node::Node;
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
    pub const fn after_null(self) -> NodeType {
        match self {
            NodeType::Two => NodeType::Three,
            _ => NodeType::Two,
        }
    }

    /// The type of a node for which a shallower search has found a value; nothing changes on the principal
    /// variation, nor where the value lies inside an open window.
    pub(super) fn expected(self, node: &Node, value: Score) -> NodeType {
        match self {
            NodeType::One => self,
            _ if value >= node.beta => NodeType::Two,
            _ if value <= node.alpha => NodeType::Three,
            _ => self,
        }
    }

    /// The same by what the table knows about the node.
    pub(super) fn expected_by_table(self, node: &Node) -> NodeType {
        let Some(entry) = node.entry else { return self };
        let value = from_table(entry.score, node.ply);
        let says_something = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => value >= node.beta,
            Bound::Upper => value < node.beta,
            Bound::None => false,
        };
        if says_something { self.expected(node, value) } else { self }
    }
}

impl Detached {
    /// Takes what the table knows about the node for what is expected of it.
    pub fn expected_type(&mut self) {
        self.node_type = self.node_type.expected_by_table(&self.node);
    }

    /// Expects of the node a value that a shallower search has found.
    pub fn set_expected(&mut self, value: Score) {
        self.node_type = self.node_type.expected(&self.node, value);
    }
}

#[cfg(test)]
mod tests {
    use super::NodeType::{One, Three, Two};
    use super::*;

    #[test]
    fn f3_what_is_known_of_a_node_overrules_its_type_unless_it_lies_inside_the_window() {
        let mut node = Node::new();
        for (alpha, beta) in [(0, 1), (-20, 30)] {
            (node.alpha, node.beta) = (alpha, beta);
            for before in [Two, Three] {
                assert_eq!(before.expected(&node, beta), Two);
                assert_eq!(before.expected(&node, alpha), Three);
                assert_eq!(before.expected(&node, 10), if beta > 10 { before } else { Two });
            }
            assert_eq!([One.expected(&node, beta), One.expected(&node, alpha)], [One; 2]);
        }
    }

    #[test]
    fn z5_z6_types_follow_the_four_rules() {
        assert_eq!([One.child(true), One.child(false)], [One, Two]);
        assert_eq!([Two.child(true), Two.child(false)], [Three, Two]);
        assert_eq!([Three.child(true), Three.child(false)], [Two, Two]);
    }
}
