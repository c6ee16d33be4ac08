//! The transposition table of a simulated machine: shared, local, replicated, or spread over the
//! processors (Z33 to Z37, F13, D72).
//!
//! Spread out, a position's home is its key modulo the number of processors, and what is left of the
//! key chooses the place in the home's share. A processor reads from others either blocking (F13) or
//! going on at once, to begin anew when the answer names another move (Z34). What is written travels
//! as a message, and the owner decides whether it displaces what is there.

use crate::Peer;
use crate::sharing::{TableKind, TableSettings, home};
use board::Key;
use search::{Asker, Lookup};
use std::cell::RefCell;
use std::collections::BTreeMap;
use table::{Entry, Probe, Slot, Table, TableError, TwoDeep};

/// What table parts say to each other.
#[derive(Clone, PartialEq, Debug)]
pub enum TableMessage {
    /// "What do you know?" (READ)
    Read(u64),
    /// "This." (ANSWER)
    Answer(u64, Option<Entry>),
    /// "Know this." (WRITE)
    Write(u64, Entry),
    /// "Know these." (Z44)
    Bundle(Vec<(u64, Entry)>),
    /// The same as a part of another message, which has a header and is paid for.
    Riders(Vec<(u64, Entry)>),
}

impl TableMessage {
    /// Names of the kinds, by [`TableMessage::kind`].
    pub const KINDS: [&'static str; 4] = ["read", "answer", "write", "bundle"];

    /// The number of its kind.
    pub fn kind(&self) -> usize {
        match self {
            TableMessage::Read(_) => 0,
            TableMessage::Answer(..) => 1,
            TableMessage::Write(..) => 2,
            TableMessage::Bundle(_) | TableMessage::Riders(_) => 3,
        }
    }

    /// How many bytes it takes on a wire.
    pub fn bytes(&self) -> usize {
        match self {
            TableMessage::Read(_) => 16,
            TableMessage::Answer(..) | TableMessage::Write(..) => 24,
            TableMessage::Bundle(writes) => 8 + 16 * writes.len(),
            TableMessage::Riders(writes) => 16 * writes.len(),
        }
    }
}

/// Marks of children under search (ABDADA).
const MARKS: usize = 1 << 16;

/// All parts of the table.
pub struct Tables {
    settings: TableSettings,
    parts: Vec<Table<TwoDeep>>,
    caches: Vec<Table<TwoDeep>>,
    marks: RefCell<Vec<u64>>,
    peers: u64,
}

impl Tables {
    /// Empty, for `peers` processors.
    pub fn new(settings: TableSettings, peers: u32) -> Result<Tables, TableError> {
        let (parts, size) = match settings.kind {
            TableKind::Shared => (1, settings.kilobytes),
            _ => (peers, settings.kilobytes / u64::from(peers.max(1))),
        };
        let apart = settings.kind.is_apart();
        let caches = if apart && settings.cache_kilobytes > 0 && peers > 1 { peers } else { 0 };
        let make = |size| move |_| Table::with_kilobytes(size);
        Ok(Tables {
            settings,
            parts: (0..parts).map(make(size)).collect::<Result<_, _>>()?,
            caches: (0..caches).map(make(settings.cache_kilobytes)).collect::<Result<_, _>>()?,
            marks: RefCell::new(vec![0; MARKS]),
            peers: u64::from(peers.max(1)),
        })
    }

    /// The choices.
    pub fn settings(&self) -> &TableSettings {
        &self.settings
    }

    /// The part of one processor.
    fn part(&self, who: usize) -> &Table<TwoDeep> {
        match self.settings.kind {
            TableKind::Shared => &self.parts[0],
            _ => &self.parts[who],
        }
    }

    fn is_apart(&self) -> bool {
        self.settings.kind.is_apart()
    }

    /// Whose position it is, if the table is spread out.
    fn home(&self, key: Key) -> usize {
        home(key, self.peers) as usize
    }

    /// The key by which a part knows a position (Z33).
    fn inner(&self, key: Key) -> u64 {
        // Where states live with the home of their key, those at a home have the rest in common.
        let apart = self.is_apart() || self.settings.kind == TableKind::Local;
        if apart { key / self.peers } else { key }
    }

    /// What a processor's own part knows.
    pub fn own(&self, who: usize, key: Key) -> Option<Entry> {
        self.part(who).probe(self.inner(key)).entry()
    }

