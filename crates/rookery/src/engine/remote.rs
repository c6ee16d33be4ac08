//! An engine that searches in another process, alone: for files of positions, of which each process gets
//! some. What it finds does not depend on where it is.

use super::Engine;
use cluster::{Call, Link};
use parallel::RootOrder;
use search::wire::{Damaged, Reader, Wire, read, write};
use search::{Limits, Line, Observer, Outcome, Profile, Progress, Report};
use std::sync::Arc;

/// Where an engine is.
pub struct Remote {
    link: Arc<Link>,
    process: u32,
    slot: u32,
    hash_mb: u64,
    /// Whether it is to forget everything before the next search.
    pub fresh: bool,
}

/// A search to be done elsewhere.
struct Search {
    profile: String,
    hash_mb: u64,
    fresh: bool,
    root: RootOrder,
}

impl Wire for Search {
    fn put(&self, out: &mut Vec<u8>) {
        self.profile.put(out);
        self.hash_mb.put(out);
        self.fresh.put(out);
        self.root.put(out);
    }

    fn take(reader: &mut Reader<'_>) -> Result<Search, Damaged> {
        Ok(Search {
            profile: reader.take()?,
            hash_mb: reader.take()?,
            fresh: reader.take()?,
            root: reader.take()?,
        })
    }
}

/// A line that was found on the way.
struct News {
    depth: i32,
    selective_depth: i32,
    rank: u32,
    nodes: u64,
    hashfull: u32,
    tbhits: u64,
    line: Line,
}

impl Wire for News {
    fn put(&self, out: &mut Vec<u8>) {
        [self.depth, self.selective_depth].put(out);
        [self.rank, self.hashfull].put(out);
        [self.nodes, self.tbhits].put(out);
        self.line.put(out);
    }

    fn take(reader: &mut Reader<'_>) -> Result<News, Damaged> {
        let ([depth, selective_depth], [rank, hashfull]) = (reader.take()?, reader.take()?);
        let [nodes, tbhits] = reader.take()?;
        let line = reader.take()?;
        Ok(News { depth, selective_depth, rank, nodes, hashfull, tbhits, line })
    }
}

impl Engine {
    /// Engines of all processes, so many of each, the ones here first; each searches alone.
    pub fn everywhere(
        profile: Profile,
        hash_mb: u64,
        count: u32,
        link: Option<&Arc<Link>>,
    ) -> Result<Vec<Engine>, String> {
        let mut engines =
            (0..count).map(|_| Engine::new(profile, hash_mb)).collect::<Result<Vec<_>, _>>()?;
        for (link, process) in link.iter().flat_map(|&link| link.others().map(move |p| (link, p))) {
            for slot in 0..count {
                let mut engine = Engine::new(profile, 1)?;
                let link = Arc::clone(link);
                engine.remote = Some(Remote { link, process, slot, hash_mb, fresh: true });
                engines.push(engine);
            }
        }
        Ok(engines)
    }

    /// Searches where the engine is; nothing if that is here, or the process there is lost.
    pub(super) fn search_there(
        &mut self,
        root: RootOrder,
        host: &mut dyn Observer,
    ) -> Option<Result<Outcome, String>> {
        let remote = self.remote.as_mut()?;
        let answer = remote.search(self.profile, root, host);
        if answer.is_none() {
            // It goes on here, with what there is room for.
            let hash_mb = remote.hash_mb;
            self.remote = None;
            if let Err(reason) = self.resize(hash_mb) {
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
        root: RootOrder,
        host: &mut dyn Observer,
    ) -> Option<Result<Outcome, String>> {
        let Remote { link, process, slot, hash_mb, .. } = self;
        let fresh = std::mem::take(&mut self.fresh);
        let search = Search { profile: profile.to_string(), hash_mb: *hash_mb, fresh, root };
        let id = link.send_call(*process, *slot, write(&search));
        let mut progress = Progress { depth: 0, selective_depth: 0, nodes: 0, root_move: None };
        let mut stopped = false;
        loop {
            match link.next_answer(id) {
                Some((false, news)) => {
                    let Ok(news) = read::<News>(&news) else { continue };
                    let News { depth, selective_depth, nodes, line, .. } = news;
                    progress = Progress { depth, selective_depth, nodes, root_move: None };
                    let (rank, hashfull) = (news.rank as usize, news.hashfull);
                    let (line, tbhits) = (&line, news.tbhits);
                    host.report(&Report {
                        depth,
                        selective_depth,
                        rank,
                        line,
                        nodes,
                        hashfull,
                        tbhits,
                    });
                }
                Some((true, answer)) => {
                    let (outcome, reason): (Option<Outcome>, String) =
                        match read::<Option<Outcome>>(&answer) {
                            Ok(outcome) => (outcome, "the search elsewhere failed".to_owned()),
                            Err(damage) => (None, damage.to_string()),
                        };
                    return Some(outcome.ok_or(reason));
                }
                None if link.is_lost_process(*process) => return None,
                None => (),
            }
            if !stopped && host.should_stop(&progress) {
                stopped = true;
                link.cut_short(*process, id);
            }
        }
    }
}

/// Tells the one who asked what is found, and hears whether it is enough.
struct Messenger<'a> {
    link: &'a Link,
    id: u32,
}

impl Observer for Messenger<'_> {
    fn should_stop(&mut self, _: &Progress) -> bool {
        self.link.is_cut_short(self.id)
    }

    fn report(&mut self, report: &Report<'_>) {
        let news = News {
            depth: report.depth,
            selective_depth: report.selective_depth,
            rank: report.rank as u32,
            nodes: report.nodes,
            hashfull: report.hashfull,
            tbhits: report.tbhits,
            line: report.line.clone(),
        };
        self.link.answer(self.id, false, write(&news));
    }

    fn go_on(&mut self, _: &search::Iteration) -> bool {
        !self.link.is_cut_short(self.id)
    }
}

/// Does a call with an engine that is kept from one to the next.
pub fn run_call(link: &Link, call: &Call, engine: &mut Option<Engine>) {
    let answer = do_errand(link, call, engine);
    if let Err(reason) = &answer {
        link.report_failure(reason);
    }
    link.answer(call.id, true, write(&answer.ok()));
}

fn do_errand(link: &Link, call: &Call, engine: &mut Option<Engine>) -> Result<Outcome, String> {
    let order: Search = read(&call.content).map_err(|damage| damage.to_string())?;
    let profile: Profile = order.profile.parse()?;
    let fits = |engine: &Engine| engine.profile() == profile && engine.hash_mb() == order.hash_mb;
    if !engine.as_ref().is_some_and(fits) {
        *engine = Some(Engine::new(profile, order.hash_mb)?);
    }
    let Some(engine) = engine else { return Err("there is no engine".to_owned()) };
    if order.fresh {
        engine.new_game();
    }
    let RootOrder { position, game, limits } = &order.root;
    let mut host = Messenger { link, id: call.id };
    engine.search(position, game, &Limits::clone(limits), &mut host)
}
