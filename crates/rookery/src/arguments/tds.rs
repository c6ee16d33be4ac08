//! The choices of transposition-driven scheduling, for `rookery sim --strategy tds`.

use clap::{Args, ValueEnum, value_parser};
use parallel::sim::{Model, Shape};
use parallel::strategy::{SiblingWait, TdsSettings, Waiting};

/// Choices of transposition-driven scheduling.
#[derive(Args)]
#[command(next_help_heading = "Choices of transposition-driven scheduling")]
pub struct TdsTuning {
    /// Whose rules
    #[arg(long, hide_short_help = true, value_enum, default_value_t = Rules::Hybrid)]
    pub tds: Rules,

    /// Cures added to the thesis's rules: types, poll, aborts, bounds, preempt, killers,
    /// expected-type, overlap, eager, split-on-demand, wait-for-transposition, stealing, history-deltas, wide,
    /// auto-grain, shallow
    #[arg(long, hide_short_help = true, value_enum, value_name = "CURE", value_delimiter = ',')]
    pub with: Vec<Cure>,

    /// Cures left out
    #[arg(long, hide_short_help = true, value_enum, value_name = "CURE", value_delimiter = ',')]
    pub without: Vec<Cure>,

    /// Smallest depth of a child with an open window that goes to its home [default: --grain]
    #[arg(long, hide_short_help = true, value_name = "DEPTH", value_parser = value_parser!(i32).range(1..=20))]
    pub open_grain: Option<i32>,

    /// Keep children of more than N plies from the root with their parent: the grain by searched plies.
    /// Remaining plies count too where --grain is given
    #[arg(long, hide_short_help = true, value_name = "N", value_parser = value_parser!(i32).range(1..=100))]
    pub searched: Option<i32>,

    /// Of the transpositions that wait for a state, go on with the shallowest, not the first in sequential
    /// order (paper, stealing)
    #[arg(long, hide_short_help = true)]
    pub shallowest: bool,

    /// Queue states by APHID's priorities, not in sequential order
    #[arg(long, hide_short_help = true)]
    pub aphid: bool,

    /// Children of less depth stay with their parent, where idle processors may steal them [default: --grain]
    #[arg(long, hide_short_help = true, value_name = "DEPTH", value_parser = value_parser!(i32).range(1..=20))]
    pub home_grain: Option<i32>,

    /// Nodes that a child must be expected to take to be sent to its home, where the grain is chosen by
    /// what searches take [default: by the machine's costs]
    #[arg(long, hide_short_help = true, value_name = "NODES", value_parser = value_parser!(u64).range(1..=1_000_000))]
    pub worth: Option<u64>,

    /// Nodes that an iteration must be expected to take to be shared [default: by the machine's costs]
    #[arg(long, hide_short_help = true, value_name = "NODES", value_parser = value_parser!(u64).range(0..=1_000_000))]
    pub alone: Option<u64>,

    /// Let children of nodes that expect no cut-off wait for the first too
    #[arg(long, hide_short_help = true)]
    pub all_wait: bool,

    /// Children of a node that expects a cut-off that may be out for each one done; 0 for any number
    #[arg(long, hide_short_help = true, value_name = "N")]
    pub cut_width: Option<u32>,

    /// Children of a node that expects a cut-off that are searched one after the other before all others
    /// go out; 0 for the rule of --wait-more and --cut-width
    #[arg(long, hide_short_help = true, value_name = "N")]
    pub cut_after: Option<u32>,

    /// As --cut-width for a node that expects no cut-off
    #[arg(long, hide_short_help = true, value_name = "N")]
    pub all_width: Option<u32>,

    /// How far the children of a node that expects a cut-off that are begun may be ahead of the first one
    /// that is not done; 0 for any number
    #[arg(long, hide_short_help = true, value_name = "N")]
    pub cut_ahead: Option<u32>,

    /// As --cut-ahead for a node that expects no cut-off
    #[arg(long, hide_short_help = true, value_name = "N")]
    pub all_ahead: Option<u32>,

    /// Children that a node that expects a cut-off has out before their turn for each request of an idle
    /// processor; by as many it makes --cut-ahead and --all-ahead larger
    #[arg(long, hide_short_help = true, value_name = "N")]
    pub widen: Option<u32>,

    /// Microseconds before an idle processor asks again after a refusal; twice as long after the next
    #[arg(long, hide_short_help = true, value_name = "US", value_parser = value_parser!(u64).range(1..=3_600_000_000))]
    pub steal_pause: Option<u64>,

    /// Microseconds between two history deltas of a processor
    #[arg(long, hide_short_help = true, value_name = "US", value_parser = value_parser!(u64).range(1..=3_600_000_000))]
    pub delta_every: Option<u64>,

    /// Smallest change of a history that a delta contains
    #[arg(long, hide_short_help = true, value_name = "N", value_parser = value_parser!(i32).range(1..=16_384))]
    pub delta_least: Option<i32>,

    /// Smallest depth of a child that may go to another cluster
    #[arg(long, hide_short_help = true, value_name = "DEPTH", value_parser = value_parser!(i32).range(1..=100))]
    pub remote_grain: Option<i32>,
}

/// Whose rules.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Rules {
    /// The thesis's
    Paper,
    /// The thesis's, with work stealing in place of homes
    Stealing,
    /// With the cures that leave all work at its home
    Pure,
    /// With all cures that pay; idle processors steal from homes
    #[value(alias = "cured")]
    Hybrid,
}

