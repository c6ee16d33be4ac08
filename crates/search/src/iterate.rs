//! Iterative deepening (Z11) and aspiration windows (Z12, D17, M6).

use crate::Depth;
use crate::histories::PieceTo;
use crate::lookup::Lookup;
use crate::node::NO_EVAL;
use crate::observer::{Bound, Iteration, Line, Outcome, Report};
use crate::parameters;
use crate::phases::Search;
use crate::root::{NOTHING, Root, RootMove};
use crate::switches::{Rules, Window};
use crate::walk::FailHigh;
use crate::worker::Driver;
use board::{Move, Position};
use eval::Evaluator;
use eval::score::{INFINITE, MATE, MATE_LIMIT, MAX_PLY, Score};

/// The last iteration without a limit.
pub const DEEPEST: i32 = MAX_PLY - 1;

/// Beyond every value.
const INFINITY: i32 = INFINITE as i32;

/// The piece by which a sliding window moves (M6).
const SLIDE: i32 = 300;

/// Lengths and phases of the blocks of iterations that helpers leave out and search in turn.
const SKIPS: [(Depth, Depth); 20] = {
    let (mut skips, mut size, mut place) = ([(0, 0); 20], 1, 0);
    while size <= 4 {
        let mut phase = 0;
        while phase < 2 * size {
            skips[place] = (size, phase);
            (place, phase) = (place + 1, phase + 1);
        }
        size += 1;
    }
    skips
};

/// The best move over the iterations, for time management.
#[derive(Clone, Debug, Default)]
struct Trend {
    best: Option<Move>,
    stable_for: u32,
    previous_score: Option<i32>,
}

/// What is searched from the root next: a state machine, so that a driver may stop between and inside
/// the searches.
#[derive(Clone, Debug)]
pub struct Deepening {
    depth: Depth,
    deepest: i32,
    step: i32,
    /// The next iteration is at least this deep.
    ahead: Depth,
    /// The number of a helper that leaves out iterations; 0 for one that does not.
    skipper: usize,
    lines: usize,
    alpha: Score,
    beta: Score,
    width: i32,
    trend: Trend,
    finished: i32,
    over: bool,
}

impl Deepening {
    /// The next search of the root, if there is one: lower and upper end of the window, depth.
    pub fn next(&self) -> Option<(i32, i32, i32)> {
        (!self.over).then_some((self.alpha, self.beta, self.depth))
    }

    /// Leaves out iterations as helper number `helper`; none as number 0.
    pub fn skip_as(&mut self, helper: usize) {
        self.skipper = helper;
    }

    /// Lets the next iteration be at least this deep.
    pub fn go_ahead(&mut self, depth: Depth) {
        self.ahead = depth;
    }

    /// The next iteration. Helpers leave out blocks of one to four iterations, each of them others: where one
    /// pauses another is ahead. No helper skips the last iteration.
    fn advance(&mut self) {
        self.depth = (self.depth + self.step).max(self.ahead.min(self.deepest));
        let Some(helper) = self.skipper.checked_sub(1) else { return };
        let (size, phase) = SKIPS[helper % SKIPS.len()];
        while self.depth + self.step < self.deepest && (self.depth + phase) / size % 2 == 1 {
            self.depth += self.step;
        }
    }

    /// The last finished iteration.
    pub fn finished(&self) -> i32 {
        self.finished
    }
}

