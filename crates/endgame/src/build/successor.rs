//! What a capture or a promotion leads to: tables that were built before.

use crate::ending::{Ending, MOST_MEN};
use crate::file::Codes;
use crate::layout::{Layout, Squares};
use crate::value::{Value, cell};
use board::{Color, PieceKind};
use std::collections::HashMap;
use std::sync::Arc;

/// A finished table in memory.
pub struct Loaded {
    layout: Layout,
    sides: [Codes; 2],
}

impl Loaded {
    /// A table from what its file holds.
    pub fn new(ending: &Ending, sides: [Codes; 2]) -> Loaded {
        Loaded { layout: Layout::new(ending), sides }
    }
}

/// How the men of one ending become those of another.
#[derive(Clone)]
struct Link {
    /// None for bare kings.
    table: Option<Arc<Loaded>>,
    /// For each man of the other ending, which of ours it is.
    from: [u8; MOST_MEN],
    swapped: bool,
}

/// All ways out of an ending, by the man that is taken (or none) and the man that promotes and to
/// what (or none).
pub struct Successors {
    links: Vec<Option<Link>>,
}

const KINDS: usize = 5;

/// The number of a way out.
fn way(taken: Option<usize>, promoted: Option<(usize, PieceKind)>) -> usize {
    let taken = taken.unwrap_or(MOST_MEN);
    let promotion = match promoted {
        Some((slot, kind)) => 1 + slot * KINDS + kind.index(),
        None => 0,
    };
    promotion * (MOST_MEN + 1) + taken
}

impl Successors {
    /// Finds the ways out of an ending; `tables` holds every successor.
    pub fn new(layout: &Layout, tables: &HashMap<Ending, Arc<Loaded>>) -> Successors {
        let last = way(Some(MOST_MEN), Some((MOST_MEN, PieceKind::Queen)));
        let mut links = vec![None; last + 1];
        let men = layout.men();
        for taken in (2..men.len()).map(Some).chain([None]) {
            let pawns = (2..men.len()).filter(|&slot| {
                men[slot].kind == PieceKind::Pawn
                    && taken.is_none_or(|taken| men[taken].color != men[slot].color)
            });
            let promotions =
                pawns.flat_map(|slot| PieceKind::PROMOTIONS.map(|kind| Some((slot, kind))));
            for promoted in promotions.chain([None]) {
                if taken.is_some() || promoted.is_some() {
                    links[way(taken, promoted)] = link(layout, taken, promoted, tables);
                }
            }
        }
        Successors { links }
    }

    /// What the side to move has after a conversion; the squares are those after it (the square of
    /// the man that was taken does not matter).
    #[inline]
    pub fn value(
        &self,
        squares: &Squares,
        side: Color,
        taken: Option<usize>,
        promoted: Option<(usize, PieceKind)>,
    ) -> Value {
        let Some(Some(link)) = self.links.get(way(taken, promoted)) else {
            return Value::Draw;
        };
        let Some(table) = &link.table else { return Value::Draw };
        let flip = if link.swapped { 56 } else { 0 };
        let mut mapped = [0; MOST_MEN];
        for (target, &from) in mapped.iter_mut().zip(&link.from) {
            *target = squares[usize::from(from)] ^ flip;
        }
        let side = if link.swapped { !side } else { side };
        cell::value(table.sides[side.index()].cell(table.layout.index(&mapped)))
    }
}

fn link(
    layout: &Layout,
    taken: Option<usize>,
    promoted: Option<(usize, PieceKind)>,
    tables: &HashMap<Ending, Arc<Loaded>>,
) -> Option<Link> {
    let kind_of = |slot: usize| match promoted {
        Some((promoting, kind)) if promoting == slot => kind,
        _ => layout.men()[slot].kind,
    };
    let left: Vec<usize> = (2..layout.men().len()).filter(|slot| Some(*slot) != taken).collect();
    let side = |color| {
        let slots = left.iter().filter(move |&&slot| layout.men()[slot].color == color);
        slots.map(|&slot| kind_of(slot)).collect::<Vec<_>>()
    };
    let (ending, swapped) = Ending::new(side(Color::White), side(Color::Black));
    let mut link = Link { table: None, from: [0; MOST_MEN], swapped };
    if ending.men() == 2 {
        return Some(link);
    }
    let table = tables.get(&ending)?;
    let colors = if swapped { [1, 0] } else { [0, 1] };
    let mut free = left;
    for (target, man) in link.from.iter_mut().zip(table.layout.men()) {
        let color = if swapped { !man.color } else { man.color };
        *target = match man.kind {
            PieceKind::King => colors[man.color.index()],
            kind => {
                let found = free
                    .iter()
                    .position(|&slot| kind_of(slot) == kind && layout.men()[slot].color == color)?;
                free.remove(found) as u8
            }
        };
    }
    link.table = Some(table.clone());
    Some(link)
}
