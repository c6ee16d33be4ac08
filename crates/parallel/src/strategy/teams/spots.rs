//! Hot spots (F15): the times of two subtrees of the same depth differ by up to a hundred. When enough
//! teams are idle and a search has been going on for long enough, its owner stops it, puts all idle
//! teams and that one together, and begins it again there. This concerns nobody but the owner and his
//! helpers, and happens at all levels of the hierarchy.

use super::{Helper, Teams};
use crate::{Message, Searcher, Time};

/// A search that was stopped before gets twice the time, up to this many times.
const MOST_DOUBLINGS: u32 = 6;

impl Teams {
    /// Looks for hot spots among the helpers of every duty.
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

    fn hot_at(&self, helper: &Helper) -> Time {
        helper.begun + (self.settings.hot_after << helper.restarts.min(MOST_DOUBLINGS))
    }

    /// When the next search of a duty becomes a hot spot, if enough teams are idle. Where a child cannot
    /// be divided any more, nobody can help.
    fn next_hot_spot(&self, index: usize) -> Option<Time> {
        let duty = &self.duties[index];
        let helpers = self.helpers.iter().filter(|helper| helper.owner == duty.task);
        let busy: usize = helpers.clone().map(|helper| helper.teams.len()).sum();
        let idle = duty.free.len();
        let enough = idle > 0 && idle * 100 >= (idle + busy) * self.settings.idle_share as usize;
        let hot = helpers.filter(|helper| helper.depth > self.settings.grain);
        hot.map(|helper| self.hot_at(helper)).min().filter(|_| enough)
    }

    /// Stops the hottest search of a duty and begins it anew with all that are idle.
    fn reorganise(&mut self, now: Time, index: usize, searcher: &mut dyn Searcher) {
        let owner = self.duties[index].task;
        let hottest = self
            .helpers
            .iter()
            .filter(|helper| helper.owner == owner && helper.depth > self.settings.grain)
            .min_by_key(|helper| (self.hot_at(helper), helper.task));
        let Some(old) = hottest.map(|helper| helper.task) else { return };
        let Some(mut helper) = self.forget_slave(old) else { return };
        if let Some(captain) = helper.captain() {
            self.send(captain, Message::Cancel { task: old });
        }
        let task = self.new_task();
        searcher.take_back(old);
        match searcher.split(helper.level, task) {
            Some(job) => {
                helper.teams.append(&mut self.duties[index].free);
                (helper.task, helper.depth, helper.begun) = (task, job.depth, now);
                (helper.heard, helper.asked) = (now, false);
                helper.restarts += 1;
                self.engage(helper, job);
            }
            None => self.reclaim(helper, None),
        }
    }
}
