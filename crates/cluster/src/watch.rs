//! The attendant of a link: a thread that keeps messages moving when nobody else does, and that knows by
//! their heartbeats who is still there.
//!
//! An MPI library reports nothing about a process that was killed or stopped, or ends them all. So every
//! process is heard several times a second; one that is silent for too long is lost, for good: it has
//! missed orders. What it was to search is searched by others (the strategies ask after their slaves), and
//! should it wake up, it is told to leave.

use crate::Link;
use crate::distance::SPIN;
use crate::frame::Frame;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

/// How long the attendant sleeps between two looks.
const PERIOD: Duration = Duration::from_micros(500);
/// The same while others look: every time it wakes up it takes somebody's processor away.
const BUSY_PERIOD: Duration = Duration::from_millis(4);
/// How often a process says that it is there.
const BEAT: Duration = Duration::from_millis(200);
/// How long it looks without sleeping after somebody has measured the way to it.
const ALERT: Duration = Duration::from_millis(20);

/// Starts the attendant of a link; it ends with it.
pub fn start(link: &Arc<Link>) -> Result<(), String> {
    let weak = Arc::downgrade(link);
    let spawned = thread::Builder::new().name("attendant".to_owned()).spawn(move || attend(&weak));
    spawned.map(|_| ()).map_err(|error| format!("the system gives no thread: {error}"))
}

fn attend(link: &Weak<Link>) {
    let mut beat = Instant::now();
    let (mut spin, mut alert) = (Instant::now(), Instant::now());
    let mut looks = 0;
    loop {
        let Some(link) = link.upgrade().filter(|link| !link.is_closed()) else { return };
        let passed = beat.elapsed();
        if passed >= BEAT {
            beat = Instant::now();
            link.beat();
            // What came meanwhile is heard first.
            link.attend();
            match passed > link.deadline() / 2 {
                true => link.excuse(),
                false => link.miss(),
            }
        }
        let period = match link.looks.load(Relaxed) {
            same if same == looks => PERIOD,
            _ => BUSY_PERIOD,
        };
        link.attend();
        looks = link.looks.load(Relaxed);
        if link.pinged.swap(false, Relaxed) {
            let now = Instant::now();
            (spin, alert) = (now + SPIN, now + ALERT);
        }
        drop(link);
        match Instant::now() {
            now if now < spin => std::hint::spin_loop(),
            now if now < alert => thread::yield_now(),
            _ => thread::sleep(period),
        }
    }
}

impl Link {
    /// Moves bytes both ways. Those who search do not see what was taken here unless they are called.
    fn attend(&self) {
        self.step();
        if self.has_parcels.load(Relaxed)
            && let Some(shared_requests) = self.shared_requests.get()
        {
            shared_requests.ring(self.place.process);
        }
    }

    /// Says that we are there: the first to all, the others to the first.
    fn beat(&self) {
        match self.is_first() {
            true => self.others().for_each(|process| self.write(process, &Frame::Beat)),
            false => self.write(0, &Frame::Beat),
        }
    }

    /// Takes everybody as heard now. One who has not looked for long, as the machine stood still or was too
    /// busy, cannot tell who was silent meanwhile.
    fn excuse(&self) {
        let now = self.begun.elapsed().as_millis() as u64;
        self.heard.iter().for_each(|heard| heard.store(now, Relaxed));
    }

    /// Looks who has been silent for too long.
    fn miss(&self) {
        let watched: Vec<u32> = if self.is_first() { self.others().collect() } else { vec![0] };
        for process in watched {
            if self.silence_of(process) > self.deadline() {
                self.lose(process);
            }
        }
    }

    /// A process is lost. The first tells the others.
    pub(crate) fn lose(&self, process: u32) {
        if !self.mark_lost(process) {
            return;
        }
        if self.is_first() {
            self.others().for_each(|other| self.write(other, &Frame::Lost(process)));
            let seconds = self.deadline().as_secs_f64();
            self.complain(process, format!("lost: nothing was heard of it for {seconds} seconds"));
        }
        self.wake();
    }
}
