//! Whether memory is there, as the system counts it: a search must not wait for its pages.

use crate::common::Common;
use crate::line::Line;
use crate::{Bound, Bucketed, Direct, Entry, Policy, Table, TableError, TwoDeep};
use board::Move;

const MEGABYTES: u64 = 24;

/// Kilobytes of the mapping that holds an address for which there are pages of its own, or common ones;
/// pages of zeros that are only lent for reading do not count.
fn provided(address: usize) -> u64 {
    let maps = std::fs::read_to_string("/proc/self/smaps").expect("the system tells");
    let mut inside = false;
    let mut sum = 0;
    for line in maps.lines() {
        let first = line.split_whitespace().next().unwrap_or_default();
        if let Some((start, end)) = first.split_once('-') {
            let number = |text| usize::from_str_radix(text, 16).unwrap_or(0);
            inside = (number(start)..number(end)).contains(&address);
        } else if inside && matches!(first, "Anonymous:" | "Shared_Dirty:" | "Private_Dirty:") {
            let size = line.split_whitespace().nth(1).and_then(|size| size.parse().ok());
            sum = sum.max(size.unwrap_or(0));
        }
    }
    sum
}

fn is_provided<P: Policy>(table: &Table<P>) -> bool {
    provided(table.memory.as_ptr().addr()) >= table.bytes() >> 10
}

fn memory_is_there_before_it_is_used<P: Policy>() -> Result<(), TableError> {
    for threads in [1, 3] {
        let table = Table::<P>::new(MEGABYTES)?;
        table.clear(threads);
        assert!(is_provided(&table), "cleared by {threads} threads");
        let table = Table::<P>::new(MEGABYTES)?;
        let entry = Entry {
            mv: Move::NONE,
            score: 7,
            eval: None,
            depth: 3,
            bound: Bound::Exact,
            pv: false,
        };
        let keys = (0..500u64).map(|number| number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        keys.clone().for_each(|key| table.store(table.slot(key), entry));
        table.touch(threads);
        assert!(is_provided(&table), "touched by {threads} threads");
        assert!(keys.clone().all(|key| table.probe(key).entry() == Some(entry)), "nothing is lost");
    }
    Ok(())
}

#[test]
fn a_table_that_was_touched_or_cleared_has_all_its_memory() -> Result<(), TableError> {
    memory_is_there_before_it_is_used::<Bucketed>()?;
    memory_is_there_before_it_is_used::<TwoDeep>()?;
    memory_is_there_before_it_is_used::<Direct>()
}

#[test]
fn so_has_one_in_common_with_other_processes() -> Result<(), TableError> {
    let lent = Table::<Bucketed>::in_common(MEGABYTES, Common::Lend("test-touch"))?;
    let common = Common::Borrow(std::process::id(), "test-touch");
    let borrowed = Table::<Bucketed>::in_common(MEGABYTES, common)?;
    for table in [&lent, &borrowed] {
        table.touch(2);
        assert!(is_provided(table));
    }
    Ok(())
}

#[test]
fn small_tables_are_touched_whole() -> Result<(), TableError> {
    for kilobytes in [0, 1, 3, 5, 64, 1023, 1025, 3000] {
        for threads in [0, 1, 2, 1000] {
            let table = Table::<Bucketed>::with_kilobytes(kilobytes)?;
            table.touch(threads);
            table.clear(threads);
            assert!(!table.memory.is_empty() && table.memory.iter().all(is_zero));
        }
    }
    Ok(())
}

fn is_zero<L: Line>(line: &L) -> bool {
    line.to_words() == [0; 8]
}
