//! One thread at work: a processor with a mailbox and the real clock.
//!
//! Time passes by itself: the thread searches some nodes, looks for mail or a time that has come, and goes on.
//! Where it has nothing to search it searches the root by itself, or sleeps on its mailbox. `machine.rs` is
//! what it does for the strategy.

use super::ThreadReport;
use super::extras::Extra;
use super::idle_search::{Found, IdleSearch};
use super::lookup::Shared;
use super::mailbox::Mailbox;
use super::main_observer::Interrupt;
use super::recorder::Tape;
use super::shared_search::{Envelope, SharedSearch};
use crate::processor::{Core, Machine};
use crate::timeline::Activity;
use crate::{Peer, RootSearch, StrategyKind, Time};
use eval::Evaluator;
use search::switches::Rules;
use search::walk::{Session, Walker};
use search::{FIRST_ITERATION, Lookup, Outcome, Pacer, Report};
use std::collections::VecDeque;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Nodes between two looks around, unless there is mail: about a tenth of a millisecond.
const SLICE: u64 = 128;

/// Slices of the idle search between two looks for something due.
const IDLE_SLICES: u32 = 16;

/// Longest sleep of the first thread while its helpers work: the user may want something.
const USER_PATIENCE: Duration = Duration::from_millis(1);

/// Time between two questions to the user while the first thread searches.
const QUESTIONS_NS: Time = 250_000;

/// Longest sleep of a thread whose envelope could not be sent.
const POST_PATIENCE: Duration = Duration::from_micros(200);

pub(super) struct Processor<'a, R, E, T> {
    pub(super) core: Core<Session<'a, R, E, Shared<'a, T>>>,
    pub(super) shared: &'a SharedSearch,
    pub(super) mailbox: &'a Mailbox<Envelope>,
    idle_search: Option<IdleSearch<'a, R, E>>,
    /// Whether this thread talks to the user.
    speaks: bool,
    /// Whether every thread searches the root.
    roots: bool,
    interrupt: Interrupt<'a>,
    /// Envelopes for full mailboxes, in the order in which they were written.
    pub(super) unsent: VecDeque<(Peer, Envelope)>,
    envelopes: Vec<Envelope>,
    /// Whether something was written that may concern other processes.
    pub(super) written: bool,
    /// How many nodes may be searched without a look at the clock.
    pacer: Pacer,
    /// When the user is to be asked next.
    next_question: Time,
    /// The last iteration that was offered.
    offered: i32,
    /// Whether this thread has finished the search of the root.
    finished: bool,
    pub(super) report: ThreadReport,
    /// Where what it does is recorded, if it is.
    pub(super) tape: Option<Tape<'a>>,
}

