//! The papers' way: all moves at once, sorted by a score.

use super::{Phase, Picker};
use board::{Move, Position, Stage};

impl Picker {
    /// Starts with all legal moves, by falling score; equal ones keep the order of the generator (M7). `announce`
    /// hears of every move before the first is scored; `adjust` may change the scores when all are known.
    pub fn begin_sorted(
        &mut self,
        position: &Position,
        announce: impl FnMut(&Move),
        mut score: impl FnMut(Move) -> i32,
        adjust: impl FnOnce(&[Move], &mut [i32]),
    ) {
        self.restart(Move::NONE, false, 0);
        position.generate(Stage::All, &mut self.moves);
        let len = self.moves.len();
        self.moves.iter().for_each(announce);
        for index in 0..len {
            self.scores[index] = score(self.moves[index]);
        }
        adjust(&self.moves, &mut self.scores[..len]);
        // Insertion sort: the fastest of five for the usual number of moves (D14).
        for end in 1..len {
            let place = self.scores[..end].partition_point(|&other| other >= self.scores[end]);
            self.scores[place..=end].rotate_right(1);
            self.moves[place..=end].rotate_right(1);
        }
        (self.phase, self.sorted) = (Phase::Sorted, true);
    }

    /// Starts with a move that needs no generation (M5); [`Picker::begin_sorted`] is due when it was taken.
    pub fn begin_unsorted(&mut self, first: Move) {
        self.restart(first, false, 0);
        self.sorted = true;
    }

    /// Whether the moves beyond the first are still to be generated and sorted, and the first was taken.
    pub fn is_unsorted(&self) -> bool {
        self.sorted && self.phase == Phase::GenerateCaptures
    }

    /// Passes over the first move, which was taken before the others were sorted.
    pub fn skip_first(&mut self) {
        self.next = 1;
    }

    /// The move that came first among sorted ones.
    pub fn first_sorted(&self) -> Option<Move> {
        self.moves.first().copied().filter(|_| self.phase == Phase::Sorted && self.next > 0)
    }

    /// Lets a sorted move that has not come yet come next.
    pub fn promote(&mut self, mv: Move) {
        let rest = self.next..self.moves.len();
        if self.phase == Phase::Sorted
            && let Some(place) = self.moves[rest].iter().position(|&other| other == mv)
        {
            let last = self.next + place;
            self.moves[self.next..=last].rotate_right(1);
            self.scores[self.next..=last].rotate_right(1);
        }
    }

    /// The score that [`Picker::begin_sorted`] gave a move.
    pub fn sorted_score(&self, mv: Move) -> Option<i32> {
        let place = self.moves.iter().position(|&other| other == mv).filter(|_| self.sorted)?;
        self.scores.get(place).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::rest;
    use super::*;

    #[test]
    fn d14_insertion_gives_the_order_of_any_stable_sort() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
            "7k/8/8/8/8/8/1r6/K7 w - - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let score = |mv: Move| i32::from(mv.bits()).wrapping_mul(40_503) >> 7 & 15;
            let mut expected = position.legal_moves().to_vec();
            expected.sort_by_key(|&mv| std::cmp::Reverse(score(mv)));
            let mut picker = Picker::new();
            picker.begin_sorted(&position, |_| (), score, |_, _| ());
            assert_eq!(rest(picker, &position), expected, "{fen}");
        }
    }

    #[test]
    fn m7_moves_of_equal_score_keep_the_order_of_the_generator() {
        let position = Position::startpos();
        let mut picker = Picker::new();
        let score = |mv: Move| i32::from(mv.to().rank() == 3);
        picker.begin_sorted(&position, |_| (), score, |_, _| ());
        let picked = rest(picker, &position);
        let legal = position.legal_moves();
        let double = |mv: &&Move| mv.to().rank() == 3;
        let expected: Vec<Move> = legal
            .iter()
            .filter(double)
            .chain(legal.iter().filter(|mv| !double(mv)))
            .copied()
            .collect();
        assert_eq!(picked, expected);
    }
}