/// What cures the thesis's faults.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Cure {
    /// Siblings wait as the node's type asks
    Types,
    /// Messages are looked at while searching
    Poll,
    /// Aborts follow the work
    Aborts,
    /// Narrowed windows are told
    Bounds,
    /// What comes earlier is searched at once
    Preempt,
    /// Killers go with the work and come back
    Killers,
    /// What the table knows about a node overrules the type that its parent expects
    ExpectedType,
    /// Where no cut-off is expected, the search for a first move goes on beside the moves
    Overlap,
    /// States to be held are opened as soon as they come
    Eager,
    /// Children are held back until a processor is idle
    SplitOnDemand,
    /// States wait for transpositions that come earlier, and for any below the grain
    WaitForTransposition,
    /// Idle processors search states for the homes of others
    Stealing,
    /// Changes of move histories are sent to others
    HistoryDeltas,
    /// States stay inside their cluster where links are slow
    Wide,
    /// The grain is chosen by what searches take, for null and open windows (off unless asked for)
    AutoGrain,
    /// Shallow iterations are not parallel (off unless asked for)
    Shallow,
}

impl TdsTuning {
    /// The strategy's choices on a machine where others are the usual ones.
    pub fn settings(
        &self,
        usual: TdsSettings,
        wait_more: Option<u32>,
        model: &Model,
    ) -> TdsSettings {
        let (paper, mut settings) = (TdsSettings::paper(usual.grain), usual);
        settings.searched_grain = self.searched.unwrap_or(settings.searched_grain);
        settings.open_grain = self.open_grain.unwrap_or(settings.open_grain);
        settings.home_grain = self.home_grain.unwrap_or(settings.home_grain);
        settings.remote_grain = self.remote_grain.unwrap_or(settings.remote_grain);
        settings.delta_least = self.delta_least.unwrap_or(settings.delta_least);
        settings.retry_ns = self.steal_pause.map_or(settings.retry_ns, |micros| micros * 1000);
        settings.delta_every_ns =
            self.delta_every.map_or(settings.delta_every_ns, |micros| micros * 1000);
        settings.widen = self.widen.unwrap_or(settings.widen);
        settings.sibling_wait = self.sibling_wait(settings.sibling_wait, wait_more);
        if let Shape::Clusters { size } = model.shape {
            settings.cluster = size;
        }
        let has = |cure: Cure| match self.tds {
            Rules::Paper => self.with.contains(&cure),
            Rules::Stealing => cure == Cure::Stealing || self.with.contains(&cure),
            Rules::Pure if matches!(cure, Cure::Stealing | Cure::SplitOnDemand) => {
                self.with.contains(&cure)
            }
            // The search for a first move beside the moves costs more than it gains.
            _ if matches!(cure, Cure::Overlap | Cure::AutoGrain | Cure::Shallow) => {
                self.with.contains(&cure)
            }
            _ => !self.without.contains(&cure),
        };
        if !has(Cure::Types) {
            settings.sibling_wait = paper.sibling_wait;
        }
        settings.main_loop = !has(Cure::Poll);
        settings.broadcast = !has(Cure::Aborts);
        settings.bounds = has(Cure::Bounds);
        settings.preempt = has(Cure::Preempt);
        settings.killers = has(Cure::Killers);
        settings.expected_type = has(Cure::ExpectedType);
        settings.overlap = has(Cure::Overlap);
        settings.eager = has(Cure::Eager);
        // Without stealing no processor says that it is idle.
        settings.split_on_demand = has(Cure::SplitOnDemand) && has(Cure::Stealing);
        settings.aphid = self.aphid;
        settings.homes = self.tds != Rules::Stealing;
        settings.waiting = match (has(Cure::WaitForTransposition), self.shallowest) {
            (true, _) => Waiting::Earlier,
            (false, false) => Waiting::Any,
            (false, true) => Waiting::AnyShallowest,
        };
        if !has(Cure::Stealing) {
            settings.retry_ns = 0;
        }
        if !has(Cure::HistoryDeltas) {
            settings.delta_every_ns = 0;
        }
        if !has(Cure::Wide) {
            settings.cluster = 0;
        }
        self.grain(settings, has, model)
    }

    fn sibling_wait(&self, mut usual: SiblingWait, wait_more: Option<u32>) -> SiblingWait {
        if let SiblingWait::ByType {
            wait_more: own,
            all_wait,
            cut_width,
            cut_after,
            all_width,
            cut_ahead,
            all_ahead,
        } = &mut usual
        {
            *all_wait |= self.all_wait;
            for (own, chosen) in [
                (own, wait_more),
                (cut_width, self.cut_width),
                (cut_after, self.cut_after),
                (all_width, self.all_width),
                (cut_ahead, self.cut_ahead),
                (all_ahead, self.all_ahead),
            ] {
                *own = chosen.unwrap_or(*own);
            }
        }
        usual
    }

    /// The same with a grain that is chosen, and shallow iterations alone, if they are asked for.
    fn grain(
        &self,
        mut settings: TdsSettings,
        has: impl Fn(Cure) -> bool,
        model: &Model,
    ) -> TdsSettings {
        let message = model.send + model.receive;
        if has(Cure::AutoGrain) {
            settings = settings.with_auto_grain(model.node, message);
        }
        if has(Cure::Shallow) {
            settings = settings.with_shallow_alone(model.node, message);
        }
        settings.worth = self.worth.unwrap_or(settings.worth);
        if let Some(alone) = self.alone {
            (settings.alone, settings.lull_ns) = (alone, alone * model.node);
        }
        settings
    }
}
