//! How processors or processes that have no memory in common share a table (Z33 to Z37, F13): the kinds, and
//! the filters that decide what is worth a message. The simulated machine and the cluster follow the same.

use search::Asker;
use table::Entry;

/// How the processors share what they know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableKind {
    /// One for all, as fast as one's own: an ideal.
    Shared,
    /// Everybody knows only what he found himself (F14).
    Local,
    /// Everybody has a whole one, and tells all others what he stores.
    Replicated,
    /// Spread out; a reader waits for the answer (F13).
    Blocking,
    /// Spread out; a reader goes on and begins anew if need be (Z34).
    Asynchronous,
}

impl TableKind {
    /// All of them.
    pub const ALL: [TableKind; 5] = [
        TableKind::Shared,
        TableKind::Local,
        TableKind::Replicated,
        TableKind::Blocking,
        TableKind::Asynchronous,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            TableKind::Shared => "shared",
            TableKind::Local => "local",
            TableKind::Replicated => "replicated",
            TableKind::Blocking => "blocking",
            TableKind::Asynchronous => "asynchronous",
        }
    }

    /// Whether it is spread out: every position has a home.
    pub const fn is_apart(self) -> bool {
        matches!(self, TableKind::Blocking | TableKind::Asynchronous)
    }

    /// Whether nobody sends messages about it.
    pub const fn is_silent(self) -> bool {
        matches!(self, TableKind::Shared | TableKind::Local)
    }
}

impl std::fmt::Display for TableKind {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(self.name())
    }
}

impl std::str::FromStr for TableKind {
    type Err = String;

    fn from_str(text: &str) -> Result<TableKind, String> {
        TableKind::ALL.into_iter().find(|kind| kind.name() == text).ok_or_else(|| {
            let names: Vec<&str> = TableKind::ALL.into_iter().map(TableKind::name).collect();
            format!("no table is called {text:?}; there are {}", names.join(", "))
        })
    }
}

/// The choices of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableSettings {
    /// How it is shared.
    pub kind: TableKind,
    /// Kilobytes of all processors together.
    pub kilobytes: u64,
    /// Others are asked only at nodes of at least this depth.
    pub read_from: i32,
    /// Others are asked only at the root and below nodes for which something was found (Z35).
    pub read_below_known: bool,
    /// Others are told only of nodes of at least this depth (Z36: 2).
    pub write_from: i32,
    /// Writes to one home that are sent together (Z44).
    pub batch: u32,
    /// Kilobytes in which each keeps what it knows about positions that live elsewhere; 0 for none.
    pub cache_kilobytes: u64,
}

impl Default for TableSettings {
    fn default() -> TableSettings {
        TableSettings {
            kind: TableKind::Shared,
            kilobytes: 64 << 10,
            read_from: 2,
            read_below_known: false,
            write_from: 2,
            batch: 1,
            cache_kilobytes: 0,
        }
    }
}

impl TableSettings {
    /// Whether a node is worth a question to the home of its position (Z35).
    #[inline]
    pub fn asks(&self, asker: Asker) -> bool {
        let known = !self.read_below_known || asker.ply == 0 || asker.father_known;
        asker.depth >= self.read_from && known
    }

    /// Whether others are told of an entry (Z36).
    #[inline]
    pub fn tells(&self, entry: &Entry) -> bool {
        i32::from(entry.depth) >= self.write_from
    }
}

/// Whose position it is among so many, where the table is spread out (Z33).
#[inline]
pub fn home(key: u64, owners: u64) -> u64 {
    key % owners.max(1)
}
