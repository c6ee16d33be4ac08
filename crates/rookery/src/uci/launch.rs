//! From `go` to `bestmove`: starting a search on its own thread, ending it, answering once.

use super::control::Control;
use super::go::{self, Go};
use super::info::Wording;
use super::output::Output;
use super::strength::{CANDIDATES, Random, Strength};
use super::watch::{Pace, Watch};
use super::{Console, Event, Trouble, refuse};
use crate::engine::{Engine, STACK};
use board::{History, Move, Position};
use endgame::Oracle;
use search::time::{Budget, Clock};
use search::{Limits, Line};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long the end of the program waits for the last answer.
const LAST_ANSWER: Duration = Duration::from_millis(20);

/// A search that runs.
pub struct Running {
    control: Arc<Control>,
    /// What the clock showed when it began.
    clock: Option<Clock>,
}

/// Everything that a search needs on its thread.
struct Task {
    position: Position,
    history: History,
    limits: Limits,
    wording: Wording,
    pace: Pace,
    /// Lines to show.
    shown: usize,
    strength: Option<Strength>,
    random: Arc<Mutex<Random>>,
    engine: Arc<Mutex<Engine>>,
    control: Arc<Control>,
    output: Output,
}

impl Console {
    /// `go …`: starts a search. With `stopped` its `stop` has come already.
    pub(super) fn go(&mut self, words: &[&str], stopped: bool) -> Result<(), Trouble> {
        let start = Instant::now();
        let go = go::read(words, &self.position)?;
        let control = Arc::new(Control::new(go.ponder, go.infinite));
        if stopped {
            control.stop();
        }
        let clock = go.clock;
        let task = self.task(go, start, &control);
        let events = self.events.clone();
        let thread = thread::Builder::new().name("search".to_owned()).stack_size(STACK);
        match thread.spawn(move || task.run(&events)) {
            Ok(_) => {
                self.running = Some(Running { control, clock });
                Ok(())
            }
            Err(error) => refuse(format!("go: the system gives no thread: {error}")),
        }
    }

    fn task(&mut self, go: Go, start: Instant, control: &Arc<Control>) -> Task {
        let options = &self.options;
        let nodes_per_ms = options.nodes_per_ms;
        let budget = match (go.infinite, go.move_time_ms, go.clock) {
            (true, ..) => None,
            (_, Some(time), _) => Some(Budget::of_move_time(time, options.overhead_ms)),
            (_, None, Some(clock)) if nodes_per_ms > 0 => {
                let clock = self.node_clock.begin(&clock, nodes_per_ms);
                Some(Budget::of_clock(&clock, 0))
            }
            (_, None, clock) => clock.map(|clock| Budget::of_clock(&clock, options.overhead_ms)),
        };
        let mut limits = go.limits;
        let strength = options.strength();
        limits.lines = options.multi_pv;
        if let Some(strength) = strength {
            limits.lines = limits.lines.max(CANDIDATES);
            limits.depth = Some(limits.depth.unwrap_or(i32::MAX).min(strength.depth()));
        }
        let forced = go.move_time_ms.is_none() && self.position.count_legal_moves() == 1;
        Task {
            position: self.position,
            history: self.history.clone(),
            limits,
            wording: Wording {
                style: self.castling_style(),
                show_wdl: options.show_wdl,
                position: self.position,
            },
            pace: Pace { start, budget, nodes_per_ms, forced, is_late: false },
            shown: options.multi_pv,
            strength,
            random: Arc::clone(&self.random),
            engine: Arc::clone(&self.engine),
            control: Arc::clone(control),
            output: self.output.clone(),
        }
    }

    /// `stop`: ends the search, and every one that waits for it to end.
    pub(super) fn stop(&mut self) {
        if let Some(running) = &self.running {
            running.control.stop();
        }
        self.queue.stop_all();
    }

    /// `ponderhit`: the predicted move was played.
    pub(super) fn ponder_hit(&self) {
        if let Some(running) = &self.running {
            running.control.ponder_hit();
        }
    }

    /// The search has answered.
    pub(super) fn finished(&mut self, nodes: u64) {
        let clock = self.running.take().and_then(|running| running.clock);
        if let (Some(clock), rate @ 1..) = (clock, self.options.nodes_per_ms) {
            self.node_clock.spend(&clock, rate, nodes);
        }
    }

    /// Ends the search and leaves it a moment to answer.
    pub(super) fn abandon(&mut self) {
        if let Some(running) = self.running.take() {
            running.control.stop();
            running.control.await_finish(LAST_ANSWER);
        }
    }

    /// Lets the search end by itself, however it was asked for.
    pub(super) fn release(&self) {
        if let Some(running) = &self.running {
            running.control.release();
        }
    }
}

impl Task {
    /// Searches, answers once, and tells the console. The engine is free again by then.
    fn run(self, events: &SyncSender<Event>) {
        let nodes = self.answer();
        self.control.finish();
        // Where the console is gone, so is the program in a moment.
        let _ = events.send(Event::Finished { nodes });
    }

    fn answer(&self) -> u64 {
        let Some(first) = self.first_move() else {
            let score = if self.position.in_check() { "mate 0" } else { "cp 0" };
            let _ = self.output.line(format_args!("info depth 0 score {score}"));
            self.control.await_release();
            let _ = self.output.line("bestmove (none)");
            return 0;
        };
        let Task { position, history, limits, wording, .. } = self;
        let mut watch = Watch::new(&self.control, &self.output, wording, self.pace, self.shown);
        let outcome = {
            let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
            let limits = self.keep_result(limits, engine.oracle());
            engine.search(position, history, &limits, &mut watch)
        };
        self.control.await_release();
        let (best, ponder, nodes) = match &outcome {
            Ok(outcome) => {
                let line = self.choose(&outcome.lines);
                let nth = |number: usize| line.and_then(|line| line.moves.get(number).copied());
                (nth(0).unwrap_or(first), nth(1), outcome.nodes)
            }
            Err(reason) => {
                let _ = self.output.line(format_args!("info string error {reason}"));
                (first, None, 0)
            }
        };
        let _ = self.output.line(wording.best(best, ponder));
        nodes
    }

    /// Where tables know the result of the root, only the moves that keep it are searched.
    fn keep_result(&self, limits: &Limits, oracle: Option<&Oracle>) -> Limits {
        let mut limits = limits.clone();
        if limits.root_moves.is_empty() && limits.lines <= 1 {
            let kept = oracle.and_then(|oracle| oracle.root_moves(&self.position));
            limits.root_moves = kept.unwrap_or_default();
        }
        limits
    }

    /// Something to play whatever happens.
    fn first_move(&self) -> Option<Move> {
        let wanted = self.limits.root_moves.first().copied();
        wanted.or_else(|| self.position.legal_moves().first().copied())
    }

    fn choose<'a>(&self, lines: &'a [Line]) -> Option<&'a Line> {
        match self.strength {
            None => lines.first(),
            Some(strength) => {
                let mut random = self.random.lock().unwrap_or_else(PoisonError::into_inner);
                strength.choose(lines, &mut random)
            }
        }
    }
}
