//! The papers' orders of moves, as scores for [`crate::picker::Picker::begin_sorted`].

use crate::histories::Histories;
use crate::switches::{Ordering, Switches};
use board::{Move, MoveKind, PieceKind, Position};
use eval::score::Score;

/// What the papers' orders look at.
pub struct PapersContext<'a> {
    /// Where the moves are made.
    pub position: &'a Position,
    /// What was good before.
    pub histories: &'a Histories,
    /// The move of the table, or of the refutation table.
    pub first: Move,
    /// Killers, the more beneficial first.
    pub killers: [Move; 2],
    /// The move that last refuted the move that led here (Z20).
    pub counter: Move,
    /// The profile.
    pub switches: Switches,
}

/// Bands of scores: whatever happens inside one, it never reaches the next.
const BAND: i32 = 1 << 20;

/// Whether later siblings wait for a move with a score (Z39, D85). In Zugzwang's order these are the table's
/// move, captures that are at least equal, the countermove and the killers; in DarkSight's also the moves whose
/// children the table knows to cut, and the two best by history. Marsland's order puts all captures first: those
/// that lose are not waited for.
pub fn has_promising_score(position: &Position, mv: Move, score: Score) -> bool {
    let known = score >= 8 * BAND || position.is_quiet(mv);
    score >= 3 * BAND && (known || position.see_at_least(mv, 0))
}

impl PapersContext<'_> {
    /// The score of a move; `leads_to_cut` tells whether the table knows that its child cuts off (D31).
    pub fn score(&self, mv: Move, leads_to_cut: impl FnOnce(Move) -> bool) -> i32 {
        if mv == self.first {
            return 9 * BAND;
        }
        match self.switches.ordering {
            Ordering::DarkSight => self.darksight(mv, leads_to_cut),
            Ordering::Zugzwang => self.zugzwang(mv),
            Ordering::Plain | Ordering::Modern => self.plain(mv),
        }
    }

    /// Z17: positive captures by gain, countermove, killers by benefit, the rest by history.
    fn zugzwang(&self, mv: Move) -> i32 {
        if self.is_tactical(mv) {
            let gain = self.position.see(mv);
            return if gain >= 0 { 7 * BAND + gain } else { -BAND + gain };
        }
        if mv == self.counter {
            return 6 * BAND;
        }
        self.killer_or_history(mv)
    }

    /// D34, stages 2 to 8. (Stage 6, the two best history moves, is made afterwards: see
    /// [`promote_two_best`].)
    fn darksight(&self, mv: Move, leads_to_cut: impl FnOnce(Move) -> bool) -> i32 {
        let cuts = leads_to_cut(mv);
        if self.is_tactical(mv) {
            let gain = self.position.see(mv);
            return match (cuts, gain >= 0) {
                (true, _) => 8 * BAND + gain,
                (false, true) => 7 * BAND + gain,
                (false, false) => 2 * BAND + gain,
            };
        }
        if cuts {
            return 6 * BAND;
        }
        match self.killers.iter().position(|&killer| killer == mv) {
            Some(place) => 5 * BAND - place as i32,
            None => generator_rank(self.position, mv),
        }
    }

    /// M23: captures by victim, then killers and history where they are switched on.
    fn plain(&self, mv: Move) -> i32 {
        if let Some(victim) = self.position.captured(mv) {
            return 7 * BAND + victim.index() as i32;
        }
        if mv.promoted() == Some(PieceKind::Queen) {
            return 7 * BAND;
        }
        self.killer_or_history(mv)
    }

    fn killer_or_history(&self, mv: Move) -> i32 {
        if self.switches.killers
            && let Some(place) = self.killers.iter().position(|&killer| killer == mv)
        {
            return 5 * BAND - place as i32;
        }
        if self.switches.history { self.histories.butterfly(self.position, mv) } else { 0 }
    }

    fn is_tactical(&self, mv: Move) -> bool {
        !self.position.is_quiet(mv)
    }
}

