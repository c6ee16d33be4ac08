//! What a position is worth: the classical evaluation, and that of a network.
//!
//! Three evaluations stand behind one interface, [`Evaluator`]: [`Classical`], tapered and tuned, and
//! [`nnue::Nnue`], a network (profile `modern` has either: [`MainEvaluator`]), and [`DarkSight`], the
//! paper's terms with the paper's weights.
//!
//! ```
//! use board::Position;
//! use eval::{Classical, Evaluator};
//!
//! let mut evaluator = Classical::new();
//! let start = Position::startpos();
//! evaluator.reset(&start);
//! assert!(evaluator.evaluate(&start).abs() < 100);
//! ```

mod any;
pub mod chances;
mod darksight;
pub mod endgame;
mod evaluator;
mod explain;
mod main_evaluator;
mod modern;
pub mod nnue;
mod placed;
mod recorder;
mod sampler;
pub mod score;
mod sets;
mod tapered;
pub mod trace;
pub mod weights;

pub use any::AnyEvaluator;
pub use darksight::{DarkSight, explain_darksight};
pub use evaluator::{Classical, Evaluator};
pub use explain::{Breakdown, Halves, Row, explain};
pub use main_evaluator::MainEvaluator;
pub use modern::cache::CacheCounters;
pub use sampler::Sampler;
pub use score::EVAL_LIMIT;
pub use tapered::Tapered;
pub use trace::{Trace, trace};
