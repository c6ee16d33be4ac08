//! Syzygy tables, by the crate that reads them.

use board::{Color, Piece, PieceKind, Position};
use shakmaty::{CastlingMode, Chess, FromSetup, Setup};
use shakmaty_syzygy::{Tablebase, Wdl};
use std::path::{Path, PathBuf};

/// Between the folders of a list.
const SEPARATOR: char = if cfg!(windows) { ';' } else { ':' };

/// Syzygy tables of one or more folders.
pub struct Syzygy {
    tables: Tablebase<Chess>,
    faults: Vec<String>,
}

/// What a Syzygy table says, for the side to move: the fifty-move rule may save the loser.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Verdict {
    /// Lost.
    Loss,
    /// Lost, but the fifty-move rule may save it.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won, but the fifty-move rule may save the other side.
    CursedWin,
    /// Won.
    Win,
}

impl Verdict {
    /// −1, 0 or 1; with the fifty-move rule the wins that it spoils are draws.
    pub const fn sign(self, fifty_moves: bool) -> i32 {
        match self {
            Verdict::Loss => -1,
            Verdict::BlessedLoss if !fifty_moves => -1,
            Verdict::CursedWin if !fifty_moves => 1,
            Verdict::Win => 1,
            _ => 0,
        }
    }
}

impl Syzygy {
    /// The tables of a list of folders, parted as the system parts paths. Folders that cannot be read
    /// are named in [`Syzygy::faults`].
    pub fn open(folders: &str) -> Syzygy {
        let folders = folders.split(SEPARATOR).filter(|folder| !folder.is_empty());
        let folders: Vec<PathBuf> = folders.map(PathBuf::from).collect();
        let mut syzygy = Syzygy { tables: Tablebase::new(), faults: Vec::new() };
        folders.iter().for_each(|folder| syzygy.add(folder));
        syzygy
    }

    fn add(&mut self, folder: &Path) {
        if let Err(error) = self.tables.add_directory(folder) {
            self.faults.push(format!("{}: {error}", folder.display()));
        }
    }

    /// What could not be read.
    pub fn faults(&self) -> &[String] {
        &self.faults
    }

    /// The most men of any table; 0 if there is none.
    pub fn most_men(&self) -> u32 {
        self.tables.max_pieces() as u32
    }

    /// What the tables say if the clock of the fifty-move rule has just been set back; none where a
    /// table is missing or damaged.
    pub fn probe(&self, position: &Position) -> Option<Verdict> {
        Some(match self.tables.probe_wdl_after_zeroing(&convert(position)?).ok()? {
            Wdl::Win => Verdict::Win,
            Wdl::CursedWin => Verdict::CursedWin,
            Wdl::Draw => Verdict::Draw,
            Wdl::BlessedLoss => Verdict::BlessedLoss,
            Wdl::Loss => Verdict::Loss,
        })
    }

    /// Half-moves to the next capture or pawn move on the way to the win (positive) or loss (negative);
    /// 0 for draws.
    pub fn distance(&self, position: &Position) -> Option<i32> {
        let distance = self.tables.probe_dtz(&convert(position)?).ok()?;
        Some(i32::from(distance.ignore_rounding()))
    }
}

/// The same position for the other library; none with rights to castle, of which tables know nothing.
fn convert(position: &Position) -> Option<Chess> {
    if Color::ALL.iter().any(|&color| position.castling_rooks(color).non_empty()) {
        return None;
    }
    let mut setup = Setup::empty();
    for square in position.occupied() {
        let piece: Piece = position.piece_on(square)?;
        let role = match piece.kind() {
            PieceKind::Pawn => shakmaty::Role::Pawn,
            PieceKind::Knight => shakmaty::Role::Knight,
            PieceKind::Bishop => shakmaty::Role::Bishop,
            PieceKind::Rook => shakmaty::Role::Rook,
            PieceKind::Queen => shakmaty::Role::Queen,
            PieceKind::King => shakmaty::Role::King,
        };
        let color = shakmaty::Color::from_white(piece.color() == Color::White);
        let target = shakmaty::Square::try_from(square.index() as u32).ok()?;
        setup.board.set_piece_at(target, shakmaty::Piece { color, role });
    }
    setup.turn = shakmaty::Color::from_white(position.side_to_move() == Color::White);
    setup.halfmoves = u32::from(position.halfmove_clock());
    setup.ep_square = match position.en_passant() {
        Some(square) => shakmaty::Square::try_from(square.index() as u32).ok(),
        None => None,
    };
    // Positions of a table need not be reachable in a game.
    Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(shakmaty::PositionError::ignore_impossible_check)
        .or_else(shakmaty::PositionError::ignore_too_much_material)
        .ok()
}
