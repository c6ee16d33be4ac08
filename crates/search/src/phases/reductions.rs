//! Reductions: late moves are searched less deeply, and again when they turn out better than expected.
//!
//! Without reductions, and what is pruned by the reduced depth, the trees to depth 13 have four times as
//! many nodes. Checks reduced by 1.5 plies less instead of 0.75 solve 29 of 50 hard positions of Win at
//! Chess instead of 25, together with the last two killers; `reduction_slope` 380 lost 13.3 ± 19.8 Elo
//! against 440 (docs/lab/strength.md).

use super::Search;
use crate::Depth;
use crate::histories::Histories;
use crate::killers::Killers;
use crate::lookup::Lookup;
use crate::node::{Attempt, NO_EVAL, Node, Plan};
use crate::parameters;
use crate::switches::{Ordering, Quiescence, Rules, Switches};
use board::{Move, PieceKind, Square};
use eval::Evaluator;
use eval::score::Score;

/// The reduction of a move by depth and number, in 1024ths of a ply.
#[inline(always)]
pub fn base_reduction(depth: Depth, number: i32) -> Depth {
    let logs = LOGS[depth.clamp(1, 63) as usize] * LOGS[number.clamp(1, 63) as usize] / 1024;
    parameters::reduction_base() + logs * parameters::reduction_slope() / 1024
}

/// By how many plies a late move is reduced.
#[inline(always)]
pub fn late_reduction(node: &Node, histories: &Histories, killers: &[Killers], mv: Move) -> Depth {
    let is_quiet = node.position.is_quiet(mv);
    let early = node.searched < parameters::reduction_moves() + i32::from(node.pv);
    if early || node.depth < parameters::reduction_depth() {
        return 0;
    }
    let mut reduction = base_reduction(node.depth, node.searched);
    if is_quiet {
        let history = histories.quiet(&node.position, &node.context, mv);
        reduction -= history * 1024 / parameters::reduction_history();
        if !node.table_move.is_none() && node.position.is_capture(node.table_move) {
            reduction += parameters::reduction_capture();
        }
        if killers[node.ply as usize].moves().contains(&mv) {
            reduction -= parameters::reduction_killer();
        }
    } else {
        reduction =
            reduction * parameters::tactical_thirds() / 3 - parameters::reduction_tactical();
    }
    if node.pv {
        reduction -= parameters::reduction_pv();
    }
    if node.cut {
        reduction += parameters::reduction_cut();
    }
    if !node.improving {
        reduction += parameters::reduction_worse();
    }
    if node.in_check() || node.position.gives_check(&node.checks, mv) {
        reduction -= parameters::reduction_check();
    }
    (reduction / 1024).max(0)
}

/// By how many plies moves are searched less deeply once one has raised alpha: another that raises it further is
/// rare. (With `eval_history` and `improving`: docs/lab/strength.md.)
#[inline(always)]
pub fn raised_reduction(node: &Node) -> Depth {
    let raised = node.alpha > node.first_alpha && node.ply > 0;
    if raised && (3..=parameters::raised_depth()).contains(&node.depth) {
        parameters::raised_reduction()
    } else {
        0
    }
}

/// D44, after Levy, Broughton and Taylor: a piece that goes back without taking anything, not out of check.
pub fn goes_back(node: &Node, mv: Move) -> bool {
    let position = &node.position;
    let rank = |square: Square| square.rank_for(position.side_to_move());
    let bare = position.kind(PieceKind::Pawn) | position.kind(PieceKind::King);
    rank(mv.to()) < rank(mv.from())
        && position.is_quiet(mv)
        && !bare.has(mv.from())
        && !node.in_check()
}

