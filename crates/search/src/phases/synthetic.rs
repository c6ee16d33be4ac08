//! Trees of the papers, searched by the phases themselves: a driver makes moves of chess for the branches of a
//! given tree and takes the values of its leaves for those of the positions.

use super::Search;
use super::papers::{Examined, START, examine};
use crate::Depth;
use crate::node::{Absorbed, Entered, Plan};
use crate::switches::{BARE, Ordering, Switches};
use Tree::{Inner, Leaf};

const ALPHA_BETA: Switches = BARE;
/// Marsland's Figure 5, with Reinefeld's rule for the last two plies.
const PVS: Switches = Switches { scout: true, ..BARE };
/// Feldmann's Figure 1, without that rule.
const NEGASCOUT: Switches = Switches { ordering: Ordering::Zugzwang, ..PVS };

/// A game tree; a leaf has its value for the side to move in it.
#[derive(Clone, Debug)]
enum Tree {
    Leaf(i32),
    Inner(Vec<Tree>),
}

impl Tree {
    /// All leaves of a uniform tree, each with the value that its path has.
    fn uniform(width: usize, depth: usize, value: &dyn Fn(&[usize]) -> i32) -> Tree {
        fn grow(
            width: usize,
            path: &mut Vec<usize>,
            depth: usize,
            value: &dyn Fn(&[usize]) -> i32,
        ) -> Tree {
            if path.len() == depth {
                return Leaf(value(path));
            }
            let branch = |index| {
                path.push(index);
                let tree = grow(width, path, depth, value);
                path.pop();
                tree
            };
            Inner((0..width).map(branch).collect())
        }
        grow(width, &mut Vec::new(), depth, value)
    }

    fn depth(&self) -> Depth {
        match self {
            Leaf(_) => 0,
            Inner(children) => 1 + children.iter().map(Tree::depth).max().unwrap_or(0),
        }
    }

    /// The definition (Z1, Z2).
    fn minimax(&self) -> i32 {
        match self {
            Leaf(value) => *value,
            Inner(children) => children.iter().map(|child| -child.minimax()).max().unwrap_or(0),
        }
    }

    /// The best child first at every node, or last.
    fn sorted(&self, best_first: bool) -> Tree {
        let Inner(children) = self else { return self.clone() };
        let mut children: Vec<Tree> =
            children.iter().map(|child| child.sorted(best_first)).collect();
        children.sort_by_key(|child| if best_first { child.minimax() } else { -child.minimax() });
        Inner(children)
    }
}

/// The value of a tree, and the leaves in the order of the visits by their paths, the first child being 1.
fn search(switches: Switches, tree: &Tree) -> (i32, Vec<String>) {
    let mut visits = Vec::new();
    let window = (-30_000, 30_000, tree.depth());
    let value = examine(switches, START, window, |search| visit(search, tree, 0, "p", &mut visits));
    (value, visits)
}

fn visit(
    search: &mut Examined<'_>,
    tree: &Tree,
    level: usize,
    path: &str,
    visits: &mut Vec<String>,
) -> i32 {
    let children = match tree {
        Leaf(value) => {
            visits.push(path.to_owned());
            return *value;
        }
        Inner(children) => children,
    };
    assert_eq!(search.enter(level), Entered::Open);
    for (child, number) in children.iter().zip(1..) {
        let path = format!("{path}.{number}");
        let mut plan: Plan = search.next(level).expect("more moves than branches");
        loop {
            Search::descend(search, level, &plan);
            let value = visit(search, child, level + 1, &path, visits);
            let value = search.ascend(&plan, value);
            match search.absorb(level, &plan, value) {
                Absorbed::Settled => break,
                Absorbed::Again(again) => plan = again,
                Absorbed::Cut => return search.leave(level),
            }
        }
    }
    search.leave(level)
}

/// Values without order, the same on every machine.
fn scattered(path: &[usize]) -> i32 {
    let mut state = 0x9e37_79b9u32;
    for &index in path {
        state = (state ^ (index as u32 + 1)).wrapping_mul(0x85eb_ca6b);
        state ^= state >> 13;
    }
    (state >> 8) as i32 % 2000 - 1000
}

#[test]
fn z4_the_best_case_is_the_minimal_tree_and_the_value_that_of_minimax() {
    for (width, depth) in [(2, 5), (3, 4), (4, 3), (7, 2), (5, 1)] {
        let tree = Tree::uniform(width, depth, &scattered);
        let power = |exponent: usize| width.pow(exponent as u32);
        let minimal = power(depth.div_ceil(2)) + power(depth / 2) - 1;
        for switches in [ALPHA_BETA, PVS, NEGASCOUT] {
            let (value, leaves) = search(switches, &tree.sorted(true));
            assert_eq!((value, leaves.len()), (tree.minimax(), minimal), "{width} {depth}");
            let (value, _) = search(switches, &tree);
            assert_eq!(value, tree.minimax(), "in any order");
        }
    }
}

