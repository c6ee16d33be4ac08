//! Look-up tables for rooks and bishops.
//!
//! The blockers that matter for a slider on a square form a subset of a small mask. That subset is
//! turned into an index either by PEXT (one instruction) or by a magic multiplication, and the index
//! leads to the attacked squares. The tables take a megabyte and are filled at the first look at the CPU,
//! in a millisecond: inside the program they would make it larger and its build slower. Holding a token of
//! an instruction set is the proof that its tables are there, so that no look-up has to check.

use super::magics;
use crate::{Bitboard, Square};
use std::sync::LazyLock;

const ROOK_STEPS: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const BISHOP_STEPS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
pub const ROOK_SIZE: usize = 102_400;
pub const BISHOP_SIZE: usize = 5_248;

/// How rooks are looked up.
pub static ROOK: Sliders = Sliders::new(ROOK_STEPS, &magics::ROOK);
/// How bishops are looked up.
pub static BISHOP: Sliders = Sliders::new(BISHOP_STEPS, &magics::BISHOP);

/// Where a square's part of the table begins, and how blockers become an index into it.
#[derive(Clone, Copy)]
struct Entry {
    mask: u64,
    magic: u64,
    offset: u32,
    shift: u32,
}

/// The index of every square and set of blockers for one kind of slider.
pub struct Sliders {
    entries: [Entry; 64],
    steps: [(i8, i8); 4],
}

impl Sliders {
    const fn new(steps: [(i8, i8); 4], magics: &[u64; 64]) -> Self {
        let mut entries = [Entry { mask: 0, magic: 0, offset: 0, shift: 0 }; 64];
        let mut offset = 0;
        let mut square = 0;
        while square < 64 {
            let mask = relevant_blockers(square, steps);
            let shift = 64 - mask.count_ones();
            let magic = magics[square as usize];
            entries[square as usize] = Entry { mask, magic, offset, shift };
            offset += 1 << mask.count_ones();
            square += 1;
        }
        Sliders { entries, steps }
    }

    /// Fills a table in the order of PEXT.
    #[cfg(target_arch = "x86_64")]
    pub fn fill_by_extract(&self, table: &mut [u64]) {
        self.fill(table, |_, _, nth| nth);
    }

    /// Fills a table; `index` gives the place of a square's blockers, which are the nth of its subsets.
    #[inline]
    fn fill(&self, table: &mut [u64], index: impl Fn(&Entry, u64, usize) -> usize) {
        for (square, entry) in (0..).zip(&self.entries) {
            let rays = rays(square, self.steps);
            // This trick visits all subsets of the mask in the order of their PEXT index.
            let mut blockers = 0u64;
            for nth in 0..1 << (64 - entry.shift) {
                let attacks = rays.iter().fold(0, |all, &ray| all | up_to(ray, blockers));
                table[entry.offset as usize + index(entry, blockers, nth)] = attacks;
                blockers = blockers.wrapping_sub(entry.mask) & entry.mask;
            }
        }
    }

    #[inline(always)]
    fn by_magic(&self, table: &[u64], square: Square, occupied: Bitboard) -> Bitboard {
        let entry = &self.entries[square.index()];
        Bitboard(table[entry.offset as usize + entry.index(occupied.0)])
    }

    /// Looks up in a table in the order of PEXT.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub fn by_extract<const SIZE: usize>(
        &self,
        table: &[u64; SIZE],
        square: Square,
        occupied: Bitboard,
        extract: impl Fn(u64, u64) -> u64,
    ) -> Bitboard {
        let entry = &self.entries[square.index()];
        let index = extract(occupied.0, entry.mask) as usize;
        Bitboard(table[entry.offset as usize + index])
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
        static TABLES: LazyLock<Magics> = LazyLock::new(|| {
            let make = |sliders: &Sliders, size| {
                let mut table = vec![0; size];
                sliders.fill(&mut table, |entry, blockers, _| entry.index(blockers));
                table.into()
            };
            Magics { rook: make(&ROOK, ROOK_SIZE), bishop: make(&BISHOP, BISHOP_SIZE) }
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

fn rays(square: u8, steps: [(i8, i8); 4]) -> [Ray; 4] {
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

/// A ray up to its first blocker and with it.
fn up_to((ray, ascends): Ray, blockers: u64) -> u64 {
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
