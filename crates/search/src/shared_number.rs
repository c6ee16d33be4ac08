//! A small number in which several threads learn.

use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

/// What stands for nothing. A relaxed load of 16 bits is filled with zeros; with this offset that does no harm, and
/// the offsets of a sum are taken off at once. It is odd for the sake of [`SharedNumber::half`].
const ZERO: u16 = i16::MAX as u16;

/// A number between −32,767 and 32,767. Accesses are relaxed, which are plain moves of the CPU; of two threads that
/// change it at the same moment one is forgotten.
///
/// The compiler takes every one of them for a barrier: what a loop needs beside them belongs into its variables.
pub struct SharedNumber(AtomicU16);

impl SharedNumber {
    /// Nothing learned yet.
    pub const fn new() -> SharedNumber {
        SharedNumber(AtomicU16::new(ZERO))
    }

    /// Its value.
    #[inline(always)]
    pub fn get(&self) -> i32 {
        i32::from(self.0.load(Relaxed)) - i32::from(ZERO)
    }

    /// Half of it, rounded towards zero. With an odd offset the shift rounds numbers up; of those above zero one is
    /// taken off before.
    #[inline(always)]
    pub fn half(&self) -> i32 {
        let bits = u32::from(self.0.load(Relaxed));
        ((bits - (bits >> 15)) >> 1) as i32 - i32::from(ZERO) / 2
    }

    /// Sets it.
    #[inline(always)]
    pub fn set(&self, value: i16) {
        self.0.store((value as u16).wrapping_add(ZERO), Relaxed);
    }

    /// Adds what follows from its value.
    #[inline(always)]
    pub fn change(&self, difference: impl FnOnce(i32) -> i32) {
        let bits = i32::from(self.0.load(Relaxed));
        self.0.store((bits + difference(bits - i32::from(ZERO))) as u16, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_kept_and_halved() {
        let number = SharedNumber::new();
        assert_eq!((number.get(), number.half()), (0, 0));
        for value in -i16::MAX..=i16::MAX {
            number.set(value);
            assert_eq!((number.get(), number.half()), (i32::from(value), i32::from(value) / 2));
            number.change(|value| -2 * value);
            assert_eq!(number.get(), -i32::from(value));
        }
    }
}
