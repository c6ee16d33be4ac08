//! Material, pairs of men that go well or badly together, and the number of pawns (D47–D49).

use super::DarkSight;
use board::{Bitboard, Color, PieceKind, Position};

/// D49: what the number of a side's pawns adds.
const PAWN_COUNT: [i32; 9] = [0, 50, 90, 120, 140, 150, 150, 140, 120];

/// D47: the men of a side.
pub fn men(position: &Position, us: Color) -> i32 {
    let kinds = PieceKind::ALL.into_iter().zip(DarkSight::PIECE_VALUES);
    kinds.map(|(kind, value)| count(position, us, kind) * value).sum()
}

/// D48, Table 3.4: every pair of two men of the named kinds counts once; the bishops count together.
pub fn combinations(position: &Position, us: Color) -> i32 {
    let [pawns, knights, bishops, rooks, queens] =
        [PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen]
            .map(|kind| count(position, us, kind));
    16 * queens * knights + 10 * rooks * bishops - 6 * rooks * knights - 3 * rooks * pawns
        + 20 * i32::from(bishops >= 2)
        - 2 * pawns_on_bishops_colour(position, us)
        + 10 * knights * pawns
}

/// Pawns of either side on the colour of each bishop.
fn pawns_on_bishops_colour(position: &Position, us: Color) -> i32 {
    let pawns = position.kind(PieceKind::Pawn);
    let on = |colour: Bitboard| {
        let bishops = position.men(us, PieceKind::Bishop) & colour;
        (bishops.count() * (pawns & colour).count()) as i32
    };
    on(Bitboard::DARK) + on(!Bitboard::DARK)
}

/// D49: the bonus for the number of pawns.
pub fn pawn_count(position: &Position, us: Color) -> i32 {
    PAWN_COUNT[(count(position, us, PieceKind::Pawn) as usize).min(8)]
}

fn count(position: &Position, us: Color, kind: PieceKind) -> i32 {
    position.men(us, kind).count() as i32
}

#[cfg(test)]
mod tests {
    use super::super::tests::white;
    use super::*;

    #[test]
    fn d47_the_full_set_is_worth_4000() {
        let start = Position::startpos();
        assert_eq!(men(&start, Color::White), 8 * 100 + 2 * (250 + 300 + 500) + 900);
        assert_eq!(men(&start, Color::White), men(&start, Color::Black));
    }

    #[test]
    fn d48_each_combination_has_its_weight() {
        for (fen, expected) in [
            ("4k3/8/8/8/8/8/8/QN2K3 w - - 0 1", 16),
            ("4k3/8/8/8/8/8/8/RB2K3 w - - 0 1", 10),
            ("4k3/8/8/8/8/8/8/RN2K3 w - - 0 1", -6),
            ("4k3/8/8/8/8/8/P7/R3K3 w - - 0 1", -3),
            ("4k3/8/8/8/8/8/8/BB2K3 w - - 0 1", 20),
            ("4k3/8/8/8/8/8/8/NN2K3 w - - 0 1", 0),
            ("4k3/8/8/8/8/8/P7/1N2K3 w - - 0 1", 10),
            // The bishop on c1 is dark like the pawns on g7 and h2; that on g2 is light.
            ("4k3/6p1/8/8/8/8/6PP/2B1K3 w - - 0 1", -4),
        ] {
            assert_eq!(white(fen, combinations), expected, "{fen}");
        }
    }

    #[test]
    fn d49_five_or_six_pawns_are_best() {
        assert_eq!(white("4k3/8/8/8/8/8/8/4K3 w - - 0 1", pawn_count), 0);
        assert_eq!(white("4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1", pawn_count), 120);
        assert_eq!(pawn_count(&Position::startpos(), Color::Black), 120);
    }
}
