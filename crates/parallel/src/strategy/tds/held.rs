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
                    NodeType::Two => {
                        let waited = self.is_free_of_promising(promising);
                        (!promising && waited && self.young >= wait_more, cut_width)
                    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RootSearch;
    use board::{History, Position};
    use search::switches::ChosenRules;
    use search::walk::{JobResult, Opened, Walk};
    use search::{Limits, Profile};
    use table::{AnyTable, PolicyKind};

    const FEN: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    /// The children of a node of a type, turn by turn: in each turn those that may go out beside each other,
    /// which are all back before the next. Of each it says whether it is promising.
    fn turns(node_type: NodeType, sibling_wait: SiblingWait) -> Vec<Vec<bool>> {
        let table = AnyTable::new(PolicyKind::TwoDeep, 1).expect("a megabyte is there");
        let mut table = &table;
        let rules = ChosenRules(Profile::Negascout.switches());
        let mut walk = Walk::new(rules, Profile::Negascout.evaluator());
        let mut walk = walk.session(&mut table, None);
        let position = Position::from_fen(FEN).expect("a sound position");
        let limits = Limits { depth: Some(5), ..Limits::default() };
        let order = RootSearch { position, game: History::new(), limits };
        let Opened::Open(mut root) = walk.open_root(&order) else { panic!("it has moves") };
        let plan = walk.plan(&mut root).expect("there are legal moves");
        let mut job = walk.child(&mut root, &plan, true);
        (job.node_type, job.alpha, job.beta, job.depth) = (node_type, 0, 1, 4);
        let Opened::Open(node) = walk.open(&job) else { panic!("it is deep enough") };
        let settings = TdsSettings { sibling_wait, ..TdsSettings::paper(1) };
        let (mut held, mut turns) = (Held::new(node, Peer::FIRST, 0, 1), Vec::new());
        loop {
            while let Some((plan, promising)) = held.next_plan(&settings, false, &mut walk) {
                let (number, attempt, peer) = (held.issued, 0, Peer::FIRST);
                let (lessons, told, since, asked) = (0, plan.alpha, 0, false);
                held.issued += 1;
                held.outs.push(Out {
                    number,
                    attempt,
                    plan,
                    peer,
                    promising,
                    lessons,
                    told,
                    since,
                    asked,
                });
            }
            if held.outs.is_empty() {
                return turns;
            }
            turns.push(held.outs.iter().map(|out| out.promising).collect());
            for out in std::mem::take(&mut held.outs) {
                let bad = JobResult { value: 500, line: Vec::new(), nodes: 1 };
                walk.settle(&mut held.node, &out.plan, &bad);
                held.count_settled(&out.plan);
            }
        }
    }

    #[test]
    fn d85_d87_at_all_nodes_the_first_child_is_waited_for_and_then_the_promising_ones() {
        for node_type in [NodeType::One, NodeType::Two, NodeType::Three] {
            let turns = turns(node_type, SiblingWait::Everywhere);
            let [first, promising, others] = &turns[..] else { panic!("{turns:?}") };
            assert_eq!(first.len(), 1);
            assert!(promising.len() > 1 && promising.iter().all(|&it| it), "{turns:?}");
            assert!(others.len() > 10 && !others.contains(&true), "{turns:?}");
        }
    }

    #[test]
    fn d94_by_type_a_cut_node_searches_what_promises_one_by_one_and_an_all_node_waits_for_none() {
        let by_type = SiblingWait::ByType {
            wait_more: 0,
            all_wait: false,
            cut_width: 0,
            cut_after: 0,
            all_width: 0,
            cut_ahead: 0,
            all_ahead: 0,
        };
        assert_eq!(turns(NodeType::One, by_type), turns(NodeType::One, SiblingWait::Everywhere));
        let all = turns(NodeType::Three, by_type);
        assert_eq!(all.len(), 1, "{all:?}");
        let cut = turns(NodeType::Two, by_type);
        let (others, promising) = cut.split_last().expect("there are moves");
        assert!(promising.len() > 2 && promising.iter().all(|turn| turn == &[true]), "{cut:?}");
        assert!(others.len() > 10 && !others.contains(&true), "{cut:?}");
    }
}
