//! The attendant of a link: a thread that keeps messages moving when no other does, and that knows by their
//! heartbeats which processes are still there.
//!
//! An MPI library reports nothing about a process that was killed or stopped, or ends them all. So every
//! process is heard several times a second; one that is silent for too long is lost, for good: it has
//! missed commands. What it was to search is searched by others (the strategies ask after their helpers), and
//! should it wake up, it is told to leave.

use crate::Link;
use crate::distance::SPIN;
use crate::frame::Frame;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

/// Sleep of the attendant between two looks.
const PERIOD: Duration = Duration::from_micros(500);
/// The same while others look: every time it wakes up it takes a processor from a thread that searches.
const BUSY_PERIOD: Duration = Duration::from_millis(4);
/// Time between two heartbeats.
const BEAT: Duration = Duration::from_millis(200);
/// How long it looks without sleeping after another process has measured the way to it.
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
            match passed > link.members.deadline() / 2 {
                true => link.members.excuse_all(),
                false => link.miss(),
            }
        }
        let period = match link.transport.looks() {
            same if same == looks => PERIOD,
            _ => BUSY_PERIOD,
        };
        link.attend();
        looks = link.transport.looks();
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
        if self.has_packets.load(Relaxed)
            && let Some(shared_requests) = self.transport.shared_requests()
        {
            shared_requests.ring(self.process());
        }
    }

    /// Says that we are there: the first to all, the others to the first.
    fn beat(&self) {
        match self.is_first() {
            true => self.tell_all(&Frame::Beat),
            false => self.write(0, &Frame::Beat),
        }
    }

    /// Looks which processes have been silent for too long. The first watches all, and tells the others; they
    /// watch the first.
    fn miss(&self) {
        let watched = self.others().filter(|&process| self.is_first() || process == 0);
        for process in watched.filter(|&process| self.members.is_overdue(process)) {
            if !self.lose(process) {
                continue;
            }
            if self.is_first() {
                self.tell_all(&Frame::Lost(process));
                let seconds = self.members.deadline().as_secs_f64();
                let silence = format!("lost: nothing was heard of it for {seconds} seconds");
                self.complain(process, silence);
            }
            self.wake();
        }
    }
}
