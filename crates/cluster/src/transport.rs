//! Bytes to and from all other processes: for each an outbox of frames that wait to leave, and the fabric,
//! which stands behind one door.
//!
//! A thread that has something to send writes it into the outbox of its destination, which takes a short
//! lock. One that finds the door free moves bytes both ways ([`Transport::step`]); one that does not goes on
//! with its own work.

use crate::Fabric;
use crate::frame::Frame;
use crate::hybrid_transport::HybridTransport;
use parallel::threads::SharedRequests;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The most bytes of a batch of several frames. Larger messages than four kilobytes are sent only when the
/// receiver has said that it has room, which takes until both have looked at the network again.
const BATCH_BYTES: usize = 4000;

/// Bytes that wait before what can be done without is dropped.
const PATIENT_BYTES: usize = 1 << 20;

/// Sleep between two looks while the last bytes leave.
const NAP: Duration = Duration::from_micros(200);

pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What went over a link, or over several.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
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
    /// Both together.
    pub fn plus(&self, other: &Traffic) -> Traffic {
        self.with(other, u64::saturating_add)
    }

    /// What has come since an earlier count.
    pub fn since(&self, earlier: &Traffic) -> Traffic {
        self.with(earlier, u64::saturating_sub)
    }

    fn with(&self, other: &Traffic, join: impl Fn(u64, u64) -> u64) -> Traffic {
        Traffic {
            frames: join(self.frames, other.frames),
            messages: join(self.messages, other.messages),
            bytes: join(self.bytes, other.bytes),
            dropped: join(self.dropped, other.dropped),
            damaged: join(self.damaged, other.damaged),
        }
    }
}

/// Frames that wait for one process, in batches: a message costs the same whether it holds one frame or a
/// kilobyte of them.
#[derive(Default)]
struct Outbox {
    closed: VecDeque<Vec<u8>>,
    open: Vec<u8>,
    waiting_bytes: usize,
    /// What was written here and has left.
    traffic: Traffic,
}

impl Outbox {
    fn write(&mut self, needed: bool, put: impl FnOnce(&mut Vec<u8>)) {
        if !needed && self.waiting_bytes > PATIENT_BYTES {
            self.traffic.dropped += 1;
            return;
        }
        let before = self.open.len();
        put(&mut self.open);
        self.waiting_bytes += self.open.len() - before;
        self.traffic.frames += 1;
        if self.open.len() > BATCH_BYTES && before > 0 {
            let last = self.open.split_off(before);
            self.closed.push_back(std::mem::replace(&mut self.open, last));
        }
    }

    /// Lets go what can go; whether something went.
    fn flush(&mut self, to: u32, fabric: &mut HybridTransport) -> bool {
        let before = self.traffic.messages;
        while let Some(batch) = self.closed.pop_front() {
            if !fabric.send(to, &batch) {
                self.closed.push_front(batch);
                return self.traffic.messages > before;
            }
            self.count(batch.len());
        }
        if !self.open.is_empty() && fabric.send(to, &self.open) {
            self.count(self.open.len());
            self.open.clear();
        }
        self.traffic.messages > before
    }

    fn count(&mut self, bytes: usize) {
        self.waiting_bytes -= bytes;
        self.traffic.messages += 1;
        self.traffic.bytes += bytes as u64;
    }
}

/// Frames that answer what has just come, with their destinations.
pub type Answers = Vec<(u32, Frame)>;

/// The way to all other processes.
pub struct Transport {
    process: u32,
    /// The fabric; none after leaving.
    door: Mutex<Option<HybridTransport>>,
    outboxes: Vec<Mutex<Outbox>>,
    /// Whether something waits in each; written under its lock.
    waiting: Vec<AtomicBool>,
    /// Looks at the fabric so far.
    looks: AtomicU64,
    damaged: AtomicU64,
    /// Where the processes of this host see each other's requests and ring each other's doorbells, if all
    /// are on it.
    shared_requests: OnceLock<Arc<SharedRequests>>,
}

