//! A small number in which several threads learn.

use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

/// What stands for nothing. With this offset a number is read by one instruction: a relaxed load of 16 bits is
/// filled with zeros, and the offsets of a sum are taken off at once.
const ZERO: u16 = 1 << 15;

/// A number of 16 bits. Accesses are relaxed, which are plain moves of the CPU; of two threads that change it at
/// the same moment one is forgotten.
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

    /// Sets it to what 16 bits can hold.
    #[inline(always)]
    pub fn set(&self, value: i16) {
        self.0.store(value as u16 ^ ZERO, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_sixteen_bits_is_kept() {
        let number = SharedNumber::new();
        assert_eq!(number.get(), 0);
        for value in i16::MIN..=i16::MAX {
            number.set(value);
            assert_eq!(number.get(), i32::from(value));
        }
    }
}
