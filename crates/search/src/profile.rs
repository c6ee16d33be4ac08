//! The named profiles.

use crate::switches::{
    DARKSIGHT, DARKSIGHT_NEXT, HYPERCUBE, MODERN, NEGASCOUT, PLAIN, Switches, ZUGZWANG,
    ZUGZWANG_NULL,
};
use eval::{AnyEvaluator, Classical, DarkSight, MainEvaluator};
use table::PolicyKind;

/// A system of the papers, or our own, over the same node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Profile {
    /// As strong as we can make it.
    #[default]
    Modern,
    /// Steenhuisen's DarkSight.
    DarkSight,
    /// DarkSight with what its thesis leaves to the future.
    DarkSightNext,
    /// Feldmann's Zugzwang with fail-high reductions.
    Zugzwang,
    /// Zugzwang with the null move in their place.
    ZugzwangNull,
    /// Zugzwang without selectivity.
    Negascout,
    /// Felten and Otto's program.
    Hypercube,
    /// Marsland's model program.
    Plain,
}

impl Profile {
    /// All of them.
    pub const ALL: [Profile; 8] = [
        Profile::Modern,
        Profile::DarkSight,
        Profile::DarkSightNext,
        Profile::Zugzwang,
        Profile::ZugzwangNull,
        Profile::Negascout,
        Profile::Hypercube,
        Profile::Plain,
    ];

    /// Its switches.
    pub const fn switches(self) -> Switches {
        match self {
            Profile::Modern => MODERN,
            Profile::DarkSight => DARKSIGHT,
            Profile::DarkSightNext => DARKSIGHT_NEXT,
            Profile::Zugzwang => ZUGZWANG,
            Profile::ZugzwangNull => ZUGZWANG_NULL,
            Profile::Negascout => NEGASCOUT,
            Profile::Hypercube => HYPERCUBE,
            Profile::Plain => PLAIN,
        }
    }

    /// The table that belongs to it: with aging for play, two-deep for the papers (D27).
    pub const fn policy(self) -> PolicyKind {
        match self {
            Profile::Modern => PolicyKind::Bucketed,
            _ => PolicyKind::TwoDeep,
        }
    }

    /// Whether tables and recognisers answer for endings in it (D65).
    pub const fn knows_endings(self) -> bool {
        matches!(self, Profile::Modern | Profile::DarkSight | Profile::DarkSightNext)
    }

    /// Its evaluation, with the usual caches.
    pub fn evaluator(self) -> AnyEvaluator {
        self.evaluator_with(Classical::DEFAULT_PAWN_ENTRIES)
    }

    /// Its evaluation, with room for at least this number of pawn structures.
    pub fn evaluator_with(self, pawn_entries: usize) -> AnyEvaluator {
        match self {
            Profile::DarkSight | Profile::DarkSightNext => {
                AnyEvaluator::DarkSight(Box::new(DarkSight::new()))
            }
            Profile::Modern => {
                let classical = Classical::with_pawn_entries(pawn_entries);
                AnyEvaluator::Main(Box::new(MainEvaluator::Classical(classical)))
            }
            _ => AnyEvaluator::Classical(Box::new(Classical::with_pawn_entries(pawn_entries))),
        }
    }

    /// Its name on the command line and in UCI.
    pub const fn name(self) -> &'static str {
        match self {
            Profile::Modern => "modern",
            Profile::DarkSight => "darksight",
            Profile::DarkSightNext => "darksight-next",
            Profile::Zugzwang => "zugzwang",
            Profile::ZugzwangNull => "zugzwang-null",
            Profile::Negascout => "negascout",
            Profile::Hypercube => "hypercube",
            Profile::Plain => "plain",
        }
    }
}

impl std::fmt::Display for Profile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Profile {
    type Err = String;

    fn from_str(text: &str) -> Result<Profile, String> {
        let wanted = text.to_ascii_lowercase();
        Profile::ALL.into_iter().find(|profile| profile.name() == wanted).ok_or_else(|| {
            let names: Vec<&str> = Profile::ALL.into_iter().map(Profile::name).collect();
            format!("no profile is called {text:?}; there are {}", names.join(", "))
        })
    }
}
