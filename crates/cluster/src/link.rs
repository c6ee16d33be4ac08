//! The connection of a process with all others.
//!
//! Whoever has something to send writes a frame into the outbox of its destination, which takes a short
//! lock. The fabric stands behind one door: who finds it free moves bytes both ways ([`Link::step`]) and
//! leaves what has come in the inbox; who does not goes on with his own work. Threads that search come by
//! every few dozen nodes, idle ones all the time, and the attendant (`watch.rs`) twice a millisecond.
//!
//! Searches are numbered. What belongs to one that is over is dropped, what belongs to one that has not
//! begun here is kept: some processes hear of a search before others. A search ends when the first process
//! says so; it may begin the next one at once, as each process hears of the end before the beginning.

use crate::frame::{Frame, take_all};
use crate::host_map::Home;
use crate::hybrid_transport::HybridTransport;
use crate::inbox::{Inbox, Task};
use crate::outbox::Outbox;
use crate::{Fabric, watch};
use parallel::threads::{Place, SharedRequests};
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// How long a process may be silent before it is taken for lost.
const DEADLINE: Duration = Duration::from_secs(10);

/// How long somebody who waits sleeps before he looks himself.
const NAP: Duration = Duration::from_micros(200);

/// A process's connection with all others.
pub struct Link {
    pub(crate) place: Place,
    /// The fabric; none after leaving.
    pub(crate) door: Mutex<Option<HybridTransport>>,
    pub(crate) outboxes: Vec<Mutex<Outbox>>,
    /// Whether something waits in each; written under its lock.
    waiting: Vec<AtomicBool>,
    pub(crate) inbox: Mutex<Inbox>,
    news: Condvar,
    pub(crate) has_parcels: AtomicBool,
    /// The present search, or the last.
    pub(crate) present: AtomicU32,
    /// Questions whether all orders are followed.
    pub(crate) questions: AtomicU32,
    /// The first search whose parcels are wanted.
    wanted: AtomicU32,
    lost: Vec<AtomicBool>,
    pub(crate) begun: Instant,
    /// When each was last heard, in milliseconds.
    pub(crate) heard: Vec<AtomicU64>,
    deadline_ms: AtomicU64,
    pub(crate) round_trip_ns: AtomicU64,
    /// Processes on the fullest host, and the processors of the smallest.
    pub(crate) crowd: AtomicU32,
    pub(crate) cores: AtomicU32,
    /// The grain that somebody wants; 0 for the one that follows from the distance.
    pub(crate) remote_grain: AtomicU32,
    /// How the table is shared: the place among all kinds.
    pub(crate) table: AtomicUsize,
    /// How many tables all have made at an order.
    pub(crate) tables: AtomicU32,
    /// Where each process is; nothing where that is not known.
    pub(crate) host_map: Mutex<Vec<Home>>,
    /// Where the processes of this host see each other's requests, if all are on it.
    pub(crate) shared_requests: OnceLock<Arc<SharedRequests>>,
    /// How many processes search together; 0 for all.
    pub(crate) active: AtomicU32,
    pub(crate) damaged: AtomicU64,
    /// Somebody measures the way to us.
    pub(crate) pinged: AtomicBool,
    /// Looks at the fabric so far.
    pub(crate) looks: AtomicU64,
    /// Whether we were told to leave.
    pub(crate) leaving: AtomicBool,
    closed: AtomicBool,
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Link {
    /// Connects this process by a fabric.
    pub fn new(fabric: Box<dyn Fabric>) -> Result<Arc<Link>, String> {
        let place = Place { process: fabric.process(), processes: fabric.processes() };
        let all = 0..place.processes;
        let link = Arc::new(Link {
            place,
            door: Mutex::new(Some(HybridTransport::new(fabric))),
            outboxes: all.clone().map(|_| Mutex::default()).collect(),
            waiting: all.clone().map(|_| AtomicBool::new(false)).collect(),
            inbox: Mutex::new(Inbox::new(place.processes)),
            news: Condvar::new(),
            has_parcels: AtomicBool::new(false),
            present: AtomicU32::new(0),
            questions: AtomicU32::new(0),
            wanted: AtomicU32::new(1),
            lost: all.clone().map(|_| AtomicBool::new(false)).collect(),
            begun: Instant::now(),
            heard: all.map(|_| AtomicU64::new(0)).collect(),
            deadline_ms: AtomicU64::new(DEADLINE.as_millis() as u64),
            round_trip_ns: AtomicU64::new(5_000),
            crowd: AtomicU32::new(1),
            cores: AtomicU32::new(1),
            remote_grain: AtomicU32::new(0),
            table: AtomicUsize::new(0),
            tables: AtomicU32::new(0),
            host_map: Mutex::default(),
            shared_requests: OnceLock::new(),
            active: AtomicU32::new(0),
            damaged: AtomicU64::new(0),
            pinged: AtomicBool::new(false),
            looks: AtomicU64::new(0),
            leaving: AtomicBool::new(false),
            closed: AtomicBool::new(false),
        });
        watch::start(&link)?;
        Ok(link)
    }

    /// The number of this process.
    pub fn process(&self) -> u32 {
        self.place.process
    }

    /// Whether this process speaks to the user.
    pub fn is_first(&self) -> bool {
        self.place.process == 0
    }

    /// The other processes that are not lost.
    pub fn others(&self) -> impl Iterator<Item = u32> {
        let there =
            |&process: &u32| process != self.place.process && !self.is_lost_process(process);
        (0..self.place.processes).filter(there)
    }

    /// Whether a process is lost.
    pub fn is_lost_process(&self, process: u32) -> bool {
        self.lost.get(process as usize).is_none_or(|lost| lost.load(Relaxed))
    }

    /// How many are lost.
    pub fn lost_count(&self) -> usize {
        self.lost.iter().filter(|lost| lost.load(Relaxed)).count()
    }

    /// Marks a process as lost; whether it was not.
    pub(crate) fn mark_lost(&self, process: u32) -> bool {
        let Some(lost) = self.lost.get(process as usize) else { return false };
        let new = !lost.swap(true, SeqCst);
        if let Some(outbox) = self.outboxes.get(process as usize) {
            lock(outbox).clear();
        }
        new
    }

    /// Changes how long a process may be silent.
    pub fn set_deadline(&self, deadline: Duration) {
        self.deadline_ms.store(deadline.as_millis() as u64, Relaxed);
    }

    pub(crate) fn deadline(&self) -> Duration {
        Duration::from_millis(self.deadline_ms.load(Relaxed))
    }

    pub(crate) fn silence_of(&self, process: u32) -> Duration {
        let heard = self.heard.get(process as usize).map_or(0, |heard| heard.load(Relaxed));
        self.begun.elapsed().saturating_sub(Duration::from_millis(heard))
    }

    /// Sets the way to the others, for all that follows from it.
    pub fn set_round_trip(&self, round_trip: Duration) {
        self.round_trip_ns.store(round_trip.as_nanos() as u64, Relaxed);
    }

    /// Tells how many processes share a host, at most, and how many processors it has, at least.
    pub fn set_crowd(&self, processes: u32, cores: u32) {
        self.crowd.store(processes, Relaxed);
        self.cores.store(cores, Relaxed);
    }

    /// Wants children of at least this depth to go to other processes; 0 for what the distance tells.
    pub fn set_remote_grain(&self, grain: u32) {
        self.remote_grain.store(grain, Relaxed);
    }

    /// Puts a frame on its way.
    pub(crate) fn write(&self, process: u32, frame: &Frame) {
        self.write_with(process, true, |out| frame.put(out));
    }

    pub(crate) fn write_with(&self, process: u32, needed: bool, put: impl FnOnce(&mut Vec<u8>)) {
        let place = process as usize;
        if let (Some(outbox), Some(waiting)) = (self.outboxes.get(place), self.waiting.get(place))
            && !self.is_lost_process(process)
        {
            let mut outbox = lock(outbox);
            outbox.write(needed, put);
            waiting.store(true, Relaxed);
        }
    }

    /// Moves bytes both ways, if nobody else is about it; whether it was our turn.
    pub(crate) fn step(&self) -> bool {
        let Ok(mut door) = self.door.try_lock() else { return false };
        let Some(fabric) = door.as_mut() else { return true };
        self.looks.fetch_add(1, Relaxed);
        let shared_requests = self.shared_requests.get();
        if let Some(shared_requests) = shared_requests {
            shared_requests.hush(self.place.process);
        }
        for (process, (outbox, waiting)) in (0..).zip(self.outboxes.iter().zip(&self.waiting)) {
            if waiting.load(Relaxed) {
                let mut outbox = lock(outbox);
                let before = outbox.batches;
                outbox.flush(process, fabric);
                waiting.store(!outbox.is_empty(), Relaxed);
                if let Some(shared_requests) = shared_requests.filter(|_| outbox.batches > before) {
                    shared_requests.ring(process);
                }
            }
        }
        let mut answers = Vec::new();
        fabric.receive(&mut |from, bytes| self.take(from, bytes, &mut answers));
        for (process, frame) in answers {
            let mut bytes = Vec::new();
            frame.put(&mut bytes);
            // An answer that finds no room waits with the rest.
            if !fabric.send(process, &bytes) {
                self.write(process, &frame);
            }
        }
        true
    }

    /// Takes a message that has come.
    fn take(&self, from: u32, bytes: &[u8], answers: &mut Vec<(u32, Frame)>) {
        if let Some(heard) = self.heard.get(from as usize) {
            heard.store(self.begun.elapsed().as_millis() as u64, Relaxed);
        }
        if self.is_lost_process(from) {
            if self.is_first() {
                answers.push((from, Frame::Leave("it was taken for lost".to_owned())));
            }
            return;
        }
        let taken = take_all(bytes, |frame| self.sort(from, frame, answers));
        if let Err(damage) = taken {
            self.damaged.fetch_add(1, Relaxed);
            self.complain(from, damage.to_string());
        }
    }

    /// Puts a frame where it belongs.
    fn sort(&self, from: u32, frame: Frame, answers: &mut Vec<(u32, Frame)>) {
        let mut inbox = lock(&self.inbox);
        let place = from as usize;
        match frame {
            Frame::Parcel(number, parcel) => {
                inbox.keep(self.wanted.load(SeqCst), number, from, parcel);
                self.has_parcels.store(true, SeqCst);
                return;
            }
            Frame::Beat => return,
            Frame::Ping(content) => {
                self.pinged.store(true, Relaxed);
                answers.push((from, Frame::Pong(content)));
                return;
            }
            Frame::Pong(content) => inbox.pongs.push_back((from, content)),
            Frame::Hello(text) => {
                if let Some(hello) = inbox.hellos.get_mut(place) {
                    *hello = Some(text);
                }
            }
            Frame::Welcome => inbox.welcome = true,
            Frame::Leave(reason) => {
                self.leaving.store(true, Relaxed);
                inbox.tasks.push_back(Task::Leave(reason));
            }
            Frame::Bye => {
                if let Some(bye) = inbox.byes.get_mut(place) {
                    *bye = true;
                }
            }
            Frame::Ready(number) => {
                if let Some(ready) = inbox.ready.get_mut(place) {
                    *ready = number;
                }
            }
            Frame::Call(call) => inbox.tasks.push_back(Task::Call(call)),
            Frame::Answer(id, last, content) => inbox.answers.push_back((id, last, content)),
            Frame::Settled(good) => inbox.settled = Some(good),
            Frame::BuildMessage(number, content) => {
                inbox.build_messages.push_back((number, from, content))
            }
            Frame::CutShort(id) => inbox.cut_short.push(id),
            Frame::Order(text) => inbox.tasks.push_back(Task::Order(text)),
            Frame::Failure(text) => inbox.failures.push_back((from, text)),
            Frame::Search(order) => inbox.tasks.push_back(Task::Search(order)),
            Frame::Done(number, traffic, reports) => {
                if let Some(done) = inbox.done.get_mut(place) {
                    *done = (number, reports);
                }
                if let Some(known) = inbox.traffic.get_mut(place) {
                    *known = traffic;
                }
            }
            Frame::Lost(process) => {
                drop(inbox);
                self.mark_lost(process);
            }
        }
        self.news.notify_all();
    }

    /// Wakes those who wait for news.
    pub(crate) fn wake(&self) {
        self.news.notify_all();
    }

    /// Keeps a complaint about a process.
    pub(crate) fn complain(&self, process: u32, text: String) {
        lock(&self.inbox).failures.push_back((process, text));
        self.wake();
    }

    /// Whether a process has sent this back.
    pub(crate) fn has_answered(&self, process: u32, content: &[u8]) -> bool {
        self.step();
        let mut inbox = lock(&self.inbox);
        let found = inbox.pongs.iter().any(|(from, bytes)| *from == process && bytes == content);
        if found {
            inbox.pongs.clear();
        }
        found
    }

    /// Waits until the inbox holds what is asked for, or the time is over.
    pub(crate) fn await_news<A>(
        &self,
        limit: Duration,
        mut look: impl FnMut(&mut Inbox) -> Option<A>,
    ) -> Option<A> {
        let begun = Instant::now();
        loop {
            self.step();
            let mut inbox = lock(&self.inbox);
            if let Some(found) = look(&mut inbox) {
                return Some(found);
            }
            if begun.elapsed() >= limit || self.is_closed() {
                return None;
            }
            // Who has waited for long can wait a little longer.
            let nap = NAP * (1 + begun.elapsed().as_millis().min(450) as u32 / 50);
            let wait = self.news.wait_timeout(inbox, nap);
            drop(wait.unwrap_or_else(PoisonError::into_inner));
        }
    }

    /// What went wrong elsewhere since it was last asked, with the process.
    pub fn take_failures(&self) -> Vec<(u32, String)> {
        lock(&self.inbox).failures.drain(..).collect()
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Relaxed)
    }

    /// Lets go of the fabric, when all has gone or the time is over.
    pub(crate) fn close(&self, limit: Duration) {
        let begun = Instant::now();
        while begun.elapsed() < limit {
            self.step();
            let empty = self.outboxes.iter().all(|outbox| lock(outbox).is_empty());
            if empty && lock(&self.door).as_mut().is_none_or(HybridTransport::is_clear) {
                break;
            }
            std::thread::sleep(NAP);
        }
        self.closed.store(true, SeqCst);
        *lock(&self.door) = None;
        self.wake();
    }

    /// Begins with the parcels of a search.
    pub(crate) fn enter(&self, number: u32) {
        self.present.store(number, SeqCst);
        self.wanted.store(number, SeqCst);
        // Some of them may have come during the search before.
        self.has_parcels.store(true, SeqCst);
    }

    /// Ends with them.
    pub(crate) fn exit(&self, number: u32) {
        self.wanted.store(number.saturating_add(1), SeqCst);
    }
}
