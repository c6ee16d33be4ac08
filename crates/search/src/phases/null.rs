//! The null move: if even doing nothing is good enough, a move will be.
//!
//! Without it the trees to depth 13 have 53 % more nodes. `null_base` 4 solved 280 positions of Win at
//! Chess, where 3 solves 284 (docs/lab/strength.md).

use super::Search;
use crate::Depth;
use crate::lookup::Lookup;
use crate::node::{Absorbed, Attempt, NO_EVAL, Plan, PlanKind};
use crate::parameters;
use crate::switches::{NullMove, Rules};
use board::{Color, Move, PieceKind, Position};
use eval::Evaluator;
use eval::score::{EVAL_LIMIT, MATE_LIMIT, Score};

/// Zugzwang's constants (Z13): a pawn and a half, and two plies.
const MAX_GAIN: i32 = 150;
const ZUGZWANG_REDUCTION: i32 = 2;
/// D38: what "falls significantly" means; the thesis gives no number (G3).
const DEEP_SEARCH_FALL: i32 = 150;

/// DarkSight's adaptive reduction (D18, after Heinz) by depth and the larger number of pieces.
pub fn adaptive_reduction(depth: Depth, pieces: u32) -> Depth {
    if depth <= 6 || depth <= 8 && pieces < 3 { 2 } else { 3 }
}

/// Pieces other than king and pawns of the side that has more of them.
fn most_pieces(position: &Position) -> u32 {
    let pieces = |color| {
        let men = position.color(color);
        let others = position.kind(PieceKind::Pawn) | position.kind(PieceKind::King);
        men.without(others).count()
    };
    pieces(Color::White).max(pieces(Color::Black))
}

/// Whether a side has more than king and pawns: otherwise the null move might be the best (zugzwang).
#[inline(always)]
pub fn has_pieces(position: &Position) -> bool {
    let men = position.color(position.side_to_move());
    men.without(position.kind(PieceKind::Pawn) | position.kind(PieceKind::King)).non_empty()
}

impl<R: Rules, E: Evaluator, T: Lookup> Search<'_, R, E, T> {
    /// The null move, if it promises something.
    #[inline(always)]
    pub fn plan_null(&self, level: usize) -> Option<Plan> {
        let node = &self.memory.nodes[level];
        if !node.null_allowed || node.eval == NO_EVAL || !node.excluded.is_none() || node.ply == 0 {
            return None;
        }
        let (alpha, reduction) = match self.rules.switches().null_move {
            NullMove::Off => return None,
            NullMove::Modern => {
                let hopeful = !node.pv
                    && node.depth >= parameters::null_depth()
                    && node.guess >= node.beta
                    && node.eval + parameters::null_slope() * node.depth
                        >= node.beta + parameters::null_margin()
                    && node.beta > -i32::from(EVAL_LIMIT);
                if !hopeful {
                    return None;
                }
                let surplus = (node.guess - node.beta) / parameters::null_eval_divisor();
                let by_depth = node.depth / parameters::null_divisor();
                (
                    node.beta - 1,
                    parameters::null_base() + by_depth + surplus.min(parameters::null_surplus())
                        - 1,
                )
            }
            NullMove::Zugzwang => {
                if node.depth <= 1 || node.eval <= node.alpha - MAX_GAIN {
                    return None;
                }
                (node.alpha, ZUGZWANG_REDUCTION)
            }
            NullMove::Adaptive | NullMove::Verified => {
                if node.depth <= 1 || node.pv {
                    return None;
                }
                (node.beta - 1, adaptive_reduction(node.depth, most_pieces(&node.position)))
            }
        };
        let depth = node.depth - 1 - reduction;
        has_pieces(&node.position).then_some(Plan {
            kind: PlanKind::Null,
            mv: Move::NONE,
            alpha,
            beta: node.beta,
            depth,
            full_depth: depth,
            fraction: 0,
            attempt: Attempt::Scout,
            pv: false,
            cut: !node.cut,
        })
    }

    /// The null move was good enough, or not.
    pub fn absorb_null(&mut self, level: usize, plan: &Plan, value: Score) -> Absorbed {
        let null_move = self.rules.switches().null_move;
        let node = &mut self.memory.nodes[level];
        if value >= node.beta {
            // A mate against a null move proves nothing.
            let value = if value >= i32::from(MATE_LIMIT) { node.beta } else { value };
            let verifies = match null_move {
                NullMove::Modern => node.depth >= parameters::null_verification_depth(),
                // D19: a search of no depth would not see a zugzwang.
                NullMove::Verified => plan.depth > 0,
                _ => false,
            };
            if verifies {
                return Absorbed::Again(Plan {
                    kind: PlanKind::Verify,
                    cut: false,
                    alpha: node.beta - 1,
                    ..*plan
                });
            }
            node.decided = Some(value);
            return Absorbed::Cut;
        }
        if null_move == NullMove::Zugzwang && value > node.alpha {
            // Z13: alpha rises as in Figure 2; what the node is worth the moves say.
            (node.alpha, node.first_alpha) = (value, value);
        }
        node.threat =
            self.memory.variations[level + 1].as_slice().first().copied().unwrap_or(Move::NONE);
        node.mate_threat = value <= -i32::from(MATE_LIMIT);
        node.deep_search = node.guess >= node.beta && value < node.beta - DEEP_SEARCH_FALL;
        Absorbed::Settled
    }

    /// A cut by the null move was confirmed without one, or not (D19).
    pub fn absorb_verification(&mut self, level: usize, value: Score) -> Absorbed {
        let node = &mut self.memory.nodes[level];
        if value < node.beta {
            return Absorbed::Settled;
        }
        node.decided = Some(value);
        Absorbed::Cut
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d18_the_reduction_follows_the_table_of_depth_and_pieces() {
        let expected = [
            (2, 0, 2),
            (6, 0, 2),
            (6, 9, 2),
            (7, 2, 2),
            (8, 2, 2),
            (7, 3, 3),
            (8, 3, 3),
            (9, 0, 3),
            (12, 7, 3),
        ];
        for (depth, pieces, reduction) in expected {
            assert_eq!(adaptive_reduction(depth, pieces), reduction, "{depth} {pieces}");
        }
    }

    #[test]
    fn king_and_pawns_alone_make_no_null_move() {
        let pieces = |fen| has_pieces(&Position::from_fen(fen).unwrap());
        assert!(!pieces("8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1"));
        assert!(pieces("8/k7/3p4/p2P1p2/P2P1P2/8/8/KN6 w - - 0 1"));
        assert!(!pieces("8/k7/3p4/p2P1p2/P2P1P2/8/8/KN6 b - - 0 1"));
    }
}
