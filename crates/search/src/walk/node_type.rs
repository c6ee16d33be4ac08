//! The types of nodes in the minimal tree (Z5), extended to all nodes (Z6).

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

    /// The type of the position after passing: nobody passes on the principal variation.
    #[inline(always)]
    pub const fn passed(self) -> NodeType {
        match self {
            NodeType::Two => NodeType::Three,
            _ => NodeType::Two,
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
