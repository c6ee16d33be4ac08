//! The keys of the game and of the line so far, for repetitions (M30).
//!
//! Positions are small values and know nothing of their past. The player of moves keeps a `History`
//! beside them: before a move is played the key of the old position is pushed, and when the move is
//! taken back it is popped. The current position is never in it.
//!
//! Only the reversible part of the past can repeat: as far as the half-move clock reaches, and not
//! beyond a null move, which is no move of the game. Keys differ where castling rights or en passant
//! captures differ, as the rules of repetition ask.

mod cuckoo;

use crate::attacks::between;
use crate::{Key, Position};

/// Room for a long game and a deep line: pushing does not allocate.
const RESERVED: usize = 1024;

/// The nearest earlier position that can be the same: both sides move away and back.
const NEAREST: usize = 4;

/// The keys of all earlier positions, the oldest first.
///
/// ```
/// use board::{History, Position};
/// let mut position = Position::startpos();
/// let mut history = History::new();
/// for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
///     let mv = position.parse_uci(text).unwrap();
///     history.push(position.key());
///     position.play(mv);
/// }
/// assert_eq!(history.occurrences(&position), 1);
/// ```
#[derive(Clone, Debug)]
pub struct History {
    keys: Vec<Key>,
    /// How many keys lay before each null move was made, itself included: nothing from before counts.
    fences: Vec<usize>,
}

impl Default for History {
    fn default() -> History {
        History::new()
    }
}

impl History {
    /// Nothing has happened yet.
    pub fn new() -> History {
        History { keys: Vec::with_capacity(RESERVED), fences: Vec::with_capacity(RESERVED / 8) }
    }

    /// How many positions lie before the current one.
    #[inline]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether the current position is the first.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// A move is about to be played in the position with this key.
    #[inline]
    pub fn push(&mut self, key: Key) {
        self.keys.push(key);
    }

    /// A null move is about to be made in the position with this key.
    #[inline]
    pub fn push_null(&mut self, key: Key) {
        self.keys.push(key);
        self.fences.push(self.keys.len());
    }

    /// The last move, null or not, is taken back. Does nothing if there is none.
    #[inline]
    pub fn pop(&mut self) {
        self.keys.pop();
        self.drop_fences();
    }

