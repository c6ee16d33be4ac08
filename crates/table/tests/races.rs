//! Threads at one small table, few enough steps for Miri: `cargo xtask miri` runs this file under an
//! interpreter that knows the memory model and notices every undefined behaviour. The tests of usual size
//! are in `tests/table/concurrent.rs`.

use board::Move;
use std::thread;
use table::{Bound, Bucketed, Direct, Entry, Policy, Table, TableError, TwoDeep};

const KEYS: u64 = 24;

/// An entry that says which key it belongs to.
fn entry_of(key: u64) -> Entry {
    let score = (key % 1_000) as i16;
    Entry { mv: Move::NONE, score, eval: Some(-score), depth: 5, bound: Bound::Exact, pv: false }
}

/// Keys that share few lines, and differ in their locks.
fn key(number: u64) -> u64 {
    (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Two who write and read, and one who clears meanwhile.
fn crowd<P: Policy>() -> Result<(), TableError> {
    let mut table = Table::<P>::with_entries(20)?;
    thread::scope(|scope| {
        for offset in 0..2 {
            let table = &table;
            scope.spawn(move || {
                for step in 0..KEYS {
                    let key = key((step + offset * 7) % KEYS);
                    let probe = table.probe(key);
                    if let Some(entry) = probe.entry() {
                        assert_eq!(entry, entry_of(key));
                    }
                    table.prefetch(key);
                    table.store(probe.slot(), entry_of(key));
                }
            });
        }
        scope.spawn(|| {
            table.new_search();
            table.clear(2);
        });
    });
    let known = (0..KEYS).filter(|&number| table.probe(key(number)).entry().is_some()).count();
    assert!(known <= KEYS as usize);
    table.resize(1)?;
    assert_eq!(table.probe(key(0)).entry(), None);
    Ok(())
}

#[test]
fn threads_at_a_bucketed_table_find_their_own_entries_or_none() -> Result<(), TableError> {
    crowd::<Bucketed>()
}

#[test]
fn threads_at_the_tables_of_the_papers_find_their_own_entries_or_none() -> Result<(), TableError> {
    crowd::<TwoDeep>()?;
    crowd::<Direct>()
}