impl<R: Rules, E: Evaluator, T: Lookup> Search<'_, R, E, T> {
    /// Z14, fail-high reductions: at a null-window node that stands at beta already, in check or not,
    /// everything is a ply shallower. That comes before the test for a leaf: a node with one ply left is one,
    /// and has its evaluation.
    pub(super) fn reduce_fail_high(&mut self, level: usize, scout: bool) -> Option<i32> {
        let node = &self.memory.nodes[level];
        let eval = match node.eval {
            _ if !scout || !node.excluded.is_none() || node.is_staged() => NO_EVAL,
            NO_EVAL => i32::from(self.evaluator.evaluate(&node.position)),
            eval => eval,
        };
        let node = &mut self.memory.nodes[level];
        node.fail_high = eval != NO_EVAL && eval >= node.beta;
        (node.fail_high && node.depth == 1).then(|| self.static_value(level))
    }
}

/// The next attempt for a move that failed high in less than a full search: not reduced any more, then
/// with the open window; none where the value settles it.
///
/// The papers print the open window from the value that was found, which is a bound already (Z10, M4); `modern`
/// begins at alpha, since with reductions and a table the second search may contradict the first.
///
/// While the child was out another may have raised alpha. A value in between says nothing about the new
/// alpha: it is scouted again.
#[cold]
#[inline(never)]
pub fn search_again(node: &Node, plan: &Plan, value: Score, switches: Switches) -> Option<Plan> {
    let deeper = plan.attempt == Attempt::Reduced && plan.depth < plan.full_depth;
    let wider = value < node.beta && !scouts_are_exact(switches, node.depth);
    let scout = deeper || value <= node.alpha;
    let as_printed = switches.ordering != Ordering::Modern && !scout;
    (deeper || wider).then_some(Plan {
        depth: plan.full_depth,
        attempt: if scout { Attempt::Scout } else { Attempt::Full },
        alpha: if as_printed { value } else { node.alpha },
        beta: if scout { node.alpha + 1 } else { node.beta },
        pv: node.pv && !scout,
        cut: deeper && !node.cut,
        ..*plan
    })
}

/// M4, after Reinefeld: in the last two plies of alpha-beta without quiescence search and table, a scout
/// that fails high has seen every leaf that counts.
#[inline(always)]
fn scouts_are_exact(switches: Switches, depth: Depth) -> bool {
    switches.ordering == Ordering::Plain
        && switches.quiescence == Quiescence::Off
        && !switches.table
        && depth <= 2
}

/// 1024 · ln(n), computed with integers: constants cannot call the logarithm.
static LOGS: [i32; 64] = {
    let mut table = [0; 64];
    let mut n = 2;
    while n < 64 {
        // ln(n) = 2·artanh((n − 1)/(n + 1)), in 40 bits after the point.
        let one = 1i128 << 40;
        let x = one * (n as i128 - 1) / (n as i128 + 1);
        let square = x * x / one;
        let (mut power, mut sum, mut k) = (x, 0i128, 1i128);
        while k < 400 {
            sum += power / k;
            power = power * square / one;
            k += 2;
        }
        table[n] = (2 * sum * 1024 / one) as i32;
        n += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use board::Position;

    #[test]
    fn the_table_of_logarithms_is_right() {
        for (n, &log) in LOGS.iter().enumerate().skip(1) {
            let exact = (n as f64).ln() * 1024.0;
            assert!((f64::from(log) - exact).abs() <= 1.0, "{n}");
        }
    }

    #[test]
    fn without_a_table_move_none_is_a_capture() {
        let reduction = |fen: &str| {
            let mut node = Node::new();
            node.position = Position::from_fen(fen).unwrap();
            (node.depth, node.searched) = (10, 20);
            let mv = node.position.parse_uci("h2h3").unwrap();
            late_reduction(&node, &Histories::new(), &[Killers::NONE], mv)
        };
        // The absent move reads as a1 to a1: a man there is not taken by it.
        let occupied = reduction("4k3/8/8/8/8/8/7P/R3K3 w - - 0 1");
        assert!(occupied > 0);
        assert_eq!(occupied, reduction("4k3/8/8/8/8/8/7P/1R2K3 w - - 0 1"));
    }

    #[test]
    fn later_moves_and_deeper_nodes_are_reduced_more() {
        assert!(base_reduction(3, 4) < base_reduction(3, 20));
        assert!(base_reduction(3, 20) < base_reduction(12, 20));
    }
}
