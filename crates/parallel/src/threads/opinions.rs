//! What each thread thinks of the root: who answers, and how sure they are.
//!
//! A thread says what it has found whenever a window or an iteration of its search of the root is done. From
//! that the answer is chosen by a vote, and time management sees all threads and not the first alone.

use board::Move;
use eval::score::{MATE_LIMIT, Score};
use search::{Depth, Outcome};

/// Weight of a vote for the worst value, in centipawns: values count by how far they are above the worst.
const BASE: i64 = 14;
/// Who is more than these plies behind the deepest does not vote.
const BEHIND: Depth = 2;

/// What a thread has found so far.
pub(super) struct Opinion {
    pub outcome: Outcome,
    /// For how many of its iterations its best move has been the same.
    stable_for: u32,
    /// Nodes below each root move.
    nodes: Vec<(Move, u64)>,
}

/// The opinions of all threads.
pub(super) struct Opinions(Vec<Option<Opinion>>);

/// How sure the threads are of a move.
pub(super) struct Agreement {
    /// The share of all nodes that were spent below it.
    pub node_share: f64,
    /// For how many iterations it has been the best one, the mean over all; at least 1.
    pub stable_for: u32,
}

impl Opinions {
    pub fn new(voters: usize) -> Opinions {
        Opinions((0..voters).map(|_| None).collect())
    }

    /// A thread has found something.
    pub fn note(&mut self, voter: usize, outcome: Outcome, nodes: Vec<(Move, u64)>) {
        let Some(place) = self.0.get_mut(voter) else { return };
        let mut opinion = Opinion { outcome, stable_for: 1, nodes };
        if let Some(before) = place {
            let deeper = u32::from(opinion.outcome.depth > before.outcome.depth);
            if opinion.outcome.best() == before.outcome.best() {
                opinion.stable_for = before.stable_for + deeper;
            }
        }
        *place = Some(opinion);
    }

    /// How sure all are of the first thread's best move, for which it spent this share of its nodes.
    pub fn agreement(&self, best: Move, share: f64, nodes: u64, stable_for: u32) -> Agreement {
        let mut below = share * nodes as f64;
        let (mut all, mut stable, mut voters) = (nodes as f64, u64::from(stable_for), 1);
        for opinion in self.0.iter().skip(1).flatten() {
            let spent = |(_, nodes): &(Move, u64)| *nodes as f64;
            all += opinion.nodes.iter().map(spent).sum::<f64>();
            below += opinion.nodes.iter().find(|(mv, _)| *mv == best).map_or(0.0, spent);
            let agrees = opinion.outcome.best() == Some(best);
            stable += if agrees { u64::from(opinion.stable_for) } else { 0 };
            voters += 1;
        }
        Agreement {
            node_share: below / all.max(1.0),
            stable_for: ((stable + voters / 2) / voters).max(1) as u32,
        }
    }

    /// The opinion that the vote prefers to what the first thread answers, if it does.
    pub fn elect(&self, own: &Outcome) -> Option<Outcome> {
        let others = self.0.iter().skip(1).flatten().map(|opinion| &opinion.outcome);
        let voters: Vec<&Outcome> = std::iter::once(own).chain(others).collect();
        let place = elect(&voters);
        (place > 0).then(|| voters[place].clone())
    }
}

