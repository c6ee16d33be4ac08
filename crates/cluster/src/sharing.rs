//! How the processes share their tables, as they are told.

use crate::Link;
use parallel::TableKind;
use std::sync::atomic::Ordering::Relaxed;

/// The kinds that processes can follow: they have no memory in common.
pub const TABLES: [TableKind; 4] =
    [TableKind::Replicated, TableKind::Blocking, TableKind::Asynchronous, TableKind::Local];

/// The place of the usual one.
pub(crate) const REPLICATED: usize = 0;

/// The kind of a name, among those that processes can follow.
pub fn read_table(text: &str) -> Result<TableKind, String> {
    TABLES.into_iter().find(|kind| kind.name() == text).ok_or_else(|| {
        let names = TABLES.map(TableKind::name).join(", ");
        format!("processes share their tables in one of these ways: {names}; not {text:?}")
    })
}

impl Link {
    /// How the processes share their tables.
    pub fn table(&self) -> TableKind {
        TABLES.get(self.table.load(Relaxed)).copied().unwrap_or(TableKind::Replicated)
    }

    /// Changes it here; what cannot be followed is passed over.
    pub(crate) fn set_table(&self, kind: TableKind) {
        if let Some(place) = TABLES.iter().position(|known| *known == kind) {
            self.table.store(place, Relaxed);
        }
    }

    /// Changes it for all, from the next search on.
    pub fn share_table(&self, kind: TableKind) {
        self.set_table(kind);
        if self.is_first() {
            self.order(&format!("link table {kind}"));
        }
    }
}
