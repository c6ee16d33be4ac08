//! How long to think (M34): limits from the clocks, and how an iteration's outcome moves them.
//!
//! Pure arithmetic: no clock is read here. The caller of a search measures the time and asks. A
//! [`Budget`] has two ends: after the soft one no new iteration begins, at the hard one the search
//! stops wherever it is. The soft end moves after each iteration: sooner when the same move has been
//! best for long and most of the work went into it, later when the best move is new or its value falls.

use crate::Iteration;

/// For how many moves the remaining time must do where the time control does not tell.
const HORIZON: i64 = 40;
/// The most moves to plan for where it does: beyond, the shares hardly change.
const LONGEST_HORIZON: i64 = 60;
/// The hard limit as a multiple of the planned share.
const HARD_FACTOR: f64 = 5.0;
/// The part of what is left that one move may take at most, when others must follow.
const LARGEST_PART: f64 = 0.7;
/// Time for a number of moves' overhead that is kept aside.
const RESERVED_OVERHEADS: i64 = 2;

/// The time that is usually taken, in per cent.
pub const USUAL_TEMPO: i64 = 100;

/// Factors for a best move that is new, has held for 2, 3 … iterations.
const STABILITY: [f64; 6] = [1.60, 1.30, 1.10, 0.95, 0.85, 0.78];
/// What a score that falls by one centipawn adds to the factor.
const TREND: f64 = 0.006;
/// The trend's factor stays within these bounds.
const TREND_BOUNDS: (f64, f64) = (0.85, 1.60);
/// The factor of the node share is `SHARE_BASE - SHARE_SLOPE · share`: 1 at 57 %.
const SHARE_BASE: f64 = 1.80;
/// See [`SHARE_BASE`].
const SHARE_SLOPE: f64 = 1.40;
/// All factors together stay within these bounds.
const FACTOR_BOUNDS: (f64, f64) = (0.35, 2.50);
/// The first iterations say nothing about stability.
const FIRST_TELLING_DEPTH: i32 = 5;

/// What the clock of the side to move shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Time left, in milliseconds; some interfaces send less than nothing.
    pub remaining_ms: i64,
    /// What is added after each move.
    pub increment_ms: i64,
    /// Moves until time is added, if the time control has such periods. 0 counts as none.
    pub moves_to_go: Option<u32>,
}

/// When to stop, in milliseconds from the beginning of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    soft_ms: f64,
    hard_ms: u64,
    /// The soft limit at present.
    scaled_ms: f64,
}

impl Budget {
    /// A share of what the clock shows. `overhead_ms` is lost with each move between the programs:
    /// the plan never goes beyond what is left without it, even if that is nothing.
    pub fn of_clock(clock: &Clock, overhead_ms: i64) -> Budget {
        Budget::of_clock_at(clock, overhead_ms, USUAL_TEMPO)
    }

    /// The same for a player who takes this many per cent of the usual time.
    pub fn of_clock_at(clock: &Clock, overhead_ms: i64, percent: i64) -> Budget {
        let overhead = overhead_ms.max(0);
        let left = clock.remaining_ms.saturating_sub(overhead).max(0);
        let increment = clock.increment_ms.max(0);
        let period = clock.moves_to_go.filter(|&moves| moves > 0);
        let horizon = period.map_or(HORIZON, |moves| i64::from(moves).min(LONGEST_HORIZON)) as f64;
        let reserved = overhead.saturating_mul(RESERVED_OVERHEADS).min(left / 2);
        let pool =
            (left - reserved) as f64 + (increment - overhead).max(0) as f64 * (horizon - 1.0);
        let share = pool / horizon * (percent.max(0) as f64 / USUAL_TEMPO as f64);
        // The last move of a period may take everything that the period leaves.
        let part = if period == Some(1) { 1.0 } else { LARGEST_PART };
        let most = left as f64 * part;
        let hard = (share * HARD_FACTOR).min(most);
        // The last move: the time that is not used is lost, but a little is kept for the unforeseen.
        let soft = if period == Some(1) { most * 0.5 } else { share };
        Budget::new(soft.min(hard), (hard as u64).min(left.unsigned_abs()))
    }