    /// Puts something into a processor's own part.
    pub fn put(&self, who: usize, key: Key, entry: Entry) {
        let part = self.part(who);
        part.store(part.slot(self.inner(key)), entry);
    }
}

/// The table as one processor sees it.
pub struct TableView<'a> {
    /// All parts.
    pub tables: &'a Tables,
    /// Whose view it is.
    pub me: usize,
    /// Messages to be sent.
    pub outbox: Vec<(Peer, TableMessage)>,
    /// An answer that has come.
    pub ready: Option<(u64, Option<Entry>)>,
}

impl<'a> TableView<'a> {
    /// The view of a processor that waits for nothing.
    pub fn new(tables: &'a Tables, me: usize) -> TableView<'a> {
        TableView { tables, me, outbox: Vec::new(), ready: None }
    }

    /// Keeps what was answered, if there is a cache.
    pub fn keep(&self, key: Key, entry: Entry) {
        if let Some(cache) = self.tables.caches.get(self.me) {
            cache.store(cache.slot(key), entry);
        }
    }

    fn ask(&mut self, key: Key) {
        let home = Peer(self.tables.home(key) as u32);
        self.outbox.push((home, TableMessage::Read(key)));
    }

    fn known_here(&self, key: Key) -> Option<Entry> {
        let tables = self.tables;
        if !tables.is_apart() || tables.home(key) == self.me {
            return tables.own(self.me, key);
        }
        tables.caches.get(self.me).and_then(|cache| cache.probe(key).entry())
    }

    /// Whether another processor is worth a message (Z35).
    fn asks_elsewhere(&self, key: Key, asker: Asker) -> bool {
        let settings = &self.tables.settings;
        self.tables.is_apart() && self.tables.home(key) != self.me && settings.asks(asker)
    }
}

impl Lookup for TableView<'_> {
    #[inline]
    fn probe(&mut self, key: Key, asker: Asker) -> Probe {
        let slot = self.tables.part(self.me).slot(key);
        let found = match self.ready {
            Some((ready, entry)) if ready == key => {
                self.ready = None;
                entry.or_else(|| self.known_here(key))
            }
            _ => {
                let found = self.known_here(key);
                let enough = found.is_some_and(|entry| i32::from(entry.depth) >= asker.depth);
                if !enough && self.asks_elsewhere(key, asker) {
                    self.ask(key);
                }
                found
            }
        };
        match found {
            Some(entry) => Probe::Hit(entry, slot),
            None => Probe::Miss(slot),
        }
    }

    #[inline]
    fn store(&mut self, slot: Slot, entry: Entry) {
        let (tables, key) = (self.tables, slot.key());
        let deep = tables.settings.tells(&entry);
        if !tables.is_apart() || tables.home(key) == self.me {
            tables.put(self.me, key, entry);
        } else {
            if let Some(cache) = tables.caches.get(self.me) {
                cache.store(cache.slot(key), entry);
            }
            if deep {
                self.outbox.push((Peer(tables.home(key) as u32), TableMessage::Write(key, entry)));
            }
        }
        if tables.settings.kind == TableKind::Replicated && deep {
            let others = (0..tables.peers as u32).filter(|&peer| peer as usize != self.me);
            self.outbox.extend(others.map(|peer| (Peer(peer), TableMessage::Write(key, entry))));
        }
    }

    #[inline]
    fn prefetch(&self, key: Key) {
        let tables = self.tables;
        if !tables.is_apart() || tables.home(key) == self.me {
            tables.part(self.me).prefetch(tables.inner(key));
        } else if let Some(cache) = tables.caches.get(self.me) {
            cache.prefetch(key);
        }
    }

    fn peek(&self, key: Key) -> Option<Entry> {
        self.known_here(key)
    }

    fn hashfull(&self) -> u16 {
        self.tables.part(self.me).hashfull()
    }

    #[inline]
    fn must_wait(&mut self, key: Key, asker: Asker) -> bool {
        self.tables.settings.kind == TableKind::Blocking
            && self.ready.is_none_or(|(ready, _)| ready != key)
            && self.asks_elsewhere(key, asker)
            && self.known_here(key).is_none_or(|entry| i32::from(entry.depth) < asker.depth)
    }

    fn ask_late(&mut self, key: u64, asker: Asker) {
        let settings = &self.tables.settings;
        if settings.read_below_known && settings.late_reads && self.asks_elsewhere(key, asker) {
            self.ask(key);
        }
    }

    #[inline]
    fn has_mail(&self) -> bool {
        !self.outbox.is_empty()
    }

    fn is_taken(&mut self, child: u64) -> bool {
        let mut marks = self.tables.marks.borrow_mut();
        let mark = &mut marks[(child >> 48) as usize % MARKS];
        let taken = *mark == child;
        if *mark == 0 {
            *mark = child;
        }
        taken
    }

