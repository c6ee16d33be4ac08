//! What each man contributes to the network's value: the difference that its removal makes.

use super::inputs::{Man, View};
use super::network::Network;
use super::simd::Path;
use board::{Color, PieceKind, Position, Square};

/// What the network says of a position, for White in centipawns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetBreakdown {
    /// The value, before known endings, the fifty-move rule and limits.
    pub white: i32,
    /// The men but for the kings, each with what the value loses without it.
    pub men: Vec<(Square, i32)>,
}

/// The network's value of a position, man by man.
pub fn explain_net(network: &Network, position: &Position) -> NetBreakdown {
    let man = |square| position.piece_on(square).map(|piece| Man::new(piece, square));
    let all: Vec<Man> = position.occupied().filter_map(man).collect();
    let white = white_value(network, position, &all);
    let kings = position.kind(PieceKind::King);
    let without = |square| {
        let rest: Vec<Man> = all.iter().copied().filter(|&it| Some(it) != man(square)).collect();
        (square, white - white_value(network, position, &rest))
    };
    let men = position.occupied().filter(|&square| !kings.has(square)).map(without).collect();
    NetBreakdown { white, men }
}

/// The value of some men of a position, from nothing. A position without one of its men need not be
/// legal, so the board is not asked.
fn white_value(network: &Network, position: &Position, men: &[Man]) -> i32 {
    let (us, path) = (position.side_to_move(), Path::best());
    let bucket = men.len().saturating_sub(2) / 4;
    let (own_weights, other_weights) = network.output_weights(bucket);
    let mut sum = 0;
    for (side, weights) in [(us, own_weights), (!us, other_weights)] {
        let view = View::new(side, position.king(side));
        let mut sums = network.biases().to_vec();
        men.iter().for_each(|man| path.add(&mut sums, network.row(view.input(*man))));
        sum += path.products(network.clip(), &sums, weights);
    }
    let value = network.centipawns(sum, bucket);
    if us == Color::White { value } else { -value }
}
