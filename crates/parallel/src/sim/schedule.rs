//! Whose turn it is: a tournament of times, so that the earliest and the second are found at once.

use crate::Time;

/// Times of a fixed number of processors; [`Time::MAX`] for those who wait for others.
#[derive(Clone, Debug)]
pub struct Schedule {
    leaves: usize,
    /// The earlier of two, from the root at 1 down to the leaves.
    tree: Vec<Time>,
}

impl Schedule {
    /// Processors that have nothing to do.
    pub fn new(count: usize) -> Schedule {
        let leaves = count.next_power_of_two().max(2);
        Schedule { leaves, tree: vec![Time::MAX; 2 * leaves] }
    }

    /// One has something to do at a time.
    pub fn set(&mut self, who: usize, time: Time) {
        let mut place = self.leaves + who;
        self.tree[place] = time;
        while place > 1 {
            place /= 2;
            let earlier = self.tree[2 * place].min(self.tree[2 * place + 1]);
            if self.tree[place] == earlier {
                break;
            }
            self.tree[place] = earlier;
        }
    }

    /// Who is first (the lowest number among equals), when, and when the next after him. Nothing if
    /// all wait.
    pub fn first(&self) -> Option<(usize, Time, Time)> {
        let time = self.tree[1];
        if time == Time::MAX {
            return None;
        }
        let (mut place, mut next) = (1, Time::MAX);
        while place < self.leaves {
            let left = 2 * place;
            let (winner, other) =
                if self.tree[left] == time { (left, left + 1) } else { (left + 1, left) };
            next = next.min(self.tree[other]);
            place = winner;
        }
        Some((place - self.leaves, time, next))
    }

    /// Who is the earliest of all but one.
    pub fn second(&self, first: usize) -> usize {
        let (mut place, mut best) = (self.leaves + first, (self.leaves + first) ^ 1);
        while place > 1 {
            if self.tree[place ^ 1] < self.tree[best] {
                best = place ^ 1;
            }
            place /= 2;
        }
        while best < self.leaves {
            let left = 2 * best;
            best = if self.tree[left] == self.tree[best] { left } else { left + 1 };
        }
        best - self.leaves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Chance;

    #[test]
    fn the_first_and_the_second_are_right_whatever_is_set() {
        let mut chance = Chance::new(1, 1);
        for count in [1, 2, 3, 7, 16, 33] {
            let mut schedule = Schedule::new(count);
            let mut times = vec![Time::MAX; count];
            assert_eq!(schedule.first(), None);
            for _ in 0..500 {
                let who = chance.below(count);
                times[who] = chance.below(50) as Time;
                schedule.set(who, times[who]);
                let mut order: Vec<(Time, usize)> = times.iter().copied().zip(0..).collect();
                order.sort_unstable();
                let next = order.get(1).map_or(Time::MAX, |&(time, _)| time);
                assert_eq!(schedule.first(), Some((order[0].1, order[0].0, next)));
                let second = times.get(schedule.second(order[0].1));
                assert_eq!(second.copied().unwrap_or(Time::MAX), next, "{times:?}");
            }
        }
    }
}
