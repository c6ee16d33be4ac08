//! What goes over links, counted.

use crate::Link;
use crate::link::lock;
use parallel::threads::Uplink;
use std::sync::atomic::Ordering::Relaxed;

/// What went over a link, or over several.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Traffic {
    /// Frames written.
    pub frames: u64,
    /// Messages in which they went.
    pub messages: u64,
    /// Bytes of these.
    pub bytes: u64,
    /// Frames dropped because too much waited.
    pub dropped: u64,
    /// Messages that came damaged.
    pub damaged: u64,
}

impl Traffic {
    /// Adds that of another.
    pub fn add(&mut self, other: &Traffic) {
        self.frames += other.frames;
        self.messages += other.messages;
        self.bytes += other.bytes;
        self.dropped += other.dropped;
        self.damaged += other.damaged;
    }

    /// What has come since an earlier count.
    pub fn since(&self, earlier: &Traffic) -> Traffic {
        Traffic {
            frames: self.frames.saturating_sub(earlier.frames),
            messages: self.messages.saturating_sub(earlier.messages),
            bytes: self.bytes.saturating_sub(earlier.bytes),
            dropped: self.dropped.saturating_sub(earlier.dropped),
            damaged: self.damaged.saturating_sub(earlier.damaged),
        }
    }
}

impl Link {
    /// What this process has sent so far.
    pub fn traffic(&self) -> Traffic {
        let mut sum = Traffic { damaged: self.damaged.load(Relaxed), ..Traffic::default() };
        for outbox in &self.outboxes {
            let outbox = lock(outbox);
            sum.frames += outbox.frames;
            sum.messages += outbox.batches;
            sum.bytes += outbox.bytes;
            sum.dropped += outbox.dropped;
        }
        sum
    }

    /// What all processes have sent until the end of the last search; the first waits for the others.
    pub fn traffic_of_all(&self) -> Traffic {
        self.settle();
        let mut sum = self.traffic();
        lock(&self.inbox).traffic.iter().for_each(|traffic| sum.add(traffic));
        sum
    }
}
