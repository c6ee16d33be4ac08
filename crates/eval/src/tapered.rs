//! A value for the middlegame and one for the endgame in one word, added and negated at once.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// Two 16-bit numbers in 32 bits: the endgame's in the high half, the middlegame's in the low one.
///
/// The low half borrows from the high one when it is negative; reading the high half pays it back.
/// The sums of an evaluation stay below 32 768 on either half: `tests/consistency.rs` adds them
/// up in wider numbers on the most crowded boards.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Tapered(i32);

impl Tapered {
    /// Nothing in either half.
    pub const ZERO: Tapered = Tapered(0);

    /// A pair.
    #[inline(always)]
    pub const fn new(middlegame: i16, endgame: i16) -> Tapered {
        Tapered(((endgame as i32) << 16).wrapping_add(middlegame as i32))
    }

    /// The sum, for tables.
    pub const fn plus(self, other: Tapered) -> Tapered {
        Tapered(self.0.wrapping_add(other.0))
    }

    /// The middlegame's half.
    #[inline(always)]
    pub const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The endgame's half.
    #[inline(always)]
    pub const fn endgame(self) -> i32 {
        (self.0.wrapping_add(0x8000) >> 16) as i16 as i32
    }
}

impl Add for Tapered {
    type Output = Tapered;
    #[inline(always)]
    fn add(self, other: Tapered) -> Tapered {
        Tapered(self.0.wrapping_add(other.0))
    }
}

impl Sub for Tapered {
    type Output = Tapered;
    #[inline(always)]
    fn sub(self, other: Tapered) -> Tapered {
        Tapered(self.0.wrapping_sub(other.0))
    }
}

impl AddAssign for Tapered {
    #[inline(always)]
    fn add_assign(&mut self, other: Tapered) {
        *self = *self + other;
    }
}

impl SubAssign for Tapered {
    #[inline(always)]
    fn sub_assign(&mut self, other: Tapered) {
        *self = *self - other;
    }
}

impl Neg for Tapered {
    type Output = Tapered;
    #[inline(always)]
    fn neg(self) -> Tapered {
        Tapered(self.0.wrapping_neg())
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;
    #[inline(always)]
    fn mul(self, times: i32) -> Tapered {
        Tapered(self.0.wrapping_mul(times))
    }
}

impl std::fmt::Debug for Tapered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({}, {})", self.middlegame(), self.endgame())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_halves_add_negate_and_multiply_on_their_own() {
        for a in [-3000i16, -1, 0, 1, 77, 2999] {
            for b in [-2500i16, -1, 0, 5, 3000] {
                let pair = Tapered::new(a, b);
                assert_eq!((pair.middlegame(), pair.endgame()), (a.into(), b.into()));
                let sum = pair * 3 - Tapered::new(b, a) + -pair;
                assert_eq!(sum.middlegame(), i32::from(a) * 2 - i32::from(b));
                assert_eq!(sum.endgame(), i32::from(b) * 2 - i32::from(a));
            }
        }
    }
}