impl<R: Rules, E: Evaluator, T: Lookup> Search<'_, R, E, T> {
    /// Searches the position deeper and deeper until a limit or the observer ends it. It is a function of its
    /// own in the program too: `cargo xtask bench instructions` counts what happens inside.
    #[inline(never)]
    pub fn iterate(&mut self, position: &Position, driver: Driver) -> Outcome {
        let mut deepening = self.begin_deepening(0, 1);
        while let Some((alpha, beta, depth)) = deepening.next() {
            let value = self.search_root(position, alpha, beta, depth, driver);
            self.deepen(&mut deepening, value);
        }
        self.outcome(&deepening)
    }

    /// Before the first iteration; `skipped` of them are left out, and each is a step deeper than the one
    /// before, so that the last step ends at the depth that was asked for.
    pub fn begin_deepening(&mut self, skipped: i32, step: i32) -> Deepening {
        let deepest = self.limits.depth.unwrap_or(DEEPEST).clamp(1, DEEPEST);
        let first = 1 + skipped + (deepest - 1 - skipped).max(0) % step;
        let mut deepening = Deepening {
            depth: if self.rules.switches().iterate { deepest.min(first) } else { deepest },
            deepest,
            step,
            ahead: 0,
            skipper: 0,
            lines: self.limits.lines.clamp(1, self.root.moves.len().max(1)),
            alpha: 0,
            beta: 0,
            width: 0,
            trend: Trend::default(),
            finished: 0,
            over: self.root.moves.is_empty(),
        };
        if !deepening.over {
            self.begin_iteration(&mut deepening);
        }
        deepening
    }

    fn begin_iteration(&mut self, deepening: &mut Deepening) {
        self.root.begin_iteration(deepening.depth);
        self.begin_line(deepening, 0);
    }

    fn begin_line(&mut self, deepening: &mut Deepening, rank: usize) {
        self.root.rank = rank;
        let expected = match (self.root.moves[rank].last_value, self.memory.previous) {
            // Marsland, 2.4: the first iteration expects what the search of the move before has found.
            (NOTHING, Some((_, value))) if rank == 0 => value,
            (value, _) => value,
        };
        (deepening.alpha, deepening.beta) = self.first_window(expected, deepening.depth);
        deepening.width = parameters::window_start();
    }

    /// Takes the value of a search of the root: a wider window, the next line, the next iteration.
    pub fn deepen(&mut self, deepening: &mut Deepening, value: Score) {
        self.root.sort();
        if !self.stopped && self.widen(deepening, value) {
            return;
        }
        let rank = self.root.rank;
        // A later line may turn out better than those before it: what is told is in order.
        let moved = self.root.sort_lines(rank + 1);
        if !self.stopped {
            for place in moved..=rank {
                self.report_line(place);
            }
            if rank + 1 < deepening.lines {
                self.begin_line(deepening, rank + 1);
                return;
            }
        }
        self.root.rank = 0;
        if self.stopped {
            deepening.over = true;
            return;
        }
        deepening.finished = deepening.depth;
        self.statistics.iterations.push(self.statistics.nodes);
        let last = deepening.depth >= deepening.deepest;
        if self.mate_is_proven() || !self.go_on(&mut deepening.trend) || last {
            deepening.over = true;
            return;
        }
        deepening.advance();
        self.begin_iteration(deepening);
    }

    /// Goes on with an iteration of this depth where the one under way is not as deep; whether it does.
    pub fn leap(&mut self, deepening: &mut Deepening, depth: Depth) -> bool {
        let deeper = deepening.depth < depth.min(deepening.deepest);
        if deeper {
            self.root.sort();
            deepening.depth = depth.min(deepening.deepest);
            self.begin_iteration(deepening);
        }
        deeper
    }

    /// Begins the iteration anew with a move that another search of it has found better than its window;
    /// whether that is new here.
    pub fn heed(&mut self, deepening: &mut Deepening, heard: &FailHigh) -> bool {
        let FailHigh { depth, mv, value } = *heard;
        let known = self.root.current.is_some_and(|(current, _)| current == mv)
            || self.root.moves.first().is_none_or(|best| best.mv == mv || best.last_value >= value);
        if known || depth < deepening.depth || self.root.rank > 0 || deepening.lines > 1 {
            return false;
        }
        self.root.sort();
        let Some(place) = self.root.moves.iter().position(|root_move| root_move.mv == mv) else {
            return false;
        };
        self.root.moves[..=place].rotate_right(1);
        deepening.beta = deepening.beta.max((value + deepening.width).min(INFINITY));
        true
    }

    /// What was found.
    pub fn outcome(&self, deepening: &Deepening) -> Outcome {
        Outcome {
            lines: self.root.moves.iter().take(deepening.lines).map(line_of).collect(),
            depth: deepening.finished,
            selective_depth: self.statistics.selective_depth,
            nodes: self.statistics.nodes,
        }
    }

    /// Asks the observer whether the next iteration should begin.
    fn go_on(&mut self, trend: &mut Trend) -> bool {
        let best = &self.root.moves[0];
        trend.stable_for = if trend.best == Some(best.mv) { trend.stable_for + 1 } else { 1 };
        trend.best = Some(best.mv);
        let iteration = Iteration {
            depth: self.root.depth,
            score: best.last_value,
            previous_score: trend.previous_score.replace(best.last_value),
            best: best.mv,
            stable_for: trend.stable_for,
            node_share: best.nodes as f64 / self.statistics.nodes.max(1) as f64,
            nodes: self.statistics.nodes,
        };
        self.observer.go_on(&iteration)
    }

    /// Whether the mate that was asked for has been found.
    fn mate_is_proven(&self) -> bool {
        let value = self.root.moves[0].last_value;
        let plies = i32::from(MATE) - value;
        value >= i32::from(MATE_LIMIT)
            && self.limits.mate.is_some_and(|moves| (plies + 1) / 2 <= moves)
    }

    /// If the value of a line was outside the window, reports that and makes it wider. The papers' windows begin
    /// anew at the value that was found (Z12, M6), which may lie inside; from the second failure of an iteration
    /// on the other end stays where it is, as with a table two searches may contradict each other.
    fn widen(&mut self, deepening: &mut Deepening, value: Score) -> bool {
        let Deepening { alpha, beta, width, .. } = deepening;
        let first = *width == parameters::window_start();
        if value <= *alpha && *alpha > -INFINITY {
            self.report(Bound::Upper, value);
            (*alpha, *beta) = match self.rules.switches().window {
                Window::Growing => (value - *width, (*alpha + *beta) / 2),
                Window::Sliding(_) => (value - SLIDE, if first { value + 1 } else { *beta }),
                _ => (-INFINITY, if first { value + 1 } else { *beta }),
            };
        } else if value >= *beta && *beta < INFINITY {
            self.report(Bound::Lower, value);
            (*alpha, *beta) = match self.rules.switches().window {
                Window::Growing => (*alpha, value + *width),
                Window::Sliding(_) => (if first { value - 1 } else { *alpha }, value + SLIDE),
                _ => (if first { value - 1 } else { *alpha }, INFINITY),
            };
        } else {
            return false;
        }
        *width += *width * parameters::window_growth() / 100;
        // Far out the values are results: no window fits them.
        *alpha = if *alpha < -parameters::window_limit() { -INFINITY } else { *alpha };
        *beta = if *beta > parameters::window_limit() { INFINITY } else { *beta };
        true
    }

    fn first_window(&self, expected: i32, depth: Depth) -> (i32, i32) {
        let around = |half: i32| match expected {
            NOTHING => (-INFINITY, INFINITY),
            _ => ((expected - half).max(-INFINITY), (expected + half).min(INFINITY)),
        };
        match self.rules.switches().window {
            Window::Full => (-INFINITY, INFINITY),
            Window::Static(half) | Window::Sliding(half) => around(half),
            Window::Growing if depth < parameters::window_depth() => (-INFINITY, INFINITY),
            Window::Growing => {
                around(parameters::window_start() + expected.abs() / parameters::window_divisor())
            }
        }
    }

    /// Puts the root on the lowest level.
    pub fn place_root(&mut self, position: &Position, alpha: Score, beta: Score, depth: Depth) {
        self.root.begin_search(self.statistics.nodes);
        let node = &mut self.memory.nodes[0];
        node.position = *position;
        (node.alpha, node.beta, node.first_alpha) = (alpha, beta, alpha);
        (node.depth, node.ply, node.fraction) = (depth, 0, 0);
        (node.pv, node.cut, node.excluded, node.null_allowed) = (true, false, Move::NONE, false);
        (node.mv, node.captured) = (Move::NONE, None);
        (node.piece_tos, node.before) = ([PieceTo::NONE; 4], [NO_EVAL; 4]);
        (node.doubles, node.threats) = (0, [Move::NONE; 2]);
    }

    fn search_root(
        &mut self,
        position: &Position,
        alpha: Score,
        beta: Score,
        depth: Depth,
        driver: Driver,
    ) -> i32 {
        self.place_root(position, alpha, beta, depth);
        match driver {
            Driver::Recursive => self.recurse(0),
            #[cfg(feature = "twin")]
            Driver::Twin => self.whole(0),
        }
    }

    /// Reports the line at a place, whose value is exact.
    fn report_line(&mut self, place: usize) {
        let score = self.root.moves[place].value;
        self.report_at(place, Bound::Exact, score);
    }

    /// Reports a bound of the line that is searched.
    fn report(&mut self, bound: Bound, value: Score) {
        self.report_at(self.root.rank, bound, value);
    }

    fn report_at(&mut self, place: usize, bound: Bound, score: Score) {
        if !self.observer.listens() {
            return;
        }
        let line = Line { score, bound, moves: self.root.moves[place].line.clone() };
        let report = Report {
            depth: self.root.depth,
            selective_depth: self.statistics.selective_depth,
            rank: place + 1,
            line: &line,
            nodes: self.statistics.nodes,
            hashfull: u32::from(self.table.hashfull()),
            tbhits: self.statistics.tbhits,
        };
        self.observer.report(&report);
    }
}

/// A root move as it is reported.
pub fn line_of(root_move: &RootMove) -> Line {
    let score = if root_move.last_value == NOTHING { 0 } else { root_move.last_value };
    let bound = if root_move.exact { Bound::Exact } else { Bound::Lower };
    Line { score, bound, moves: root_move.line.clone() }
}

/// The root's moves in their first order: those asked for, as they were named, or all legal ones.
pub fn root_moves(position: &Position, wanted: &[Move]) -> Root {
    let legal = position.legal_moves();
    match wanted.is_empty() {
        true => Root::new(legal.iter().copied()),
        false => Root::new(wanted.iter().copied().filter(|mv| legal.contains(mv))),
    }
}
