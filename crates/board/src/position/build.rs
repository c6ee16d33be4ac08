//! Putting a position together from its parts, with every rule of a possible position checked.

use super::{Keys, Material, Position, PositionError};
use crate::attacks::{Isa, Kernel, dispatch};
use crate::packed::MOST_MEN;
use crate::{Bitboard, Color, MAX_MOVES, Piece, PieceKind, Square, zobrist};

/// Men of one colour and kind that [`Material`] counts.
pub(super) const MOST_ALIKE: u32 = 15;

/// How much a man adds to the crowd of its side, by [`PieceKind::index`]: at least the moves it can have
/// (a pawn may become a queen), and at least its share of what fifteen queens are worth, so that neither
/// lists of moves nor the sums of an evaluation overflow where the sides' crowds stay below [`MAX_MOVES`].
const CROWD: [u32; 6] = [27, 10, 14, 16, 27, 8];

/// The parts of a position that has not been checked yet.
#[derive(Clone, Debug)]
pub struct Builder {
    /// What stands on each square.
    pub squares: [Option<Piece>; 64],
    /// Who is to move.
    pub side: Color,
    /// The files of the rooks that may castle, one bit each, White's and Black's.
    pub castling: [u8; 2],
    /// The square behind a pawn that has just made a double step, capturable or not.
    pub en_passant: Option<Square>,
    /// Half-moves since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// The number of the full move.
    pub fullmove_number: u16,
}

impl Default for Builder {
    fn default() -> Builder {
        Builder {
            squares: [None; 64],
            side: Color::White,
            castling: [0, 0],
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }
}

impl Builder {
    /// Checks everything and makes the position.
    pub fn build(&self) -> Result<Position, PositionError> {
        self.build_with(Builder::check_usual)
    }

    /// The same for positions that no game can reach, with more than sixteen men or eight pawns a side:
    /// as many as lists of moves, evaluations and packed positions have room for. A side with
    /// at most sixteen men and eight pawns is never too large.
    pub fn build_crowded(&self) -> Result<Position, PositionError> {
        self.build_with(Builder::check_crowd)
    }

    fn build_with(
        &self,
        check_number: fn(&Position, Color) -> Result<(), PositionError>,
    ) -> Result<Position, PositionError> {
        let mut position = self.assemble();
        Builder::check_men(&position, check_number)?;
        self.check_castling(&position)?;
        position.update_checks(self.side, position.leaper_checks(self.side));
        let mut other = position;
        other.side = !other.side;
        other.update_checks(other.side, other.leaper_checks(other.side));
        if other.in_check() {
            return Err(PositionError::OpponentInCheck(other.side));
        }
        if let Some(target) = self.en_passant {
            self.check_en_passant(&position, target)?;
            position.refresh_en_passant(target);
        }
        Ok(position)
    }

    fn assemble(&self) -> Position {
        let mut position = Position {
            kinds: [Bitboard::EMPTY; 6],
            colors: [Bitboard::EMPTY; 2],
            squares: self.squares,
            keys: Keys::default(),
            material: Material::NONE,
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number.max(1),
            castling: u16::from_le_bytes([self.castling[1], self.castling[0]]),
            en_passant: None,
            side: self.side,
        };
        position.recollect();
        position
    }

    /// Kings and their distance, numbers of men, pawns on possible squares.
    fn check_men(
        position: &Position,
        check_number: fn(&Position, Color) -> Result<(), PositionError>,
    ) -> Result<(), PositionError> {
        for color in Color::ALL {
            let kings = position.men(color, PieceKind::King).count();
            if kings != 1 {
                return Err(PositionError::Kings(color, kings));
            }
            check_number(position, color)?;
            let back_ranks = Bitboard::rank(0) | Bitboard::rank(7);
            if let Some(square) = (position.men(color, PieceKind::Pawn) & back_ranks).first() {
                return Err(PositionError::PawnOnBackRank(color, square));
            }
        }
        let men = position.occupied().count();
        if men > MOST_MEN as u32 {
            return Err(PositionError::MenInAll(men));
        }
        let [white, black] = Color::ALL.map(|color| position.king(color));
        match white.distance(black) {
            1 => Err(PositionError::AdjacentKings(white, black)),
            _ => Ok(()),
        }
    }

