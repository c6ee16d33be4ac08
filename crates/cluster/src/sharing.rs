//! How the processes share their tables, as they are told.

use crate::Link;
use parallel::TableKind;
use std::sync::atomic::Ordering::Relaxed;

/// The kinds that processes can follow, the usual one first. Shared means one table for the processes of a
/// host, and what is told between hosts as when it is replicated.
pub const TABLES: [TableKind; 5] = [
    TableKind::Shared,
    TableKind::Replicated,
    TableKind::Blocking,
    TableKind::Asynchronous,
    TableKind::Local,
];

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
        TABLES.get(self.table.load(Relaxed)).copied().unwrap_or(TABLES[0])
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