    /// Exactly this time (`movetime`), less the overhead, but at least nine tenths of it.
    pub fn of_move_time(milliseconds: i64, overhead_ms: i64) -> Budget {
        let whole = milliseconds.max(0);
        let hard = whole - overhead_ms.clamp(0, whole / 10);
        Budget::new(f64::INFINITY, hard as u64)
    }

    fn new(soft_ms: f64, hard_ms: u64) -> Budget {
        Budget { soft_ms, hard_ms, scaled_ms: soft_ms }
    }

    /// When to stop at once.
    pub fn hard_ms(&self) -> u64 {
        self.hard_ms
    }

    /// After which time no iteration begins.
    pub fn soft_ms(&self) -> f64 {
        self.scaled_ms.min(self.hard_ms as f64)
    }

    /// Moves the soft limit after an iteration.
    pub fn learn(&mut self, iteration: &Iteration) {
        self.scaled_ms = self.soft_ms * factor(iteration);
    }
}

/// By how much the planned time is stretched or shortened after an iteration.
fn factor(iteration: &Iteration) -> f64 {
    if iteration.depth < FIRST_TELLING_DEPTH {
        return 1.0;
    }
    let held = iteration.stable_for.max(1) as usize - 1;
    let stability = STABILITY.get(held).or(STABILITY.last()).copied().unwrap_or(1.0);
    let fall = iteration.previous_score.map_or(0, |previous| previous - iteration.score);
    let trend = (1.0 + TREND * f64::from(fall)).clamp(TREND_BOUNDS.0, TREND_BOUNDS.1);
    let share = SHARE_BASE - SHARE_SLOPE * iteration.node_share.clamp(0.0, 1.0);
    (stability * trend * share).clamp(FACTOR_BOUNDS.0, FACTOR_BOUNDS.1)
}

/// Time counted in nodes (`nodestime`): a game whose moves do not depend on the machine's speed.
///
/// The interface's clock runs by the wall, so it is believed only before the first move; from then on
/// the remaining nodes are counted here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeClock {
    left: Option<i64>,
}

impl NodeClock {
    /// The clock of the coming move in milliseconds that are counted in nodes.
    pub fn begin(&mut self, clock: &Clock, nodes_per_ms: u64) -> Clock {
        let rate = rate(nodes_per_ms);
        let left = *self.left.get_or_insert(clock.remaining_ms.saturating_mul(rate));
        Clock { remaining_ms: left / rate, ..*clock }
    }

    /// A move took `nodes` nodes.
    pub fn spend(&mut self, clock: &Clock, nodes_per_ms: u64, nodes: u64) {
        let gained = clock.increment_ms.max(0).saturating_mul(rate(nodes_per_ms));
        let spent = i64::try_from(nodes).unwrap_or(i64::MAX);
        self.left = self.left.map(|left| left.saturating_add(gained).saturating_sub(spent));
    }
}

