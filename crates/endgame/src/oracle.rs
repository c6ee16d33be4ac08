//! Everything that knows endings, behind one question: what a search asks at its nodes.
//!
//! In this order: our own tables, Syzygy tables, recognisers. A search asks only where the number of
//! men makes an answer possible, so that an oracle costs other positions nothing.

use crate::recognise::{Claim, RECOGNISERS, Recognised};
use crate::syzygy::Syzygy;
use crate::tables::Tables;
use crate::value::{Metric, Value};
use board::{Move, Position};
use std::sync::Arc;

/// Half-moves without capture or pawn move after which a draw can be claimed.
const FIFTY_MOVES: u16 = 100;
/// The most men of an ending that a recogniser knows by its signature.
const RECOGNISED_MEN: u32 = 5;

/// What is known about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The exact distance to mate in half-moves, or a draw; the fifty-move rule does not interfere.
    Exact(Value),
    /// A result or a bound, with the winner's progress.
    Known(Recognised),
}

/// How Syzygy tables are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Usage {
    /// Tables of the largest number of men are asked at nodes of this depth and more.
    pub depth: i32,
    /// Wins that the fifty-move rule spoils are draws.
    pub fifty_moves: bool,
    /// Positions with more men are not asked about.
    pub men: u32,
}

impl Default for Usage {
    fn default() -> Usage {
        Usage { depth: 1, fifty_moves: true, men: 7 }
    }
}

/// Where knowledge comes from, and how it is used.
#[derive(Clone)]
pub struct Oracle {
    own: Option<Arc<Tables>>,
    syzygy: Option<Arc<Syzygy>>,
    recognisers: bool,
    usage: Usage,
    most_men: u32,
}

impl Oracle {
    /// Our own tables, Syzygy tables, and whether recognisers answer.
    pub fn new(
        own: Option<Tables>,
        syzygy: Option<Syzygy>,
        recognisers: bool,
        usage: Usage,
    ) -> Oracle {
        let (own, syzygy) = (own.map(Arc::new), syzygy.map(Arc::new));
        Oracle { own, syzygy, recognisers, usage, most_men: 0 }.counted()
    }

    /// The same with other tables of our own; Syzygy's stay open.
    pub fn with_own(&self, own: Option<Tables>) -> Oracle {
        Oracle { own: own.map(Arc::new), ..self.clone() }.counted()
    }

    /// The same with other Syzygy tables; our own stay open.
    pub fn with_syzygy(&self, syzygy: Option<Syzygy>) -> Oracle {
        Oracle { syzygy: syzygy.map(Arc::new), ..self.clone() }.counted()
    }

    /// The same tables, used in another way, and whether recognisers answer.
    pub fn with_usage(&self, recognisers: bool, usage: Usage) -> Oracle {
        Oracle { recognisers, usage, ..self.clone() }.counted()
    }

    /// Works out for which positions there may be an answer.
    fn counted(mut self) -> Oracle {
        let own = self.own.as_ref().map_or(0, |own| own.most_men());
        let recognised = if self.recognisers { RECOGNISED_MEN } else { 0 };
        self.most_men = own.max(self.syzygy_limit()).max(recognised);
        self
    }

    /// Positions with more men need not be asked about.
    #[inline(always)]
    pub fn most_men(&self) -> u32 {
        self.most_men
    }

    /// Whether answers may come from files, which may be slow.
    #[inline(always)]
    pub fn reads_files(&self) -> bool {
        self.own.is_some() || self.syzygy.is_some()
    }

    /// Whether recognisers answer, and so may see a blockade in a position with many pawns.
    #[inline(always)]
    pub fn sees_blockades(&self) -> bool {
        self.recognisers
    }

    fn syzygy_limit(&self) -> u32 {
        let most = self.syzygy.as_ref().map_or(0, |syzygy| syzygy.most_men());
        most.min(self.usage.men)
    }

    /// What is known about a position, asked at a node of some depth (0 and less: quiescence).
    pub fn ask(&self, position: &Position, depth: i32) -> Option<Answer> {
        self.ask_own(position)
            .or_else(|| self.ask_syzygy(position, depth))
            .or_else(|| self.ask_recognisers(position))
    }

    fn ask_own(&self, position: &Position) -> Option<Answer> {
        let tables = self.own.as_ref()?;
        if position.occupied().count() > tables.most_men() {
            return None;
        }
        let value = tables.probe(position, Metric::Mate);
        if let Ok(value) = value {
            let clock = if self.usage.fifty_moves { position.halfmove_clock() } else { 0 };
            // A line to mate may hold captures that set the clock back: this is on the safe side.
            if value.plies().is_none_or(|plies| plies + clock <= FIFTY_MOVES) {
                return Some(Answer::Exact(value));
            }
        }
        let value = value.or_else(|_| tables.probe(position, Metric::Outcome)).ok()?;
        Some(known(position, value.sign()))
    }

    /// Syzygy's values hold for a clock that has just been set back.
    fn ask_syzygy(&self, position: &Position, depth: i32) -> Option<Answer> {
        let syzygy = self.syzygy.as_ref()?;
        let men = position.occupied().count();
        if men > self.syzygy_limit()
            || position.halfmove_clock() != 0
            || men == syzygy.most_men() && depth < self.usage.depth
        {
            return None;
        }
        Some(known(position, syzygy.probe(position)?.sign(self.usage.fifty_moves)))
    }

    fn ask_recognisers(&self, position: &Position) -> Option<Answer> {
        if !self.recognisers {
            return None;
        }
        RECOGNISERS.recognise(position).map(Answer::Known)
    }

    /// The moves of a position at the root that keep its result, where tables know all of them; with the
    /// fifty-move rule those that win in time. None if they do not know, or if nothing would be left
    /// out.
    pub fn root_moves(&self, position: &Position) -> Option<Vec<Move>> {
        let syzygy = self.syzygy.as_ref()?;
        if position.occupied().count() > self.syzygy_limit() {
            return None;
        }
        let mut ranked = Vec::new();
        for mv in &position.legal_moves() {
            ranked.push((mv, self.rank_root_move(syzygy, &position.make(mv))?));
        }
        let best = ranked.iter().map(|(_, rank)| *rank).max()?;
        let all = ranked.len();
        let kept: Vec<Move> =
            ranked.into_iter().filter(|(_, rank)| *rank == best).map(|(mv, _)| mv).collect();
        (kept.len() < all).then_some(kept)
    }

    /// How good a move at the root is, seen from the position after it: wins by the shortest way to the
    /// next capture or pawn move, then cursed wins, draws, and losses by the longest way.
    fn rank_root_move(&self, syzygy: &Syzygy, after: &Position) -> Option<i32> {
        const WIN: i32 = 10_000;
        const CURSED: i32 = 2_000;
        if after.legal_moves().is_empty() {
            return Some(if after.in_check() { WIN } else { 0 });
        }
        let distance = syzygy.distance(after)?;
        let clock = i32::from(after.halfmove_clock());
        let plies = distance.abs() + clock;
        let in_time = !self.usage.fifty_moves || plies <= i32::from(FIFTY_MOVES);
        Some(match (distance.signum(), in_time) {
            (0, _) => 0,
            (-1, true) => WIN - plies,
            (-1, false) => CURSED - plies.min(CURSED - 1),
            (_, true) => plies - WIN,
            (_, false) => plies.min(CURSED - 1) - CURSED,
        })
    }
}

/// A result with the progress of its winner.
fn known(position: &Position, sign: i32) -> Answer {
    Answer::Known(Recognised::new(position, Claim::of_sign(sign)))
}
