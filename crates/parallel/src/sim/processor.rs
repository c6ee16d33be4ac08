//! One processor of the simulated machine: a walk, a strategy, a clock, an inbox.

use super::mail::{Content, Incoming, Mail};
use super::tables::{Bundles, TableMessage, TableView};
use super::{Setup, TableKind};
use crate::accounting::Account;
use crate::processor::{Core, Machine};
use crate::timeline::{Activity, Segment};
use crate::{Answer, Message, Peer, RootSearch, Strategy, StrategyKind, Time};
use board::{Key, prefetch};
use eval::{AnyEvaluator, MainEvaluator};
use search::Profile;
use search::switches::ChosenRules;
use search::walk::{Place, Session, Walk, Walker};
use std::collections::BinaryHeap;
use table::Entry;

/// What a processor works with, from crash to crash.
pub(super) struct Store<'a> {
    walk: Walk<ChosenRules, AnyEvaluator>,
    table: TableView<'a>,
}

impl<'a> Store<'a> {
    pub fn new(setup: &Setup, table: TableView<'a>) -> Store<'a> {
        let evaluator = match (setup.profile, &setup.network) {
            (Profile::Modern, network @ Some(_)) => {
                AnyEvaluator::Main(Box::new(MainEvaluator::new(network.as_ref())))
            }
            // The caches are lent to it for its turns.
            (profile, _) => profile.evaluator_with(1),
        };
        let mut walk = Walk::new(ChosenRules(setup.switches), evaluator);
        walk.set_grain(setup.grain);
        walk.set_step(setup.step);
        walk.set_deferral(setup.deferral());
        walk.set_restart_late(setup.table.restart_late);
        let by_table = match setup.strategy {
            StrategyKind::Ybw => setup.ybw.expected_types,
            StrategyKind::Teams => setup.teams.expected_types,
            _ => false,
        };
        walk.set_expected_types(by_table);
        Store { walk, table }
    }
}

pub(super) struct Processor<'a> {
    core: Core<Session<'a, ChosenRules, AnyEvaluator, TableView<'a>>>,
    setup: &'a Setup,
    pub clock: Time,
    /// What is on its way here, the earliest first.
    pub inbox: BinaryHeap<Incoming>,
    pub dead: bool,
    slowness: u64,
    pub account: Account,
    pub timeline: Option<Vec<Segment>>,
    /// What is searched, where that is recorded.
    place: Option<Place>,
    bundles: Bundles,
    /// What was sent in a turn.
    pub mail: Vec<Mail>,
    /// What was found in it, and when.
    pub answer: Option<(Time, Answer)>,
}

