//! Legal moves (D11), in stages.
//!
//! One generator serves all purposes: it is generic over the stage, over the side to move, over the
//! instruction set, and over the [`Sink`] that takes the moves. A list sink writes them down; a
//! counting sink only counts bits, which is how perft counts its last ply.
//!
//! Legality is decided before a move exists: checks restrict the target squares, pins restrict the
//! origin to its line, the king only gets safe squares. Nothing is tried and taken back.

mod legality;
mod pieces;
mod sink;

pub use legality::CheckInfo;
pub(crate) use sink::{Checks, Counter, Sink};

use crate::attacks::{Isa, Kernel, between, dispatch};
use crate::{Bitboard, Color, MoveList, PieceKind, Position, Square};

/// Which moves are wanted. In check every stage gives evasions of its kind only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// All legal moves.
    All,
    /// Captures (en passant too) and promotions of every kind.
    Captures,
    /// Everything that is neither a capture nor a promotion.
    Quiets,
    /// Those of the quiet moves that give check, directly or by discovery.
    QuietChecks,
}

/// What all parts of the generator need to know about the position.
pub(crate) struct GenerationContext<'a, I> {
    pub isa: I,
    pub position: &'a Position,
    pub king: Square,
    pub occupied: Bitboard,
    /// Where a man other than the king may go: the stage's squares, and in check only those that
    /// take the checker or block it.
    pub targets: Bitboard,
    /// Where it may go if only the check counts: promotions and en passant belong to one stage wherever they end.
    pub resolving: Bitboard,
    pub stage: Stage,
}

pub(crate) struct Generate<'a, S> {
    pub position: &'a Position,
    pub stage: Stage,
    pub sink: &'a mut S,
}

impl<S: Sink> Kernel for Generate<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        // The stage is a constant after this match: each arm is compiled for itself.
        match self.stage {
            Stage::All => generate(isa, self.position, Stage::All, self.sink),
            Stage::Captures => generate(isa, self.position, Stage::Captures, self.sink),
            Stage::Quiets => generate(isa, self.position, Stage::Quiets, self.sink),
            Stage::QuietChecks => {
                let checks = self.position.check_info_on(isa);
                let sink = &mut Checks { position: self.position, checks, sink: self.sink };
                generate(isa, self.position, Stage::Quiets, sink);
            }
        }
    }
}

/// Gives every legal move of a stage to the sink.
#[inline(always)]
pub(crate) fn generate<I: Isa, S: Sink>(isa: I, position: &Position, stage: Stage, sink: &mut S) {
    match position.side_to_move() {
        Color::White => generate_as::<I, S, true>(isa, position, stage, sink),
        Color::Black => generate_as::<I, S, false>(isa, position, stage, sink),
    }
}

#[inline(always)]
fn generate_as<I: Isa, S: Sink, const WHITE: bool>(
    isa: I,
    position: &Position,
    stage: Stage,
    sink: &mut S,
) {
    let us = Color::from_white(WHITE);
    let checkers = position.checkers();
    let occupied = position.occupied();
    let king = position.king(us);
    let wanted = match stage {
        Stage::All => !position.color(us),
        Stage::Captures => position.color(!us),
        Stage::Quiets | Stage::QuietChecks => !occupied,
    };
    let resolving = match checkers.is_empty() {
        true => Bitboard::FULL,
        false => between(king, checkers.lowest()) | checkers,
    };
    let context = GenerationContext {
        isa,
        position,
        king,
        occupied,
        targets: wanted & resolving,
        resolving,
        stage,
    };
    context.king_moves::<S, WHITE>(wanted, sink);
    if checkers.several() {
        return;
    }
    if checkers.is_empty() && stage != Stage::Captures {
        context.castling::<S, WHITE>(sink);
    }
    context.pawn_moves::<S, WHITE>(sink);
    context.knight_moves::<S, WHITE>(sink);
    context.slider_moves::<S, WHITE>(sink);
}

impl Position {
    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate(Stage::All, &mut moves);
        moves
    }

    /// Adds the legal moves of a stage to a list. Inlined, each crate that calls it would have a generator of its
    /// own: 60 KB.
    #[inline(never)]
    pub fn generate(&self, stage: Stage, moves: &mut MoveList) {
        dispatch(Generate { position: self, stage, sink: moves });
    }

    /// How many legal moves there are.
    pub fn count_legal_moves(&self) -> usize {
        let mut counter = Counter::default();
        dispatch(Generate { position: self, stage: Stage::All, sink: &mut counter });
        counter.count() as usize
    }

    /// Whether there is a legal move at all: if not, it is mate or stalemate.
    pub fn has_legal_move(&self) -> bool {
        self.count_legal_moves() > 0
    }

    /// Whether a move takes something.
    #[inline]
    pub fn is_capture(&self, mv: crate::Move) -> bool {
        debug_assert!(!mv.is_none(), "the absent move takes nothing, but reads as a1 to a1");
        match mv.kind() {
            crate::MoveKind::EnPassant => true,
            crate::MoveKind::Castling => false,
            _ => self.piece_on(mv.to()).is_some(),
        }
    }

    /// Whether a move neither takes something nor promotes a pawn.
    #[inline]
    pub fn is_quiet(&self, mv: crate::Move) -> bool {
        !self.is_capture(mv) && mv.kind() != crate::MoveKind::Promotion
    }

    /// The kind of man a move takes, if it takes one.
    #[inline]
    pub fn captured(&self, mv: crate::Move) -> Option<PieceKind> {
        match mv.kind() {
            crate::MoveKind::EnPassant => Some(PieceKind::Pawn),
            crate::MoveKind::Castling => None,
            _ => self.piece_on(mv.to()).map(crate::Piece::kind),
        }
    }
}
