//! One thread at work: a walk, a strategy, a mailbox, and the real clock.
//!
//! The same as a simulated processor, but that time passes by itself: it searches some nodes, looks for mail
//! or a time that has come, and goes on. Where it has nothing to search it sleeps on its mailbox.

use super::ThreadReport;
use super::idle_search::{Found, IdleSearch};
use super::lookup::Shared;
use super::mailbox::Mailbox;
use super::main_observer::{Interrupt, MainObserver};
use super::reads::Question;
use super::shared_search::{Envelope, SharedSearch};
use crate::{Action, Desk, Message, Peer, RootOrder, Searcher, Strategy, TaskId, Time};
use eval::Evaluator;
use search::switches::Rules;
use search::walk::{Pause, Walk};
use search::{FIRST_ITERATION, Lookup, Observer, Outcome, Pacer};
use std::collections::VecDeque;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Nodes between two looks around, unless there is mail: about a tenth of a millisecond.
const SLICE: u64 = 128;

/// Slices of the idle search between two looks for something due.
const SPARE_SLICES: u32 = 16;

/// How long the first thread sleeps at most while its helpers work: the user may want something.
const USER_PATIENCE: Duration = Duration::from_millis(1);

/// Nanoseconds between two questions to the user while the first thread searches.
const QUESTIONS: Time = 250_000;

/// How long a thread sleeps at most that could not get rid of an envelope.
const POST_PATIENCE: Duration = Duration::from_micros(200);

pub(super) struct Processor<'a, R, E, T> {
    pub(super) me: Peer,
    pub(super) shared: &'a SharedSearch,
    pub(super) walk: &'a mut Walk<R, E>,
    idle_search: Option<IdleSearch<'a, R, E>>,
    pub(super) table: Shared<'a, T>,
    /// The answer of another table without which the walk cannot go on.
    pub(super) question: Option<Question>,
    strategy: Box<dyn Strategy>,
    main_observer: MainObserver<'a>,
    interrupt: Interrupt<'a>,
    wake: Option<Time>,
    /// Envelopes for full mailboxes, in the order in which they were written.
    unsent: VecDeque<(Peer, Envelope)>,
    envelopes: Vec<Envelope>,
    /// Whether something was written that may concern other processes.
    written: bool,
    /// How many nodes may be searched without a look at the clock.
    pacer: Pacer,
    /// When the user is to be asked next.
    next_question: Time,
    /// The last iteration that was offered.
    offered: i32,
    /// Whether this thread has finished the search of the root.
    finished: bool,
    pub(super) report: ThreadReport,
}

