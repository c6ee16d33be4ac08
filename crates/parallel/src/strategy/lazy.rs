//! Every processor searches the root, and the table is all they share.
//!
//! The first to finish the last iteration ends the search for all. Helpers take the root moves in
//! another order and skip iterations, so that they do not all do the same; with busy marks in the table
//! (ABDADA) they also put off what others are searching. See docs/design/lazy.md and docs/design/abdada.md.

use super::{Action, Answer, Strategy};
use crate::{Message, Peer, RootOrder, Searcher, TaskId, Time};
use search::walk::JobResult;
use std::collections::VecDeque;

/// A processor of a search in which all search the root.
pub struct Lazy {
    me: Peer,
    peers: u32,
    actions: VecDeque<Action>,
    /// Kept to tell those who may not have heard.
    order: Option<Box<RootOrder>>,
    over: bool,
    patience: Option<Time>,
}

impl Lazy {
    /// One of so many. With `patience` the first asks again after that time who has not begun.
    pub fn new(me: Peer, peers: u32, patience: Option<Time>) -> Lazy {
        Lazy { me, peers, actions: VecDeque::new(), order: None, over: false, patience }
    }

    fn send_to_others(&mut self, message: &Message) {
        for peer in (0..self.peers).map(Peer).filter(|&peer| peer != self.me) {
            self.actions.push_back(Action::Send(peer, message.clone()));
        }
    }

    fn end(&mut self, job_result: JobResult) {
        self.over = true;
        let answer = Answer { value: job_result.value, line: job_result.line };
        self.actions.push_back(Action::Report(answer));
        self.send_to_others(&Message::Stop);
    }
}

impl Strategy for Lazy {
    fn begin(&mut self, now: Time, order: Option<&RootOrder>, searcher: &mut dyn Searcher) {
        let Some(order) = order else { return };
        self.over = false;
        searcher.start_root(order, 0);
        self.order = Some(Box::new(order.clone()));
        self.send_to_others(&Message::Begin(Box::new(order.clone())));
        if let Some(patience) = self.patience {
            self.actions.push_back(Action::WakeAt(now + patience));
        }
    }

    fn handle(&mut self, _: Time, from: Peer, message: Message, searcher: &mut dyn Searcher) {
        match message {
            Message::Begin(order) if searcher.is_idle() && !self.over => {
                searcher.start_root(&order, self.me.index());
            }
            Message::Return { job_result, .. } if self.me == Peer::FIRST && !self.over => {
                searcher.cancel(TaskId::ROOT);
                self.end(job_result);
            }
            Message::Stop if from == Peer::FIRST => {
                self.over = true;
                searcher.cancel(TaskId::ROOT);
            }
            _ => (),
        }
    }

    fn finished(&mut self, _: Time, task: TaskId, job_result: JobResult, _: &mut dyn Searcher) {
        if self.me == Peer::FIRST {
            self.end(job_result);
        } else {
            let back = Message::Return { task, job_result, ticket: None };
            self.actions.push_back(Action::Send(Peer::FIRST, back));
        }
    }

    fn paused(&mut self, _: Time, _: &mut dyn Searcher) {}

    fn timeout(&mut self, now: Time, _: &mut dyn Searcher) {
        // Whoever was late or lost the message begins now; the others are not idle and do not care.
        if let (Some(order), Some(patience), false) = (&self.order, self.patience, self.over) {
            let begin = Message::Begin(order.clone());
            self.send_to_others(&begin);
            self.actions.push_back(Action::WakeAt(now + 4 * patience));
        }
    }

    fn poll(&mut self) -> Option<Action> {
        self.actions.pop_front()
    }
}
