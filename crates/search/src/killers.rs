//! Killer moves: two per level, each with a benefit; a new one replaces the smaller benefit (Z18).

use board::Move;

/// The killers of one level.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Killers {
    moves: [Move; 2],
    benefits: [u32; 2],
}

impl Killers {
    /// None yet.
    pub const NONE: Killers = Killers { moves: [Move::NONE; 2], benefits: [0; 2] };

    /// Both with their benefits, as they stand.
    pub fn parts(&self) -> ([Move; 2], [u32; 2]) {
        (self.moves, self.benefits)
    }

    /// The killers with these parts.
    pub fn from_parts(moves: [Move; 2], benefits: [u32; 2]) -> Killers {
        Killers { moves, benefits }
    }

    /// Both, the more beneficial one first.
    #[inline(always)]
    pub fn moves(&self) -> [Move; 2] {
        let [first, second] = self.moves;
        if self.benefits[1] > self.benefits[0] { [second, first] } else { [first, second] }
    }

    /// A quiet move cut off: the last two that did so stay, whatever they gained (`modern`).
    #[inline(always)]
    pub fn remember(&mut self, mv: Move) {
        if self.moves[0] != mv {
            self.moves = [mv, self.moves[0]];
        }
    }

    /// The two most beneficial of these and others', for searches that went on side by side.
    pub fn joined(&self, others: Killers) -> Killers {
        let mut joined = others;
        for (&mv, &benefit) in self.moves.iter().zip(&self.benefits) {
            if let Some(slot) = joined.moves.iter().position(|&known| known == mv) {
                joined.benefits[slot] = joined.benefits[slot].max(benefit);
                continue;
            }
            let slot = usize::from(joined.benefits[1] < joined.benefits[0]);
            if benefit > joined.benefits[slot] || joined.moves[slot].is_none() {
                (joined.moves[slot], joined.benefits[slot]) = (mv, benefit);
            }
        }
        joined
    }

    /// A quiet move cut off (Z18).
    #[inline(always)]
    pub fn reward(&mut self, mv: Move) {
        let slot = match self.moves.iter().position(|&known| known == mv) {
            Some(slot) => slot,
            None => {
                let slot = usize::from(self.benefits[1] < self.benefits[0]);
                self.moves[slot] = mv;
                self.benefits[slot] = 0;
                slot
            }
        };
        self.benefits[slot] = self.benefits[slot].saturating_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use board::Position;

    #[test]
    fn the_last_two_killers_are_remembered() {
        let moves = Position::startpos().legal_moves();
        let mut killers = Killers::NONE;
        for mv in [moves[0], moves[1], moves[1], moves[2]] {
            killers.remember(mv);
        }
        assert_eq!(killers.moves(), [moves[2], moves[1]]);
    }

    #[test]
    fn z18_a_new_killer_replaces_the_smaller_benefit() {
        let moves = Position::startpos().legal_moves();
        let mut killers = Killers::NONE;
        for mv in [moves[0], moves[0], moves[1]] {
            killers.reward(mv);
        }
        assert_eq!(killers.moves(), [moves[0], moves[1]]);
        killers.reward(moves[2]);
        assert_eq!(killers.moves(), [moves[0], moves[2]]);
        for _ in 0..3 {
            killers.reward(moves[2]);
        }
        assert_eq!(killers.moves(), [moves[2], moves[0]]);
    }
}
