//! A board of 16 times 8 squares, of which half lie outside (0x88, D10): the form that Steenhuisen names as worth
//! a trial. A step that leaves the board sets a bit of 0x88, so no edge is ever asked for, and the difference of
//! two squares tells which men can reach one from the other.
//!
//! It has lists of men, makes and takes back moves, and tests after a move whether the king is attacked, as
//! programs of that kind do.

use crate::libraries::Library;
use board::{Bitboard, Color, MoveKind, Position, Square};
use std::hint::black_box;

/// Bits that a square outside the board has.
const OUTSIDE: u8 = 0x88;
/// Marks a man that was taken.
const GONE: u8 = 0xff;
/// Men of a side at most.
const MEN: usize = 16;

const PAWN: u8 = 1;
const KNIGHT: u8 = 2;
const BISHOP: u8 = 3;
const ROOK: u8 = 4;
const QUEEN: u8 = 5;
const KING: u8 = 6;
/// Set for Black's men.
const BLACK: u8 = 8;

const DIAGONALS: [i8; 4] = [15, 17, -15, -17];
const STRAIGHTS: [i8; 4] = [1, 16, -1, -16];
const LEAPS: [i8; 8] = [14, 18, 31, 33, -14, -18, -31, -33];
const ALL: [i8; 8] = [15, 17, -15, -17, 1, 16, -1, -16];

/// Where two squares lie to each other: who reaches the second from the first, by which step.
#[derive(Clone, Copy)]
struct Relation {
    men: u8,
    step: i8,
}

const REACHES_DIAGONALLY: u8 = 1;
const REACHES_STRAIGHT: u8 = 2;
const REACHES_BY_LEAP: u8 = 4;
const TOUCHES: u8 = 8;

/// By the difference of the squares plus 119.
static RELATIONS: [Relation; 239] = relations();

const fn relations() -> [Relation; 239] {
    let mut all = [Relation { men: 0, step: 0 }; 239];
    let mut way = 0;
    while way < 8 {
        let step = ALL[way];
        let mut length = 1;
        while length < 8 {
            let place = (119 + step as i32 * length) as usize;
            let men = if way < 4 { REACHES_DIAGONALLY } else { REACHES_STRAIGHT };
            all[place] = Relation { men: if length == 1 { men | TOUCHES } else { men }, step };
            length += 1;
        }
        all[(119 + LEAPS[way] as i32) as usize] = Relation { men: REACHES_BY_LEAP, step: 0 };
        way += 1;
    }
    all
}

/// A move; castling moves the king, and the rook follows.
#[derive(Clone, Copy)]
struct Step {
    from: u8,
    to: u8,
    promotion: u8,
    kind: MoveKind,
}

/// What a move destroys.
struct Lost {
    man: u8,
    square: u8,
    place: u8,
    rights: u8,
    en_passant: u8,
}

/// The board.
#[derive(Clone)]
pub struct Board {
    squares: [u8; 128],
    places: [u8; 128],
    lists: [[u8; MEN]; 2],
    counts: [usize; 2],
    side: usize,
    /// King's and queen's side of White, then of Black.
    rights: u8,
    en_passant: u8,
}

impl Board {
    fn of(position: &Position) -> Board {
        let mut board = Board {
            squares: [0; 128],
            places: [0; 128],
            lists: [[GONE; MEN]; 2],
            counts: [0; 2],
            side: position.side_to_move().index(),
            rights: 0,
            en_passant: position.en_passant().map_or(GONE, wide),
        };
        // The king first: its place in the list is always 0.
        let kings = Color::ALL.map(|color| position.king(color));
        let others = Bitboard::FULL.filter(|square| !kings.contains(square));
        for square in kings.into_iter().chain(others) {
            let Some(piece) = position.piece_on(square) else { continue };
            let (side, at) = (piece.color().index(), wide(square));
            board.squares[at as usize] = piece.kind().index() as u8 + 1 + BLACK * side as u8;
            board.places[at as usize] = board.counts[side] as u8;
            board.lists[side][board.counts[side]] = at;
            board.counts[side] += 1;
        }
        for color in Color::ALL {
            for rook in position.castling_rooks(color) {
                let wing = u8::from(rook.file() < position.king(color).file());
                board.rights |= 1 << (2 * color.index() as u8 + wing);
            }
        }
        board
    }

