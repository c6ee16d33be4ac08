//! Who listens to the evaluation. The search wants a sum; the tuner and the table of terms want to
//! know which weight counted how often. Both run the same code, generic over a [`Recorder`].

use crate::Tapered;
use crate::placed::{self, Placed};
use crate::weights::{COUNT, Role, WEIGHTS, role};
use board::{Color, Square};

/// What takes the terms of an evaluation as they are found.
pub(crate) trait Recorder {
    /// A weight that counts for a side a number of times.
    fn add(&mut self, us: Color, weight: usize, times: i32);

    /// A piece on a square, which counts by the halves that both kings are on: `view` is
    /// [`placed::view`].
    #[inline(always)]
    fn placed(&mut self, us: Color, piece: Placed, square: Square, view: usize) {
        for weight in placed::weights(piece, square.index() ^ view) {
            self.add(us, weight, 1);
        }
    }

    /// A weight that adds to the danger of a side's own king.
    fn danger(&mut self, us: Color, weight: usize, times: i32);

    /// A weight that tells how well the better side can win.
    fn winnable(&mut self, weight: usize, times: i32);

    /// A sum that was found before.
    fn cached(&mut self, us: Color, sum: Tapered);

    /// The sums so far: per side, danger per side, and how winnable it is.
    fn sums(&self) -> Sums;
}

/// The sums of an evaluation before they are put together.
#[derive(Clone, Copy, Default)]
pub(crate) struct Sums {
    pub sides: [Tapered; 2],
    pub danger: [Tapered; 2],
    pub winnable: Tapered,
}

/// Adds up, and forgets the rest: for the search.
#[derive(Default)]
pub(crate) struct Adder(Sums);

impl Recorder for Adder {
    #[inline(always)]
    fn add(&mut self, us: Color, weight: usize, times: i32) {
        self.0.sides[us.index()] += WEIGHTS[weight] * times;
    }

    #[inline(always)]
    fn placed(&mut self, us: Color, piece: Placed, square: Square, view: usize) {
        self.0.sides[us.index()] += placed::sum(piece, square.index() ^ view);
    }

    #[inline(always)]
    fn danger(&mut self, us: Color, weight: usize, times: i32) {
        self.0.danger[us.index()] += WEIGHTS[weight] * times;
    }

    #[inline(always)]
    fn winnable(&mut self, weight: usize, times: i32) {
        self.0.winnable += WEIGHTS[weight] * times;
    }

    #[inline(always)]
    fn cached(&mut self, us: Color, sum: Tapered) {
        self.0.sides[us.index()] += sum;
    }

    #[inline(always)]
    fn sums(&self) -> Sums {
        self.0
    }
}

/// How often each weight counted for each side (its danger and its winnability among them).
pub(crate) struct Counts(pub [[i16; COUNT]; 2]);

impl Default for Counts {
    fn default() -> Counts {
        Counts([[0; COUNT]; 2])
    }
}

impl Recorder for Counts {
    fn add(&mut self, us: Color, weight: usize, times: i32) {
        self.0[us.index()][weight] += times as i16;
    }

    fn danger(&mut self, us: Color, weight: usize, times: i32) {
        self.add(us, weight, times);
    }

    fn winnable(&mut self, weight: usize, times: i32) {
        self.add(Color::White, weight, times);
    }

    fn cached(&mut self, _: Color, _: Tapered) {}

    fn sums(&self) -> Sums {
        let mut sums = Sums::default();
        for color in Color::ALL {
            for (weight, &times) in self.0[color.index()].iter().enumerate() {
                let product = WEIGHTS[weight] * i32::from(times);
                match role(weight) {
                    Role::Score => sums.sides[color.index()] += product,
                    Role::Danger => sums.danger[color.index()] += product,
                    Role::Winnable => sums.winnable += product,
                }
            }
        }
        sums
    }
}
