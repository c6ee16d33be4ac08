//! The busy list: states whose children are searched elsewhere (D83), and which children may go out.

use super::settings::{SiblingWait, TdsSettings};
use crate::{Dewey, Peer, Time};
use eval::score::Score;
use search::walk::{Attempt, Detached, NodeType, Plan, PlanKind, Walker};

/// A child that is out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Out {
    pub number: u16,
    pub attempt: u16,
    pub plan: Plan,
    pub peer: Peer,
    pub promising: bool,
    /// How much had been learnt when it was sent.
    pub lessons: u32,
    /// The alpha that was told last.
    pub told: i32,
    /// When it was last heard of, or asked.
    pub since: Time,
    pub asked: bool,
}

/// A state that waits for its children.
pub(super) struct Held {
    pub node: Box<Detached>,
    pub parent: Peer,
    /// The window with which it was opened.
    pub alpha: Score,
    pub beta: Score,
    pub outs: Vec<Out>,
    /// A plan that was taken from the node and may not go out yet.
    next: Option<Plan>,
    exhausted: bool,
    /// Plans that have gone out.
    pub issued: u16,
    /// Nodes of the children that are back.
    pub nodes: u64,
    begun: u32,
    settled: u32,
    /// Unpromising moves among those that were begun (Z39).
    young: u32,
    /// Children need not wait for the first: a processor is without work.
    pub released: bool,
    /// How many children may be out beside the one whose turn it is, or go further ahead, for the same reason.
    extra: usize,
}

impl Held {
    pub fn new(node: Box<Detached>, parent: Peer, alpha: Score, beta: Score) -> Held {
        Held {
            node,
            parent,
            alpha,
            beta,
            outs: Vec::new(),
            next: None,
            exhausted: false,
            issued: 0,
            nodes: 0,
            begun: 0,
            settled: 0,
            young: 0,
            released: false,
            extra: 0,
        }
    }

    /// A child's value was taken for good.
    pub fn count_settled(&mut self, plan: &Plan) {
        self.settled += u32::from(plan.kind == PlanKind::Move);
    }

    /// The first attempt's number of the plan that was just taken: that of a first move has a mark.
    pub fn attempt_of(&self, plan: &Plan) -> u16 {
        match plan.kind == PlanKind::Move && self.begun == 1 {
            true => Dewey::ELDEST,
            false => 0,
        }
    }

    /// Whether there is nothing left to search.
    pub fn is_done(&self) -> bool {
        let moves_are_done = self.outs.iter().all(|out| out.plan.kind == PlanKind::Deepen);
        self.exhausted && self.next.is_none() && moves_are_done
    }

    /// The next plan that may go out now, and whether its move is promising.
    pub fn next_plan(
        &mut self,
        settings: &TdsSettings,
        alone: bool,
        walk: &mut dyn Walker,
    ) -> Option<(Plan, bool)> {
        let waits_for_first = self.begun > 0 && self.settled == 0 && !self.splits_at_once(settings);
        let special = self.outs.iter().any(|out| self.is_awaited(out, settings));
        if !self.outs.is_empty() && (alone || special || waits_for_first) {
            return None;
        }
        if self.next.is_none() && !self.exhausted {
            self.next = walk.plan(&mut self.node);
            self.exhausted = self.next.is_none();
        }
        let plan = self.next?;
        let is_move = plan.kind == PlanKind::Move;
        let promising = is_move && self.node.is_promising(plan.mv);
        if !self.outs.is_empty() && (!is_move || !self.may_begin(settings, promising)) {
            return None;
        }
        self.next = None;
        self.young += u32::from(is_move && self.begun > 0 && !promising);
        self.begun += u32::from(is_move);
        Some((self.node.refreshed(plan), promising))
    }

    /// Whether nothing else goes out before the child is back: it decides about the others. Where no move
    /// is expected to cut off, a search for a first move is expected to find none.
    fn is_awaited(&self, out: &Out, settings: &TdsSettings) -> bool {
        match out.plan.kind {
            PlanKind::Move => false,
            PlanKind::Deepen => !settings.overlap || self.node.node_type() != NodeType::Three,
            _ => true,
        }
    }

