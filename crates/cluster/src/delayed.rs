//! A fabric whose messages come later than they could: a long way where there is none, to measure with.
//!
//! The delay begins when a process has a message, not when it was sent, and messages do not compete for a
//! line: a stand-in for a slow network, no model of one.

use crate::Fabric;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// A message that waits: until when, from whom, what.
type Held = (Instant, u32, Vec<u8>);

/// A fabric that holds back what comes.
pub struct Delayed {
    fabric: Box<dyn Fabric>,
    delay: Duration,
    held: VecDeque<Held>,
}

impl Delayed {
    /// Holds back each message for so long.
    pub fn new(fabric: Box<dyn Fabric>, delay: Duration) -> Delayed {
        Delayed { fabric, delay, held: VecDeque::new() }
    }
}

impl Fabric for Delayed {
    fn process(&self) -> u32 {
        self.fabric.process()
    }

    fn processes(&self) -> u32 {
        self.fabric.processes()
    }

    fn send(&mut self, to: u32, bytes: &[u8]) -> bool {
        self.fabric.send(to, bytes)
    }

    fn receive(&mut self, take: &mut dyn FnMut(u32, &[u8])) {
        let now = Instant::now();
        let (held, due) = (&mut self.held, now + self.delay);
        self.fabric.receive(&mut |from, bytes| held.push_back((due, from, bytes.to_vec())));
        while let Some((_, from, bytes)) = self.held.pop_front_if(|(due, ..)| *due <= now) {
            take(from, &bytes);
        }
    }

    fn is_clear(&mut self) -> bool {
        self.fabric.is_clear()
    }

    fn name(&self) -> String {
        format!("{}, {} us late", self.fabric.name(), self.delay.as_micros())
    }
}
