//! DarkSight's six extensions in fractions of a ply (D36 to D42).
//!
//! The thesis names them but gives no sizes (G3), except that a single reply is worth a whole ply.
//! Fractions add up along the line; no ply adds more than one.

use crate::node::Node;
use board::{Move, PieceKind};
use eval::DarkSight;

/// A ply in parts.
pub const PLY: i32 = 16;

const CHECK: i32 = 12;
const DEEP_SEARCH: i32 = 8;
const PUSHED_PAWN: i32 = 8;
const RECAPTURE: i32 = 8;
const SINGLE_REPLY: i32 = PLY;
const MATE_THREAT: i32 = 8;
const REPEATED_THREAT: i32 = 8;
/// D40: captured values may differ by half a pawn.
const RECAPTURE_SPAN: i32 = 50;

/// Whole plies by which a move is extended, and the parts that are saved up.
/// `next` adds what the thesis leaves to the future.
pub fn darksight(node: &Node, mv: Move, next: bool) -> (i32, i32) {
    let more = if next && repeats_threat(node) { REPEATED_THREAT } else { 0 };
    let parts = node.fraction + (parts(node, mv) + more).min(PLY);
    // D36: a ply adds at most a ply.
    if parts >= PLY { (1, parts - PLY) } else { (0, parts) }
}

fn parts(node: &Node, mv: Move) -> i32 {
    let mut parts = 0;
    if node.position.gives_check(&node.checks, mv) {
        parts += CHECK;
    }
    if node.deep_search {
        parts += DEEP_SEARCH;
    }
    if is_pushed_pawn(node, mv) {
        parts += PUSHED_PAWN;
    }
    if is_recapture(node, mv) {
        parts += RECAPTURE;
    }
    // A second move says that the first was not the only one.
    if node.seen <= 1 && node.position.count_legal_moves() == 1 {
        parts += SINGLE_REPLY;
    }
    if node.mate_threat {
        parts += MATE_THREAT;
    }
    parts
}

/// D39: a pawn goes to its fifth, sixth or seventh rank.
fn is_pushed_pawn(node: &Node, mv: Move) -> bool {
    let position = &node.position;
    let is_pawn = position.kind(PieceKind::Pawn).has(mv.from());
    is_pawn && (4..=6).contains(&mv.to().rank_for(position.side_to_move()))
}

/// D43, Botvinnik and Markoff: the null move is refuted as it was two plies before. What was done about the
/// threat did not help.
fn repeats_threat(node: &Node) -> bool {
    !node.threat.is_none() && node.threat == node.threats[1]
}

/// D40: the last move captured, and this one takes about as much.
fn is_recapture(node: &Node, mv: Move) -> bool {
    let value = |kind: PieceKind| DarkSight::PIECE_VALUES[kind.index()];
    match (node.captured, node.position.captured(mv)) {
        (Some(before), Some(now)) => (value(before) - value(now)).abs() <= RECAPTURE_SPAN,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use board::Position;

    fn node(fen: &str) -> Node {
        let mut node = Node::new();
        node.position = Position::from_fen(fen).unwrap();
        node.checks = node.position.check_info();
        node
    }

    fn extension(node: &Node, mv: &str) -> (i32, i32) {
        darksight(node, node.position.parse_uci(mv).unwrap(), false)
    }

    #[test]
    fn d36_fractions_add_up_and_a_ply_adds_at_most_a_ply() {
        let mut node = node("4k3/8/8/8/8/8/R7/4K3 w - - 0 1");
        assert_eq!(extension(&node, "a2a8"), (0, CHECK));
        node.fraction = 5;
        assert_eq!(extension(&node, "a2a8"), (1, 1));
        (node.mate_threat, node.deep_search, node.fraction) = (true, true, 0);
        assert_eq!(extension(&node, "a2a8"), (1, 0));
    }

    #[test]
    fn d37_check_d39_pushed_pawn_d41_single_reply() {
        assert_eq!(extension(&node("4k3/8/8/8/8/8/R7/4K3 w - - 0 1"), "a2e2"), (0, CHECK));
        assert_eq!(extension(&node("4k3/8/8/8/P7/8/8/4K3 w - - 0 1"), "a4a5"), (0, PUSHED_PAWN));
        assert_eq!(extension(&node("4k3/8/8/8/8/P7/8/4K3 w - - 0 1"), "a3a4"), (0, 0));
        let single = node("7k/8/8/8/8/6p1/8/r5K1 w - - 0 1");
        assert_eq!(single.position.count_legal_moves(), 1);
        assert_eq!(extension(&single, "g1g2"), (1, 0));
    }

    #[test]
    fn d41_a_single_reply_is_extended_without_a_check_too() {
        let mut single = node("7k/8/8/8/8/8/1r6/K7 w - - 0 1");
        assert_eq!((single.in_check(), single.position.count_legal_moves()), (false, 1));
        assert_eq!(extension(&single, "a1b2"), (1, 0));
        single.position = Position::from_fen("7k/8/8/8/8/2r5/8/K7 w - - 0 1").unwrap();
        assert_eq!(extension(&single, "a1a2"), (0, 0), "three replies");
    }

    #[test]
    fn d43_a_threat_that_was_there_two_plies_before_extends() {
        let mut node = node("4k3/8/8/8/8/8/R7/4K3 w - - 0 1");
        let [threat, other, quiet] = [0, 1, 2].map(|index| node.position.legal_moves()[index]);
        for (now, before, expected) in
            [(threat, threat, REPEATED_THREAT), (threat, other, 0), (Move::NONE, Move::NONE, 0)]
        {
            (node.threat, node.threats) = (now, [other, before]);
            assert_eq!(darksight(&node, quiet, true), (0, expected));
            assert_eq!(darksight(&node, quiet, false), (0, 0), "not in the thesis's program");
        }
    }

    #[test]
    fn d40_a_recapture_takes_about_as_much() {
        let mut node = node("4k3/8/8/8/3n4/4P3/8/4K3 w - - 0 1");
        node.captured = Some(PieceKind::Bishop);
        assert_eq!(extension(&node, "e3d4"), (0, RECAPTURE));
        node.captured = Some(PieceKind::Rook);
        assert_eq!(extension(&node, "e3d4"), (0, 0));
    }
}
