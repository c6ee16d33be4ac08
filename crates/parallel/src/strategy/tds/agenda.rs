//! The work queue in sequential order (D81) and the waiting lists (D84).
//!
//! By the thesis's rule a state that comes waits for any transposition in the queue or under search here
//! that is not its ancestor; when that one is done, one of those that wait goes on. Two states may then
//! wait for each other, each through a descendant of the other: the thesis does not say how it got out of
//! that. Every such circle has a state that the cured rule would not let wait; a processor that has nothing
//! else to do for a while goes on with the first of those.
//!
//! The cured rule needs no way out. A state waits for a transposition under search if that one comes earlier
//! in sequential order: since each waits only for what comes earlier, none wait in a circle. What a walk
//! searches alone waits for nothing, so that all may wait for it.

use super::settings::Waiting;
use crate::{Dewey, Peer};
use board::Key;
use search::walk::Job;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A state that is to be searched.
pub(super) struct Pending {
    pub job: Box<Job>,
    pub parent: Peer,
    /// Whether it is opened and held; else the walk searches it alone.
    pub held: bool,
    /// Whether it was sent to its home, where its transpositions come too.
    pub shared: bool,
    /// Whether it lives elsewhere.
    pub thief: bool,
}

impl Pending {
    fn key(&self) -> u64 {
        self.job.position().key()
    }
}

/// What is to be done, what is being done, and what waits for it.
pub(super) struct Agenda {
    rule: Waiting,
    /// Whether APHID's priorities come before sequential order.
    aphid: bool,
    /// States for the walk.
    queue: BTreeMap<Dewey, Pending>,
    /// States that will be held.
    upper: BTreeMap<Dewey, Pending>,
    /// States under search by their keys, and whether any state may wait for them.
    active: BTreeMap<u64, Vec<(Dewey, bool)>>,
    waiting: BTreeMap<Dewey, Pending>,
}

impl Agenda {
    /// Nothing to do.
    pub fn new(rule: Waiting, aphid: bool) -> Agenda {
        let (queue, upper, waiting) = Default::default();
        Agenda { rule, aphid, queue, upper, active: BTreeMap::new(), waiting }
    }

    /// A state has come.
    pub fn add(&mut self, path: Dewey, pending: Pending) {
        let key = pending.key();
        let met = pending.shared && self.rule != Waiting::Earlier;
        if met && (self.is_queued(key) || self.must_wait(&path, key)) {
            self.wait(path, pending);
        } else {
            self.queue_up(path, pending);
        }
    }

    fn queue_up(&mut self, path: Dewey, pending: Pending) {
        match pending.held {
            true => self.upper.insert(path, pending),
            false => self.queue.insert(path, pending),
        };
    }

    fn is_queued(&self, key: Key) -> bool {
        self.queue.values().chain(self.upper.values()).any(|pending| pending.key() == key)
    }

