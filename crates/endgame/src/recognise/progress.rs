//! How far a winner has come (D67, the thesis's Table 3.6, from DarkThought).
//!
//! The formulas count in sixteenths of a pawn. The thesis lost the bars of |mbal|: it is the absolute
//! difference of material. Endings of three men, which the table leaves out, are scored like the
//! nearest one of four. Three formulas differ from the printed ones because games by these were not won
//! in time: in KBNK the corner distance, its weight (a quarter there) and the knight's distance, in KQKR
//! the weight of the kings' distance (an eighth), and against a pawn the winner's king must come to it.
//! Where the stage of a win is known ([`super::stages`]) a formula only orders what lies within it.

use super::pawns_worth;
use board::{Bitboard, Color, PieceKind, Position, Square};

const PAWN: i32 = 16;
const HALF: i32 = PAWN / 2;
const QUARTER: i32 = PAWN / 4;
const EIGHTH: i32 = PAWN / 8;
const SIXTEENTH: i32 = PAWN / 16;

/// The score of the winner in centipawns, at least 0.
pub fn of(position: &Position, winner: Color) -> i32 {
    let context = ProgressContext::new(position, winner);
    (context.sixteenths() * 100 / PAWN).max(0)
}

/// The parts that the formulas speak of.
struct ProgressContext<'a> {
    position: &'a Position,
    winner: Color,
    own_king: Square,
    losing_king: Square,
    /// The men beside the kings.
    own: Vec<(PieceKind, Square)>,
    theirs: Vec<(PieceKind, Square)>,
}

fn distance(one: Square, other: Square) -> i32 {
    i32::from(one.distance(other))
}

/// Steps to the nearest edge, 0 to 3.
fn edge_distance(square: Square) -> i32 {
    let near = |coordinate: u8| i32::from(coordinate.min(7 - coordinate));
    near(square.file()).min(near(square.rank()))
}

/// Steps along ranks and files to the nearer corner of the bishop's colour, 0 to 7. The thesis does not
/// say how its distance is counted: with king moves the way along the edge from the wrong corner to the
/// right one would not show as progress, and most games are not won.
fn bishop_corner_distance(square: Square, bishop: Square) -> i32 {
    let file = if Bitboard::DARK.has(bishop) { square.file() } else { 7 - square.file() };
    let steps = i32::from(file + square.rank());
    steps.min(14 - steps)
}

/// King moves to the nearest of some corners.
fn corner_distance(square: Square, corners: &[Square]) -> i32 {
    corners.iter().map(|&corner| distance(square, corner)).min().unwrap_or(0)
}

fn corners() -> [Square; 4] {
    [Square::at(0, 0), Square::at(7, 0), Square::at(0, 7), Square::at(7, 7)]
}

