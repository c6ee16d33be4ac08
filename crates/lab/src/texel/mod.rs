//! Texel's tuning by gradient (D62): the weights that predict best how games ended.
//!
//! Every position becomes counts of weights once ([`eval::trace`]); from then on its evaluation is
//! arithmetic, whose gradient is known exactly, the squared king danger and the winnable shift
//! included. Adam walks down the mean squared difference between `1 / (1 + exp(-K · score))` and the
//! label, in mini-batches; one position in ten is never learned from and tells the loss.

mod data;
mod model;

pub use data::{Samples, Skipped, read};

use model::{Model, Parameters};

/// How to tune.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Passes over the positions.
    pub epochs: usize,
    /// Threads that share a batch.
    pub threads: usize,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// The weights for the middlegame and the endgame, in the order of the table.
    pub weights: Vec<(i16, i16)>,
    /// The loss on held-out positions with the weights as they were.
    pub loss_before: f64,
    /// The same with the new ones, rounded as they are written.
    pub loss_after: f64,
}

const BATCH: usize = 16_384;
/// The step of the first epochs, in centipawns; it falls to a twentieth.
const STEP: f64 = 0.8;

/// How strongly a weight is held to where it began, per squared centipawn: enough to keep those in
/// place that fewer than a hundred positions in a million know, too little for the others to feel.
const PRIOR: f64 = 2e-10;

/// Tunes the weights of the modern evaluation. Progress is told line by line.
pub fn tune(samples: &Samples, plan: &Plan, tell: &mut dyn FnMut(&str)) -> Result<Tuned, String> {
    let (learn, hold) = samples.split();
    if learn.is_empty() || hold.is_empty() {
        return Err("too few labelled positions: ten are the least".to_owned());
    }
    let mut parameters = Parameters::current();
    let begin = parameters.values.clone();
    let mut model = Model::new(samples, plan.threads);
    model.fit_scale(&parameters, &learn);
    let loss_before = model.loss(&parameters, &hold);
    tell(&format!(
        "{} positions, {} held out, K {:.5}, held-out loss {loss_before:.6}",
        learn.len(),
        hold.len(),
        model.scale
    ));
    let mut adam = Adam::new(parameters.len());
    for epoch in 0..plan.epochs {
        let done = epoch as f64 / plan.epochs as f64;
        let step = STEP * (0.05f64).powf(done);
        for batch in shuffled_batches(&learn, epoch as u64) {
            let mut gradient = model.gradient(&parameters, &batch);
            for (slope, (now, begin)) in
                gradient.iter_mut().zip(parameters.values.iter().zip(&begin))
            {
                *slope += PRIOR * (now - begin);
            }
            adam.walk(&mut parameters.values, &gradient, step);
            parameters.keep_in_range();
        }
        let loss = model.loss(&parameters, &hold);
        tell(&format!("epoch {:3}: held-out loss {loss:.6}", epoch + 1));
    }
    parameters.round();
    let loss_after = model.loss(&parameters, &hold);
    Ok(Tuned { weights: parameters.pairs(), loss_before, loss_after })
}

/// The numbers of the samples in another order for each epoch, cut into batches.
fn shuffled_batches(learn: &[u32], epoch: u64) -> Vec<Vec<u32>> {
    let mut random = board::random::SplitMix(epoch);
    let mut order = learn.to_vec();
    for last in (1..order.len()).rev() {
        order.swap(last, random.below(last as u64 + 1) as usize);
    }
    order.chunks(BATCH).map(<[u32]>::to_vec).collect()
}

/// Kingma and Ba's Adam.
struct Adam {
    mean: Vec<f64>,
    square: Vec<f64>,
    walks: i32,
}

impl Adam {
    fn new(len: usize) -> Adam {
        Adam { mean: vec![0.0; len], square: vec![0.0; len], walks: 0 }
    }

    fn walk(&mut self, values: &mut [f64], gradient: &[f64], step: f64) {
        const KEEP_MEAN: f64 = 0.9;
        const KEEP_SQUARE: f64 = 0.999;
        self.walks += 1;
        let mean_share = 1.0 - KEEP_MEAN.powi(self.walks);
        let square_share = 1.0 - KEEP_SQUARE.powi(self.walks);
        for (index, &slope) in gradient.iter().enumerate() {
            let (mean, square) = (&mut self.mean[index], &mut self.square[index]);
            *mean = KEEP_MEAN * *mean + (1.0 - KEEP_MEAN) * slope;
            *square = KEEP_SQUARE * *square + (1.0 - KEEP_SQUARE) * slope * slope;
            let root = (*square / square_share).sqrt() + 1e-12;
            values[index] -= step * (*mean / mean_share) / root;
        }
    }
}

#[cfg(test)]
mod tests;
