//! What the phases ask of a transposition table.
//!
//! A search on one machine has a [`Table`] and nothing else. On many machines the table is spread over
//! them, and a look-up may be answered later, elsewhere, or never (Z33 to Z36): the phases do not know.

use crate::Depth;
use crate::node::Node;
use crate::switches::Switches;
use board::{History, Key};
use eval::score::Ply;
use table::{AnyTable, Entry, Policy, Probe, Slot, Table};

/// Who asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asker {
    /// The node's remaining depth.
    pub depth: Depth,
    /// Its distance from the root.
    pub ply: Ply,
    /// Whether something was found for the node above (Z35).
    pub parent_known: bool,
    /// Whether it is expected to be cut off.
    pub cut: bool,
}

/// A transposition table, wherever it lies.
pub trait Lookup {
    /// What is known about a position now, and where to store what will be known.
    fn probe(&mut self, key: Key, asker: Asker) -> Probe;

    /// Stores what is known about a position.
    fn store(&mut self, slot: Slot, entry: Entry);

    /// Says that a probe of this key will follow.
    fn prefetch(&self, key: Key);

    /// What is known about a position without asking elsewhere.
    fn peek(&self, key: Key) -> Option<Entry>;

    /// How full it is, in thousandths.
    fn hashfull(&self) -> u16;

    /// Whether the answer has to be fetched before the node can be entered (F13).
    #[inline(always)]
    fn must_wait(&mut self, _key: u64, _asker: Asker) -> bool {
        false
    }

    /// Something was found for the node above only now: asks elsewhere for a node under search, if that was not
    /// worth it before (Z35).
    #[inline(always)]
    fn ask_late(&mut self, _key: u64, _asker: Asker) {}

    /// Whether it has something to send.
    #[inline(always)]
    fn has_mail(&self) -> bool {
        false
    }

    /// Whether another processor is searching this child (ABDADA); if not, it is marked as taken.
    #[inline(always)]
    fn is_taken(&mut self, _child: u64) -> bool {
        false
    }

    /// A child that was marked is done.
    #[inline(always)]
    fn release(&mut self, _child: u64) {}
}

/// A table of this machine: nothing is asked elsewhere.
macro_rules! local_table {
    ([$($generics:tt)*] $table:ty, $store:ident) => {
        impl $($generics)* Lookup for &$table {
            #[inline(always)]
            fn probe(&mut self, key: Key, _: Asker) -> Probe {
                <$table>::probe(self, key)
            }

            #[inline(always)]
            fn store(&mut self, slot: Slot, entry: Entry) {
                <$table>::$store(self, slot, entry);
            }

            #[inline(always)]
            fn prefetch(&self, key: Key) {
                <$table>::prefetch(self, key);
            }

            #[inline(always)]
            fn peek(&self, key: Key) -> Option<Entry> {
                <$table>::probe(self, key).entry()
            }

            fn hashfull(&self) -> u16 {
                <$table>::hashfull(self)
            }
        }
    };
}

local_table!([<P: Policy>] Table<P>, store);
local_table!([] AnyTable, store_at);

impl<T: Lookup> Lookup for &mut T {
    #[inline(always)]
    fn probe(&mut self, key: Key, asker: Asker) -> Probe {
        (**self).probe(key, asker)
    }

    #[inline(always)]
    fn store(&mut self, slot: Slot, entry: Entry) {
        (**self).store(slot, entry);
    }

    #[inline(always)]
    fn prefetch(&self, key: Key) {
        (**self).prefetch(key);
    }

    #[inline(always)]
    fn peek(&self, key: Key) -> Option<Entry> {
        (**self).peek(key)
    }

    fn hashfull(&self) -> u16 {
        (**self).hashfull()
    }

    #[inline(always)]
    fn must_wait(&mut self, key: Key, asker: Asker) -> bool {
        (**self).must_wait(key, asker)
    }

    #[inline(always)]
    fn ask_late(&mut self, key: u64, asker: Asker) {
        (**self).ask_late(key, asker);
    }

    #[inline(always)]
    fn has_mail(&self) -> bool {
        (**self).has_mail()
    }

    #[inline(always)]
    fn is_taken(&mut self, child: u64) -> bool {
        (**self).is_taken(child)
    }

    #[inline(always)]
    fn release(&mut self, child: u64) {
        (**self).release(child);
    }
}

impl Node {
    /// The key under which the table knows it, where `len` positions lie before it: that of its position, and
    /// where histories count the earlier positions that a line below can repeat (D30).
    #[inline(always)]
    pub fn table_key(&self, switches: &Switches, history: &History, len: usize) -> u64 {
        let key = self.position.key();
        if switches.history_keys { key ^ self.past(history, len) } else { key }
    }

    /// A number for the earlier positions that a line below can repeat, in whatever order they came. Those
    /// inside the tree are draws when they come again, those of the game when they come twice.
    fn past(&self, history: &History, len: usize) -> u64 {
        let past = history.before(len, usize::from(self.position.halfmove_clock()));
        let game = past.len().saturating_sub((self.ply - 1).max(0) as usize);
        let mixed = past.iter().enumerate().map(|(place, &key)| {
            let key = if place < game { !key } else { key };
            key.rotate_left(29).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        });
        mixed.fold(0, u64::wrapping_add)
    }
}
