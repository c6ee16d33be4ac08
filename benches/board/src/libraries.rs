//! The libraries under test, each counting in its own best way.
//!
//! Two counts per library: `bulk` takes the number of moves at the last ply from the generator,
//! `playing_all` plays every move and shows each new board to [`black_box`] by reference, so that
//! no optimiser can skip the playing.

use shakmaty::Position as _;
use std::hint::black_box;
use std::str::FromStr;

/// A library that can count a tree of legal moves.
pub trait Library {
    /// Its name in the tables.
    const NAME: &'static str;

    /// Its board.
    type Board;

    /// Reads a position; the error is the library's own.
    fn parse(fen: &str) -> Result<Self::Board, String>;

    /// Counts without playing the last ply; `depth` is at least 1.
    fn bulk(board: &Self::Board, depth: u32) -> u64;

    /// Counts by playing every move; `depth` is at least 1.
    fn playing_all(board: &Self::Board, depth: u32) -> u64;
}

/// This project's `board`.
pub struct Rookery;

impl Library for Rookery {
    const NAME: &'static str = "rookery";
    type Board = board::Position;

    fn parse(fen: &str) -> Result<board::Position, String> {
        board::Position::from_fen(fen).map_err(|error| error.to_string())
    }

    fn bulk(position: &board::Position, depth: u32) -> u64 {
        board::perft::perft(position, depth)
    }

    fn playing_all(position: &board::Position, depth: u32) -> u64 {
        board::perft::perft_playing_all(position, depth)
    }
}

/// The crate `cozy-chess`: a generator that gives one set of targets per man.
pub struct CozyChess;

impl Library for CozyChess {
    const NAME: &'static str = "cozy-chess";
    type Board = cozy_chess::Board;

    fn parse(fen: &str) -> Result<cozy_chess::Board, String> {
        cozy_chess::Board::from_fen(fen, false).map_err(|error| error.to_string())
    }

    fn bulk(board: &cozy_chess::Board, depth: u32) -> u64 {
        let mut nodes = 0;
        board.generate_moves(|moves| {
            if depth == 1 {
                nodes += moves.len() as u64;
                return false;
            }
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                nodes += CozyChess::bulk(&next, depth - 1);
            }
            false
        });
        nodes
    }

    fn playing_all(board: &cozy_chess::Board, depth: u32) -> u64 {
        let mut nodes = 0;
        board.generate_moves(|moves| {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                nodes += match depth {
                    1 => {
                        black_box(&next);
                        1
                    }
                    _ => CozyChess::playing_all(&next, depth - 1),
                };
            }
            false
        });
        nodes
    }
}

/// The crate `shakmaty`; its board keeps no key.
pub struct Shakmaty;

impl Library for Shakmaty {
    const NAME: &'static str = "shakmaty";
    type Board = shakmaty::Chess;

    fn parse(fen: &str) -> Result<shakmaty::Chess, String> {
        shakmaty::fen::Fen::from_str(fen)
            .map_err(|error| error.to_string())?
            .into_position(shakmaty::CastlingMode::Standard)
            .map_err(|error| error.to_string())
    }

    fn bulk(board: &shakmaty::Chess, depth: u32) -> u64 {
        let moves = board.legal_moves();
        if depth == 1 {
            return moves.len() as u64;
        }
        let mut nodes = 0;
        for mv in moves {
            let mut next = board.clone();
            next.play_unchecked(mv);
            nodes += Shakmaty::bulk(&next, depth - 1);
        }
        nodes
    }

    fn playing_all(board: &shakmaty::Chess, depth: u32) -> u64 {
        let mut nodes = 0;
        for mv in board.legal_moves() {
            let mut next = board.clone();
            next.play_unchecked(mv);
            nodes += match depth {
                1 => {
                    black_box(&next);
                    1
                }
                _ => Shakmaty::playing_all(&next, depth - 1),
            };
        }
        nodes
    }
}

/// The crate `chess`.
#[cfg(feature = "chess")]
pub struct Chess;

#[cfg(feature = "chess")]
impl Library for Chess {
    const NAME: &'static str = "chess";
    type Board = chess::Board;

    fn parse(fen: &str) -> Result<chess::Board, String> {
        chess::Board::from_str(fen).map_err(|error| error.to_string())
    }

    fn bulk(board: &chess::Board, depth: u32) -> u64 {
        let moves = chess::MoveGen::new_legal(board);
        if depth == 1 {
            return moves.len() as u64;
        }
        moves.map(|mv| Chess::bulk(&board.make_move_new(mv), depth - 1)).sum()
    }

    fn playing_all(board: &chess::Board, depth: u32) -> u64 {
        let mut nodes = 0;
        for mv in chess::MoveGen::new_legal(board) {
            let next = board.make_move_new(mv);
            nodes += match depth {
                1 => {
                    black_box(&next);
                    1
                }
                _ => Chess::playing_all(&next, depth - 1),
            };
        }
        nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts_kiwipete<L: Library>() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let board = L::parse(fen).expect(L::NAME);
        for (depth, nodes) in [(1, 48), (2, 2_039), (3, 97_862)] {
            assert_eq!(L::bulk(&board, depth), nodes, "{} with bulk counting", L::NAME);
            assert_eq!(L::playing_all(&board, depth), nodes, "{} playing all", L::NAME);
        }
    }

    #[test]
    fn every_library_counts_the_same_tree() {
        counts_kiwipete::<Rookery>();
        counts_kiwipete::<CozyChess>();
        counts_kiwipete::<Shakmaty>();
        counts_kiwipete::<crate::mailbox::Mailbox>();
        #[cfg(feature = "chess")]
        counts_kiwipete::<Chess>();
    }
}
