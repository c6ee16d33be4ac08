//! How much memory a simulated machine takes.

use super::Setup;
use eval::AnyEvaluator;
use search::switches::ChosenRules;
use search::walk::Walk;

/// Bytes of a processor beside its walk: evaluator, strategy, messages.
const OTHERS: u64 = 64 << 10;
/// The same where it evaluates by a network, which keeps sums for its stack.
const OTHERS_WITH_NETWORK: u64 = 1 << 20;

impl Setup {
    /// Megabytes that a run takes, about. Every processor has a walk of its own, with a stack of nodes and
    /// histories: almost a megabyte by the rules of the papers.
    pub fn megabytes(&self) -> u64 {
        let walk = Walk::<ChosenRules, AnyEvaluator>::bytes(&ChosenRules(self.switches)) as u64;
        let others = if self.network.is_some() { OTHERS_WITH_NETWORK } else { OTHERS };
        let is_apart = self.table.kind.is_apart() && self.peers > 1;
        let cache = if is_apart { self.table.cache_kilobytes << 10 } else { 0 };
        let processors = u64::from(self.peers).saturating_mul(walk + others + cache);
        (processors >> 20).saturating_add(self.table.kilobytes >> 10).max(1)
    }
}

#[cfg(test)]
mod tests {
    use crate::StrategyKind;
    use crate::sim::{Model, Setup};
    use search::Profile;

    fn megabytes(peers: u32, profile: Profile) -> u64 {
        let model = Model::named("t805").expect("a built-in machine");
        let mut setup = Setup::new(StrategyKind::Lazy, model, peers, profile);
        setup.table.kilobytes = 16 << 10;
        setup.megabytes()
    }

    #[test]
    fn a_thousand_processors_are_a_thousand_stacks() {
        // Measured: 1.0 to 1.2 GB for 1024 processors, 3.9 GB for 4096.
        assert!((900..1300).contains(&megabytes(1024, Profile::Negascout)));
        assert!((3600..4800).contains(&megabytes(4096, Profile::Negascout)));
        assert!((17..20).contains(&megabytes(2, Profile::Negascout)));
        assert!(megabytes(64, Profile::Modern) > 3 * megabytes(64, Profile::Negascout));
    }
}
