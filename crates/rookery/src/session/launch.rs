//! From an order to its answer: starting a search on its own thread, ending it, answering once.

use super::control::Control;
use super::strength::{CANDIDATES, Strength};
use super::watch::{ClockCheck, Watch};
use super::{CommandError, Event, Formatter, GoRequest, Output, Session, refuse};
use crate::book::Choice;
use crate::engine::{Engine, STACK};
use board::random::SplitMix;
use board::{History, Move, Position};
use endgame::Oracle;
use search::time::{Budget, Clock};
use search::{Limits, Line};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long the end of the program waits for the last answer at most. It comes in less than a
/// millisecond, unless the machine is busy with something else.
const LAST_ANSWER: Duration = Duration::from_secs(1);

/// A search that runs.
pub struct Running {
    control: Arc<Control>,
    number: u64,
    /// What the clock showed when it began.
    clock: Option<Clock>,
    /// Whether it is sure to end by itself once nothing holds it.
    bounded: bool,
}

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The move to play; none where there is no legal one.
    pub best: Option<Move>,
    /// The reply that is expected.
    pub ponder: Option<Move>,
    /// The value for the side to move, if one was found.
    pub score: Option<i32>,
    nodes: u64,
}

/// Everything that a search needs on its thread.
struct SearchTask {
    number: u64,
    position: Position,
    history: History,
    limits: Limits,
    formatter: Box<dyn Formatter>,
    clock_check: ClockCheck,
    /// Lines to show.
    shown: usize,
    strength: Option<Strength>,
    /// A weak player takes its time: no answer before this.
    earliest: Option<Instant>,
    /// The book's move: there is nothing to search.
    book: Option<Choice>,
    random: Arc<Mutex<SplitMix>>,
    engine: Arc<Mutex<Engine>>,
    control: Arc<Control>,
    output: Output,
}

impl Session {
    /// Starts a search; its time counts from `start`, when the request was read.
    pub fn launch(
        &mut self,
        (position, history): (Position, History),
        request: GoRequest,
        formatter: Box<dyn Formatter>,
        start: Instant,
    ) -> Result<(), CommandError> {
        let control = Arc::new(Control::new(request.ponder, request.infinite));
        let (clock, bounded) = (request.clock, request.is_bounded());
        if clock.is_some() {
            endgame::recognise::unpack_ahead();
        }
        self.searches += 1;
        let book = self.book_move(&position, &request)?;
        let mut task = self.task((position, history), request, formatter, start, &control);
        task.book = book;
        let events = self.events.clone();
        let thread = thread::Builder::new().name("search".to_owned()).stack_size(STACK);
        match thread.spawn(move || task.run(&events)) {
            Ok(_) => {
                self.running = Some(Running { control, number: self.searches, clock, bounded });
                Ok(())
            }
            Err(error) => refuse(format!("go: the system gives no thread: {error}")),
        }
    }

    /// Lets other work than a search run beside the console, with which it takes turns. The work looks now
    /// and then whether it was stopped, and says itself what came of it.
    pub fn work(
        &mut self,
        work: impl FnOnce(&Arc<Control>, &Output) + Send + 'static,
    ) -> Result<(), CommandError> {
        let control = Arc::new(Control::new(false, false));
        self.searches += 1;
        let (number, events, output) = (self.searches, self.events.clone(), self.output.clone());
        let told = Arc::clone(&control);
        let run = move || {
            work(&told, &output);
            told.begin_answer();
            told.finish(Answer::default());
            let _ = events.send(Event::Finished(number));
        };
        match thread::Builder::new().name("work".to_owned()).spawn(run) {
            Ok(_) => {
                self.running = Some(Running { control, number, clock: None, bounded: true });
                Ok(())
            }
            Err(error) => refuse(format!("the system gives no thread: {error}")),
        }
    }

