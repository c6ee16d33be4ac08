//! What each thread of a search does when, for a program that watches it.
//!
//! A watched thread notes after each slice of its search what it did since the last note: a look at the clock
//! and a lock that is free but for a moment now and then, some ten thousand times a second. A search that is
//! not watched pays a comparison for each slice and each message. The notes are bounded; what finds no room is
//! counted, and the next look makes room.

use crate::sim::{Activity, Segment, Sent};
use crate::{Message, Peer, Time};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

/// Segments, and messages, of a thread between two looks.
const ROOM: usize = 1 << 14;

/// The notes of one search, from which another thread reads while it goes on.
pub struct Watch {
    begun: OnceLock<Instant>,
    /// When the first thread had its answer, after the begin.
    ended: OnceLock<Time>,
    notebooks: Vec<Notebook>,
}

/// Where one thread writes. Each lies in cache lines of its own.
#[repr(align(128))]
#[derive(Default)]
pub(super) struct Notebook(Mutex<Page>);

struct Page {
    notes: Notes,
    /// Until when the notes go.
    until: Time,
    /// What the thread does since then, as far as it has said.
    doing: Activity,
}

/// What a thread did since the last look.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Notes {
    /// What, in order of time and without gaps.
    pub segments: Vec<Segment>,
    /// The messages that it sent, in order of time.
    pub messages: Vec<Sent>,
    /// Nodes since the search began.
    pub nodes: u64,
    /// Segments and messages for which there was no room.
    pub lost: u64,
}

impl Default for Page {
    fn default() -> Page {
        Page { notes: Notes::default(), until: 0, doing: Activity::Idle }
    }
}

impl Watch {
    /// For one search by this number of threads.
    pub fn new(threads: u32) -> Watch {
        let notebooks = (0..threads).map(|_| Notebook::default()).collect();
        Watch { begun: OnceLock::new(), ended: OnceLock::new(), notebooks }
    }

    /// What every thread did since the last look, up to now or to the end of the search; and that moment, since
    /// the search began. All that was sent before it is there, and perhaps some of what was sent a moment later.
    pub fn look(&self) -> (Time, Vec<Notes>) {
        let now = self.begun.get().map_or(0, |begun| begun.elapsed().as_nanos() as Time);
        let ended = self.ended.get().copied();
        let until = ended.map_or(now, |ended| ended.min(now));
        let mut notes: Vec<Notes> =
            self.notebooks.iter().map(|notebook| notebook.tear_out(until)).collect();
        if ended.is_some() {
            notes.iter_mut().for_each(|notes| notes.cut(until));
        }
        (until, notes)
    }

    /// The search begins.
    pub(super) fn begin(&self, begun: Instant) {
        // A second search would be counted from the first one's begin.
        let _ = self.begun.set(begun);
    }

    /// The search is over for those who wait for it. Threads that have not noticed do not count any more.
    pub(super) fn end(&self, ended: Time) {
        let _ = self.ended.set(ended);
    }

    /// Where a thread writes; nowhere for one of another process.
    pub(super) fn notebook(&self, me: Peer) -> Option<&Notebook> {
        self.notebooks.get(me.index())
    }
}

impl Notes {
    fn cut(&mut self, end: Time) {
        self.segments.retain(|segment| segment.begin < end);
        self.segments.iter_mut().for_each(|segment| segment.end = segment.end.min(end));
        self.messages.retain(|sent| sent.time <= end);
    }
}

impl Notebook {
    fn page(&self) -> MutexGuard<'_, Page> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Until now, since the last note, the thread did this. Next it searches.
    pub fn note(&self, activity: Activity, now: Time, nodes: u64) {
        let mut page = self.page();
        page.close(activity, now);
        page.doing = Activity::Search;
        page.notes.nodes = nodes;
    }

    /// From now on the thread does this, perhaps for long.
    pub fn begin(&self, activity: Activity) {
        self.page().doing = activity;
    }

