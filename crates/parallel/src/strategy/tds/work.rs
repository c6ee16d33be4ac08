//! Taking states, giving out their children, and taking values.

use super::held::Out;
use super::{Context, Held, Pending, Running, Tds};
use crate::{Dewey, Message, Peer, StateResult, TaskId};
use search::walk::{Absorbed, Attempt, Job, JobResult, Killers, Opened, Plan, PlanKind};

impl Tds {
    /// A state has come to its home.
    pub(super) fn state_came(
        &mut self,
        from: Peer,
        path: Dewey,
        job: Box<Job>,
        context: &mut Context<'_>,
    ) {
        self.end_earlier_searches(path.search(), context);
        self.stealing.wake();
        let late = path.search() < self.latest;
        if !late && !self.is_aborted(&path) && !self.is_here(&path) {
            self.take_in(path, job, from);
        }
    }

    /// A state is to be searched here.
    fn take_in(&mut self, path: Dewey, job: Box<Job>, parent: Peer) {
        let (held, shared) = (self.is_held(&job), self.is_shared(&job));
        self.agenda.add(path, Pending { job, parent, held, shared, thief: false });
    }

    /// Whether a state lies below one that was aborted with all below it (D88).
    fn is_aborted(&self, path: &Dewey) -> bool {
        let parents = std::iter::successors(path.parent(), Dewey::parent);
        !self.aborted.is_empty() && parents.into_iter().any(|it| self.aborted.contains(&it))
    }

    /// Does what comes first in sequential order, until the walk has something to do. To open a state
    /// takes a node and gives work to many: that need not wait for the work in hand.
    pub(super) fn work(&mut self, context: &mut Context<'_>) {
        while !self.over {
            let hungry = !self.settings.split_on_demand || context.now < self.stealing.hungry_until;
            let opens = self.settings.eager && hungry && context.walk.has_room();
            let upper = if opens { self.agenda.take_upper() } else { None };
            let next = match upper {
                None if self.may_begin(context) => self.agenda.take_first(),
                upper => upper,
            };
            let Some((path, pending)) = next else { return };
            let key = pending.job.position().key();
            match pending.shared && self.agenda.must_wait(&path, key) {
                true => self.agenda.wait(path, pending),
                false => self.begin_state(path, pending, context),
            }
        }
    }

    pub(super) fn begin_state(&mut self, path: Dewey, pending: Pending, context: &mut Context<'_>) {
        let Pending { job, parent, held, thief, .. } = pending;
        if held {
            self.open(path, parent, &job, context);
        } else {
            self.start(path, (parent, thief), job, context);
        }
    }

    /// Whether a state was sent to its home, where its transpositions come too.
    fn is_shared(&self, job: &Job) -> bool {
        job.depth >= self.grain_of(job).max(self.settings.home_grain)
            && job.ply <= self.settings.searched_grain
            && !self.grain.is_alone()
    }

    /// Whether a state's children are sent to their homes.
    pub(super) fn is_held(&self, job: &Job) -> bool {
        job.depth > self.grain_of(job)
            && job.ply < self.settings.searched_grain
            && !self.grain.is_alone()
    }

    /// Whether no other processor searches now: then all is done in the order of a sequential search.
    fn is_alone(&self) -> bool {
        self.peers == 1 || self.grain.is_alone()
    }

    fn grain_of(&self, job: &Job) -> i32 {
        self.grain.of(job.alpha, job.beta)
    }

    fn may_begin(&self, context: &Context<'_>) -> bool {
        let Some(first) = self.agenda.first() else { return false };
        match self.running.last() {
            None => true,
            Some(running) => {
                self.settings.preempt && *first < running.path && context.walk.has_room()
            }
        }
    }

    /// Opens a state and sends out its first child.
    fn open(&mut self, path: Dewey, parent: Peer, job: &Job, context: &mut Context<'_>) {
        match context.walk.open(job) {
            Opened::Value(job_result, killers) => {
                self.agenda.left(job.position().key());
                let (alpha, beta) = (job.alpha, job.beta);
                let state_result = StateResult { job_result, alpha, beta, killers, entry: None };
                self.deliver(&path, parent, state_result, context);
            }
            Opened::Open(node) => {
                self.agenda.begin(&path, job.position().key(), false);
                let mut held = Held::new(node, parent, job.alpha, job.beta);
                held.released = context.now < self.stealing.hungry_until;
                if self.settings.expected_type {
                    held.node.expected_type();
                }
                self.spread(path, held, context);
            }
        }
    }

    /// Begins a state below the grain.
    fn start(
        &mut self,
        path: Dewey,
        (parent, thief): (Peer, bool),
        job: Box<Job>,
        context: &mut Context<'_>,
    ) {
        self.last_task += 1;
        let task = self.me.task(self.last_task);
        let (key, alpha, beta, depth) = (job.position().key(), job.alpha, job.beta, job.depth);
        // There is room: it was asked for before anything is begun on top of something else.
        context.walk.start_job(task, job);
        self.agenda.begin(&path, key, true);
        let (above, dead, narrowed) = (0, false, None);
        self.running.push(Running {
            task,
            path,
            parent,
            key,
            alpha,
            beta,
            depth,
            above,
            thief,
            dead,
            narrowed,
        });
    }

    /// Sends out the children of a state that may go now, and closes it if none are left.
    pub(super) fn spread(&mut self, path: Dewey, mut held: Held, context: &mut Context<'_>) {
        let (settings, alone) = (self.settings, self.is_alone());
        while let Some((plan, promising)) = held.next_plan(&settings, alone, context.walk) {
            let number = held.issued;
            held.issued += 1;
            let name = (number, held.attempt_of(&plan));
            self.send_out(&path, &mut held, plan, name, promising, context);
        }
        if held.is_done() {
            self.abort_children(&path, &mut held, context);
            self.complete(path, held, context);
        } else {
            self.busy.insert(path, held);
        }
    }

