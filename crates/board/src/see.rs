//! Exchange evaluation (D35): what a move wins or loses on its target square.
//!
//! After the move both sides may capture on that square, in turns, and either may stop. Each captures
//! with its least valuable man that legally can. Men behind others on a line join when the way is
//! free. What is exact, and what is not:
//!
//! - Legality is exact at every step. A man may not leave a line between its king and an enemy slider
//!   as long as that slider is there, whether the pin was there from the beginning or has just come
//!   about; a discovered check must be answered; the king takes only what nobody defends.
//! - A pawn that captures on its last rank becomes a queen.
//! - Only the order is a rule of thumb: "least valuable first" is nearly always, not always, best.
//!   (A knight taking before a bishop may open a line for the other side.) Against a minimax over all
//!   orders fewer than one move in a thousand differs; the tests measure it.

use crate::attacks::{self, Isa, Kernel, between, dispatch};
use crate::{Bitboard, Color, Move, MoveKind, PieceKind, Position, Square};

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
struct Exchange<'a> {
    position: &'a Position,
    target: Square,
    /// What is left on the board, the target square always included.
    occupied: Bitboard,
    /// Who looks at the target square, of both sides.
    attackers: Bitboard,
    /// For each side the enemy sliders on a line with its king, whatever stands between.
    snipers: [Bitboard; 2],
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
        let snipers =
            [aligned_sliders(position, Color::White), aligned_sliders(position, Color::Black)];
        let attackers = position.attackers(isa, target, occupied) & occupied;
        Exchange { position, target, occupied, attackers, snipers }
    }

    /// Takes the least valuable man of a side that may capture out of the exchange, lets the men
    /// behind it join, and says what kind it was. It stands on the target square now.
    #[inline(always)]
    fn capture<I: Isa>(&mut self, isa: I, side: Color) -> Option<PieceKind> {
        let ours = self.attackers & self.position.color(side);
        if ours.is_empty() {
            return None;
        }
        // Plain loops: closures and adapters of iterators are compiled outside the kernel.
        let mut index = 0;
        while index < PieceKind::ALL.len() {
            let kind = PieceKind::ALL[index];
            index += 1;
            for from in ours & self.position.kind(kind) {
                let after = self.occupied ^ from.bb();
                let joining = self.uncovered(isa, kind, after);
                let is_legal = match kind {
                    PieceKind::King => {
                        !((self.attackers | joining) & after).meets(self.position.color(!side))
                    }
                    _ => self.leaves_king_safe(side, after),
                };
                if is_legal {
                    self.occupied = after;
                    self.attackers = (self.attackers | joining) & after;
                    return Some(kind);
                }
            }
        }
        None
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

    /// Whether no slider sees the side's king. Leapers need no look: the only one that can give check
    /// in an exchange stands on the target square and is taken.
    #[inline(always)]
    fn leaves_king_safe(&self, side: Color, after: Bitboard) -> bool {
        let king = self.position.king(side);
        for sniper in (self.snipers[side.index()] & after).without(self.target.bb()) {
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
    ///
    /// The side to capture gets `wanted` or more if it takes the victim and the other side then gets
    /// no more than victim − wanted: the same question with the roles exchanged.
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> bool {
        let ReplyWins(position, mv, mut wanted, mut victim) = self;
        let mut exchange = Exchange::begin(isa, position, mv);
        let mut side = !position.side_to_move();
        let mut answer = true;
        loop {
            // The side may stop at once, which is worth nothing.
            if wanted <= 0 {
                return answer;
            }
            let most = if exchange.target.rank_for(side) == 7 { victim + QUEENING } else { victim };
            if wanted > most {
                return !answer;
            }
            let Some(kind) = exchange.capture(isa, side) else { return !answer };
            let (bonus, risk) = exchange.promotion(kind, side);
            wanted = victim + bonus - wanted + 1;
            victim = risk;
            side = !side;
            answer = !answer;
        }
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
        wanted > opening.risk + QUEENING || !dispatch(ReplyWins(self, mv, wanted, opening.risk))
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
