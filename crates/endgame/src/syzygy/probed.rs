//! Our position as the library that reads Syzygy tables sees it.
//!
//! The library asks any type that says which moves are legal. With its own positions it would bring move
//! generation of its own: 0.75 MB of tables and code that do what the board does already.

use board::{Color, Move, MoveKind, PieceKind, Position};
use shakmaty::{Bitboard, Board, ByColor, ByRole, Castles, CastlingMode, Outcome, Role, Square};
use shakmaty_syzygy::{Syzygy, TableType};
use std::num::NonZeroU32;

/// No rights: no table knows of any.
static NO_CASTLES: Castles = Castles::empty(CastlingMode::Standard);

/// A position without rights to castle.
#[derive(Clone)]
pub struct Probed {
    position: Position,
    board: Board,
}

impl Probed {
    /// None with rights to castle.
    pub fn new(position: &Position) -> Option<Probed> {
        let castles = Color::ALL.iter().any(|&color| position.castling_rooks(color).non_empty());
        (!castles).then(|| Probed { position: *position, board: convert(position) })
    }

    /// A legal move in the library's words.
    fn describe(&self, mv: Move) -> Option<shakmaty::Move> {
        let (from, to) = (square(mv.from())?, square(mv.to())?);
        let role_on = |square| Some(role(self.position.piece_on(square)?.kind()));
        Some(match mv.kind() {
            MoveKind::EnPassant => shakmaty::Move::EnPassant { from, to },
            _ => shakmaty::Move::Normal {
                role: role_on(mv.from())?,
                from,
                capture: role_on(mv.to()),
                to,
                promotion: mv.promoted().map(role),
            },
        })
    }
}

fn convert(position: &Position) -> Board {
    let kind = |kind| Bitboard(position.kind(kind).0);
    let roles = ByRole {
        pawn: kind(PieceKind::Pawn),
        knight: kind(PieceKind::Knight),
        bishop: kind(PieceKind::Bishop),
        rook: kind(PieceKind::Rook),
        queen: kind(PieceKind::Queen),
        king: kind(PieceKind::King),
    };
    let color = |color| Bitboard(position.color(color).0);
    let colors = ByColor { black: color(Color::Black), white: color(Color::White) };
    // A position never has two men on one square.
    Board::try_from_bitboards(roles, colors).unwrap_or_else(|_| Board::empty())
}

fn square(square: board::Square) -> Option<Square> {
    Square::try_from(square.index() as u32).ok()
}

fn back(square: Square) -> board::Square {
    board::Square::new(u8::from(square))
}

fn role(kind: PieceKind) -> Role {
    match kind {
        PieceKind::Pawn => Role::Pawn,
        PieceKind::Knight => Role::Knight,
        PieceKind::Bishop => Role::Bishop,
        PieceKind::Rook => Role::Rook,
        PieceKind::Queen => Role::Queen,
        PieceKind::King => Role::King,
    }
}

impl shakmaty::Position for Probed {
    fn board(&self) -> &Board {
        &self.board
    }

    fn promoted(&self) -> Bitboard {
        Bitboard::EMPTY
    }

    fn pockets(&self) -> Option<&ByColor<ByRole<u8>>> {
        None
    }

    fn turn(&self) -> shakmaty::Color {
        shakmaty::Color::from_white(self.position.side_to_move() == Color::White)
    }

    fn castles(&self) -> &Castles {
        &NO_CASTLES
    }

    fn maybe_ep_square(&self) -> Option<Square> {
        self.position.en_passant().and_then(square)
    }

    fn remaining_checks(&self) -> Option<&ByColor<shakmaty::RemainingChecks>> {
        None
    }

    fn halfmoves(&self) -> u32 {
        u32::from(self.position.halfmove_clock())
    }

    fn fullmoves(&self) -> NonZeroU32 {
        NonZeroU32::new(u32::from(self.position.fullmove_number())).unwrap_or(NonZeroU32::MIN)
    }

    fn legal_moves(&self) -> shakmaty::MoveList {
        self.position.legal_moves().iter().filter_map(|&mv| self.describe(mv)).collect()
    }

    /// Asked only for the king of the side to move.
    fn king_attackers(&self, _king: Square, _by: shakmaty::Color, _occupied: Bitboard) -> Bitboard {
        Bitboard(self.position.checkers().0)
    }

    fn is_variant_end(&self) -> bool {
        false
    }

    fn has_insufficient_material(&self, _color: shakmaty::Color) -> bool {
        false
    }

    fn variant_outcome(&self) -> Outcome {
        Outcome::Unknown
    }

    fn play_unchecked(&mut self, played: shakmaty::Move) {
        let mv = match played {
            shakmaty::Move::Normal { from, to, promotion, .. } => {
                let is_it = |kind: &PieceKind| promotion == Some(role(*kind));
                match PieceKind::PROMOTIONS.into_iter().find(is_it) {
                    Some(kind) => Move::promotion(back(from), back(to), kind),
                    None => Move::normal(back(from), back(to)),
                }
            }
            shakmaty::Move::EnPassant { from, to } => Move::en_passant(back(from), back(to)),
            // Never among the legal moves.
            shakmaty::Move::Castle { .. } | shakmaty::Move::Put { .. } => return,
        };
        self.position.play(mv);
        self.board = convert(&self.position);
    }
}

impl Syzygy for Probed {
    const TBW: TableType = shakmaty::Chess::TBW;
    const TBZ: TableType = shakmaty::Chess::TBZ;
    const ONE_KING: bool = shakmaty::Chess::ONE_KING;
    const CONNECTED_KINGS: bool = shakmaty::Chess::CONNECTED_KINGS;
    const CAPTURES_COMPULSORY: bool = shakmaty::Chess::CAPTURES_COMPULSORY;
    const MAX_PIECES: usize = shakmaty::Chess::MAX_PIECES;
}
