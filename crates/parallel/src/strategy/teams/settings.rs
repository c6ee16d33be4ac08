//! The choices of teams. The paper gives few numbers; those it does not give were found on LCT II
//! positions (docs/lab/teams.md).

use crate::Time;

/// The choices of the strategy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TeamsSettings {
    /// Teams into which an owner divides his members (F8: 6 to 15).
    pub branching: u32,
    /// Whether owners only watch while their helpers search (F12); else they search too.
    pub watch: bool,
    /// Whether a hot spot is given to all that are idle (F15).
    pub reorganise: bool,
    /// Per cent of an owner's teams that must be idle before he reorganises (F15 gives no number).
    pub idle_share: u32,
    /// How long a search must have been going on before it counts as a hot spot (F15 gives no number).
    pub hot_after: Time,
    /// Whether teams grow and shrink without being stopped (F16).
    pub elastic: bool,
    /// How long idle members are kept before they are sent on or back, where teams are elastic.
    pub keep: Time,
    /// How long an owner who searches lets idle members wait before he looks for work for them again.
    pub retry: Time,
    /// Children of a node of type 2 beyond the promising ones that are searched before others may help;
    /// none for the paper's rule, by which the table alone decides (F9).
    pub wait_more: Option<u32>,
    /// Whether killers go with the work.
    pub killers: bool,
    /// The smallest depth of a child that another processor searches, as the walk has it.
    pub grain: i32,
    /// How long an answer may take before it is taken for lost; never without.
    pub patience: Option<Time>,
}

impl TeamsSettings {
    /// The usual choices on a machine where a node and a message take so long: elastic teams whose
    /// owners search.
    pub fn for_machine(node: Time, message: Time) -> TeamsSettings {
        TeamsSettings {
            branching: 8,
            watch: false,
            reorganise: true,
            idle_share: 30,
            hot_after: (100 * node).max(20 * message),
            elastic: true,
            keep: (8 * node).max(8 * message),
            retry: (2 * node).max(2 * message),
            wait_more: Some(1),
            killers: true,
            grain: 1,
            patience: None,
        }
    }

    /// The paper's rules: fixed teams, owners that only watch, hot spots reorganised.
    pub fn paper(self) -> TeamsSettings {
        TeamsSettings { watch: true, elastic: false, wait_more: None, ..self }
    }
}
