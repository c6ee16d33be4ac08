//! Conversations with the real program in which it searches.

mod book;
mod dialogue;
mod interruptions;
mod learning;
mod lines;
#[path = "../support/noise.rs"]
mod noise;
mod search;
mod threads;
mod xboard;
