//! Exchange evaluation (D35): what a move wins or loses on its target square.
//!
//! After the move both sides may capture on that square, in turns, and either may stop. Each captures
//! with its least valuable man that legally can. Men behind others on a line join when the way is
//! free. What is exact, and what is not:
//!
//! - Legality is exact at every step. A man may not leave a line between its king and an enemy slider
//!   as long as that slider is there, whether the pin was there from the beginning or has just come
//!   about; a discovered check must be answered; the king takes only what is not defended.
//! - A pawn that captures on its last rank becomes a queen.
//! - Only the order is a rule of thumb: "least valuable first" is nearly always, not always, best.
//!   (A knight taking before a bishop may open a line for the other side.) Against a minimax over all
//!   orders fewer than one move in a thousand differs; the tests measure it.

use crate::attacks::{self, Isa, Kernel, between, dispatch};
use crate::{Bitboard, Color, Move, MoveKind, PieceKind, Position, Square};
use std::cmp::Ordering;

/// What the men are worth in an exchange, by [`PieceKind::index`].
///
/// Minor pieces are equal, so that giving one for the other is level. The king's value is never
/// won or lost, as it captures only what is undefended; it is larger than everything else together.
pub const SEE_VALUES: [i32; 6] = [100, 300, 300, 500, 900, 20_000];

/// What a pawn gains by becoming a queen.
const QUEENING: i32 = SEE_VALUES[PieceKind::Queen.index()] - SEE_VALUES[PieceKind::Pawn.index()];

/// No exchange wins or loses as much: thresholds beyond it are the same as this one.
const BEYOND: i32 = 1_000_000;

/// More captures on one square than there are men.
const MOST_CAPTURES: usize = 32;

/// What the first move wins at once, and what it puts at risk on the target square.
struct Opening {
    gain: i32,
    risk: i32,
}

/// The state of an exchange between two captures.
#[derive(Clone, Copy)]
struct Exchange<'a> {
    position: &'a Position,
    target: Square,
    /// What is left on the board, the target square always included.
    occupied: Bitboard,
    /// Who looks at the target square, of both sides.
    attackers: Bitboard,
}

