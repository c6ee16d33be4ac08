//! Moves and lines by the tables.

use crate::layout::Layout;
use crate::tables::{ProbeError, Tables};
use crate::value::{Metric, Value};
use board::{Builder, Color, Move, Piece, PieceKind, Position, Square};

/// No line is longer.
const LONGEST_LINE: usize = 600;

impl Tables {
    /// Every legal move with its value for the side that moves, the best first. Moves of equal value
    /// keep the order of generation.
    pub fn evaluate_moves(
        &self,
        position: &Position,
        metric: Metric,
    ) -> Result<Vec<(Move, Value)>, ProbeError> {
        let mut evaluated = Vec::new();
        for mv in &position.legal_moves() {
            let next = position.make(mv);
            let after = self.probe(&next, metric)?;
            let converts = position.is_capture(mv) || mv.promoted().is_some();
            let value = match after {
                _ if metric == Metric::Conversion && converts => metric.after_conversion(after),
                Value::Loss(plies) => Value::Win(plies + 1),
                Value::Draw => Value::Draw,
                // The winner's moves count: a quiet move of the loser adds a half-move.
                Value::Win(plies) => Value::Loss(plies + 1),
            };
            evaluated.push((mv, value));
        }
        evaluated.sort_by_key(|(_, value)| -value.rank());
        Ok(evaluated)
    }

    /// The line that both sides play best, to mate. Empty for a draw.
    pub fn line(&self, position: &Position) -> Result<Vec<Move>, ProbeError> {
        let mut line = Vec::new();
        let mut now = *position;
        let mut value = self.probe(&now, Metric::Mate)?;
        while value != Value::Draw && line.len() < LONGEST_LINE {
            let Some(&(mv, _)) = self.evaluate_moves(&now, Metric::Mate)?.first() else { break };
            line.push(mv);
            now = now.make(mv);
            value = self.probe(&now, Metric::Mate)?;
        }
        Ok(line)
    }
}

impl Layout {
    /// The position with a number; none if there is no such position.
    pub fn position(&self, index: usize, side: Color) -> Option<Position> {
        if index >= self.size() {
            return None;
        }
        self.parts(index, side)?.build().ok()
    }

    /// The parts of a position with a number; none where two men share a square.
    pub fn parts(&self, index: usize, side: Color) -> Option<Builder> {
        let squares = self.squares(index);
        let mut builder = Builder { side, ..Builder::default() };
        for (man, &square) in self.men().iter().zip(&squares) {
            let place = &mut builder.squares[Square::new(square).index()];
            if place.is_some() {
                return None;
            }
            *place = Some(Piece::new(man.color, man.kind));
        }
        Some(builder)
    }

    /// A position with a number, with a right to capture en passant where one can be given and
    /// `en_passant` wants it.
    pub fn position_with(&self, index: usize, side: Color, en_passant: bool) -> Option<Position> {
        let mut builder = self.parts(index, side)?;
        if en_passant && self.pawns {
            let pawn = Some(Piece::new(!side, PieceKind::Pawn));
            let rank = if side == Color::White { 5 } else { 2 };
            let target = (0..8).map(|file| Square::at(file, rank)).find(|target| {
                let stands = Square::new(target.index() as u8 ^ 8);
                let origin = Square::at(target.file(), if side == Color::White { 6 } else { 1 });
                builder.squares[stands.index()] == pawn
                    && builder.squares[target.index()].is_none()
                    && builder.squares[origin.index()].is_none()
            });
            builder.en_passant = target;
        }
        builder.build().ok()
    }
}
