//! Unpacks LZMA, for the tables inside the program: a sixth less than zstd at its highest level.
//!
//! Only what `xz --format=raw --lzma1=lc=0,lp=0,pb=0` writes: no header, and neither the place of a byte nor the
//! byte before it has a say. Numbers are coded bit by bit; each bit has a probability that follows what comes.

/// The probability of a zero, in units of 1/2048.
type Chance = u16;

const EVEN: Chance = 1 << 10;
/// A chance moves by this share of what it was off: 1/32.
const RATE: u32 = 5;
/// Below this the range is widened.
const NARROW: u32 = 1 << 24;
/// The shortest match.
const SHORTEST: usize = 2;
/// The end of the stream, as a distance.
const END: u32 = u32::MAX;

/// Bits out of bytes. After the last byte come zeros: what is wrong is seen by the length.
struct Bits<'a> {
    bytes: std::slice::Iter<'a, u8>,
    range: u32,
    code: u32,
}

impl Bits<'_> {
    #[inline(always)]
    fn widen(&mut self) {
        if self.range < NARROW {
            self.range <<= 8;
            self.code = self.code << 8 | u32::from(self.bytes.next().copied().unwrap_or(0));
        }
    }

    #[inline(always)]
    fn bit(&mut self, chance: &mut Chance) -> bool {
        self.widen();
        let bound = (self.range >> 11) * u32::from(*chance);
        let one = self.code >= bound;
        if one {
            self.range -= bound;
            self.code -= bound;
            *chance -= *chance >> RATE;
        } else {
            self.range = bound;
            *chance += (2 * EVEN - *chance) >> RATE;
        }
        one
    }

    /// A number of some bits, the highest first.
    #[inline(always)]
    fn number(&mut self, chances: &mut [Chance], bits: u32) -> usize {
        let mut node = 1;
        for _ in 0..bits {
            node = node << 1 | usize::from(self.bit(&mut chances[node]));
        }
        node - (1 << bits)
    }

    /// A number of some bits, the lowest first.
    fn reversed(&mut self, chances: &mut [Chance], bits: u32) -> u32 {
        let (mut node, mut number) = (1, 0);
        for bit in 0..bits {
            let one = self.bit(&mut chances[node]);
            node = node << 1 | usize::from(one);
            number |= u32::from(one) << bit;
        }
        number
    }

    /// Bits that are as likely zero as one.
    fn plain(&mut self, bits: u32) -> u32 {
        (0..bits).fold(0, |number, _| {
            self.widen();
            self.range >>= 1;
            let one = self.code >= self.range;
            self.code -= if one { self.range } else { 0 };
            number << 1 | u32::from(one)
        })
    }
}

/// How long a match is.
struct Lengths {
    choice: [Chance; 2],
    short: [[Chance; 8]; 2],
    long: [Chance; 256],
}

impl Lengths {
    const NEW: Lengths = Lengths { choice: [EVEN; 2], short: [[EVEN; 8]; 2], long: [EVEN; 256] };

    /// The length above the shortest.
    fn next(&mut self, bits: &mut Bits<'_>) -> usize {
        for (nth, short) in self.short.iter_mut().enumerate() {
            if !bits.bit(&mut self.choice[nth]) {
                return 8 * nth + bits.number(short, 3);
            }
        }
        16 + bits.number(&mut self.long, 8)
    }
}

/// How far back a match lies.
struct Distances {
    slots: [[Chance; 64]; 4],
    middle: [Chance; 128],
    low: [Chance; 16],
}

impl Distances {
    fn next(&mut self, bits: &mut Bits<'_>, length: usize) -> u32 {
        let slot = bits.number(&mut self.slots[length.min(3)], 6) as u32;
        if slot < 4 {
            return slot;
        }
        let count = (slot >> 1) - 1;
        let high = (2 | slot & 1) << count;
        match slot < 14 {
            true => high + bits.reversed(&mut self.middle[(high - slot) as usize..], count),
            false => {
                let middle = bits.plain(count - 4) << 4;
                high.wrapping_add(middle).wrapping_add(bits.reversed(&mut self.low, 4))
            }
        }
    }
}

/// What is coded by the kinds of the last few matches and bytes, of which there are twelve.
#[derive(Clone, Copy)]
struct Kinds {
    is_match: Chance,
    is_old: Chance,
    /// Whether an old match is not the last one, whether it is not the one before, or the one before that.
    older: [Chance; 3],
    is_long: Chance,
}

