//! The walk that a thread keeps from search to search, and the match over what it is made of.

use super::ThreadReport;
use super::campaign::Campaign;
use super::lookup::Shared;
use super::processor::Processor;
use super::pump::Spread;
use crate::{Peer, StrategyKind};
use eval::{Classical, DarkSight, Evaluator};
use search::switches::{ChosenRules, ModernRules, Rules};
use search::walk::Walk;
use search::{Host, Outcome, Profile, Statistics};
use table::{AnyTable, Policy, Table};

/// A walk over one of the kinds of trees.
enum Kind {
    Modern(Box<Walk<ModernRules, Classical>>),
    Chosen(Box<Walk<ChosenRules, Classical>>),
    DarkSight(Box<Walk<ChosenRules, DarkSight>>),
}

/// A thread's walk, with all that it has learnt in a game.
pub(super) struct Seat {
    kind: Kind,
    era: u64,
}

/// What a thread did in a search.
#[derive(Default)]
pub(super) struct Service {
    pub outcome: Option<Outcome>,
    pub statistics: Statistics,
    pub report: ThreadReport,
}

impl Seat {
    fn new(campaign: &Campaign) -> Seat {
        let (switches, era) = (campaign.switches, campaign.era);
        let kind = match campaign.profile {
            Profile::DarkSight => {
                Kind::DarkSight(Box::new(Walk::new(ChosenRules(switches), DarkSight::new())))
            }
            Profile::Modern
                if switches == ModernRules.switches()
                    && matches!(&*campaign.table, AnyTable::Bucketed(_)) =>
            {
                Kind::Modern(Box::new(Walk::new(ModernRules, Classical::new())))
            }
            _ => Kind::Chosen(Box::new(Walk::new(ChosenRules(switches), Classical::new()))),
        };
        Seat { kind, era }
    }

    fn fits(&self, campaign: &Campaign) -> bool {
        let bucketed = matches!(&*campaign.table, AnyTable::Bucketed(_));
        self.era == campaign.era && (bucketed || !matches!(self.kind, Kind::Modern(_)))
    }

    /// Takes part in a search. The seat is made by the thread that uses it, so that its memory is near,
    /// and made anew where the game is another.
    pub fn serve(
        seat: &mut Option<Seat>,
        campaign: &Campaign,
        me: Peer,
        host: Option<&mut dyn Host>,
    ) -> Service {
        // What a panic leaves behind is not used again.
        let mut own = match seat.take() {
            Some(seat) if seat.fits(campaign) => seat,
            _ => Seat::new(campaign),
        };
        let service = match (&mut own.kind, &*campaign.table) {
            (Kind::Modern(walk), AnyTable::Bucketed(table)) => {
                work(campaign, me, walk, table, host)
            }
            // The kind follows the table: it cannot be another.
            (Kind::Modern(_), _) => Service::default(),
            (Kind::Chosen(walk), table) => work_any(campaign, me, walk, table, host),
            (Kind::DarkSight(walk), table) => work_any(campaign, me, walk, table, host),
        };
        *seat = Some(own);
        service
    }
}

/// The match over the table's policy.
fn work_any<E: Evaluator>(
    campaign: &Campaign,
    me: Peer,
    walk: &mut Walk<ChosenRules, E>,
    table: &AnyTable,
    host: Option<&mut dyn Host>,
) -> Service {
    match table {
        AnyTable::Bucketed(table) => work(campaign, me, walk, table, host),
        AnyTable::TwoDeep(table) => work(campaign, me, walk, table, host),
        AnyTable::Direct(table) => work(campaign, me, walk, table, host),
    }
}

fn work<R: Rules, E: Evaluator, P: Policy>(
    campaign: &Campaign,
    me: Peer,
    walk: &mut Walk<R, E>,
    table: &Table<P>,
    host: Option<&mut dyn Host>,
) -> Service {
    let settings = campaign.settings;
    walk.set_oracle(campaign.oracle.clone());
    walk.set_grain(settings.grain);
    walk.set_history_from(settings.history_from);
    walk.set_recursion(settings.recursion);
    let defers = settings.strategy == StrategyKind::Abdada && settings.threads > 1;
    walk.set_deferral(defers.then_some(settings.deferral));
    let spread = campaign.abroad.as_ref().map(Spread::new);
    let table = Shared { table, marks: &campaign.marks, spread };
    // The user's host outlives this search: its type says so only when it is passed anew.
    let host = host.map(|host| host as &mut dyn Host);
    let (outcome, report) = Processor::new(me, campaign, walk, table, host).work();
    Service { outcome, statistics: walk.take_statistics(), report }
}
