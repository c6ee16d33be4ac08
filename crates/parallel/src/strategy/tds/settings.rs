//! The choices of the strategy: the thesis's rules, and each of their cures on its own switch.

use crate::Time;
use search::Depth;

/// The search of a child must take this many times as long as sending and receiving a message (measured, see
/// docs/lab/tds.md).
const WORTH: u64 = 5;
/// States that may be waiting in a circle wait for as long as this many nodes take at most.
const LONGEST_WAIT: u64 = 500;
/// An iteration is shared if it is worth this many children.
const SHARING: u64 = 32;

/// Which siblings wait for which (D85, D94).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SiblingWait {
    /// At all nodes for the first, then for the promising ones (D85).
    Everywhere,
    /// As the node's type asks: those of type 1 for the first, then for the promising ones (without the
    /// latter the hybrid searches 42 instead of 10 % more nodes on two processors); of type 2 for the
    /// promising ones, one after the other, and some more; of type 3 for the first, or for none.
    ByType {
        /// Unpromising children of a type-2 node that are searched one after the other.
        wait_more: u32,
        /// Whether a type-3 node waits for its first child.
        all_wait: bool,
        /// Children of a type-2 node that may be out at once for each one that is done: the more have
        /// failed to cut it off, the less likely the next will. 0 for any number.
        cut_width: u32,
        /// Children of a type-2 node that are searched one after the other, promising or not, before
        /// all others go out at once: after that it is not likely to be cut off at all. 0 for the
        /// rules above.
        cut_after: u32,
        /// As `cut_width` for a type-3 node.
        all_width: u32,
        /// How far the children of a type-2 node that are begun may be ahead of the first one that is out.
        /// Those that fail to cut off are soon back; the one that will is not, and all that is searched
        /// behind it is of no use. 0 for any number.
        cut_ahead: u32,
        /// The same for a type-3 node: a child that takes long may cut it off after all.
        all_ahead: u32,
    },
}

/// For which transpositions a state waits (D84).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Waiting {
    /// For any in the queue or under search that is not an ancestor (4.3.2). Of those that wait the
    /// first in sequential order goes on (3b).
    Any,
    /// The same, but the shallowest goes on (2): the thesis says both.
    AnyShallowest,
    /// For one under search that comes earlier, and for any below the grain.
    Earlier,
}

/// The choices of the strategy.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TdsSettings {
    /// The smallest depth of a child with a null window that is sent to its home (D92).
    pub grain: Depth,
    /// The same for a child with an open window (D93).
    pub open_grain: Depth,
    /// Children of less depth than this stay with their parent, where helpers may fetch them; homes get
    /// the others.
    pub home_grain: Depth,
    /// Children of more plies than this from the root stay with their parent too: the grain by searched
    /// plies (4.4).
    pub searched_grain: Depth,
    /// Whether states go to their homes; else they stay with their parent, and idle processors steal
    /// them: the work stealing against which the thesis sets its scheduling (D71).
    pub homes: bool,
    /// Nodes that the search of a child must be expected to take to be worth its messages: the grain is
    /// chosen by what states have taken, for null and open windows (D92, D93). 0 for the grains above.
    pub worth: u64,
    /// Iterations that are expected to take fewer nodes than this are searched by the first processor
    /// alone, and, where there are no helpers, those that are not deeper than the grain (D96); 0 for none.
    pub alone: u64,
    /// Processors that have not been given anything ask for no work until this time: the search may be too
    /// small to be shared.
    pub lull_ns: Time,
    /// Which siblings wait.
    pub sibling_wait: SiblingWait,
    /// Messages are looked at between two pieces of work only, as in the thesis's main loop (D90).
    pub main_loop: bool,
    /// Aborts are told to all (D88); else they follow the work (D89).
    pub broadcast: bool,
    /// Narrowed windows are told to those who use them (D97).
    pub bounds: bool,
    /// What comes earlier in sequential order is searched at once.
    pub preempt: bool,
    /// Killers go with the work and come back with the value.
    pub killers: bool,
    /// What the table or a search for a first move says about a node decides about its type (F3).
    pub expected_type: bool,
    /// Where no cut-off is expected, the search for a first move goes on beside the moves.
    pub overlap: bool,
    /// States that will be held are opened as soon as they come.
    pub eager: bool,
    /// Nodes of type 3 wait for their first child, and those of type 2 for one child after the other,
    /// unless a processor is without work (D98).
    pub split_on_demand: bool,
    /// How many more children of a node of type 2 may be out, or further ahead of the first one that is, for
    /// each request of a processor without work. The same for one of type 3 that waits for its first.
    pub widen: u32,
    /// For which transpositions a state waits.
    pub waiting: Waiting,
    /// Work waits in the order of APHID's priorities (D82), not in sequential order (D81).
    pub aphid: bool,
    /// How long a processor with nothing else to do lets states wait that may be waiting in a circle.
    pub longest_wait_ns: Time,
    /// Idle processors ask for work at the homes of others; the pause after a refusal. 0 for never.
    pub retry_ns: Time,
    /// Time between two history deltas to others; 0 for none.
    pub delta_every_ns: Time,
    /// Changes of a history below this are not told.
    pub delta_least: i32,
    /// Processors of a cluster, where states stay inside theirs (D101); 0 for none.
    pub cluster: u32,
    /// The smallest depth of a child that may go to another cluster.
    pub remote_grain: i32,
    /// Where the chance begins that chooses whom an idle processor asks.
    pub seed: u64,
    /// How long an answer may take before it is taken for lost; never without.
    pub patience_ns: Option<Time>,
}

