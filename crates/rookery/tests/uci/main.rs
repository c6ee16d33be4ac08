//! Conversations with the real program in which it searches.

mod dialogue;
mod interruptions;
#[path = "../support/noise.rs"]
mod noise;
mod search;
mod xboard;
