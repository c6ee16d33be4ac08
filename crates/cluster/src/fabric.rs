//! What carries bytes between processes; and one that carries them late.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// A connection to all other processes. Bytes between two of them arrive in the order in which they were
/// sent, or not at all. No method waits.
pub trait Fabric: Send {
    /// The number of this process.
    fn process(&self) -> u32;

    /// How many there are.
    fn processes(&self) -> u32;

    /// Puts bytes on their way; false if there is no room now.
    fn send(&mut self, to: u32, bytes: &[u8]) -> bool;

    /// Hands over what has come, with the process that sent it.
    fn receive(&mut self, take: &mut dyn FnMut(u32, &[u8]));

    /// Whether all that was sent has left this process.
    fn is_clear(&mut self) -> bool;

    /// What it is, in words.
    fn name(&self) -> String;
}

/// A message that waits: until when, from whom, what.
type Held = (Instant, u32, Vec<u8>);

/// A fabric whose messages come later than they could: a long way where there is none, to measure with. The
/// delay begins when a process has a message, not when it was sent, and messages do not compete for a line: a
/// stand-in for a slow network, no model of one.
pub struct Delayed {
    fabric: Box<dyn Fabric>,
    delay: Duration,
    held: VecDeque<Held>,
}

impl Delayed {
    /// Holds back each message for this time.
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
