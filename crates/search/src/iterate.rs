//! Iterative deepening (Z11) and aspiration windows (Z12, D17, M6).

use crate::histories::Step;
use crate::host::{Bound, Host, Iteration, Line, Outcome, Report};
use crate::node::NO_EVAL;
use crate::parameters;
use crate::phases::Search;
use crate::root::{NOTHING, Root, RootMove};
use crate::stepper::Stepper;
use crate::switches::{Rules, Window};
use crate::worker::Driver;
use board::{Move, Position};
use eval::Evaluator;
use eval::score::{INFINITE, MATE, MATE_LIMIT, MAX_PLY};
use table::Policy;

/// The last iteration when nobody sets a limit.
pub const DEEPEST: i32 = MAX_PLY - 1;

/// Beyond every value.
const INFINITY: i32 = INFINITE as i32;

/// The best move over the iterations, for time management.
#[derive(Default)]
struct Trend {
    best: Option<Move>,
    stable_for: u32,
    previous_score: Option<i32>,
}

impl<R: Rules, E: Evaluator, P: Policy, H: Host> Search<'_, R, E, P, H> {
    /// Searches the position deeper and deeper until a limit or the host ends it.
    pub fn iterate(&mut self, position: &Position, driver: Driver) -> Outcome {
        let mut finished = 0;
        let deepest = self.limits.depth.unwrap_or(DEEPEST).clamp(1, DEEPEST);
        let shallowest = if self.rules.switches().iterate { 1 } else { deepest };
        let lines = self.limits.lines.clamp(1, self.root.moves.len().max(1));
        let mut trend = Trend::default();
        for depth in shallowest..=deepest {
            if self.root.moves.is_empty() {
                break;
            }
            self.root.begin_iteration(depth);
            for rank in 0..lines {
                self.root.rank = rank;
                self.aspire(position, depth, driver);
                if self.stopped {
                    break;
                }
                self.root.sort_lines(rank + 1);
            }
            self.root.rank = 0;
            if self.stopped {
                break;
            }
            finished = depth;
            self.statistics.iterations.push(self.statistics.nodes);
            if self.mate_is_proven() || !self.go_on(&mut trend) {
                break;
            }
        }
        self.outcome(lines, finished)
    }

    fn outcome(&self, lines: usize, depth: i32) -> Outcome {
        Outcome {
            lines: self.root.moves.iter().take(lines).map(line_of).collect(),
            depth,
            selective_depth: self.statistics.selective_depth,
            nodes: self.statistics.nodes,
        }
    }

    /// Asks the host whether the next iteration should begin.
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
        self.host.go_on(&iteration)
    }

    /// Whether the mate that was asked for has been found.
    fn mate_is_proven(&self) -> bool {
        let value = self.root.moves[0].last_value;
        let plies = i32::from(MATE) - value;
        value >= i32::from(MATE_LIMIT)
            && self.limits.mate.is_some_and(|moves| (plies + 1) / 2 <= moves)
    }

    /// Searches one line of one iteration, with a window around its last value.
    fn aspire(&mut self, position: &Position, depth: i32, driver: Driver) {
        let expected = self.root.moves[self.root.rank].last_value;
        let (mut alpha, mut beta) = self.first_window(expected, depth);
        let mut width = parameters::window_start();
        loop {
            let value = self.search_root(position, alpha, beta, depth, driver);
            self.root.sort();
            if self.stopped {
                return;
            }
            if value <= alpha && alpha > -INFINITY {
                self.report(Bound::Upper, value);
                (alpha, beta) = match self.rules.switches().window {
                    Window::Growing => (value - width, (alpha + beta) / 2),
                    _ => (-INFINITY, value + 1),
                };
            } else if value >= beta && beta < INFINITY {
                self.report(Bound::Lower, value);
                beta = match self.rules.switches().window {
                    Window::Growing => value + width,
                    _ => INFINITY,
                };
            } else {
                self.report(Bound::Exact, value);
                return;
            }
            width += width * parameters::window_growth() / 100;
            // Far out the values are results: no window fits them.
            alpha = if alpha < -3000 { -INFINITY } else { alpha };
            beta = if beta > 3000 { INFINITY } else { beta };
        }
    }

    fn first_window(&self, expected: i32, depth: i32) -> (i32, i32) {
        let around = |half: i32| match expected {
            NOTHING => (-INFINITY, INFINITY),
            _ => ((expected - half).max(-INFINITY), (expected + half).min(INFINITY)),
        };
        match self.rules.switches().window {
            Window::Full => (-INFINITY, INFINITY),
            Window::Static(half) => around(half),
            Window::Growing if depth < 5 => (-INFINITY, INFINITY),
            Window::Growing => around(parameters::window_start() + expected.abs() / 16),
        }
    }

    fn search_root(
        &mut self,
        position: &Position,
        alpha: i32,
        beta: i32,
        depth: i32,
        driver: Driver,
    ) -> i32 {
        self.root.begin_search(self.statistics.nodes);
        let node = &mut self.memory.nodes[0];
        node.position = *position;
        (node.alpha, node.beta, node.first_alpha) = (alpha, beta, alpha);
        (node.depth, node.ply, node.fraction) = (depth, 0, 0);
        (node.pv, node.cut, node.excluded, node.may_pass) = (true, false, Move::NONE, false);
        (node.mv, node.captured) = (Move::NONE, None);
        (node.steps, node.before) = ([Step::NONE; 4], [NO_EVAL; 4]);
        node.doubles = 0;
        match driver {
            Driver::Recursive => self.recurse(0),
            #[cfg(feature = "twin")]
            Driver::Twin => self.whole(0),
            Driver::Stepper => {
                let mut stepper = Stepper::new();
                loop {
                    if let Some(value) = stepper.step(self) {
                        return value;
                    }
                }
            }
        }
    }

    fn report(&mut self, bound: Bound, value: i32) {
        let root_move = &self.root.moves[self.root.rank];
        let line = Line { score: value, bound, moves: root_move.line.clone() };
        let report = Report {
            depth: self.root.depth,
            selective_depth: self.statistics.selective_depth,
            rank: self.root.rank + 1,
            line: &line,
            nodes: self.statistics.nodes,
            hashfull: u32::from(self.table.hashfull()),
            table_hits: self.statistics.table_hits,
        };
        self.host.report(&report);
    }
}

fn line_of(root_move: &RootMove) -> Line {
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