/// Which of several outcomes counts. The first one is preferred among those with the same move, unless another
/// is deeper.
fn elect(voters: &[&Outcome]) -> usize {
    let vote = |(place, voter): (usize, &&Outcome)| {
        let line = voter.lines.first().filter(|_| voter.depth > 0)?;
        Some((place, voter.best()?, line.score))
    };
    let told: Vec<(usize, Move, Score)> = voters.iter().enumerate().filter_map(vote).collect();
    let Some(deepest) = told.iter().map(|&(place, ..)| voters[place].depth).max() else { return 0 };
    // A proven win needs no vote: the shortest one is played.
    let won = told.iter().filter(|(.., score)| *score >= i32::from(MATE_LIMIT));
    if let Some(&(place, ..)) = won.max_by_key(|(place, _, score)| (*score, usize::MAX - place)) {
        return place;
    }
    let may_vote = |&&(place, ..): &&(usize, _, _)| voters[place].depth + BEHIND >= deepest;
    let electorate: Vec<_> = told.iter().filter(may_vote).collect();
    let worst = electorate.iter().map(|(.., score)| *score).min().unwrap_or(0);
    let weight = |&(place, _, score): &(usize, Move, Score)| {
        (i64::from(score - worst) + BASE) * i64::from(voters[place].depth)
    };
    let votes = |mv: Move| -> i64 {
        electorate.iter().filter(|(_, other, _)| *other == mv).map(|voter| weight(voter)).sum()
    };
    let first = |place: usize| usize::MAX - place;
    let chosen = electorate
        .iter()
        .max_by_key(|&&&(place, mv, _)| (votes(mv), voters[place].depth, first(place)));
    chosen.map_or(0, |&&(place, ..)| place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use board::Position;
    use search::{Bound, Line};

    fn moves() -> Vec<Move> {
        Position::startpos().legal_moves().iter().copied().collect()
    }

    fn outcome(mv: usize, depth: Depth, score: Score) -> Outcome {
        let line = Line { score, bound: Bound::Exact, moves: vec![moves()[mv]] };
        Outcome { lines: vec![line], depth, selective_depth: depth, nodes: 1 }
    }

    fn elected(outcomes: &[(usize, Depth, Score)]) -> usize {
        let all: Vec<Outcome> =
            outcomes.iter().map(|&(mv, depth, score)| outcome(mv, depth, score)).collect();
        elect(&all.iter().collect::<Vec<_>>())
    }

    #[test]
    fn the_move_of_most_threads_is_played() {
        assert_eq!(elected(&[(0, 9, 20), (1, 9, 20), (1, 9, 20)]), 1);
        assert_eq!(elected(&[(0, 9, 20), (1, 9, 20), (0, 8, 20)]), 0);
        // One alone decides for itself, and no thread overrules a draw of votes.
        assert_eq!(elected(&[(0, 9, -300)]), 0);
        assert_eq!(elected(&[(0, 9, 20), (1, 9, 20)]), 0);
    }

    #[test]
    fn depth_and_value_weigh() {
        assert_eq!(elected(&[(0, 9, 20), (1, 10, 20)]), 1, "the deeper one");
        assert_eq!(elected(&[(0, 9, 20), (1, 9, 60), (0, 9, 20)]), 1, "it sees more");
        assert_eq!(elected(&[(0, 12, 20), (1, 9, 90), (1, 9, 90)]), 0, "they are far behind");
        assert_eq!(elected(&[(0, 9, 20), (0, 10, 30)]), 1, "the same move, deeper");
        assert_eq!(elected(&[(0, 9, 20), (1, 0, 99)]), 0, "who has found nothing has no vote");
    }

    #[test]
    fn the_shortest_mate_is_played() {
        let mate = |plies| i32::from(eval::score::mate_in(plies));
        let voters = [(0, 9, 500), (0, 9, 500), (1, 8, mate(5)), (2, 9, mate(3)), (3, 5, mate(7))];
        assert_eq!(elected(&voters), 3);
        assert_eq!(elected(&[(0, 9, mate(3)), (1, 9, mate(3))]), 0);
    }

    #[test]
    fn the_clock_sees_the_nodes_and_doubts_of_all() {
        let mut opinions = Opinions::new(3);
        let spent = |one: u64, two: u64| vec![(moves()[0], one), (moves()[1], two)];
        let alone = opinions.agreement(moves()[0], 0.5, 100, 6);
        assert_eq!((alone.node_share, alone.stable_for), (0.5, 6));
        // The first thread's own opinion is not counted twice.
        opinions.note(0, outcome(0, 5, 1), spent(50, 50));
        for depth in 4..=6 {
            opinions.note(1, outcome(1, depth, 10), spent(20, 180));
        }
        opinions.note(2, outcome(0, 5, 10), spent(100, 0));
        opinions.note(2, outcome(0, 6, 10), spent(130, 0));
        let together = opinions.agreement(moves()[0], 0.5, 100, 6);
        assert_eq!(together.node_share, 200.0 / 430.0);
        // Six iterations, none of the one that disagrees, and two.
        assert_eq!(together.stable_for, 3);
        opinions.note(7, outcome(0, 5, 1), spent(1, 1));
    }
}
