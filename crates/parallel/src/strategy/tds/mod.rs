//! Transposition-driven scheduling: DarkSight's distributed search (D73 to D101).
//!
//! Every state of the upper part of the tree has a home, the processor to which its key points, and is
//! sent there to be searched: all look-ups are local, transpositions meet, and the load spreads by itself.
//! The home opens the state and holds it while its children, sent to their homes, are searched;
//! below a depth, the grain, a processor searches alone. Work waits in sequential order. See docs/design/tds.md
//! for the messages, the thesis's rules, their cures and what both measured.
//!
//! `work.rs` takes states and gives out children, `held.rs` says which may go, `agenda.rs` is the queue
//! with its waiting lists, `grain.rs` chooses the grain, `abort.rs` tells of cut-offs and windows,
//! `stealing.rs` lets idle processors help at the homes of others, `watch.rs` looks after lost work.

mod abort;
mod agenda;
mod grain;
mod held;
mod settings;
mod stealing;
mod watch;
mod work;

pub use settings::{SiblingWait, TdsSettings, Waiting};

use super::{Context, Strategy};
use crate::{Dewey, Message, Peer, RootSearch, TaskId, Time};
use agenda::{Agenda, Pending};
use board::Key;
use eval::score::Score;
use grain::Grain;
use held::Held;
use search::Depth;
use search::walk::{JobResult, Opened, Walker};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use stealing::Stealing;

/// A state that is searched by this processor's walk, below the grain.
struct Running {
    task: TaskId,
    path: Dewey,
    parent: Peer,
    key: Key,
    /// The window with which it began.
    alpha: Score,
    beta: Score,
    depth: Depth,
    /// Nodes of walks that were done on top of it.
    above: u64,
    /// It lives elsewhere.
    thief: bool,
    /// It is of no use any more; it is dropped when it is on top again.
    dead: bool,
    /// A narrower window that came while it was not on top.
    narrowed: Option<(i32, i32)>,
}

/// A processor of the search.
pub struct Tds {
    me: Peer,
    peers: u32,
    settings: TdsSettings,
    grain: Grain,
    agenda: Agenda,
    /// The busy list (D83).
    busy: BTreeMap<Dewey, Held>,
    /// The walk's tasks, the one on top last.
    running: Vec<Running>,
    /// Messages that wait for the end of a piece of work (D90).
    stash: VecDeque<(Peer, Message)>,
    /// States below which everything was aborted (D88).
    aborted: BTreeSet<Dewey>,
    stealing: Stealing,
    /// Which processors do not answer.
    lost: Vec<bool>,
    last_task: u32,
    searches: u16,
    /// The last search of the root of which a state has come.
    latest: u16,
    /// When the next history delta is sent, and to which receiver.
    next_delta: Time,
    receiver: usize,
    /// When a state that may wait in a circle goes on.
    impatient_at: Option<Time>,
    over: bool,
}

impl Tds {
    /// One of `peers`.
    pub fn new(me: Peer, peers: u32, settings: TdsSettings) -> Tds {
        Tds {
            me,
            peers,
            settings,
            grain: Grain::new(&settings, me == Peer::FIRST),
            agenda: Agenda::new(settings.waiting, settings.aphid),
            busy: BTreeMap::new(),
            running: Vec::new(),
            stash: VecDeque::new(),
            aborted: BTreeSet::new(),
            stealing: Stealing::new(me, &settings),
            lost: vec![false; peers as usize],
            last_task: 0,
            searches: 0,
            latest: 0,
            next_delta: 0,
            receiver: 0,
            impatient_at: None,
            over: false,
        }
    }

    /// The processor to which a state belongs (D74); where that one is lost, the next takes its place.
    fn home(&self, key: Key, depth: Depth) -> Peer {
        if !self.settings.homes {
            return self.me;
        }
        let (mut first, mut count) = (0, u64::from(self.peers));
        let cluster = u64::from(self.settings.cluster);
        if cluster > 0 && cluster < count {
            let clusters = count.div_ceil(cluster);
            let mine = u64::from(self.me.0) / cluster;
            let chosen =
                if depth >= self.settings.remote_grain { (key >> 32) % clusters } else { mine };
            first = chosen * cluster;
            count = cluster.min(count - first);
        }
        let mut place = key % count;
        for _ in 0..count {
            let peer = Peer((first + place) as u32);
            if peer == self.me || !self.lost[peer.index()] {
                return peer;
            }
            place = (place + 1) % count;
        }
        self.me
    }

