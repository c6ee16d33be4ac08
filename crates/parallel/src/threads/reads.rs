//! What a thread does with the answers of other processes' tables.

use super::processor::Processor;
use crate::Time;
use eval::Evaluator;
use search::Lookup;
use search::switches::Rules;
use std::sync::atomic::Ordering::Relaxed;
use table::Entry;

/// A question that a thread waits for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    pub key: u64,
    pub since: Time,
}

impl<R: Rules, E: Evaluator, T: Lookup> Processor<'_, R, E, T> {
    /// Asks for an entry without which the next node is not to be entered (F13).
    pub(super) fn wait_for_entry(&mut self, key: u64) {
        let Some(remote) = &mut self.table.remote else { return };
        remote.ask(key);
        remote.flush_reads();
        self.question = Some(Question { key, since: self.shared.now() });
        self.shared.pump();
    }

    /// Waits at the pump until the answer is there, or envelopes, or the time is over.
    pub(super) fn await_entry(&mut self) {
        let (Some(question), Some(remote)) = (self.question, &self.shared.remote) else { return };
        let mailbox = &self.shared.mailboxes[self.me.index()];
        let end = question.since + remote.distance.patience;
        let answers = self.shared.answers(self.me);
        loop {
            self.shared.pump();
            let now = self.shared.now();
            let answered = answers.is_some_and(|answers| answers.has_mail());
            if answered || mailbox.has_mail() || self.shared.is_over() {
                break;
            }
            if now >= end {
                // A home that does not answer knows nothing.
                self.come_to_terms(None);
                break;
            }
            match remote.distance.roomy {
                true => std::hint::spin_loop(),
                false => std::thread::yield_now(),
            }
        }
        let nodes = self.nodes();
        self.shared.gauge(self.me).nodes.store(nodes, Relaxed);
    }

    /// The wait is over, with an answer or without.
    fn come_to_terms(&mut self, entry: Option<Entry>) {
        let Some(Question { key, since }) = self.question.take() else { return };
        let waited = self.shared.now().saturating_sub(since);
        self.report.reading += std::time::Duration::from_nanos(waited);
        if let Some(remote) = &mut self.table.remote {
            remote.answer(key, entry);
        }
    }

    /// Takes the answers that have come: the walk goes on, or begins a node anew (Z34).
    pub(super) fn take_answers(&mut self) {
        let Some(answers) = self.shared.answers(self.me).filter(|answers| answers.has_mail())
        else {
            return;
        };
        let mut list = Vec::new();
        answers.take(&mut list);
        for (key, entry) in list {
            let Some(entry) = entry else {
                if self.question.is_some_and(|question| question.key == key) {
                    self.come_to_terms(None);
                }
                continue;
            };
            self.report.table_answers += 1;
            // Kept here too: the position may come again.
            self.shared.table.store(key, entry);
            if self.question.is_some_and(|question| question.key == key) {
                self.come_to_terms(Some(entry));
            } else if self.table.remote.as_ref().is_some_and(|remote| !remote.is_blocking())
                && self.walk.answer(&mut self.table, key, entry)
            {
                self.report.restarts += 1;
                if let Some(remote) = &mut self.table.remote {
                    remote.answer(key, Some(entry));
                }
                self.consult(|strategy, now, desk| strategy.paused(now, desk));
            }
        }
    }

    /// What is waited for may have been cut off meanwhile.
    pub(super) fn check_question(&mut self) {
        if self.question.is_some_and(|question| self.walk.entering() != Some(question.key)) {
            self.question = None;
        }
    }
}
