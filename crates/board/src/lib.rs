//! The rules of chess: squares, bitboards, positions, legal moves, keys and notation.
//!
//! Nothing here searches or evaluates. A [`Position`] is a plain value of 192 bytes: playing a move
//! makes a new one ([`Position::make`]), and going back is dropping it.
//!
//! ```
//! use board::Position;
//!
//! let start = Position::startpos();
//! let moves = start.legal_moves();
//! assert_eq!(moves.len(), 20);
//! let next = start.make(moves[0]);
//! assert_ne!(start.key(), next.key());
//! ```

pub mod attacks;
mod bitboard;
mod color;
mod coordinate;
pub mod epd;
pub mod fen;
mod generate;
mod history;
mod moves;
mod outcome;
mod packed;
pub mod perft;
pub mod pgn;
mod piece;
pub mod polyglot;
mod position;
pub mod random;
mod san;
mod see;
mod square;
mod zobrist;

pub use attacks::prefetch;
pub use bitboard::Bitboard;
pub use color::Color;
pub use coordinate::{CastlingStyle, CoordinateError, Illegality};
pub use epd::{Epd, EpdError};
pub use fen::FenError;
pub use generate::{CheckInfo, Stage};
pub use history::History;
pub use moves::{MAX_MOVES, Move, MoveKind, MoveList};
pub use outcome::{Draw, Outcome};
pub use packed::{Packed, PackedError};
pub use piece::{Piece, PieceKind};
pub use position::{Builder, Material, Position, PositionError};
pub use san::SanError;
pub use see::SEE_VALUES;
pub use square::Square;

/// A hash of a position, or of a part of it, by which tables know it.
pub type Key = u64;
