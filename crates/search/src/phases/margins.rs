//! The margins: small rules that say what need not be searched, each for itself.

use crate::node::Node;
use crate::parameters;
use eval::score::{EVAL_LIMIT, is_decided};

/// DarkSight's margins (D20 to D22): a queen, a rook, four pawns.
const DARKSIGHT_RAZOR: i32 = 900;
const DARKSIGHT_EXTENDED_FUTILITY: i32 = 500;
const DARKSIGHT_FUTILITY: i32 = 400;

/// D20: with exactly three plies left, if a queen would have to be won, a ply less.
pub fn darksight_razors(depth: i32, eval: i32, alpha: i32) -> bool {
    depth == 3 && alpha - eval >= DARKSIGHT_RAZOR
}

/// D21 and D22: with two plies left and a rook, or one and four pawns to be won, the estimate is taken.
pub fn darksight_estimate(depth: i32, eval: i32, alpha: i32) -> Option<i32> {
    let needed = alpha - eval;
    let futile = match depth {
        1 => needed >= DARKSIGHT_FUTILITY,
        2 => needed >= DARKSIGHT_EXTENDED_FUTILITY,
        _ => false,
    };
    futile.then_some(eval)
}

/// Reverse futility: so far above beta that the opponent will not come back in so few plies.
#[inline(always)]
pub fn reverse_futility(node: &Node) -> bool {
    let margin = parameters::reverse_futility_margin() * (node.depth - i32::from(node.improving));
    node.depth <= parameters::reverse_futility_depth()
        && node.guess - margin >= node.beta
        && node.guess < i32::from(EVAL_LIMIT)
        && node.beta > -i32::from(EVAL_LIMIT)
}

/// Razoring: so far below alpha that only captures can help, and the quiescence search will tell.
#[inline(always)]
pub fn razors(node: &Node) -> bool {
    let margin =
        parameters::razoring_base() + parameters::razoring_margin() * node.depth * node.depth;
    node.depth <= parameters::razoring_depth()
        && node.guess + margin <= node.alpha
        && !is_decided(node.alpha as i16)
}

/// Near the horizon, where a cut is expected and only a move can bring it: the captures are tried first,
/// by the quiescence search, so that the first move is one that cuts off if there is such a capture.
#[inline(always)]
pub fn scouts(node: &Node) -> bool {
    node.cut
        && node.depth <= parameters::scout_depth()
        && node.table_move.is_none()
        && node.eval < node.beta
}

/// How many quiet moves are worth a look at a depth.
#[inline(always)]
pub fn late_move_count(depth: i32, improving: bool) -> i32 {
    // Halved where nothing improves: by a shift, as a division by a variable takes longer than the rest.
    (parameters::late_moves_base() + depth * depth) >> i32::from(!improving)
}

/// The reduction of a move by depth and number, in 1024ths of a ply.
#[inline(always)]
pub fn base_reduction(depth: i32, number: i32) -> i32 {
    let logs = LOGS[depth.clamp(1, 63) as usize] * LOGS[number.clamp(1, 63) as usize] / 1024;
    parameters::reduction_base() + logs * parameters::reduction_slope() / 1024
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

    #[test]
    fn d20_to_d22_apply_at_their_depths_and_margins_only() {
        assert!(darksight_razors(3, 0, 900) && !darksight_razors(3, 0, 899));
        assert!(!darksight_razors(2, 0, 2000) && !darksight_razors(4, 0, 2000));
        assert_eq!(darksight_estimate(2, -10, 490), Some(-10));
        assert_eq!(darksight_estimate(2, -10, 489), None);
        assert_eq!(darksight_estimate(1, 5, 405), Some(5));
        assert_eq!(darksight_estimate(1, 5, 404), None);
        assert_eq!(darksight_estimate(3, 0, 5000), None);
    }

    #[test]
    fn the_table_of_logarithms_is_right() {
        for (n, &log) in LOGS.iter().enumerate().skip(1) {
            let exact = (n as f64).ln() * 1024.0;
            assert!((f64::from(log) - exact).abs() <= 1.0, "{n}");
        }
    }

    #[test]
    fn later_moves_and_deeper_nodes_are_reduced_more() {
        assert!(base_reduction(3, 4) < base_reduction(3, 20));
        assert!(base_reduction(3, 20) < base_reduction(12, 20));
        assert!(late_move_count(4, false) < late_move_count(4, true));
    }
}
