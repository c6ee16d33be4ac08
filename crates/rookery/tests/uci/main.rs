//! Conversations with the real program in which it searches.

mod attack;
mod book;
mod dialogue;
mod interruptions;
mod learning;
mod lines;
#[path = "../support/noise.rs"]
mod noise;
mod options;
mod search;
mod threads;
mod xboard;