    /// Whether a side has no more men than a game begins with.
    fn check_usual(position: &Position, color: Color) -> Result<(), PositionError> {
        let pawns = position.men(color, PieceKind::Pawn).count();
        let men = position.color(color).count();
        match (pawns, men) {
            (9.., _) => Err(PositionError::Pawns(color, pawns)),
            (_, 17..) => Err(PositionError::Men(color, men)),
            _ => Ok(()),
        }
    }

    /// Whether a side, with every pawn promoted, stays within what others rely on.
    fn check_crowd(position: &Position, color: Color) -> Result<(), PositionError> {
        let count = |kind| position.men(color, kind).count();
        let pawns = count(PieceKind::Pawn);
        let mut crowd = 0;
        for kind in PieceKind::ALL {
            let promoted =
                if matches!(kind, PieceKind::Pawn | PieceKind::King) { 0 } else { pawns };
            if count(kind) + promoted > MOST_ALIKE {
                return Err(PositionError::Alike(color, kind));
            }
            crowd += count(kind) * CROWD[kind.index()];
        }
        if crowd as usize > MAX_MOVES { Err(PositionError::Crowd(color)) } else { Ok(()) }
    }

    fn check_castling(&self, position: &Position) -> Result<(), PositionError> {
        for color in Color::ALL {
            let rooks = position.castling_rooks(color);
            let king = position.king(color);
            if rooks.is_empty() {
                continue;
            }
            if king.rank_for(color) != 0 {
                return Err(PositionError::CastlingKing(color));
            }
            if let Some(square) = rooks.without(position.men(color, PieceKind::Rook)).first() {
                return Err(PositionError::CastlingRook(color, square));
            }
            let west = rooks.filter(|rook| rook.file() < king.file()).count();
            if west > 1 || rooks.len() - west > 1 {
                return Err(PositionError::CastlingWing(color));
            }
        }
        Ok(())
    }

    fn check_en_passant(&self, position: &Position, target: Square) -> Result<(), PositionError> {
        let them = !self.side;
        if target.rank_for(them) != 2 {
            return Err(PositionError::EnPassantRank(target));
        }
        let pawn = Square::new(target.index() as u8 ^ 8);
        let origin = Square::at(target.file(), if them == Color::White { 1 } else { 6 });
        let passed = target.bb() | origin.bb();
        if !position.men(them, PieceKind::Pawn).has(pawn) || position.occupied().meets(passed) {
            return Err(PositionError::EnPassantPawn(target));
        }
        Ok(())
    }
}

impl Position {
    /// The same position with the colours exchanged: the board is turned over, and the other side is to
    /// move.
    ///
    /// ```
    /// use board::Position;
    /// let position = Position::from_fen("4k3/8/8/8/3pP3/8/8/4K2R b K e3 0 7").unwrap();
    /// assert_eq!(position.flipped().fen(), "4k2r/8/8/3Pp3/8/8/8/4K3 w k e6 0 7");
    /// ```
    pub fn flipped(&self) -> Position {
        let mut builder = Builder {
            side: !self.side,
            castling: [Color::Black, Color::White].map(|color| {
                let rooks = self.castling_rooks(color).0;
                (rooks | rooks >> 56) as u8
            }),
            en_passant: self.en_passant().map(Square::flip),
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
            ..Builder::default()
        };
        for square in self.occupied() {
            builder.squares[square.flip().index()] =
                self.piece_on(square).map(|piece| Piece::new(!piece.color(), piece.kind()));
        }
        builder.build_crowded().expect("what is legal for one side is legal for the other")
    }

