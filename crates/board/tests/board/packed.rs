//! The packed form and its inverse.

use crate::common::random_move;
use board::random::SplitMix;
use board::{Packed, PackedError, Position, PositionError, Square};
use proptest::prelude::*;

/// A position of a random game, with odd clocks now and then.
fn random_position(seed: u64) -> Position {
    let mut random = SplitMix(seed);
    let mut position = Position::chess960(random.below(960) as u16);
    for _ in 0..random.below(150) {
        let Some(mv) = random_move(&position.legal_moves(), &mut random) else { break };
        position.play(mv);
    }
    match random.below(4) {
        0 => position.with_clocks(random.next() as u16, random.next() as u16),
        _ => position,
    }
}

proptest! {
    #[test]
    fn unpacking_undoes_packing(seed: u64) {
        let position = random_position(seed);
        prop_assert_eq!(position.pack().unpack(), Ok(position));
    }

    #[test]
    fn any_bytes_are_an_error_or_the_form_of_a_consistent_position(bytes: [u8; 32]) {
        check_bytes(bytes);
    }

    #[test]
    fn damaged_bytes_are_an_error_or_the_form_of_a_consistent_position(
        seed: u64,
        damage in prop::collection::vec((0usize..32, any::<u8>()), 1..4),
    ) {
        let mut bytes = random_position(seed).pack().to_bytes();
        for (at, byte) in damage {
            bytes[at] = byte;
        }
        check_bytes(bytes);
    }
}

/// What unpacks, packs to the same bytes.
fn check_bytes(bytes: [u8; 32]) {
    let packed = Packed::from_bytes(bytes);
    match packed.unpack() {
        Ok(position) => {
            assert!(position.is_consistent());
            assert_eq!(position.pack(), packed);
        }
        Err(error) => assert!(error.to_string().starts_with("packed position, ")),
    }
}

#[test]
fn the_layout_is_the_documented_one() {
    let fen = "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 7 258";
    let bytes = Position::from_fen(fen).unwrap().pack().to_bytes();
    assert_eq!(bytes[..8], [0x91, 0, 0, 0, 0x18, 0, 0, 0x91]);
    assert_eq!(bytes[8..12], [0xa6, 0x16, 0x70, 0x7b]);
    assert_eq!(bytes[12..24], [0; 12]);
    assert_eq!(bytes[24..], [7, 0, 2, 1, 0x81, 0x81, 44, 0]);
    assert_eq!(size_of::<Packed>(), 32);
}

#[test]
fn every_error_names_its_place() {
    let start = Position::startpos().pack().to_bytes();
    let with = |changes: &[(usize, u8)]| {
        let mut bytes = start;
        for &(at, byte) in changes {
            bytes[at] = byte;
        }
        Packed::from_bytes(bytes).unpack().unwrap_err()
    };
    assert_eq!(with(&[(4, 1)]), PackedError::Men(33));
    assert_eq!(with(&[(8, 0xf6)]), PackedError::Piece(Square::at(1, 0), 15));
    assert_eq!(with(&[(7, 0x7f)]), PackedError::Padding(23));
    assert_eq!(with(&[(26, 0), (27, 0)]), PackedError::Fullmoves);
    assert_eq!(with(&[(30, 65)]), PackedError::EnPassant(65));
    let nothing_passed = PositionError::EnPassantPawn(Square::at(4, 5));
    assert_eq!(with(&[(30, 45)]), PackedError::Position(nothing_passed));
    assert_eq!(with(&[(31, 2)]), PackedError::Side(2));
    assert_eq!(with(&[(31, 2)]).to_string(), "packed position, byte 31: 2 is neither 0 nor 1");
    let kings = PositionError::AdjacentKings(Square::at(4, 5), Square::at(5, 6));
    let fen_error = Position::from_fen("8/5k2/4K3/8/8/8/8/8 w - - 0 1").unwrap_err();
    assert_eq!(fen_error.to_string(), format!("FEN, piece placement: {kings}"));
    let castling = PositionError::CastlingRook(board::Color::White, Square::at(1, 0));
    assert_eq!(with(&[(28, 2)]), PackedError::Position(castling));
}

#[test]
fn an_en_passant_square_where_no_pawn_can_capture_is_an_error() {
    let position = Position::from_fen("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1").unwrap();
    let mut bytes = position.pack().to_bytes();
    bytes[30] = 21;
    assert_eq!(Packed::from_bytes(bytes).unpack(), Err(PackedError::EnPassant(21)));
}