impl<'a> Processor<'a> {
    pub fn new(
        setup: &'a Setup,
        me: Peer,
        store: &'a mut Store<'a>,
        strategy: Box<dyn Strategy>,
    ) -> Processor<'a> {
        let slow = setup.faults.slow.iter().find(|&&(who, _)| who == me);
        Processor {
            core: Core::new(me, store.walk.session(&mut store.table, None), strategy),
            setup,
            clock: 0,
            inbox: BinaryHeap::new(),
            dead: false,
            slowness: slow.map_or(1, |&(_, factor)| factor),
            account: Account::default(),
            timeline: setup.record.then(Vec::new),
            place: None,
            bundles: Bundles::new(setup.table.batch, setup.table.write_from + URGENT),
            mail: Vec::new(),
            answer: None,
        }
    }

    /// It crashes and forgets everything.
    pub fn crash(&mut self, strategy: Box<dyn Strategy>) {
        let Session { walk, table, .. } = &mut self.core.walk;
        let fresh = TableView::new(table.tables, table.me);
        Store { walk: **walk, table: **table } = Store::new(self.setup, fresh);
        (self.core.strategy, self.core.wake, self.core.question) = (strategy, None, None);
        self.inbox.clear();
        self.bundles = Bundles::new(self.setup.table.batch, self.setup.table.write_from + URGENT);
        self.dead = true;
    }

    /// The walk, for what it has counted.
    pub fn walk(&self) -> &Walk<ChosenRules, AnyEvaluator> {
        self.core.walk.walk
    }

    /// Asks the CPU to load what its next turn reads: a thousand processors are more than caches hold.
    pub fn prefetch(&self) {
        prefetch(&self.clock);
        prefetch(&self.account.search);
        prefetch(&self.bundles);
        self.walk().prefetch();
    }

    /// When it has something to do.
    pub fn due(&self) -> Time {
        if self.dead {
            return Time::MAX;
        }
        if self.core.is_runnable() {
            return self.clock;
        }
        self.next_event().max(self.clock)
    }

    fn next_event(&self) -> Time {
        let arrival = self.inbox.peek().map_or(Time::MAX, |incoming| incoming.place.0);
        let given_up = self.core.question.map_or(Time::MAX, |question| question.until);
        arrival.min(self.core.wake.unwrap_or(Time::MAX)).min(given_up)
    }

    /// Accounts for a span of time and passes it.
    fn spend(&mut self, activity: Activity, span: Time) {
        if span == 0 {
            return;
        }
        let account = &mut self.account;
        *match activity {
            Activity::Search | Activity::Alone => &mut account.search,
            Activity::Message => &mut account.messages,
            Activity::Table => &mut account.table,
            Activity::Wait => &mut account.waiting,
            Activity::Idle => &mut account.idle,
        } += span;
        if let Some(timeline) = &mut self.timeline {
            let (begin, end) = (self.clock, self.clock + span);
            let next = Segment { activity, begin, end, place: self.place };
            match timeline.last_mut() {
                Some(last) if last.goes_on(&next) => last.end = end,
                _ => timeline.push(next),
            }
        }
        self.clock += span;
    }

    /// Accounts for nodes that were searched.
    fn spend_nodes(&mut self, nodes: u64) {
        self.account.nodes += nodes;
        self.spend(Activity::Search, nodes * self.setup.model.node * self.slowness);
    }

    /// Accounts for visits of the own part of the table on behalf of others.
    fn spend_accesses(&mut self, count: usize) {
        let span = self.setup.model.access * self.slowness * count as u64;
        self.spend(Activity::Message, span);
    }

    /// Passes the time up to a moment without doing anything.
    pub fn pass_until(&mut self, moment: Time) {
        let activity = match self.core.question {
            Some(_) => Activity::Table,
            None if self.core.walk.is_waiting() => Activity::Wait,
            None => Activity::Idle,
        };
        self.spend(activity, moment.saturating_sub(self.clock));
    }

    /// Takes back what was done after the end.
    pub fn forget_after(&mut self, end: Time) {
        let over = self.clock.saturating_sub(end);
        let account = &mut self.account;
        let from_search = over.min(account.search);
        account.search -= from_search;
        account.messages = account.messages.saturating_sub(over - from_search);
        self.clock -= over;
    }

    fn dispatch(&mut self, to: Peer, content: Content) {
        // Writes that wait for company go along, as a part of the same message (Z44).
        let riders = self.bundles.riders(to).map(Content::Table);
        let parts = [Some(content), riders];
        let bytes = parts.iter().flatten().map(Content::bytes).sum::<usize>() as u64;
        self.account.bytes += bytes;
        let model = &self.setup.model;
        self.spend(Activity::Message, (model.send + model.copying(bytes)) * self.slowness);
        let sent = self.clock;
        self.mail.extend(parts.into_iter().flatten().map(|content| Mail { to, sent, content }));
    }

    /// The search begins for it.
    pub fn begin(&mut self, root: Option<&RootSearch>) {
        self.consult(|strategy, context| strategy.begin(root, context));
    }

    /// Does what is due, and searches until it must look around again. Nothing from others can arrive
    /// before `horizon` but what is in the inbox. `caches` are those of all evaluators.
    pub fn turn(&mut self, horizon: Time, caches: &mut AnyEvaluator) {
        self.core.walk.walk.evaluator().swap_caches(caches);
        self.pass_until(self.due());
        while let Some(Incoming { from, content, .. }) = self.arrived() {
            self.receive(from, content);
        }
        if let Some(question) = self.core.question.filter(|it| it.until <= self.clock) {
            self.answered(question.key, None);
        }
        self.wake();
        // The answer to what was sent may come sooner than the horizon says.
        while self.core.is_runnable() && self.mail.is_empty() && self.answer.is_none() {
            self.search(horizon);
            if self.clock >= horizon.min(self.next_event()) {
                break;
            }
        }
        self.core.walk.walk.evaluator().swap_caches(caches);
    }

    /// Takes the earliest message that has arrived.
    fn arrived(&mut self) -> Option<Incoming> {
        let has_come = self.inbox.peek().is_some_and(|first| first.place.0 <= self.clock);
        has_come.then(|| self.inbox.pop()).flatten()
    }

    fn receive(&mut self, from: Peer, content: Content) {
        let model = &self.setup.model;
        let rides = matches!(content, Content::Table(TableMessage::Riders(_)));
        let begin = if rides { 0 } else { model.receive };
        let span = begin + model.copying(content.bytes() as u64);
        self.spend(Activity::Message, span * self.slowness);
        let (tables, me) = (self.core.walk.table.tables, self.core.me.index());
        match content {
            Content::Strategy(message) => {
                match &message {
                    Message::Cancel { task } if self.core.walk.has(*task) => {
                        self.account.aborts += 1;
                    }
                    Message::Work { .. } | Message::State { .. } | Message::Team { .. } => {
                        self.account.jobs += 1;
                    }
                    Message::Abort { .. } => self.account.aborts += 1,
                    _ => (),
                }
                self.consult(|strategy, context| strategy.handle(from, message, context));
            }
            Content::Table(TableMessage::Read(key)) => {
                self.spend_accesses(1);
                let entry = tables.own(me, key);
                if entry.is_some() || tables.settings().kind == TableKind::Blocking {
                    self.core.walk.table.outbox.push((from, TableMessage::Answer(key, entry)));
                    self.post();
                }
            }
            Content::Table(TableMessage::Write(key, entry)) => {
                self.spend_accesses(1);
                tables.put(me, key, entry);
            }
            Content::Table(TableMessage::Bundle(writes) | TableMessage::Riders(writes)) => {
                self.spend_accesses(writes.len());
                writes.into_iter().for_each(|(key, entry)| tables.put(me, key, entry));
            }
            Content::Table(TableMessage::Answer(key, entry)) => {
                if let Some(entry) = entry {
                    self.core.walk.table.keep(key, entry);
                }
                self.answered(key, entry);
                self.post();
            }
        }
    }

    /// Searches a while.
    fn search(&mut self, horizon: Time) {
        let cost = self.setup.model.node * self.slowness;
        let span = horizon.min(self.next_event()).saturating_sub(self.clock);
        let mut budget = (span / cost).clamp(1, MOST_NODES);
        if self.timeline.is_some() {
            self.place = self.core.walk.walk.place();
            budget = if self.setup.table.kind.is_silent() { budget } else { 1 };
        }
        let before = self.core.walk.nodes();
        let pause = self.core.walk.run(budget, || false);
        self.spend_nodes(self.core.walk.nodes() - before);
        self.post();
        self.after(pause);
    }
}

