//! Several processes in one program: the first is the test, the others follow on threads.

use board::{History, Position};
use cluster::loopback::{self, Killer, Weather};
use cluster::{Assignment, Hello, Link};
use parallel::StrategyKind;
use parallel::threads::{Settings, ThreadPool};
use search::switches::Switches;
use search::{Limits, Observer, Outcome, Profile};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use table::AnyTable;

/// What the processes are to be.
#[derive(Clone, Copy)]
pub struct Plan {
    pub processes: u32,
    pub threads: u32,
    pub strategy: StrategyKind,
    pub profile: Profile,
    /// Other rules than the profile's.
    pub switches: Option<Switches>,
    pub weather: Weather,
}

impl Plan {
    pub fn new(strategy: StrategyKind, processes: u32, threads: u32) -> Plan {
        Plan {
            processes,
            threads,
            strategy,
            profile: Profile::Modern,
            switches: None,
            weather: Weather::default(),
        }
    }

    fn pool(&self) -> ThreadPool {
        let settings = Settings { grain: 1, ..Settings::new(self.strategy, self.threads) };
        let pool = ThreadPool::new(self.profile, settings).expect("there are threads");
        match self.switches {
            Some(switches) => pool.with_switches(switches),
            None => pool,
        }
    }

    fn table(&self) -> Arc<AnyTable> {
        Arc::new(AnyTable::new(self.profile.policy(), 1).expect("a megabyte is there"))
    }
}

/// Processes that are connected.
pub struct Cluster {
    pub link: Arc<Link>,
    pub pool: ThreadPool,
    pub table: Arc<AnyTable>,
    pub killer: Killer,
    followers: Vec<JoinHandle<()>>,
}

/// What a process says of itself here.
pub fn hello(version: &str) -> Hello {
    let shared = vec![("version".to_owned(), version.to_owned())];
    Hello { shared, host: "here".to_owned(), cores: 1, ..Hello::default() }
}

/// What processes are told here.
#[derive(Debug, Serialize, Deserialize)]
pub enum Command {
    NewGame,
    Hash { megabytes: u64, name: Option<String> },
}

/// A process that does as it is told.
fn follow(plan: &Plan, link: &Arc<Link>) {
    if link.greet(&hello("1")).is_err() {
        link.leave("");
        return;
    }
    let (mut pool, table) = (plan.pool(), plan.table());
    pool.connect(Some(link.clone()));
    loop {
        match link.next_assignment() {
            Assignment::Search(search) => {
                let serve = || pool.serve(&table, search.root.clone(), search.grain);
                link.take_part(search.number, serve);
            }
            Assignment::Command(command) => match command.read::<Command>() {
                Ok(command) => {
                    table.clear(1);
                    link.report_failure(&format!("{command:?}: understood"));
                }
                Err(damage) => link.report_failure(&damage.to_string()),
            },
            Assignment::Call(_) => (),
            Assignment::Leave(_) => break,
        }
    }
    link.leave("");
}

impl Cluster {
    pub fn new(plan: &Plan) -> Cluster {
        let (fabrics, killer) = loopback::connect(plan.processes, plan.weather);
        let mut links = fabrics
            .into_iter()
            .map(|fabric| Link::new(Box::new(fabric)).expect("there are threads"));
        let link = links.next().expect("there is a first");
        let plan = *plan;
        let start = |link: Arc<Link>| thread::spawn(move || follow(&plan, &link));
        let followers = links.map(start).collect();
        link.greet(&hello("1")).expect("all agree");
        // Small trees have small children: they are to go anywhere.
        link.share_remote_grain(1);
        let mut pool = plan.pool();
        pool.connect(Some(link.clone()));
        Cluster { link, pool, table: plan.table(), killer, followers }
    }

    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Outcome {
        self.pool.search(&self.table, position, &History::new(), limits, observer)
    }

    /// Ends all; whether all have said goodbye.
    pub fn end(mut self) -> bool {
        self.pool.settle();
        let good = self.link.leave("");
        if good {
            self.followers.drain(..).for_each(|one| one.join().expect("it ends well"));
        }
        good
    }
}

/// The Bratko-Kopec positions.
pub fn positions() -> Vec<Position> {
    let records = board::epd::records(include_str!("../../../../testdata/epd/bk.epd"));
    records.map(|(_, epd)| *epd.expect("the suite is sound").position()).collect()
}

pub fn to_depth(depth: i32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}
