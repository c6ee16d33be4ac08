//! The connection of a process with all others: what has come is sorted into an inbox, and those who wait for
//! something are woken.
//!
//! A link is a [`Transport`] of bytes, the [`Members`] and the [`LinkSettings`] that all follow. Threads that
//! search move bytes every few dozen nodes, idle ones all the time, and the attendant (`watch.rs`) twice a
//! millisecond.
//!
//! Searches are numbered. What belongs to one that is over is dropped, what belongs to one that has not
//! begun here is kept: some processes hear of a search before others. A search ends when the first process
//! says so; it may begin the next one at once, as each process hears of the end before the beginning.

use crate::frame::{Frame, take_all};
use crate::inbox::Inbox;
use crate::members::Members;
use crate::settings::LinkSettings;
use crate::transport::{Answers, Traffic, Transport, lock};
use crate::{Fabric, watch};
use parallel::threads::Place;
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicU32};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Sleep between two looks of a thread that waits for news.
const NAP: Duration = Duration::from_micros(200);

/// A process's connection with all others.
pub struct Link {
    pub(crate) transport: Transport,
    pub(crate) members: Members,
    pub(crate) settings: LinkSettings,
    pub(crate) inbox: Mutex<Inbox>,
    news: Condvar,
    pub(crate) has_packets: AtomicBool,
    /// The present search, or the last.
    pub(crate) present: AtomicU32,
    /// The first search whose packets are wanted.
    wanted: AtomicU32,
    /// Numbers of calls and of questions whether all is done.
    numbers: AtomicU32,
    /// How many tables all have made at a command.
    pub(crate) tables: AtomicU32,
    /// Another process measures the way to us.
    pub(crate) pinged: AtomicBool,
    /// Whether we were told to leave.
    pub(crate) leaving: AtomicBool,
    closed: AtomicBool,
}

impl Link {
    /// Connects this process by a fabric.
    pub fn new(fabric: Box<dyn Fabric>) -> Result<Arc<Link>, String> {
        let place = Place { process: fabric.process(), processes: fabric.processes() };
        let link = Arc::new(Link {
            transport: Transport::new(fabric),
            members: Members::new(place),
            settings: LinkSettings::default(),
            inbox: Mutex::new(Inbox::new(place.processes)),
            news: Condvar::new(),
            has_packets: AtomicBool::new(false),
            present: AtomicU32::new(0),
            wanted: AtomicU32::new(1),
            numbers: AtomicU32::new(0),
            tables: AtomicU32::new(0),
            pinged: AtomicBool::new(false),
            leaving: AtomicBool::new(false),
            closed: AtomicBool::new(false),
        });
        watch::start(&link)?;
        Ok(link)
    }

    /// The number of this process.
    pub fn process(&self) -> u32 {
        self.members.place.process
    }

    /// Whether this process speaks to the user.
    pub fn is_first(&self) -> bool {
        self.process() == 0
    }

    /// The other processes that are not lost.
    pub fn others(&self) -> impl Iterator<Item = u32> {
        self.members.others()
    }

    /// The others of those that search together.
    pub(crate) fn companions(&self) -> impl Iterator<Item = u32> {
        let searchers = self.settings.searchers(self.members.place.processes);
        self.others().filter(move |&process| process < searchers)
    }

    /// Whether a process is lost.
    pub fn is_lost_process(&self, process: u32) -> bool {
        self.members.is_lost(process)
    }

    /// How many are lost.
    pub fn lost_count(&self) -> usize {
        self.members.lost_count()
    }

    /// Changes the silence after which a process is taken for lost.
    pub fn set_deadline(&self, deadline: Duration) {
        self.members.set_deadline(deadline);
    }

    /// What this process has sent so far.
    pub fn traffic(&self) -> Traffic {
        self.transport.traffic()
    }

    /// Puts a frame on its way.
    pub(crate) fn write(&self, process: u32, frame: &Frame) {
        self.write_with(process, true, |out| frame.put(out));
    }

    pub(crate) fn write_with(&self, process: u32, needed: bool, put: impl FnOnce(&mut Vec<u8>)) {
        if !self.is_lost_process(process) {
            self.transport.write(process, needed, put);
        }
    }

