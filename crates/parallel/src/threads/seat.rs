//! The walks that a thread keeps from search to search, and the match over what they are made of.

use super::ThreadReport;
use super::campaign::Campaign;
use super::far::Far;
use super::lookup::Shared;
use super::processor::Processor;
use super::spare::SpareTime;
use crate::{Peer, StrategyKind};
use eval::{AnyEvaluator, Classical, Evaluator};
use search::switches::{ChosenRules, ModernRules, Rules};
use search::walk::Walk;
use search::{Host, Lookup, Outcome, Profile, Statistics};
use table::AnyTable;

/// The walks of a thread: through its part of the tree, and the one on which it goes in the time that is
/// left over, where threads have some.
struct Walks<R, E> {
    own: Walk<R, E>,
    spare: Option<Walk<R, E>>,
}

impl<R: Rules, E: Evaluator> Walks<R, E> {
    fn new(rules: R, evaluator: impl Fn() -> E, campaign: &Campaign) -> Box<Walks<R, E>> {
        let walk = || Walk::new(rules, evaluator());
        Box::new(Walks { own: walk(), spare: campaign.has_spare_time().then(walk) })
    }
}

/// Walks over one of the kinds of trees.
enum Kind {
    Modern(Box<Walks<ModernRules, Classical>>),
    Chosen(Box<Walks<ChosenRules, AnyEvaluator>>),
}

/// A thread's walks, with all that they have learnt in a game.
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
            Profile::Modern
                if switches == ModernRules.switches()
                    && matches!(&*campaign.table, AnyTable::Bucketed(_)) =>
            {
                Kind::Modern(Walks::new(ModernRules, Classical::new, campaign))
            }
            profile => {
                Kind::Chosen(Walks::new(ChosenRules(switches), || profile.evaluator(), campaign))
            }
        };
        Seat { kind, era }
    }

    fn fits(&self, campaign: &Campaign) -> bool {
        let bucketed = matches!(&*campaign.table, AnyTable::Bucketed(_));
        let spare = match &self.kind {
            Kind::Modern(walks) => walks.spare.is_some(),
            Kind::Chosen(walks) => walks.spare.is_some(),
        };
        self.era == campaign.era
            && (bucketed || !matches!(self.kind, Kind::Modern(_)))
            && (spare || !campaign.has_spare_time())
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
        // One that does not fit is gone before there is another: there may be a thousand of them.
        let own = seat.take().filter(|seat| seat.fits(campaign));
        let mut own = own.unwrap_or_else(|| Seat::new(campaign));
        let service = match (&mut own.kind, &*campaign.table) {
            (Kind::Modern(walks), AnyTable::Bucketed(table)) => {
                work(campaign, me, walks, table, host)
            }
            // The kind follows the table: it cannot be another.
            (Kind::Modern(_), _) => Service::default(),
            (Kind::Chosen(walks), table) => work(campaign, me, walks, table, host),
        };
        *seat = Some(own);
        service
    }
}

fn work<R: Rules, E: Evaluator, T: Lookup>(
    campaign: &Campaign,
    me: Peer,
    walks: &mut Walks<R, E>,
    table: T,
    host: Option<&mut dyn Host>,
) -> Service {
    let settings = campaign.settings;
    let Walks { own, spare } = walks;
    own.set_oracle(campaign.oracle.clone());
    let mut spare = spare.as_mut().filter(|_| campaign.spare_time());
    if let Some(spare) = &mut spare {
        spare.set_oracle(campaign.oracle.clone());
    }
    own.set_grain(settings.grain);
    own.set_history_from(settings.history_from);
    own.set_recursion(settings.recursion);
    let defers = settings.strategy == StrategyKind::Abdada && settings.threads > 1;
    own.set_deferral(defers.then_some(settings.deferral));
    let far = campaign.abroad.as_ref().map(|abroad| Far::new(abroad, me));
    let mut table = Shared { table, marks: &campaign.marks, far };
    let spare_time =
        spare.as_deref_mut().map(|spare| SpareTime::new(campaign, me, spare, &mut table));
    // The user's host outlives this search: its type says so only when it is passed anew.
    let host = host.map(|host| host as &mut dyn Host);
    let (outcome, report) = Processor::new(me, campaign, own, spare_time, table, host).work();
    let mut statistics = own.take_statistics();
    if let Some(spare) = spare {
        // The iterations of the search that all share are the ones that count.
        let iterations = std::mem::take(&mut statistics.iterations);
        statistics.add(&spare.take_statistics());
        statistics.iterations = iterations;
    }
    Service { outcome, statistics, report }
}