    /// Whether nothing is to be done.
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty() && self.upper.is_empty()
    }

    /// The name of the first.
    pub fn first(&self) -> Option<&Dewey> {
        let all = [&self.queue, &self.upper];
        match self.aphid {
            true => all.into_iter().flat_map(|it| it.keys()).min_by(|a, b| rank(a).cmp(&rank(b))),
            false => all.into_iter().filter_map(|it| it.keys().next()).min(),
        }
    }

    /// Takes the first.
    pub fn take_first(&mut self) -> Option<(Dewey, Pending)> {
        let path = self.first()?.clone();
        self.upper.remove_entry(&path).or_else(|| self.queue.remove_entry(&path))
    }

    /// Takes the first of those that will be held.
    pub fn take_upper(&mut self) -> Option<(Dewey, Pending)> {
        self.upper.pop_first()
    }

    /// Takes the first of those that live here and need not wait, for a thief: of those for the walk, or
    /// `any` of them, the held ones first.
    pub fn take_for_thief(&mut self, any: bool) -> Option<(Dewey, Pending)> {
        let ready = |(path, pending): &(&Dewey, &Pending)| {
            !pending.thief && !self.must_wait(path, pending.key())
        };
        if any && let Some((path, _)) = self.upper.iter().find(ready) {
            let path = path.clone();
            return self.upper.remove_entry(&path);
        }
        let path = self.queue.iter().find(ready)?.0.clone();
        self.queue.remove_entry(&path)
    }

    /// Whether there may be something for a thief.
    pub fn has_for_thief(&self, any: bool) -> bool {
        let upper = self.upper.values().filter(|_| any);
        self.queue.values().chain(upper).any(|pending| !pending.thief)
    }

    /// Whether a state has to wait for a transposition that is under search.
    pub fn must_wait(&self, path: &Dewey, key: Key) -> bool {
        self.meets(self.rule, path, key)
    }

    fn meets(&self, rule: Waiting, path: &Dewey, key: Key) -> bool {
        let active = self.active.get(&key);
        active.is_some_and(|active| {
            active.iter().any(|(it, met)| match rule {
                Waiting::Earlier => *met || it < path && !path.is_within(it),
                _ => !path.is_within(it),
            })
        })
    }

    /// Lets a state wait for a transposition.
    pub fn wait(&mut self, path: Dewey, pending: Pending) {
        self.waiting.insert(path, pending);
    }

    /// The first state that may wait in a circle, if nothing else is to be done.
    pub fn circling(&self) -> Option<&Dewey> {
        let circling = |(path, pending): &(&Dewey, &Pending)| {
            !self.meets(Waiting::Earlier, path, pending.key())
        };
        let waits = self.rule != Waiting::Earlier && self.is_empty();
        self.waiting.iter().filter(|_| waits).find(circling).map(|(path, _)| path)
    }

    /// Takes it.
    pub fn take_circling(&mut self) -> Option<(Dewey, Pending)> {
        let path = self.circling()?.clone();
        self.waiting.remove_entry(&path)
    }

    /// The search of a state begins. One that waits for nothing itself may be `met`: others wait for it
    /// though they come earlier.
    pub fn begin(&mut self, path: &Dewey, key: Key, met: bool) {
        self.active.entry(key).or_default().push((path.clone(), met));
    }

    /// The search of a state is over: those who waited for it are to be looked at again.
    pub fn end(&mut self, path: &Dewey, key: Key) {
        if let Some(active) = self.active.get_mut(&key) {
            active.retain(|(it, _)| it != path);
            if active.is_empty() {
                self.active.remove(&key);
            }
        }
        if self.rule != Waiting::Earlier {
            self.left(key);
            return;
        }
        let waits = |(_, pending): &(&Dewey, &Pending)| pending.key() == key;
        let waiting: Vec<Dewey> =
            self.waiting.iter().filter(waits).map(|(path, _)| path.clone()).collect();
        for path in waiting {
            if let Some(pending) = self.waiting.remove(&path) {
                self.queue_up(path, pending);
            }
        }
    }

    /// A state is neither in the queue nor under search any more: by the thesis's rule one of those who wait
    /// for it takes its place.
    pub fn left(&mut self, key: Key) {
        if self.rule == Waiting::Earlier || self.is_queued(key) {
            return;
        }
        let mut free = self
            .waiting
            .iter()
            .filter(|(path, pending)| pending.key() == key && !self.must_wait(path, key));
        let next = match self.rule {
            Waiting::AnyShallowest => free.min_by_key(|(_, pending)| pending.job.ply),
            _ => free.next(),
        };
        if let Some(path) = next.map(|(path, _)| path.clone())
            && let Some(pending) = self.waiting.remove(&path)
        {
            self.queue_up(path, pending);
        }
    }

    /// A state that has not begun, to be changed.
    pub fn find(&mut self, path: &Dewey) -> Option<&mut Pending> {
        let waiting = self.waiting.get_mut(path);
        self.queue.get_mut(path).or_else(|| self.upper.get_mut(path)).or(waiting)
    }

    /// Drops a state that has not begun; whether there was one.
    pub fn drop(&mut self, path: &Dewey) -> bool {
        let queued = self.queue.remove(path).or_else(|| self.upper.remove(path));
        if let Some(pending) = &queued {
            self.left(pending.key());
        }
        queued.is_some() || self.waiting.remove(path).is_some()
    }

    /// Drops all that have not begun and lie below a state.
    pub fn drop_below(&mut self, path: &Dewey) {
        self.waiting.retain(|it, _| !it.is_within(path));
        let below = |it: &Dewey, _: &mut Pending| it.is_within(path);
        let queued = self.queue.extract_if(.., below);
        let keys: Vec<Key> = queued
            .chain(self.upper.extract_if(.., below))
            .map(|(_, pending)| pending.key())
            .collect();
        keys.into_iter().for_each(|key| self.left(key));
    }
}