    /// The thread sends a message. The time is read under the lock: a look that comes later finds it.
    pub fn send(&self, from: Peer, to: Peer, message: &Message, now: impl FnOnce() -> Time) {
        let notes = &mut self.page().notes;
        if notes.messages.len() < ROOM {
            let kind = Message::KINDS[message.kind()];
            notes.messages.push(Sent { time: now(), from: from.0, to: to.0, kind });
        } else {
            notes.lost += 1;
        }
    }

    fn tear_out(&self, now: Time) -> Notes {
        let mut page = self.page();
        let doing = page.doing;
        page.close(doing, now);
        let nodes = page.notes.nodes;
        std::mem::replace(&mut page.notes, Notes { nodes, ..Notes::default() })
    }
}

impl Page {
    fn close(&mut self, activity: Activity, now: Time) {
        if now <= self.until {
            return;
        }
        let (begin, segments) = (std::mem::replace(&mut self.until, now), &mut self.notes.segments);
        let is_same = |last: &Segment| last.activity == activity && last.end == begin;
        if segments.len() < ROOM || segments.last().is_some_and(is_same) {
            Segment::push(segments, activity, begin, now);
        } else {
            self.notes.lost += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(activity: Activity, begin: Time, end: Time) -> Segment {
        Segment { activity, begin, end }
    }

    #[test]
    fn every_moment_is_noted_once_whenever_one_looks() {
        let watch = Watch::new(2);
        let notebook = watch.notebook(Peer(1)).expect("there are two");
        assert!(watch.notebook(Peer(2)).is_none());
        notebook.note(Activity::Search, 100, 10);
        notebook.note(Activity::Search, 200, 20);
        notebook.note(Activity::Message, 210, 20);
        notebook.begin(Activity::Wait);
        let first = notebook.tear_out(300);
        assert_eq!(
            first.segments,
            [
                segment(Activity::Search, 0, 200),
                segment(Activity::Message, 200, 210),
                segment(Activity::Wait, 210, 300),
            ]
        );
        assert_eq!((first.nodes, first.lost), (20, 0));
        // The thread read its clock before the look and comes to its notebook after it.
        notebook.note(Activity::Wait, 290, 20);
        notebook.note(Activity::Search, 400, 30);
        let second = notebook.tear_out(400);
        assert_eq!(second.segments, [segment(Activity::Search, 300, 400)]);
        assert_eq!(second.nodes, 30);
        let idle = watch.notebook(Peer(0)).expect("there are two").tear_out(400);
        assert_eq!(idle.segments, [segment(Activity::Idle, 0, 400)]);
    }

    #[test]
    fn what_is_noted_after_the_end_does_not_count() {
        let watch = Watch::new(1);
        watch.begin(Instant::now() - std::time::Duration::from_secs(1));
        let notebook = watch.notebook(Peer(0)).expect("there is one");
        notebook.note(Activity::Search, 100, 10);
        watch.end(150);
        notebook.note(Activity::Search, 200, 20);
        notebook.note(Activity::Message, 210, 20);
        let (until, notes) = watch.look();
        assert_eq!(
            (until, &notes[0].segments[..]),
            (150, &[segment(Activity::Search, 0, 150)][..])
        );
        assert_eq!(watch.look().1[0].segments, []);
    }

    #[test]
    fn what_finds_no_room_is_counted() {
        let watch = Watch::new(1);
        let notebook = watch.notebook(Peer(0)).expect("there is one");
        let message = Message::Refused { ticket: 1 };
        for time in 1..=ROOM as Time + 5 {
            let activity = if time % 2 == 0 { Activity::Search } else { Activity::Message };
            notebook.note(activity, time, time);
            notebook.send(Peer(0), Peer(1), &message, || time);
        }
        let notes = notebook.tear_out(0);
        assert_eq!((notes.segments.len(), notes.messages.len(), notes.lost), (ROOM, ROOM, 10));
        assert_eq!(notes.messages[0].kind, "refused");
        assert_eq!(notebook.tear_out(0).lost, 0);
    }
}
