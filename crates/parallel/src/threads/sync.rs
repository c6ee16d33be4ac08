//! The primitives on which the lock-free parts rest, under names of this crate: the tests put others in
//! their place, which try every order of events.

pub use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
pub use std::sync::{Condvar, Mutex, MutexGuard};
