//! Learning from game to game (M18): what deep searches found is kept in a file and put into the
//! transposition table when its positions come near again, after Samuel, Slate and Bebe.
//!
//! **What is kept**: the value, depth and move of every root that was searched deep enough. A game that
//! goes wrong leaves its trace by itself: the search of the next move sees the value fall.
//!
//! **How it reaches the decision**: before a search, the positions two half-moves below the root are
//! looked up. A known one goes into the table as an exact entry; and since the opponent can choose the
//! move that leads to it, the position between gets a lower bound one ply deeper. So the move that lost
//! fails low at once, at every depth up to that of the lesson. It is also searched last: a principal
//! variation does not ask the table, and the first move is one. From known positions the walk goes on
//! along their best moves, so that the whole line that was learnt is in the table.
//!
//! **What is not believed**: a result whose own best move was later found to lead to something worse,
//! by a search that saw at least as far. It is passed over, and the next search of its position replaces it.
//! That is how a lesson travels towards the beginning of the game, two half-moves with every loss.
//!
//! Draws are not kept, as many come from repetitions that another game will not have, and nothing is
//! kept near the fifty-move rule.

use board::{Move, Position};
use search::score::{MATE_LIMIT, is_mate};
use search::{Bound, Limits, Outcome};
use std::cmp::Reverse;
use std::path::Path;
use table::{AnyTable, Entry, Experience, Learned};

/// Less deep searches teach nothing, unless something else is asked for.
pub const DEFAULT_DEPTH: i64 = 8;
/// Megabytes of the file, unless something else is asked for.
pub const DEFAULT_SIZE_MB: i64 = 16;

/// The fall in centipawns that refutes an earlier value: less is noise.
const DROP: i16 = 25;
/// How far the check goes whether a result still stands, in steps of two half-moves.
const STEPS: u32 = 3;
/// Known positions from which the walk goes on, at most; each takes some microseconds.
const MOST_FOLLOWED: usize = 256;
/// Half-moves without a capture or a pawn move, after which nothing is kept.
const CLOCK_LIMIT: u16 = 40;

/// What was learnt, and what is to be learnt.
pub struct Learning {
    experience: Experience,
    least_depth: i32,
}

impl Learning {
    /// Opens the file or makes it. The stamp is the engine's.
    pub fn open(
        path: &Path,
        stamp: u64,
        megabytes: u64,
        least_depth: i32,
    ) -> Result<Learning, String> {
        let experience = Experience::open(path, stamp, megabytes);
        let experience = experience.map_err(|error| error.to_string())?;
        Ok(Learning { experience, least_depth })
    }

    /// How many positions are known.
    pub fn len(&self) -> usize {
        self.experience.len()
    }

    /// How many records of the file were damaged.
    pub fn damaged(&self) -> u64 {
        self.experience.damaged()
    }

    /// Searches must be so deep from now on.
    pub fn set_depth(&mut self, least_depth: i32) {
        self.least_depth = least_depth;
    }

    /// Has the system bring everything to the disk.
    pub fn sync(&mut self) -> Result<(), String> {
        self.experience.sync().map_err(|error| error.to_string())
    }

    /// Puts what is known near the root into the table. Gives the root's moves in the order in which
    /// they should be searched; none if nothing is known.
    pub fn teach(&self, root: &Position, table: &AnyTable) -> Vec<Move> {
        if self.experience.is_empty() {
            return Vec::new();
        }
        let believed = self.believed(root, STEPS);
        if let Some(learned) = believed {
            table.store(root.key(), exact(learned));
        }
        let mut open = Vec::new();
        let teach = |&mv: &Move| (mv, self.teach_move(root, mv, table, &mut open));
        let mut limits: Vec<(Move, Option<i16>)> = root.legal_moves().iter().map(teach).collect();
        for followed in 0..MOST_FOLLOWED {
            let Some((position, mv)) = open.get(followed).copied() else { break };
            self.teach_move(&position, mv, table, &mut open);
        }
        let best = believed.map_or(Move::NONE, |learned| learned.mv);
        if best.is_none() && limits.iter().all(|(_, limit)| limit.is_none()) {
            return Vec::new();
        }
        // Stable: moves of which nothing is known keep their order, before those with a limit.
        limits.sort_by_key(|&(mv, limit)| (mv != best, Reverse(limit.unwrap_or(i16::MAX))));
        limits.into_iter().map(|(mv, _)| mv).collect()
    }

