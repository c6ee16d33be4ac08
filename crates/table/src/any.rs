//! A table whose policy is chosen at run time.

use board::Key;
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

/// Methods of [`Table`] that a table of any policy has too.
macro_rules! forward {
    ($($(#[$inline:meta])? $name:ident $as:ident($($argument:ident: $kind:ty),*) $(-> $output:ty)?;)*) => {$(
        #[doc = concat!("See [`Table::", stringify!($name), "`].")]
        $(#[$inline])?
        pub fn $as(&self, $($argument: $kind),*) $(-> $output)? {
            each!(self, table => table.$name($($argument),*))
        }
    )*};
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

    forward! {
        is_in_common is_in_common() -> bool;
        is_borrowed is_borrowed() -> bool;
        policy policy() -> PolicyKind;
        bytes bytes() -> u64;
        capacity capacity() -> u64;
        clear clear(threads: usize);
        touch touch(threads: usize);
        touch_from touch_from(threads: usize, begin: impl Fn(usize) + Sync);
        new_search new_search();
        hashfull hashfull() -> u16;
        #[inline] probe probe(key: Key) -> Probe;
        #[inline] store store_at(slot: Slot, entry: Entry);
        #[inline] prefetch prefetch(key: Key);
    }

    /// See [`Table::resize`].
    pub fn resize(&mut self, megabytes: u64) -> Result<(), TableError> {
        each!(self, table => table.resize(megabytes))
    }

    /// Stores what is known about a position from outside a search; see [`Table::store`].
    pub fn store(&self, key: Key, entry: Entry) {
        each!(self, table => table.store(table.slot(key), entry));
    }

    /// What is known about a position; see [`Table::probe`].
    pub fn entry(&self, key: Key) -> Option<Entry> {
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
