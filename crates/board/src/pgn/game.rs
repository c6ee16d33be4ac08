//! A game as a tree of moves.
//!
//! The nodes lie in one vector and point to each other by number: a game of any depth is built,
//! compared and dropped without recursion.

use super::tags::Tags;
use super::visitor::Outcome;
use crate::{Move, Position};

/// A place in the tree of a [`Game`]: the root, or a move. It is valid in the game it came from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NodeId(u32);

impl NodeId {
    /// The place before the first move.
    pub const ROOT: NodeId = NodeId(0);

    const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is said about a move.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Notes {
    /// Comments before the move, where it begins a variation. (Elsewhere they are comments after the
    /// move before.)
    pub lead: Vec<String>,
    /// Numeric annotation glyphs.
    pub nags: Vec<u8>,
    /// Comments after the move; at the root, comments before the game.
    pub comments: Vec<String>,
}

/// A move in the tree.
#[derive(Clone, Debug)]
struct Node {
    mv: Move,
    parent: NodeId,
    first_child: Option<NodeId>,
    last_child: Option<NodeId>,
    next_sibling: Option<NodeId>,
    notes: Option<Box<Notes>>,
}

/// A game: tags, the position it starts from, moves with their variations and notes, the result.
#[derive(Clone, Debug)]
pub struct Game {
    /// The tags. When a game is written, `Result`, `FEN` and `SetUp` come from the game itself.
    pub tags: Tags,
    /// The result.
    pub result: Outcome,
    start: Position,
    nodes: Vec<Node>,
}

impl Default for Game {
    /// A game from the usual start, without moves.
    fn default() -> Game {
        Game::new(Position::startpos())
    }
}

impl Game {
    /// What a node costs in memory.
    pub(super) const NODE_SIZE: usize = size_of::<Node>();

    /// A game without moves.
    pub fn new(start: Position) -> Game {
        let root = Node {
            mv: Move::NONE,
            parent: NodeId::ROOT,
            first_child: None,
            last_child: None,
            next_sibling: None,
            notes: None,
        };
        Game { tags: Tags::new(), result: Outcome::Unknown, start, nodes: vec![root] }
    }

    /// The position before the first move.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// Sets the position of a game that has no moves yet.
    pub(super) fn set_start(&mut self, start: Position) {
        debug_assert_eq!(self.nodes.len(), 1);
        self.start = start;
    }

    /// The move of a place; [`Move::NONE`] at the root and for a null move.
    pub fn mv(&self, id: NodeId) -> Move {
        self.nodes[id.index()].mv
    }

    /// The place before a move; the root's is the root.
    pub fn parent(&self, id: NodeId) -> NodeId {
        self.nodes[id.index()].parent
    }

    /// The moves from a place: the main one, then the variations.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let first = self.nodes[id.index()].first_child;
        std::iter::successors(first, |child| self.nodes[child.index()].next_sibling)
    }

    /// The notes of a move, if it has any.
    pub fn notes(&self, id: NodeId) -> Option<&Notes> {
        self.nodes[id.index()].notes.as_deref()
    }

    /// The notes of a move, to be changed.
    pub fn notes_mut(&mut self, id: NodeId) -> &mut Notes {
        self.nodes[id.index()].notes.get_or_insert_default()
    }

    /// The moves of the main line.
    pub fn main_line(&self) -> impl Iterator<Item = Move> {
        let first = self.nodes[0].first_child;
        std::iter::successors(first, |id| self.nodes[id.index()].first_child)
            .map(|id| self.nodes[id.index()].mv)
    }

    /// How many moves the tree has, those of the variations among them.
    pub fn move_count(&self) -> usize {
        self.nodes.len() - 1
    }

    /// The position at a place.
    pub fn position(&self, id: NodeId) -> Position {
        let mut line = Vec::new();
        let mut at = id;
        while at != NodeId::ROOT {
            line.push(self.mv(at));
            at = self.parent(at);
        }
        line.into_iter().rev().fold(self.start, |position, mv| after(&position, mv))
    }

    /// Adds a move after a place: the main one, if it is the first, else a variation.
    /// [`Move::NONE`] passes. `None` if the move is not legal there (passing is not, in check) or the
    /// tree is full.
    pub fn add(&mut self, parent: NodeId, mv: Move) -> Option<NodeId> {
        let position = self.position(parent);
        let is_allowed = if mv.is_none() { !position.in_check() } else { position.is_legal(mv) };
        if is_allowed { self.push(parent, mv) } else { None }
    }

    /// Adds a move that is known to be legal; `None` if the tree is full.
    pub(super) fn push(&mut self, parent: NodeId, mv: Move) -> Option<NodeId> {
        let id = NodeId(u32::try_from(self.nodes.len()).ok()?);
        let empty = Node {
            mv,
            parent,
            first_child: None,
            last_child: None,
            next_sibling: None,
            notes: None,
        };
        self.nodes.push(empty);
        match self.nodes[parent.index()].last_child.replace(id) {
            Some(sibling) => self.nodes[sibling.index()].next_sibling = Some(id),
            None => self.nodes[parent.index()].first_child = Some(id),
        }
        Some(id)
    }
}

/// The position after a legal move or a null move.
pub(super) fn after(position: &Position, mv: Move) -> Position {
    if mv.is_none() { position.make_null() } else { position.make(mv) }
}

impl PartialEq for Game {
    /// The same tags, start and result, and the same tree, in whatever order it was built.
    fn eq(&self, other: &Game) -> bool {
        let heads = (&self.tags, self.result, self.start, self.nodes.len())
            == (&other.tags, other.result, other.start, other.nodes.len());
        let mut open = vec![(NodeId::ROOT, NodeId::ROOT)];
        while let (true, Some((mine, yours))) = (heads, open.pop()) {
            let empty = Notes::default();
            let is_same = self.mv(mine) == other.mv(yours)
                && self.notes(mine).unwrap_or(&empty) == other.notes(yours).unwrap_or(&empty)
                && self.children(mine).count() == other.children(yours).count();
            if !is_same {
                return false;
            }
            open.extend(self.children(mine).zip(other.children(yours)));
        }
        heads
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game_of(moves: &[&str]) -> Game {
        let mut game = Game::default();
        let mut at = NodeId::ROOT;
        for san in moves {
            let mv = game.position(at).parse_san(san.as_bytes()).unwrap();
            at = game.add(at, mv).unwrap();
        }
        game
    }

    #[test]
    fn an_illegal_move_is_not_added() {
        let mut game = game_of(&["e4", "d5", "Bb5+"]);
        let last = NodeId(3);
        assert!(game.position(last).in_check());
        assert_eq!(game.add(last, Move::NONE), None);
        let pawn_move = Position::startpos().make_null().parse_san(b"a6").unwrap();
        assert_eq!(game.add(last, pawn_move), None);
        assert_eq!(game.move_count(), 3);
    }

    #[test]
    fn games_are_equal_by_their_trees() {
        let mut one = game_of(&["e4", "e5"]);
        let mut two = game_of(&["e4"]);
        assert_ne!(one, two);
        let start = Position::startpos();
        let d4 = start.parse_san(b"d4").unwrap();
        one.add(NodeId::ROOT, d4).unwrap();
        two.add(NodeId::ROOT, d4).unwrap();
        let e5 = two.position(NodeId(1)).parse_san(b"e5").unwrap();
        two.add(NodeId(1), e5).unwrap();
        assert_eq!(one, two);
        one.notes_mut(NodeId(2)).nags.push(1);
        assert_ne!(one, two);
    }
}