impl<'a> Machine for Processor<'a> {
    type Walk = Session<'a, ChosenRules, AnyEvaluator, TableView<'a>>;

    fn core(&mut self) -> &mut Core<Self::Walk> {
        &mut self.core
    }

    fn now(&self) -> Time {
        self.clock
    }

    fn send(&mut self, to: Peer, message: Message) {
        self.account.sent[message.kind()] += 1;
        self.dispatch(to, Content::Strategy(message));
    }

    fn ask_any(&mut self, to: Peer, request: Message) {
        self.send(to, request);
    }

    fn report(&mut self, answer: Answer) {
        self.answer = Some((self.clock, answer));
    }

    fn called(&mut self, nodes: u64, scanned: u64) {
        self.spend_nodes(nodes);
        self.spend(Activity::Message, self.setup.model.copying(scanned) * self.slowness);
    }

    fn post(&mut self) {
        let mut outbox = std::mem::take(&mut self.core.walk.table.outbox);
        for (to, message) in outbox.drain(..) {
            let Some(message) = self.bundles.add(to, message) else { continue };
            self.account.table_sent[message.kind()] += 1;
            self.dispatch(to, Content::Table(message));
        }
        self.core.walk.table.outbox = outbox;
    }

    fn ask_home(&mut self, key: Key) -> Time {
        let until = self.setup.patience_ns().map_or(Time::MAX, |span| self.clock + span);
        let home = Peer((key % u64::from(self.setup.peers)) as u32);
        self.core.walk.table.outbox.push((home, TableMessage::Read(key)));
        self.post();
        until
    }

    fn provide(&mut self, key: Key, entry: Option<Entry>) {
        self.core.walk.table.ready = Some((key, entry));
    }

    fn is_asynchronous(&self) -> bool {
        self.setup.table.kind != TableKind::Blocking
    }

    fn restarted(&mut self) {
        self.account.restarts += 1;
    }
}

/// Nodes that are searched without looking up.
const MOST_NODES: u64 = 1 << 16;

/// Entries that are this much deeper than the shallowest that are told go at once (Z44).
const URGENT: i32 = 4;
