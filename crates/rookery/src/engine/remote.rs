//! An engine that searches in another process, alone: for files of positions, of which each process gets
//! some. What it finds does not depend on where it is.

use super::Engine;
use crate::hosts::{Found, RemoteReport, RemoteSearch, Request};
use crate::memory;
use cluster::Link;
use endgame::Oracle;
use eval::nnue::Network;
use parallel::{RootSearch, StrategyKind};
use search::{Observer, Outcome, Profile, Progress, Report};
use std::sync::Arc;

/// Where an engine is.
pub struct Remote {
    link: Arc<Link>,
    process: u32,
    slot: u32,
    hash_mb: u64,
    /// Threads that search there together.
    pub threads: u32,
    /// Whether it is to forget everything before the next search.
    pub fresh: bool,
}

impl Engine {
    /// Engines of all processes, `count` of each, the ones here first; each searches by itself.
    pub fn everywhere(
        profile: Profile,
        hash_mb: u64,
        count: u32,
        link: Option<&Arc<Link>>,
    ) -> Result<Vec<Engine>, String> {
        memory::check_free(hash_mb.saturating_mul(u64::from(count)))?;
        let mut engines =
            (0..count).map(|_| Engine::new(profile, hash_mb)).collect::<Result<Vec<_>, _>>()?;
        for (link, process) in link.iter().flat_map(|&link| link.others().map(move |p| (link, p))) {
            for slot in 0..count {
                let mut engine = Engine::new(profile, 1)?;
                let link = Arc::clone(link);
                let remote = Remote { link, process, slot, hash_mb, threads: 1, fresh: true };
                engine.remote = Some(remote);
                engines.push(engine);
            }
        }
        Ok(engines)
    }

    /// Searches where the engine is; nothing if that is here, or the process there is lost.
    pub(super) fn search_there(
        &mut self,
        root: RootSearch,
        observer: &mut dyn Observer,
    ) -> Option<Result<Outcome, String>> {
        let remote = self.remote.as_mut()?;
        let network = self.network.as_ref().map(|network| network.checksum());
        let answer = remote.search(self.profile, network, self.strategy, root, observer);
        if answer.is_none() {
            // It goes on here, with what there is room for.
            let (hash_mb, threads) = (remote.hash_mb, remote.threads);
            self.remote = None;
            if let Err(reason) = self.resize(hash_mb).and_then(|()| self.set_threads(threads)) {
                return Some(Err(reason));
            }
        }
        answer
    }
}

impl Remote {
    fn search(
        &mut self,
        profile: Profile,
        network: Option<u32>,
        strategy: StrategyKind,
        root: RootSearch,
        observer: &mut dyn Observer,
    ) -> Option<Result<Outcome, String>> {
        let Remote { ref link, process, slot, hash_mb, threads, .. } = *self;
        let fresh = std::mem::take(&mut self.fresh);
        let search = RemoteSearch { profile, hash_mb, network, threads, strategy, fresh, root };
        let id = link.call(process, slot, &Request::Search(Box::new(search)));
        let mut progress = Progress { depth: 0, selective_depth: 0, nodes: 0, root_move: None };
        let mut stopped = false;
        loop {
            match link.next_answer(id) {
                Some((true, answer)) => {
                    let answer = answer.read::<Result<Found, String>>();
                    let answer = answer.unwrap_or_else(|damage| Err(damage.to_string()));
                    let named = |reason| format!("process {process}: {reason}");
                    return Some(answer.map(|Found(outcome)| outcome).map_err(named));
                }
                Some((false, answer)) => {
                    let Ok(found) = answer.read::<RemoteReport>() else { continue };
                    let RemoteReport { depth, selective_depth, nodes, hashfull, .. } = found;
                    progress = Progress { depth, selective_depth, nodes, root_move: None };
                    let (rank, line, tbhits) = (found.rank as usize, &found.line, found.tbhits);
                    observer.report(&Report {
                        depth,
                        selective_depth,
                        rank,
                        line,
                        nodes,
                        hashfull,
                        tbhits,
                    });
                }
                None if link.is_lost_process(process) => return None,
                None => (),
            }
            if !stopped && observer.should_stop(&progress) {
                stopped = true;
                link.cut_short(process, id);
            }
        }
    }
}

/// Tells the process that asked what is found, and hears whether it is enough.
struct Messenger<'a> {
    link: &'a Link,
    id: u32,
}

impl Observer for Messenger<'_> {
    fn should_stop(&mut self, _: &Progress) -> bool {
        self.link.is_cut_short(self.id)
    }

    fn report(&mut self, report: &Report<'_>) {
        let found = RemoteReport {
            depth: report.depth,
            selective_depth: report.selective_depth,
            rank: report.rank as u32,
            nodes: report.nodes,
            hashfull: report.hashfull,
            tbhits: report.tbhits,
            line: report.line.clone(),
        };
        self.link.answer(self.id, false, &found);
    }

    fn go_on(&mut self, _: &search::Iteration) -> bool {
        !self.link.is_cut_short(self.id)
    }
}

/// Searches for another process, with an engine that is kept from one search to the next.
pub fn run_remote_search(
    link: &Link,
    id: u32,
    search: &RemoteSearch,
    (oracle, network): (Option<&Arc<Oracle>>, Option<&Arc<Network>>),
    engine: &mut Option<Engine>,
) {
    let checksum = |network: Option<&Arc<Network>>| network.map(|network| network.checksum());
    let fits = |it: &Engine| it.profile() == search.profile && it.hash_mb() == search.hash_mb;
    let kept = engine.take().filter(fits);
    let kept = kept.map_or_else(|| Engine::new(search.profile, search.hash_mb), Ok);
    let outcome = kept.and_then(|kept| {
        let engine = engine.insert(kept);
        if engine.oracle.as_ref().map(Arc::as_ptr) != oracle.map(Arc::as_ptr) {
            engine.set_oracle(oracle.cloned());
        }
        if checksum(network) != search.network {
            return Err("it evaluates by another network".to_owned());
        }
        if checksum(engine.network.as_ref()) != search.network {
            engine.set_network(network.cloned());
        }
        engine.set_strategy(search.strategy);
        engine.set_threads(search.threads)?;
        if search.fresh {
            engine.new_game();
        }
        let RootSearch { position, game, limits } = &search.root;
        engine.search(position, game, limits, &mut Messenger { link, id })
    });
    link.answer(id, true, &outcome.map(Found));
}
