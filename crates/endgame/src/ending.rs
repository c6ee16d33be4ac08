//! Which men are on the board: the name of a table.

use board::{Color, Material, Piece, PieceKind};
use std::fmt;

/// The most men of a table, kings included.
pub const MOST_MEN: usize = 5;

/// The men beside the kings. White is the stronger side: more men, and with equal numbers the first
/// better man decides.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Ending {
    white: Vec<PieceKind>,
    black: Vec<PieceKind>,
}

/// Why a text names no ending.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EndingError(String);

impl fmt::Display for EndingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for EndingError {}

impl Ending {
    /// The ending with these men beside the kings, and whether the colours had to be exchanged.
    pub fn new(mut white: Vec<PieceKind>, mut black: Vec<PieceKind>) -> (Ending, bool) {
        white.sort_unstable_by(|a, b| b.cmp(a));
        black.sort_unstable_by(|a, b| b.cmp(a));
        let swapped = (black.len(), &black) > (white.len(), &white);
        match swapped {
            true => (Ending { white: black, black: white }, true),
            false => (Ending { white, black }, false),
        }
    }

    /// Reads `KQKR`, `kqkr` or `KQvKR`; the sides may be given in either order.
    pub fn parse(text: &str) -> Result<Ending, EndingError> {
        let fail = |why: &str| Err(EndingError(format!("'{text}' names no ending: {why}")));
        let mut sides: Vec<Vec<PieceKind>> = Vec::new();
        for letter in text.bytes().filter(|letter| *letter != b'v') {
            match (PieceKind::from_letter(letter), sides.last_mut()) {
                (Some(PieceKind::King), _) => sides.push(Vec::new()),
                (Some(kind), Some(side)) => side.push(kind),
                (Some(_), None) => return fail("it must begin with a K"),
                (None, _) => return fail("only the letters K Q R B N P are men"),
            }
        }
        let Ok([white, black]) = <[Vec<PieceKind>; 2]>::try_from(sides) else {
            return fail("there must be two kings, as in KQKR");
        };
        match white.len() + black.len() + 2 {
            3..=MOST_MEN => Ok(Ending::new(white, black).0),
            2 => fail("bare kings are a draw and need no table"),
            men => fail(&format!("{men} men are too many, tables have 3 to {MOST_MEN}")),
        }
    }

    /// The ending of a position's material, and whether Black is the stronger side; none for bare
    /// kings and for more men than tables have.
    pub fn of(material: Material) -> Option<(Ending, bool)> {
        let side = |color| {
            let kinds = PieceKind::ALL.into_iter().take(5);
            kinds.flat_map(move |kind| {
                std::iter::repeat_n(kind, material.count(color, kind) as usize)
            })
        };
        let men = 2 + side(Color::White).count() + side(Color::Black).count();
        if !(3..=MOST_MEN).contains(&men) {
            return None;
        }
        Some(Ending::new(side(Color::White).collect(), side(Color::Black).collect()))
    }

    /// The material as a position with White as the stronger side has it.
    pub fn material(&self) -> Material {
        Color::ALL.into_iter().fold(Material::NONE, |material, color| {
            let men = self.side(color).iter();
            men.fold(material, |material, &kind| material.plus(Piece::new(color, kind)))
        })
    }

    /// A side's men beside its king, strongest first.
    pub fn side(&self, color: Color) -> &[PieceKind] {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }

    /// How many men, kings included.
    pub fn men(&self) -> usize {
        2 + self.white.len() + self.black.len()
    }

    /// How many pawns.
    pub fn pawns(&self) -> usize {
        let all = self.white.iter().chain(&self.black);
        all.filter(|kind| **kind == PieceKind::Pawn).count()
    }

    /// Whether both sides have the same men: then a position with Black to move is one with White to move.
    pub fn is_symmetric(&self) -> bool {
        self.white == self.black
    }

