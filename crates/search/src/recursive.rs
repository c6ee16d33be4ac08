//! The fast driver: plain recursion over the phases.

use crate::lookup::Lookup;
use crate::node::{Absorbed, Entered};
use crate::phases::Search;
use crate::switches::Rules;
use eval::Evaluator;
use eval::score::Score;

impl<R: Rules, E: Evaluator, T: Lookup> Search<'_, R, E, T> {
    /// The value of the node on a level, for the side to move there.
    pub fn recurse(&mut self, level: usize) -> Score {
        if let Entered::Value(value) = self.enter(level) {
            return value;
        }
        'moves: loop {
            let first = self.next(level);
            let Some(mut plan) = first.as_ref() else { break };
            let mut again;
            loop {
                self.descend(level, plan);
                let value = self.recurse(level + 1);
                let value = self.ascend(plan, value);
                if self.stopped {
                    return 0;
                }
                match self.absorb(level, plan, value) {
                    Absorbed::Settled => break,
                    Absorbed::Again(another) => {
                        again = another;
                        plan = &again;
                    }
                    Absorbed::Cut => break 'moves,
                }
            }
        }
        self.leave(level)
    }
}
