//! Counting on several threads.
//!
//! The first plies are played out into a list of jobs, many more than threads. The threads take the
//! next job by a counter until none is left, each sums up its own results, and the sums are added at
//! the end: no count depends on who took which job.

use super::{Bulk, CountTable, Hashed, Single};
use crate::attacks::dispatch;
use crate::{Move, MoveList, Position};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

/// Jobs wanted per thread: enough that none waits long for the last one.
const JOBS_PER_THREAD: usize = 64;

/// Jobs wanted at least: progress and the time left are told by them.
const FEWEST_JOBS: usize = 512;

/// Below this depth a job is too small for a thread of its own.
const SHALLOWEST_JOB: u32 = 2;

/// Counts of this depth and less are not interrupted: they take some milliseconds.
const UNINTERRUPTED: u32 = 4;

/// How to count.
///
/// ```
/// use board::{Position, perft::Counting};
///
/// let counting = Counting { threads: 2, ..Counting::default() };
/// assert_eq!(counting.count(&Position::startpos(), 4), Some(197_281));
/// ```
#[derive(Clone, Copy)]
pub struct Counting<'a> {
    /// The number of threads; the caller is one of them.
    pub threads: usize,
    /// Where counts are kept for positions that come again.
    pub table: Option<&'a CountTable>,
    /// Whether the moves of the last ply are played too, instead of being counted.
    pub play_all: bool,
    /// Called after every job, by any thread, with the jobs done so far and the number of all.
    pub progress: &'a (dyn Fn(usize, usize) + Sync),
    /// Asked every few milliseconds, by any thread: whether to give up. Once it says so, it must go on
    /// saying so.
    pub should_stop: &'a (dyn Fn() -> bool + Sync),
}

impl Default for Counting<'_> {
    /// One thread, no table, the last ply counted, no progress told, nothing stopped.
    fn default() -> Self {
        Counting {
            threads: 1,
            table: None,
            play_all: false,
            progress: &|_, _| (),
            should_stop: &|| false,
        }
    }
}

impl Counting<'_> {
    /// The number of legal lines of `depth` half-moves; none if 64 bits cannot hold it or it was stopped.
    pub fn count(&self, position: &Position, depth: u32) -> Option<u64> {
        if depth <= SHALLOWEST_JOB {
            return known(self.single(position, depth));
        }
        let divided = self.divide(position, depth)?;
        divided.into_iter().try_fold(0u64, |sum, (_, count)| known(sum.saturating_add(count)))
    }

    /// The count behind each legal move, in the order of generation; none if 64 bits cannot hold one or it
    /// was stopped. At depth 0 there is no move to divide by.
    pub fn divide(&self, position: &Position, depth: u32) -> Option<Vec<(Move, u64)>> {
        let counts = self.divide_so_far(position, depth).into_iter();
        counts.map(|part| Some((part.mv, known(part.count).filter(|_| part.is_whole)?))).collect()
    }

    /// As [`divide`](Counting::divide), and when it was stopped, what had been counted until then. Sums
    /// that 64 bits cannot hold are `u64::MAX`.
    pub fn divide_so_far(&self, position: &Position, depth: u32) -> Vec<Part> {
        let Some(below) = depth.checked_sub(1) else { return Vec::new() };
        let moves = position.legal_moves();
        let jobs = Jobs::new(position, &moves, below, self.threads);
        let mut left = vec![0; moves.len()];
        jobs.list.iter().for_each(|job| left[job.root] += 1);
        let sums = self.run(&jobs, moves.len());
        let parts = moves.iter().zip(sums).zip(left);
        parts.map(|((&mv, (count, done)), all)| Part { mv, count, is_whole: done == all }).collect()
    }

    /// Runs all jobs: for each root move the sum, and the jobs that were not cut short.
    fn run(&self, jobs: &Jobs, moves: usize) -> Vec<(u64, usize)> {
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = || {
            let mut sums = vec![(0u64, 0); moves];
            while !(self.should_stop)()
                && let Some(job) = jobs.list.get(next.fetch_add(1, Relaxed))
            {
                let count = self.single(&job.position, jobs.depth);
                let (sum, done_here) = &mut sums[job.root];
                *sum = sum.saturating_add(count);
                *done_here += usize::from(!(self.should_stop)());
                (self.progress)(done.fetch_add(1, Relaxed) + 1, jobs.list.len());
            }
            sums
        };
        let helpers = self.threads.min(jobs.list.len()).saturating_sub(1);
        thread::scope(|scope| {
            // Where the system gives no more threads, those that there are do the work.
            let spawn = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
            let others: Vec<_> = (0..helpers).map_while(spawn).collect();
            let mut sums = work();
            for other in others {
                let theirs = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                for ((sum, done), (more, done_there)) in sums.iter_mut().zip(theirs) {
                    (*sum, *done) = (sum.saturating_add(more), *done + done_there);
                }
            }
            sums
        })
    }

    fn single(&self, position: &Position, depth: u32) -> u64 {
        if depth > UNINTERRUPTED {
            return self.interruptible(position, depth);
        }
        match (self.table, self.play_all) {
            (Some(table), play_all) => dispatch(Hashed { position, depth, table, play_all }),
            (None, true) => dispatch(Single(position, depth)),
            (None, false) => dispatch(Bulk(position, depth)),
        }
    }

    /// The upper plies of a job. When it was stopped the sum is too small, and no table may learn it.
    fn interruptible(&self, position: &Position, depth: u32) -> u64 {
        if (self.should_stop)() {
            return 0;
        }
        let entry = self.table.map(|table| (table, CountTable::key(position, depth)));
        if let Some(count) = entry.and_then(|(table, key)| table.get(key)) {
            return count;
        }
        let moves = position.legal_moves();
        let counts = moves.iter().map(|&mv| self.single(&position.make(mv), depth - 1));
        let count = counts.fold(0, u64::saturating_add);
        if let Some((table, key)) = entry
            && !(self.should_stop)()
        {
            table.put(key, count);
        }
        count
    }
}

/// What was counted behind a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// The move.
    pub mv: Move,
    /// The leaves that were counted.
    pub count: u64,
    /// Whether these are all.
    pub is_whole: bool,
}

/// Sums stop at the largest number, which therefore says nothing.
fn known(count: u64) -> Option<u64> {
    (count < u64::MAX).then_some(count)
}

/// The positions that are counted one by one, all at the same depth.
struct Jobs {
    list: Vec<Job>,
    depth: u32,
}

struct Job {
    /// Which root move it belongs to.
    root: usize,
    position: Position,
}

impl Jobs {
    fn new(position: &Position, moves: &MoveList, depth: u32, threads: usize) -> Jobs {
        let first = moves.iter().enumerate();
        let list = first.map(|(root, &mv)| Job { root, position: position.make(mv) }).collect();
        let mut jobs = Jobs { list, depth };
        let wanted = threads.saturating_mul(JOBS_PER_THREAD).max(FEWEST_JOBS);
        while jobs.depth > SHALLOWEST_JOB && jobs.list.len() < wanted {
            jobs.deepen();
        }
        jobs
    }

    /// Replaces every job by those of its moves.
    fn deepen(&mut self) {
        let mut list = Vec::with_capacity(self.list.len() * 32);
        for Job { root, position } in &self.list {
            for mv in &position.legal_moves() {
                list.push(Job { root: *root, position: position.make(mv) });
            }
        }
        self.list = list;
        self.depth -= 1;
    }
}