    /// All endings of `men` men, those with fewer pawns first.
    pub fn all(men: usize) -> Vec<Ending> {
        let extra = men.saturating_sub(2);
        let mut endings = Vec::new();
        for black in 0..=extra / 2 {
            for strong in choices(extra - black) {
                for weak in choices(black) {
                    let (ending, swapped) = Ending::new(strong.clone(), weak);
                    if !swapped && !endings.contains(&ending) {
                        endings.push(ending);
                    }
                }
            }
        }
        endings.sort_by_key(|ending| (ending.pawns(), ending.to_string()));
        endings
    }

    /// The endings that one capture, promotion or both lead to. Bare kings are left out.
    pub fn successors(&self) -> Vec<Ending> {
        let mut found = Vec::new();
        for color in Color::ALL {
            for taken in std::iter::once(None).chain((0..self.side(!color).len()).map(Some)) {
                let mut weak = self.side(!color).to_vec();
                if let Some(index) = taken {
                    weak.remove(index);
                    found.push((self.side(color).to_vec(), weak.clone()));
                }
                let mut strong = self.side(color).to_vec();
                if strong.last() == Some(&PieceKind::Pawn) {
                    strong.pop();
                    for kind in PieceKind::PROMOTIONS {
                        found.push(([strong.as_slice(), &[kind]].concat(), weak.clone()));
                    }
                }
            }
        }
        let mut endings: Vec<Ending> =
            found.into_iter().map(|(one, other)| Ending::new(one, other).0).collect();
        endings.retain(|ending| ending.men() > 2);
        endings.sort();
        endings.dedup();
        endings
    }

    /// This ending and all that it can lead to, each after those that it needs.
    pub fn closure(endings: &[Ending]) -> Vec<Ending> {
        let mut all: Vec<Ending> = Vec::new();
        let mut waiting = endings.to_vec();
        while let Some(ending) = waiting.pop() {
            if !all.contains(&ending) {
                waiting.extend(ending.successors());
                all.push(ending);
            }
        }
        all.sort_by_key(|ending| (ending.men(), ending.pawns(), ending.to_string()));
        all
    }
}

/// All lists of `count` men, strongest first.
fn choices(count: usize) -> Vec<Vec<PieceKind>> {
    let mut lists = vec![Vec::new()];
    for _ in 0..count {
        let longer = lists.iter().flat_map(|list: &Vec<PieceKind>| {
            let most = list.last().map_or(PieceKind::Queen.index(), |kind| kind.index());
            let kinds = PieceKind::ALL.into_iter().take(most + 1).rev();
            kinds.map(|kind| [list.as_slice(), &[kind]].concat())
        });
        lists = longer.collect();
    }
    lists
}

impl std::str::FromStr for Ending {
    type Err = EndingError;

    fn from_str(text: &str) -> Result<Ending, EndingError> {
        Ending::parse(text)
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for side in [&self.white, &self.black] {
            f.write_str("K")?;
            for kind in side {
                write!(f, "{}", kind.letter().to_ascii_uppercase())?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_in_either_order_and_written_in_one() {
        for text in ["KQKR", "krkq", "KQvKR", "KRKQ"] {
            assert_eq!(Ending::parse(text).map(|ending| ending.to_string()), Ok("KQKR".to_owned()));
        }
        for text in ["", "KK", "K", "QKK", "KXK", "KQRBKRN", "KQKRKB", "é"] {
            assert!(Ending::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn there_are_5_30_and_110_endings() {
        let counts = [3, 4, 5].map(|men| Ending::all(men).len());
        assert_eq!(counts, [5, 30, 110]);
    }

    #[test]
    fn successors_come_before_what_needs_them() {
        let names = |text: &str| -> Vec<String> {
            let ending = Ending::parse(text).expect("an ending");
            Ending::closure(&[ending]).iter().map(Ending::to_string).collect()
        };
        assert_eq!(names("KRK"), ["KRK"]);
        assert_eq!(names("KPK"), ["KBK", "KNK", "KQK", "KRK", "KPK"]);
        assert_eq!(names("KQKR"), ["KQK", "KRK", "KQKR"]);
        assert_eq!(names("KPKP").len(), 20);
    }
}