    /// Whether its children need not wait for the first.
    fn splits_at_once(&self, settings: &TdsSettings) -> bool {
        matches!(settings.sibling_wait, SiblingWait::ByType { all_wait: false, .. })
            && self.node.node_type() == NodeType::Three
            && (self.released || !settings.split_on_demand)
    }

    /// Lets children go out that wait for others, since a processor is without work: all of a node that
    /// expects no cut-off, some more (`widen`) of a node that does.
    pub fn release(&mut self, settings: &TdsSettings) {
        let ahead = self.is_far_ahead(settings);
        match self.node.node_type() {
            NodeType::Three if !ahead => self.released = true,
            _ => self.extra += settings.widen as usize,
        }
    }

    /// Whether no child may begin before the first of those that are out is back.
    fn is_far_ahead(&self, settings: &TdsSettings) -> bool {
        let SiblingWait::ByType { cut_ahead, all_ahead, .. } = settings.sibling_wait else {
            return false;
        };
        let most = match self.node.node_type() {
            NodeType::One => 0,
            NodeType::Two => cut_ahead,
            NodeType::Three => all_ahead,
        };
        let first = self.outs.iter().map(|out| out.number).min().unwrap_or(self.issued);
        most > 0 && usize::from(self.issued - first) >= most as usize + self.extra
    }

    /// Whether children wait that may go out on demand.
    pub fn holds_back(&self, of: NodeType, settings: &TdsSettings) -> bool {
        let left = self.next.is_some() || !self.exhausted;
        let ahead = settings.widen > 0 && self.begun > 0 && self.is_far_ahead(settings);
        left && self.node.node_type() == of
            && match of {
                _ if ahead => true,
                NodeType::One => false,
                NodeType::Two => {
                    settings.widen > 0 && self.settled > 0 && self.outs.len() == 1 + self.extra
                }
                NodeType::Three => self.begun > 0 && self.settled == 0 && !self.released,
            }
    }

    /// Whether a move may be begun beside those that are out.
    fn may_begin(&self, settings: &TdsSettings, promising: bool) -> bool {
        if self.is_far_ahead(settings) {
            return false;
        }
        match settings.sibling_wait {
            SiblingWait::Everywhere => self.is_free_of_promising(promising),
            SiblingWait::ByType { wait_more, cut_width, cut_after, all_width, .. } => {
                if cut_after > 0 && self.node.node_type() == NodeType::Two {
                    return self.settled >= cut_after || self.outs.len() <= self.extra;
                }
                let (free, width) = match self.node.node_type() {
                    NodeType::One => (self.is_free_of_promising(promising), 0),
                    NodeType::Two => (!promising && self.young >= wait_more, cut_width),
                    NodeType::Three => (true, all_width),
                };
                free && (width == 0 || self.outs.len() < (width * self.settled) as usize)
            }
        }
    }

    /// Whether promising moves are not waited for: they go out at once, the others when they are back.
    fn is_free_of_promising(&self, promising: bool) -> bool {
        promising || self.outs.iter().all(|out| !out.promising)
    }

    /// Forgets a child that was out.
    pub fn take_out(&mut self, number: u16, attempt: u16) -> Option<Out> {
        let is_it = |out: &Out| (out.number, out.attempt) == (number, attempt);
        let index = self.outs.iter().position(is_it)?;
        Some(self.outs.remove(index))
    }

    /// Children that use an alpha that is lower than the node's now, with their new windows, seen from
    /// the node.
    pub fn outdated(&mut self) -> Vec<(Out, i32, i32)> {
        let (alpha, beta) = self.node.window();
        let mut outdated = Vec::new();
        for out in self.outs.iter_mut().filter(|out| out.plan.kind == PlanKind::Move) {
            let full = out.plan.attempt == Attempt::Full;
            // A second search that begins above the window's end has decided the state: its value will tell.
            if full && out.told >= beta {
                continue;
            }
            if alpha > out.told || full && beta < out.plan.beta {
                out.told = out.told.max(alpha);
                let end = if full { beta } else { alpha + 1 };
                if full {
                    (out.plan.alpha, out.plan.beta) = (out.told, beta);
                }
                outdated.push((*out, out.told, end));
            }
        }
        outdated
    }
}
