//! The memory of pawn structures and shelters: one per thread, so that nobody waits for it.

use super::pawns;
use crate::Tapered;
use crate::recorder::{Adder, Recorder};
use board::{Bitboard, Color, Position};

/// What is known about a pawn structure.
#[derive(Clone, Copy)]
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
    pub counters: CacheCounters,
}

impl PawnCache {
    /// A cache with at least so many entries of 64 bytes.
    pub(crate) fn new(entries: usize) -> PawnCache {
        // A board without pawns has the key 0: an empty entry is right for it.
        let entries = vec![PawnEntry::empty(0); entries.next_power_of_two()];
        PawnCache { entries, counters: CacheCounters::default() }
    }

    /// Forgets everything, the counters too.
    pub(crate) fn clear(&mut self) {
        self.entries.fill(PawnEntry::empty(0));
        self.counters = CacheCounters::default();
    }

    /// Records pawns and shelters, from memory where it has them.
    #[inline(always)]
    pub(crate) fn record<R: Recorder>(
        &mut self,
        position: &Position,
        recorder: &mut R,
    ) -> (Bitboard, [Bitboard; 2]) {
        let slot = position.pawn_key() as usize & (self.entries.len() - 1);
        let entry = &mut self.entries[slot];
        self.counters.pawn_probes += 1;
        if entry.key == position.pawn_key() {
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
            let sum = entry.scores[us.index()] + entry.shelters[us.index()];
            recorder.cached(us, sum);
        }
        (entry.passed, entry.spans)
    }
}

#[cold]
#[inline(never)]
fn fresh_structure(position: &Position) -> PawnEntry {
    let mut adder = Adder::default();
    let mut entry = pawns::structure(position, &mut adder);
    entry.scores = adder.sums().sides;
    entry
}

#[cold]
#[inline(never)]
fn fresh_shelter(us: Color, position: &Position) -> Tapered {
    let mut adder = Adder::default();
    pawns::shelter(us, position, &mut adder);
    adder.sums().sides[us.index()]
}
