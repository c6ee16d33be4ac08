//! Hot spots (F15): the times of two subtrees of the same depth differ by up to a hundred. When enough
//! teams are idle and a search has been going on for long enough, its master stops it, puts all idle
//! teams and that one together, and begins it again there. This concerns nobody but the master and his
//! slaves, and happens at all levels of the hierarchy.

use super::{Slave, Teams};
use crate::{Message, Searcher, Time};

/// A search that was stopped before gets twice the time, up to this many times.
const MOST_DOUBLINGS: u32 = 6;

impl Teams {
    /// Looks for hot spots among the slaves of every duty.
    pub(super) fn cool_hot_spots(&mut self, now: Time, searcher: &mut dyn Searcher) {
        if !self.settings.reorganise {
            return;
        }
        for index in 0..self.duties.len() {
            if let Some(ready) = self.next_hot_spot(index) {
                match ready <= now {
                    true => self.reorganise(now, index, searcher),
                    false => self.wake_at(ready),
                }
            }
        }
    }

    fn hot_at(&self, slave: &Slave) -> Time {
        slave.begun + (self.settings.hot_after << slave.restarts.min(MOST_DOUBLINGS))
    }

    /// When the next search of a duty becomes a hot spot, if enough teams are idle. Where a child cannot
    /// be divided any more, nobody can help.
    fn next_hot_spot(&self, index: usize) -> Option<Time> {
        let duty = &self.duties[index];
        let slaves = self.slaves.iter().filter(|slave| slave.owner == duty.task);
        let busy: usize = slaves.clone().map(|slave| slave.teams.len()).sum();
        let idle = duty.free.len();
        let enough = idle > 0 && idle * 100 >= (idle + busy) * self.settings.idle_share as usize;
        let hot = slaves.filter(|slave| slave.depth > self.settings.grain);
        hot.map(|slave| self.hot_at(slave)).min().filter(|_| enough)
    }

    /// Stops the hottest search of a duty and begins it anew with all that are idle.
    fn reorganise(&mut self, now: Time, index: usize, searcher: &mut dyn Searcher) {
        let owner = self.duties[index].task;
        let hottest = self
            .slaves
            .iter()
            .filter(|slave| slave.owner == owner && slave.depth > self.settings.grain)
            .min_by_key(|slave| (self.hot_at(slave), slave.task));
        let Some(old) = hottest.map(|slave| slave.task) else { return };
        let Some(mut slave) = self.forget_slave(old) else { return };
        if let Some(captain) = slave.captain() {
            self.send(captain, Message::Cancel { task: old });
        }
        let task = self.new_task();
        searcher.take_back(old);
        match searcher.hand_out(slave.level, task) {
            Some(job) => {
                slave.teams.append(&mut self.duties[index].free);
                (slave.task, slave.depth, slave.begun) = (task, job.depth, now);
                (slave.heard, slave.asked) = (now, false);
                slave.restarts += 1;
                self.engage(slave, job);
            }
            None => self.reclaim(slave, None),
        }
    }
}
