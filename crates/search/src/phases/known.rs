//! What is known about endings (D65): tables and recognisers, at interior, horizon and quiescence nodes.
//!
//! A recognised win is a fact without a distance: it is worth at least the foot of its band (D46), and
//! inside the tree it ends a node only where that is enough. How much more it is worth depends on the
//! progress that can be made (D67), which the search finds out: the score stands for the evaluation at
//! the horizon, and takes the evaluation's place above it, so that no pruning rule takes a won position
//! for a bad one. (Ending nodes by the progress they show now, KBNK was won in 5 of 20 games.)

use super::Search;
use crate::lookup::Lookup;
use crate::node::NO_EVAL;
use crate::switches::Rules;
use board::PieceKind;
use endgame::recognise::{Claim, Recognised};
use endgame::{Answer, Value};
use eval::Evaluator;
use eval::score::{MAX_PLY, Ply, RECOGNISED, RECOGNISED_SPAN, mate_in, mated_in};

/// Nodes as which a question to files counts until the observer is asked again: a disk may take milliseconds.
const NODES_OF_A_READ: u64 = 32;

impl<R: Rules, E: Evaluator, T: Lookup> Search<'_, R, E, T> {
    /// The value of a node whose ending is known, where that ends it.
    #[inline(always)]
    pub fn known(&mut self, level: usize) -> Option<i32> {
        let oracle = self.memory.oracle.as_deref()?;
        let node = &mut self.memory.nodes[level];
        (node.known, node.staged) = (NO_EVAL, false);
        let position = &node.position;
        let few = position.occupied().count() <= oracle.most_men();
        let blocked = || {
            let bare = position.kind(PieceKind::Pawn) | position.kind(PieceKind::King);
            node.depth > 0 && oracle.sees_blockades() && position.occupied() == bare
        };
        if few || blocked() { self.ask(level) } else { None }
    }

    #[cold]
    #[inline(never)]
    fn ask(&mut self, level: usize) -> Option<i32> {
        self.statistics.table_questions += 1;
        let node = &self.memory.nodes[level];
        let oracle = self.memory.oracle.as_ref()?;
        if oracle.reads_files() {
            self.until_poll = self.until_poll.saturating_sub(NODES_OF_A_READ).max(1);
        }
        let answer = oracle.ask(&node.position, node.depth)?;
        self.statistics.tbhits += 1;
        match answer {
            Answer::Exact(value) => Some(exact(value, node.ply)),
            Answer::Known(recognised) => self.use_claim(level, recognised),
        }
    }

    fn use_claim(&mut self, level: usize, recognised: Recognised) -> Option<i32> {
        let node = &self.memory.nodes[level];
        let score = band(recognised.progress);
        let horizon = node.depth <= 0;
        let (value, ends) = match recognised.claim {
            Claim::Draw => return Some(0),
            Claim::Win => (score, horizon || node.beta <= band(0)),
            Claim::Loss => (-score, horizon || node.alpha >= -band(0)),
            Claim::AtLeastDraw => return (node.beta <= 0).then_some(0),
            Claim::AtMostDraw => return (node.alpha >= 0).then_some(0),
        };
        let node = &mut self.memory.nodes[level];
        (node.known, node.staged) = (value, recognised.staged);
        ends.then_some(value)
    }
}

/// A recognised win with the progress of the winner.
fn band(progress: i32) -> i32 {
    i32::from(RECOGNISED) + progress.clamp(0, i32::from(RECOGNISED_SPAN))
}

/// A table's distance to mate as a score; one that the scale of mates does not hold lies at the top of
/// the recognised band.
fn exact(value: Value, ply: Ply) -> i32 {
    let top = i32::from(RECOGNISED) + i32::from(RECOGNISED_SPAN);
    match value {
        Value::Draw => 0,
        Value::Win(plies) if ply + i32::from(plies) <= MAX_PLY => {
            i32::from(mate_in(ply + i32::from(plies)))
        }
        Value::Loss(plies) if ply + i32::from(plies) <= MAX_PLY => {
            i32::from(mated_in(ply + i32::from(plies)))
        }
        Value::Win(plies) => top - i32::from(plies),
        Value::Loss(plies) => i32::from(plies) - top,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eval::score::{is_decided, is_mate};

    #[test]
    fn d46_known_results_stay_in_their_bands() {
        for progress in [-5, 0, 1_700, 50_000] {
            let score = band(progress) as i16;
            assert!(is_decided(score) && !is_mate(score));
        }
        for plies in [1, 55, 245] {
            assert!(is_mate(exact(Value::Win(plies), 1) as i16));
            let far = exact(Value::Loss(plies), MAX_PLY) as i16;
            assert!(is_decided(far) && !is_mate(far));
        }
        assert!(exact(Value::Win(3), 2) > exact(Value::Win(5), 2));
        assert!(exact(Value::Win(201), 200) > exact(Value::Win(203), 200));
    }
}