    /// Sends a child to its home; small ones stay here.
    pub(super) fn send_out(
        &mut self,
        path: &Dewey,
        held: &mut Held,
        plan: Plan,
        (number, attempt): (u16, u16),
        promising: bool,
        context: &mut Context<'_>,
    ) {
        let mut job = context.walk.child(&mut held.node, &plan, attempt & !Dewey::ELDEST == 0);
        if !self.settings.killers {
            job = job.without_killers();
        }
        let peer = match self.is_shared(&job) {
            true => self.home(job.position().key(), job.depth),
            false => self.me,
        };
        held.outs.push(Out {
            number,
            attempt,
            plan,
            peer,
            promising,
            lessons: held.node.lessons(),
            told: plan.alpha,
            since: context.now,
            asked: false,
        });
        let (path, job) = (path.child(number, attempt), Box::new(job));
        if peer == self.me {
            self.take_in(path, job, peer);
        } else {
            context.send(peer, Message::State { path, job });
        }
    }

    /// A state's children are done, or it is cut off.
    pub(super) fn complete(&mut self, path: Dewey, mut held: Held, context: &mut Context<'_>) {
        if path.parent().is_none() {
            match context.walk.advance_root(&mut held.node) {
                Some(job_result) => self.end(job_result, context),
                None => {
                    self.searches += 1;
                    // Without stealing no other processor gets what is not sent.
                    let stealing = self.settings.retry_ns > 0;
                    self.grain.next_search(held.nodes, (!stealing).then(|| held.node.depth()));
                    let (alpha, beta) = held.node.window();
                    let held = Held::new(held.node, self.me, alpha, beta);
                    self.spread(Dewey::root(self.searches), held, context);
                }
            }
            return;
        }
        let Held { node, parent, alpha, beta, nodes, .. } = held;
        self.agenda.end(&path, node.position().key());
        let depth = node.depth();
        let (mut job_result, killers) = context.walk.close(node);
        job_result.nodes += nodes;
        self.grain.learn((alpha, beta), depth, job_result.nodes);
        let state_result = StateResult { job_result, alpha, beta, killers, entry: None };
        self.deliver(&path, parent, state_result, context);
    }

    /// A state below the grain is done.
    pub(super) fn task_done(
        &mut self,
        task: TaskId,
        job_result: JobResult,
        context: &mut Context<'_>,
    ) {
        let Some(index) = self.running.iter().position(|it| it.task == task) else { return };
        let done = self.running.remove(index);
        if let Some(below) = index.checked_sub(1).and_then(|below| self.running.get_mut(below)) {
            below.above += job_result.nodes;
        }
        let nodes = job_result.nodes.saturating_sub(done.above);
        self.grain.learn((done.alpha, done.beta), done.depth, nodes);
        let Running { path, parent, key, alpha, beta, thief, .. } = done;
        self.agenda.end(&path, key);
        let killers = context.walk.learnt().to_vec();
        let entry = if thief { context.walk.peek(key) } else { None };
        let state_result = StateResult { job_result, alpha, beta, killers, entry };
        self.deliver(&path, parent, state_result, context);
        self.look_at_top(context);
    }

    /// Tells the parent of a state what came of it.
    pub(super) fn deliver(
        &mut self,
        path: &Dewey,
        parent: Peer,
        mut state_result: StateResult,
        context: &mut Context<'_>,
    ) {
        if parent == self.me {
            self.value_came(path, &state_result, context);
            return;
        }
        if !self.settings.killers {
            state_result.killers = Vec::<Killers>::new();
        }
        context.send(
            parent,
            Message::Value { path: path.clone(), state_result: Box::new(state_result) },
        );
    }

    /// The value of a child has come.
    pub(super) fn value_came(
        &mut self,
        path: &Dewey,
        state_result: &StateResult,
        context: &mut Context<'_>,
    ) {
        let Some(parent) = path.parent() else { return };
        let Some(mut held) = self.busy.remove(&parent) else { return };
        held.nodes += state_result.job_result.nodes;
        let (number, attempt) = path.last();
        let Some(out) = held.take_out(number, attempt) else {
            self.busy.insert(parent, held);
            return;
        };
        let mut plan = out.plan;
        if plan.kind == PlanKind::Move && plan.attempt != Attempt::Full {
            // It may have been moved before it began.
            (plan.alpha, plan.beta) = (-state_result.beta, -state_result.alpha);
        }
        if self.settings.killers {
            let alone = out.lessons == held.node.lessons();
            held.node.learn(&plan, &state_result.killers, alone);
        }
        match context.walk.settle(&mut held.node, &plan, &state_result.job_result) {
            Absorbed::Settled => {
                held.count_settled(&plan);
                if self.settings.expected_type && plan.kind == PlanKind::Deepen {
                    held.node.set_expected(state_result.job_result.value);
                }
                self.busy.insert(parent.clone(), held);
                self.tell_bounds(&parent, context);
                if let Some(held) = self.busy.remove(&parent) {
                    self.spread(parent, held, context);
                }
            }
            Absorbed::Again(again) => {
                let name = (number, attempt + 1);
                self.send_out(&parent, &mut held, again, name, out.promising, context);
                self.spread(parent, held, context);
            }
            Absorbed::Cut => {
                self.abort_children(&parent, &mut held, context);
                self.complete(parent, held, context);
            }
        }
    }
}
