//! Several processes in one program: the first is the test, the others follow on threads.

use board::{History, Position};
use cluster::loopback::{self, Killer, Weather};
use cluster::{Hello, Link, Task};
use parallel::StrategyKind;
use parallel::threads::{Settings, Team};
use search::switches::Switches;
use search::{Host, Limits, Outcome, Profile};
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

    fn team(&self) -> Team {
        let settings = Settings { grain: 1, ..Settings::new(self.strategy, self.threads) };
        let team = Team::new(self.profile, settings).expect("there are threads");
        match self.switches {
            Some(switches) => team.with_switches(switches),
            None => team,
        }
    }

    fn table(&self) -> Arc<AnyTable> {
        Arc::new(AnyTable::new(self.profile.policy(), 1).expect("a megabyte is there"))
    }
}

/// Processes that are connected.
pub struct Cluster {
    pub link: Arc<Link>,
    pub team: Team,
    pub table: Arc<AnyTable>,
    pub killer: Killer,
    followers: Vec<JoinHandle<()>>,
}

/// What a process says of itself here.
pub fn hello(version: &str) -> Hello {
    let shared = vec![("version".to_owned(), version.to_owned())];
    Hello { shared, host: "here".to_owned(), cores: 1, ..Hello::default() }
}

/// A process that does as it is told.
fn follow(plan: &Plan, link: &Arc<Link>) {
    if link.greet(&hello("1")).is_err() {
        link.leave("");
        return;
    }
    let (mut team, table) = (plan.team(), plan.table());
    team.connect(Some(link.clone()));
    loop {
        match link.next_task() {
            Task::Search(order) => {
                link.take_part(&order, || team.serve(&table, order.root.clone(), order.grain));
            }
            Task::Order(order) => {
                table.clear(1);
                link.report_trouble(&format!("{order}: understood"));
            }
            Task::Errand(_) => (),
            Task::Leave(_) => break,
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
        link.share_far_grain(1);
        let mut team = plan.team();
        team.connect(Some(link.clone()));
        Cluster { link, team, table: plan.table(), killer, followers }
    }

    pub fn search(&mut self, position: &Position, limits: &Limits, host: &mut dyn Host) -> Outcome {
        self.team.search(&self.table, position, &History::new(), limits, host)
    }

    /// Ends all; whether everybody has said goodbye.
    pub fn end(mut self) -> bool {
        self.team.settle();
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
