//! The table as a thread of one process among others sees it (Z33 to Z36, F13).
//!
//! Each process has a table. Replicated, all are told what one stores. Spread out, a position has a home,
//! the process that its key names: what is stored is told to the home, and where one's own table does not
//! know enough the home is asked. The thread waits for the answer (blocking), or goes on, and begins the
//! node anew when the answer decides it or names another move (asynchronous). One's own table keeps what
//! was found here and what was answered, wherever its home is. An answer that does not come in time, from a
//! process that is lost, is a miss.

use super::pump::Remote;
use super::uplink::{Known, Packet, Word};
use crate::sharing::home;
use crate::{Peer, TableKind, TableSettings};
use board::Key;
use search::Asker;
use table::{Entry, Probe};

/// What one thread has to tell and to ask.
pub(super) struct RemoteTable<'a> {
    remote: &'a Remote,
    /// Who asks.
    me: Peer,
    settings: TableSettings,
    /// Entries to be told, by home; all in the first list where there is none.
    writes: Vec<Vec<Known>>,
    /// Keys to be asked for, by home.
    reads: Vec<Vec<Word>>,
    /// The answer for the node that is entered next.
    ready: Option<(u64, Option<Entry>)>,
    /// Whether others may be asked: a search in idle search does without.
    pub asks: bool,
    /// Questions.
    pub asked: u64,
}

impl<'a> RemoteTable<'a> {
    pub fn new(remote: &'a Remote, me: Peer) -> RemoteTable<'a> {
        let settings = remote.distance.table;
        let lists = if settings.kind.is_apart() { remote.place.processes as usize } else { 1 };
        RemoteTable {
            remote,
            me,
            settings,
            writes: vec![Vec::new(); lists],
            reads: vec![Vec::new(); lists],
            ready: None,
            asks: true,
            asked: 0,
        }
    }

    /// Whose position it is: by bits of the key that do not choose the place in a table.
    fn home(&self, key: Key) -> u32 {
        home(key >> 32, u64::from(self.remote.place.processes)) as u32
    }

    /// Something was stored here.
    #[inline(always)]
    pub fn tell(&mut self, key: Key, entry: Entry) {
        if self.settings.tells(&entry) {
            self.write(key, entry);
        }
    }

    #[inline(never)]
    fn write(&mut self, key: Key, entry: Entry) {
        let list = match self.settings.kind {
            TableKind::Replicated | TableKind::Shared => 0,
            TableKind::Blocking | TableKind::Asynchronous => {
                let home = self.home(key);
                if home == self.remote.place.process {
                    return;
                }
                home as usize
            }
            TableKind::Local => return,
        };
        let Some(writes) = self.writes.get_mut(list) else { return };
        writes.push(Known::new(key, Some(entry)));
        if writes.len() >= self.settings.batch as usize {
            self.flush_writes(list);
        }
    }

    fn flush_writes(&mut self, list: usize) {
        let Some(writes) = self.writes.get_mut(list).filter(|writes| !writes.is_empty()) else {
            return;
        };
        let entries = Packet::Entries(std::mem::take(writes));
        writes.reserve(self.settings.batch as usize);
        match self.settings.kind.is_apart() {
            true => self.remote.uplink.send(list as u32, &entries),
            false => self.remote.uplink.send_to_all(&entries),
        }
    }

    /// Lets go what has been found so far: those who hear of a result may want to know what it rests on.
    pub fn flush(&mut self) {
        (0..self.writes.len()).for_each(|list| self.flush_writes(list));
    }

    /// Lets go what is to be asked; whether there was something.
    pub fn flush_reads(&mut self) -> bool {
        let mut any = false;
        for (process, keys) in (0..).zip(&mut self.reads) {
            if !keys.is_empty() {
                let keys = std::mem::take(keys);
                self.remote.uplink.send(process, &Packet::Reads { asker: self.me, keys });
                any = true;
            }
        }
        any
    }

    /// Whether the home of a position is worth a question, where this is known here.
    fn asks_home(&self, key: Key, asker: Asker, known: Option<Entry>) -> bool {
        let home = self.home(key);
        self.asks
            && self.settings.asks(asker)
            && known.is_none_or(|entry| i32::from(entry.depth) < asker.depth)
            && home != self.remote.place.process
            && !self.remote.uplink.is_lost(home)
    }

    /// What is known about a position beyond what is known here; asks for it, where no thread waits for it.
    #[inline(always)]
    pub fn probe(&mut self, key: Key, asker: Asker, here: Probe) -> Probe {
        match self.settings.kind.is_apart() {
            true => self.probe_apart(key, asker, here),
            false => here,
        }
    }

    #[inline(never)]
    fn probe_apart(&mut self, key: Key, asker: Asker, here: Probe) -> Probe {
        match self.ready {
            Some((ready, entry)) if ready == key => {
                self.ready = None;
                match (entry, here) {
                    (Some(entry), Probe::Hit(_, slot) | Probe::Miss(slot)) => {
                        Probe::Hit(entry, slot)
                    }
                    (None, here) => here,
                }
            }
            _ => {
                let asks = self.settings.kind == TableKind::Asynchronous;
                if asks && self.asks_home(key, asker, here.entry()) {
                    self.ask(key);
                }
                here
            }
        }
    }

    /// Whether a node is not to be entered before its home has answered (F13).
    #[inline(always)]
    pub fn must_wait(&self, key: Key, asker: Asker, known: impl FnOnce() -> Option<Entry>) -> bool {
        self.settings.kind == TableKind::Blocking
            && self.settings.asks(asker)
            && self.ready.is_none_or(|(ready, _)| ready != key)
            && self.asks_home(key, asker, known())
    }

    /// Asks the home of a position.
    pub fn ask(&mut self, key: Key) {
        let home = self.home(key) as usize;
        if let Some(keys) = self.reads.get_mut(home) {
            keys.push(Word(key));
            self.asked += 1;
        }
    }

    /// The node of this key is to be entered with this answer.
    pub fn answer(&mut self, key: Key, entry: Option<Entry>) {
        self.ready = Some((key, entry));
    }

    /// Whether threads wait for answers.
    pub fn is_blocking(&self) -> bool {
        self.settings.kind == TableKind::Blocking
    }
}
