//! What the walk of a thread talks to: the first speaks for all to the user, the others are silent.

use super::mailbox::Mailbox;
use super::shared_search::{Envelope, SharedSearch};
use crate::Peer;
use search::{Iteration, Observer, Progress, Report};
use std::cell::Cell;
use std::sync::atomic::Ordering::Relaxed;

/// Nodes between two looks for something to give while a thread wants work.
const LOOK_EVERY: u32 = 8;

/// The observer of a thread's walk. It adds up what all threads have counted.
pub(super) struct MainObserver<'a> {
    shared: &'a SharedSearch,
    observer: Option<&'a mut dyn Observer>,
}

impl<'a> MainObserver<'a> {
    pub fn new(
        shared: &'a SharedSearch,
        observer: Option<&'a mut dyn Observer>,
    ) -> MainObserver<'a> {
        MainObserver { shared, observer }
    }

    /// Nodes of all threads, where this one has `own`.
    fn nodes(&self, own: u64) -> u64 {
        self.shared.gauge(Peer::FIRST).nodes.store(own, Relaxed);
        self.shared.nodes()
    }
}

/// What makes a walk stop at any node: mail, and requests for work.
pub(super) struct Interrupt<'a> {
    shared: &'a SharedSearch,
    mailbox: &'a Mailbox<Envelope>,
    /// Nodes until the requests are looked at again.
    until_look: Cell<u32>,
}

impl<'a> Interrupt<'a> {
    pub fn new(shared: &'a SharedSearch, me: Peer) -> Interrupt<'a> {
        Interrupt { shared, mailbox: &shared.mailboxes[me.index()], until_look: Cell::new(0) }
    }

    /// Whether to stop at this node. An envelope is read at once: its sender may be idle until it is
    /// answered.
    #[inline(always)]
    pub fn is_due(&self) -> bool {
        self.mailbox.has_mail()
            || self.shared.is_called()
            || self.shared.is_wanted() && self.looks_now()
    }

    /// Whether it is time to see if there is something to give to those who want work.
    fn looks_now(&self) -> bool {
        let left = self.until_look.get();
        self.until_look.set(if left == 0 { LOOK_EVERY } else { left - 1 });
        left == 0
    }
}

impl Observer for MainObserver<'_> {
    fn should_stop(&mut self, progress: &Progress) -> bool {
        let nodes = self.nodes(progress.nodes);
        let selective_depth = self.shared.selective_depth();
        let progress = Progress { nodes, selective_depth, ..*progress };
        self.observer.as_mut().is_some_and(|observer| observer.should_stop(&progress))
    }

    fn report(&mut self, report: &Report<'_>) {
        if self.observer.is_none() {
            return;
        }
        let (nodes, shared) = (self.nodes(report.nodes), self.shared);
        if let Some(observer) = &mut self.observer {
            let own = shared.gauge(Peer::FIRST).tbhits.load(Relaxed);
            let others = shared.tbhits() - own;
            let selective_depth = shared.selective_depth().max(report.selective_depth);
            let tbhits = report.tbhits + others;
            observer.report(&Report { nodes, selective_depth, tbhits, ..report.clone() });
        }
    }

    fn go_on(&mut self, iteration: &Iteration) -> bool {
        if self.observer.is_none() {
            return true;
        }
        let nodes = self.nodes(iteration.nodes);
        let iteration = Iteration { nodes, ..*iteration };
        self.observer.as_mut().is_none_or(|observer| observer.go_on(&iteration))
    }
}