impl<'a> ProgressContext<'a> {
    fn new(position: &'a Position, winner: Color) -> ProgressContext<'a> {
        let men = |color: Color| {
            let kinds = PieceKind::ALL.into_iter().take(5).rev();
            let pairs =
                kinds.flat_map(|kind| position.men(color, kind).map(move |square| (kind, square)));
            pairs.collect::<Vec<_>>()
        };
        ProgressContext {
            position,
            winner,
            own_king: position.king(winner),
            losing_king: position.king(!winner),
            own: men(winner),
            theirs: men(!winner),
        }
    }

    /// The absolute difference of material.
    fn balance(&self) -> i32 {
        let sum = |color: Color| {
            let men =
                self.position.color(color).filter_map(|square| self.position.piece_on(square));
            men.map(pawns_worth).sum::<i32>()
        };
        (sum(self.winner) - sum(!self.winner)).abs() * PAWN
    }

    fn between_kings(&self) -> i32 {
        distance(self.losing_king, self.own_king)
    }

    fn to_loser(&self, square: Square) -> i32 {
        distance(self.losing_king, square)
    }

    /// Ranks that a pawn of a side has gone.
    fn advance(&self, color: Color, square: Square) -> i32 {
        i32::from(square.rank_for(color)) - 1
    }

    fn sixteenths(&self) -> i32 {
        match (&self.own[..], &self.theirs[..]) {
            (own, []) => self.against_bare_king(own),
            ([one], [other]) => self.one_against_one(*one, *other),
            _ => self.balance() + 4 * PAWN - EIGHTH * edge_distance(self.losing_king),
        }
    }

    /// KBBK, KBNK, KPPK, KXZK, KYPK; and KQK, KRK, KPK.
    fn against_bare_king(&self, own: &[(PieceKind, Square)]) -> i32 {
        use PieceKind::{Bishop, Knight, Pawn};
        let loser = self.losing_king;
        let kings = self.between_kings();
        let edge = edge_distance(loser);
        match *own {
            [(Bishop, _), (Bishop, _)] => {
                self.balance() + 5 * HALF
                    - QUARTER * corner_distance(loser, &corners())
                    - EIGHTH * kings
            }
            [(Bishop, bishop), (Knight, knight)] => {
                self.balance()
                    - HALF
                    - HALF * bishop_corner_distance(loser, bishop)
                    - EIGHTH * kings
                    - SIXTEENTH * self.to_loser(knight)
            }
            [(Pawn, one), (Pawn, other)] => {
                let far = self.advance(self.winner, one).max(self.advance(self.winner, other));
                8 * PAWN + QUARTER * far - EIGHTH * edge - SIXTEENTH * kings
            }
            [(Bishop | Knight, _), (Pawn, pawn)] | [(Pawn, pawn)] => {
                self.balance()
                    + 4 * PAWN
                    + QUARTER * self.advance(self.winner, pawn)
                    + SIXTEENTH * self.to_loser(pawn)
                    - EIGHTH * edge
                    - SIXTEENTH * kings
            }
            _ => {
                let pawn = own.iter().find(|(kind, _)| *kind == Pawn);
                let advance = pawn.map_or(0, |&(_, square)| self.advance(self.winner, square));
                self.balance() + 4 * PAWN + EIGHTH * advance - QUARTER * edge - SIXTEENTH * kings
            }
        }
    }

    /// One man against one, the winner's first.
    fn one_against_one(&self, own: (PieceKind, Square), theirs: (PieceKind, Square)) -> i32 {
        use PieceKind::{Knight, Pawn, Queen, Rook};
        let loser = self.losing_king;
        let kings = SIXTEENTH * self.between_kings();
        let edge = edge_distance(loser);
        let (own_kind, own_square) = own;
        let (their_kind, their_square) = theirs;
        let away = self.to_loser(their_square);
        match (own_kind, their_kind) {
            (Pawn, Pawn) => {
                4 * PAWN
                    + QUARTER * self.advance(self.winner, own_square)
                    + SIXTEENTH * self.to_loser(own_square)
                    - EIGHTH * distance(self.own_king, their_square)
            }
            (Rook, Queen) => 8 * PAWN + EIGHTH * away - QUARTER * edge - kings,
            (Queen, Rook) => {
                4 * PAWN + EIGHTH * away
                    - EIGHTH * edge
                    - EIGHTH * corner_distance(loser, &corners())
                    - QUARTER * self.between_kings()
            }
            (Pawn, Queen | Rook) => {
                self.balance() - 2 * PAWN
                    + QUARTER * away
                    + QUARTER * self.advance(self.winner, own_square)
                    - EIGHTH * edge
                    - kings
            }
            (Queen | Rook, Pawn) => {
                self.balance() - 3 * HALF + EIGHTH * away
                    - QUARTER * self.advance(!self.winner, their_square)
                    - EIGHTH * edge
                    - kings
                    - QUARTER * distance(self.own_king, their_square)
            }
            (Queen | Rook, Queen | Rook) => {
                let queens = if own_kind == Queen { 4 * PAWN } else { 0 };
                8 * PAWN + queens + QUARTER * away - EIGHTH * edge - kings
            }
            (Queen | Rook, _) => {
                let queen = if own_kind == Queen { PAWN } else { 0 };
                let rook = if (own_kind, their_kind) == (Rook, Knight) { PAWN } else { 0 };
                self.balance() + 2 * PAWN + queen + rook + QUARTER * away - EIGHTH * edge - kings
            }
            (Pawn, _) => {
                2 * PAWN
                    + QUARTER * self.advance(self.winner, own_square)
                    + SIXTEENTH * away
                    + SIXTEENTH * self.to_loser(own_square)
                    - EIGHTH * edge
                    - kings
            }
            _ => 2 * PAWN - EIGHTH * edge - kings,
        }
    }
}
