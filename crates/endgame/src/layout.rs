//! The numbering of an ending's positions.
//!
//! A number is made of the pair of kings and, for each group of equal men, which set of squares they
//! stand on. Pawns have 48 squares. Positions on both sides of the long diagonal that are mirror images
//! of each other have one number, the smaller of the two.

use crate::ending::{Ending, MOST_MEN};
use crate::symmetry::{DIAGONAL, PAIRS, PAIRS_WITH_PAWNS, SYMMETRY, is_on_diagonal};
use board::{Color, PieceKind};
use std::sync::LazyLock;

/// The square of each man: White's king, Black's king, then the groups.
pub type Squares = [u8; MOST_MEN];

/// A man of an ending.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Man {
    /// Its side.
    pub color: Color,
    /// Its kind.
    pub kind: PieceKind,
}

/// Equal men.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// Where they begin among the men.
    pub first: usize,
    /// How many they are.
    pub count: usize,
    /// How many placements they have.
    size: u32,
    /// How far apart in the numbering two neighbouring placements lie.
    pub stride: usize,
    /// Pawns stand on a2 … h7 only.
    offset: u8,
}

/// The numbering of one ending.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Which ending.
    pub ending: Ending,
    men: [Man; MOST_MEN],
    count: usize,
    groups: Vec<Group>,
    group_of: [usize; MOST_MEN],
    /// Whether there are pawns.
    pub pawns: bool,
    size: usize,
}

/// The squares of two and of three equal men by the number of the set.
static TWO: LazyLock<Vec<[u8; 2]>> =
    LazyLock::new(|| (0..64).flat_map(|high: u8| (0..high).map(move |low| [low, high])).collect());
static THREE: LazyLock<Vec<[u8; 3]>> = LazyLock::new(|| {
    let pairs = |high: u8| (0..high).flat_map(move |mid| (0..mid).map(move |low| [low, mid, high]));
    (0..64).flat_map(pairs).collect()
});

#[inline(always)]
const fn two(low: u32, high: u32) -> u32 {
    high * high.wrapping_sub(1) / 2 + low
}

#[inline(always)]
fn three(a: u32, b: u32, c: u32) -> u32 {
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    let mid = a + b + c - low - high;
    high * high.wrapping_sub(1) * high.wrapping_sub(2) / 6 + two(low, mid)
}

impl Layout {
    /// The numbering of an ending.
    pub fn new(ending: &Ending) -> Layout {
        let mut men = vec![];
        for color in Color::ALL {
            men.extend(ending.side(color).iter().map(|&kind| Man { color, kind }));
        }
        // Pawns move little: far apart in the numbering they leave the near ones to the pieces.
        men.sort_by_key(|man| man.kind != PieceKind::Pawn);
        let kings = Color::ALL.map(|color| Man { color, kind: PieceKind::King });
        let all: Vec<Man> = kings.into_iter().chain(men).collect();
        let mut layout = Layout {
            ending: ending.clone(),
            men: [kings[0]; MOST_MEN],
            count: all.len(),
            groups: Vec::new(),
            group_of: [0; MOST_MEN],
            pawns: ending.pawns() > 0,
            size: 0,
        };
        layout.men[..all.len()].copy_from_slice(&all);
        layout.form_groups();
        layout
    }

    fn form_groups(&mut self) {
        for slot in 2..self.count {
            let equal = slot > 2 && self.men[slot] == self.men[slot - 1];
            match self.groups.last_mut() {
                Some(group) if equal => group.count += 1,
                _ => {
                    let offset = if self.men[slot].kind == PieceKind::Pawn { 8 } else { 0 };
                    let group = Group { first: slot, count: 1, size: 0, stride: 0, offset };
                    self.groups.push(group);
                }
            }
            self.group_of[slot] = self.groups.len() - 1;
        }
        let mut stride = 1;
        for group in self.groups.iter_mut().rev() {
            let squares = 64 - 2 * u32::from(group.offset);
            group.size = match group.count {
                1 => squares,
                2 => squares * (squares - 1) / 2,
                _ => squares * (squares - 1) * (squares - 2) / 6,
            };
            group.stride = stride;
            stride *= group.size as usize;
        }
        self.size = stride * if self.pawns { PAIRS_WITH_PAWNS } else { PAIRS };
    }

    /// How many numbers there are for each side to move.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The men, kings first.
    #[inline(always)]
    pub fn men(&self) -> &[Man] {
        &self.men[..self.count]
    }

    /// The group that a man other than a king belongs to.
    #[inline(always)]
    pub fn group_of(&self, slot: usize) -> &Group {
        &self.groups[self.group_of[slot]]
    }

    /// The number of a placement: of its representative among the mirror images. The kings do not
    /// touch, pawns stand where they can, and no two men stand on one square.
    #[inline(always)]
    pub fn index(&self, squares: &Squares) -> usize {
        self.index_and_symmetry(squares).0
    }

