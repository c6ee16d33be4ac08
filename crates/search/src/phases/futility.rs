//! Moves that are left out: late ones, those with a bad history, futile ones, losing exchanges.
//!
//! If late moves are not left out, the trees to depth 13 have 111 % more nodes; if losing
//! exchanges are not, 45 %; if futile moves are not, 5 %; if those with a bad history are not, 2 %.
//! `futility_base` 220, `late_moves_base` 5, `see_quiet_margin` 40, `see_capture_margin` 150 and
//! `history_pruning` 6000 solved 283, 282, 283, 279 and 283 positions of Win at Chess, where the values
//! of `parameters.rs` solve 284 (docs/lab/strength.md).

use super::null::has_pieces;
use super::reductions::base_reduction;
use crate::Depth;
use crate::histories::Histories;
use crate::node::{NO_EVAL, Node};
use crate::parameters;
use board::Move;
use eval::score::MATE_LIMIT;

/// How many quiet moves are worth a look at a depth.
#[inline(always)]
fn late_move_count(depth: Depth, improving: bool) -> i32 {
    // Halved where nothing improves: by a shift, as a division by a variable takes longer than the rest.
    (parameters::late_moves_base() + depth * depth) >> i32::from(!improving)
}

/// Whether [`leave_out`] would say of any quiet move, if it came next, that it comes too late.
#[inline(always)]
pub fn skips_quiets(node: &Node) -> bool {
    node.seen >= late_move_count(node.depth, node.improving)
        && node.best > -i32::from(MATE_LIMIT)
        && node.ply > 0
        && has_pieces(&node.position)
        && !node.is_staged()
}

/// Whether a move is so unlikely to matter that it is not searched at all.
#[inline(always)]
pub fn leave_out(node: &mut Node, histories: &Histories, mv: Move) -> bool {
    if node.is_staged() || node.best <= -i32::from(MATE_LIMIT) || !has_pieces(&node.position) {
        return false;
    }
    let reduced = node.depth - 1 - base_reduction(node.depth, node.seen) / 1024;
    if !node.position.is_quiet(mv) {
        let margin = parameters::see_capture_margin() * node.depth;
        return node.seen > 1
            && !node.picker.knows_exchange()
            && !node.position.see_at_least(mv, -margin);
    }
    if node.seen > late_move_count(node.depth, node.improving) {
        node.picker.skip_quiets();
        return true;
    }
    let history = histories.quiet(&node.position, &node.context, mv);
    if history < -parameters::history_pruning() * node.depth
        && node.depth <= parameters::history_pruning_depth()
    {
        return true;
    }
    let reduced = (reduced + history / parameters::reduction_history()).max(0);
    if node.eval != NO_EVAL && reduced <= parameters::futility_depth() {
        let margin = parameters::futility_base() + parameters::futility_margin() * reduced;
        if node.eval + margin <= node.alpha && !node.position.gives_check(&node.checks, mv) {
            node.picker.skip_quiets();
            return true;
        }
    }
    let margin = parameters::see_quiet_margin() * reduced * reduced;
    !node.position.see_at_least(mv, -margin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_moves_are_looked_at_where_the_evaluation_improves() {
        assert!(late_move_count(4, false) < late_move_count(4, true));
    }
}
