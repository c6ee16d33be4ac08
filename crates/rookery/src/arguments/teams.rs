//! The choices of teams in `rookery sim`.

use clap::{Args, ValueEnum, value_parser};
use parallel::strategy::TeamsSettings;

/// Choices of `--strategy teams`; docs/design/teams.md says which are the paper's.
#[derive(Args)]
#[command(next_help_heading = "Choices of teams")]
pub struct TeamsTuning {
    /// Teams that grow and shrink without being stopped; off for the fixed ones of the paper
    #[arg(long, hide_short_help = true, value_name = "ON|OFF", hide_possible_values = true)]
    pub teams_elastic: Option<Toggle>,

    /// Owners of teams that only watch while their helpers search, as in the paper
    #[arg(long, hide_short_help = true, value_name = "ON|OFF", hide_possible_values = true)]
    pub teams_watch: Option<Toggle>,

    /// Stop a search that takes long and begin it anew with all idle teams (fixed teams only)
    #[arg(long, hide_short_help = true, value_name = "ON|OFF", hide_possible_values = true)]
    pub teams_reorganise: Option<Toggle>,

    /// Children of a node of type 2 beyond the promising ones that are searched before others may help;
    /// `off` for the paper's rule: the table alone decides
    #[arg(long, hide_short_help = true, value_name = "N|off", value_parser = count_or_off)]
    pub teams_wait_more: Option<Waiting>,

    /// Let what the table knows of a node overrule the type that its parent expects; off in the paper
    #[arg(long, hide_short_help = true, value_name = "ON|OFF", hide_possible_values = true)]
    pub teams_expected: Option<Toggle>,

    /// Teams into which an owner divides its members; the paper found 6 to 15 to be good
    #[arg(long, hide_short_help = true, value_name = "N", value_parser = value_parser!(u32).range(1..=64))]
    pub teams_branching: Option<u32>,

    /// The same in endgames, where the paper's hierarchy is deeper and narrower
    #[arg(long, hide_short_help = true, value_name = "N", value_parser = value_parser!(u32).range(1..=64))]
    pub teams_endgame: Option<u32>,

    /// Per cent of an owner's teams that must be idle before it reorganises
    #[arg(long, hide_short_help = true, value_name = "PERCENT", value_parser = value_parser!(u32).range(0..=100))]
    pub teams_idle: Option<u32>,

    /// Nodes' time after which a search counts as a hot spot
    #[arg(long, hide_short_help = true, value_name = "NODES", value_parser = value_parser!(u64).range(0..=1 << 32))]
    pub teams_hot_after: Option<u64>,

    /// Nodes' time for which idle members are kept before they are sent on or back (elastic teams)
    #[arg(long, hide_short_help = true, value_name = "NODES", value_parser = value_parser!(u64).range(0..=1 << 32))]
    pub teams_keep: Option<u64>,
}

/// On or off.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Toggle {
    /// On
    On,
    /// Off
    Off,
}

/// How many more children are waited for; none where the table decides.
pub type Waiting = Option<u32>;

fn count_or_off(text: &str) -> Result<Waiting, String> {
    match text {
        "off" => Ok(None),
        _ => text.parse().map(Some).map_err(|_| "expected a number or `off`".to_owned()),
    }
}

impl TeamsTuning {
    /// The usual settings with the user's choices; a node takes `node_ns`.
    pub fn apply(&self, usual: TeamsSettings, node_ns: u64) -> TeamsSettings {
        let is_on = |choice: Option<Toggle>, usual| choice.map_or(usual, |it| it == Toggle::On);
        let time = |nodes: Option<u64>, usual| nodes.map_or(usual, |nodes| nodes * node_ns);
        TeamsSettings {
            elastic: is_on(self.teams_elastic, usual.elastic),
            watch: is_on(self.teams_watch, usual.watch),
            reorganise: is_on(self.teams_reorganise, usual.reorganise),
            wait_more: self.teams_wait_more.unwrap_or(usual.wait_more),
            expected_types: is_on(self.teams_expected, usual.expected_types),
            branching: self.teams_branching.unwrap_or(usual.branching),
            endgame_branching: self.teams_endgame.unwrap_or(usual.endgame_branching),
            idle_share: self.teams_idle.unwrap_or(usual.idle_share),
            hot_after_ns: time(self.teams_hot_after, usual.hot_after_ns),
            keep_ns: time(self.teams_keep, usual.keep_ns),
            ..usual
        }
    }
}
