//! The choices of strategies that the laws are tried with, beside the usual ones.

use parallel::StrategyKind;
use parallel::sim::Setup;
use parallel::strategy::TeamsSettings;

/// What each strategy is tried with: its usual choices, and for teams also the paper's, with and without
/// the reorganisation of hot spots, and owners that search over fixed teams.
pub fn variants(setup: &Setup) -> Vec<Setup> {
    let mut variants = vec![setup.clone()];
    if setup.strategy == StrategyKind::Teams {
        let paper = setup.teams.paper();
        // A few nodes make a hot spot, so that small searches have some.
        let hot_after_ns = 4 * setup.model.node;
        for (reorganise, watch) in [(true, true), (false, true), (true, false)] {
            let teams = TeamsSettings { reorganise, watch, hot_after_ns, branching: 3, ..paper };
            variants.push(Setup { teams, ..setup.clone() });
        }
        let teams = TeamsSettings { watch: true, ..setup.teams };
        variants.push(Setup { teams, ..setup.clone() });
    }
    variants
}
