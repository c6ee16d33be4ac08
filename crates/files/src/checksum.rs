//! The checksum of our files: CRC-32 as in zip and PNG files, so that scripts in any language can check
//! it too.

/// For a byte at each of eight places: what it does to the checksum.
const TABLES: [[u32; 256]; 8] = tables();

const fn tables() -> [[u32; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut index = 0;
    while index < 8 * 256 {
        let (place, byte) = (index / 256, index % 256);
        let mut value = if place == 0 { byte as u32 } else { tables[place - 1][byte] };
        let mut bit = 0;
        while bit < 8 {
            value = value >> 1 ^ if value & 1 == 1 { 0xedb8_8320 } else { 0 };
            bit += 1;
        }
        tables[place][byte] = value;
        index += 1;
    }
    tables
}

/// The checksum of bytes that follow others with the checksum `before`; 0 before the first.
pub fn crc32(before: u32, bytes: &[u8]) -> u32 {
    let mut sum = !before;
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        let [a, b, c, d, ..] = *word;
        let [e, f, g, h] = (sum ^ u32::from_le_bytes([a, b, c, d])).to_le_bytes();
        let [.., i, j, k, l] = *word;
        sum = 0;
        for (place, byte) in [l, k, j, i, h, g, f, e].into_iter().enumerate() {
            sum ^= TABLES[place][usize::from(byte)];
        }
    }
    for &byte in rest {
        sum = sum >> 8 ^ TABLES[0][usize::from(sum as u8 ^ byte)];
    }
    !sum
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