impl<'a> Exchange<'a> {
    /// The exchange after the first move.
    #[inline(always)]
    fn begin<I: Isa>(isa: I, position: &'a Position, mv: Move) -> Exchange<'a> {
        let (from, target) = (mv.from(), mv.to());
        let mut occupied = position.occupied().without(from.bb()) | target.bb();
        if mv.kind() == MoveKind::EnPassant {
            occupied ^= Square::at(target.file(), from.rank()).bb();
        }
        let attackers = position.attackers(isa, target, occupied) & occupied;
        Exchange { position, target, occupied, attackers }
    }

    /// Takes the least valuable man of a side that may capture out of the exchange, and says what kind
    /// it was. It stands on the target square now; [`Exchange::uncover`] lets the men behind it join.
    #[inline(always)]
    fn capture<I: Isa>(&mut self, isa: I, side: Color) -> Option<PieceKind> {
        let ours = self.attackers & self.position.color(side);
        if ours.is_empty() {
            return None;
        }
        let snipers = aligned_sliders(self.position, side);
        // Plain loops: closures and adapters of iterators are compiled outside the kernel.
        let mut index = 0;
        while index < PieceKind::ALL.len() {
            let kind = PieceKind::ALL[index];
            index += 1;
            for from in ours & self.position.kind(kind) {
                let after = self.occupied ^ from.bb();
                let is_legal = match kind {
                    PieceKind::King => {
                        let seen = self.attackers | self.uncovered(isa, kind, after);
                        !(seen & after).meets(self.position.color(!side))
                    }
                    _ => self.leaves_king_safe(side, snipers, after),
                };
                if is_legal {
                    self.occupied = after;
                    self.attackers &= after;
                    return Some(kind);
                }
            }
        }
        None
    }

    /// Lets the men join that stood behind the last one that captured. Most exchanges are decided before
    /// it matters.
    #[inline(always)]
    fn uncover<I: Isa>(&mut self, isa: I, kind: PieceKind) {
        self.attackers |= self.uncovered(isa, kind, self.occupied) & self.occupied;
    }

    /// Sliders that look at the target square once a man of this kind has left its line to it.
    #[inline(always)]
    fn uncovered<I: Isa>(&self, isa: I, kind: PieceKind, after: Bitboard) -> Bitboard {
        let queens = self.position.kind(PieceKind::Queen);
        let mut joining = Bitboard::EMPTY;
        if !matches!(kind, PieceKind::Knight | PieceKind::Rook) {
            let diagonal = self.position.kind(PieceKind::Bishop) | queens;
            joining |= isa.bishop(self.target, after) & diagonal;
        }
        if matches!(kind, PieceKind::Rook | PieceKind::Queen | PieceKind::King) {
            let straight = self.position.kind(PieceKind::Rook) | queens;
            joining |= isa.rook(self.target, after) & straight;
        }
        joining
    }

    /// Whether no slider sees the side's king; `snipers` are those on a line with it. Leapers need no look: the
    /// only one that can give check in an exchange stands on the target square and is taken.
    #[inline(always)]
    fn leaves_king_safe(&self, side: Color, snipers: Bitboard, after: Bitboard) -> bool {
        let king = self.position.king(side);
        for sniper in (snipers & after).without(self.target.bb()) {
            if !between(king, sniper).meets(after) {
                return false;
            }
        }
        true
    }

    /// What the side wins beside the captured man, and what stands on the target square then.
    #[inline(always)]
    fn promotion(&self, kind: PieceKind, side: Color) -> (i32, i32) {
        match kind == PieceKind::Pawn && self.target.rank_for(side) == 7 {
            true => (QUEENING, SEE_VALUES[PieceKind::Queen.index()]),
            false => (0, SEE_VALUES[kind.index()]),
        }
    }

    /// Whether the side that captures next wins at least `wanted`, where `victim` stands on the square.
    ///
    /// It gets `wanted` or more if it takes the victim and the other side then gets no more than
    /// victim − wanted: the same question with the roles exchanged.
    #[inline(always)]
    fn wins<I: Isa>(mut self, isa: I, mut side: Color, mut wanted: i32, mut victim: i32) -> bool {
        let mut answer = true;
        // The side may stop at once, which is worth nothing.
        while wanted > 0 {
            if wanted > most(victim, self.target, side) {
                return !answer;
            }
            let Some(kind) = self.capture(isa, side) else { return !answer };
            let (bonus, risk) = self.promotion(kind, side);
            wanted = victim + bonus - wanted + 1;
            victim = risk;
            side = !side;
            answer = !answer;
            if wanted > 0 {
                self.uncover(isa, kind);
            }
        }
        answer
    }
}

/// The most that a side can win by taking a man on a square.
#[inline(always)]
fn most(victim: i32, target: Square, side: Color) -> i32 {
    if target.rank_for(side) == 7 { victim + QUEENING } else { victim }
}

/// The enemy sliders on a line with a side's king, whatever stands between.
#[inline(always)]
fn aligned_sliders(position: &Position, side: Color) -> Bitboard {
    let (diagonal, straight) = attacks::lines(position.king(side));
    diagonal & position.diagonal_sliders(!side) | straight & position.straight_sliders(!side)
}

struct ReplyWins<'a>(&'a Position, Move, i32, i32);

impl Kernel for ReplyWins<'_> {
    type Output = bool;

    /// Whether the opponent's replies on the square win at least `wanted`.
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> bool {
        let ReplyWins(position, mv, wanted, victim) = self;
        let exchange = Exchange::begin(isa, position, mv);
        exchange.wins(isa, !position.side_to_move(), wanted, victim)
    }
}

struct Compare<'a>(&'a Position, Move, i32, i32);

