//! Games of PGN files, with the scores that `rookery match` writes behind the moves.

use super::game::{Game, MOST_PLIES, Outcome, Ply};
use board::fen::quote;
use board::pgn::{self, Text, Visited, Visitor, decode, is_known_variant};
use board::{Position, SanError};
use eval::score::{EVAL_LIMIT, MATE_LIMIT, mate_in, mated_in};

/// Hears of games and keeps the last one.
pub struct Importer {
    usual_start: Position,
    position: Position,
    /// The game cannot be followed any further: a null move, or too long.
    is_over: bool,
    game: Game,
}

impl Importer {
    /// Ready for the first game.
    pub fn new() -> Importer {
        let start = Position::startpos();
        let game = Game { start, outcome: Outcome::Unknown, plies: Vec::new() };
        Importer { usual_start: start, position: start, is_over: false, game }
    }

    /// The last game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    fn start_from(&mut self, position: Position) {
        (self.position, self.game.start) = (position, position);
    }
}

impl Default for Importer {
    fn default() -> Importer {
        Importer::new()
    }
}

impl Visitor for Importer {
    fn begin_game(&mut self) {
        self.start_from(self.usual_start);
        (self.game.outcome, self.is_over) = (Outcome::Unknown, false);
        self.game.plies.clear();
    }

    fn tag(&mut self, name: &[u8], value: &[u8]) -> Visited {
        match name {
            b"FEN" => {
                let position = Position::from_fen(&decode(value));
                self.start_from(position.map_err(|error| error.to_string())?);
            }
            b"Variant" if !is_known_variant(value) => {
                return Err(format!("the rules of {} are not known", quote(&decode(value))));
            }
            b"Result" => self.result(pgn::Outcome::parse(value).unwrap_or_default()),
            _ => (),
        }
        Ok(())
    }

    fn san(&mut self, token: &[u8]) -> Visited {
        self.is_over |= self.game.plies.len() == MOST_PLIES;
        if self.is_over {
            return Ok(());
        }
        match self.position.parse_san(token) {
            Ok(mv) => {
                self.game.plies.push(Ply { mv, score: None });
                self.position.play(mv);
            }
            Err(SanError::NullMove) => self.is_over = true,
            Err(error) => return Err(error.to_string()),
        }
        Ok(())
    }

    fn comment(&mut self, text: &[u8]) -> Visited {
        if !self.is_over
            && let Some(ply) = self.game.plies.last_mut()
        {
            ply.score = ply.score.or_else(|| score_of(&decode(text)));
        }
        Ok(())
    }

    fn begin_variation(&mut self) -> Result<Text, String> {
        Ok(Text::Skip)
    }

    fn result(&mut self, outcome: pgn::Outcome) {
        self.game.outcome = match outcome {
            pgn::Outcome::White => Outcome::White,
            pgn::Outcome::Black => Outcome::Black,
            pgn::Outcome::Draw => Outcome::Draw,
            pgn::Outcome::Unknown => return,
        };
    }
}

/// The score of a comment such as `+0.70/10 0.018s` or `-M4/20`: centipawns, or a mate in moves.
fn score_of(comment: &str) -> Option<i16> {
    let (score, _) = comment.split_once('/')?;
    let score = score.trim();
    let moves = |text: &str| text.parse().ok().filter(|moves| (0..=100).contains(moves));
    if let Some(text) = score.strip_prefix("+M") {
        return moves(text).map(|moves: i32| mate_in((2 * moves - 1).max(0)));
    }
    if let Some(text) = score.strip_prefix("-M") {
        return moves(text).map(|moves: i32| mated_in(2 * moves));
    }
    let centipawns = (score.parse::<f64>().ok()? * 100.0).round();
    let largest = f64::from(MATE_LIMIT - 1);
    let known = centipawns.abs() > f64::from(EVAL_LIMIT);
    // What other programs call a hundred pawns is a known win of some kind.
    centipawns.is_finite().then(|| match known {
        true => centipawns.clamp(-largest, largest) as i16,
        false => centipawns as i16,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use board::pgn::Reader;

    fn import(text: &str) -> Game {
        let mut importer = Importer::new();
        let mut reader = Reader::new(text.as_bytes());
        reader.read_game(&mut importer).expect("a game").expect("a good one");
        importer.game().clone()
    }

    #[test]
    fn moves_scores_and_the_outcome_are_taken() {
        let text = "[Result \"0-1\"]\n\n{+9.00/9} 1. f3 {-0.54/7 0.014s} (1. e4 {+0.50/9}) e5 \
            {+0.43/7\n0.007s} 2. g4 {book} Qh4# {+M1/3, mate} 0-1\n";
        let game = import(text);
        let scores: Vec<Option<i16>> = game.plies.iter().map(|ply| ply.score).collect();
        assert_eq!(scores, [Some(-54), Some(43), None, Some(mate_in(1))]);
        assert_eq!((game.outcome, game.start), (Outcome::Black, Position::startpos()));
    }

    #[test]
    fn a_game_may_begin_anywhere_and_end_with_a_null_move() {
        let game =
            import("[FEN \"4k3/8/8/8/8/8/8/4KR2 w - - 0 20\"]\n\n20. Rf7 -- 21. Rf8 {+5/1} *\n");
        assert_eq!((game.plies.len(), game.plies[0].score), (1, None));
        assert_eq!((game.start.fullmove_number(), game.outcome), (20, Outcome::Unknown));
    }

    #[test]
    fn scores_of_all_kinds_are_read() {
        assert_eq!(score_of("+0.70/10 0.018s"), Some(70));
        assert_eq!(score_of("-123.45/1"), Some(-12_345));
        assert_eq!(score_of("1e9/1"), Some(MATE_LIMIT - 1));
        assert_eq!(score_of("-M0/1"), Some(mated_in(0)));
        assert_eq!(score_of("+M2/1"), Some(mate_in(3)));
        for none in ["", "book", "0.70", "nan/3", "+M/3", "+M101/3", "x/3"] {
            assert_eq!(score_of(none), None, "{none}");
        }
    }
}
