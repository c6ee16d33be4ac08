//! The material signature: how many of each man, in one word.

use crate::{Color, Piece, PieceKind};

/// Counts of all men but the kings, four bits each: equal signatures mean equal material.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Material(u64);

impl Material {
    /// Bare kings.
    pub const NONE: Material = Material(0);

    /// The signature of one man alone (0 for a king, who is always there).
    #[inline(always)]
    const fn unit(piece: Piece) -> u64 {
        // Kings would be bits 40 to 47: they are masked away.
        (1 << (piece.index() * 4)) & 0xff_ffff_ffff
    }

    /// With one more man.
    #[inline(always)]
    #[must_use]
    pub const fn plus(self, piece: Piece) -> Material {
        Material(self.0 + Material::unit(piece))
    }

    /// With one man less; the man must be there.
    #[inline(always)]
    #[must_use]
    pub const fn minus(self, piece: Piece) -> Material {
        Material(self.0 - Material::unit(piece))
    }

    /// How many men of a colour and kind (one king).
    #[inline(always)]
    pub const fn count(self, color: Color, kind: PieceKind) -> u32 {
        match kind {
            PieceKind::King => 1,
            _ => (self.0 >> (Piece::new(color, kind).index() * 4) & 15) as u32,
        }
    }

    /// The signature as a number: the same for the same material.
    #[inline(always)]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// A well-mixed key for hash tables.
    #[inline(always)]
    pub const fn key(self) -> u64 {
        crate::random::SplitMix(self.0).next()
    }

    /// The same material with the colours exchanged.
    #[must_use]
    pub const fn swapped(self) -> Material {
        const WHITE: u64 = 0x0f0f_0f0f_0f0f;
        Material((self.0 & WHITE) << 4 | (self.0 >> 4) & WHITE)
    }
}

impl std::fmt::Display for Material {
    /// `KQKR` style: White's men, then Black's, strongest first.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for color in Color::ALL {
            for kind in PieceKind::ALL.into_iter().rev() {
                for _ in 0..self.count(color, kind) {
                    write!(f, "{}", kind.letter().to_ascii_uppercase())?;
                }
            }
        }
        Ok(())
    }
}

impl std::fmt::Debug for Material {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_names_and_swaps() {
        let material = Material::NONE
            .plus(Piece::WhiteQueen)
            .plus(Piece::BlackRook)
            .plus(Piece::BlackPawn)
            .plus(Piece::BlackPawn)
            .plus(Piece::WhiteKing);
        assert_eq!(material.to_string(), "KQKRPP");
        assert_eq!(material.count(Color::Black, PieceKind::Pawn), 2);
        assert_eq!(material.swapped().to_string(), "KRPPKQ");
        assert_eq!(material.minus(Piece::BlackPawn).to_string(), "KQKRP");
    }
}
