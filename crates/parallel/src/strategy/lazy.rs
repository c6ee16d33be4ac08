//! Every processor searches the root, and the table is all they share.
//!
//! The first to finish the last iteration ends the search for all. Helpers take the root moves in
//! another order and skip iterations, so that they do not all do the same; with busy marks in the table
//! (ABDADA) they also put off what others are searching. See docs/design/lazy.md and docs/design/abdada.md.

use super::{Context, Strategy};
use crate::{Message, Peer, RootSearch, TaskId, Time};
use search::walk::JobResult;

/// A processor of a search in which all search the root.
pub struct Lazy {
    me: Peer,
    peers: u32,
    /// Kept to tell those who may not have heard.
    root: Option<Box<RootSearch>>,
    over: bool,
    patience_ns: Option<Time>,
}

impl Lazy {
    /// One of `peers`. With `patience_ns` the first asks again after that time who has not begun. One that is
    /// `surplus` never begins.
    pub fn new(me: Peer, peers: u32, patience_ns: Option<Time>, surplus: bool) -> Lazy {
        Lazy { me, peers, root: None, over: surplus, patience_ns }
    }

    fn end(&mut self, job_result: JobResult, context: &mut Context<'_>) {
        self.over = true;
        context.end(self.me, self.peers, job_result);
    }
}

impl Strategy for Lazy {
    fn begin(&mut self, root: Option<&RootSearch>, context: &mut Context<'_>) {
        let Some(root) = root else { return };
        self.over = false;
        context.walk.start_root(root, 0);
        let root = Box::new(root.clone());
        context.send_to_others(self.me, self.peers, &Message::Begin { root: root.clone() });
        self.root = Some(root);
        if let Some(patience_ns) = self.patience_ns {
            context.wake_at(context.now + patience_ns);
        }
    }

    fn handle(&mut self, from: Peer, message: Message, context: &mut Context<'_>) {
        match message {
            Message::Begin { root } if context.walk.is_idle() && !self.over => {
                context.walk.start_root(&root, self.me.index());
            }
            Message::Return { job_result, .. } if self.me == Peer::FIRST && !self.over => {
                context.walk.cancel(TaskId::ROOT);
                self.end(job_result, context);
            }
            Message::Stop if from == Peer::FIRST => {
                self.over = true;
                context.walk.cancel(TaskId::ROOT);
            }
            _ => (),
        }
    }

    fn finished(&mut self, task: TaskId, job_result: JobResult, context: &mut Context<'_>) {
        if self.me == Peer::FIRST {
            self.end(job_result, context);
        } else {
            context.send(Peer::FIRST, Message::Return { task, job_result, ticket: None });
        }
    }

    fn paused(&mut self, _: &mut Context<'_>) {}

    fn timeout(&mut self, context: &mut Context<'_>) {
        // One that was late or lost the message begins now; the others are not idle and do not care.
        if let (Some(root), Some(patience_ns), false) = (&self.root, self.patience_ns, self.over) {
            let begin = Message::Begin { root: root.clone() };
            context.send_to_others(self.me, self.peers, &begin);
            context.wake_at(context.now + 4 * patience_ns);
        }
    }
}
