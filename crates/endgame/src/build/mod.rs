//! Building tables backwards from mate (M27, M28): retrograde analysis.
//!
//! A first look decides what needs no quiet move: illegal placements, mates, stalemates, and what
//! captures and promotions lead to in tables that were built before. Then the builder goes through the
//! levels, half-move by half-move: from every position that is decided at a level it takes quiet moves
//! back. A position that can go to a lost one is won; one whose last hope is gone is lost. What is never
//! reached is a draw.
//!
//! The result does not depend on the number of threads or on their order, and a build that was
//! interrupted goes on from its last checkpoint to the same bytes.

mod checkpoint;
pub(crate) mod en_passant;
pub(crate) mod first;
pub(crate) mod levels;
pub(crate) mod memory;
mod plan;
pub(crate) mod successor;
mod table;

pub use memory::for_chunks;
pub use plan::{
    Built, Completion, Machine, Options, Phase, Progress, build, memory_needed, take_part,
};
