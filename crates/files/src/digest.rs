//! A fingerprint of bytes, for checksums and names: FNV-1a, the same on every computer and in every
//! version.

/// The fingerprint of everything that was added, in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Digest(pub u64);

impl Default for Digest {
    fn default() -> Digest {
        Digest::EMPTY
    }
}

impl Digest {
    /// The fingerprint of nothing.
    pub const EMPTY: Digest = Digest(0xcbf2_9ce4_8422_2325);

    /// The fingerprint of these bytes.
    pub fn of(bytes: &[u8]) -> Digest {
        let mut digest = Digest::default();
        digest.add(bytes);
        digest
    }

    /// Adds bytes. In how many pieces they come makes no difference.
    pub fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// In 32 bits, for few bytes.
    pub fn folded(self) -> u32 {
        (self.0 ^ self.0 >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_that_of_the_published_function_in_one_piece_or_several() {
        assert_eq!(Digest::of(b"").0, 0xcbf2_9ce4_8422_2325);
        assert_eq!(Digest::of(b"foobar").0, 0x8594_4171_f739_67e8);
        let mut pieces = Digest::of(b"foo");
        pieces.add(b"bar");
        assert_eq!(pieces, Digest::of(b"foobar"));
    }
}