    fn end(&mut self, job_result: JobResult, context: &mut Context<'_>) {
        self.over = true;
        context.end(self.me, self.peers, job_result);
    }

    fn receive(&mut self, from: Peer, message: Message, context: &mut Context<'_>) {
        match message {
            Message::State { path, job } => self.state_came(from, path, job, context),
            Message::Value { path, state_result } => match self.stealing.take_back(&path) {
                Some(lent) => self.stolen_done(&path, lent, *state_result, context),
                None => self.value_came(&path, &state_result, context),
            },
            Message::Request { origin, ticket, hops, .. } => {
                self.give(origin, ticket, hops, context);
            }
            Message::Refused { ticket } => self.refused(context.now, ticket),
            Message::Steal { path, job, ticket } => self.thief_came(from, path, job, ticket),
            Message::Abort { path, below: false } => self.abort(&path, context),
            Message::Abort { path, below: true } => self.abort_below(path, context),
            Message::Bounds { path, alpha, beta } => {
                self.bounds_came(&path, alpha, beta, context);
            }
            Message::Inquiry { path } => self.asked_after(from, path, context),
            Message::Status { path, known } => self.heard_of(&path, known, context),
            Message::HistoryDelta { receiver, history_delta } => {
                context.walk.merge_history_delta(&history_delta, usize::from(receiver))
            }
            _ => (),
        }
    }

    /// Whether a message has to wait until the work in hand is done (D90).
    fn is_put_off(&self, message: &Message, context: &Context<'_>) -> bool {
        let urgent = matches!(message, Message::Inquiry { .. } | Message::Status { .. });
        self.settings.main_loop && !urgent && !context.walk.is_idle()
    }

    /// After anything has happened: goes on with the work.
    fn go_on(&mut self, context: &mut Context<'_>) {
        if self.over {
            return;
        }
        self.work(context);
        self.end_circles(context);
        self.watch(context);
        self.ask(context);
    }

    /// Where nothing else is left to do, a state that may wait in a circle goes on (see agenda.rs).
    fn end_circles(&mut self, context: &mut Context<'_>) {
        if self.over || !self.running.is_empty() || self.agenda.circling().is_none() {
            self.impatient_at = None;
            return;
        }
        let longest_ns = self.settings.longest_wait_ns;
        let at = *self.impatient_at.get_or_insert(context.now + longest_ns);
        if context.now < at {
            context.wake_at(at);
        } else if let Some((path, pending)) = self.agenda.take_circling() {
            self.impatient_at = None;
            self.begin_state(path, pending, context);
            self.go_on(context);
        }
    }
}

impl Strategy for Tds {
    fn begin(&mut self, root: Option<&RootSearch>, context: &mut Context<'_>) {
        context.walk.keep_killers(!self.settings.killers);
        let Some(root) = root else {
            self.ask(context);
            return;
        };
        match context.walk.open_root(root) {
            Opened::Value(job_result, _) => self.end(job_result, context),
            Opened::Open(node) => {
                self.searches = 1;
                let (alpha, beta) = node.window();
                let held = Held::new(node, self.me, alpha, beta);
                self.spread(Dewey::root(1), held, context);
            }
        }
        self.go_on(context);
    }

    fn lose(&mut self, peer: Peer) {
        if let Some(lost) = self.lost.get_mut(peer.index()) {
            *lost = true;
        }
    }

    fn handle(&mut self, from: Peer, message: Message, context: &mut Context<'_>) {
        if let Some(lost) = self.lost.get_mut(from.index()) {
            *lost = false;
        }
        if matches!(message, Message::Stop) && from == Peer::FIRST {
            self.over = true;
            while let Some(running) = self.running.pop() {
                context.walk.cancel(running.task);
            }
        }
        if self.over {
            return;
        }
        if self.is_put_off(&message, context) {
            self.stash.push_back((from, message));
            return;
        }
        self.receive(from, message, context);
        self.go_on(context);
    }

    fn finished(&mut self, task: TaskId, job_result: JobResult, context: &mut Context<'_>) {
        self.task_done(task, job_result, context);
        while let Some((from, message)) = self.stash.pop_front() {
            self.receive(from, message, context);
        }
        self.go_on(context);
        self.send_history_delta(context);
    }

    fn paused(&mut self, context: &mut Context<'_>) {
        self.go_on(context);
    }

    fn could_give(&mut self, _to: Peer, _walk: &dyn Walker) -> bool {
        let any = !self.settings.homes;
        !self.grain.is_alone() && (self.agenda.has_for_thief(any) || self.holds_back())
    }
}
