//! On which processors the threads of a pool run.
//!
//! On a machine of several memory nodes a thread that is moved to another node has its histories far away.
//! A thread binds itself when a search begins, before it makes its memory, so that this lies on its node.

/// The processors of each thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placement {
    threads: Vec<Vec<usize>>,
}

impl Placement {
    /// Spreads threads over nodes, each with its processors, evenly by their number: each thread gets all
    /// processors of its node or, if `pinned`, one of its own as long as there are enough.
    pub fn new(nodes: &[Vec<usize>], threads: u32, pinned: bool) -> Placement {
        let mut taken = vec![0; nodes.len()];
        let place = |_| {
            // Compared as fractions: no node gets its last thread before the others have their share.
            let load = |&node: &usize| (taken[node] + 1) * 10_000 / nodes[node].len().max(1);
            let node = (0..nodes.len()).filter(|&node| !nodes[node].is_empty()).min_by_key(load)?;
            let number = taken[node];
            taken[node] += 1;
            Some(match pinned {
                true => vec![nodes[node][number % nodes[node].len()]],
                false => nodes[node].clone(),
            })
        };
        Placement { threads: (0..threads).map_while(place).collect() }
    }

    /// The processors of a thread; none where it may run anywhere.
    pub fn of(&self, thread: usize) -> &[usize] {
        self.threads.get(thread).map_or(&[], Vec::as_slice)
    }

    /// Binds the calling thread to the processors of a thread. Where the system refuses, it runs anywhere.
    pub fn bind(&self, thread: usize) {
        bind(self.of(thread));
    }
}

/// Binds the calling thread to some processors.
#[cfg(target_os = "linux")]
fn bind(processors: &[usize]) {
    use rustix::thread::{CpuSet, sched_setaffinity};
    let mut set = CpuSet::new();
    let known = processors.iter().filter(|&&processor| processor < CpuSet::MAX_CPU);
    known.for_each(|&processor| set.set(processor));
    if set.count() > 0 {
        // It is an advantage, not a condition.
        let _ = sched_setaffinity(None, &set);
    }
}

#[cfg(not(target_os = "linux"))]
fn bind(_: &[usize]) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_get_threads_by_their_processors() {
        let nodes = [vec![0, 1, 2, 3], vec![4, 5], Vec::new()];
        let place = |threads, pinned| Placement::new(&nodes, threads, pinned);
        let on_second = |it: &Placement| (0..6).filter(|&one| it.of(one).contains(&4)).count();
        assert_eq!(on_second(&place(6, false)), 2);
        assert_eq!((place(6, false).of(0), place(6, false).of(6)), (&nodes[0][..], &[][..]));
        let mut pinned: Vec<&[usize]> = Vec::new();
        let placement = place(6, true);
        pinned.extend((0..6).map(|thread| placement.of(thread)));
        pinned.sort_unstable();
        assert_eq!(pinned, [[0], [1], [2], [3], [4], [5]], "each has one of its own");
        assert_eq!(place(9, true).of(8).len(), 1, "more threads than processors share them");
        assert_eq!(Placement::new(&[], 3, true).of(0), [0; 0]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_thread_runs_where_it_is_placed() {
        use rustix::thread::sched_getaffinity;
        let usable = || {
            let set = sched_getaffinity(None).expect("the system tells");
            (0..1024).filter(|&processor| set.is_set(processor)).collect::<Vec<_>>()
        };
        let before = usable();
        let placement = Placement::new(std::slice::from_ref(&before), 2, true);
        let seen = std::thread::scope(|scope| {
            let bound = |thread| move || (placement.bind(thread), usable()).1;
            scope.spawn(bound(0)).join().expect("it does not panic")
        });
        assert_eq!((seen, usable()), (vec![before[0]], before), "the others run as before");
    }
}
