//! The memory nodes of this machine (NUMA), and what of the engine goes where.
//!
//! What the system tells lies in `/sys/devices/system/node`; a machine that tells nothing has one node.

use parallel::threads::Placement;
use std::fmt;
use std::fs;
use std::path::Path;
use table::AnyTable;

/// Where Linux lists its nodes.
const NODES: &str = "/sys/devices/system/node";

/// Whether threads are bound and tables spread.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Numa {
    /// Where there are several nodes: the table lies on all of them, and the threads of an engine that needs
    /// more than one node are bound to theirs. On a machine with one node nothing is done.
    #[default]
    Auto,
    /// Nothing is bound and nothing spread.
    Off,
    /// As `Auto`, and every thread is bound to a processor of its own.
    Pin,
}

impl Numa {
    /// All of them, the default first.
    pub const ALL: [Numa; 3] = [Numa::Auto, Numa::Off, Numa::Pin];

    /// What is called so.
    pub fn read(text: &str) -> Option<Numa> {
        Numa::ALL.into_iter().find(|numa| numa.to_string() == text)
    }
}

impl fmt::Display for Numa {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Numa::Auto => "auto",
            Numa::Off => "off",
            Numa::Pin => "pin",
        })
    }
}

/// The processors of each node that this process may use; nodes without any are left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nodes(pub Vec<Vec<usize>>);

impl Nodes {
    /// Those of this machine.
    pub fn here() -> Nodes {
        Nodes::read(Path::new(NODES), &usable())
    }

    /// Those that a folder lists, with these processors; one node of them all where it lists nothing.
    fn read(folder: &Path, usable: &[usize]) -> Nodes {
        let online = fs::read_to_string(folder.join("online")).unwrap_or_default();
        let node = |number: usize| {
            let list = fs::read_to_string(folder.join(format!("node{number}/cpulist")));
            let own = read_list(&list.unwrap_or_default());
            own.into_iter().filter(|processor| usable.contains(processor)).collect()
        };
        let nodes: Vec<Vec<usize>> = read_list(&online).into_iter().map(node).collect();
        let nodes: Vec<_> = nodes.into_iter().filter(|node| !node.is_empty()).collect();
        Nodes(if nodes.is_empty() { vec![usable.to_vec()] } else { nodes })
    }

    /// Where this number of threads runs, if they are bound at all.
    pub fn place(&self, numa: Numa, threads: u32) -> Option<Placement> {
        let largest = self.0.iter().map(Vec::len).max().unwrap_or(0);
        let all: usize = self.0.iter().map(Vec::len).sum();
        match numa {
            Numa::Off => None,
            // Several engines of a few threads must not meet on the first node: the system spreads them.
            Numa::Auto if self.0.len() < 2 || threads as usize <= largest => None,
            Numa::Auto => Some(Placement::new(&self.0, threads, false)),
            // Threads that must share processors are better off where the system moves them.
            Numa::Pin => (threads as usize <= all).then(|| Placement::new(&self.0, threads, true)),
        }
    }

    /// Makes the system provide a table's memory at once, by some threads, spread over the nodes.
    pub fn touch(&self, numa: Numa, table: &AnyTable, threads: usize) {
        if numa == Numa::Off || self.0.len() < 2 {
            return table.touch(threads);
        }
        let placement = Placement::new(&self.0, threads as u32, false);
        let work = || table.touch_from(threads, |number| placement.bind(number));
        // On a thread of its own: the one that calls is not to be bound.
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().spawn_scoped(scope, work);
            if thread.is_err() {
                table.touch(threads);
            }
        });
    }
}

/// Reads `0-3,8,10-11`; what is not such a list is empty.
fn read_list(text: &str) -> Vec<usize> {
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        Some(first.parse().ok()?..=last.parse::<usize>().ok().filter(|&last| last < MOST)?)
    };
    let parts = text.trim().split(',').filter(|part| !part.is_empty());
    let ranges: Option<Vec<_>> = parts.map(range).collect();
    ranges.unwrap_or_default().into_iter().flatten().collect()
}

/// More processors than any machine has: a list beyond them is none.
const MOST: usize = 1 << 16;

/// The processors that this process may use.
#[cfg(target_os = "linux")]
fn usable() -> Vec<usize> {
    use rustix::thread::{CpuSet, sched_getaffinity};
    let set = sched_getaffinity(None).unwrap_or_default();
    (0..CpuSet::MAX_CPU).filter(|&processor| set.is_set(processor)).collect()
}

#[cfg(not(target_os = "linux"))]
fn usable() -> Vec<usize> {
    (0..std::thread::available_parallelism().map_or(1, usize::from)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is read of a machine of two nodes with eight processors, as Linux shows it.
    fn read(name: &str, usable: &[usize]) -> Nodes {
        let scratch = crate::scratch::Scratch::new(name);
        for (node, list) in [(0, "0-1,4-5\n"), (1, "2-3,6-7\n"), (2, "\n")] {
            scratch.write(&format!("node{node}/cpulist"), list);
        }
        scratch.write("online", "0-2\n");
        Nodes::read(&scratch.0, usable)
    }

    #[test]
    fn the_nodes_of_a_machine_are_those_that_can_be_used() {
        let all: Vec<usize> = (0..8).collect();
        assert_eq!(read("nodes", &all).0, [[0, 1, 4, 5], [2, 3, 6, 7]]);
        assert_eq!(read("nodes", &[1, 2]).0, [[1], [2]]);
        assert_eq!(read("nodes", &[0, 1]).0, [[0, 1]], "the other has none to use");
        assert_eq!(Nodes::read(Path::new("/nowhere"), &all).0, [all]);
        for bad in ["", "x", "1-", "3,x", "0-99999999999", "-"] {
            assert_eq!(read_list(bad), [0; 0], "{bad}");
        }
    }

    #[test]
    fn threads_are_bound_where_one_node_is_not_enough() {
        let nodes = read("threads", &(0..8).collect::<Vec<_>>());
        let bound = |numa, threads| nodes.place(numa, threads).map(|it| it.of(0).len());
        assert_eq!((bound(Numa::Auto, 4), bound(Numa::Auto, 5)), (None, Some(4)));
        assert_eq!((bound(Numa::Off, 8), bound(Numa::Pin, 2)), (None, Some(1)));
        assert_eq!(bound(Numa::Pin, 9), None);
        let one = Nodes(vec![vec![0, 1]]);
        assert_eq!((one.place(Numa::Auto, 64), one.place(Numa::Pin, 3)), (None, None));
    }

    #[test]
    fn a_table_that_is_spread_is_as_empty_as_another() {
        let table = AnyTable::new(search::Profile::Modern.policy(), 4).expect("it is small");
        // Two nodes of the same processors: what counts is that all of it is touched and nothing changed.
        let nodes = Nodes(vec![usable(), usable()]);
        let before = usable();
        nodes.touch(Numa::Auto, &table, 4);
        assert_eq!((table.hashfull(), usable()), (0, before), "the caller runs as before");
    }
}
