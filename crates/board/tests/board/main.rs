//! The rules of chess and their notations as their users see them, in one program, so that they are linked
//! once.

mod common;
mod draws;
mod epd;
mod fen_repairs;
mod keys;
mod packed;
mod perft;
mod perft_counting;
mod pgn_files;
mod pgn_properties;
mod pgn_syntax;
mod polyglot;
mod san;
mod see;