    /// The Chess960 starting position with a number from 0 to 959 (518 is classical chess); higher
    /// numbers begin again at 0.
    pub fn chess960(number: u16) -> Position {
        let row = chess960_row(number % 960);
        let mut builder = Builder::default();
        let mut rooks = 0;
        for (file, kind) in row.into_iter().enumerate() {
            for (color, back, front) in [(Color::White, 0, 1), (Color::Black, 7, 6)] {
                let file = file as u8;
                let pawn = Piece::new(color, PieceKind::Pawn);
                builder.squares[Square::at(file, back).index()] = Some(Piece::new(color, kind));
                builder.squares[Square::at(file, front).index()] = Some(pawn);
            }
            if kind == PieceKind::Rook {
                rooks |= 1 << file;
            }
        }
        builder.castling = [rooks, rooks];
        builder.build().expect("every Chess960 starting position is valid")
    }

    /// The same position with other clocks. The full-move number begins with 1.
    pub fn with_clocks(self, halfmove_clock: u16, fullmove_number: u16) -> Position {
        Position { halfmove_clock, fullmove_number: fullmove_number.max(1), ..self }
    }

    /// Sets the en passant square if a capture on it is legal.
    ///
    /// After a real double step no knight and no other pawn gives check, and the hot code relies on
    /// it. A FEN may still say so; the capture would leave that check standing.
    fn refresh_en_passant(&mut self, target: Square) {
        let passed = Square::new(target.index() as u8 ^ 8);
        let leapers = self.kind(PieceKind::Pawn) | self.kind(PieceKind::Knight);
        if (self.checkers & leapers).without(passed.bb()).non_empty() {
            return;
        }
        struct Refresh<'a>(&'a mut Position, Square);
        impl Kernel for Refresh<'_> {
            type Output = ();
            #[inline(always)]
            fn run<I: Isa>(self, isa: I) {
                self.0.set_en_passant(isa, self.1);
            }
        }
        dispatch(Refresh(self, target));
    }

    /// Computes sets, keys and material from what stands on the squares.
    fn recollect(&mut self) {
        self.kinds = [Bitboard::EMPTY; 6];
        self.colors = [Bitboard::EMPTY; 2];
        self.keys = Keys::default();
        self.material = Material::NONE;
        for square in Square::all() {
            if let Some(piece) = self.piece_on(square) {
                self.kinds[piece.kind().index()] |= square.bb();
                self.colors[piece.color().index()] |= square.bb();
                self.keys.toggle(piece.color(), piece, zobrist::piece(piece, square));
                self.material = self.material.plus(piece);
            }
        }
    }

    /// Whether every derived part (sets, keys, material, checkers, pins, en passant) equals the one
    /// computed anew from what stands on the squares. It always holds; tests ask.
    pub fn is_consistent(&self) -> bool {
        let mut fresh = *self;
        fresh.recollect();
        fresh.update_checks(self.side, fresh.leaper_checks(self.side));
        if let Some(target) = fresh.en_passant.take() {
            fresh.refresh_en_passant(target.square());
        }
        fresh == *self
    }
}

/// The men of the back rank by Scharnagl's numbering.
fn chess960_row(number: u16) -> [PieceKind; 8] {
    let mut row = [None; 8];
    let place = |nth: u16, kind: PieceKind, row: &mut [Option<PieceKind>; 8]| {
        let free = (0..8).filter(|&file| row[file].is_none()).nth(nth as usize);
        if let Some(file) = free {
            row[file] = Some(kind);
        }
    };
    let (rest, light) = (number / 4, number % 4);
    row[(light * 2 + 1) as usize] = Some(PieceKind::Bishop);
    let (rest, dark) = (rest / 4, rest % 4);
    row[(dark * 2) as usize] = Some(PieceKind::Bishop);
    let (knights, queen) = (rest / 6, rest % 6);
    place(queen, PieceKind::Queen, &mut row);
    const KNIGHTS: [(u16, u16); 10] =
        [(0, 0), (0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3)];
    let (first, second) = KNIGHTS[knights as usize];
    place(first, PieceKind::Knight, &mut row);
    place(second, PieceKind::Knight, &mut row);
    place(0, PieceKind::Rook, &mut row);
    place(0, PieceKind::King, &mut row);
    place(0, PieceKind::Rook, &mut row);
    row.map(|kind| kind.unwrap_or(PieceKind::Pawn))
}
