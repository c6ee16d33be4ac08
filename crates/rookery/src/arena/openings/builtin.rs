//! The openings of the program itself, for matches to which none are given.
//!
//! Lines of four moves, as they are played, chosen so that neither side has much of an advantage. The
//! file says where they come from.

use super::Opening;
use board::Position;

const LINES: &str = include_str!("builtin.txt");

/// All lines, or their first plies.
pub fn lines(plies: Option<usize>) -> Vec<Opening> {
    let lines = LINES.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map_while(|line| opening(line, plies.unwrap_or(usize::MAX))).collect()
}

/// The moves of a line.
fn opening(line: &str, plies: usize) -> Option<Opening> {
    let (mut position, mut moves) = (Position::startpos(), Vec::new());
    for text in line.split_ascii_whitespace().take(plies) {
        let mv = position.parse_san(text.as_bytes()).ok()?;
        position.play(mv);
        moves.push(mv);
    }
    Some(Opening { start: Position::startpos(), moves })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_line_is_legal_and_none_comes_twice() {
        let lines = lines(None);
        let written = LINES.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(lines.len(), written);
        assert!((500..1000).contains(&written) && LINES.len() < 40_000);
        let ends: HashSet<u64> = lines.iter().map(|opening| opening.end().key()).collect();
        assert_eq!(ends.len(), written);
        assert!(lines.iter().all(|opening| opening.moves.len() == 8));
    }

    #[test]
    fn shorter_lines_can_be_had() {
        assert!(lines(Some(2)).iter().all(|opening| opening.moves.len() == 2));
    }
}
