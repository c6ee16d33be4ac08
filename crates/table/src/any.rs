//! A table whose policy is chosen at run time.

use std::path::Path;

use crate::policy::PolicyKind;
use crate::{Bucketed, Common, Direct, Entry, Probe, Slot, Table, TableError, TwoDeep};

/// A table of any policy. `modern` is compiled for the policy of its table; the papers' profiles can
/// spare a branch at each probe.
#[derive(Debug)]
pub enum AnyTable {
    /// With lines of five and aging.
    Bucketed(Table<Bucketed>),
    /// With two positions per slot.
    TwoDeep(Table<TwoDeep>),
    /// With one position per slot.
    Direct(Table<Direct>),
}

/// The same for a table of each policy.
macro_rules! each {
    ($any:expr, $table:ident => $body:expr) => {
        match $any {
            AnyTable::Bucketed($table) => $body,
            AnyTable::TwoDeep($table) => $body,
            AnyTable::Direct($table) => $body,
        }
    };
}

impl AnyTable {
    /// See [`Table::new`].
    pub fn new(policy: PolicyKind, megabytes: u64) -> Result<AnyTable, TableError> {
        Ok(match policy {
            PolicyKind::Bucketed => AnyTable::Bucketed(Table::new(megabytes)?),
            PolicyKind::TwoDeep => AnyTable::TwoDeep(Table::new(megabytes)?),
            PolicyKind::Direct => AnyTable::Direct(Table::new(megabytes)?),
        })
    }

    /// See [`Table::in_common`].
    pub fn in_common(
        policy: PolicyKind,
        megabytes: u64,
        common: Common<'_>,
    ) -> Result<AnyTable, TableError> {
        Ok(match policy {
            PolicyKind::Bucketed => AnyTable::Bucketed(Table::in_common(megabytes, common)?),
            PolicyKind::TwoDeep => AnyTable::TwoDeep(Table::in_common(megabytes, common)?),
            PolicyKind::Direct => AnyTable::Direct(Table::in_common(megabytes, common)?),
        })
    }

    /// See [`Table::is_in_common`].
    pub fn is_in_common(&self) -> bool {
        each!(self, table => table.is_in_common())
    }

    /// See [`Table::is_borrowed`].
    pub fn is_borrowed(&self) -> bool {
        each!(self, table => table.is_borrowed())
    }

    /// See [`Table::resize`].
    pub fn resize(&mut self, megabytes: u64) -> Result<(), TableError> {
        each!(self, table => table.resize(megabytes))
    }

    /// See [`Table::policy`].
    pub fn policy(&self) -> PolicyKind {
        each!(self, table => table.policy())
    }

    /// See [`Table::bytes`].
    pub fn bytes(&self) -> u64 {
        each!(self, table => table.bytes())
    }

    /// See [`Table::capacity`].
    pub fn capacity(&self) -> u64 {
        each!(self, table => table.capacity())
    }

    /// See [`Table::clear`].
    pub fn clear(&self, threads: usize) {
        each!(self, table => table.clear(threads))
    }

    /// See [`Table::touch`].
    pub fn touch(&self, threads: usize) {
        each!(self, table => table.touch(threads))
    }

    /// See [`Table::new_search`].
    pub fn new_search(&self) {
        each!(self, table => table.new_search())
    }

    /// Stores what is known about a position from outside a search; see [`Table::store`].
    pub fn store(&self, key: u64, entry: Entry) {
        each!(self, table => table.store(table.slot(key), entry));
    }

    /// See [`Table::probe`].
    #[inline]
    pub fn probe(&self, key: u64) -> Probe {
        each!(self, table => table.probe(key))
    }

    /// See [`Table::store`].
    #[inline]
    pub fn store_at(&self, slot: Slot, entry: Entry) {
        each!(self, table => table.store(slot, entry));
    }

    /// See [`Table::prefetch`].
    #[inline]
    pub fn prefetch(&self, key: u64) {
        each!(self, table => table.prefetch(key));
    }

    /// What is known about a position; see [`Table::probe`].
    pub fn entry(&self, key: u64) -> Option<Entry> {
        each!(self, table => table.probe(key).entry())
    }

    /// Takes over what a table of the same policy and size holds; from another nothing.
    pub fn copy_from(&self, other: &AnyTable) {
        match (self, other) {
            (AnyTable::Bucketed(own), AnyTable::Bucketed(other)) => own.copy_from(other),
            (AnyTable::TwoDeep(own), AnyTable::TwoDeep(other)) => own.copy_from(other),
            (AnyTable::Direct(own), AnyTable::Direct(other)) => own.copy_from(other),
            _ => (),
        }
    }

    /// See [`Table::hashfull`].
    pub fn hashfull(&self) -> u16 {
        each!(self, table => table.hashfull())
    }

    /// See [`Table::save`].
    pub fn save(
        &self,
        path: &Path,
        stamp: u64,
        progress: impl FnMut(u64, u64),
    ) -> Result<(), TableError> {
        each!(self, table => table.save(path, stamp, progress))
    }

    /// See [`Table::load`].
    pub fn load(
        &mut self,
        path: &Path,
        stamp: u64,
        progress: impl FnMut(u64, u64),
    ) -> Result<(), TableError> {
        each!(self, table => table.load(path, stamp, progress))
    }
}
