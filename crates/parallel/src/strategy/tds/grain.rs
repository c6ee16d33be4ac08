//! The grain by window and depth, chosen by what searches have taken (D92, D93, D96).
//!
//! The thesis sweeps one grain for each machine, number of processors and depth, and wants another for
//! open windows. Here every processor keeps account of the states that it has searched: how many nodes
//! they took on average, for each kind of window and each depth. A child is sent to its home if it is
//! expected to take as many nodes as make its messages worth while, which follows from the machine's
//! costs. So the grain follows from the profile, the position and the machine, without a sweep.
//! As long as little is known of a depth, it is taken for a multiple of the one below.
//!
//! The first processor does the same with the iterations: it searches them alone until the next one is
//! expected to be worth sharing (D96). What is learnt decides where something is searched, never what.

use super::TdsSettings;
use eval::score::Score;
use search::Depth;

/// Depths that are told apart.
const DEEPEST: usize = 12;
/// What is taken for granted counts as much as this many states.
const PRIOR: u64 = 8;
/// States after which the older ones begin to count less.
const MANY: u64 = 512;
/// Nodes of a state of depth 1 with a null and with an open window, before anything is known.
const FIRST: [u64; 2] = [7, 20];
/// How much more a state takes than one of a ply less, before anything is known.
const GROWTH: u64 = 5;
/// The same from iteration to iteration, at least and at most.
const LEAST_GROWTH: u64 = 2;
const MOST_GROWTH: u64 = 8;

/// What states of one kind have taken.
#[derive(Clone, Copy, Default)]
struct Tally {
    states: u64,
    nodes: u64,
}

impl Tally {
    fn add(&mut self, nodes: u64) {
        if self.states >= MANY {
            (self.states, self.nodes) = (self.states / 2, self.nodes / 2);
        }
        (self.states, self.nodes) = (self.states + 1, self.nodes + nodes);
    }

    /// The mean, where another was expected.
    fn mean(&self, expected: u64) -> u64 {
        (PRIOR * expected + self.nodes) / (PRIOR + self.states)
    }
}

/// The grain of one processor.
pub(super) struct Grain {
    /// Nodes that make a child worth sending; 0 if the grain is fixed.
    worth: u64,
    /// For null and for open windows.
    grains: [i32; 2],
    tallies: [[Tally; DEEPEST]; 2],
    /// Whether iterations are not worth sharing yet, and what one must take to be.
    alone: bool,
    worth_sharing: u64,
    /// Nodes of the last search of the root.
    last: u64,
}

impl Grain {
    /// Of a processor that has the root, or another.
    pub fn new(settings: &TdsSettings, has_root: bool) -> Grain {
        let mut grain = Grain {
            worth: settings.worth,
            grains: [settings.grain, settings.open_grain],
            tallies: [[Tally::default(); DEEPEST]; 2],
            alone: has_root && settings.alone > 0,
            worth_sharing: settings.alone,
            last: 0,
        };
        if grain.worth > 0 {
            grain.grains = [grain.choose(0), grain.choose(1)];
        }
        grain
    }

    /// The smallest depth of a child that is sent to its home.
    pub fn of(&self, alpha: Score, beta: Score) -> i32 {
        self.grains[kind(alpha, beta)]
    }

    /// A state is done that took `nodes`.
    pub fn learn(&mut self, (alpha, beta): (i32, i32), depth: Depth, nodes: u64) {
        let (kind, place) = (kind(alpha, beta), depth - 1);
        if self.worth == 0 || !(0..DEEPEST as i32).contains(&place) {
            return;
        }
        self.tallies[kind][place as usize].add(nodes);
        self.grains[kind] = self.choose(kind);
    }

    /// The smallest depth at which a child is expected to be worth its messages.
    fn choose(&self, kind: usize) -> i32 {
        // In sixteenths of a node; deeper states take no less.
        let (mut expected, mut least, needed) = (16 * FIRST[kind], 0, 16 * self.worth);
        for (place, tally) in self.tallies[kind].iter().enumerate() {
            let tally = Tally { nodes: 16 * tally.nodes, ..*tally };
            least = tally.mean(expected).max(least);
            if least >= needed {
                return place as i32 + 1;
            }
            expected = GROWTH * least;
        }
        DEEPEST as i32
    }

    /// Whether the root's children stay with the first processor.
    pub fn is_alone(&self) -> bool {
        self.alone
    }

