//! The game as it was played: positions that can be gone back to, and how it ends.

use crate::castling;
use board::fen::Repair;
use board::{CastlingStyle, Color, Draw, FenError, History, Move, MoveKind, Outcome, Position};

/// A game from its first position on.
#[derive(Clone)]
pub struct Game {
    /// The positions before the current one.
    earlier: Vec<Position>,
    position: Position,
    /// Their keys.
    history: History,
    /// How castling is written as far as the first position tells.
    style: CastlingStyle,
    /// The variant is fischerandom.
    pub chess960: bool,
}

impl Default for Game {
    fn default() -> Game {
        Game::from(Position::startpos(), CastlingStyle::Standard)
    }
}

impl Game {
    fn from(position: Position, style: CastlingStyle) -> Game {
        let (earlier, history) = (Vec::new(), History::new());
        Game { earlier, position, history, style, chess960: false }
    }

    /// A game that begins with another position, in the same variant; what had to be repaired in it.
    pub fn set_up(&mut self, fen: &str) -> Result<Vec<Repair>, FenError> {
        let (position, repairs) = Position::from_fen_repaired(fen)?;
        let style = castling::style(fen, &position);
        *self = Game { chess960: self.chess960, ..Game::from(position, style) };
        Ok(repairs)
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The side to move.
    pub fn side_to_move(&self) -> Color {
        self.position.side_to_move()
    }

    /// The position and the keys before it, as a search wants them; after one more move, if given.
    pub fn root(&self, next: Option<Move>) -> (Position, History) {
        let (mut position, mut history) = (self.position, self.history.clone());
        if let Some(mv) = next {
            history.push(position.key());
            position.play(mv);
        }
        (position, history)
    }

    /// How many moves a side has made.
    pub fn moves_of(&self, color: Color) -> usize {
        self.earlier.iter().filter(|position| position.side_to_move() == color).count()
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        self.history.push(self.position.key());
        self.earlier.push(self.position);
        self.position.play(mv);
    }

    /// Takes moves back; false if there are fewer than that.
    pub fn take_back(&mut self, count: usize) -> bool {
        let Some(left) = self.earlier.len().checked_sub(count) else { return false };
        if let Some(&position) = self.earlier.get(left) {
            self.position = position;
            self.earlier.truncate(left);
            self.history.truncate(left);
        }
        true
    }

    /// Gives the turn to a side, as the old commands `white` and `black` want it; whether it could be
    /// given. The past is forgotten then.
    pub fn give_turn(&mut self, color: Color) -> bool {
        if self.side_to_move() == color {
            return true;
        }
        if self.position.in_check() {
            return false;
        }
        let (position, style) = (self.position.make_null(), self.style);
        *self = Game { chess960: self.chess960, ..Game::from(position, style) };
        true
    }

    /// Reads a legal move in coordinates, or castling as `O-O`; or says why it is none.
    pub fn read_move(&self, text: &str) -> Result<Move, String> {
        let castling = text.to_ascii_uppercase().replace('0', "O");
        match castling.as_str() {
            "O-O" | "O-O-O" => {
                self.position.parse_san(castling.as_bytes()).map_err(|error| error.to_string())
            }
            _ => self.position.parse_uci(text).map_err(|error| error.to_string()),
        }
    }

    /// How moves of this game are written.
    pub fn notation(&self) -> Notation {
        match self.chess960 {
            true => Notation(CastlingStyle::Chess960),
            false => Notation(self.style),
        }
    }

    /// How the game has ended by itself: the line that says so.
    pub fn result(&self) -> Option<String> {
        self.history.outcome(&self.position).map(|outcome| match outcome {
            Outcome::Checkmate(Color::White) => "1-0 {White mates}".to_owned(),
            Outcome::Checkmate(Color::Black) => "0-1 {Black mates}".to_owned(),
            Outcome::Draw(draw) => draw_line(draw),
        })
    }

    /// The draw that the side to move can claim: the line that claims it.
    pub fn claim(&self) -> Option<String> {
        self.history.claimable_draw(&self.position).map(draw_line)
    }
}

fn draw_line(draw: Draw) -> String {
    let reason = match draw {
        Draw::Stalemate => "Stalemate",
        Draw::InsufficientMaterial => "Draw by insufficient material",
        Draw::SeventyFiveMoves => "Draw by 75-move rule",
        Draw::FivefoldRepetition | Draw::ThreefoldRepetition => "Draw by repetition",
        Draw::FiftyMoves => "Draw by 50-move rule",
    };
    format!("1/2-1/2 {{{reason}}}")
}

/// How moves are written: in coordinates, and castling in Chess960 as `O-O` or `O-O-O`.
#[derive(Clone, Copy)]
pub struct Notation(CastlingStyle);

impl Notation {
    /// A move as text.
    pub fn write(self, mv: Move) -> String {
        let is_castling = mv.kind() == MoveKind::Castling && self.0 == CastlingStyle::Chess960;
        match is_castling {
            true if mv.to().file() > mv.from().file() => "O-O".to_owned(),
            true => "O-O-O".to_owned(),
            false => mv.uci(CastlingStyle::Standard),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(fen: &str, moves: &[&str]) -> Game {
        let mut game = Game::default();
        game.set_up(fen).expect("a position");
        for text in moves {
            let mv = game.read_move(text).expect("a legal move");
            game.play(mv);
        }
        game
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn moves_are_taken_back_to_the_first_position_and_not_beyond() {
        let mut game = after(START, &["e2e4", "e7e5", "g1f3"]);
        assert_eq!((game.moves_of(Color::White), game.moves_of(Color::Black)), (2, 1));
        assert!(!game.take_back(4) && game.take_back(2));
        assert_eq!(game.position().fen(), after(START, &["e2e4"]).position().fen());
        assert!(game.take_back(1) && !game.take_back(1) && game.take_back(0));
        assert_eq!(game.position().fen(), START);
    }

    #[test]
    fn results_are_told_as_the_protocol_spells_them() {
        let mated = after(START, &["f2f3", "e7e5", "g2g4", "d8h4"]);
        assert_eq!(mated.result().as_deref(), Some("0-1 {Black mates}"));
        let stale = after("7k/5K2/8/6Q1/8/8/8/8 w - - 0 1", &["g5g6"]);
        assert_eq!(stale.result().as_deref(), Some("1/2-1/2 {Stalemate}"));
        let there_and_back = ["g1f3", "g8f6", "f3g1", "f6g8"];
        let twice = there_and_back.repeat(2);
        let repeated = after(START, &twice);
        assert_eq!((repeated.result(), after(START, &there_and_back).claim()), (None, None));
        assert_eq!(repeated.claim().as_deref(), Some("1/2-1/2 {Draw by repetition}"));
    }

    #[test]
    fn castling_is_read_in_every_way_and_written_by_the_variant() {
        let mut game = after("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", &[]);
        for text in ["e1g1", "e1h1", "O-O", "0-0", "o-o"] {
            let mv = game.read_move(text).expect("castling");
            assert_eq!(game.notation().write(mv), "e1g1");
        }
        game.chess960 = true;
        let long = game.read_move("e1a1").expect("castling");
        assert_eq!(game.notation().write(long), "O-O-O");
        let shuffled = after("4k3/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1", &[]);
        let short = shuffled.read_move("O-O").expect("castling");
        assert_eq!(shuffled.notation().write(short), "O-O");
    }

    #[test]
    fn the_turn_is_not_given_away_in_check() {
        let mut game = after(START, &["e2e4"]);
        assert!(game.give_turn(Color::Black) && game.give_turn(Color::White));
        assert_eq!(game.side_to_move(), Color::White);
        let mut check = after("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", &[]);
        assert!(!check.give_turn(Color::Black));
    }
}
