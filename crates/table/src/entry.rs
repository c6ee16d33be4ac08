//! What the table knows about a position, and how it fits into 64 bits.
//!
//! The papers' entries hold lock, depth, value, flag and move (Z15, M13); DarkSight's takes 119 bits
//! with a key of 64 (D24). Ours adds the static evaluation and a mark for nodes of the principal
//! variation, and packs everything but the key into one word, so that it is read and written at
//! once:
//!
//! | bits | 0–15 | 16–31 | 32–47 | 48–55 | 56–57 | 58 | 59–63 |
//! | --- | --- | --- | --- | --- | --- | --- | --- |
//! | what | move | score | evaluation | depth + 8 | bound | pv | generation |
//!
//! The depth byte of an entry is never 0, so the word of an entry is never 0: an empty place is.

use board::Move;

/// What the score of an entry says about the value of its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Bound {
    /// Nothing: only the move or the static evaluation is of use.
    None = 0,
    /// The value is at most the score: no move reached alpha.
    Upper = 1,
    /// The value is at least the score: a move reached beta.
    Lower = 2,
    /// The score is the value.
    Exact = 3,
}

impl Bound {
    /// What a score found with a window says: an upper bound if it is at most alpha, a lower bound
    /// if it is at least beta, and exact between them (Z15).
    #[inline(always)]
    pub const fn of(score: i32, alpha: i32, beta: i32) -> Bound {
        if score >= beta {
            Bound::Lower
        } else if score <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }

    /// The window after an entry that is deep enough: an exact score closes it, a lower bound raises
    /// alpha, an upper bound lowers beta (Z16). Where alpha has reached beta, the score is the
    /// answer.
    #[inline(always)]
    pub fn narrow(self, score: i32, alpha: i32, beta: i32) -> (i32, i32) {
        match self {
            Bound::None => (alpha, beta),
            Bound::Upper => (alpha, beta.min(score)),
            Bound::Lower => (alpha.max(score), beta),
            Bound::Exact => (score, score),
        }
    }

    /// Whether an entry that is deep enough answers a search with the null window below beta: it is
    /// exact, or a lower bound that reaches beta, or an upper bound below it (M5).
    #[inline(always)]
    pub const fn decides(self, score: i32, beta: i32) -> bool {
        let wanted = if score >= beta { Bound::Lower } else { Bound::Upper };
        self as u8 & wanted as u8 != 0
    }

    #[inline(always)]
    const fn from_bits(bits: u64) -> Bound {
        match bits & 3 {
            0 => Bound::None,
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        }
    }
}

/// The least depth that an entry can have; less is stored as this.
pub const MIN_DEPTH: i16 = 1 - DEPTH_OFFSET;

/// The greatest depth that an entry can have; more is stored as this.
pub const MAX_DEPTH: i16 = 255 - DEPTH_OFFSET;

/// Makes room for the depths of the quiescence search, 0 and below.
const DEPTH_OFFSET: i16 = 8;

/// Stands for "no static evaluation".
const NO_EVAL: i16 = i16::MIN;

/// What the table knows about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The best move, or [`Move::NONE`]. Any 16 bits may come out of a table: ask
    /// [`board::Position::is_legal`] before it is played (D28).
    pub mv: Move,
    /// The score, as the search gave it.
    pub score: i16,
    /// The static evaluation, if it was worked out. (`Some(i16::MIN)` is read back as `None`.)
    pub eval: Option<i16>,
    /// How deep the score was searched, in plies, from [`MIN_DEPTH`] to [`MAX_DEPTH`]; depths of 0
    /// and below are for the quiescence search. A search with fractions of plies rounds down here.
    pub depth: i16,
    /// What the score says.
    pub bound: Bound,
    /// Whether the position was ever a node of the principal variation.
    pub pv: bool,
}

impl Entry {
    /// The entry in 64 bits, for those who send it elsewhere.
    pub fn to_bits(self) -> u64 {
        Word::pack(self, 0).0
    }

    /// What 64 bits say; any of them say something.
    pub fn from_bits(bits: u64) -> Entry {
        let entry = Word(bits).entry();
        Entry { depth: entry.depth.max(MIN_DEPTH), ..entry }
    }
}

/// An entry and its generation in 64 bits; all zero is an empty place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word(pub u64);

impl Word {
    /// How many generations are told apart.
    pub const GENERATIONS: u8 = 32;

    /// Packs an entry of a generation.
    #[inline(always)]
    pub fn pack(entry: Entry, generation: u8) -> Word {
        let depth = entry.depth.clamp(MIN_DEPTH, MAX_DEPTH) + DEPTH_OFFSET;
        Word(
            u64::from(entry.mv.bits())
                | u64::from(entry.score as u16) << 16
                | u64::from(entry.eval.unwrap_or(NO_EVAL) as u16) << 32
                | (depth as u64) << 48
                | (entry.bound as u64) << 56
                | u64::from(entry.pv) << 58
                | u64::from(generation % Word::GENERATIONS) << 59,
        )
    }

