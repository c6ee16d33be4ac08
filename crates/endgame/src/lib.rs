//! Endgame tables: built backwards from mate, kept in compressed files, asked for values.
//!
//! Start with [`build`] for how a table comes about, [`Layout`] for how positions are numbered,
//! [`file`] for what a file holds, and [`Tables`] for asking.
//!
//! ```
//! use endgame::Ending;
//!
//! let ending = Ending::parse("KRvKB").expect("an ending");
//! assert_eq!(ending.to_string(), "KRKB");
//! assert_eq!(ending.successors().len(), 2);
//! ```

pub mod build;
pub mod distributed;
mod ending;
pub mod file;
mod layout;
mod oracle;
mod placement;
mod play;
pub mod recognise;
mod symmetry;
pub mod syzygy;
mod tables;
mod value;

pub use ending::{Ending, EndingError, MOST_MEN};
pub use layout::{Layout, Man, Squares};
pub use oracle::{Answer, Oracle, Usage};
pub use tables::{ProbeError, Tables};
pub use value::{Metric, Value};