impl Kernel for Compare<'_> {
    type Output = Ordering;

    /// How the move's gain compares with the threshold above which the replies must not win `wanted`.
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Ordering {
        let Compare(position, mv, wanted, victim) = self;
        let exchange = Exchange::begin(isa, position, mv);
        let side = !position.side_to_move();
        let mut more = 0;
        // Two rounds over the same beginning, not two copies of the code.
        while more < 2 {
            if !exchange.wins(isa, side, wanted + more, victim) {
                return if more == 0 { Ordering::Greater } else { Ordering::Equal };
            }
            more += 1;
        }
        Ordering::Less
    }
}

struct Replies<'a>(&'a Position, Move, i32);

impl Kernel for Replies<'_> {
    type Output = i32;

    /// What the opponent's replies on the square win: the swap algorithm.
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let Replies(position, mv, mut victim) = self;
        let mut exchange = Exchange::begin(isa, position, mv);
        let mut side = !position.side_to_move();
        let mut gains = [0; MOST_CAPTURES];
        let mut count = 0;
        while let Some(kind) = exchange.capture(isa, side) {
            let (bonus, risk) = exchange.promotion(kind, side);
            gains[count] = victim + bonus;
            count += 1;
            victim = risk;
            side = !side;
            exchange.uncover(isa, kind);
        }
        let mut value = 0;
        while count > 0 {
            count -= 1;
            value = (gains[count] - value).max(0);
        }
        value
    }
}

impl Position {
    /// What a legal move wins on its target square if both sides exchange there as long as it pays,
    /// in the units of [`SEE_VALUES`]. Castling wins nothing.
    ///
    /// ```
    /// use board::Position;
    /// let position = Position::from_fen("4k3/2p5/3p4/8/8/3R4/8/4K3 w - - 0 1").unwrap();
    /// let takes = position.parse_uci("d3d6").unwrap();
    /// assert_eq!(position.see(takes), 100 - 500);
    /// ```
    pub fn see(&self, mv: Move) -> i32 {
        match self.see_opening(mv) {
            Some(opening) => opening.gain - dispatch(Replies(self, mv, opening.risk)),
            None => 0,
        }
    }

    /// Whether [`Position::see`] of a legal move is at least a threshold: cheaper than the value, most
    /// of all where the first capture already decides.
    #[inline]
    pub fn see_at_least(&self, mv: Move, threshold: i32) -> bool {
        let Some(opening) = self.see_opening(mv) else { return threshold <= 0 };
        let wanted = opening.gain - threshold.clamp(-BEYOND, BEYOND) + 1;
        if wanted <= 0 {
            return false;
        }
        let most = most(opening.risk, mv.to(), !self.side_to_move());
        wanted > most || !dispatch(ReplyWins(self, mv, wanted, opening.risk))
    }

    /// How [`Position::see`] of a legal move compares with a threshold: cheaper than two questions.
    #[inline]
    pub fn see_compare(&self, mv: Move, threshold: i32) -> Ordering {
        let Some(opening) = self.see_opening(mv) else { return 0.cmp(&threshold) };
        // What the replies must win for the move to win no more than the threshold.
        let wanted = opening.gain - threshold.clamp(-BEYOND, BEYOND);
        if wanted < 0 {
            return Ordering::Less;
        }
        match wanted.cmp(&most(opening.risk, mv.to(), !self.side_to_move())) {
            Ordering::Greater => Ordering::Greater,
            _ => dispatch(Compare(self, mv, wanted, opening.risk)),
        }
    }

    /// What the move does by itself; nothing for castling.
    #[inline(always)]
    fn see_opening(&self, mv: Move) -> Option<Opening> {
        const PAWN: i32 = SEE_VALUES[0];
        let value = |square| self.piece_on(square).map_or(0, |man| SEE_VALUES[man.kind_index()]);
        Some(match mv.kind() {
            MoveKind::Castling => return None,
            MoveKind::Normal => Opening { gain: value(mv.to()), risk: value(mv.from()) },
            MoveKind::EnPassant => Opening { gain: PAWN, risk: PAWN },
            MoveKind::Promotion => {
                let risk = mv.promoted().map_or(PAWN, |kind| SEE_VALUES[kind.index()]);
                Opening { gain: value(mv.to()) + risk - PAWN, risk }
            }
        })
    }
}