fn rate(nodes_per_ms: u64) -> i64 {
    i64::try_from(nodes_per_ms).unwrap_or(i64::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use board::Position;

    fn clock(remaining_ms: i64, increment_ms: i64, moves_to_go: Option<u32>) -> Clock {
        Clock { remaining_ms, increment_ms, moves_to_go }
    }

    fn iteration(stable_for: u32, fall: i32, node_share: f64) -> Iteration {
        let best = Position::startpos().legal_moves()[0];
        let previous_score = Some(fall);
        Iteration { depth: 9, score: 0, previous_score, best, stable_for, node_share, nodes: 1 }
    }

    #[test]
    fn m34_no_plan_goes_beyond_the_clock_less_the_overhead() {
        let times = [i64::MIN, -5, 0, 1, 9, 10, 11, 50, 1_000, 60_000, i64::MAX];
        for remaining in times {
            for increment in [i64::MIN, 0, 100, 60_000, i64::MAX] {
                for period in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    for overhead in [i64::MIN, 0, 10, 5_000, i64::MAX] {
                        let mut budget =
                            Budget::of_clock(&clock(remaining, increment, period), overhead);
                        let most = remaining.saturating_sub(overhead.max(0)).max(0) as u64;
                        budget.learn(&iteration(1, 500, 0.0));
                        assert!(
                            budget.hard_ms() <= most,
                            "{remaining} {increment} {period:?} {overhead}"
                        );
                        assert!((0.0..=budget.hard_ms() as f64).contains(&budget.soft_ms()));
                    }
                }
            }
        }
    }

    #[test]
    fn a_minute_is_shared_among_the_moves_to_come() {
        let budget = Budget::of_clock(&clock(60_000, 0, None), 10);
        assert!((1_200.0..2_000.0).contains(&budget.soft_ms()), "{budget:?}");
        assert!((5_000..12_000).contains(&budget.hard_ms()), "{budget:?}");
        let more = Budget::of_clock(&clock(60_000, 1_000, None), 10);
        assert!((900.0..1_100.0).contains(&(more.soft_ms() - budget.soft_ms())));
    }

    #[test]
    fn a_slow_mover_takes_more_and_never_too_much() {
        let shown = clock(60_000, 0, None);
        let usual = Budget::of_clock(&shown, 10);
        assert_eq!(Budget::of_clock_at(&shown, 10, USUAL_TEMPO), usual);
        let soft = |percent| Budget::of_clock_at(&shown, 10, percent).soft_ms();
        assert!((soft(50) / usual.soft_ms() - 0.5).abs() < 0.01);
        assert!((soft(200) / usual.soft_ms() - 2.0).abs() < 0.01);
        for percent in [i64::MIN, 0, 10, 1000, i64::MAX] {
            let budget = Budget::of_clock_at(&shown, 10, percent);
            assert!(budget.hard_ms() <= 59_990, "{percent} {budget:?}");
            assert!((0.0..=budget.hard_ms() as f64).contains(&budget.soft_ms()), "{percent}");
        }
    }

    #[test]
    fn a_period_is_used_up_but_not_overdrawn() {
        let last = Budget::of_clock(&clock(10_000, 0, Some(1)), 10);
        assert!((4_000.0..9_000.0).contains(&last.soft_ms()) && last.hard_ms() > 9_000);
        let two = Budget::of_clock(&clock(10_000, 0, Some(2)), 10);
        assert!((3_000.0..5_500.0).contains(&two.soft_ms()) && two.hard_ms() <= 7_000);
    }

    #[test]
    fn a_whole_game_is_never_lost_on_time() {
        for (start, increment) in [(1_000, 0), (10_000, 100), (300, 10), (60_000, 0)] {
            let mut left: i64 = start;
            for _ in 0..300 {
                let mut budget = Budget::of_clock(&clock(left, increment, None), 10);
                budget.learn(&iteration(1, 500, 0.0));
                left += increment - 10 - budget.hard_ms() as i64;
                assert!(left >= -10, "always the hard limit and the overhead: {left}");
                left = left.max(10);
            }
        }
    }

    #[test]
    fn a_settled_move_is_played_sooner_and_a_falling_one_later() {
        let base = Budget::of_clock(&clock(60_000, 0, None), 10);
        let soft = |seen: Iteration| {
            let mut budget = base;
            budget.learn(&seen);
            budget.soft_ms()
        };
        let calm = soft(iteration(8, 0, 0.6));
        assert!(calm < base.soft_ms() && soft(iteration(8, 0, 0.95)) < calm);
        assert!(soft(iteration(8, 60, 0.6)) > calm && soft(iteration(8, -60, 0.6)) < calm);
        assert!(soft(iteration(1, 0, 0.2)) > base.soft_ms());
        assert_eq!(soft(Iteration { depth: 2, ..iteration(1, 99, 0.1) }), base.soft_ms());
    }

    #[test]
    fn move_time_is_taken_as_it_is() {
        let budget = Budget::of_move_time(1_000, 10);
        assert_eq!((budget.hard_ms(), budget.soft_ms()), (990, 990.0));
        assert_eq!(Budget::of_move_time(10, 5_000).hard_ms(), 9);
        assert_eq!(Budget::of_move_time(-3, 10).hard_ms(), 0);
    }

    #[test]
    fn node_time_runs_by_nodes_alone() {
        let mut nodes = NodeClock::default();
        let shown = clock(1_000, 10, None);
        assert_eq!(nodes.begin(&shown, 500).remaining_ms, 1_000);
        nodes.spend(&shown, 500, 100_000);
        // The wall clock says something else; 500 000 + 5 000 - 100 000 nodes are left.
        assert_eq!(nodes.begin(&clock(3, 10, None), 500).remaining_ms, 810);
        nodes.spend(&shown, 500, u64::MAX);
        assert!(nodes.begin(&shown, 500).remaining_ms < 0);
    }
}