impl Transport {
    pub fn new(fabric: Box<dyn Fabric>) -> Transport {
        let (process, all) = (fabric.process(), 0..fabric.processes());
        Transport {
            process,
            door: Mutex::new(Some(HybridTransport::new(fabric))),
            outboxes: all.clone().map(|_| Mutex::default()).collect(),
            waiting: all.map(|_| AtomicBool::new(false)).collect(),
            looks: AtomicU64::new(0),
            damaged: AtomicU64::new(0),
            shared_requests: OnceLock::new(),
        }
    }

    /// Writes a frame for a process. Those that can be done without are dropped where too much waits.
    pub fn write(&self, process: u32, needed: bool, put: impl FnOnce(&mut Vec<u8>)) {
        let place = process as usize;
        if let (Some(outbox), Some(waiting)) = (self.outboxes.get(place), self.waiting.get(place)) {
            let mut outbox = lock(outbox);
            outbox.write(needed, put);
            waiting.store(true, Relaxed);
        }
    }

    /// Forgets what waits for a process.
    pub fn forget(&self, process: u32) {
        if let Some(outbox) = self.outboxes.get(process as usize) {
            let mut outbox = lock(outbox);
            *outbox = Outbox { traffic: outbox.traffic, ..Outbox::default() };
        }
    }

    /// Moves bytes both ways, unless another thread does: what has come goes to `take`, which may answer at
    /// once.
    pub fn step(&self, take: &mut dyn FnMut(u32, &[u8], &mut Answers)) {
        let Ok(mut door) = self.door.try_lock() else { return };
        let Some(fabric) = door.as_mut() else { return };
        self.looks.fetch_add(1, Relaxed);
        let shared_requests = self.shared_requests.get();
        if let Some(shared_requests) = shared_requests {
            shared_requests.hush(self.process);
        }
        for (process, (outbox, waiting)) in (0..).zip(self.outboxes.iter().zip(&self.waiting)) {
            if waiting.load(Relaxed) {
                let mut outbox = lock(outbox);
                let went = outbox.flush(process, fabric);
                waiting.store(outbox.waiting_bytes > 0, Relaxed);
                if let Some(shared_requests) = shared_requests.filter(|_| went) {
                    shared_requests.ring(process);
                }
            }
        }
        let mut answers = Answers::new();
        fabric.receive(&mut |from, bytes| take(from, bytes, &mut answers));
        for (process, frame) in answers {
            let mut bytes = Vec::new();
            frame.put(&mut bytes);
            // An answer that finds no room waits with the rest.
            if !fabric.send(process, &bytes) {
                self.write(process, true, |out| out.extend_from_slice(&bytes));
            }
        }
    }

    /// Looks at the fabric so far.
    pub fn looks(&self) -> u64 {
        self.looks.load(Relaxed)
    }

    /// A message came damaged.
    pub fn count_damaged(&self) {
        self.damaged.fetch_add(1, Relaxed);
    }

    /// What this process has sent so far.
    pub fn traffic(&self) -> Traffic {
        let damaged = Traffic { damaged: self.damaged.load(Relaxed), ..Traffic::default() };
        self.outboxes.iter().fold(damaged, |sum, outbox| sum.plus(&lock(outbox).traffic))
    }

    /// Where the processes of this host see each other's requests, if all are on it.
    pub fn shared_requests(&self) -> Option<&Arc<SharedRequests>> {
        self.shared_requests.get()
    }

    /// All processes are on one host, and have this in common.
    pub fn set_shared_requests(&self, shared_requests: SharedRequests) {
        // The first remains.
        _ = self.shared_requests.set(Arc::new(shared_requests));
    }

    /// Calls the fabric, if it is still there.
    pub fn with_fabric<A>(&self, call: impl FnOnce(&mut HybridTransport) -> A) -> Option<A> {
        lock(&self.door).as_mut().map(call)
    }

    /// Lets go of the fabric, when all has left or the time is over.
    pub fn close(&self, limit: Duration, take: &mut dyn FnMut(u32, &[u8], &mut Answers)) {
        let begun = Instant::now();
        while begun.elapsed() < limit {
            self.step(take);
            let empty = self.outboxes.iter().all(|outbox| lock(outbox).waiting_bytes == 0);
            if empty && self.with_fabric(HybridTransport::is_clear).unwrap_or(true) {
                break;
            }
            std::thread::sleep(NAP);
        }
        *lock(&self.door) = None;
    }
}