    /// A move and the replies to it. Known positions go to `open`, with their best moves. Gives the
    /// most that the move can be worth, if something is known.
    fn teach_move(
        &self,
        position: &Position,
        mv: Move,
        table: &AnyTable,
        open: &mut Vec<(Position, Move)>,
    ) -> Option<i16> {
        let child = position.make(mv);
        let own = self.believed(&child, STEPS);
        open.extend(own.map(|learned| (child, learned.mv)));
        let mut known: Option<Entry> = own.map(exact);
        for reply in &child.legal_moves() {
            let next = child.make(reply);
            let Some(learned) = self.believed(&next, STEPS) else { continue };
            table.store(next.key(), exact(learned));
            open.push((next, learned.mv));
            let bound = lower(reply, learned);
            if known.is_none_or(|entry| bound.score > entry.score) {
                known = Some(bound);
            }
        }
        let entry = known?;
        table.store(child.key(), entry);
        Some(one_ply_up(entry.score))
    }

    /// What is known about a position, unless a later result refutes it.
    fn believed(&self, position: &Position, steps: u32) -> Option<Learned> {
        let learned = self.experience.get(position.key())?;
        if !position.is_legal(learned.mv) {
            return None;
        }
        let refutes = |reply: Move, child: &Position| {
            let later = self.believed(&child.make(reply), steps - 1);
            later.is_some_and(|later| {
                later.depth >= learned.depth - 2 && later.score < learned.score.saturating_sub(DROP)
            })
        };
        if steps > 0 {
            let child = position.make(learned.mv);
            if child.legal_moves().iter().any(|&reply| refutes(reply, &child)) {
                return None;
            }
        }
        Some(learned)
    }

    /// Keeps what a search found, if it is worth it.
    pub fn record(
        &mut self,
        position: &Position,
        limits: &Limits,
        outcome: &Outcome,
    ) -> Result<(), String> {
        let Some(learned) = self.lesson(position, limits, outcome) else { return Ok(()) };
        let deeper = |known: Learned| known.depth > learned.depth;
        if self.believed(position, STEPS).is_some_and(deeper) {
            return Ok(());
        }
        self.experience.record(position.key(), learned).map_err(|error| error.to_string())
    }

    fn lesson(&self, position: &Position, limits: &Limits, outcome: &Outcome) -> Option<Learned> {
        let line = outcome.lines.first()?;
        let mv = line.moves.first().copied()?;
        let is_worth = outcome.depth >= self.least_depth
            && line.bound == Bound::Exact
            && line.score != 0
            && limits.root_moves.is_empty()
            && position.halfmove_clock() <= CLOCK_LIMIT;
        let score = i16::try_from(line.score).ok().filter(|_| is_worth)?;
        let depth = i16::try_from(outcome.depth).unwrap_or(i16::MAX);
        Some(Learned { mv, score, depth })
    }
}

/// The entry of a position that is known.
fn exact(learned: Learned) -> Entry {
    let Learned { mv, score, depth } = learned;
    Entry { mv, score, eval: None, depth, bound: table::Bound::Exact, pv: true }
}

/// The entry of the position before one that is known, for the side that can go there.
fn lower(mv: Move, learned: Learned) -> Entry {
    let score = one_ply_up(learned.score);
    let depth = learned.depth.saturating_add(1);
    Entry { mv, score, eval: None, depth, bound: table::Bound::Lower, pv: false }
}

/// A position's score as its predecessor sees it: a mate is a ply further away.
fn one_ply_up(score: i16) -> i16 {
    let turned = score.saturating_neg();
    match is_mate(turned) {
        true if turned >= MATE_LIMIT => turned - 1,
        true => turned + 1,
        false => turned,
    }
}

#[cfg(test)]
mod tests;
