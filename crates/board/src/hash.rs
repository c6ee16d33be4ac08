//! The one hash of bytes (FNV-1a by Fowler, Noll and Vo, 64 bits): the same on every machine, so that
//! it may be written to files. It guards against accidents, not against forgers.

/// A hash of the bytes that have come so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// Takes in more bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// The hash.
    pub fn value(self) -> u64 {
        self.0
    }
}

/// The hash of bytes.
pub fn hash(bytes: impl AsRef<[u8]>) -> u64 {
    let mut hash = Fnv::default();
    hash.add(bytes.as_ref());
    hash.value()
}

/// The hash of bytes, folded to 32 bits. Never 0 for a record of zeros, which a crash may leave.
pub fn checksum(bytes: &[u8]) -> u32 {
    let hash = hash(bytes);
    (hash ^ hash >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hashes_are_the_published_ones() {
        assert_eq!(hash(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hash("foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn a_record_of_zeros_has_a_checksum() {
        assert!((0..64).all(|length| checksum(&vec![0; length]) != 0));
    }
}
