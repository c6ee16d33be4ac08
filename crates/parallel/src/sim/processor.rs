//! One processor of the simulated machine: a walk, a strategy, a clock, an inbox.

use super::Setup;
use super::TableKind;
use super::bundles::Bundles;
use super::tables::{TableMessage, TableView, Tables};
use super::timeline::{Activity, Segment};
use crate::accounting::Account;
use crate::{Action, Answer, Desk, Message, Peer, RootOrder, Searcher, Strategy, TaskId, Time};
use eval::AnyEvaluator;
use search::Quiet;
use search::switches::ChosenRules;
use search::walk::{Pause, Walk};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use table::Entry;

/// What a message is about.
#[derive(Clone, Debug)]
pub(super) enum Content {
    Strategy(Message),
    Table(TableMessage),
}

impl Content {
    pub fn bytes(&self) -> usize {
        match self {
            Content::Strategy(message) => message.bytes(),
            Content::Table(message) => message.bytes(),
        }
    }

    /// The number of its kind among all.
    pub fn kind(&self) -> usize {
        match self {
            Content::Strategy(message) => message.kind(),
            Content::Table(message) => Message::KINDS.len() + message.kind(),
        }
    }
}

/// A message on its way.
#[derive(Clone, Debug)]
pub(super) struct Envelope {
    pub arrival: Time,
    pub sequence: u64,
    pub from: Peer,
    pub content: Content,
}

impl PartialEq for Envelope {
    fn eq(&self, other: &Envelope) -> bool {
        self.sequence == other.sequence
    }
}

impl Eq for Envelope {}

impl PartialOrd for Envelope {
    fn partial_cmp(&self, other: &Envelope) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Envelope {
    fn cmp(&self, other: &Envelope) -> std::cmp::Ordering {
        (self.arrival, self.sequence).cmp(&(other.arrival, other.sequence))
    }
}

/// A message that was sent in a turn.
pub(super) struct Mail {
    pub to: Peer,
    pub sent: Time,
    pub content: Content,
}

/// What a turn leaves behind.
#[derive(Default)]
pub(super) struct Turn {
    pub mail: Vec<Mail>,
    pub answer: Option<(Time, Answer)>,
}

pub(super) struct Processor {
    pub me: Peer,
    pub walk: Walk<ChosenRules, AnyEvaluator>,
    pub strategy: Box<dyn Strategy>,
    pub clock: Time,
    pub inbox: BinaryHeap<Reverse<Envelope>>,
    pub wake: Option<Time>,
    /// The key whose entry it waits for.
    pub blocked: Option<u64>,
    /// Until when: where messages get lost, nobody waits for ever.
    pub blocked_until: Time,
    pub dead: bool,
    pub slowness: u64,
    pub account: Account,
    pub timeline: Option<Vec<Segment>>,
    pub ready: Option<(u64, Option<Entry>)>,
    pub outbox: Vec<(Peer, TableMessage)>,
    pub bundles: Bundles,
}

impl Processor {
    /// Whether it can search.
    fn is_runnable(&self) -> bool {
        self.blocked.is_none() && !self.walk.is_idle() && !self.walk.is_waiting()
    }

    /// When it has something to do.
    pub fn due(&self) -> Time {
        if self.dead {
            return Time::MAX;
        }
        if self.is_runnable() {
            return self.clock;
        }
        self.next_event().max(self.clock)
    }

    fn next_event(&self) -> Time {
        let arrival = self.inbox.peek().map_or(Time::MAX, |Reverse(envelope)| envelope.arrival);
        let blocked = if self.blocked.is_some() { self.blocked_until } else { Time::MAX };
        arrival.min(self.wake.unwrap_or(Time::MAX)).min(blocked)
    }

    /// Accounts for a span of time and passes it.
    fn spend(&mut self, activity: Activity, span: Time) {
        if span == 0 {
            return;
        }
        let account = &mut self.account;
        *match activity {
            Activity::Search => &mut account.search,
            Activity::Message => &mut account.messages,
            Activity::Table => &mut account.table,
            Activity::Wait => &mut account.waiting,
            Activity::Idle => &mut account.idle,
        } += span;
        if let Some(timeline) = &mut self.timeline {
            Segment::push(timeline, activity, self.clock, self.clock + span);
        }
        self.clock += span;
    }

