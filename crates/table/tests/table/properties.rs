//! What was stored is found again or was displaced by the policy's rule; sizes, clearing, ages.

use crate::common::{SplitMix, entry_of, key};
use proptest::prelude::*;
use std::collections::HashMap;
use table::{
    AnyTable, Bucketed, Direct, Entry, Policy, PolicyKind, Probe, Table, TableError, TwoDeep,
};

/// One store: slot, position, version of its entry, depth.
type Store = (u64, u64, u64, i16);

fn stores() -> impl Strategy<Value = Vec<Store>> {
    prop::collection::vec((0u64..3, 0u64..12, 0u64..5, 0i16..12), 1..200)
}

fn found<P: Policy>(table: &Table<P>, key: u64) -> Option<Entry> {
    table.probe(key).entry()
}

proptest! {
    #[test]
    fn the_last_store_is_found_and_a_line_holds_five(stores in stores()) {
        let table = Table::<Bucketed>::new(1).unwrap();
        let mut all: HashMap<u64, Vec<Entry>> = HashMap::new();
        for (slot, id, version, depth) in stores {
            let key = key(slot, id);
            let entry = entry_of(key, version, depth);
            let before = found(&table, key);
            table.store(table.slot(key), entry);
            all.entry(key).or_default().push(entry);
            let now = found(&table, key).expect("the newest position is always let in");
            prop_assert_eq!((now.mv, now.eval), (entry.mv, entry.eval));
            let allowance = if entry.pv { 6 } else { 4 };
            match before.filter(|old| old.depth >= depth + allowance) {
                Some(old) => prop_assert_eq!((now.score, now.depth), (old.score, old.depth)),
                None => prop_assert_eq!(now, entry),
            }
        }
        for slot in 0..3 {
            let keys = (0..12).map(|id| key(slot, id));
            let known = keys.clone().filter(|key| found(&table, *key).is_some()).count();
            let stored = keys.clone().filter(|key| all.contains_key(key)).count();
            prop_assert_eq!(known, stored.min(5));
            for key in keys {
                let Some(entry) = found(&table, key) else { continue };
                let matches = |old: &Entry| (old.score, old.depth) == (entry.score, entry.depth);
                prop_assert!(all[&key].iter().any(matches));
            }
        }
    }

    #[test]
    fn d27_a_two_deep_table_does_what_the_rule_says(stores in stores()) {
        let table = Table::<TwoDeep>::new(1).unwrap();
        // The rule on plain values: the two positions of every slot.
        let mut model: HashMap<u64, [Option<(u64, Entry)>; 2]> = HashMap::new();
        for (slot, id, version, depth) in stores {
            let key = key(slot, id);
            let entry = entry_of(key, version, depth);
            table.store(table.slot(key), entry);
            let places = model.entry(slot).or_default();
            let depth_of_first = places[0].map_or(i16::MIN, |(_, first)| first.depth);
            if places[0].is_some_and(|(first, _)| first == key) {
                if depth >= depth_of_first {
                    places[0] = Some((key, entry));
                }
            } else if depth > depth_of_first {
                *places = [Some((key, entry)), places[0]];
            } else {
                places[1] = Some((key, entry));
            }
        }
        for slot in 0..3 {
            for key in (0..12).map(|id| key(slot, id)) {
                let places = model.get(&slot).copied().unwrap_or_default();
                let wanted = places.into_iter().flatten().find(|&(other, _)| other == key);
                prop_assert_eq!(found(&table, key), wanted.map(|(_, entry)| entry));
            }
        }
    }

    #[test]
    fn m5_a_direct_table_keeps_the_deeper_entry(stores in stores()) {
        let table = Table::<Direct>::new(1).unwrap();
        let mut model: HashMap<u64, (u64, Entry)> = HashMap::new();
        for (slot, id, version, depth) in stores {
            let key = key(slot, id);
            let entry = entry_of(key, version, depth);
            table.store(table.slot(key), entry);
            let old = model.get(&slot).map_or(i16::MIN, |(_, old)| old.depth);
            if old <= depth {
                model.insert(slot, (key, entry));
            }
        }
        for (slot, &(key_of_slot, entry)) in &model {
            for key in (0..12).map(|id| key(*slot, id)) {
                prop_assert_eq!(found(&table, key), (key == key_of_slot).then_some(entry));
            }
        }
    }
}

#[test]
fn a_table_without_room_is_refused() {
    for policy in PolicyKind::ALL {
        let error = AnyTable::new(policy, 0).unwrap_err();
        assert_eq!(error.to_string(), "a table of 0 MB is not possible: the least is 1 MB");
    }
}

