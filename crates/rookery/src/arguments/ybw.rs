//! Whose rules young brothers follow in `rookery sim`: ours, or Zugzwang's as printed.

use clap::{Args, ValueEnum};
use parallel::StrategyKind;
use parallel::sim::{Setup, TableKind, TableSettings};

/// Choices of `--strategy ybw`; docs/design/ybw.md says how the rules differ.
#[derive(Args)]
#[command(next_help_heading = "Choices of young brothers and of the distributed table")]
pub struct YbwTuning {
    /// Whose rules: `paper` for Zugzwang's as printed, with its table (asynchronous) if --table names no other;
    /// only with --strategy ybw, or for its rows of --compare
    #[arg(long, hide_short_help = true, value_enum, default_value_t = YbwRules::Ours)]
    pub ybw: YbwRules,

    /// Send results without a request for more work
    #[arg(long, hide_short_help = true)]
    pub no_return_requests: bool,

    /// Ask nothing about a node that was entered before something was found for the node above (paper)
    #[arg(long, hide_short_help = true)]
    pub no_late_reads: bool,

    /// Expect of a node what its parent expects, and do not ask the table (ours)
    #[arg(long, hide_short_help = true)]
    pub no_expected_types: bool,
}

/// Whose rules.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum YbwRules {
    /// Ours
    Ours,
    /// Zugzwang's as printed
    Paper,
}

impl YbwTuning {
    /// A setup by the rules that were chosen, for a strategy and a kind of table; other choices come on top.
    pub fn apply(&self, usual: Setup, strategy: StrategyKind, table: TableKind) -> Setup {
        let is_apart = usual.strategy == StrategyKind::Ybw && table.is_apart();
        let mut setup = match self.ybw {
            YbwRules::Paper if strategy == StrategyKind::Ybw => usual.by_zugzwang(),
            _ if is_apart => {
                let table = TableSettings::for_young_brothers(table, usual.table.kilobytes);
                Setup { table, ..usual }
            }
            _ => usual,
        };
        setup.ybw.return_requests &= !self.no_return_requests;
        setup.ybw.expected_types &= !self.no_expected_types;
        setup.table.late_reads &= !self.no_late_reads;
        setup
    }
}
