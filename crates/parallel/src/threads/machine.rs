//! What a thread does for its strategy: it posts messages, puts requests up, and asks the tables of other
//! processes.

use super::lookup::Shared;
use super::processor::Processor;
use super::shared_search::Envelope;
use crate::processor::{Core, Machine};
use crate::{Answer, Message, Peer, TaskId, Time};
use board::Key;
use eval::Evaluator;
use search::Lookup;
use search::switches::Rules;
use search::walk::Session;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use table::Entry;

impl<'a, R: Rules, E: Evaluator, T: Lookup> Machine for Processor<'a, R, E, T> {
    type Walk = Session<'a, R, E, Shared<'a, T>>;

    fn core(&mut self) -> &mut Core<Self::Walk> {
        &mut self.core
    }

    fn now(&self) -> Time {
        self.shared.now()
    }

    fn send(&mut self, to: Peer, message: Message) {
        self.report.messages += 1;
        self.written = true;
        if let Some(tape) = &mut self.tape {
            tape.send(|| self.shared.now(), to, &message);
        }
        self.unsent.push_back((to, Envelope { from: self.core.me, message }));
    }

    fn ask_any(&mut self, _to: Peer, request: Message) {
        self.report.messages += 1;
        self.written = true;
        if let Some(tape) = &mut self.tape {
            tape.send(|| self.shared.now(), self.core.me, &request);
        }
        self.shared.requests.put(Envelope { from: self.core.me, message: request });
    }

    fn report(&mut self, _answer: Answer) {
        self.shared.end();
    }

    /// An envelope that finds no room waits here, and those behind it too: envelopes of one pair must not
    /// overtake each other.
    fn post(&mut self) {
        while let Some((to, envelope)) = self.unsent.pop_front() {
            if let Err(envelope) = self.shared.post(to, envelope) {
                self.unsent.push_front((to, envelope));
                return;
            }
        }
    }

    fn ask_home(&mut self, key: Key) -> Time {
        let remote = self.shared.remote.as_ref();
        let patience = remote.map_or(Duration::ZERO, |remote| remote.distance.patience);
        let until = self.shared.now() + patience.as_nanos() as Time;
        if let Some(remote) = &mut self.core.walk.table.remote {
            remote.ask(key);
            remote.flush_reads();
        }
        self.shared.pump();
        until
    }

    fn provide(&mut self, key: Key, entry: Option<Entry>) {
        if let Some(remote) = &mut self.core.walk.table.remote {
            remote.answer(key, entry);
        }
    }

    fn waited(&mut self, since: Time) {
        self.report.reading += Duration::from_nanos(self.shared.now().saturating_sub(since));
    }

    fn is_asynchronous(&self) -> bool {
        self.core.walk.table.remote.as_ref().is_some_and(|remote| !remote.is_blocking())
    }

    fn restarted(&mut self) {
        self.report.restarts += 1;
    }

    fn iterated(&mut self) {
        self.offer(false);
    }

    fn task_done(&mut self, task: TaskId) {
        match task == TaskId::ROOT {
            true => self.offer(true),
            false => self.report.jobs += 1,
        }
        self.core.walk.table.flush();
    }
}

impl<R: Rules, E: Evaluator, T: Lookup> Processor<'_, R, E, T> {
    /// Waits at the pump until the answer is there, or envelopes, or the time is over.
    pub(super) fn await_entry(&mut self) {
        let (Some(question), Some(remote)) = (self.core.question, &self.shared.remote) else {
            return;
        };
        let answers = self.shared.answers(self.core.me);
        loop {
            self.shared.pump();
            let answered = answers.is_some_and(|answers| answers.has_mail());
            if answered || self.mailbox.has_mail() || self.shared.is_over() {
                break;
            }
            if self.shared.now() >= question.until {
                self.answered(question.key, None);
                break;
            }
            match remote.distance.roomy {
                true => std::hint::spin_loop(),
                false => std::thread::yield_now(),
            }
        }
        self.shared.gauge(self.core.me).nodes.store(self.nodes(), Relaxed);
    }

    /// Takes the answers of other tables that have come.
    pub(super) fn take_answers(&mut self) {
        let answers = self.shared.answers(self.core.me);
        let Some(answers) = answers.filter(|answers| answers.has_mail()) else { return };
        let mut list = Vec::new();
        answers.take(&mut list);
        for (key, entry) in list {
            if let Some(entry) = entry {
                self.report.table_answers += 1;
                // Kept here too: the position may come again.
                self.shared.table.store(key, entry);
            }
            self.answered(key, entry);
        }
    }
}