#[test]
fn sizes_are_what_was_asked_for_or_the_next_power_of_two_below() {
    for (megabytes, power) in [(1, 1), (2, 2), (3, 2), (7, 4), (33, 32), (97, 64)] {
        let size = |policy| AnyTable::new(policy, megabytes).unwrap().bytes() >> 20;
        assert_eq!(size(PolicyKind::Bucketed), megabytes);
        assert_eq!(size(PolicyKind::TwoDeep), power);
        assert_eq!(size(PolicyKind::Direct), power);
    }
    assert_eq!(AnyTable::new(PolicyKind::Bucketed, 1).unwrap().capacity(), 81_920);
    assert_eq!(AnyTable::new(PolicyKind::TwoDeep, 1).unwrap().capacity(), 65_536);
}

#[test]
fn a_size_that_the_machine_does_not_have_leaves_the_old_table() {
    let mut table = Table::<Bucketed>::new(1).unwrap();
    let (key, entry) = (key(1, 2), entry_of(key(1, 2), 3, 4));
    table.store(table.slot(key), entry);
    for megabytes in [0, 1 << 42, u64::MAX / 16384, u64::MAX] {
        let error = table.resize(megabytes).unwrap_err();
        assert!(matches!(error, TableError::Size { .. } | TableError::Memory { .. }));
        assert_eq!(error.to_string().lines().count(), 1);
        assert_eq!(table.probe(key).entry(), Some(entry));
    }
    table.resize(1).unwrap();
    assert_eq!(table.probe(key).entry(), Some(entry));
    table.resize(5).unwrap();
    assert_eq!((table.bytes(), table.probe(key).entry()), (5 << 20, None));
}

#[test]
fn a_slot_from_before_a_change_of_size_does_no_harm() {
    let mut table = Table::<Bucketed>::new(8).unwrap();
    let slot = table.slot(u64::MAX);
    table.resize(1).unwrap();
    table.store(slot, entry_of(slot.key(), 0, 1));
    assert_eq!(table.probe(slot.key()), Probe::Miss(table.slot(slot.key())));
}

#[test]
fn a_cleared_table_is_empty_for_any_number_of_threads() {
    for threads in [0, 1, 2, 3, 7, 1_000_000_000] {
        let table = Table::<Bucketed>::new(3).unwrap();
        let mut random = SplitMix(threads as u64);
        let keys: Vec<u64> = (0..10_000).map(|_| random.next()).collect();
        for &key in &keys {
            table.store(table.slot(key), entry_of(key, 1, 1));
        }
        table.new_search();
        table.clear(threads);
        assert!(keys.iter().all(|&key| found(&table, key).is_none()));
        assert_eq!(table.hashfull(), 0);
    }
}

#[test]
fn hashfull_counts_the_entries_of_the_present_search() {
    for policy in PolicyKind::ALL {
        let any = AnyTable::new(policy, 1).unwrap();
        let fill = |share: u64| {
            let mut random = SplitMix(7);
            for _ in 0..any.capacity() * share / 100 {
                let key = random.next();
                let entry = entry_of(key, 1, 1);
                match &any {
                    AnyTable::Bucketed(table) => table.store(table.slot(key), entry),
                    AnyTable::TwoDeep(table) => table.store(table.slot(key), entry),
                    AnyTable::Direct(table) => table.store(table.slot(key), entry),
                }
            }
            any.hashfull()
        };
        assert_eq!(any.hashfull(), 0);
        assert!((60..=140).contains(&fill(10)), "{policy}");
        assert!(fill(1000) > 900, "{policy}");
        any.new_search();
        assert_eq!(any.hashfull(), 0, "{policy}");
    }
}

#[test]
fn d25_the_side_to_move_is_part_of_the_key() {
    // DarkSight keeps a table for each side; one table does, since the keys differ.
    let board = |side| format!("4k3/8/8/8/8/8/8/4K2R {side} - - 0 1");
    let [white, black] =
        ["w", "b"].map(|side| board::Position::from_fen(&board(side)).unwrap().key());
    let table = Table::<TwoDeep>::new(1).unwrap();
    table.store(table.slot(white), entry_of(white, 1, 1));
    assert!(found(&table, white).is_some());
    assert!(found(&table, black).is_none());
}

#[test]
fn d28_any_move_from_the_table_can_be_checked() {
    // Whatever 16 bits a foreign entry holds, the board says whether they are a legal move.
    let position = board::Position::startpos();
    let table = Table::<Bucketed>::new(1).unwrap();
    let mut legal = 0;
    for bits in 0..=u16::MAX {
        let mv = board::Move::from_bits(bits);
        table.store(table.slot(position.key()), Entry { mv, ..entry_of(position.key(), 0, 1) });
        let entry = found(&table, position.key()).unwrap();
        legal += usize::from(position.is_legal(entry.mv));
    }
    assert_eq!(legal, 20);
}
