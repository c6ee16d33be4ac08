//! Whom the walk of a thread talks to: the first speaks for all to the user, the others to nobody.

use super::campaign::{Campaign, Letter};
use super::mailbox::Mailbox;
use crate::Peer;
use search::{Host, Iteration, Outcome, Progress, Report};
use std::cell::Cell;
use std::sync::atomic::Ordering::Relaxed;

/// Nodes between two looks for something to give while somebody wants work.
const LOOK_EVERY: u32 = 8;

/// The host of a thread's walk. It adds up what all threads have counted.
pub(super) struct Spokesman<'a> {
    campaign: &'a Campaign,
    host: Option<&'a mut dyn Host>,
}

impl<'a> Spokesman<'a> {
    pub fn new(campaign: &'a Campaign, host: Option<&'a mut dyn Host>) -> Spokesman<'a> {
        Spokesman { campaign, host }
    }

    /// Whether somebody listens.
    pub fn speaks(&self) -> bool {
        self.host.is_some()
    }

    /// Nodes of all threads, where this one has so many.
    fn nodes(&self, own: u64) -> u64 {
        self.campaign.gauge(Peer::FIRST).nodes.store(own, Relaxed);
        self.campaign.nodes()
    }

    /// Tells of what another thread has found.
    pub fn tell(&mut self, found: &Outcome, hashfull: u16) {
        let Some(host) = &mut self.host else { return };
        for (line, rank) in found.lines.iter().zip(1..) {
            host.report(&Report {
                depth: found.depth,
                selective_depth: self.campaign.selective_depth(),
                rank,
                line,
                nodes: self.campaign.nodes(),
                hashfull: u32::from(hashfull),
                table_hits: self.campaign.table_hits(),
            });
        }
    }
}

/// What makes a walk stop at any node: mail, and requests for work.
pub(super) struct Interrupt<'a> {
    campaign: &'a Campaign,
    mailbox: &'a Mailbox<Letter>,
    /// Nodes until the requests are looked at again.
    until_look: Cell<u32>,
}

impl<'a> Interrupt<'a> {
    pub fn new(campaign: &'a Campaign, me: Peer) -> Interrupt<'a> {
        Interrupt { campaign, mailbox: &campaign.mailboxes[me.index()], until_look: Cell::new(0) }
    }

    /// Whether to stop at this node. A letter is read at once: its sender may be idle until it is
    /// answered.
    #[inline(always)]
    pub fn is_due(&self) -> bool {
        self.mailbox.has_mail()
            || self.campaign.is_called()
            || self.campaign.is_wanted() && self.looks_now()
    }

    /// Whether it is time to see if there is something to give to those who want work.
    fn looks_now(&self) -> bool {
        let left = self.until_look.get();
        self.until_look.set(if left == 0 { LOOK_EVERY } else { left - 1 });
        left == 0
    }
}

impl Host for Spokesman<'_> {
    fn should_stop(&mut self, progress: &Progress) -> bool {
        let nodes = self.nodes(progress.nodes);
        let selective_depth = self.campaign.selective_depth();
        let progress = Progress { nodes, selective_depth, ..*progress };
        self.host.as_mut().is_some_and(|host| host.should_stop(&progress))
    }

    fn report(&mut self, report: &Report<'_>) {
        if self.host.is_none() {
            return;
        }
        let (nodes, campaign) = (self.nodes(report.nodes), self.campaign);
        if let Some(host) = &mut self.host {
            let own = campaign.gauge(Peer::FIRST).table_hits.load(Relaxed);
            let others = campaign.table_hits() - own;
            let selective_depth = campaign.selective_depth().max(report.selective_depth);
            let table_hits = report.table_hits + others;
            host.report(&Report { nodes, selective_depth, table_hits, ..report.clone() });
        }
    }

    fn go_on(&mut self, iteration: &Iteration) -> bool {
        if self.host.is_none() {
            return true;
        }
        let nodes = self.nodes(iteration.nodes);
        let iteration = Iteration { nodes, ..*iteration };
        self.host.as_mut().is_none_or(|host| host.go_on(&iteration))
    }
}
