//! The network's evaluation: 768 mirrored inputs for each side, one hidden layer, squared clipped ReLU,
//! eight outputs of which the number of men chooses one. The page `docs/reference/networks.md` defines it.
//!
//! [`network`] reads and checks a file, [`embedded`] is the one that the program carries, [`inputs`] says which
//! inputs a man sets, [`accumulators`] follows the walk through the tree lazily, [`simd`] computes on the best
//! instructions of the CPU.

mod accumulators;
mod embedded;
mod explain;
mod inputs;
mod network;
mod simd;

use crate::endgame;
use crate::evaluator::{Evaluator, for_side_to_move};
use crate::modern::finish::fade;
use crate::score::clamp_eval;
use accumulators::Accumulators;
use board::{Color, Move, Position};
use std::sync::Arc;

pub use embedded::{embedded, embedded_file};
pub use explain::{NetBreakdown, explain_net};
pub use network::Network;
pub use simd::Path;

/// The evaluation by a network, following a walk through the tree.
#[derive(Clone)]
pub struct Nnue {
    network: Arc<Network>,
    path: Path,
    accumulators: Accumulators,
}

impl Nnue {
    /// At the start position, on the best instructions of the CPU.
    pub fn new(network: Arc<Network>) -> Nnue {
        Nnue::on_path(network, Path::best())
    }

    /// The same on chosen instructions: all give the same values.
    pub fn on_path(network: Arc<Network>, path: Path) -> Nnue {
        endgame::prepare();
        let accumulators = Accumulators::new(network.blocks(), &Position::startpos());
        Nnue { network, path, accumulators }
    }

    /// The network.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// What the network says of the position that the pushes led to, to the side to move: no known
    /// endings, no fifty-move rule, no limits.
    pub fn raw(&mut self, position: &Position) -> i32 {
        let Nnue { network, path, accumulators } = self;
        let us = position.side_to_move();
        accumulators.bring(Color::White, position, network, *path);
        accumulators.bring(Color::Black, position, network, *path);
        let bucket = (position.occupied().count() as usize).saturating_sub(2) / 4;
        let (own, other) = (accumulators.of(us), accumulators.of(!us));
        let (own_weights, other_weights) = network.output_weights(bucket);
        let clip = network.clip();
        let sum = path.products(clip, own, own_weights) + path.products(clip, other, other_weights);
        network.centipawns(sum, bucket)
    }
}

impl Evaluator for Nnue {
    fn reset(&mut self, position: &Position) {
        self.accumulators.reset(position);
    }

    #[inline(never)]
    fn push(&mut self, before: &Position, mv: Move, after: &Position) {
        self.accumulators.push(inputs::changes(before, mv), after);
    }

    #[inline(never)]
    fn push_null(&mut self, _: &Position, after: &Position) {
        self.accumulators.push(inputs::Changes::None, after);
    }

    fn pop(&mut self) {
        self.accumulators.pop();
    }

    #[inline(never)]
    fn evaluate(&mut self, position: &Position) -> i16 {
        match endgame::known(position) {
            Some(value) => for_side_to_move(position, value),
            None => {
                let value = i32::from(clamp_eval(self.raw(position)));
                clamp_eval(fade(position, value))
            }
        }
    }
}
