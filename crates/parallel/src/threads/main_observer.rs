//! What the walk of a thread talks to: the first speaks for all to the user, the others are silent.

use super::mailbox::Mailbox;
use super::shared_search::{Envelope, SharedSearch};
use crate::Peer;
use eval::Evaluator;
use search::switches::Rules;
use search::walk::{Pause, Session};
use search::{Iteration, Lookup, Observer, Progress, Report};
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

/// What makes a walk stop at any node: mail, and steal requests or, in an idle search, the end.
pub(super) struct Interrupt<'a> {
    shared: &'a SharedSearch,
    mailbox: &'a Mailbox<Envelope>,
    idle: bool,
    /// Nodes until the requests are looked at again.
    until_look: Cell<u32>,
}

impl<'a> Interrupt<'a> {
    pub fn new(shared: &'a SharedSearch, me: Peer, idle: bool) -> Interrupt<'a> {
        let mailbox = &shared.mailboxes[me.index()];
        Interrupt { shared, mailbox, idle, until_look: Cell::new(0) }
    }

    /// Searches that number of nodes, fewer if there is something to tell or a reason to stop. Work and idle search
    /// share this copy of the walk.
    pub fn run<R: Rules, E: Evaluator, T: Lookup>(
        &self,
        session: &mut Session<'_, R, E, T>,
        nodes: u64,
    ) -> Pause {
        session.run(nodes, || self.is_due())
    }

    /// Whether to stop at this node. An envelope is read at once: its sender may be idle until it is
    /// answered.
    #[inline(always)]
    fn is_due(&self) -> bool {
        self.mailbox.has_mail()
            || self.shared.is_called()
            || match self.idle {
                true => self.shared.is_over(),
                false => self.shared.is_wanted() && self.looks_now(),
            }
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
        if self.observer.is_none() {
            return self.shared.is_over();
        }
        let nodes = self.nodes(progress.nodes);
        let selective_depth = self.shared.selective_depth();
        let progress = Progress { nodes, selective_depth, ..*progress };
        self.observer.as_mut().is_some_and(|observer| observer.should_stop(&progress))
    }

    fn listens(&self) -> bool {
        self.observer.as_ref().is_some_and(|observer| observer.listens())
    }

    fn report(&mut self, report: &Report<'_>) {
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
        let mut told = Iteration { nodes, ..*iteration };
        if let Some(agreement) = self.shared.agreement(iteration) {
            (told.node_share, told.stable_for) = (agreement.node_share, agreement.stable_for);
        }
        self.observer.as_mut().is_none_or(|observer| observer.go_on(&told))
    }
}
