//! King and pawn against king, solved: one bit for each placement, 24 KB, worked out by retrograde
//! iteration, 64 placements at a time, when the first evaluator is made (less than a millisecond).
//!
//! The side with the pawn is White here and the pawn stands on the files a to d: callers mirror.

use board::attacks;
use board::{Bitboard, Color, Square};
use std::sync::LazyLock;

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

/// Sets of squares of the lone king, by the squares of the pawn and of the king beside it: where the
/// pawn's side wins. A whole set is worked out at once.
struct Sets {
    /// The lone king is to move.
    weak: [[Bitboard; 64]; 24],
    /// The side with the pawn is to move.
    strong: [[Bitboard; 64]; 24],
}

/// The square of a pawn by its number.
fn pawn_square(pawn: usize) -> Square {
    Square::at((pawn % 4) as u8, (pawn / 4) as u8 + 1)
}

/// All squares beside those of a set.
fn beside(set: Bitboard) -> Bitboard {
    let west = Bitboard(set.0 >> 1 & !Bitboard::FILE_H.0);
    let east = Bitboard(set.0 << 1 & !Bitboard::FILE_A.0);
    let row = set | west | east;
    Bitboard(row.0 << 8 | row.0 >> 8) | west | east
}

impl Sets {
    /// Where the lone king, to move, is lost: it can only go where it loses, or is mated.
    fn lost(&self, pawn: usize, strong: Square) -> Bitboard {
        let square = pawn_square(pawn);
        let by_pawn = attacks::pawn(Color::White, square);
        let near = attacks::king(strong) | strong.bb();
        let open = !(near | by_pawn | square.bb());
        let can_move = beside(open);
        let escapes = beside(open.without(self.strong[pawn][strong.index()]));
        let takes = match strong.distance(square) > 1 {
            true => attacks::king(square),
            false => Bitboard::EMPTY,
        };
        let stale = !(can_move | by_pawn);
        (!(near | square.bb())).without(escapes | takes | stale)
    }

    /// Where the lone king is when the side with the pawn, to move, wins.
    fn won(&self, pawn: usize, strong: Square) -> Bitboard {
        let square = pawn_square(pawn);
        let mut won = Bitboard::EMPTY;
        for to in attacks::king(strong).without(square.bb()) {
            won |= self.weak[pawn][to.index()];
        }
        let step = square.offset(8);
        if step != strong {
            won |= match square.rank() {
                6 => promoted(step, strong),
                _ => self.weak[pawn + 4][strong.index()],
            };
            if square.rank() == 1 && step.offset(8) != strong {
                won |= self.weak[pawn + 8][strong.index()].without(step.bb());
            }
        }
        // White is not to move while Black's king is in check, and kings keep apart.
        let near = attacks::king(strong) | strong.bb() | square.bb();
        won.without(near | attacks::pawn(Color::White, square))
    }
}

/// Where the lone king cannot take a pawn that has just promoted.
fn promoted(goal: Square, strong: Square) -> Bitboard {
    let near = if goal.distance(strong) == 1 { Bitboard::EMPTY } else { attacks::king(goal) };
    !(near | goal.bb())
}

/// Goes from the seventh rank down, for each pawn until nothing changes; what is not won then is a
/// draw, or cannot arise.
fn solve() -> Vec<u64> {
    let mut sets = Sets { weak: [[Bitboard::EMPTY; 64]; 24], strong: [[Bitboard::EMPTY; 64]; 24] };
    for pawn in (0..24).rev() {
        let mut changed = true;
        while changed {
            changed = false;
            for index in 0..64 {
                let strong = Square::new(index as u8);
                if strong == pawn_square(pawn) {
                    continue;
                }
                let won = sets.won(pawn, strong);
                changed |= won != sets.strong[pawn][index];
                sets.strong[pawn][index] = won;
                sets.weak[pawn][index] = sets.lost(pawn, strong);
            }
        }
    }
    let sides = [&sets.weak, &sets.strong];
    sides.iter().flat_map(|pawns| pawns.as_flattened()).map(|set| set.0).collect()
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
    fn a_king_on_a_key_square_wins_with_either_side_to_move() {
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