    fn release(&mut self, child: u64) {
        let mut marks = self.tables.marks.borrow_mut();
        let mark = &mut marks[(child >> 48) as usize % MARKS];
        if *mark == child {
            *mark = 0;
        }
    }
}

/// The writes of one processor that wait for company (Z44).
///
/// What is written to one home need not be there at once: no search waits for it. So several writes go as one
/// message, which costs its sender and its receiver as much as one alone. A deep entry is worth more than
/// its message and takes along those that wait; and whatever else goes to the same home takes them along
/// for their bytes. Without that few would meet among many homes, and most would never arrive.
pub(super) struct Bundles {
    size: usize,
    /// From this depth on an entry goes at once.
    urgent: i32,
    waiting: BTreeMap<Peer, Vec<(u64, Entry)>>,
}

impl Bundles {
    /// None yet; `size` of them go together.
    pub fn new(size: u32, urgent: i32) -> Bundles {
        Bundles { size: size.max(1) as usize, urgent, waiting: BTreeMap::new() }
    }

    /// What is to be sent when a message is posted; nothing if it waits.
    pub fn add(&mut self, to: Peer, message: TableMessage) -> Option<TableMessage> {
        let TableMessage::Write(key, entry) = message else { return Some(message) };
        if self.size == 1 {
            return Some(message);
        }
        let waiting = self.waiting.entry(to).or_default();
        waiting.push((key, entry));
        let full = waiting.len() >= self.size || i32::from(entry.depth) >= self.urgent;
        full.then(|| TableMessage::Bundle(std::mem::take(waiting)))
    }

    /// The writes that ride along with another message to a home, if any wait for one.
    pub fn riders(&mut self, to: Peer) -> Option<TableMessage> {
        let waiting = self.waiting.get_mut(&to).filter(|waiting| !waiting.is_empty())?;
        Some(TableMessage::Riders(std::mem::take(waiting)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use board::Move;
    use table::Bound;

    fn write(key: u64, depth: i16) -> TableMessage {
        let bound = Bound::Lower;
        TableMessage::Write(
            key,
            Entry { mv: Move::NONE, score: 1, eval: None, depth, bound, pv: false },
        )
    }

    #[test]
    fn z44_writes_go_together_and_deep_ones_take_them_along() {
        let mut bundles = Bundles::new(3, 6);
        let keys = |message| match message {
            Some(TableMessage::Bundle(writes)) => {
                writes.into_iter().map(|(key, _)| key).collect::<Vec<u64>>()
            }
            Some(_) => vec![0],
            None => Vec::new(),
        };
        let (one, two) = (Peer(1), Peer(2));
        assert_eq!(keys(bundles.add(one, write(1, 2))), [0; 0]);
        assert_eq!(keys(bundles.add(two, write(2, 2))), [0; 0]);
        assert_eq!(keys(bundles.add(one, write(3, 2))), [0; 0]);
        assert_eq!(keys(bundles.add(one, write(4, 2))), [1, 3, 4]);
        assert_eq!(keys(bundles.add(two, write(5, 6))), [2, 5]);
        assert_eq!(bundles.riders(two), None, "all have gone");
        assert_eq!(keys(bundles.add(two, write(8, 2))), [0; 0]);
        assert!(
            matches!(bundles.riders(two), Some(TableMessage::Riders(writes)) if writes.len() == 1)
        );
        assert_eq!(keys(bundles.add(two, TableMessage::Read(6))), [0], "a question goes at once");
        assert_eq!(keys(Bundles::new(1, 6).add(one, write(7, 2))), [0], "one alone is a write");
    }

    #[test]
    fn z33_the_positions_of_a_home_use_all_of_its_table() {
        let kind = TableKind::Asynchronous;
        let settings = TableSettings { kind, kilobytes: 64 * 16, ..TableSettings::default() };
        let tables = Tables::new(settings, 64).expect("a megabyte is there");
        let keys = (1..=200u64).map(|number| number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let keys: Vec<u64> = keys.map(|key| key & !63 | 5).collect();
        let entry = Entry {
            mv: Move::NONE,
            score: 1,
            eval: None,
            depth: 3,
            bound: Bound::Lower,
            pv: false,
        };
        keys.iter().for_each(|&key| tables.put(tables.home(key), key, entry));
        // The lowest six bits are the same in all of them: by these they would share a few places.
        let found = keys.iter().filter(|&&key| tables.own(5, key).is_some()).count();
        assert!(found > 150, "{found} of 200 in a table of a thousand places");
        assert_eq!(tables.own(6, keys[0]), None, "another processor knows nothing of it");
    }
}
