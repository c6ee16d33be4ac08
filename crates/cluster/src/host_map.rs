//! Which processes are on one host, where they can have one table in common.
//!
//! Of the processes of a host the first that is not lost lends its table and the others borrow it
//! ([`table::Common`]): 16 processes of one host then search as 16 threads would, with a table that is as
//! large as one of theirs, and hear of each other's results without a message. Between hosts entries are
//! passed round as when each process has its own, from one process to one of each other host.

use crate::Link;
use crate::rings::Rings;
use crate::transport::lock;
use parallel::TableKind;
use parallel::threads::SharedRequests;
use serde::{Deserialize, Serialize};
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::time::{Duration, Instant};
use table::{AnyTable, Common, CommonWords, PolicyKind, TableError, lent_by};

/// Longest wait for the lender to make a table.
const LENDER_WAIT: Duration = Duration::from_secs(5);

/// The name of the memory for requests.
const REQUESTS: &str = "rookery-requests";
/// And of that for rings.
const RINGS: &str = "rookery-rings";

/// The name of a table in common, before its number.
const TABLE: &str = "rookery-table-";

/// Whether a process lends a table with a greater number than this.
fn is_outdated(number: u32, pid: u32) -> bool {
    let names = lent_by(pid);
    let mut numbers = names.iter().filter_map(|name| name.strip_prefix(TABLE)?.parse::<u32>().ok());
    numbers.any(|other| other > number)
}

/// Where a process is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Location {
    /// The first process of its host, as a name for it.
    pub host: u32,
    /// Its number there.
    pub pid: u32,
}

impl Location {
    /// The host map of processes by their memory domains; one that names none is alone.
    pub fn of_all<'a>(places: impl Iterator<Item = (&'a str, u32)> + Clone) -> Vec<Location> {
        let host = |process: u32, domain: &str| {
            let mut all = (0..).zip(places.clone());
            let same = all.find(|(_, (other, _))| *other == domain && !domain.is_empty());
            same.map_or(process, |(first, _)| first)
        };
        let all = (0..).zip(places.clone());
        all.map(|(process, (domain, pid))| Location { host: host(process, domain), pid }).collect()
    }
}

/// Whether all processes are on one host.
pub fn is_one_host(host_map: &[Location]) -> bool {
    let first = host_map.first().map(|location| location.host);
    first.is_some() && host_map.iter().all(|location| Some(location.host) == first)
}

impl Link {
    /// Where all are on one host, they see each other's requests from now on, and messages go by rings.
    pub(crate) fn set_host_map(&self, host_map: Vec<Location>) {
        let (one_host, first) = (is_one_host(&host_map), host_map.first().map_or(0, |it| it.pid));
        *lock(&self.settings.host_map) = host_map;
        if !one_host {
            return;
        }
        let common = |name| match self.is_first() {
            true => Common::Lend(name),
            false => Common::Borrow(first, name),
        };
        let words = CommonWords::new(common(REQUESTS), SharedRequests::WORDS);
        let rings = Rings::new(common(RINGS), self.process(), self.members.place.processes);
        match (words.map(SharedRequests::new), rings) {
            (Ok(requests), Ok(rings)) => {
                requests.into_iter().for_each(|it| self.transport.set_shared_requests(it));
                self.transport.with_fabric(|fabric| fabric.join(rings));
            }
            (Err(error), _) | (_, Err(error)) => self.report_failure(&error.to_string()),
        }
    }

    /// Whether messages can go by memory that all have in common.
    pub fn has_rings(&self) -> bool {
        self.transport.with_fabric(|fabric| fabric.has_rings()).unwrap_or(false)
    }

    /// The process that lends its table on the host of a process: itself where nothing else is known.
    fn lender(&self, process: u32) -> u32 {
        let host_map = lock(&self.settings.host_map);
        let Some(own) = host_map.get(process as usize) else { return process };
        let mut on_host = (0..).zip(host_map.iter()).filter(|(_, it)| it.host == own.host);
        let present = on_host.find(|&(one, _)| !self.is_lost_process(one));
        present.map_or(process, |(one, _)| one)
    }

    /// One of the present processes of each other host: the one that lends its table.
    pub(crate) fn other_hosts(&self) -> impl Iterator<Item = u32> {
        let own = self.lender(self.process());
        self.companions().filter(move |&process| process != own && self.lender(process) == process)
    }

    /// A number for a table that all make at the same command.
    pub fn next_table(&self) -> u32 {
        self.tables.fetch_add(1, SeqCst) + 1
    }

    /// A table of a number that all processes were told: in common with those of this host, where tables
    /// are shared and there are others. A lender that has made another one meanwhile is an error too: a
    /// command about that one is on its way.
    pub fn make_table(
        &self,
        policy: PolicyKind,
        megabytes: u64,
        number: u32,
    ) -> Result<AnyTable, TableError> {
        let (me, lender) = (self.process(), self.lender(self.process()));
        if !self.is_in_common() {
            return AnyTable::new(policy, megabytes);
        }
        let name = format!("{TABLE}{number}");
        if lender == me {
            return AnyTable::in_common(policy, megabytes, Common::Lend(&name));
        }
        let pid = lock(&self.settings.host_map).get(lender as usize).map_or(0, |it| it.pid);
        let begun = Instant::now();
        loop {
            match AnyTable::in_common(policy, megabytes, Common::Borrow(pid, &name)) {
                // It may not have been made yet. A process that is told to leave waits for nothing: the
                // lender may have left already.
                Err(_)
                    if begun.elapsed() < LENDER_WAIT
                        && !is_outdated(number, pid)
                        && !self.leaving.load(Relaxed) =>
                {
                    std::thread::sleep(Duration::from_millis(1));
                }
                made => return made,
            }
        }
    }

    /// Whether the table is another process's, or will be: then it takes no memory here.
    pub fn borrows(&self) -> bool {
        self.table() == TableKind::Shared && self.lender(self.process()) != self.process()
    }

    /// Whether tables are shared, and another process is here to share one with.
    pub fn is_in_common(&self) -> bool {
        let host_map = lock(&self.settings.host_map);
        let own = host_map.get(self.process() as usize).map(|it| it.host);
        let on_host = host_map.iter().filter(|it| Some(it.host) == own).count();
        self.table() == TableKind::Shared && on_host > 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_of_one_memory_domain_are_on_one_host() {
        let places = [("a", 10), ("b", 11), ("a", 12), ("", 13), ("", 14), ("b", 15)];
        let host_map = Location::of_all(places.into_iter());
        let all: Vec<(u32, u32)> = host_map.iter().map(|it| (it.host, it.pid)).collect();
        assert_eq!(all, [(0, 10), (1, 11), (0, 12), (3, 13), (4, 14), (1, 15)]);
        assert!(!is_one_host(&host_map) && !is_one_host(&[]) && is_one_host(&host_map[3..4]));
    }
}
