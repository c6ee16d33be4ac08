//! Look-up tables for rooks and bishops.
//!
//! The blockers that matter for a slider on a square form a subset of a small mask. That subset is
//! turned into an index either by PEXT (one instruction) or by a magic multiplication, and the index
//! leads to the attacked squares. The tables in the order of PEXT are computed at compile time. Those in
//! the order of the magics ([`Magics`]) are made on CPUs that need them, which would otherwise make every
//! program a megabyte larger; a token holds them, so that no look-up has to check that they are there.

use super::magics;
use crate::{Bitboard, Square};
use std::sync::LazyLock;

const ROOK_STEPS: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const BISHOP_STEPS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const ROOK_SIZE: usize = 102_400;
const BISHOP_SIZE: usize = 5_248;

/// The table of rooks.
pub static ROOK: Sliders<ROOK_SIZE> = Sliders::new(ROOK_STEPS, &magics::ROOK);
/// The table of bishops.
pub static BISHOP: Sliders<BISHOP_SIZE> = Sliders::new(BISHOP_STEPS, &magics::BISHOP);

/// Where a square's part of the table begins, and how blockers become an index into it.
#[derive(Clone, Copy)]
struct Entry {
    mask: u64,
    magic: u64,
    offset: u32,
    shift: u32,
}

/// Attacks of one kind of slider for every square and every set of blockers.
pub struct Sliders<const SIZE: usize> {
    entries: [Entry; 64],
    by_extract: [u64; SIZE],
}

impl<const SIZE: usize> Sliders<SIZE> {
    const fn new(steps: [(i8, i8); 4], magics: &[u64; 64]) -> Self {
        let mut table = Sliders {
            entries: [Entry { mask: 0, magic: 0, offset: 0, shift: 0 }; 64],
            by_extract: [0; SIZE],
        };
        let mut offset = 0;
        let mut square = 0;
        while square < 64 {
            let mask = relevant_blockers(square, steps);
            let shift = 64 - mask.count_ones();
            let magic = magics[square as usize];
            table.entries[square as usize] = Entry { mask, magic, offset: offset as u32, shift };
            // All subsets of the mask; this trick visits them in the order of their PEXT index.
            let rays = rays(square, steps);
            let mut blockers = 0u64;
            let mut index = 0;
            loop {
                let attacks = up_to(rays[0], blockers)
                    | up_to(rays[1], blockers)
                    | up_to(rays[2], blockers)
                    | up_to(rays[3], blockers);
                table.by_extract[offset + index] = attacks;
                index += 1;
                blockers = blockers.wrapping_sub(mask) & mask;
                if blockers == 0 {
                    break;
                }
            }
            offset += index;
            square += 1;
        }
        table
    }

    /// The same attacks in the order of the magics.
    fn in_order_of_magics(&self) -> Box<[u64]> {
        let mut table = vec![0; SIZE];
        for entry in &self.entries {
            let (begin, mut blockers) = (entry.offset as usize, 0u64);
            for index in begin..begin + (1 << (64 - entry.shift)) {
                table[begin + entry.index(blockers)] = self.by_extract[index];
                blockers = blockers.wrapping_sub(entry.mask) & entry.mask;
            }
        }
        table.into()
    }

    #[inline(always)]
    fn by_magic(&self, table: &[u64], square: Square, occupied: Bitboard) -> Bitboard {
        let entry = &self.entries[square.index()];
        Bitboard(table[entry.offset as usize + entry.index(occupied.0)])
    }

    #[inline(always)]
    pub fn by_extract(
        &self,
        square: Square,
        occupied: Bitboard,
        extract: impl Fn(u64, u64) -> u64,
    ) -> Bitboard {
        let entry = &self.entries[square.index()];
        let index = extract(occupied.0, entry.mask) as usize;
        Bitboard(self.by_extract[entry.offset as usize + index])
    }
}

impl Entry {
    /// The place of blockers in the order of the magics.
    #[inline(always)]
    fn index(&self, occupied: u64) -> usize {
        ((occupied & self.mask).wrapping_mul(self.magic) >> self.shift) as usize
    }
}

/// The tables in the order of the magics.
pub struct Magics {
    rook: Box<[u64]>,
    bishop: Box<[u64]>,
}