    /// Whether a side attacks a square: every man is asked by the difference alone.
    fn is_attacked(&self, target: u8, by: usize) -> bool {
        self.lists[by][..self.counts[by]].iter().any(|&from| {
            if from == GONE {
                return false;
            }
            let difference = i16::from(target) - i16::from(from);
            let Relation { men, step } = RELATIONS[(difference + 119) as usize];
            let slides = match self.squares[from as usize] & 7 {
                PAWN => {
                    return men & TOUCHES != 0
                        && matches!((difference, by), (15 | 17, 0) | (-15 | -17, 1));
                }
                KNIGHT => return men & REACHES_BY_LEAP != 0,
                KING => return men & TOUCHES != 0,
                BISHOP => REACHES_DIAGONALLY,
                ROOK => REACHES_STRAIGHT,
                _ => REACHES_DIAGONALLY | REACHES_STRAIGHT,
            };
            men & slides != 0 && {
                let mut at = from.wrapping_add_signed(step);
                while at != target && self.squares[at as usize] == 0 {
                    at = at.wrapping_add_signed(step);
                }
                at == target
            }
        })
    }

    /// Calls `visit` with every move that may leave the king attacked.
    fn pseudo_legal(&self, mut visit: impl FnMut(Step)) {
        for &from in
            self.lists[self.side][..self.counts[self.side]].iter().filter(|&&at| at != GONE)
        {
            let (steps, slides): (&[i8], bool) = match self.squares[from as usize] & 7 {
                PAWN => {
                    self.pawn(from, &mut visit);
                    continue;
                }
                KNIGHT => (&LEAPS, false),
                BISHOP => (&DIAGONALS, true),
                ROOK => (&STRAIGHTS, true),
                QUEEN => (&ALL, true),
                _ => (&ALL, false),
            };
            for &step in steps {
                let mut to = from.wrapping_add_signed(step);
                while to & OUTSIDE == 0 {
                    let there = self.squares[to as usize];
                    if there == 0 || self.owner(there) != self.side {
                        visit(Step { from, to, promotion: 0, kind: MoveKind::Normal });
                    }
                    if there != 0 || !slides {
                        break;
                    }
                    to = to.wrapping_add_signed(step);
                }
            }
        }
        self.castling(&mut visit);
    }

    fn pawn(&self, from: u8, visit: &mut impl FnMut(Step)) {
        let forward: i8 = if self.side == 0 { 16 } else { -16 };
        let one = from.wrapping_add_signed(forward);
        let mut advance = |to: u8, kind| {
            if matches!(to >> 4, 0 | 7) {
                for promotion in [QUEEN, ROOK, BISHOP, KNIGHT] {
                    visit(Step { from, to, promotion, kind });
                }
            } else {
                visit(Step { from, to, promotion: 0, kind });
            }
        };
        if self.squares[one as usize] == 0 {
            advance(one, MoveKind::Normal);
            let two = one.wrapping_add_signed(forward);
            if from >> 4 == (if self.side == 0 { 1 } else { 6 }) && self.squares[two as usize] == 0
            {
                advance(two, MoveKind::Normal);
            }
        }
        for to in
            [one.wrapping_sub(1), one.wrapping_add(1)].into_iter().filter(|to| to & OUTSIDE == 0)
        {
            let there = self.squares[to as usize];
            if there != 0 && self.owner(there) != self.side {
                advance(to, MoveKind::Normal);
            } else if to == self.en_passant {
                advance(to, MoveKind::EnPassant);
            }
        }
    }

    fn castling(&self, visit: &mut impl FnMut(Step)) {
        let king = self.lists[self.side][0];
        for (wing, step, between) in [(0, 1i8, 2), (1, -1, 3)] {
            let free = |far| self.squares[king.wrapping_add_signed(step * far) as usize] == 0;
            let safe = |far| !self.is_attacked(king.wrapping_add_signed(step * far), 1 - self.side);
            let right = self.rights >> (2 * self.side + wing) & 1 == 1;
            if right && (1..=between).all(free) && safe(0) && safe(1) {
                let to = king.wrapping_add_signed(2 * step);
                visit(Step { from: king, to, promotion: 0, kind: MoveKind::Castling });
            }
        }
    }

    fn owner(&self, man: u8) -> usize {
        usize::from(man & BLACK != 0)
    }

    fn shift(&mut self, from: u8, to: u8) {
        let (man, place) = (self.squares[from as usize], self.places[from as usize]);
        let side = self.owner(man);
        (self.squares[to as usize], self.places[to as usize]) = (man, place);
        self.lists[side][place as usize] = to;
        self.squares[from as usize] = 0;
    }

