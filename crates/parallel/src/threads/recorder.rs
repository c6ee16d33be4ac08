//! What each thread did when, kept while it searches: for pictures and for those who watch.
//!
//! Nothing is recorded unless a [`Recorder`] was given to the pool; a search without one asks for it once in
//! some hundred nodes. Every thread writes to a log of its own, at most a few times in a slice of nodes.

use crate::timeline::{Activity, Segment, Sent, Timeline};
use crate::{Message, Peer, Time};
use search::walk::Place;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Spans between two pieces of work that are shorter, in nanoseconds, belong to the second: with them every
/// slice of nodes would begin with a span of its own.
const SHORTEST_NS: Time = 2_000;

/// The course of a search, as far as it is remembered.
pub struct Recorder {
    logs: Vec<Log>,
    /// Spans and messages of a thread that are remembered; the oldest are forgotten first.
    most: usize,
    begun: Mutex<Instant>,
}

#[repr(align(128))]
#[derive(Default)]
struct Log(Mutex<Events>);

#[derive(Default)]
struct Events {
    segments: VecDeque<Segment>,
    messages: VecDeque<Sent>,
    /// What has begun and not ended.
    open: Option<Segment>,
    forgotten: u64,
}

impl Log {
    fn lock(&self) -> MutexGuard<'_, Events> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Recorder {
    /// A recorder for this number of threads, which remembers the last `most` spans and messages of each.
    pub fn new(threads: u32, most: usize) -> Recorder {
        let logs = (0..threads).map(|_| Log::default()).collect();
        Recorder { logs, most: most.max(1), begun: Mutex::new(Instant::now()) }
    }

    /// Another search begins: what was recorded is forgotten.
    pub(super) fn begin(&self, begun: Instant) {
        self.logs.iter().for_each(|log| *log.lock() = Events::default());
        *self.begun.lock().unwrap_or_else(PoisonError::into_inner) = begun;
    }

    /// What is remembered of the spans that end after a moment and of the messages that were sent after it,
    /// also while the search runs. A span that has not ended lasts until now.
    pub fn since(&self, moment: Time) -> Timeline {
        let mut timeline = Timeline::default();
        for log in &self.logs {
            let events = log.lock();
            let now = self.now();
            let open = events.open.map(|open| Segment { end: now.max(open.begin), ..open });
            let segments = events.segments.iter().copied().chain(open);
            timeline.segments.push(segments.filter(|segment| segment.end > moment).collect());
            let messages = events.messages.iter().filter(|sent| sent.time >= moment);
            timeline.messages.extend(messages);
        }
        timeline.messages.sort_by_key(|sent| sent.time);
        timeline
    }

    /// The time since the search began.
    pub fn now(&self) -> Time {
        let begun = *self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        begun.elapsed().as_nanos() as Time
    }

    /// Spans and messages that were forgotten because there were too many.
    pub fn forgotten(&self) -> u64 {
        self.logs.iter().map(|log| log.lock().forgotten).sum()
    }

    /// What a thread writes to.
    pub(super) fn tape(&self, thread: Peer) -> Option<Tape<'_>> {
        let log = self.logs.get(thread.index())?;
        Some(Tape { log, me: thread, most: self.most, written: 0 })
    }
}

/// The log of one thread, in its hands.
pub(super) struct Tape<'a> {
    log: &'a Log,
    me: Peer,
    most: usize,
    /// Until when everything is written.
    written: Time,
}

impl Tape<'_> {
    /// Something begins. What lies between it and the last span was spent on messages.
    pub fn begin(&mut self, now: Time, activity: Activity, place: Option<Place>) {
        let mut events = self.log.lock();
        if now.saturating_sub(self.written) >= SHORTEST_NS {
            let (begin, activity) = (self.written, Activity::Message);
            push(&mut events, self.most, Segment { activity, begin, end: now, place: None });
            self.written = now;
        }
        events.open = Some(Segment { activity, begin: self.written, end: now, place });
    }

    /// It ends, if it has not ended before.
    pub fn end(&mut self, now: Time) {
        let mut events = self.log.lock();
        if let Some(open) = events.open.take() {
            push(&mut events, self.most, Segment { end: now, ..open });
            self.written = now;
        }
    }

    /// A message is sent. The time is read under the lock: what was sent before one looks is there.
    pub fn send(&mut self, now: impl FnOnce() -> Time, to: Peer, message: &Message) {
        let mut events = self.log.lock();
        let now = now();
        if events.messages.len() == self.most {
            events.messages.pop_front();
            events.forgotten += 1;
        }
        events.messages.push_back(Sent::new(now, self.me, to, message));
    }
}

fn push(events: &mut Events, most: usize, next: Segment) {
    match events.segments.back_mut() {
        Some(last) if last.goes_on(&next) => last.end = next.end,
        _ => {
            if events.segments.len() == most {
                events.segments.pop_front();
                events.forgotten += 1;
            }
            events.segments.push_back(next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(recorder: &Recorder, moment: Time) -> Vec<(Activity, Time, Time)> {
        let timeline = recorder.since(moment);
        let span = |segment: &Segment| (segment.activity, segment.begin, segment.end);
        timeline.segments[0].iter().map(span).collect()
    }

    #[test]
    fn every_moment_is_in_one_span_and_what_is_short_between_them_in_the_next() {
        let recorder = Recorder::new(1, 100);
        let mut tape = recorder.tape(Peer(0)).expect("there is one");
        assert!(recorder.tape(Peer(1)).is_none());
        for (begin, activity, end) in [
            (0, Activity::Search, 10_000),
            (10_500, Activity::Search, 20_000),
            (25_000, Activity::Wait, 30_000),
            (30_100, Activity::Search, 31_000),
        ] {
            tape.begin(begin, activity, None);
            tape.end(end);
            tape.end(end + 5);
        }
        let expected = [
            (Activity::Search, 0, 20_000),
            (Activity::Message, 20_000, 25_000),
            (Activity::Wait, 25_000, 30_000),
            (Activity::Search, 30_000, 31_000),
        ];
        assert_eq!(spans(&recorder, 0), expected);
        assert_eq!(spans(&recorder, 25_000), expected[2..]);
        recorder.begin(Instant::now());
        assert_eq!((spans(&recorder, 0), recorder.forgotten()), (Vec::new(), 0));
    }

    #[test]
    fn the_oldest_is_forgotten_and_what_goes_on_is_shown() {
        let recorder = Recorder::new(1, 3);
        let mut tape = recorder.tape(Peer(0)).expect("there is one");
        for number in 0..10 {
            let activity = if number % 2 == 0 { Activity::Search } else { Activity::Idle };
            tape.begin(number * 10, activity, None);
            tape.end(number * 10 + 10);
            tape.send(|| number * 10, Peer(0), &Message::Stop);
        }
        assert_eq!((spans(&recorder, 0).len(), recorder.forgotten()), (3, 14));
        tape.begin(100, Activity::Alone, None);
        let last = spans(&recorder, 0).pop().expect("there are some");
        assert!(last.0 == Activity::Alone && last.1 == 100 && last.2 >= 100, "{last:?}");
    }
}
