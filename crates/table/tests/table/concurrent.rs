//! Threads that hammer one table never see an entry of another position.

use crate::common::{SplitMix, belongs_to, entry_of, key};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use table::{Bucketed, Direct, Entry, Policy, Probe, Table, TwoDeep};

const THREADS: u64 = 4;
const STEPS: u64 = 2_000_000;

/// All threads probe and store the same eight positions, which share one slot. Everything is made
/// beforehand, so that the threads do nothing but collide: without the content in the lock, this fails
/// in most runs on two CPUs.
fn hammer<P: Policy>() {
    let table = Table::<P>::new(1).unwrap();
    let positions: Vec<(u64, Vec<Entry>)> = (0..8)
        .map(|id| key(0, id))
        .map(|key| (key, (0..16).map(|version| entry_of(key, version, 5)).collect()))
        .collect();
    let hits = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let (table, positions, hits) = (&table, &positions, &hits);
            scope.spawn(move || {
                let mut random = SplitMix(thread);
                let mut found = 0;
                for step in 0..STEPS {
                    let number = random.next() as usize;
                    let (key, entries) = &positions[number % 8];
                    let probe = table.probe(*key);
                    if let Probe::Hit(entry, _) = probe {
                        let version = usize::from(entry.mv.bits()) - 1;
                        assert_eq!(entries.get(version), Some(&entry), "{key:x}");
                        found += 1;
                    }
                    table.store(probe.slot(), entries[number / 8 % 16]);
                    if thread == 0 && step % 10_000 == 0 {
                        table.new_search();
                    }
                }
                hits.fetch_add(found, Relaxed);
            });
        }
    });
    // The test would show nothing if nothing were ever found.
    assert!(hits.into_inner() > THREADS * STEPS / 100);
}

#[test]
fn four_threads_never_see_an_entry_of_another_position() {
    // One after the other, so that the threads of one table have the CPUs for themselves.
    hammer::<Bucketed>();
    hammer::<TwoDeep>();
    hammer::<Direct>();
}

#[test]
fn a_table_is_cleared_and_saved_while_others_use_it() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("while-in-use.table");
    let table = Table::<Bucketed>::new(1).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut random = SplitMix(1);
            for _ in 0..STEPS / 4 {
                let key = key(random.below(8), random.below(40));
                let probe = table.probe(key);
                assert!(probe.entry().is_none_or(|entry| belongs_to(entry, key)));
                table.store(probe.slot(), entry_of(key, random.below(200), 5));
            }
        });
        for threads in 1..5 {
            table.clear(threads);
            table.save(&path, 0, |_, _| {}).unwrap();
        }
    });
    let mut loaded = Table::<Bucketed>::new(1).unwrap();
    loaded.load(&path, 0, |_, _| {}).unwrap();
    for slot in 0..8 {
        for key in (0..40).map(|id| key(slot, id)) {
            assert!(loaded.probe(key).entry().is_none_or(|entry| belongs_to(entry, key)));
        }
    }
}