    /// Makes a move; `false` if it leaves the king attacked. It must be taken back either way.
    fn make(&mut self, step: Step) -> (Lost, bool) {
        let Step { from, to, promotion, kind } = step;
        let taken = if kind == MoveKind::EnPassant { (from & 0x70) | (to & 7) } else { to };
        let (man, place) = (self.squares[taken as usize], self.places[taken as usize]);
        let (rights, en_passant) = (self.rights, self.en_passant);
        let lost = Lost { man, square: taken, place, rights, en_passant };
        if man != 0 {
            self.lists[1 - self.side][place as usize] = GONE;
            self.squares[taken as usize] = 0;
        }
        let pawn = self.squares[from as usize] & 7 == PAWN;
        self.shift(from, to);
        if promotion != 0 {
            self.squares[to as usize] = promotion + BLACK * self.side as u8;
        }
        if kind == MoveKind::Castling {
            let (corner, beside) = rook_ways(from, to);
            self.shift(corner, beside);
        }
        self.rights &= kept_rights(from) & kept_rights(to);
        self.en_passant = if pawn && from.abs_diff(to) == 32 { from.midpoint(to) } else { GONE };
        self.side = 1 - self.side;
        let legal = !self.is_attacked(self.lists[1 - self.side][0], self.side);
        (lost, legal)
    }

    fn take_back(&mut self, step: Step, lost: &Lost) {
        self.side = 1 - self.side;
        if step.kind == MoveKind::Castling {
            let (corner, beside) = rook_ways(step.from, step.to);
            self.shift(beside, corner);
        }
        self.shift(step.to, step.from);
        if step.promotion != 0 {
            self.squares[step.from as usize] = PAWN + BLACK * self.side as u8;
        }
        if lost.man != 0 {
            self.squares[lost.square as usize] = lost.man;
            self.places[lost.square as usize] = lost.place;
            self.lists[1 - self.side][lost.place as usize] = lost.square;
        }
        (self.rights, self.en_passant) = (lost.rights, lost.en_passant);
    }

    /// Counts the leaves; the legality of the last moves is only known when they are played.
    fn count(&mut self, depth: u32) -> u64 {
        let (mut moves, mut length) =
            ([Step { from: 0, to: 0, promotion: 0, kind: MoveKind::Normal }; 256], 0);
        self.pseudo_legal(|step| {
            moves[length] = step;
            length += 1;
        });
        let mut nodes = 0;
        for &step in &moves[..length] {
            let (lost, legal) = self.make(step);
            if legal {
                nodes += match depth {
                    1 => {
                        black_box(&*self);
                        1
                    }
                    _ => self.count(depth - 1),
                };
            }
            self.take_back(step, &lost);
        }
        nodes
    }
}

/// Where the rook of a castling king comes from and goes to.
fn rook_ways(from: u8, to: u8) -> (u8, u8) {
    if to > from { (from + 3, from + 1) } else { (from - 4, from - 1) }
}

/// The rights that a move from or to a square leaves.
fn kept_rights(square: u8) -> u8 {
    !match square {
        0x04 => 0b0011,
        0x07 => 0b0001,
        0x00 => 0b0010,
        0x74 => 0b1100,
        0x77 => 0b0100,
        0x70 => 0b1000,
        _ => 0,
    }
}

/// A square of the wide board.
fn wide(square: Square) -> u8 {
    16 * square.rank() + square.file()
}

/// The wide board as a library.
pub struct Mailbox;

impl Library for Mailbox {
    const NAME: &'static str = "0x88";
    type Board = Board;

    fn parse(fen: &str) -> Result<Board, String> {
        Position::from_fen(fen)
            .map(|position| Board::of(&position))
            .map_err(|error| error.to_string())
    }

    fn bulk(board: &Board, depth: u32) -> u64 {
        board.clone().count(depth)
    }

    fn playing_all(board: &Board, depth: u32) -> u64 {
        board.clone().count(depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d10_the_wide_board_counts_what_the_bitboards_count() {
        let suite = include_str!("../../../testdata/perft/cpw6.epd");
        for line in suite.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let fen = line.split(';').next().expect("a position").trim();
            let position = Position::from_fen(fen).expect(fen);
            let board = Mailbox::parse(fen).expect(fen);
            for depth in 1..=4 {
                let expected = board::perft::perft(&position, depth);
                assert_eq!(Mailbox::bulk(&board, depth), expected, "{fen} {depth}");
            }
        }
    }
}
