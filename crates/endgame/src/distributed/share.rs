//! Which processor has which positions.

use super::message::Processor;

/// Positions of a unit: neighbours in the numbering, and so in king and men, stay together.
pub const UNIT: usize = 1 << 10;

/// The part of one processor: every so-manieth unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    /// Whose.
    pub me: Processor,
    /// How many processors there are, at least 1.
    pub processors: u32,
    /// Positions of the table, for each side to move.
    pub size: usize,
}

impl Share {
    /// Who has a position.
    #[inline(always)]
    pub fn home(&self, index: usize) -> Processor {
        (index / UNIT % self.processors as usize) as Processor
    }

    /// The place of one of the processor's own positions in its memory.
    #[inline(always)]
    pub fn place(&self, index: usize) -> usize {
        index / UNIT / self.processors as usize * UNIT + index % UNIT
    }

    /// How many units the processor has.
    pub fn units(&self) -> usize {
        let all = self.size.div_ceil(UNIT);
        let (me, processors) = (self.me as usize, self.processors as usize);
        all.saturating_sub(me).div_ceil(processors)
    }

    /// The positions of one of its units.
    pub fn unit(&self, nth: usize) -> std::ops::Range<usize> {
        let begin = (nth * self.processors as usize + self.me as usize) * UNIT;
        begin..self.size.min(begin + UNIT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_has_one_home_and_one_place_there() {
        for (processors, size) in [(1, 5_000), (3, 29_568), (7, 10_240), (16, 3_000)] {
            let mut seen = vec![0; size];
            for me in 0..processors {
                let share = Share { me, processors, size };
                let mut places = Vec::new();
                for index in (0..share.units()).flat_map(|nth| share.unit(nth)) {
                    assert_eq!(share.home(index), me);
                    seen[index] += 1;
                    places.push(share.place(index));
                }
                assert!(places.iter().all(|&place| place < share.units() * UNIT));
                places.sort_unstable();
                places.dedup();
                assert_eq!(places.len(), (0..share.units()).map(|nth| share.unit(nth).len()).sum());
            }
            assert!(seen.iter().all(|&times| times == 1));
        }
    }
}
