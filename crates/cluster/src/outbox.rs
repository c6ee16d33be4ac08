//! Frames that wait until they can go, in batches: a message costs the same whether it holds one frame or
//! a kilobyte of them.

use crate::hybrid_transport::HybridTransport;
use std::collections::VecDeque;

/// The most bytes of a batch of several frames. Larger messages than four kilobytes are sent only when the
/// receiver has said that he has room, which takes until both have looked at the network again.
const BATCH_BYTES: usize = 4000;

/// Bytes that wait before what can be done without is dropped.
const PATIENT_BYTES: usize = 1 << 20;

/// What waits for one process.
#[derive(Default)]
pub struct Outbox {
    closed: VecDeque<Vec<u8>>,
    open: Vec<u8>,
    waiting: usize,
    /// Frames that were written.
    pub frames: u64,
    /// Batches that went.
    pub batches: u64,
    /// Bytes that went.
    pub bytes: u64,
    /// Frames that were dropped because too many waited.
    pub dropped: u64,
}

impl Outbox {
    /// Writes a frame. Those that can be done without are dropped where too much waits.
    pub fn write(&mut self, needed: bool, put: impl FnOnce(&mut Vec<u8>)) {
        if !needed && self.waiting > PATIENT_BYTES {
            self.dropped += 1;
            return;
        }
        let before = self.open.len();
        put(&mut self.open);
        self.waiting += self.open.len() - before;
        self.frames += 1;
        if self.open.len() > BATCH_BYTES && before > 0 {
            let last = self.open.split_off(before);
            self.closed.push_back(std::mem::replace(&mut self.open, last));
        }
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.waiting == 0
    }

    /// Forgets what waits.
    pub fn clear(&mut self) {
        self.closed.clear();
        self.open.clear();
        self.waiting = 0;
    }

    /// Lets go what can go.
    pub fn flush(&mut self, to: u32, fabric: &mut HybridTransport) {
        while let Some(batch) = self.closed.pop_front() {
            if !fabric.send(to, &batch) {
                self.closed.push_front(batch);
                return;
            }
            self.went(batch.len());
        }
        if !self.open.is_empty() && fabric.send(to, &self.open) {
            self.went(self.open.len());
            self.open.clear();
        }
    }

    fn went(&mut self, bytes: usize) {
        self.waiting -= bytes;
        self.batches += 1;
        self.bytes += bytes as u64;
    }
}
