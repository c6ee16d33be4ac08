//! Conversations with the real program in which it searches.

mod dialogue;
mod interruptions;
mod search;
