//! A processor as every machine carries it: a walk, a strategy, and what passes between them.
//!
//! The machines differ in how time passes and how messages travel: that is what they implement. When the
//! strategy is called, what becomes of its actions, and what follows from a pause of the walk is the same
//! on all of them and stands here.

use crate::{Action, Answer, Context, Message, Peer, Strategy, TaskId, Time};
use board::Key;
use search::walk::{Pause, Walker};
use table::Entry;

/// What a processor has on every machine.
pub(crate) struct Core<W> {
    pub me: Peer,
    pub walk: W,
    pub strategy: Box<dyn Strategy>,
    /// When the strategy wants to be called at the latest.
    pub wake: Option<Time>,
    /// What another table was asked and the walk cannot go on without (F13).
    pub question: Option<Question>,
    /// Kept for its memory.
    actions: Vec<Action>,
}

/// A question to another table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question {
    pub key: Key,
    pub since: Time,
    /// When it is given up: a home that does not answer knows nothing.
    pub until: Time,
}

impl<W: Walker> Core<W> {
    pub fn new(me: Peer, walk: W, strategy: Box<dyn Strategy>) -> Core<W> {
        Core { me, walk, strategy, wake: None, question: None, actions: Vec::new() }
    }

    /// Whether it can search.
    pub fn is_runnable(&self) -> bool {
        self.question.is_none() && !self.walk.is_idle() && !self.walk.is_waiting()
    }
}

/// A machine, as one of its processors sees it: what it does for the processor, and below what every processor
/// does on it.
pub(crate) trait Machine {
    type Walk: Walker;

    fn core(&mut self) -> &mut Core<Self::Walk>;

    fn now(&self) -> Time;

    fn send(&mut self, to: Peer, message: Message);

    /// Shows a request to all, or sends it to one of them.
    fn ask_any(&mut self, to: Peer, request: Message);

    /// The search is over.
    fn report(&mut self, answer: Answer);

    /// The strategy has been called and has searched some nodes itself, and read some bytes of histories
    /// to find what has changed.
    fn called(&mut self, _nodes: u64, _scanned: u64) {}

    /// Lets go what was written.
    fn post(&mut self);

    /// Asks the home of a position; until when the answer is waited for.
    fn ask_home(&mut self, key: Key) -> Time;

    /// The table is to give this answer when the node is entered.
    fn provide(&mut self, key: Key, entry: Option<Entry>);

    /// A question is done with.
    fn waited(&mut self, _since: Time) {}

    /// Whether answers come while the walk goes on, which may begin a node anew (Z34).
    fn is_asynchronous(&self) -> bool;

    /// A node has begun anew because of an answer.
    fn restarted(&mut self);

    /// A window or an iteration at the root is done.
    fn iterated(&mut self) {}

    /// A task is done.
    fn task_done(&mut self, _task: TaskId) {}

    /// Calls the strategy with the walk, and does what it wants.
    fn consult(&mut self, call: impl FnOnce(&mut dyn Strategy, &mut Context<'_>)) {
        let now = self.now();
        let core = self.core();
        let mut actions = std::mem::take(&mut core.actions);
        let before = (core.walk.nodes(), core.walk.scanned());
        call(&mut *core.strategy, &mut Context::new(now, &mut core.walk, &mut actions));
        let (nodes, scanned) = (core.walk.nodes() - before.0, core.walk.scanned() - before.1);
        self.called(nodes, scanned);
        for action in actions.drain(..) {
            match action {
                Action::Send(to, message) => self.send(to, message),
                Action::AskAny { to, origin, ticket, hops } => {
                    self.ask_any(to, Message::Request { origin, ticket, hops, within: None });
                }
                Action::WakeAt(time) => {
                    let wake = &mut self.core().wake;
                    *wake = Some(wake.map_or(time, |wake| wake.min(time)));
                }
                Action::Report(answer) => self.report(answer),
            }
        }
        self.post();
        let core = self.core();
        core.actions = actions;
        // What was waited for may have been cut off meanwhile.
        if core.question.is_some_and(|question| core.walk.entering() != Some(question.key)) {
            core.question = None;
        }
    }

    /// Calls the strategy if the time has come that it asked for.
    fn wake(&mut self) {
        let now = self.now();
        if self.core().wake.take_if(|wake| *wake <= now).is_some() {
            self.consult(|strategy, context| strategy.timeout(context));
        }
    }

    /// Does what follows from a pause of the walk.
    fn after(&mut self, pause: Pause) {
        match pause {
            Pause::Budget | Pause::Idle => self.pass_effects(),
            Pause::Iteration => {
                self.iterated();
                self.pass_effects();
            }
            Pause::Waiting => self.consult(|strategy, context| strategy.paused(context)),
            Pause::Read(key) => {
                let (since, until) = (self.now(), self.ask_home(key));
                self.core().question = Some(Question { key, since, until });
            }
            Pause::Finished(task, job_result) => {
                self.task_done(task);
                self.consult(|strategy, context| strategy.finished(task, job_result, context));
            }
        }
    }

    /// Others must perhaps be told something.
    fn pass_effects(&mut self) {
        if self.core().walk.has_effects() {
            self.consult(|strategy, context| strategy.paused(context));
        }
    }

    /// Another table has answered, or was waited for in vain: the walk goes on, or begins a node anew.
    fn answered(&mut self, key: Key, entry: Option<Entry>) {
        if let Some(question) = self.core().question.take_if(|question| question.key == key) {
            self.waited(question.since);
            self.provide(key, entry);
        } else if let Some(entry) = entry
            && self.is_asynchronous()
            && self.core().walk.answer(key, entry)
        {
            self.provide(key, Some(entry));
            self.restarted();
            self.consult(|strategy, context| strategy.paused(context));
        }
    }
}