    /// Puts a frame on its way to all others.
    pub(crate) fn tell_all(&self, frame: &Frame) {
        self.others().for_each(|process| self.write(process, frame));
    }

    /// Moves bytes both ways, unless another thread does.
    pub(crate) fn step(&self) {
        self.transport.step(&mut |from, bytes, answers| self.take(from, bytes, answers));
    }

    /// Takes a message that has come.
    fn take(&self, from: u32, bytes: &[u8], answers: &mut Answers) {
        self.members.hear(from);
        if self.is_lost_process(from) {
            if self.is_first() {
                answers.push((from, Frame::Leave("it was taken for lost".to_owned())));
            }
            return;
        }
        if let Err(damage) = take_all(bytes, |frame| self.sort(from, frame, answers)) {
            self.transport.count_damaged();
            self.complain(from, damage.to_string());
        }
    }

    /// Puts a frame where it belongs.
    fn sort(&self, from: u32, frame: Frame, answers: &mut Answers) {
        let mut inbox = lock(&self.inbox);
        match frame {
            Frame::Packet(number, packet) => {
                inbox.keep(self.wanted.load(SeqCst), number, from, packet);
                self.has_packets.store(true, SeqCst);
                return;
            }
            Frame::Beat => return,
            Frame::Ping(content) => {
                self.pinged.store(true, Relaxed);
                answers.push((from, Frame::Pong(content)));
                return;
            }
            Frame::Pong(content) => inbox.pongs.push_back((from, content)),
            Frame::Leave(_)
            | Frame::Setting(_)
            | Frame::Command(_)
            | Frame::Sync(_)
            | Frame::Search(_)
            | Frame::Call(_) => {
                self.leaving.fetch_or(matches!(frame, Frame::Leave(_)), Relaxed);
                inbox.to_do.push_back(frame);
            }
            Frame::Welcome => inbox.welcome = true,
            Frame::Settled(good) => inbox.settled = Some(good),
            Frame::Failure(text) => inbox.failures.push_back((from, text)),
            Frame::Answer(id, last, content) => inbox.answers.push_back((id, last, content)),
            Frame::CutShort(id) => inbox.cut_short.push(id),
            Frame::BuildMessage(number, content) => {
                inbox.build_messages.push_back((number, from, content));
            }
            Frame::Lost(process) => {
                drop(inbox);
                self.lose(process);
            }
            said => {
                let Some(known) = inbox.of_each.get_mut(from as usize) else { return };
                match said {
                    Frame::Hello(hello) => known.hello = Some(*hello),
                    Frame::Bye => known.bye = true,
                    Frame::Ready(number) => known.ready = number,
                    Frame::Done(number, traffic, reports) => {
                        (known.done, known.traffic, known.reports) = (number, traffic, reports);
                    }
                    _ => (),
                }
            }
        }
        self.news.notify_all();
    }

    /// A process is lost; whether that is news.
    pub(crate) fn lose(&self, process: u32) -> bool {
        let new = self.members.lose(process);
        self.transport.forget(process);
        new
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
            // One that has waited for long can wait a little longer.
            let nap = NAP * (1 + begun.elapsed().as_millis().min(450) as u32 / 50);
            let wait = self.news.wait_timeout(inbox, nap);
            drop(wait.unwrap_or_else(PoisonError::into_inner));
        }
    }

    /// A number that was not given before, for a call or a question.
    pub(crate) fn next_number(&self) -> u32 {
        self.numbers.fetch_add(1, Relaxed) + 1
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
        let take = &mut |from, bytes: &[u8], answers: &mut Answers| self.take(from, bytes, answers);
        self.transport.close(limit, take);
        self.closed.store(true, SeqCst);
        self.wake();
    }

    /// Begins with the packets of a search.
    pub(crate) fn enter(&self, number: u32) {
        self.present.store(number, SeqCst);
        self.wanted.store(number, SeqCst);
        // Some of them may have come during the search before.
        self.has_packets.store(true, SeqCst);
    }

    /// Ends with them.
    pub(crate) fn exit(&self, number: u32) {
        self.wanted.store(number.saturating_add(1), SeqCst);
    }
}
