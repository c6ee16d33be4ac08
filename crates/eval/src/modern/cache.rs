//! The memory of pawn structures, shelters and material: one per thread, so that no thread waits for it.

use super::{pawns, pieces};
use crate::Tapered;
use crate::recorder::{Adder, Recorder};
use board::attacks::{Isa, Kernel, dispatch};
use board::{Bitboard, Color, Material, Position, prefetch};

/// What is known about a pawn structure. One line of the CPU's caches: one prefetch brings all of it.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct PawnEntry {
    key: u64,
    /// Passed pawns of both sides.
    pub passed: Bitboard,
    /// The squares that a side's pawns attack, or could after advancing.
    pub spans: [Bitboard; 2],
    scores: [Tapered; 2],
    /// The squares of the kings that `shelters` was worked out for.
    kings: [u8; 2],
    shelters: [Tapered; 2],
}

/// Materials that are remembered: a search sees few at a time.
const MATERIALS: usize = 1_024;

/// No king stands here.
const NOWHERE: u8 = 64;

impl PawnEntry {
    pub(crate) const fn empty(key: u64) -> PawnEntry {
        PawnEntry {
            key,
            passed: Bitboard::EMPTY,
            spans: [Bitboard::EMPTY; 2],
            scores: [Tapered::ZERO; 2],
            kings: [NOWHERE; 2],
            shelters: [Tapered::ZERO; 2],
        }
    }
}

/// How often a cache was asked and knew the answer.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CacheCounters {
    /// Questions for a pawn structure.
    pub pawn_probes: u64,
    /// Those that were answered from memory (M16: 98–99 %, D32: 95–99 %).
    pub pawn_hits: u64,
    /// Questions for a king's shelter.
    pub king_probes: u64,
    /// Those that were answered from memory (M17).
    pub king_hits: u64,
}

impl CacheCounters {
    /// The share of pawn structures that were known, from 0 to 1.
    pub fn pawn_rate(&self) -> f64 {
        self.pawn_hits as f64 / self.pawn_probes.max(1) as f64
    }

    /// The share of shelters that were known, from 0 to 1.
    pub fn king_rate(&self) -> f64 {
        self.king_hits as f64 / self.king_probes.max(1) as f64
    }
}

/// The memory of one thread.
#[derive(Clone)]
pub(crate) struct PawnCache {
    entries: Vec<PawnEntry>,
    /// What men are worth to each other, by the bits of the material.
    materials: Vec<(u64, [Tapered; 2])>,
    pub counters: CacheCounters,
}

impl PawnCache {
    /// A cache with at least this number of entries of 64 bytes.
    pub(crate) fn new(entries: usize) -> PawnCache {
        // Only a board without pawns can have the key 0: an empty entry is right for it.
        let entries = vec![PawnEntry::empty(0); entries.next_power_of_two()];
        // Bare kings have the bits 0, and nothing to add.
        let materials = vec![(0, [Tapered::ZERO; 2]); MATERIALS];
        PawnCache { entries, materials, counters: CacheCounters::default() }
    }

    /// Forgets everything, the counters too.
    pub(crate) fn clear(&mut self) {
        self.entries.fill(PawnEntry::empty(0));
        self.counters = CacheCounters::default();
    }

    /// Asks for the memory that [`PawnCache::record`] will read.
    #[inline(always)]
    pub(crate) fn prefetch(&self, position: &Position) {
        let slot = pawns::cache_key(position) as usize & (self.entries.len() - 1);
        if let Some(entry) = self.entries.get(slot) {
            prefetch(entry);
        }
    }

    /// Records pawns, shelters and material, from memory where it has them.
    #[inline(always)]
    pub(crate) fn record<R: Recorder>(
        &mut self,
        position: &Position,
        recorder: &mut R,
    ) -> (Bitboard, [Bitboard; 2]) {
        let material = position.material();
        // Few bits differ, far apart: the high ones of a product depend on all of them.
        let place = material.bits().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48;
        let known = &mut self.materials[place as usize % MATERIALS];
        if known.0 != material.bits() {
            *known = (material.bits(), fresh_company(material));
        }
        let company = known.1;
        let key = pawns::cache_key(position);
        let slot = key as usize & (self.entries.len() - 1);
        let entry = &mut self.entries[slot];
        self.counters.pawn_probes += 1;
        if entry.key == key {
            self.counters.pawn_hits += 1;
        } else {
            *entry = fresh_structure(position);
        }
        for us in Color::ALL {
            let king = position.king(us).index() as u8;
            self.counters.king_probes += 1;
            if entry.kings[us.index()] == king {
                self.counters.king_hits += 1;
            } else {
                entry.kings[us.index()] = king;
                entry.shelters[us.index()] = fresh_shelter(us, position);
            }
            let sum = entry.scores[us.index()] + entry.shelters[us.index()] + company[us.index()];
            recorder.cached(us, sum);
        }
        (entry.passed, entry.spans)
    }
}

/// Works a pawn structure out.
struct Structure<'a>(&'a Position);

impl Kernel for Structure<'_> {
    type Output = PawnEntry;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> PawnEntry {
        let mut adder = Adder::default();
        let mut entry = pawns::structure(self.0, &mut adder);
        entry.scores = adder.sums().sides;
        entry
    }
}

#[cold]
#[inline(never)]
fn fresh_structure(position: &Position) -> PawnEntry {
    dispatch(Structure(position))
}

#[cold]
#[inline(never)]
fn fresh_shelter(us: Color, position: &Position) -> Tapered {
    let mut adder = Adder::default();
    pawns::shelter(us, position, &mut adder);
    adder.sums().sides[us.index()]
}

#[cold]
#[inline(never)]
fn fresh_company(material: Material) -> [Tapered; 2] {
    let mut adder = Adder::default();
    pieces::company(Color::White, material, &mut adder);
    pieces::company(Color::Black, material, &mut adder);
    adder.sums().sides
}
