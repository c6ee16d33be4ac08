//! The primitives of a line, under names of this crate: a test puts others in their place, which try
//! every order of events.

pub use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
