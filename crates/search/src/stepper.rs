//! The driver that can stop at any node: the same walk over an explicit stack of plans.
//!
//! One call of [`Stepper::step`] enters one node. Between two steps the stack can be looked at, and in
//! the parallel strategies right brothers be handed out from it.

use crate::host::Host;
use crate::lookup::Lookup;
use crate::node::{Absorbed, Entered, Plan};
use crate::phases::Search;
use crate::switches::Rules;
use eval::Evaluator;

#[derive(Clone, Copy, Debug)]
enum State {
    Enter,
    Next,
    Return(i32),
}

/// A walk through the tree below the node at the bottom of the stack.
#[derive(Clone, Debug)]
pub struct Stepper {
    /// The plans that lead from each node to the one above it.
    plans: Vec<Plan>,
    state: State,
}

impl Stepper {
    /// Before the first node.
    pub fn new() -> Stepper {
        Stepper { plans: Vec::with_capacity(64), state: State::Enter }
    }

    /// Goes on until a node has been entered; the value when the walk is over.
    pub fn step<R: Rules, E: Evaluator, T: Lookup, H: Host>(
        &mut self,
        search: &mut Search<'_, R, E, T, H>,
    ) -> Option<i32> {
        loop {
            let level = self.plans.len();
            match self.state {
                State::Enter => {
                    self.state = match search.enter(level) {
                        Entered::Value(value) => State::Return(value),
                        Entered::Open => State::Next,
                    };
                    return None;
                }
                State::Next => match search.next(level) {
                    Some(plan) => self.follow(search, plan),
                    None => self.state = State::Return(search.leave(level)),
                },
                State::Return(value) => {
                    let Some(plan) = self.plans.pop() else { return Some(value) };
                    self.give_back(search, &plan, value);
                }
            }
        }
    }

    fn follow<R: Rules, E: Evaluator, T: Lookup, H: Host>(
        &mut self,
        search: &mut Search<'_, R, E, T, H>,
        plan: Plan,
    ) {
        search.descend(self.plans.len(), &plan);
        self.plans.push(plan);
        self.state = State::Enter;
    }

    /// The node above takes the value of its child.
    fn give_back<R: Rules, E: Evaluator, T: Lookup, H: Host>(
        &mut self,
        search: &mut Search<'_, R, E, T, H>,
        plan: &Plan,
        value: i32,
    ) {
        let level = self.plans.len();
        let value = search.ascend(plan, value);
        if search.stopped {
            self.state = State::Return(0);
            return;
        }
        match search.absorb(level, plan, value) {
            Absorbed::Settled => self.state = State::Next,
            Absorbed::Again(again) => self.follow(search, again),
            Absorbed::Cut => self.state = State::Return(search.leave(level)),
        }
    }
}

impl Default for Stepper {
    fn default() -> Stepper {
        Stepper::new()
    }
}
