//! Decided positions, drawn at random: every one of an ending is as likely as any other.

use crate::failure::Failure;
use ::endgame::file::{Codes, TableFile};
use ::endgame::{Layout, Value};
use board::random::SplitMix;
use board::{Color, Piece, Position, Square};

/// Placements that are tried for one start; endings where mate happens only by mistake have some dozens
/// of decided positions among millions.
const TRIES: u32 = 100_000_000;

/// Where a game begins.
#[derive(Clone, Copy)]
pub struct Start {
    /// The position; either side may be to move.
    pub position: Position,
    /// Who wins it.
    pub winner: Color,
    /// The winner's moves to mate with best play of both.
    pub moves: u32,
    /// Where the random numbers of the game begin.
    pub seed: u64,
}

/// Draws starts that are won within a number of moves. The board is turned and the colours are exchanged at
/// random, since a table knows only one of the mirror images of a position.
pub fn draw(
    file: &TableFile,
    count: u32,
    seed: u64,
    most_moves: u32,
    threads: usize,
) -> Result<Vec<Start>, Failure> {
    let sides = file.load(threads).map_err(Failure::Work)?;
    let name = file.header.ending.to_string();
    let mixed = name.bytes().fold(seed, |mixed, byte| mixed << 5 ^ mixed >> 59 ^ u64::from(byte));
    let mut random = SplitMix(mixed);
    let mut starts = Vec::new();
    while starts.len() < count as usize {
        let tried = (0..TRIES).find_map(|_| one(&file.layout, &sides, &mut random, most_moves));
        match tried {
            Some(start) => starts.push(start),
            None => break,
        }
    }
    Ok(starts)
}

fn one(
    layout: &Layout,
    sides: &[Codes; 2],
    random: &mut SplitMix,
    most_moves: u32,
) -> Option<Start> {
    let index = random.below(layout.size() as u64) as usize;
    let side = Color::from_white(random.next() & 1 == 0);
    let value = sides[side.index()].value(index);
    let moves = u32::from(value.moves()?);
    // Mirror images whose twin stands for both would be drawn twice as often.
    if moves > most_moves || layout.index(&layout.squares(index)) != index {
        return None;
    }
    let mut parts = layout.parts(index, side)?;
    let coins = random.next();
    let image = |square: usize| {
        let mut to = square ^ if coins & 1 != 0 { 7 } else { 0 };
        if !layout.pawns {
            to ^= if coins & 2 != 0 { 56 } else { 0 };
            to = if coins & 4 != 0 { to >> 3 | (to & 7) << 3 } else { to };
        }
        to
    };
    let mut squares = [None; 64];
    for (square, &piece) in parts.squares.iter().enumerate() {
        squares[Square::new(image(square) as u8).index()] = piece;
    }
    if coins & 8 != 0 {
        let flipped = squares;
        for (square, piece) in flipped.iter().enumerate() {
            squares[square ^ 56] =
                piece.map(|piece: Piece| Piece::new(!piece.color(), piece.kind()));
        }
        parts.side = !parts.side;
    }
    parts.squares = squares;
    let position = parts.build().ok()?;
    let mover = position.side_to_move();
    let winner = if matches!(value, Value::Win(_)) { mover } else { !mover };
    Some(Start { position, winner, moves, seed: random.next() })
}