    /// Goes back to a point at which [`History::len`] was `len`.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        self.keys.truncate(len);
        self.drop_fences();
    }

    /// The keys that lay before the point at which [`History::len`] was `len`, the oldest first: at most
    /// `most` of them, and none from before a null move.
    pub fn before(&self, len: usize, most: usize) -> &[u64] {
        let len = len.min(self.keys.len());
        let fence = self.fences.iter().rev().find(|&&fence| fence <= len).copied().unwrap_or(0);
        &self.keys[fence.max(len.saturating_sub(most))..len]
    }

    /// Forgets everything, and keeps the memory.
    pub fn clear(&mut self) {
        self.truncate(0);
    }

    #[inline]
    fn drop_fences(&mut self) {
        while self.fences.last().is_some_and(|&fence| fence > self.keys.len()) {
            self.fences.pop();
        }
    }

    /// How many half-moves back the past can repeat.
    #[inline]
    fn reversible(&self, position: &Position) -> usize {
        let since_null = self.keys.len() - self.fences.last().copied().unwrap_or(0);
        since_null.min(position.halfmove_clock() as usize)
    }

    /// The key `distance` half-moves before the current position.
    #[inline]
    fn key_before(&self, distance: usize) -> u64 {
        self.keys[self.keys.len() - distance]
    }

    /// How often the current position has occurred before.
    pub fn occurrences(&self, position: &Position) -> usize {
        let key = position.key();
        let reversible = self.reversible(position);
        (NEAREST..=reversible).step_by(2).filter(|&back| self.key_before(back) == key).count()
    }

    /// Whether a search may call the current position, `ply` half-moves below its root, a draw: it has
    /// occurred once before inside the tree, or twice up to the root.
    ///
    /// Inside the tree once is enough: the side that could avoid the repetition would have done so the first
    /// time. The root counts as played: the game may still want to come back to it once.
    #[inline]
    pub fn is_repetition(&self, position: &Position, ply: usize) -> bool {
        let reversible = self.reversible(position);
        if reversible < NEAREST {
            return false;
        }
        let key = position.key();
        let mut before_root = 0;
        let mut back = NEAREST;
        while back <= reversible {
            if self.key_before(back) == key {
                before_root += 1;
                if back < ply || before_root == 2 {
                    return true;
                }
            }
            back += 2;
        }
        false
    }

    /// Whether the side to move can play a move after which [`History::is_repetition`] holds, `ply`
    /// half-moves below the root: it has at least a draw.
    ///
    /// No move is tried (Marcel van Kervinck's idea): two positions that one move connects differ in
    /// the numbers of that move alone, so the difference of two keys is looked up in a table of all
    /// reversible moves. The way must be free and the man ours. The move is legal then, as it ends in
    /// a position that has been on the board.
    #[inline]
    pub fn has_upcoming_repetition(&self, position: &Position, ply: usize) -> bool {
        let reversible = self.reversible(position);
        if reversible < NEAREST - 1 {
            return false;
        }
        let key = position.key();
        let mut back = NEAREST - 1;
        while back <= reversible {
            let earlier = self.key_before(back);
            if let Some((from, to)) = cuckoo::find(key ^ earlier) {
                let ours = position.color(position.side_to_move());
                let is_possible = !between(from, to).meets(position.occupied())
                    && ours.meets(from.bb() | to.bb());
                let is_enough = back < ply || self.occurs(earlier, back + 2, reversible);
                if is_possible && is_enough {
                    return true;
                }
            }
            back += 2;
        }
        false
    }

    /// Whether a key stands among those of the same side to move, from one distance to another.
    fn occurs(&self, key: Key, from: usize, to: usize) -> bool {
        (from..=to).step_by(2).any(|back| self.key_before(back) == key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays moves in coordinates; `0000` is a null move.
    fn play(position: &mut Position, history: &mut History, moves: &str) {
        for text in moves.split_whitespace() {
            if text == "0000" {
                history.push_null(position.key());
                *position = position.make_null();
            } else {
                let mv = position.parse_uci(text).unwrap();
                history.push(position.key());
                position.play(mv);
            }
        }
    }

    #[test]
    fn once_in_the_tree_or_twice_before_the_root() {
        let (mut position, mut history) = (Position::startpos(), History::new());
        let shuffle = "g1f3 g8f6 f3g1 f6g8";
        play(&mut position, &mut history, shuffle);
        assert_eq!(history.occurrences(&position), 1);
        assert!(!history.is_repetition(&position, 0));
        assert!(!history.is_repetition(&position, 4), "the root itself counts as played");
        assert!(history.is_repetition(&position, 5));
        play(&mut position, &mut history, shuffle);
        assert_eq!(history.occurrences(&position), 2);
        assert!(history.is_repetition(&position, 0));
    }

    #[test]
    fn a_null_move_breaks_the_chain_until_it_is_taken_back() {
        let (mut position, mut history) = (Position::startpos(), History::new());
        play(&mut position, &mut history, "g1f3 g8f6 f3g1 0000 g1f3 f6g8 f3g1 g8f6");
        assert_eq!(history.occurrences(&position), 1);
        history.pop();
        let before = history.len();
        play(&mut position, &mut history, "0000");
        assert_eq!(history.occurrences(&position), 0);
        history.truncate(before);
        assert_eq!(history.fences, [4]);
        history.truncate(3);
        assert!(history.fences.is_empty());
        history.clear();
        history.pop();
        assert!(history.is_empty());
    }

    #[test]
    fn lost_castling_rights_and_pawn_moves_make_positions_new() {
        let start = Position::from_fen("r3k3/8/8/8/8/8/P7/4K2R w Kq - 0 1").unwrap();
        let (mut position, mut history) = (start, History::new());
        play(&mut position, &mut history, "e1e2 e8e7 e2e1 e7e8");
        assert_eq!(history.occurrences(&position), 0);
        play(&mut position, &mut history, "e1e2 e8e7 e2e1 e7e8");
        assert_eq!(history.occurrences(&position), 1);
        play(&mut position, &mut history, "a2a3");
        assert_eq!(history.occurrences(&position), 0);
    }

    #[test]
    fn a_clock_without_its_history_is_no_danger() {
        let position = Position::startpos().with_clocks(80, 60);
        assert_eq!(History::new().occurrences(&position), 0);
        assert!(!History::new().is_repetition(&position, 9));
        assert!(!History::new().has_upcoming_repetition(&position, 9));
    }
}