impl<'a, R: Rules, E: Evaluator, T: Lookup> Processor<'a, R, E, T> {
    pub fn new(
        me: Peer,
        shared: &'a SharedSearch,
        walk: &'a mut Walk<R, E>,
        idle_search: Option<IdleSearch<'a, R, E>>,
        table: Shared<'a, T>,
        observer: Option<&'a mut dyn Observer>,
    ) -> Processor<'a, R, E, T> {
        Processor {
            me,
            shared,
            walk,
            idle_search,
            table,
            question: None,
            strategy: shared.strategy(me),
            main_observer: MainObserver::new(shared, observer),
            interrupt: Interrupt::new(shared, me),
            wake: None,
            unsent: VecDeque::new(),
            envelopes: Vec::new(),
            written: false,
            pacer: Pacer::default(),
            next_question: 0,
            offered: 0,
            finished: false,
            report: ThreadReport::default(),
        }
    }

    /// Works until the search is over. What the first thread answers.
    pub fn work(mut self) -> (Option<Outcome>, ThreadReport) {
        let order: Option<&RootOrder> = (self.me == Peer::FIRST).then_some(&self.shared.order);
        self.consult(|strategy, now, desk| strategy.begin(now, order, desk));
        while !self.shared.is_over() {
            self.look();
            match (self.question.is_some(), self.walk.is_idle() || self.walk.is_waiting()) {
                (true, _) => self.await_entry(),
                (false, true) => self.rest(),
                (false, false) => self.search(),
            }
        }
        let outcome = (self.me == Peer::FIRST).then(|| self.answer());
        self.walk.clear(&mut self.table);
        self.report.nodes = self.nodes();
        self.report.table_reads = self.table.remote.as_ref().map_or(0, |remote| remote.asked);
        if let Some(idle_search) = &mut self.idle_search {
            self.report.idle_nodes = idle_search.nodes();
            idle_search.end(&mut self.table);
        }
        (outcome, self.report)
    }

    /// Calls the strategy with the walk and the table, and does what it wants.
    pub(super) fn consult(
        &mut self,
        call: impl FnOnce(&mut dyn Strategy, Time, &mut dyn Searcher),
    ) {
        let now = self.shared.now();
        let mut desk = Desk {
            walk: &mut *self.walk,
            table: &mut self.table,
            observer: &mut self.main_observer,
        };
        call(&mut *self.strategy, now, &mut desk);
        while let Some(action) = self.strategy.poll() {
            match action {
                Action::Send(to, message) => {
                    self.report.messages += 1;
                    self.written = true;
                    let envelope = Envelope { from: self.me, message };
                    match envelope.message {
                        Message::Request { within: None, .. } => self.shared.requests.put(envelope),
                        _ => self.unsent.push_back((to, envelope)),
                    }
                }
                Action::WakeAt(time) => {
                    self.wake = Some(self.wake.map_or(time, |wake| wake.min(time)));
                }
                Action::Report(_) => self.shared.end(),
            }
        }
        self.post();
        self.check_question();
    }

    /// Posts what was written. An envelope that finds no room waits here, and those behind it too: envelopes
    /// of one pair must not overtake each other.
    fn post(&mut self) {
        while let Some((to, envelope)) = self.unsent.pop_front() {
            if let Err(envelope) = self.shared.mailboxes[to.index()].post(envelope) {
                self.unsent.push_front((to, envelope));
                return;
            }
        }
    }

    /// Reads the mail and does what is due.
    fn look(&mut self) {
        if let Some(remote) = &mut self.table.remote {
            remote.flush_reads();
        }
        self.shared.pump();
        self.written = false;
        self.take_answers();
        let mailbox = &self.shared.mailboxes[self.me.index()];
        if mailbox.has_mail() {
            let mut envelopes = std::mem::take(&mut self.envelopes);
            mailbox.take(&mut envelopes);
            for Envelope { from, message } in envelopes.drain(..) {
                self.shared.prepare_for(wanting(from, &message), self.walk);
                self.consult(|strategy, now, desk| strategy.handle(now, from, message, desk));
            }
            self.shared.prepare_for(self.me, self.walk);
            self.envelopes = envelopes;
        }
        if !self.unsent.is_empty() {
            self.post();
        }
        if self.shared.is_wanted() {
            self.give();
        }
        if let Some(wake) = self.wake
            && wake <= self.shared.now()
        {
            self.wake = None;
            self.consult(|strategy, now, desk| strategy.timeout(now, desk));
        }
        if self.written {
            // Somebody may be idle until it comes.
            self.shared.pump();
        }
    }

    /// Gives somebody work who wants it, if there is some here.
    fn give(&mut self) {
        let shared = self.shared;
        if shared.remote.is_none() {
            return self.give_from_here(|| shared.requests.take());
        }
        // Those of this process first: to them the way is shorter.
        if let Some(origin) = shared.requests.oldest() {
            shared.prepare_for(origin, self.walk);
            self.give_from_here(|| shared.requests.take());
        } else if let Some(origin) = shared.noticed(self.me) {
            shared.prepare_for(origin, self.walk);
            self.give_from_here(|| shared.take_notice(origin));
        }
        shared.prepare_for(self.me, self.walk);
    }

    fn give_from_here(&mut self, request: impl FnOnce() -> Option<Envelope>) {
        let mut desk = Desk {
            walk: &mut *self.walk,
            table: &mut self.table,
            observer: &mut self.main_observer,
        };
        if !self.strategy.could_give(&mut desk) {
            return;
        }
        if let Some(Envelope { from, message }) = request() {
            self.consult(|strategy, now, desk| strategy.handle(now, from, message, desk));
        }
    }

    /// Nodes of this thread.
    pub(super) fn nodes(&self) -> u64 {
        let idle_walk = self.idle_search.as_ref().map_or(0, IdleSearch::nodes);
        self.walk.statistics().nodes + idle_walk
    }

    /// Waits until there is something to do: in the idle search's search, or asleep.
    fn rest(&mut self) {
        let begun = self.shared.now();
        let idle = u32::from(self.walk.is_idle());
        self.shared.idle.fetch_add(idle, Relaxed);
        match self.idle_search.as_ref().is_some_and(|idle_search| !idle_search.is_done()) {
            true => self.use_spare_time(),
            false => self.sleep(begun),
        }
        self.shared.idle.fetch_sub(idle, Relaxed);
        self.report.waits += 1;
        self.report.waiting += Duration::from_nanos(self.shared.now() - begun);
        self.ask_user();
    }

    /// Searches the root alone until there is mail or a time has come.
    fn use_spare_time(&mut self) {
        let mailbox = &self.shared.mailboxes[self.me.index()];
        let Some(idle_search) = &mut self.idle_search else { return };
        self.table.set_asking(false);
        for _ in 0..SPARE_SLICES {
            if let Some(found) = idle_search.go_on(&mut self.table) {
                let Found { depth, last, outcome } = found;
                self.shared.offer(false, depth, last, || outcome);
                if last {
                    self.shared.end();
                }
            }
            self.shared.pump();
            let due = self.wake.is_some_and(|wake| wake <= self.shared.now());
            if due || mailbox.has_mail() || self.shared.is_over() || idle_search.is_done() {
                break;
            }
        }
        self.table.set_asking(true);
        self.shared.gauge(self.me).nodes.store(self.nodes(), Relaxed);
    }

    /// Sleeps until there is something to do.
    fn sleep(&mut self, begun: Time) {
        let wake = self.wake.map(|wake| Duration::from_nanos(wake.saturating_sub(begun)));
        let user = self.main_observer.speaks().then_some(USER_PATIENCE);
        let post = (!self.unsent.is_empty()).then_some(POST_PATIENCE);
        let longest = [wake, user, post].into_iter().flatten().min();
        let mailbox = &self.shared.mailboxes[self.me.index()];
        if self.shared.remote.is_some() {
            self.shared.await_mail(mailbox, longest);
        } else if longest.is_none_or(|time| !time.is_zero()) && !self.linger(mailbox, begun) {
            mailbox.sleep(longest);
        }
    }

    /// Looks for a moment whether mail comes, where every thread has a processor of its own: to be woken
    /// takes longer than most answers.
    fn linger(&self, mailbox: &Mailbox<Envelope>, begun: Time) -> bool {
        let end = begun + self.shared.settings.linger;
        while self.shared.now() < end {
            if mailbox.has_mail() || self.shared.is_over() {
                return true;
            }
            std::hint::spin_loop();
        }
        false
    }

    /// Searches a while.
    fn search(&mut self) {
        let (slice, begun, before) =
            (self.slice(), self.shared.now(), self.walk.statistics().nodes);
        let interrupt = &self.interrupt;
        let pause = self
            .walk
            .run_for(&mut self.table, slice, &mut self.main_observer, || interrupt.is_due());
        let (now, statistics) = (self.shared.now(), self.walk.statistics());
        let taken = Duration::from_nanos(now.saturating_sub(begun));
        self.pacer.measured(statistics.nodes - before, taken, None);
        let idle_walk = self.idle_search.as_ref().map_or(0, IdleSearch::nodes);
        let (nodes, gauge) = (statistics.nodes + idle_walk, self.shared.gauge(self.me));
        gauge.nodes.store(nodes, Relaxed);
        gauge.tbhits.store(statistics.tbhits, Relaxed);
        gauge.selective_depth.store(statistics.selective_depth, Relaxed);
        match pause {
            Pause::Budget | Pause::Idle => self.pass_effects(),
            Pause::Read(key) => self.wait_for_entry(key),
            Pause::Iteration => {
                self.offer(false);
                self.pass_effects();
            }
            Pause::Waiting => self.consult(|strategy, now, desk| strategy.paused(now, desk)),
            Pause::Finished(id, job_result) => {
                let task = TaskId(id);
                match task == TaskId::ROOT {
                    true => self.offer(true),
                    false => self.report.jobs += 1,
                }
                self.table.flush();
                self.consult(|strategy, now, desk| strategy.finished(now, task, job_result, desk));
            }
        }
        if self.shared.order.limits.nodes.is_some_and(|most| self.shared.nodes() >= most) {
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
        match self.shared.order.limits.nodes {
            None => usual,
            Some(most) => {
                let left = most.saturating_sub(self.shared.nodes());
                (left / self.shared.mailboxes.len() as u64).clamp(1, usual)
            }
        }
    }

    /// Others must be told something.
    fn pass_effects(&mut self) {
        if !self.walk.effects().is_empty() {
            self.consult(|strategy, now, desk| strategy.paused(now, desk));
        }
    }

    fn ask_user(&mut self) {
        self.next_question = self.shared.now() + QUESTIONS;
        let is_first = self.walk.reached() == 0 && self.nodes() < FIRST_ITERATION;
        let wanted = self.main_observer.speaks();
        if wanted && self.main_observer.should_stop(&self.walk.progress()) && !is_first {
            self.shared.end();
        }
    }

    /// An iteration of the root may be finished, or all of them are.
    fn offer(&mut self, last: bool) {
        let depth = self.walk.reached();
        if depth > self.offered || last {
            (self.offered, self.finished) = (depth, last);
            let own = self.me == Peer::FIRST;
            self.shared.offer(own, depth, last, || self.walk.outcome());
        }
    }

    /// What the first thread has found, or another that has gone deeper or come to the end before.
    fn answer(&mut self) -> Outcome {
        let own = self.walk.stop();
        self.shared.gauge(self.me).nodes.store(own.nodes, Relaxed);
        let mut found = match self.shared.better_than(own.depth, self.finished) {
            Some(deeper) => {
                let hashfull = self.table.table.hashfull();
                self.main_observer.tell(&deeper, hashfull);
                deeper
            }
            None => own,
        };
        found.nodes = self.shared.nodes();
        found.selective_depth = self.shared.selective_depth();
        found
    }
}

/// Who gets work for a message, if anybody does.
fn wanting(from: Peer, message: &Message) -> Peer {
    match message {
        Message::Request { origin, .. } => *origin,
        _ => from,
    }
}