    /// Passes the time up to a moment without doing anything.
    pub fn pass_until(&mut self, moment: Time) {
        let activity = match self.blocked {
            Some(_) => Activity::Table,
            None if self.walk.is_waiting() => Activity::Wait,
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

    /// Calls the strategy with the walk and the table, and does what it wants.
    fn consult(
        &mut self,
        setup: &Setup,
        tables: &Tables,
        turn: &mut Turn,
        call: impl FnOnce(&mut dyn Strategy, Time, &mut dyn Searcher),
    ) {
        let mut table = TableView {
            tables,
            me: self.me.index(),
            outbox: &mut self.outbox,
            ready: &mut self.ready,
        };
        let before = self.walk.statistics().nodes;
        let mut desk = Desk { walk: &mut self.walk, table: &mut table, observer: &mut Quiet };
        call(&mut *self.strategy, self.clock, &mut desk);
        // Nodes that the strategy has opened itself.
        let nodes = self.walk.statistics().nodes - before;
        self.account.nodes += nodes;
        self.spend(Activity::Search, nodes * setup.model.node * self.slowness);
        while let Some(action) = self.strategy.poll() {
            match action {
                Action::Send(to, message) => {
                    self.account.sent[message.kind()] += 1;
                    self.send(setup, to, Content::Strategy(message), turn);
                }
                Action::WakeAt(time) => {
                    self.wake = Some(self.wake.map_or(time, |wake| wake.min(time)));
                }
                Action::Report(answer) => turn.answer = Some((self.clock, answer)),
            }
        }
        self.post_table_messages(setup, turn);
        // What was waited for may have been cut off meanwhile.
        if self.blocked.is_some() && self.walk.entering() != self.blocked {
            self.blocked = None;
        }
    }

    fn send(&mut self, setup: &Setup, to: Peer, content: Content, turn: &mut Turn) {
        self.account.bytes += content.bytes() as u64;
        self.spend(Activity::Message, setup.model.send * self.slowness);
        turn.mail.push(Mail { to, sent: self.clock, content });
        // Writes that wait for company go along, as a part of the same message (Z44).
        if let Some(riders) = self.bundles.riders(to) {
            let content = Content::Table(riders);
            self.account.bytes += content.bytes() as u64;
            turn.mail.push(Mail { to, sent: self.clock, content });
        }
    }

    fn post_table_messages(&mut self, setup: &Setup, turn: &mut Turn) {
        if self.outbox.is_empty() {
            return;
        }
        let mut outbox = std::mem::take(&mut self.outbox);
        for (to, message) in outbox.drain(..) {
            let Some(message) = self.bundles.add(to, message) else { continue };
            self.account.table_sent[message.kind()] += 1;
            self.send(setup, to, Content::Table(message), turn);
        }
        self.outbox = outbox;
    }

    /// The search begins for it.
    pub fn begin(
        &mut self,
        setup: &Setup,
        tables: &Tables,
        order: Option<&RootOrder>,
        turn: &mut Turn,
    ) {
        self.consult(setup, tables, turn, |strategy, now, desk| strategy.begin(now, order, desk));
    }

    /// Does what is due, and searches until it must look around again. Nothing from others can arrive
    /// before `horizon` but what is in the inbox.
    pub fn turn(&mut self, setup: &Setup, tables: &Tables, horizon: Time, turn: &mut Turn) {
        self.pass_until(self.due());
        while let Some(Reverse(envelope)) = self.inbox.peek() {
            if envelope.arrival > self.clock {
                break;
            }
            if let Some(Reverse(envelope)) = self.inbox.pop() {
                self.receive(setup, tables, envelope, turn);
            }
        }
        if let Some(key) = self.blocked.filter(|_| self.blocked_until <= self.clock) {
            (self.blocked, self.ready) = (None, Some((key, None)));
        }
        if self.wake.is_some_and(|wake| wake <= self.clock) {
            self.wake = None;
            self.consult(setup, tables, turn, |strategy, now, desk| strategy.timeout(now, desk));
        }
        // Whoever has sent something may get an answer sooner than the horizon says.
        while self.is_runnable() && turn.mail.is_empty() && turn.answer.is_none() {
            self.search(setup, tables, horizon, turn);
            if self.clock >= horizon.min(self.next_event()) {
                break;
            }
        }
    }

    fn receive(&mut self, setup: &Setup, tables: &Tables, envelope: Envelope, turn: &mut Turn) {
        let Envelope { from, content, .. } = envelope;
        if !matches!(content, Content::Table(TableMessage::Riders(_))) {
            self.spend(Activity::Message, setup.model.receive * self.slowness);
        }
        let me = self.me.index();
        match content {
            Content::Strategy(message) => {
                match &message {
                    Message::Cancel { task } if self.walk.tasks().any(|id| id == task.0) => {
                        self.account.aborts += 1;
                    }
                    Message::Work { .. } | Message::State { .. } | Message::Team { .. } => {
                        self.account.jobs += 1;
                    }
                    Message::Abort { .. } => self.account.aborts += 1,
                    _ => (),
                }
                self.consult(setup, tables, turn, |strategy, now, desk| {
                    strategy.handle(now, from, message, desk);
                });
            }
            Content::Table(TableMessage::Read(key)) => {
                self.spend(Activity::Message, setup.model.access * self.slowness);
                let entry = tables.own(me, key);
                if entry.is_some() || tables.settings().kind == TableKind::Blocking {
                    self.outbox.push((from, TableMessage::Answer(key, entry)));
                    self.post_table_messages(setup, turn);
                }
            }
            Content::Table(TableMessage::Write(key, entry)) => {
                self.spend(Activity::Message, setup.model.access * self.slowness);
                tables.put(me, key, entry);
            }
            Content::Table(TableMessage::Bundle(writes) | TableMessage::Riders(writes)) => {
                let span = setup.model.access * self.slowness * writes.len() as u64;
                self.spend(Activity::Message, span);
                writes.into_iter().for_each(|(key, entry)| tables.put(me, key, entry));
            }
            Content::Table(TableMessage::Answer(key, entry)) => {
                self.answered(setup, tables, key, entry, turn);
            }
        }
    }

    /// The table has answered: the walk goes on, or begins a node anew.
    fn answered(
        &mut self,
        setup: &Setup,
        tables: &Tables,
        key: u64,
        entry: Option<Entry>,
        turn: &mut Turn,
    ) {
        if tables.settings().kind == TableKind::Blocking {
            if self.blocked == Some(key) {
                (self.blocked, self.ready) = (None, Some((key, entry)));
            }
            return;
        }
        let Some(entry) = entry else { return };
        let (mut none, mut outbox) = (None, Vec::new());
        let mut table =
            TableView { tables, me: self.me.index(), outbox: &mut outbox, ready: &mut none };
        if self.walk.answer(&mut table, key, entry) {
            self.ready = Some((key, Some(entry)));
            self.account.restarts += 1;
            self.consult(setup, tables, turn, |strategy, now, desk| strategy.paused(now, desk));
        }
    }

    /// Searches a while.
    fn search(&mut self, setup: &Setup, tables: &Tables, horizon: Time, turn: &mut Turn) {
        let cost = setup.model.node * self.slowness;
        let span = horizon.min(self.next_event()).saturating_sub(self.clock);
        let silent = tables.settings().kind.is_silent();
        let budget = if silent { (span / cost).clamp(1, MOST_NODES) } else { 1 };
        let before = self.walk.statistics().nodes;
        let mut table = TableView {
            tables,
            me: self.me.index(),
            outbox: &mut self.outbox,
            ready: &mut self.ready,
        };
        let pause = self.walk.run(&mut table, budget);
        let nodes = self.walk.statistics().nodes - before;
        self.account.nodes += nodes;
        self.spend(Activity::Search, nodes * cost);
        self.post_table_messages(setup, turn);
        match pause {
            Pause::Budget | Pause::Iteration | Pause::Idle => {
                if !self.walk.effects().is_empty() {
                    self.consult(setup, tables, turn, |strategy, now, desk| {
                        strategy.paused(now, desk);
                    });
                }
            }
            Pause::Waiting => {
                self.consult(setup, tables, turn, |strategy, now, desk| strategy.paused(now, desk));
            }
            Pause::Read(key) => {
                self.blocked = Some(key);
                self.blocked_until = match setup.faults.is_empty() {
                    true => Time::MAX,
                    false => self.clock + setup.patience(),
                };
                let home = Peer((key % u64::from(setup.peers)) as u32);
                self.outbox.push((home, TableMessage::Read(key)));
                self.post_table_messages(setup, turn);
            }
            Pause::Finished(id, job_result) => {
                self.consult(setup, tables, turn, |strategy, now, desk| {
                    strategy.finished(now, TaskId(id), job_result, desk);
                });
            }
        }
    }
}

/// Nodes that are searched without looking up.
const MOST_NODES: u64 = 1 << 16;
