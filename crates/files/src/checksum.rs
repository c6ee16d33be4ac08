//! The checksum of our files: CRC-32 as in zip and PNG files, so that scripts in any language can check
//! it too.

use crc32fast::Hasher;

/// The checksum of bytes that follow others with the checksum `before`; 0 before the first.
pub fn crc32(before: u32, bytes: &[u8]) -> u32 {
    let mut hasher = Hasher::new_with_initial(before);
    hasher.update(bytes);
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_usual_crc_32() {
        assert_eq!(crc32(0, b""), 0);
        assert_eq!(crc32(0, b"123456789"), 0xcbf4_3926);
        assert_eq!(crc32(0, &[0; 32]), 0x190a_55ad);
    }

    #[test]
    fn it_can_be_taken_in_parts() {
        let bytes: Vec<u8> = (0..=255).collect();
        for cut in 0..=bytes.len() {
            assert_eq!(crc32(crc32(0, &bytes[..cut]), &bytes[cut..]), crc32(0, &bytes));
        }
    }
}
