//! The choices of strategies that the laws are tried with, beside the usual ones.

use parallel::StrategyKind;
use parallel::sim::{Setup, TableKind, TableSettings};
use parallel::strategy::TeamsSettings;

/// What each strategy is tried with: its usual choices; for young brothers also Zugzwang's rules as printed, and
/// ours with a distributed table; for teams also the paper's rules, with and without the reorganisation of hot
/// spots, owners that search over fixed teams, and types by the table.
pub fn variants(setup: &Setup) -> Vec<Setup> {
    let mut variants = vec![setup.clone()];
    if setup.strategy == StrategyKind::Ybw {
        let (kind, kilobytes) = (TableKind::Asynchronous, setup.table.kilobytes);
        let table = TableSettings::for_young_brothers(kind, kilobytes);
        variants.extend([setup.clone().by_zugzwang(), Setup { table, ..setup.clone() }]);
    }
    if setup.strategy == StrategyKind::Teams {
        let paper = setup.teams.paper();
        // A few nodes make a hot spot, so that small searches have some.
        let hot_after_ns = 4 * setup.model.node;
        for (reorganise, watch) in [(true, true), (false, true), (true, false)] {
            let teams = TeamsSettings { reorganise, watch, hot_after_ns, branching: 3, ..paper };
            variants.push(Setup { teams, ..setup.clone() });
        }
        let watching = TeamsSettings { watch: true, ..setup.teams };
        let expecting = TeamsSettings { expected_types: true, ..setup.teams };
        let more = [watching, expecting].map(|teams| Setup { teams, ..setup.clone() });
        variants.extend(more);
    }
    variants
}