    /// A search of the root is done that took `nodes`; the next begins. Its depth is given where
    /// nothing leaves the first processor but what is sent.
    pub fn next_search(&mut self, nodes: u64, depth: Option<i32>) {
        if self.alone {
            let growth = (nodes / self.last.max(1)).clamp(LEAST_GROWTH, MOST_GROWTH);
            let nothing_to_send =
                depth.is_some_and(|depth| depth <= self.grains[0].min(self.grains[1]));
            self.alone = nothing_to_send || growth * nodes < self.worth_sharing;
            self.last = nodes;
        }
    }
}

fn kind(alpha: Score, beta: Score) -> usize {
    usize::from(beta - alpha > 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NULL: (i32, i32) = (10, 11);
    const OPEN: (i32, i32) = (-50, 50);

    fn grain(worth: u64) -> Grain {
        Grain::new(&TdsSettings { worth, alone: 8 * worth, ..TdsSettings::cured(3) }, true)
    }

    fn learn(grain: &mut Grain, window: (i32, i32), depth: i32, nodes: u64) {
        (0..MANY).for_each(|_| grain.learn(window, depth, nodes));
    }

    fn of(grain: &Grain, (alpha, beta): (i32, i32)) -> i32 {
        grain.of(alpha, beta)
    }

    #[test]
    fn who_knows_nothing_goes_by_what_is_usual() {
        let grains = |worth| (of(&grain(worth), NULL), of(&grain(worth), OPEN));
        assert_eq!([6, 30, 60, 150].map(grains), [(1, 1), (2, 2), (3, 2), (3, 3)]);
    }

    #[test]
    fn d92_the_grain_is_the_depth_whose_states_are_worth_their_messages() {
        let mut grain = grain(30);
        for (depth, nodes) in [(1, 8), (2, 29), (3, 100)] {
            learn(&mut grain, NULL, depth, nodes);
        }
        assert_eq!(of(&grain, NULL), 3);
        (0..4).for_each(|_| learn(&mut grain, NULL, 2, 40));
        assert_eq!(of(&grain, NULL), 2, "the new counts more than the old");
    }

    #[test]
    fn few_states_change_little() {
        let mut grain = grain(30);
        grain.learn(NULL, 2, 1);
        assert_eq!(of(&grain, NULL), 2);
        learn(&mut grain, NULL, 2, 1);
        assert_eq!(of(&grain, NULL), 3);
    }

    #[test]
    fn what_is_not_known_follows_from_the_depth_below() {
        let mut grain = grain(100);
        learn(&mut grain, NULL, 1, 2);
        assert_eq!(of(&grain, NULL), 4, "2, 10, 50, 250");
        learn(&mut grain, NULL, 2, 50);
        assert_eq!(of(&grain, NULL), 3, "2, 50, 250");
    }

    #[test]
    fn d92_dearer_messages_never_make_the_grain_smaller() {
        let mut last = 1;
        for worth in (0..16).map(|power| 1 << power) {
            let mut grain = grain(worth);
            for (depth, nodes) in [(1, 9), (2, 40), (3, 35), (4, 600)] {
                learn(&mut grain, NULL, depth, nodes);
            }
            assert!(of(&grain, NULL) >= last, "{worth}");
            last = of(&grain, NULL);
        }
        assert!(last > 4);
    }

    #[test]
    fn d93_windows_have_grains_of_their_own() {
        let mut grain = grain(30);
        for (depth, nodes) in [(1, 6), (2, 20), (3, 80)] {
            learn(&mut grain, NULL, depth, nodes);
            learn(&mut grain, OPEN, depth, 6 * nodes);
        }
        assert_eq!((of(&grain, NULL), of(&grain, OPEN)), (3, 1));
    }

    #[test]
    fn a_fixed_grain_learns_nothing() {
        let mut grain = Grain::new(&TdsSettings { worth: 0, ..TdsSettings::cured(2) }, false);
        learn(&mut grain, NULL, 1, 1_000_000);
        assert_eq!(of(&grain, NULL), 2);
    }

    #[test]
    fn d96_iterations_are_shared_from_the_first_that_is_worth_it() {
        let mut grain = grain(30);
        let mut alone = Vec::new();
        for nodes in [20, 30, 60, 150, 5, 5] {
            alone.push(grain.is_alone());
            grain.next_search(nodes, None);
        }
        // 240 nodes are worth it; after 60 in the third, 120 are expected in the fourth.
        assert_eq!(alone, [true, true, true, true, false, false]);
    }

    #[test]
    fn d96_what_is_not_deeper_than_the_grain_is_searched_alone_where_there_is_no_stealing() {
        let settings = TdsSettings { alone: 10, ..TdsSettings::paper(4) };
        let mut grain = Grain::new(&settings, true);
        for depth in 2..=4 {
            grain.next_search(1000, Some(depth));
            assert!(grain.is_alone());
        }
        grain.next_search(1000, Some(5));
        assert!(!grain.is_alone());
    }
}