impl<'a, R: Rules, E: Evaluator, T: Lookup> Processor<'a, R, E, T> {
    pub fn new(
        me: Peer,
        shared: &'a SharedSearch,
        walk: Session<'a, R, E, Shared<'a, T>>,
        idle_search: Option<IdleSearch<'a, R, E>>,
        speaks: bool,
    ) -> Processor<'a, R, E, T> {
        Processor {
            core: Core::new(me, walk, shared.strategy(me)),
            shared,
            mailbox: &shared.mailboxes[me.index()],
            idle_search,
            speaks,
            roots: shared.settings.strategy == StrategyKind::Lazy && shared.mailboxes.len() > 1,
            interrupt: Interrupt::new(shared, me, false),
            unsent: VecDeque::new(),
            envelopes: Vec::new(),
            written: false,
            pacer: Pacer::default(),
            next_question: 0,
            offered: 0,
            finished: false,
            report: ThreadReport::default(),
            // A search that is over before it begins does nothing.
            tape: shared.recorder.as_ref().filter(|_| !shared.is_over()).and_then(|it| it.tape(me)),
        }
    }

    /// Works until the search is over. What the first thread answers.
    pub fn work(mut self) -> (Option<Outcome>, ThreadReport) {
        let is_first = self.core.me == Peer::FIRST;
        let root: Option<&RootSearch> = is_first.then_some(&self.shared.root);
        self.consult(|strategy, context| strategy.begin(root, context));
        while !self.shared.is_over() {
            self.look();
            self.begin_span();
            match (self.core.question.is_some(), self.core.is_runnable()) {
                (true, _) => self.await_entry(),
                (false, false) => self.rest(),
                (false, true) => self.search(),
            }
            let shared = self.shared;
            self.end_span(|| shared.now());
        }
        let outcome = is_first.then(|| self.answer());
        self.core.walk.clear();
        self.report.nodes = self.nodes();
        let table = &mut *self.core.walk.table;
        self.report.table_reads = table.remote.as_ref().map_or(0, |remote| remote.asked);
        if let Some(idle_search) = &mut self.idle_search {
            self.report.idle_nodes = idle_search.nodes();
            idle_search.end(table);
        }
        (outcome, self.report)
    }

    /// Reads the mail and does what is due.
    fn look(&mut self) {
        if let Some(remote) = &mut self.core.walk.table.remote {
            remote.flush_reads();
        }
        self.shared.pump();
        self.written = false;
        self.take_answers();
        if self.mailbox.has_mail() {
            let mut envelopes = std::mem::take(&mut self.envelopes);
            self.mailbox.take(&mut envelopes);
            for Envelope { from, message } in envelopes.drain(..) {
                self.consult(|strategy, context| strategy.handle(from, message, context));
            }
            self.envelopes = envelopes;
        }
        if !self.unsent.is_empty() {
            self.post();
        }
        if self.shared.is_wanted() {
            self.give();
        }
        self.wake();
        if self.written {
            // A thread elsewhere may be idle until it comes.
            self.shared.pump();
        }
    }

    /// Gives work to a thread that wants it, if there is some here.
    fn give(&mut self) {
        let (shared, me) = (self.shared, self.core.me);
        if shared.remote.is_none() {
            return self.give_to(me, || shared.requests.take());
        }
        // Those of this process first: to them the way is shorter.
        if let Some(origin) = shared.requests.oldest() {
            self.give_to(origin, || shared.requests.take());
        } else if let Some(origin) = shared.shared_request(me) {
            self.give_to(origin, || shared.take_shared_request(origin));
        }
    }

    fn give_to(&mut self, origin: Peer, request: impl FnOnce() -> Option<Envelope>) {
        if self.core.strategy.could_give(origin, &self.core.walk)
            && let Some(Envelope { from, message }) = request()
        {
            self.consult(|strategy, context| strategy.handle(from, message, context));
        }
    }

    /// Records what begins now.
    fn begin_span(&mut self) {
        let Some(tape) = &mut self.tape else { return };
        let idle_search = self.idle_search.as_ref().filter(|idle_search| !idle_search.is_done());
        let (walk, own) = (&self.core.walk, self.core.walk.walk.place());
        let (activity, place) = match (self.core.is_runnable(), idle_search) {
            (true, _) => (Activity::Search, own),
            _ if self.core.question.is_some() => (Activity::Table, own),
            (false, Some(idle_search)) => (Activity::Alone, idle_search.place()),
            (false, None) if walk.is_waiting() => (Activity::Wait, own),
            (false, None) => (Activity::Idle, None),
        };
        tape.begin(self.shared.now(), activity, place);
    }

    /// Records its end.
    fn end_span(&mut self, now: impl FnOnce() -> Time) {
        if let Some(tape) = &mut self.tape {
            tape.end(now());
        }
    }

    /// Nodes of this thread.
    pub(super) fn nodes(&self) -> u64 {
        let idle = self.idle_search.as_ref().map_or(0, IdleSearch::nodes);
        self.core.walk.nodes() + idle
    }

    /// Waits until there is something to do: in the idle search, or asleep.
    fn rest(&mut self) {
        let begun = self.shared.now();
        let idle = u32::from(self.core.walk.is_idle());
        self.shared.idle.fetch_add(idle, Relaxed);
        match self.idle_search.as_ref().is_some_and(|idle_search| !idle_search.is_done()) {
            true => self.search_idly(),
            false => self.sleep(begun),
        }
        self.shared.idle.fetch_sub(idle, Relaxed);
        self.report.waits += 1;
        self.report.waiting += Duration::from_nanos(self.shared.now() - begun);
        self.ask_user();
    }

    /// Searches the root alone until there is mail or a time has come.
    fn search_idly(&mut self) {
        let Some(idle_search) = &mut self.idle_search else { return };
        let table = &mut *self.core.walk.table;
        table.set_asking(false);
        for _ in 0..IDLE_SLICES {
            if let Some(found) = idle_search.go_on(table) {
                let Found { depth, last, outcome, nodes } = found;
                // The first thread answers by its own walk: what it found idly is a vote of its own.
                let me = self.core.me;
                let voter =
                    if me == Peer::FIRST { self.shared.mailboxes.len() } else { me.index() };
                self.shared.note(voter, || (outcome.clone(), nodes));
                self.shared.offer(false, depth, last, || outcome);
                if last {
                    self.shared.end();
                }
            }
            self.shared.pump();
            let due = self.core.wake.is_some_and(|wake| wake <= self.shared.now());
            if due || self.mailbox.has_mail() || self.shared.is_over() || idle_search.is_done() {
                break;
            }
        }
        table.set_asking(true);
        self.shared.gauge(self.core.me).nodes.store(self.nodes(), Relaxed);
    }

    /// Sleeps until there is something to do.
    fn sleep(&mut self, begun: Time) {
        let wake = self.core.wake.map(|wake| Duration::from_nanos(wake.saturating_sub(begun)));
        let user = self.speaks.then_some(USER_PATIENCE);
        let post = (!self.unsent.is_empty()).then_some(POST_PATIENCE);
        let longest = [wake, user, post].into_iter().flatten().min();
        if self.shared.remote.is_some() {
            self.shared.await_mail(self.mailbox, longest);
        } else if longest.is_none_or(|time| !time.is_zero()) && !self.linger(begun) {
            self.mailbox.sleep(longest);
        }
    }

    /// Looks for a moment whether mail comes, where every thread has a processor of its own: to be woken
    /// takes longer than most answers.
    fn linger(&self, begun: Time) -> bool {
        let end = begun + self.shared.settings.linger_ns;
        while self.shared.now() < end {
            if self.mailbox.has_mail() || self.shared.is_over() {
                return true;
            }
            std::hint::spin_loop();
        }
        false
    }

    /// Hears where other searches of the root stand: the first thread of a helper's fail high, a helper of the
    /// iterations that the first thread has finished.
    fn hear(&mut self) {
        let (shared, walk) = (self.shared, &mut self.core.walk);
        let extras = shared.settings.extras;
        if self.core.me != Peer::FIRST && extras.has(Extra::Ahead) {
            walk.walk.set_ahead(shared.first_reached() + 1);
        } else if extras.has(Extra::Hear)
            && let Some(heard) = shared.take_fail_high()
        {
            walk.hear_fail_high(&heard);
        }
    }

    /// Searches a while.
    fn search(&mut self) {
        if self.roots {
            self.hear();
        }
        let (slice, begun, before) = (self.slice(), self.shared.now(), self.core.walk.nodes());
        let pause = self.interrupt.run(&mut self.core.walk, slice);
        let now = self.shared.now();
        self.end_span(|| now);
        let statistics = self.core.walk.walk.statistics();
        let taken = Duration::from_nanos(now.saturating_sub(begun));
        self.pacer.measured(statistics.nodes - before, taken, None);
        let gauge = self.shared.gauge(self.core.me);
        gauge.nodes.store(self.nodes(), Relaxed);
        gauge.tbhits.store(statistics.tbhits, Relaxed);
        gauge.selective_depth.store(statistics.selective_depth, Relaxed);
        self.after(pause);
        if self.shared.root.limits.nodes.is_some_and(|most| self.shared.nodes() >= most) {
            self.shared.end();
        }
        if now >= self.next_question {
            self.ask_user();
        }
    }

    /// How many nodes to search before the next look.
    fn slice(&self) -> u64 {
        let usual = self.shared.remote.as_ref().map_or(SLICE, |remote| remote.distance.slice);
        let usual = usual.min(self.pacer.interval());
        match self.shared.root.limits.nodes {
            None => usual,
            Some(most) => {
                let left = most.saturating_sub(self.shared.nodes());
                (left / self.shared.mailboxes.len() as u64).clamp(1, usual)
            }
        }
    }

    fn ask_user(&mut self) {
        self.next_question = self.shared.now() + QUESTIONS_NS;
        let walk = &mut self.core.walk;
        let progress = walk.walk.progress();
        let wants_end = |observer: &mut &mut dyn search::Observer| observer.should_stop(&progress);
        if self.speaks && walk.observer.as_mut().is_some_and(wants_end) {
            let is_first = walk.walk.reached() == 0 && self.nodes() < FIRST_ITERATION;
            if !is_first {
                self.shared.end();
            }
        }
    }

    /// An iteration of the root may be finished, or all of them are.
    pub(super) fn offer(&mut self, last: bool) {
        let walk = &*self.core.walk.walk;
        let (depth, me) = (walk.reached(), self.core.me);
        self.shared.gauge(me).reached.store(depth, Relaxed);
        self.shared.note(me.index(), || (walk.outcome(), walk.nodes_by_move()));
        if me != Peer::FIRST
            && self.shared.settings.extras.has(Extra::Hear)
            && let Some(found) = walk.failed_high()
        {
            self.shared.report_fail_high(found);
        }
        if depth > self.offered || last {
            (self.offered, self.finished) = (depth, last);
            self.shared.offer(me == Peer::FIRST, depth, last, || walk.outcome());
        }
    }

    /// What the first thread has found, or another that is preferred or has come to the end before.
    fn answer(&mut self) -> Outcome {
        let own = self.core.walk.walk.stop();
        let (nodes, gauge) = (own.nodes, self.shared.gauge(self.core.me));
        gauge.nodes.store(nodes, Relaxed);
        let mut found = match self.shared.better_than(&own, self.finished) {
            Some(better) => {
                self.tell(&better, nodes);
                better
            }
            None => own,
        };
        found.nodes = self.shared.nodes();
        found.selective_depth = self.shared.selective_depth();
        found
    }

    /// Tells the user of what another thread has found; the observer adds what the others have counted.
    fn tell(&mut self, found: &Outcome, nodes: u64) {
        let Session { table, observer: Some(observer), .. } = &mut self.core.walk else { return };
        let tbhits = self.shared.gauge(self.core.me).tbhits.load(Relaxed);
        let (depth, selective_depth) = (found.depth, self.shared.selective_depth());
        let hashfull = u32::from(table.hashfull());
        for (line, rank) in found.lines.iter().zip(1..) {
            observer.report(&Report {
                depth,
                selective_depth,
                rank,
                line,
                nodes,
                hashfull,
                tbhits,
            });
        }
    }
}
