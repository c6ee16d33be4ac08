//! The game so far, by our own board: what was played, and whether the rules have ended it.

use super::openings::Opening;
use crate::castling;
use board::{CastlingStyle, Color, Draw, History, Move, Outcome, Position};

/// A game from its start to the position on the board.
pub struct Course {
    pub start: Position,
    /// The FEN of the start; `None` for the usual one.
    pub start_fen: Option<String>,
    pub style: CastlingStyle,
    pub moves: Vec<Move>,
    pub position: Position,
    history: History,
    /// The moves in coordinates, a space before each.
    text: String,
}

impl Course {
    /// A game that has gone through its opening.
    pub fn new(opening: &Opening) -> Course {
        let start = opening.start;
        let fen = start.fen();
        let mut course = Course {
            start,
            style: castling::style(&fen, &start),
            start_fen: (start != Position::startpos()).then_some(fen),
            moves: Vec::new(),
            position: start,
            history: History::new(),
            text: String::new(),
        };
        opening.moves.iter().for_each(|&mv| course.play(mv));
        course
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        self.text.push(' ');
        self.text.push_str(&mv.uci(self.style));
        self.history.push(self.position.key());
        self.position.play(mv);
        self.moves.push(mv);
    }

    /// The side to move.
    pub fn mover(&self) -> Color {
        self.position.side_to_move()
    }

    /// How the rules have ended the game, if they have. Draws that could be claimed are claimed.
    pub fn outcome(&self) -> Option<Outcome> {
        self.history
            .outcome(&self.position)
            .or_else(|| self.history.claimable_draw(&self.position).map(Outcome::Draw))
    }

    /// Whether the side to move may claim a draw: it is there already, or a move brings it about.
    pub fn may_claim_draw(&self) -> bool {
        let is_draw = |outcome| matches!(outcome, Some(Outcome::Draw(_)));
        if is_draw(self.outcome()) {
            return true;
        }
        let mut history = self.history.clone();
        history.push(self.position.key());
        self.position.legal_moves().iter().any(|&mv| {
            let next = self.position.make(mv);
            let claimed: Option<Draw> = history.claimable_draw(&next);
            claimed.is_some() || is_draw(history.outcome(&next))
        })
    }

    /// The argument of UCI's `position`: the start and the moves.
    pub fn uci(&self) -> String {
        let start = match &self.start_fen {
            None => String::from("startpos"),
            Some(fen) => format!("fen {fen}"),
        };
        match self.moves.is_empty() {
            true => start,
            false => format!("{start} moves{}", self.text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn course(fen: &str, moves: &str) -> Course {
        let start = Position::from_fen(fen).expect("a position");
        let mut course = Course::new(&Opening { start, moves: Vec::new() });
        for text in moves.split_whitespace() {
            let mv = course.position.parse_uci(text).expect("a legal move");
            course.play(mv);
        }
        course
    }

    #[test]
    fn three_occurrences_end_the_game() {
        let start = Position::startpos().fen();
        let dance = "g1f3 g8f6 f3g1 f6g8 ";
        let once = course(&start, dance);
        assert!(once.outcome().is_none());
        let almost = course(&start, &format!("{dance}g1f3 g8f6 f3g1"));
        assert!(almost.outcome().is_none() && almost.may_claim_draw());
        let twice = course(&start, &dance.repeat(2));
        assert_eq!(twice.outcome(), Some(Outcome::Draw(Draw::ThreefoldRepetition)));
        assert!(twice.uci().starts_with("startpos moves g1f3 g8f6"));
    }

    #[test]
    fn a_mate_goes_before_the_fifty_moves() {
        let mated = course("7k/8/5KQ1/8/8/8/8/8 w - - 99 90", "g6g7");
        assert_eq!(mated.outcome(), Some(Outcome::Checkmate(Color::White)));
        let drawn = course("7k/8/5KQ1/8/8/8/8/8 w - - 99 90", "g6g1");
        assert_eq!(drawn.outcome(), Some(Outcome::Draw(Draw::FiftyMoves)));
    }
}
