//! The refutation table (M15): for every root move the line that answered it in the last iteration.
//!
//! It is a table of W lines of D moves instead of millions of positions, and where it has a line
//! it gives the first move to try at every node along it.

use board::Move;

/// Lines by root move.
#[derive(Clone, Debug, Default)]
pub struct Refutations {
    lines: Vec<(Move, Vec<Move>)>,
}

impl Refutations {
    /// No lines.
    pub fn new() -> Refutations {
        Refutations::default()
    }

    /// Forgets all lines.
    pub fn clear(&mut self) {
        self.lines.clear();
    }

    /// The line that begins with a root move was refuted, or is best, by these moves.
    pub fn set(&mut self, root: Move, line: &[Move]) {
        match self.lines.iter_mut().find(|(mv, _)| *mv == root) {
            Some((_, known)) => *known = line.to_vec(),
            None => self.lines.push((root, line.to_vec())),
        }
    }

    /// The move to try first after these moves from the root, if a line goes that way.
    pub fn first(&self, path: &[Move]) -> Move {
        let Some(&root) = path.first() else { return Move::NONE };
        let line = self.lines.iter().find(|(mv, _)| *mv == root).map(|(_, line)| line.as_slice());
        match line {
            Some(line) if line.starts_with(path) => {
                line.get(path.len()).copied().unwrap_or(Move::NONE)
            }
            _ => Move::NONE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use board::Position;

    #[test]
    fn m15_a_line_gives_the_next_move_along_it_and_nowhere_else() {
        let moves = Position::startpos().legal_moves();
        let mut table = Refutations::new();
        table.set(moves[0], &[moves[0], moves[1], moves[2]]);
        assert_eq!(table.first(&[moves[0]]), moves[1]);
        assert_eq!(table.first(&[moves[0], moves[1]]), moves[2]);
        assert!(table.first(&[moves[0], moves[2]]).is_none());
        assert!(table.first(&[moves[0], moves[1], moves[2]]).is_none());
        assert!(table.first(&[moves[1]]).is_none());
    }
}