    fn task(
        &mut self,
        (position, history): (Position, History),
        request: GoRequest,
        formatter: Box<dyn Formatter>,
        start: Instant,
        control: &Arc<Control>,
    ) -> SearchTask {
        let budget = self.budget(&request);
        let options = &self.options;
        // A level is for games: who analyses wants to know what is true.
        let strength =
            options.strength().filter(|_| !options.analyse_mode && !request.is_analysis());
        let forced = request.move_time_ms.is_none() && position.count_legal_moves() == 1;
        let earliest = strength.zip(budget).filter(|_| !forced && self.takes_its_time(&request));
        let earliest = earliest.map(|(strength, budget)| {
            let mut random = self.random.lock().unwrap_or_else(PoisonError::into_inner);
            start + strength.thinking_time(&budget, &mut random)
        });
        let mut limits = request.limits;
        limits.lines = options.multi_pv;
        if let Some(strength) = strength {
            limits.lines = limits.lines.max(CANDIDATES);
            limits.nodes = Some(limits.nodes.unwrap_or(u64::MAX).min(strength.nodes()));
        }
        let nodes_per_second = request.nodes_per_second.unwrap_or(options.nodes_per_ms * 1000);
        SearchTask {
            number: self.searches,
            position,
            history,
            limits,
            formatter,
            clock_check: ClockCheck { start, budget, nodes_per_second, forced, is_late: false },
            shown: options.multi_pv,
            strength,
            earliest,
            book: None,
            random: Arc::clone(&self.random),
            engine: Arc::clone(&self.engine),
            control: Arc::clone(control),
            output: self.output.clone(),
        }
    }

    /// Whether a weak player is to think for as long as a person might: where a clock of time, and nothing
    /// else, decides when the search ends.
    fn takes_its_time(&self, request: &GoRequest) -> bool {
        let by_nodes = request.nodes_per_second.is_some() || self.options.nodes_per_ms > 0;
        let limited = request.limits.depth.is_some() || request.limits.nodes.is_some();
        self.options.skill_pause && request.move_time_ms.is_none() && !by_nodes && !limited
    }

    /// How long a search may take that begins now.
    pub fn budget(&mut self, request: &GoRequest) -> Option<Budget> {
        let nodes_per_ms = self.options.nodes_per_ms;
        // Time that is counted in nodes is not lost between programs.
        let by_nodes = request.nodes_per_second.is_some() || nodes_per_ms > 0;
        let overhead_ms = if by_nodes { 0 } else { self.options.overhead_ms };
        match (request.infinite, request.move_time_ms, request.clock) {
            (true, ..) | (_, None, None) => None,
            (_, Some(time), _) => Some(Budget::of_move_time(time, overhead_ms)),
            (_, None, Some(clock)) if request.nodes_per_second.is_none() && nodes_per_ms > 0 => {
                let clock = self.node_clock.begin(&clock, nodes_per_ms);
                Some(Budget::of_clock_at(&clock, overhead_ms, self.options.slow_mover))
            }
            (_, None, Some(clock)) => {
                Some(Budget::of_clock_at(&clock, overhead_ms, self.options.slow_mover))
            }
        }
    }