/// APHID's order: by priority, and of equals the first in sequential order.
fn rank(path: &Dewey) -> (Reverse<u32>, &Dewey) {
    (Reverse(path.aphid()), path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use board::{History, Position};
    use search::switches::ChosenRules;
    use search::walk::{Opened, RootSearch, Walk, Walker};
    use search::{Limits, Profile};
    use table::{AnyTable, PolicyKind};

    /// The first two children of the initial position: two keys.
    fn jobs() -> [Box<Job>; 2] {
        let AnyTable::Bucketed(table) =
            AnyTable::new(PolicyKind::Bucketed, 1).expect("a megabyte is there")
        else {
            panic!("it has buckets")
        };
        let mut table = &table;
        let mut walk =
            Walk::new(ChosenRules(Profile::DarkSight.switches()), eval::Classical::new());
        let mut walk = walk.session(&mut table, None);
        let limits = Limits { depth: Some(4), ..Limits::default() };
        let root = RootSearch { position: Position::startpos(), game: History::new(), limits };
        let Opened::Open(mut root) = walk.open_root(&root) else { panic!("it has moves") };
        [(); 2].map(|()| {
            let plan = walk.plan(&mut root).expect("twenty moves");
            Box::new(walk.child(&mut root, &plan, true))
        })
    }

    fn pending(job: &Job, ply: i32) -> Pending {
        let mut job = job.clone();
        job.ply = ply;
        Pending { job: Box::new(job), parent: Peer::FIRST, held: false, shared: true, thief: false }
    }

    fn path(numbers: &[u16]) -> Dewey {
        numbers.iter().fold(Dewey::root(1), |path, &number| path.child(number, 0))
    }

    fn taken(agenda: &mut Agenda) -> Option<Dewey> {
        let (path, pending) = agenda.take_first()?;
        agenda.begin(&path, pending.key(), !pending.held);
        Some(path)
    }

    #[test]
    fn d84_a_state_waits_for_any_transposition_in_the_queue_or_under_search() {
        let [job, other] = jobs();
        let key = job.position().key();
        let mut agenda = Agenda::new(Waiting::Any, false);
        agenda.add(path(&[5]), pending(&job, 1));
        // It comes earlier in sequential order, and still it waits: the other is in the queue.
        agenda.add(path(&[2, 1, 1]), pending(&job, 3));
        agenda.add(path(&[6]), pending(&other, 1));
        assert_eq!(taken(&mut agenda), Some(path(&[5])));
        agenda.add(path(&[1, 1, 1]), pending(&job, 3));
        assert_eq!(taken(&mut agenda), Some(path(&[6])), "the others wait");
        assert_eq!(taken(&mut agenda), None);
        agenda.end(&path(&[5]), key);
        assert_eq!(taken(&mut agenda), Some(path(&[1, 1, 1])), "one at a time (3b)");
        assert_eq!(taken(&mut agenda), None);
        agenda.end(&path(&[1, 1, 1]), key);
        assert_eq!(taken(&mut agenda), Some(path(&[2, 1, 1])));
    }

    #[test]
    fn d84_a_state_does_not_wait_for_its_ancestor() {
        let [job, _] = jobs();
        for rule in [Waiting::Any, Waiting::AnyShallowest] {
            let mut agenda = Agenda::new(rule, false);
            agenda.add(path(&[3]), Pending { held: true, ..pending(&job, 1) });
            assert_eq!(taken(&mut agenda), Some(path(&[3])));
            agenda.add(path(&[3, 0, 0]), pending(&job, 3));
            assert_eq!(taken(&mut agenda), Some(path(&[3, 0, 0])));
        }
    }

    #[test]
    fn d84_g6_of_those_that_wait_the_first_or_the_shallowest_goes_on() {
        let [job, _] = jobs();
        let key = job.position().key();
        let cases: [(Waiting, &[u16]); 2] =
            [(Waiting::Any, &[1, 1, 1]), (Waiting::AnyShallowest, &[8])];
        for (rule, expected) in cases {
            let mut agenda = Agenda::new(rule, false);
            agenda.add(path(&[5]), pending(&job, 1));
            agenda.add(path(&[8]), pending(&job, 1));
            agenda.add(path(&[1, 1, 1]), pending(&job, 3));
            assert_eq!(taken(&mut agenda), Some(path(&[5])));
            agenda.end(&path(&[5]), key);
            assert_eq!(taken(&mut agenda), Some(path(expected)));
        }
    }

    #[test]
    fn those_who_wait_for_a_state_that_is_dropped_go_on() {
        let [job, _] = jobs();
        for drop in [true, false] {
            let mut agenda = Agenda::new(Waiting::Any, false);
            agenda.add(path(&[5, 1]), pending(&job, 2));
            agenda.add(path(&[7, 1]), pending(&job, 2));
            agenda.add(path(&[5, 2]), pending(&job, 2));
            match drop {
                true => assert!(agenda.drop(&path(&[5, 1])) && agenda.drop(&path(&[5, 2]))),
                false => agenda.drop_below(&path(&[5])),
            }
            assert_eq!(taken(&mut agenda), Some(path(&[7, 1])));
            assert_eq!(taken(&mut agenda), None);
        }
    }

    #[test]
    fn d82_by_aphids_priorities_a_later_first_move_overtakes() {
        let jobs = jobs();
        let later = Dewey::root(1).child(4, 0).child(1, Dewey::ELDEST);
        for (aphid, expected) in [(false, path(&[3, 2])), (true, later.clone())] {
            let mut agenda = Agenda::new(Waiting::Any, aphid);
            agenda.add(path(&[3, 2]), pending(&jobs[0], 2));
            agenda.add(later.clone(), pending(&jobs[1], 2));
            assert_eq!(taken(&mut agenda), Some(expected));
        }
    }

    #[test]
    fn only_a_state_that_waits_for_a_later_held_one_may_wait_in_a_circle() {
        let [job, other] = jobs();
        for (held, waits, expected) in
            [(true, path(&[2]), true), (true, path(&[6]), false), (false, path(&[2]), false)]
        {
            let mut agenda = Agenda::new(Waiting::Any, false);
            agenda.add(path(&[5]), Pending { held, ..pending(&job, 1) });
            taken(&mut agenda);
            agenda.add(waits.clone(), pending(&job, 1));
            assert_eq!(agenda.circling().is_some(), expected, "{held} {waits:?}");
            agenda.add(path(&[7]), pending(&other, 1));
            assert_eq!(agenda.circling(), None, "there is something else to do");
        }
    }

    #[test]
    fn the_cured_rule_waits_for_what_comes_earlier_or_below_the_grain() {
        let [job, _] = jobs();
        let key = job.position().key();
        let mut agenda = Agenda::new(Waiting::Earlier, false);
        agenda.begin(&path(&[5]), key, false);
        assert!(!agenda.must_wait(&path(&[2]), key) && agenda.must_wait(&path(&[6]), key));
        assert!(!agenda.must_wait(&path(&[5, 1]), key));
        agenda.begin(&path(&[4]), key, true);
        assert!(agenda.must_wait(&path(&[2]), key));
    }
}