    /// The number of a placement, and whether one of the board's mirrorings takes it to itself. Then
    /// the kings stand on a long diagonal, and every other man too or opposite to one of its kind.
    #[inline(always)]
    pub fn index_and_symmetry(&self, squares: &Squares) -> (usize, bool) {
        if self.pawns {
            let mirror = if squares[0] & 4 != 0 { 7 } else { 0 };
            let pair = SYMMETRY.pair_with_pawns(squares[0] ^ mirror, squares[1] ^ mirror);
            let index = self.compose(usize::from(pair), squares, |square| square ^ mirror);
            return (index, false);
        }
        let pair = SYMMETRY.pair(squares[0], squares[1]);
        let number = usize::from(pair.number);
        let map = &SYMMETRY.images[usize::from(pair.transformation & 7)];
        let index = self.compose(number, squares, |square| map[usize::from(square & 63)]);
        if !pair.on_diagonal {
            return (index, false);
        }
        let other = &SYMMETRY.images[usize::from(pair.transformation & 7) | DIAGONAL];
        let twin = self.compose(number, squares, |square| other[usize::from(square & 63)]);
        (index.min(twin), index == twin)
    }

    /// How many placements of men that can be told apart a number stands for, mirror images aside:
    /// this is how published statistics count.
    pub fn weight(&self, index: usize) -> u64 {
        let orders = self.groups.iter().map(|group| [1, 1, 2, 6][group.count.min(3)]);
        let all: u64 = orders.product();
        if all == 1 || self.pawns {
            return all;
        }
        let squares = self.squares(index);
        let exchanged = !squares[..self.count].iter().all(|&square| is_on_diagonal(square));
        if exchanged && self.index_and_symmetry(&squares).1 { all / 2 } else { all }
    }

    #[inline(always)]
    fn compose(&self, pair: usize, squares: &Squares, map: impl Fn(u8) -> u8) -> usize {
        let mut index = pair;
        for group in &self.groups {
            let at = |nth: usize| u32::from(map(squares[group.first + nth]) - group.offset);
            let code = match group.count {
                1 => at(0),
                2 => two(at(0).min(at(1)), at(0).max(at(1))),
                _ => three(at(0), at(1), at(2)),
            };
            index = index * group.size as usize + code as usize;
        }
        index
    }

    /// The squares behind a number. Two men may share a square, and the number may not be the one that
    /// [`Layout::index`] gives to these squares: then it stands for nothing.
    #[inline(always)]
    pub fn squares(&self, index: usize) -> Squares {
        let mut squares = [0; MOST_MEN];
        let mut rest = index as u32;
        for group in self.groups.iter().rev() {
            let code = (rest % group.size) as usize;
            rest /= group.size;
            let target = &mut squares[group.first..group.first + group.count];
            match target {
                [one] => *one = code as u8,
                [_, _] => target.copy_from_slice(&TWO[code]),
                _ => target.copy_from_slice(&THREE[code]),
            }
            target.iter_mut().for_each(|square| *square += group.offset);
        }
        squares[..2].copy_from_slice(&SYMMETRY.kings(rest as usize, self.pawns));
        squares
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(name: &str) -> Layout {
        Layout::new(&Ending::parse(name).expect("an ending"))
    }

    #[test]
    fn a_number_and_its_squares_are_the_same_thing() {
        for name in ["KQK", "KPK", "KQKR", "KBBK", "KPPK", "KNNNK", "KPPKP", "KRPKB"] {
            let layout = layout(name);
            for index in (0..layout.size()).step_by(layout.size() / 5_000 + 1) {
                let squares = layout.squares(index);
                let men = &squares[..layout.men().len()];
                let distinct = (1..men.len()).all(|nth| !men[..nth].contains(&men[nth]));
                if distinct {
                    let back = layout.index(&squares);
                    assert!(back <= index, "{name} {index}");
                    assert_eq!(layout.index(&layout.squares(back)), back);
                    assert!(back == index || !layout.pawns);
                }
            }
        }
    }

    #[test]
    fn mirror_images_have_one_number() {
        let layout = layout("KQKR");
        let squares = [0, 18, 33, 47, 0];
        let number = layout.index(&squares);
        for map in &SYMMETRY.images {
            assert_eq!(layout.index(&squares.map(|square| map[usize::from(square)])), number);
        }
    }

    #[test]
    fn the_sizes_are_as_planned() {
        let sizes = ["KQKR", "KBBK", "KPK", "KPKP", "KRBKR"].map(|name| layout(name).size());
        let pawns = PAIRS_WITH_PAWNS * 48;
        assert_eq!(sizes, [462 * 4096, 462 * 2016, pawns, pawns * 48, 462 * 262_144]);
    }
}
