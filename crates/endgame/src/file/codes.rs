//! Cells as bytes: few different values occur with one side to move.

use crate::value::{Value, cell};

/// Positions of a win/draw/loss table in one byte. Five would fit, but four keep the rows of the board
/// in step with the bytes, and the packed table becomes a third smaller.
const PER_BYTE: usize = 4;

/// The cells of one side to move, each a number of a short list of values.
pub struct Codes {
    /// The values.
    pub dictionary: Vec<u16>,
    /// Which one, position by position.
    pub codes: Vec<u8>,
}

impl Codes {
    /// The cell of a position.
    #[inline(always)]
    pub fn cell(&self, index: usize) -> u16 {
        let code = self.codes.get(index).copied().unwrap_or(0);
        self.dictionary.get(usize::from(code)).copied().unwrap_or(cell::OPEN)
    }

    /// What the table says of a number. Numbers that stand for no position have any value.
    pub fn value(&self, index: usize) -> Value {
        cell::value(self.cell(index))
    }
}

/// Draws are written as one value, whatever the builder last knew about them.
pub fn plain(cell: u16) -> u16 {
    if cell & cell::OPEN != 0 { cell::OPEN } else { cell }
}

/// The number of each plain cell in a dictionary.
pub struct Numbering {
    numbers: [u8; 256],
    open: u8,
}

impl Numbering {
    /// The numbers of a dictionary's values.
    pub fn new(dictionary: &[u16]) -> Numbering {
        let mut numbering = Numbering { numbers: [0; 256], open: 0 };
        for (number, &value) in (0..=u8::MAX).zip(dictionary) {
            match numbering.numbers.get_mut(usize::from(value)) {
                Some(place) => *place = number,
                None => numbering.open = number,
            }
        }
        numbering
    }

    /// The codes of a block. Positions that are none take the code of their neighbour: no probe asks
    /// for them, and runs compress well.
    pub fn encode(&self, cells: impl Iterator<Item = u16> + Clone) -> Vec<u8> {
        let code = |value: u16| match self.numbers.get(usize::from(value)) {
            Some(&number) => number,
            None => self.open,
        };
        let legal = |value: &u16| *value != cell::ILLEGAL;
        let mut last = cells.clone().find(legal).map_or(0, code);
        cells
            .map(|value| {
                if legal(&value) {
                    last = code(value);
                }
                last
            })
            .collect()
    }
}

/// Packs codes below four, four to a byte.
pub fn pack(codes: &[u8]) -> Vec<u8> {
    let byte = |four: &[u8]| four.iter().rev().fold(0, |byte: u8, &code| byte << 2 | code & 3);
    codes.chunks(PER_BYTE).map(byte).collect()
}

/// The packed length of `codes` codes.
pub const fn packed_length(codes: usize) -> usize {
    codes.div_ceil(PER_BYTE)
}

/// One code of a packed block.
pub fn unpack_one(bytes: &[u8], nth: usize) -> u8 {
    bytes.get(nth / PER_BYTE).map_or(0, |byte| byte >> (nth % PER_BYTE * 2) & 3)
}

/// Unpacks `count` codes.
pub fn unpack(bytes: &[u8], count: usize) -> Vec<u8> {
    (0..count).map(|nth| unpack_one(bytes, nth)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_and_unpacking_are_inverse() {
        let codes: Vec<u8> = (0..1001u32).map(|n| (n * n % 7 % 3) as u8).collect();
        let packed = pack(&codes);
        assert_eq!(packed.len(), packed_length(codes.len()));
        assert_eq!(unpack(&packed, codes.len()), codes);
    }

    #[test]
    fn illegal_positions_take_their_neighbours_code() {
        let numbering = Numbering::new(&[cell::OPEN, 3, 5]);
        let cells = [cell::ILLEGAL, 5, cell::ILLEGAL, cell::OPEN | 12, 3];
        assert_eq!(numbering.encode(cells.into_iter()), [2, 2, 2, 0, 1]);
    }
}