    /// What was packed, but the generation.
    #[inline(always)]
    pub fn entry(self) -> Entry {
        let eval = (self.0 >> 32) as i16;
        Entry {
            mv: self.mv(),
            score: (self.0 >> 16) as i16,
            eval: (eval != NO_EVAL).then_some(eval),
            depth: self.draft() as i16 - DEPTH_OFFSET,
            bound: self.bound(),
            pv: self.0 >> 58 & 1 != 0,
        }
    }

    /// Whether nothing is stored here.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The move.
    #[inline(always)]
    pub const fn mv(self) -> Move {
        Move::from_bits(self.0 as u16)
    }

    /// The depth as it is stored, to be compared: an empty place is less deep than any entry.
    #[inline(always)]
    pub const fn draft(self) -> i32 {
        (self.0 >> 48 & 0xff) as i32
    }

    /// The bound.
    #[inline(always)]
    pub const fn bound(self) -> Bound {
        Bound::from_bits(self.0 >> 56)
    }

    /// The generation in which it was written.
    #[inline(always)]
    pub const fn generation(self) -> u8 {
        (self.0 >> 59) as u8
    }

    /// The same entry with the move of another.
    #[inline(always)]
    pub const fn with_move_of(self, other: Word) -> Word {
        Word(self.0 & !0xffff | other.0 & 0xffff)
    }

    /// The same entry with the static evaluation of another.
    #[inline(always)]
    pub const fn with_eval_of(self, other: Word) -> Word {
        const EVAL: u64 = 0xffff << 32;
        Word(self.0 & !EVAL | other.0 & EVAL)
    }

    /// Whether it holds a static evaluation.
    #[inline(always)]
    pub const fn has_eval(self) -> bool {
        (self.0 >> 32) as i16 != NO_EVAL
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BOUNDS: [Bound; 4] = [Bound::None, Bound::Upper, Bound::Lower, Bound::Exact];

    proptest! {
        #[test]
        fn an_entry_comes_out_as_it_went_in(
            bits: u16, score: i16, eval: Option<i16>, depth in MIN_DEPTH..=MAX_DEPTH,
            bound in 0usize..4, pv: bool, generation in 0u8..32,
        ) {
            let eval = eval.filter(|&eval| eval != NO_EVAL);
            let mv = Move::from_bits(bits);
            let entry = Entry { mv, score, eval, depth, bound: BOUNDS[bound], pv };
            let word = Word::pack(entry, generation);
            prop_assert_eq!(word.entry(), entry);
            prop_assert_eq!(word.generation(), generation);
            prop_assert_eq!(Entry::from_bits(entry.to_bits()), entry);
            prop_assert!(!word.is_empty());
        }

        #[test]
        fn any_64_bits_read_as_an_entry(bits: u64) {
            // The depth byte 0 is only in foreign words; it reads as a depth below the least.
            let word = Word(bits);
            let entry = word.entry();
            prop_assert!(entry.depth >= MIN_DEPTH - 1);
            if entry.depth >= MIN_DEPTH {
                prop_assert_eq!(Word::pack(entry, word.generation()), word);
            }
        }
    }

    #[test]
    fn depths_out_of_range_are_stored_as_the_nearest() {
        let entry = |depth| Entry {
            mv: Move::NONE,
            score: 0,
            eval: None,
            depth,
            bound: Bound::None,
            pv: false,
        };
        let stored = |depth| Word::pack(entry(depth), 0).entry().depth;
        assert_eq!((stored(i16::MIN), stored(i16::MAX)), (MIN_DEPTH, MAX_DEPTH));
        assert!(!Word::pack(entry(i16::MIN), 0).is_empty());
    }

    #[test]
    fn z15_a_score_is_a_bound_by_its_place_in_the_window() {
        assert_eq!(Bound::of(10, 10, 20), Bound::Upper);
        assert_eq!(Bound::of(11, 10, 20), Bound::Exact);
        assert_eq!(Bound::of(19, 10, 20), Bound::Exact);
        assert_eq!(Bound::of(20, 10, 20), Bound::Lower);
    }

    #[test]
    fn z16_a_deep_entry_narrows_the_window() {
        assert_eq!(Bound::None.narrow(15, 10, 20), (10, 20));
        assert_eq!(Bound::Lower.narrow(15, 10, 20), (15, 20));
        assert_eq!(Bound::Lower.narrow(5, 10, 20), (10, 20));
        assert_eq!(Bound::Upper.narrow(15, 10, 20), (10, 15));
        assert_eq!(Bound::Upper.narrow(25, 10, 20), (10, 20));
        assert_eq!(Bound::Exact.narrow(15, 10, 20), (15, 15));
    }

    #[test]
    fn m5_an_entry_decides_a_null_window() {
        let decide = |bound: Bound| [9, 10, 11].map(|score| bound.decides(score, 10));
        assert_eq!(decide(Bound::None), [false, false, false]);
        assert_eq!(decide(Bound::Upper), [true, false, false]);
        assert_eq!(decide(Bound::Lower), [false, true, true]);
        assert_eq!(decide(Bound::Exact), [true, true, true]);
    }
}
