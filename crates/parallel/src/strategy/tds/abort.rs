//! Cut-offs and narrowed windows, told to those who search for nothing.
//!
//! In the thesis an abort is told to all, and each keeps a list of aborts for what is still on its way
//! (D88). Here it may follow the work instead (D89): a home tells the homes of the children that
//! are out, which know whether they have sent children of their own. Order between two processors is
//! kept, so an abort never overtakes its state; what it misses has been answered already.

use super::{Context, Held, Running, Tds};
use crate::{Dewey, Message};
use eval::score::Score;

impl Tds {
    /// The children of a state that are out are of no use any more.
    pub(super) fn abort_children(
        &mut self,
        path: &Dewey,
        held: &mut Held,
        context: &mut Context<'_>,
    ) {
        if held.outs.is_empty() {
            return;
        }
        let outs = std::mem::take(&mut held.outs);
        if self.settings.broadcast {
            let abort = Message::Abort { path: path.clone(), below: true };
            context.send_to_others(self.me, self.peers, &abort);
            self.abort_below(path.clone(), context);
            return;
        }
        for out in outs {
            let child = path.child(out.number, out.attempt);
            if out.peer == self.me {
                self.abort(&child, context);
            } else {
                context.send(out.peer, Message::Abort { path: child, below: false });
            }
        }
    }

    /// A state is of no use any more.
    pub(super) fn abort(&mut self, path: &Dewey, context: &mut Context<'_>) {
        if self.agenda.drop(path) {
            return;
        }
        if let Some(lent) = self.stealing.take_back(path) {
            self.agenda.end(path, lent.key);
            context.send(lent.thief, Message::Abort { path: path.clone(), below: false });
            return;
        }
        if let Some(mut held) = self.busy.remove(path) {
            self.agenda.end(path, held.node.position().key());
            self.abort_children(path, &mut held, context);
            return;
        }
        if let Some(running) = self.running.iter_mut().find(|running| running.path == *path) {
            running.dead = true;
            let (path, key) = (running.path.clone(), running.key);
            self.agenda.end(&path, key);
        }
        self.look_at_top(context);
    }

    /// Everything below a state is of no use any more (D88).
    pub(super) fn abort_below(&mut self, path: Dewey, context: &mut Context<'_>) {
        self.agenda.drop_below(&path);
        let below = |it: &&Dewey| it.is_within(&path) && **it != path;
        let busy: Vec<Dewey> = self.busy.keys().filter(below).cloned().collect();
        for it in busy {
            if let Some(held) = self.busy.remove(&it) {
                self.agenda.end(&it, held.node.position().key());
            }
        }
        for index in 0..self.running.len() {
            if self.running[index].path.is_within(&path) {
                self.running[index].dead = true;
                let (path, key) = (self.running[index].path.clone(), self.running[index].key);
                self.agenda.end(&path, key);
            }
        }
        for (it, lent) in self.stealing.take_below(&path) {
            self.agenda.end(&it, lent.key);
        }
        // What waited for those that were dropped may itself be of no use.
        self.agenda.drop_below(&path);
        self.aborted.insert(path);
        self.look_at_top(context);
    }

    /// Another search of the root has begun: what is left of those before is of no use. By the thesis's rule
    /// something may be left: a child of a state that was dropped elsewhere is answered by nobody, and what is
    /// the same position in the new search would wait for it for ever.
    pub(super) fn end_earlier_searches(&mut self, search: u16, context: &mut Context<'_>) {
        if search > self.latest {
            for earlier in self.latest..search {
                self.abort_below(Dewey::root(earlier), context);
            }
            self.aborted.clear();
            self.latest = search;
        }
    }

    /// Drops the walk's work as long as it is dead, and tells it of a window that came meanwhile.
    pub(super) fn look_at_top(&mut self, context: &mut Context<'_>) {
        while let Some(running) = self.running.pop_if(|running| running.dead) {
            context.walk.cancel(running.task);
        }
        if let Some(Running { task, narrowed, .. }) = self.running.last_mut()
            && let Some((alpha, beta)) = narrowed.take()
        {
            context.walk.narrow(*task, alpha, beta);
        }
    }

    /// Tells the children of a state that are out of its new window. One that lives here may be decided
    /// by it, and the state with it: so it must be in the busy list.
    pub(super) fn tell_bounds(&mut self, path: &Dewey, context: &mut Context<'_>) {
        let Some(held) = self.busy.get_mut(path).filter(|_| self.settings.bounds) else { return };
        for (out, alpha, beta) in held.outdated() {
            let child = path.child(out.number, out.attempt);
            let (alpha, beta) = (-beta, -alpha);
            if out.peer == self.me {
                self.bounds_came(&child, alpha, beta, context);
            } else {
                context.send(out.peer, Message::Bounds { path: child, alpha, beta });
            }
        }
    }

    /// A state's window has changed. A null window that is in use stays where it is: what failed low
    /// inside it would say nothing about a lower one.
    pub(super) fn bounds_came(
        &mut self,
        path: &Dewey,
        alpha: Score,
        beta: Score,
        context: &mut Context<'_>,
    ) {
        if let Some(pending) = self.agenda.find(path) {
            let job = &mut pending.job;
            if job.beta - job.alpha == 1 {
                (job.alpha, job.beta) = (job.alpha.min(alpha), job.beta.min(beta));
            } else if job.alpha.max(alpha) < job.beta.min(beta) {
                (job.alpha, job.beta) = (job.alpha.max(alpha), job.beta.min(beta));
            }
            return;
        }
        if let Some(thief) = self.stealing.of(path) {
            context.send(thief, Message::Bounds { path: path.clone(), alpha, beta });
            return;
        }
        if let Some(mut held) = self.busy.remove(path) {
            if held.beta - held.alpha == 1 {
                self.busy.insert(path.clone(), held);
            } else if held.node.narrow(alpha, beta) {
                self.abort_children(path, &mut held, context);
                self.complete(path.clone(), held, context);
            } else {
                self.busy.insert(path.clone(), held);
                self.tell_bounds(path, context);
            }
            return;
        }
        if let Some(running) = self.running.iter_mut().find(|running| running.path == *path) {
            let (alpha, beta) = (running.alpha.max(alpha), running.beta.min(beta));
            if running.beta - running.alpha > 1 && alpha < beta {
                running.narrowed = Some((alpha, beta));
                self.look_at_top(context);
            }
        }
    }
}
