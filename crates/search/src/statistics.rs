//! What a search counts on its way.

use crate::Depth;

/// What the nodes of one type at the horizon cost (Marsland, 3.6).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Frontier {
    /// How many there were.
    pub nodes: u64,
    /// Nodes that were searched for them, themselves included.
    pub cost: u64,
}

/// Counters of one search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Nodes, those of the quiescence search included.
    pub nodes: u64,
    /// Nodes of the quiescence search.
    pub quiescence_nodes: u64,
    /// The deepest ply reached.
    pub selective_depth: Depth,
    /// Nodes of the main search that were cut off by a move.
    pub cuts: u64,
    /// Those that were cut off by the first move.
    pub first_move_cuts: u64,
    /// Of the nodes of the main search that were cut off by a move, the CUT nodes: where a cut was
    /// expected.
    pub expected_cuts: u64,
    /// Of these, those that were cut off by the first move (D33).
    pub expected_first_cuts: u64,
    /// Nodes of the quiescence search that were cut off by a move.
    pub quiescence_cuts: u64,
    /// Those that were cut off by the first move.
    pub quiescence_first_cuts: u64,
    /// Nodes at the horizon of the papers' profiles: ALL nodes, whose value stayed below beta, and CUT nodes.
    pub frontier: [Frontier; 2],
    /// Nodes at the end of each iteration.
    pub iterations: Vec<u64>,
    /// Look-ups in the evaluator's pawn cache, and those that hit (M16, D32).
    pub pawn_probes: u64,
    /// Hits of the pawn cache.
    pub pawn_hits: u64,
    /// Look-ups of kings' shelters in the same cache, and those that hit (M17).
    pub king_probes: u64,
    /// Hits for shelters.
    pub king_hits: u64,
    /// Nodes at which endgame tables and recognisers were asked.
    pub table_questions: u64,
    /// Nodes about which endgame tables or recognisers knew something.
    pub tbhits: u64,
}

impl Statistics {
    /// The share of cut-offs by the first move (D33), 0 to 1, at CUT nodes.
    pub fn expected_first_share(&self) -> f64 {
        share(self.expected_first_cuts, self.expected_cuts)
    }

    /// The share of cut-offs by the first move in all nodes, also where none was expected.
    pub fn first_move_share(&self) -> f64 {
        let first = self.first_move_cuts + self.quiescence_first_cuts;
        share(first, self.cuts + self.quiescence_cuts)
    }

    /// The same in the main search alone, where more moves compete.
    pub fn main_first_move_share(&self) -> f64 {
        share(self.first_move_cuts, self.cuts)
    }

    /// The share of look-ups in the pawn cache that hit.
    pub fn pawn_hit_share(&self) -> f64 {
        share(self.pawn_hits, self.pawn_probes)
    }

    /// The share of look-ups of kings' shelters that hit (M17); none where they are not used.
    pub fn king_hit_share(&self) -> Option<f64> {
        (self.king_probes > 0).then(|| share(self.king_hits, self.king_probes))
    }

    /// Nodes of the last iteration over those of the one before (F2).
    pub fn branching_factor(&self) -> Option<f64> {
        let [.., before, last, end] = self.iterations[..] else { return None };
        let (previous, latest) = (last - before, end - last);
        (previous > 0).then(|| latest as f64 / previous as f64)
    }

    /// Adds what another search counted. The iterations are dropped: searches of different depths
    /// have none in common.
    pub fn add(&mut self, other: &Statistics) {
        self.nodes += other.nodes;
        self.quiescence_nodes += other.quiescence_nodes;
        self.selective_depth = self.selective_depth.max(other.selective_depth);
        self.cuts += other.cuts;
        self.first_move_cuts += other.first_move_cuts;
        self.expected_cuts += other.expected_cuts;
        self.expected_first_cuts += other.expected_first_cuts;
        self.quiescence_cuts += other.quiescence_cuts;
        self.quiescence_first_cuts += other.quiescence_first_cuts;
        for (sum, other) in self.frontier.iter_mut().zip(&other.frontier) {
            sum.nodes += other.nodes;
            sum.cost += other.cost;
        }
        self.pawn_probes += other.pawn_probes;
        self.pawn_hits += other.pawn_hits;
        self.king_probes += other.king_probes;
        self.king_hits += other.king_hits;
        self.table_questions += other.table_questions;
        self.tbhits += other.tbhits;
        self.iterations.clear();
    }
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
