//! Razoring and reverse futility: nodes that the evaluation alone decides, or the quiescence search.
//!
//! Without reverse futility the trees to depth 13 have 89 % more nodes, without razoring 13 %.
//! `reverse_futility_depth` 6 and `razoring_depth` 2 solved 281 and 284 positions of Win at Chess, where
//! 8 and 4 solve 284 (docs/lab/strength.md).

use super::{Search, deepening};
use crate::Depth;
use crate::lookup::Lookup;
use crate::node::{NO_EVAL, Node};
use crate::parameters;
use crate::switches::{Pruning, Rules};
use board::Move;
use eval::Evaluator;
use eval::score::{EVAL_LIMIT, INFINITE, Score, is_decided};

/// DarkSight's margins (D20 to D22): a queen, a rook, four pawns.
const DARKSIGHT_RAZOR: i32 = 900;
const DARKSIGHT_EXTENDED_FUTILITY: i32 = 500;
const DARKSIGHT_FUTILITY: i32 = 400;

/// DarkSight's three rules in the order of the thesis. With exactly three plies left, if a queen would have to
/// be won, a ply less (D20). With two plies left and a rook (D21), or one and four pawns to be won (D22), the
/// estimate is taken. So what is razored is at once so futile that its estimate is taken, too.
fn darksight_pruning(depth: Depth, eval: Score, alpha: Score) -> (i32, Option<i32>) {
    let needed = alpha - eval;
    let razors = depth == 3 && needed >= DARKSIGHT_RAZOR;
    let depth = depth - i32::from(razors);
    let futile = match depth {
        1 => needed >= DARKSIGHT_FUTILITY,
        2 => needed >= DARKSIGHT_EXTENDED_FUTILITY,
        _ => false,
    };
    (depth, futile.then_some(eval))
}

/// Reverse futility: too far above beta for the opponent to come back within the remaining plies.
#[inline(always)]
fn reverse_futility(node: &Node) -> bool {
    let margin = parameters::reverse_futility_margin() * (node.depth - i32::from(node.improving));
    node.depth <= parameters::reverse_futility_depth()
        && node.guess - margin >= node.beta
        && node.guess < i32::from(EVAL_LIMIT)
        && node.beta > -i32::from(EVAL_LIMIT)
}

/// Razoring: so far below alpha that only captures can help, and the quiescence search will tell.
#[inline(always)]
fn razors(node: &Node) -> bool {
    let margin =
        parameters::razoring_base() + parameters::razoring_margin() * node.depth * node.depth;
    node.depth <= parameters::razoring_depth()
        && node.guess + margin <= node.alpha
        && !is_decided(node.alpha as i16)
}

impl<R: Rules, E: Evaluator, T: Lookup> Search<'_, R, E, T> {
    /// The value of a node that needs no child, by the profile's rules.
    #[inline(always)]
    pub(super) fn prune_without_child(&mut self, level: usize) -> Option<i32> {
        let node = &mut self.memory.nodes[level];
        if node.pv || node.eval == NO_EVAL || !node.excluded.is_none() {
            self.reduce_without_table_move(level);
            return None;
        }
        match self.rules.switches().pruning {
            Pruning::Off => return None,
            Pruning::DarkSight => {
                let (depth, value) = darksight_pruning(node.depth, node.eval, node.alpha);
                node.depth = depth;
                if value.is_some() {
                    return value;
                }
            }
            Pruning::Modern => {
                if reverse_futility(node) {
                    return Some((node.guess + node.beta) / 2);
                }
                if razors(node) {
                    if let Some(value) = self.ask_quiescence(level) {
                        return Some(value);
                    }
                } else if deepening::scouts(node) {
                    self.ask_quiescence(level);
                }
                // An interrupted answer is no value; the driver looks at `stopped` first.
                if self.stopped {
                    return Some(0);
                }
            }
        }
        self.reduce_without_table_move(level);
        None
    }

    /// Asks the quiescence search, which uses the node as its own; what it overwrites is put back. A
    /// capture that it finds good enough will be the first to be tried; a value not above alpha is told.
    #[inline(never)]
    fn ask_quiescence(&mut self, level: usize) -> Option<i32> {
        let node = &self.memory.nodes[level];
        let (alpha, table_move, raw_eval, eval) =
            (node.alpha, node.table_move, node.raw_eval, node.eval);
        let value = self.quiesce(level);
        let node = &mut self.memory.nodes[level];
        (node.alpha, node.first_alpha, node.best) = (alpha, alpha, -i32::from(INFINITE));
        (node.table_move, node.raw_eval, node.eval) = (table_move, raw_eval, eval);
        if value >= node.beta && node.table_move.is_none() {
            node.table_move = node.best_move;
        }
        node.best_move = Move::NONE;
        self.memory.variations[level].clear();
        (value <= alpha).then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d20_to_d22_apply_at_their_depths_and_margins_only() {
        assert_eq!(darksight_pruning(2, -10, 490), (2, Some(-10)));
        assert_eq!(darksight_pruning(2, -10, 489), (2, None));
        assert_eq!(darksight_pruning(1, 5, 405), (1, Some(5)));
        assert_eq!(darksight_pruning(1, 5, 404), (1, None));
        assert_eq!(darksight_pruning(4, 0, 5000), (4, None));
    }

    #[test]
    fn d20_comes_before_d21_so_that_a_razored_node_has_its_estimate() {
        assert_eq!(darksight_pruning(3, 0, 900), (2, Some(0)));
        assert_eq!(darksight_pruning(3, 0, 899), (3, None));
    }
}