impl Magics {
    /// The tables, made at the first call.
    pub fn tables() -> &'static Magics {
        static TABLES: LazyLock<Magics> = LazyLock::new(|| Magics {
            rook: ROOK.in_order_of_magics(),
            bishop: BISHOP.in_order_of_magics(),
        });
        &TABLES
    }

    #[inline(always)]
    pub fn rook(&self, square: Square, occupied: Bitboard) -> Bitboard {
        ROOK.by_magic(&self.rook, square, occupied)
    }

    #[inline(always)]
    pub fn bishop(&self, square: Square, occupied: Bitboard) -> Bitboard {
        BISHOP.by_magic(&self.bishop, square, occupied)
    }
}

/// The squares on which a blocker makes a difference: the rays without their last square.
const fn relevant_blockers(square: u8, steps: [(i8, i8); 4]) -> u64 {
    let mut mask = 0;
    let mut direction = 0;
    while direction < 4 {
        let step = steps[direction];
        let mut last = 0;
        let mut at = neighbour(square, step);
        while let Some(next) = at {
            last = 1 << next;
            mask |= last;
            at = neighbour(next, step);
        }
        mask &= !last;
        direction += 1;
    }
    mask
}

/// The squares of a ray, and whether it leads towards higher ones.
type Ray = (u64, bool);

const fn rays(square: u8, steps: [(i8, i8); 4]) -> [Ray; 4] {
    let mut rays = [(0, false); 4];
    let mut direction = 0;
    while direction < 4 {
        let mut at = neighbour(square, steps[direction]);
        while let Some(next) = at {
            rays[direction] = (rays[direction].0 | 1 << next, next > square);
            at = neighbour(next, steps[direction]);
        }
        direction += 1;
    }
    rays
}

/// A ray up to its first blocker and with it. Ten times as quick to compile as walking along it.
const fn up_to((ray, ascends): Ray, blockers: u64) -> u64 {
    let met = ray & blockers;
    if met == 0 {
        ray
    } else if ascends {
        ray & (met ^ (met - 1))
    } else {
        ray & (!0 << (63 - met.leading_zeros()))
    }
}

/// The attacked squares, found by walking: the definition that the tables must repeat.
#[cfg(test)]
const fn walk(square: u8, occupied: u64, steps: [(i8, i8); 4]) -> u64 {
    let mut attacks = 0;
    let mut direction = 0;
    while direction < 4 {
        let step = steps[direction];
        let mut at = neighbour(square, step);
        while let Some(next) = at {
            attacks |= 1 << next;
            if occupied >> next & 1 != 0 {
                break;
            }
            at = neighbour(next, step);
        }
        direction += 1;
    }
    attacks
}

/// The square one step of (files, ranks) away, if it is on the board.
const fn neighbour(square: u8, step: (i8, i8)) -> Option<u8> {
    let file = (square & 7) as i8 + step.0;
    let rank = (square >> 3) as i8 + step.1;
    if file < 0 || file > 7 || rank < 0 || rank > 7 { None } else { Some((rank * 8 + file) as u8) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attacks::{Isa, Kernel, Portable, dispatch};

    /// Every look-up against the walk, on pseudo-random occupancies of all densities.
    struct Agree;

    impl Kernel for Agree {
        type Output = ();

        #[inline(always)]
        fn run<I: Isa>(self, isa: I) {
            let mut random = crate::random::SplitMix(7);
            for round in 0..2_000 {
                let mut occupied = random.next();
                for _ in 0..round % 4 {
                    occupied &= random.next();
                }
                for square in Square::all() {
                    let rook = walk(square.index() as u8, occupied, ROOK_STEPS);
                    let bishop = walk(square.index() as u8, occupied, BISHOP_STEPS);
                    assert_eq!(isa.rook(square, Bitboard(occupied)).0, rook);
                    assert_eq!(isa.bishop(square, Bitboard(occupied)).0, bishop);
                    assert_eq!(isa.queen(square, Bitboard(occupied)).0, rook | bishop);
                }
            }
        }
    }

    #[test]
    fn magic_look_ups_equal_the_walk() {
        Portable::default().call(Agree);
    }

    #[test]
    fn look_ups_of_this_cpu_equal_the_walk() {
        dispatch(Agree);
    }
}