    /// Whether a search runs whose answer is wanted.
    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Whether the search that runs was told to answer at once.
    pub fn is_stopping(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.control.is_stopped())
    }

    /// Whether what runs answers only after a command.
    pub fn is_held(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.control.is_held())
    }

    /// Whether what runs is sure to end without a command.
    pub fn ends_by_itself(&self) -> bool {
        self.running.as_ref().is_some_and(|running| {
            running.control.is_stopped() || running.bounded && !running.control.is_held()
        })
    }

    /// The search answers at once.
    pub fn stop(&self) {
        self.tell(Control::stop);
    }

    /// The predicted move was played. A budget given here replaces that of the request.
    pub fn ponder_hit(&self, budget: Option<Budget>) {
        self.tell(|control| control.ponder_hit(budget));
    }

    /// Lets the search end by itself, however it was asked for.
    pub fn release(&self) {
        self.tell(Control::release);
    }

    /// Holds the search, and its time, until it is told to go on.
    pub fn pause(&self, on: bool) {
        self.tell(|control| control.pause(on));
    }

    fn tell(&self, change: impl FnOnce(&Control)) {
        if let Some(running) = &self.running {
            change(&running.control);
        }
    }

    /// Ends the search and wants no answer: nothing is heard of it any more.
    pub fn abandon(&mut self) {
        if let Some(running) = self.running.take() {
            running.control.abandon();
        }
    }

    /// Takes the answer of the search of this number; none if it was abandoned or caught up with before.
    pub fn finished(&mut self, number: u64) -> Option<Answer> {
        let running = self.running.take_if(|running| running.number == number)?;
        let answer = running.control.take_answer()?;
        if let (Some(clock), rate @ 1..) = (running.clock, self.options.nodes_per_ms) {
            self.node_clock.spend(&clock, rate, answer.nodes);
        }
        Some(answer)
    }

    /// Takes an answer that is shown already, although its event has yet to come: what is said after the
    /// answer was read must find the search over.
    pub fn catch_up(&mut self) -> Option<Answer> {
        let running = self.running.as_ref()?;
        let number = running.control.is_answering().then_some(running.number)?;
        self.finished(number)
    }

    /// Ends the search and leaves it a moment to answer.
    pub fn end(&mut self) {
        if let Some(running) = self.running.take() {
            running.control.stop();
            running.control.await_finish(LAST_ANSWER);
        }
    }
}

impl SearchTask {
    /// Searches, answers once, and tells the console. The engine is free again by then.
    fn run(self, events: &SyncSender<Event>) {
        let answer = self.answer();
        self.control.finish(answer);
        // Where the console is gone, so is the program in a moment.
        let _ = events.send(Event::Finished(self.number));
    }

    fn answer(&self) -> Answer {
        let Some(first) = self.first_move() else {
            self.show(self.formatter.no_move(self.position.in_check()));
            self.control.await_release();
            return self.tell(Answer::default());
        };
        if let Some(choice) = self.book {
            return self.play_from_book(choice);
        }
        let SearchTask { position, history, limits, formatter, .. } = self;
        let mut watch = Watch::new(
            &self.control,
            &self.output,
            formatter.as_ref(),
            self.clock_check,
            self.shown,
        );
        let (outcome, fault) = {
            let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
            let limits = self.keep_result(limits, engine.oracle());
            let outcome = engine.search(position, history, &limits, &mut watch);
            (outcome, engine.take_learning_fault())
        };
        if let Some(reason) = fault {
            self.show(Some(formatter.failure(&format!("{reason}: no more learning"))));
        }
        self.take_time();
        self.control.await_release();
        let answer = match &outcome {
            Ok(outcome) => {
                let line = self.choose(&outcome.lines);
                watch.conclude(outcome, line);
                let nth = |number: usize| line.and_then(|line| line.moves.get(number).copied());
                Answer {
                    best: nth(0).or(Some(first)),
                    ponder: nth(1),
                    score: line.map(|line| line.score),
                    nodes: outcome.nodes,
                }
            }
            Err(reason) => {
                self.show(Some(formatter.failure(reason)));
                Answer { best: Some(first), ..Answer::default() }
            }
        };
        self.tell(answer)
    }

    /// Shows the answer.
    fn tell(&self, answer: Answer) -> Answer {
        self.control.begin_answer();
        self.show(self.formatter.answer(answer.best, answer.ponder));
        answer
    }

    /// Waits as long as a weak player would have thought.
    fn take_time(&self) {
        let left = self.earliest.map(|time| time.saturating_duration_since(Instant::now()));
        if let Some(left) = left.filter(|left| !left.is_zero()) {
            self.control.await_stop(left);
        }
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

    fn play_from_book(&self, choice: Choice) -> Answer {
        let Choice { mv, share, reply } = choice;
        self.show(self.formatter.book_move(mv, share));
        self.control.await_release();
        self.tell(Answer { best: Some(mv), ponder: reply, ..Answer::default() })
    }

    /// Where the output is closed, the answer is not waited for.
    fn show(&self, line: Option<String>) {
        if let Some(line) = line
            && self.output.line_unless(line, || self.control.is_abandoned()).is_err()
        {
            self.control.stop();
        }
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
