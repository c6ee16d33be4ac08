//! King and pawn against king, solved: one bit for each placement, 24 KB, worked out by retrograde
//! iteration when the first evaluator is made (some milliseconds).
//!
//! The side with the pawn is White here and the pawn stands on the files a to d: callers mirror.

use board::attacks;
use board::{Bitboard, Color, Square};
use std::sync::LazyLock;

/// Two sides to move, 24 pawn squares, 64 × 64 king squares.
const SIZE: usize = 2 * 24 * 64 * 64;

static WINS: LazyLock<Vec<u64>> = LazyLock::new(solve);

/// Solves the ending now, so that no search waits for it later.
pub fn prepare() {
    LazyLock::force(&WINS);
}

/// Whether the side with the pawn wins. The squares are as it sees them: its pawn goes up the board.
pub fn wins(strong_king: Square, pawn: Square, weak_king: Square, strong_to_move: bool) -> bool {
    let mirrored = pawn.file() > 3;
    let fold = |square: Square| if mirrored { square.mirror() } else { square };
    let index = index(strong_to_move, fold(pawn), fold(strong_king), fold(weak_king));
    WINS.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 != 0)
}

/// The number of a placement; the pawn is on files a to d and ranks 2 to 7.
fn index(strong_to_move: bool, pawn: Square, strong: Square, weak: Square) -> usize {
    let pawn = (usize::from(pawn.rank()) - 1) * 4 + usize::from(pawn.file());
    ((usize::from(strong_to_move) * 24 + pawn) * 64 + strong.index()) * 64 + weak.index()
}

/// A placement.
#[derive(Clone, Copy)]
struct Placement {
    strong_to_move: bool,
    pawn: Square,
    strong: Square,
    weak: Square,
}

/// What is known about a placement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Unknown,
    Win,
    /// A draw, or a placement that cannot arise: nobody wins by going there.
    NoWin,
}

impl Placement {
    fn from_index(index: usize) -> Placement {
        let pawn = index >> 12;
        let pawn_square = Square::at((pawn % 4) as u8, (pawn / 4 % 6) as u8 + 1);
        Placement {
            strong_to_move: pawn >= 24,
            pawn: pawn_square,
            strong: Square::new((index >> 6 & 63) as u8),
            weak: Square::new((index & 63) as u8),
        }
    }

    /// What the placement is without looking ahead further than a promotion or a capture.
    fn first_look(self) -> State {
        let Placement { strong_to_move, pawn, strong, weak } = self;
        let by_pawn = attacks::pawn(Color::White, pawn);
        if strong.distance(weak) <= 1
            || strong == pawn
            || weak == pawn
            || strong_to_move && by_pawn.has(weak)
        {
            return State::NoWin;
        }
        let goal = pawn.offset(8);
        if strong_to_move && pawn.rank() == 6 && goal != strong && goal != weak {
            // It promotes and is not taken.
            if goal.distance(weak) > 1 || goal.distance(strong) == 1 {
                return State::Win;
            }
        }
        let taken = attacks::king(weak).has(pawn) && strong.distance(pawn) > 1;
        if !strong_to_move && (taken || self.weak_moves().is_empty() && !by_pawn.has(weak)) {
            return State::NoWin;
        }
        State::Unknown
    }

    /// Where the lone king may go, captures aside.
    fn weak_moves(self) -> Bitboard {
        let covered = attacks::king(self.strong) | attacks::pawn(Color::White, self.pawn);
        attacks::king(self.weak).without(covered | self.pawn.bb())
    }

    /// What follows from the placements one move on.
    fn look_ahead(self, states: &[State]) -> State {
        let Placement { strong_to_move, pawn, strong, weak } = self;
        if !strong_to_move {
            let mut state = State::Win;
            for to in self.weak_moves() {
                match states[index(true, pawn, strong, to)] {
                    State::NoWin => return State::NoWin,
                    State::Unknown => state = State::Unknown,
                    State::Win => (),
                }
            }
            return state;
        }
        let mut state = State::NoWin;
        let mut see = |index: usize| match states[index] {
            State::Win => state = State::Win,
            State::Unknown if state == State::NoWin => state = State::Unknown,
            _ => (),
        };
        for to in attacks::king(strong).without(attacks::king(weak) | pawn.bb()) {
            see(index(false, pawn, to, weak));
        }
        let step = pawn.offset(8);
        if pawn.rank() < 6 && step != strong && step != weak {
            see(index(false, step, strong, weak));
            let double = step.offset(8);
            if pawn.rank() == 1 && double != strong && double != weak {
                see(index(false, double, strong, weak));
            }
        }
        state
    }
}

/// Goes round until nothing changes; what is unknown then is a draw.
fn solve() -> Vec<u64> {
    let mut states: Vec<State> =
        (0..SIZE).map(|index| Placement::from_index(index).first_look()).collect();
    loop {
        let mut changed = false;
        for index in 0..SIZE {
            if states[index] == State::Unknown {
                states[index] = Placement::from_index(index).look_ahead(&states);
                changed |= states[index] != State::Unknown;
            }
        }
        if !changed {
            break;
        }
    }
    let mut wins = vec![0u64; SIZE / 64];
    for (index, state) in states.iter().enumerate() {
        wins[index / 64] |= u64::from(*state == State::Win) << (index % 64);
    }
    wins
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(text: &str) -> Square {
        Square::parse(text.as_bytes()).expect("a square")
    }

    fn white_wins(strong: &str, pawn: &str, weak: &str, strong_to_move: bool) -> bool {
        wins(square(strong), square(pawn), square(weak), strong_to_move)
    }

    #[test]
    fn a_king_on_a_key_square_wins_whoever_moves() {
        for to_move in [true, false] {
            assert!(white_wins("e6", "e5", "e8", to_move));
            assert!(white_wins("d6", "e5", "e8", to_move));
        }
    }

    #[test]
    fn the_opposition_decides_in_front_of_a_pawn_on_the_fourth() {
        assert!(white_wins("e5", "e4", "e7", false));
        assert!(!white_wins("e5", "e4", "e7", true));
    }

    #[test]
    fn a_rook_pawn_draws_when_the_king_reaches_the_corner() {
        assert!(!white_wins("g6", "h5", "h8", true));
        assert!(!white_wins("b6", "a5", "a8", true));
        assert!(white_wins("b7", "a5", "d7", true));
    }

    #[test]
    fn a_pawn_outside_the_square_runs_home() {
        assert!(white_wins("a1", "h5", "a5", true));
        assert!(!white_wins("a1", "h2", "f3", false));
    }

    #[test]
    fn the_number_of_wins_is_the_known_one() {
        // 111 282 of the 196 608 placements on the half board are won for the pawn's side: the
        // number that other solutions publish.
        let count: u32 = WINS.iter().map(|word| word.count_ones()).sum();
        assert_eq!(count, 111_282);
    }
}
