//! Several searchers on one stream of tasks; what they finish comes back in the stream's order.
//!
//! Only a window of tasks is in flight at a time, from the one that is read to the one that is next to
//! be written. So the memory does not depend on the length of the input, and a task that takes long
//! holds the others up instead of letting them pile up behind it.
//!
//! The input is read by a thread of its own: who feeds a pipe line by line is answered line by line, and
//! Ctrl-C is heard while nothing comes.

use super::analyst::{Analyst, Effort};
use super::source::{InputError, Source, Task};
use crate::engine::{Engine, STACK};
use crate::failure::Failure;
use crate::interrupt;
use std::collections::VecDeque;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Tasks in flight for each searcher.
const WINDOW: usize = 4;
/// How often the progress is shown while nothing is finished.
const REFRESH: Duration = Duration::from_millis(100);

/// What became of a task.
#[derive(Default)]
pub struct Finished {
    /// What is to be written.
    pub text: String,
    /// A line for the terminal, if there is something to say.
    pub summary: Option<String>,
    /// Positions that were looked at.
    pub positions: u64,
    /// Nodes that were searched.
    pub nodes: u64,
    /// What is wrong with a game that was done as far as it is good.
    pub flaw: Option<String>,
    /// The picture of a game, if one is to be drawn.
    pub chart: Option<plot::Chart>,
    /// What had to be repaired in a position, with its place.
    pub repairs: Vec<String>,
}

/// How a task is done. The last argument hears how many parts of all are done.
pub type Method =
    dyn Fn(&mut Analyst<'_>, Task, &mut dyn FnMut(usize, usize)) -> Result<Finished, String> + Sync;

/// Takes what is finished, in order.
pub trait Receipt {
    /// A task is done or, with a reason, passed over. `passed` is what [`Source::passed`] said then.
    fn take(&mut self, done: Result<Finished, String>, passed: (u64, u64)) -> Result<(), Failure>;

    /// Tells how many bytes of the input are done. Called several times a second.
    fn progress(&mut self, bytes: u64) -> Result<(), Failure>;
}

/// A task that was read, and what became of it.
struct Slot {
    passed: (u64, u64),
    done: Option<Result<Finished, String>>,
}

/// What the other threads tell.
enum Event {
    /// The next task, or the end of the input; and what [`Source::passed`] says behind it.
    Read(Option<Result<Task, InputError>>, (u64, u64)),
    /// What became of the task of this number.
    Done(u64, Result<Finished, String>),
}

/// Does all tasks of a source, until Ctrl-C.
pub fn run(
    source: Source,
    engines: Vec<Engine>,
    effort: Effort,
    method: &Method,
    receipt: &mut impl Receipt,
) -> Result<(), Failure> {
    let (stop, meter) = (AtomicBool::new(false), AtomicU64::new(0));
    let window = engines.len() * WINDOW;
    let (to_do, tasks) = mpsc::channel();
    let (permits, permitted) = mpsc::channel();
    let tasks = Mutex::new(tasks);
    let no_thread = |error| Failure::Work(format!("the system gives no thread: {error}"));
    thread::scope(|scope| {
        let (sender, events) = mpsc::channel();
        for engine in engines {
            let (analyst, sender) = (Analyst::new(engine, effort, &stop), sender.clone());
            let (tasks, meter) = (&tasks, &meter);
            let work = move || serve(analyst, tasks, method, meter, &sender);
            let thread = thread::Builder::new().stack_size(STACK);
            thread.spawn_scoped(scope, work).map_err(no_thread)?;
        }
        // Not one of the scope: it may wait for input that never comes.
        let read = move || read(source, &permitted, &sender);
        thread::Builder::new().spawn(read).map_err(no_thread)?;
        let flow = Flow { to_do, permits, events, window, meter: &meter };
        let outcome = flow.run(receipt);
        // Where the work is given up, searches that still run are not needed.
        stop.store(true, Relaxed);
        outcome
    })
}

/// Reads a task for every permit, up to the end of the input.
fn read(source: Source, permits: &Receiver<()>, events: &Sender<Event>) {
    let mut source = source;
    while permits.recv().is_ok() {
        let next = panic::catch_unwind(AssertUnwindSafe(|| source.next())).unwrap_or_else(|_| {
            let reason = "reading the input failed: please report it".to_owned();
            Some(Err(InputError::Input(reason)))
        });
        let is_last = !matches!(next, Some(Ok(_) | Err(InputError::Broken(_))));
        if events.send(Event::Read(next, source.passed())).is_err() || is_last {
            return;
        }
    }
}

/// The life of a searcher: takes tasks until there are no more.
fn serve(
    mut analyst: Analyst<'_>,
    tasks: &Mutex<Receiver<Task>>,
    method: &Method,
    meter: &AtomicU64,
    events: &Sender<Event>,
) {
    loop {
        let next = tasks.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(task) = next else { return };
        let (number, bytes) = (task.number, task.bytes);
        let mut counted = 0;
        let mut tick = |done: usize, all: usize| {
            let share = bytes * done as u64 / (all as u64).max(1);
            meter.fetch_add(share - counted, Relaxed);
            counted = share;
        };
        let work = AssertUnwindSafe(|| method(&mut analyst, task, &mut tick));
        let done = panic::catch_unwind(work)
            .unwrap_or_else(|_| Err("the analysis failed: please report it".to_owned()));
        meter.fetch_add(bytes - counted, Relaxed);
        if events.send(Event::Done(number, done)).is_err() {
            return;
        }
    }
}

/// The way of the tasks from the source to the receipt.
struct Flow<'a> {
    to_do: Sender<Task>,
    permits: Sender<()>,
    events: Receiver<Event>,
    window: usize,
    meter: &'a AtomicU64,
}

impl Flow<'_> {
    fn run(self, receipt: &mut impl Receipt) -> Result<(), Failure> {
        let mut slots: VecDeque<Slot> = VecDeque::new();
        let (mut is_read, mut fault) = (false, None);
        (0..self.window).for_each(|_| self.permit());
        loop {
            while let Some(done) = slots.front_mut().and_then(|slot| slot.done.take()) {
                let passed = slots.pop_front().map_or((0, 0), |slot| slot.passed);
                receipt.take(done, passed)?;
                self.permit();
            }
            if is_read && slots.is_empty() {
                return fault.map_or(Ok(()), Err);
            }
            if interrupt::requested() {
                return Err(Failure::Interrupted);
            }
            receipt.progress(self.meter.load(Relaxed))?;
            match self.events.recv_timeout(REFRESH) {
                Ok(Event::Read(None, _)) => is_read = true,
                // What came before is finished.
                Ok(Event::Read(Some(Err(InputError::Input(reason))), _)) => {
                    (is_read, fault) = (true, Some(Failure::Work(reason)));
                }
                Ok(Event::Read(Some(Err(InputError::Broken(reason))), passed)) => {
                    slots.push_back(Slot { passed, done: Some(Err(reason)) });
                }
                Ok(Event::Read(Some(Ok(task)), passed)) => {
                    // If the searchers have ended, the events tell.
                    let _ = self.to_do.send(task);
                    slots.push_back(Slot { passed, done: None });
                }
                Ok(Event::Done(number, done)) => {
                    if let Some(slot) = slots.iter_mut().find(|slot| slot.passed.0 == number) {
                        slot.done = Some(done);
                    }
                }
                Err(RecvTimeoutError::Timeout) => (),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Failure::Work("all searchers are gone".to_owned()));
                }
            }
        }
    }

    /// Lets another task be read. If the reader has ended, the events tell.
    fn permit(&self) {
        let _ = self.permits.send(());
    }
}