impl TdsSettings {
    /// The thesis's rules.
    pub fn paper(grain: Depth) -> TdsSettings {
        TdsSettings {
            grain,
            open_grain: grain,
            home_grain: 1,
            searched_grain: Depth::MAX,
            homes: true,
            worth: 0,
            alone: 0,
            lull_ns: 0,
            sibling_wait: SiblingWait::Everywhere,
            main_loop: true,
            broadcast: true,
            bounds: false,
            preempt: false,
            killers: false,
            expected_type: false,
            overlap: false,
            eager: false,
            split_on_demand: false,
            widen: 1,
            waiting: Waiting::Any,
            aphid: false,
            longest_wait_ns: LONGEST_WAIT * 5_000,
            retry_ns: 0,
            delta_every_ns: 0,
            delta_least: 256,
            cluster: 0,
            remote_grain: i32::MAX,
            seed: 1,
            patience_ns: None,
        }
    }

    /// The same with their cures, on a machine whose nodes take 5 µs and messages twice that.
    pub fn cured(grain: Depth) -> TdsSettings {
        let sibling_wait = SiblingWait::ByType {
            wait_more: 1,
            all_wait: false,
            cut_width: 1,
            cut_after: 3,
            all_width: 0,
            cut_ahead: 0,
            all_ahead: 0,
        };
        let cured = TdsSettings {
            sibling_wait,
            main_loop: false,
            broadcast: false,
            bounds: true,
            preempt: true,
            killers: true,
            expected_type: true,
            eager: true,
            split_on_demand: true,
            waiting: Waiting::Earlier,
            delta_least: 16,
            ..TdsSettings::paper(grain)
        };
        cured.for_machine(5_000, 10_000)
    }

    /// The same with pauses that fit a machine whose nodes and messages take these times.
    pub fn for_machine(self, node_ns: Time, message_ns: Time) -> TdsSettings {
        let retry_ns = 20 * message_ns.max(node_ns / 4);
        let longest_wait_ns = LONGEST_WAIT * node_ns.max(message_ns);
        TdsSettings { retry_ns, delta_every_ns: 100 * node_ns, longest_wait_ns, ..self }
    }

    /// The same without stealing: all work moves by homes, as in the thesis.
    pub fn without_stealing(self) -> TdsSettings {
        // No processor says that it is without work: nothing can be held back until one does.
        TdsSettings { retry_ns: 0, split_on_demand: false, ..self }
    }

    /// The thesis's rules with work stealing in place of homes (D71), on a machine as above.
    pub fn work_stealing(grain: Depth, node_ns: Time, message_ns: Time) -> TdsSettings {
        let machine = TdsSettings::paper(grain).for_machine(node_ns, message_ns);
        TdsSettings { homes: false, delta_every_ns: 0, ..machine }
    }

    /// The same with a grain that is chosen by what states take, on a machine whose nodes take this time, and
    /// a message to send and to receive together.
    pub fn with_auto_grain(self, node_ns: Time, message_ns: Time) -> TdsSettings {
        TdsSettings { worth: worth(node_ns, message_ns), ..self }
    }

    /// The same with iterations that are not shared as long as they are too small for such a machine.
    pub fn with_shallow_alone(self, node_ns: Time, message_ns: Time) -> TdsSettings {
        let alone = SHARING * worth(node_ns, message_ns);
        TdsSettings { alone, lull_ns: alone * node_ns, ..self }
    }
}

/// Nodes that are worth the messages of a child; one more, since its home enters it anew.
fn worth(node_ns: Time, message_ns: Time) -> u64 {
    1 + (WORTH * message_ns).div_ceil(node_ns.max(1))
}

impl Default for TdsSettings {
    fn default() -> TdsSettings {
        TdsSettings::cured(3)
    }
}
