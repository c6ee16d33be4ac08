//! Endings that Syzygy tables know: the game is over, and the tables say how.

use super::game_end::{Cause, GameEnd};
use board::Position;
use endgame::syzygy::{self, Syzygy};

/// The tables of a match.
pub struct Tablebase {
    tables: Syzygy,
    /// Positions with more men are played on.
    most_men: u32,
}

impl Tablebase {
    /// Opens a list of folders. What is wrong with it is an error: a match should not find out in its last
    /// game.
    pub fn open(folders: &str, most_men: u32) -> Result<Tablebase, String> {
        let tables = Syzygy::open(folders);
        if let Some(fault) = tables.faults().first() {
            return Err(format!("--syzygy {fault}"));
        }
        match tables.most_men() {
            0 => Err(format!("--syzygy {folders}: there are no tables here")),
            _ => Ok(Tablebase { most_men, tables }),
        }
    }

    /// How the game will end with best play, where the tables know it for certain.
    ///
    /// They count from a pawn move or a capture. Behind one they are exact. Later in the game a draw is
    /// still a draw, but the fifty-move rule may overtake a win: that is played on.
    pub fn adjudicate(&self, position: &Position) -> Option<GameEnd> {
        if position.occupied().count() > self.most_men {
            return None;
        }
        let mover = position.side_to_move();
        match self.tables.probe(position)? {
            syzygy::Wdl::Draw | syzygy::Wdl::CursedWin | syzygy::Wdl::BlessedLoss => {
                Some(GameEnd::draw(Cause::TablebaseDraw))
            }
            _ if position.halfmove_clock() > 0 => None,
            syzygy::Wdl::Win => Some(GameEnd::win(mover, Cause::TablebaseWin)),
            syzygy::Wdl::Loss => Some(GameEnd::win(!mover, Cause::TablebaseWin)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use board::Color;

    const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/syzygy");

    #[test]
    fn wins_count_behind_a_capture_and_draws_always() {
        let tables = Tablebase::open(FOLDER, 7).expect("tables");
        let adjudicate =
            |fen: &str| tables.adjudicate(&Position::from_fen(fen).expect("a position"));
        let white = Some(GameEnd::win(Color::White, Cause::TablebaseWin));
        assert_eq!(adjudicate("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1"), white);
        assert_eq!(adjudicate("4k3/8/8/8/8/8/8/Q3K3 b - - 0 1"), white);
        assert_eq!(adjudicate("4k3/8/8/8/8/8/8/Q3K3 b - - 1 1"), None);
        let draw = Some(GameEnd::draw(Cause::TablebaseDraw));
        assert_eq!(adjudicate("4k3/8/8/8/8/8/8/N1N1K3 w - - 7 9"), draw);
        assert_eq!(adjudicate("4k3/pppppppp/8/8/8/8/8/Q3K3 w - - 0 1"), None);
        // Castling is not in the tables.
        assert_eq!(adjudicate("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), None);
    }

    #[test]
    fn only_positions_of_few_men_are_asked_for_and_a_wrong_folder_is_an_error() {
        let tables = Tablebase::open(FOLDER, 3).expect("tables");
        let position = Position::from_fen("4k3/8/8/8/8/8/8/N1N1K3 w - - 0 1").expect("a position");
        assert_eq!(tables.adjudicate(&position), None);
        for folder in ["/no/such/folder", concat!(env!("CARGO_MANIFEST_DIR"), "/src")] {
            assert!(Tablebase::open(folder, 7).is_err(), "{folder}");
        }
    }
}