/// Unpacks what has this length; none if it is damaged.
pub fn unpack(packed: &[u8], length: usize) -> Option<Vec<u8>> {
    let (start, rest) = packed.split_first_chunk::<5>()?;
    let code = u32::from_be_bytes([start[1], start[2], start[3], start[4]]);
    let mut bits = Bits { bytes: rest.iter(), range: u32::MAX, code };
    let kinds = Kinds { is_match: EVEN, is_old: EVEN, older: [EVEN; 3], is_long: EVEN };
    let mut kinds = [kinds; 12];
    let (mut new_lengths, mut old_lengths) = (Lengths::NEW, Lengths::NEW);
    let mut distances = Distances { slots: [[EVEN; 64]; 4], middle: [EVEN; 128], low: [EVEN; 16] };
    let mut literals = [EVEN; 0x300];
    let (mut state, mut last) = (0, [0u32; 4]);
    let mut out: Vec<u8> = Vec::with_capacity(length);
    while out.len() < length {
        let kind = &mut kinds[state];
        if !bits.bit(&mut kind.is_match) {
            let expected = (state >= 7).then(|| back(&out, last[0])).flatten();
            out.push(literal(&mut bits, &mut literals, expected));
            state = [0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 4, 5][state];
            continue;
        }
        let late = usize::from(state >= 7);
        let count = if !bits.bit(&mut kind.is_old) {
            let count = new_lengths.next(&mut bits);
            last = [distances.next(&mut bits, count), last[0], last[1], last[2]];
            state = [7, 10][late];
            count
        } else {
            // Which of the last distances it is: it becomes the first of them.
            let nth = kind.older.iter_mut().position(|older| !bits.bit(older)).unwrap_or(3);
            if nth == 0 && !bits.bit(&mut kind.is_long) {
                out.push(back(&out, last[0])?);
                state = [9, 11][late];
                continue;
            }
            last[..=nth].rotate_right(1);
            state = [8, 11][late];
            old_lengths.next(&mut bits)
        };
        if last[0] == END {
            break;
        }
        let from = out.len().checked_sub(last[0] as usize + 1)?;
        let mut count = (count + SHORTEST).min(length - out.len());
        // A match may go on into what it writes: what lies between is written again and again.
        while count > 0 {
            let part = count.min(out.len() - from);
            out.extend_from_within(from..from + part);
            count -= part;
        }
    }
    (out.len() == length).then_some(out)
}

/// The byte at a distance; none before the first one.
#[inline(always)]
fn back(out: &[u8], distance: u32) -> Option<u8> {
    out.len().checked_sub(distance as usize + 1).map(|place| out[place])
}

/// One byte. After a match it is another than the one that would have gone on: as long as their bits agree, that
/// one has a say.
#[inline(always)]
fn literal(bits: &mut Bits<'_>, literals: &mut [Chance; 0x300], expected: Option<u8>) -> u8 {
    let mut node = 1;
    if let Some(mut expected) = expected.map(usize::from) {
        while node < 0x100 {
            let expects = expected >> 7 & 1;
            expected <<= 1;
            let one = usize::from(bits.bit(&mut literals[(1 + expects) << 8 | node]));
            node = node << 1 | one;
            if one != expects {
                break;
            }
        }
    }
    while node < 0x100 {
        node = node << 1 | usize::from(bits.bit(&mut literals[node]));
    }
    node as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `printf 'rook rook rook rook, king and rook; rooks' | xz --format=raw --lzma1=lc=0,lp=0,pb=0`
    const PACKED: &[u8] = b"\x00\x39\x1d\x4a\x16\x74\xc4\x57\x25\x19\x7c\x98\x18\x17\x68\x14\x6b\x86\x88\x30\xed\x67\x2c\x54\x45\x39\xc5\xff\xf5\xbd\xc0\x00";
    const TEXT: &[u8] = b"rook rook rook rook, king and rook; rooks";

    #[test]
    fn what_xz_packs_is_unpacked() {
        assert_eq!(unpack(PACKED, TEXT.len()).as_deref(), Some(TEXT));
        // As much as there is, and no more.
        assert_eq!(unpack(PACKED, 9).as_deref(), Some(&TEXT[..9]));
        assert_eq!(unpack(PACKED, TEXT.len() + 1), None);
    }

    #[test]
    fn what_is_cut_off_or_damaged_ends_without_a_panic() {
        for length in 0..5 {
            assert_eq!(unpack(&PACKED[..length], TEXT.len()), None);
        }
        for bit in 0..PACKED.len() * 8 {
            let mut damaged = PACKED.to_vec();
            damaged[bit / 8] ^= 1 << (bit % 8);
            let whole = unpack(&damaged, TEXT.len());
            assert!(whole.is_none_or(|bytes| bytes.len() == TEXT.len()));
        }
    }
}