/// DarkSight's last stage: castling, knights, bishops, rooks, queens, kings, pawns, under-promotions.
fn generator_rank(position: &Position, mv: Move) -> i32 {
    if mv.kind() == MoveKind::Castling {
        return 8;
    }
    match position.piece_on(mv.from()).map(board::Piece::kind) {
        Some(PieceKind::Knight) => 7,
        Some(PieceKind::Bishop) => 6,
        Some(PieceKind::Rook) => 5,
        Some(PieceKind::Queen) => 4,
        Some(PieceKind::King) => 3,
        Some(PieceKind::Pawn) if mv.promoted().is_none() => 2,
        _ => 1,
    }
}

/// DarkSight's stage 6: of the quiet moves without another merit, the two with the best history come
/// after the killers. `scores` belong to `moves`; `history` tells a move's history.
pub fn promote_two_best(moves: &[Move], scores: &mut [i32], history: impl Fn(Move) -> i32) {
    for place in 0..2 {
        let best = (0..moves.len())
            .filter(|&index| (0..BAND).contains(&scores[index]))
            .filter(|&index| history(moves[index]) > 0)
            .max_by_key(|&index| (history(moves[index]), std::cmp::Reverse(index)));
        if let Some(index) = best {
            scores[index] = 4 * BAND - place;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::histories::{HistoryContext, PieceTo};
    use crate::switches::{DARKSIGHT, NEGASCOUT, PLAIN};

    const FEN: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    fn order(switches: Switches, killer: &str, cut: &str) -> Vec<String> {
        let position = Position::from_fen(FEN).unwrap();
        let mut histories = Histories::new();
        let context = HistoryContext::new(&position, [PieceTo::NONE; 3]);
        histories.update_quiet(&position, &context, position.parse_uci("a2a4").unwrap(), 900);
        histories.update_quiet(&position, &context, position.parse_uci("a2a3").unwrap(), 500);
        let papers = PapersContext {
            position: &position,
            histories: &histories,
            first: position.parse_uci("e1g1").unwrap(),
            killers: [position.parse_uci(killer).unwrap(), Move::NONE],
            counter: position.parse_uci("e2d1").unwrap(),
            switches,
        };
        let cut = position.parse_uci(cut).unwrap();
        let moves = position.legal_moves();
        let mut scores: Vec<i32> =
            moves.iter().map(|&mv| papers.score(mv, |mv| mv == cut)).collect();
        if switches.ordering == Ordering::DarkSight {
            promote_two_best(&moves, &mut scores, |mv| histories.butterfly(&position, mv));
        }
        let mut indices: Vec<usize> = (0..moves.len()).collect();
        indices.sort_by_key(|&index| std::cmp::Reverse(scores[index]));
        indices.into_iter().map(|index| position.san(moves[index])).collect()
    }

    #[test]
    fn d34_the_eight_stages_follow_each_other() {
        let order = order(DARKSIGHT, "d2f4", "e2c4");
        let place = |name: &str| order.iter().position(|san| san == name).unwrap();
        let stages = ["O-O", "Bxa6", "Bc4", "Bf4", "a4", "a3", "Qxf6", "O-O-O", "Nb1", "Kf1"];
        let places: Vec<usize> = stages.iter().map(|name| place(name)).collect();
        assert!(places.is_sorted(), "{places:?} in {order:?}");
        assert_eq!(place("O-O"), 0);
    }

    #[test]
    fn z17_captures_countermove_killers_history() {
        let order = order(NEGASCOUT, "d2f4", "e2c4");
        let place = |name: &str| order.iter().position(|san| san == name).unwrap();
        let stages = ["O-O", "Bxa6", "Bd1", "Bf4", "a4", "a3", "Nb1", "Qxf6"];
        let places: Vec<usize> = stages.iter().map(|name| place(name)).collect();
        assert!(places.is_sorted(), "{places:?} in {order:?}");
    }

    #[test]
    fn m23_captures_by_victim_then_killers_then_history() {
        let order = order(PLAIN, "d2f4", "e2c4");
        let place = |name: &str| order.iter().position(|san| san == name).unwrap();
        // Bishop and knights, then pawns; the killer, then what the history says.
        let stages = ["O-O", "Bxa6", "Nxg6", "Bf4", "a4", "a3", "Nb1"];
        let places: Vec<usize> = stages.iter().map(|name| place(name)).collect();
        assert!(places.is_sorted(), "{places:?} in {order:?}");
        assert!(place("Qxf6") < place("Nxg6"), "the victim counts, not the exchange");
    }
}
