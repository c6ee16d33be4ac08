//! Which processes are on one host, where they can have one table in common.
//!
//! Of the processes of a host the first that is not lost lends its table and the others borrow it
//! ([`table::Common`]): 16 processes of one host then search as 16 threads would, with a table that is as
//! large as one of theirs, and hear of each other's results without a message. Between hosts entries are
//! passed round as when each process has its own, from one process to one of each other host.

use crate::Link;
use crate::hybrid_transport::HybridTransport;
use crate::link::lock;
use crate::rings::Rings;
use parallel::TableKind;
use parallel::threads::SharedRequests;
use std::sync::Arc;
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::time::{Duration, Instant};
use table::{AnyTable, Common, CommonWords, PolicyKind, TableError, lent_by};

/// How long the lender may take to make a table.
const LENDER: Duration = Duration::from_secs(5);

/// What the place for requests is called.
const NOTICES: &str = "rookery-shared_requests";
/// And the rings.
const RINGS: &str = "rookery-rings";

/// What tables in common are called, before their number.
const TABLE: &str = "rookery-table-";

/// Whether a process lends a table with a greater number than this.
fn is_outdated(number: u32, pid: u32) -> bool {
    let names = lent_by(pid);
    let mut numbers = names.iter().filter_map(|name| name.strip_prefix(TABLE)?.parse::<u32>().ok());
    numbers.any(|other| other > number)
}

/// Where a process is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Home {
    /// The first process of its host, as a name for it.
    pub host: u32,
    /// Its number there.
    pub pid: u32,
}

impl Home {
    /// The host map of processes that said where they are; one that did not is alone.
    pub fn of_all<'a>(places: impl Iterator<Item = (&'a str, u32)> + Clone) -> Vec<Home> {
        let host = |process: u32, home: &str| match home {
            "" => process,
            _ => (0..)
                .zip(places.clone())
                .find(|(_, (other, _))| *other == home)
                .map_or(process, |(first, _)| first),
        };
        (0..)
            .zip(places.clone())
            .map(|(process, (home, pid))| Home { host: host(process, home), pid })
            .collect()
    }

    /// As an order tells it: `host:pid`.
    pub fn read(text: &str) -> Option<Home> {
        let (host, pid) = text.split_once(':')?;
        Some(Home { host: host.parse().ok()?, pid: pid.parse().ok()? })
    }
}

impl std::fmt::Display for Home {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}:{}", self.host, self.pid)
    }
}

impl Link {
    /// Where all are on one host, they see each other's requests from now on, and messages go by rings.
    pub(crate) fn set_host_map(&self, host_map: Vec<Home>) {
        let first = host_map.first().map_or(0, |home| home.pid);
        *lock(&self.host_map) = host_map;
        if !self.is_one_host() {
            return;
        }
        let common = |name| match self.is_first() {
            true => Common::Lend(name),
            false => Common::Borrow(first, name),
        };
        match CommonWords::new(common(NOTICES), SharedRequests::WORDS).map(SharedRequests::new) {
            Ok(Some(shared_requests)) => _ = self.shared_requests.set(Arc::new(shared_requests)),
            Ok(None) => (),
            Err(error) => return self.report_failure(&error.to_string()),
        }
        match Rings::new(common(RINGS), self.process(), self.place.processes) {
            Ok(Some(rings)) => self.join_rings(rings),
            Ok(None) => (),
            Err(error) => self.report_failure(&error.to_string()),
        }
    }

    fn join_rings(&self, rings: Rings) {
        if let Some(fabric) = lock(&self.door).as_mut() {
            fabric.join(rings);
        }
    }

    /// Whether messages can go by memory that all have in common.
    pub fn has_rings(&self) -> bool {
        lock(&self.door).as_ref().is_some_and(HybridTransport::has_rings)
    }

    /// Lets messages of all processes go by memory in common where there is some, or not.
    pub fn share_rings(&self, in_use: bool) {
        self.use_rings(in_use);
        self.order(&format!("link rings {in_use}"));
        self.sync();
    }

    pub(crate) fn use_rings(&self, in_use: bool) {
        if let Some(fabric) = lock(&self.door).as_mut() {
            fabric.use_rings(in_use);
        }
    }

    /// Who lends its table on the host of a process: itself where nothing else is known.
    fn lender(&self, process: u32) -> u32 {
        let host_map = lock(&self.host_map);
        let Some(own) = host_map.get(process as usize) else { return process };
        let hybrid_transport = (0..).zip(host_map.iter()).filter(|(_, home)| home.host == own.host);
        let present = hybrid_transport.map(|(one, _)| one).find(|&one| !self.is_lost_process(one));
        present.unwrap_or(process)
    }

    /// Whether all processes are on one host.
    pub(crate) fn is_one_host(&self) -> bool {
        let host_map = lock(&self.host_map);
        let first = host_map.first().map(|home| home.host);
        !host_map.is_empty() && host_map.iter().all(|home| Some(home.host) == first)
    }

    /// One of the present processes of each other host: the one that lends its table.
    pub(crate) fn other_hosts(&self) -> impl Iterator<Item = u32> {
        let own = self.lender(self.process());
        self.companions().filter(move |&process| process != own && self.lender(process) == process)
    }

    /// A number for a table that all make at the same order.
    pub fn next_table(&self) -> u32 {
        self.tables.fetch_add(1, SeqCst) + 1
    }

    /// A table of a number that all processes were told: in common with those of this host, where tables
    /// are shared and there are others. A lender that has made another one meanwhile is an error too: an
    /// order about that one is on its way.
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
        let pid = lock(&self.host_map).get(lender as usize).map_or(0, |home| home.pid);
        let begun = Instant::now();
        loop {
            match AnyTable::in_common(policy, megabytes, Common::Borrow(pid, &name)) {
                // It may not have been made yet. Who is told to leave waits for nothing: the lender may have
                // left already.
                Err(_)
                    if begun.elapsed() < LENDER
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

    /// Whether tables are shared, and somebody is here to share one with.
    pub fn is_in_common(&self) -> bool {
        let host_map = lock(&self.host_map);
        let own = host_map.get(self.process() as usize).map(|home| home.host);
        let hybrid_transport = host_map.iter().filter(|home| Some(home.host) == own).count();
        self.table() == TableKind::Shared && hybrid_transport > 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_with_the_same_home_are_neighbours() {
        let places = [("a", 10), ("b", 11), ("a", 12), ("", 13), ("", 14), ("b", 15)];
        let host_map = Home::of_all(places.into_iter());
        let hosts: Vec<u32> = host_map.iter().map(|home| home.host).collect();
        assert_eq!(hosts, [0, 1, 0, 3, 4, 1]);
        assert_eq!(
            host_map.iter().map(|home| home.pid).collect::<Vec<_>>(),
            [10, 11, 12, 13, 14, 15]
        );
        assert_eq!(Home::read(&host_map[2].to_string()), Some(host_map[2]));
        assert_eq!(Home::read("7"), None);
    }
}
