//! The modern evaluation: tapered, tuned, with the terms that inventory section 8 names and those
//! that chess programs found since.
//!
//! The hot path is one [`Kernel`]; everything it calls is inlined into it, and closures are avoided
//! because they are compiled outside it. The terms tell a [`Recorder`] what they find, so that the
//! same code serves the search, the tuner and the table of terms.

pub(crate) mod cache;
mod context;
pub(crate) mod finish;
mod king;
mod passed;
pub(crate) mod pawns;
pub(crate) mod pieces;
mod threats;

use crate::recorder::{Adder, Recorder};
use crate::weights::TEMPO;
use board::attacks::{Isa, Kernel};
use board::{Bitboard, Color, Position};
use cache::PawnCache;
use context::EvalContext;
use finish::Finished;

/// White's advantage in a position that no special knowledge covers.
pub(crate) struct Evaluate<'a> {
    pub position: &'a Position,
    pub cache: &'a mut PawnCache,
}

impl Kernel for Evaluate<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let mut adder = Adder::default();
        let (passed, spans) = self.cache.record(self.position, &mut adder);
        evaluate(isa, self.position, passed, spans, &mut adder).value
    }
}

/// Records every term of a position without any cache, and finishes.
pub(crate) struct Record<'a, R> {
    pub position: &'a Position,
    pub recorder: &'a mut R,
}

impl<R: Recorder> Kernel for Record<'_, R> {
    type Output = Finished;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Finished {
        let entry = pawns::structure(self.position, self.recorder);
        for us in Color::ALL {
            pawns::shelter(us, self.position, self.recorder);
            pieces::company(us, self.position.material(), self.recorder);
        }
        evaluate(isa, self.position, entry.passed, entry.spans, self.recorder)
    }
}

/// The pieces and everything they do; what caches hold is recorded already.
#[inline(always)]
fn evaluate<I: Isa, R: Recorder>(
    isa: I,
    position: &Position,
    passed: Bitboard,
    spans: [Bitboard; 2],
    recorder: &mut R,
) -> Finished {
    let mut context = EvalContext::new(position, passed, spans);
    pieces::record(isa, Color::White, &mut context, recorder);
    pieces::record(isa, Color::Black, &mut context, recorder);
    king::record(isa, Color::White, &context, recorder);
    king::record(isa, Color::Black, &context, recorder);
    threats::record(isa, Color::White, &context, recorder);
    threats::record(isa, Color::Black, &context, recorder);
    passed::record(Color::White, &context, recorder);
    passed::record(Color::Black, &context, recorder);
    king::space(Color::White, &context, recorder);
    king::space(Color::Black, &context, recorder);
    recorder.add(position.side_to_move(), TEMPO, 1);
    finish::record_winnable(&context, recorder);
    finish::finish(&recorder.sums(), passed, position)
}