/// Every later child is better than all before it, whatever is chosen below: each leaf has a digit for every
/// ply, which falls with the number of the child where the opponent chooses.
fn worst(width: usize, depth: usize) -> Tree {
    Tree::uniform(width, depth, &|path| {
        let digit =
            |(ply, &index): (usize, &usize)| if ply % 2 == 0 { index } else { width - 1 - index };
        let digits = path.iter().enumerate().map(digit);
        let value = digits.fold(0, |value, digit| value * width + digit) as i32;
        if depth.is_multiple_of(2) { value } else { -value }
    })
}

#[test]
fn z4_z10_in_the_worst_case_every_leaf_is_visited_and_by_negascout_many_of_them_twice() {
    for (width, depth) in [(2, 4), (3, 4), (4, 3)] {
        let tree = worst(width, depth);
        let all = width.pow(depth as u32);
        let distinct = |leaves: &[String]| {
            let mut leaves = leaves.to_vec();
            leaves.sort_unstable();
            leaves.dedup();
            leaves.len()
        };
        let (value, leaves) = search(ALPHA_BETA, &tree);
        assert_eq!((value, leaves.len()), (tree.minimax(), all));
        let (value, leaves) = search(NEGASCOUT, &tree);
        assert_eq!((value, distinct(&leaves)), (tree.minimax(), all));
        assert!(leaves.len() > 2 * all, "{} of {all}", leaves.len());
    }
}

/// The figure of Feldmann's section 2, as far as its text tells: the values -5, 5, 7, -8 and the nodes marked
/// -3 and 8. `LOST` stands for what no search needs.
#[test]
fn z9_the_example_of_section_2_has_its_cut_its_deep_cut_and_its_bounds() {
    const LOST: i32 = 29_000;
    let marked_minus_3 = Inner(vec![Leaf(3), Leaf(LOST)]);
    let marked_8 = Inner(vec![marked_minus_3, Leaf(-8), Leaf(-LOST)]);
    let tree =
        Inner(vec![Leaf(-5), Inner(vec![Leaf(5), Leaf(LOST)]), Inner(vec![Leaf(7), marked_8])]);
    let (value, leaves) = search(ALPHA_BETA, &tree);
    assert_eq!(value, 7);
    assert_eq!(leaves, ["p.1", "p.2.1", "p.3.1", "p.3.2.1.1", "p.3.2.2"]);
}

/// Marsland's tree of Figures 2 and 6, as far as its text tells: p.1.2 is searched with an upper bound of 5
/// and cut by 6, p.2.1.2 has 7. The values are those for the side to move above the leaves.
fn marsland() -> Tree {
    let pair = |first: i32, second: i32| Inner(vec![Leaf(-first), Leaf(-second)]);
    Inner(vec![Inner(vec![pair(5, 4), pair(6, 9)]), Inner(vec![pair(6, 7), pair(3, 2)])])
}

#[test]
fn m3_figure_2_alpha_beta_cuts_off_one_leaf() {
    let (value, leaves) = search(ALPHA_BETA, &marsland());
    assert_eq!(value, 5);
    let expected = ["p.1.1.1", "p.1.1.2", "p.1.2.1", "p.2.1.1", "p.2.1.2", "p.2.2.1", "p.2.2.2"];
    assert_eq!(leaves, expected);
}

#[test]
fn m4_figure_6_minimal_windows_cut_off_one_leaf_more() {
    for switches in [PVS, NEGASCOUT] {
        let (value, leaves) = search(switches, &marsland());
        assert_eq!(value, 5);
        let expected = ["p.1.1.1", "p.1.1.2", "p.1.2.1", "p.2.1.1", "p.2.2.1", "p.2.2.2"];
        assert_eq!(leaves, expected, "without p.2.1.2");
    }
}

#[test]
fn d7_dewey_labels_are_the_node_types_of_the_minimal_tree() {
    use crate::walk::NodeType;
    // A path is critical if all its odd or all its even places are 1.
    let critical = |path: &[usize]| {
        let ones = |from: usize| path.iter().skip(from).step_by(2).all(|&index| index == 1);
        ones(0) || ones(1)
    };
    let label = |path: &[usize]| match path.iter().position(|&index| index > 1) {
        None => NodeType::One,
        // The thesis counts from 1: CUT if the length less that place is even.
        Some(place) if (path.len() - place - 1).is_multiple_of(2) => NodeType::Two,
        Some(_) => NodeType::Three,
    };
    let mut paths: Vec<(Vec<usize>, NodeType)> = vec![(Vec::new(), NodeType::One)];
    let mut counted = 0;
    while let Some((path, node_type)) = paths.pop() {
        if critical(&path) {
            assert_eq!(label(&path), node_type, "{path:?}");
            counted += 1;
        }
        if path.len() < 6 {
            paths.extend((1..=3).map(|index| {
                let longer = path.iter().copied().chain([index]).collect();
                (longer, node_type.child(index == 1))
            }));
        }
    }
    // The sum of the minimal trees of width 3 from depth 0 to 6.
    let minimal = |depth: u32| 3usize.pow(depth.div_ceil(2)) + 3usize.pow(depth / 2) - 1;
    assert_eq!(counted, (0..=6).map(minimal).sum::<usize>());
}
