//! How much memory may be asked for.
//!
//! The system hands out more than it has and ends the process when the memory is used: the size is
//! looked at before.

use crate::failure::Failure;
use board::perft::CountTable;
use std::fs;

/// The table of counts for `--hash`; none for 0.
pub fn count_table(megabytes: u64) -> Result<Option<CountTable>, Failure> {
    if megabytes == 0 {
        return Ok(None);
    }
    check_free(megabytes).map_err(|reason| Failure::Usage(format!("--hash: {reason}")))?;
    let table = CountTable::new(megabytes);
    table.map(Some).map_err(|error| Failure::Usage(format!("--hash: {error}")))
}

/// Whether so much is free, as far as the system tells; if not, a line that says so.
pub fn check_free(megabytes: u64) -> Result<(), String> {
    match free_megabytes().filter(|&free| megabytes > free) {
        Some(free) => Err(format!("{megabytes} MB are asked for, but only {free} MB are free")),
        None => Ok(()),
    }
}

/// The most memory that this process has used so far, where the system tells.
pub fn peak_megabytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    number(peak).map(|kilobytes| kilobytes >> 10)
}

/// What the system and the container leave, where they tell.
pub fn free_megabytes() -> Option<u64> {
    let limits = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
    let limits = limits.into_iter().filter_map(|file| number(&fs::read_to_string(file).ok()?));
    let system = fs::read_to_string("/proc/meminfo").ok();
    let system = system.as_deref().and_then(available).map(|kilobytes| kilobytes << 10);
    limits.chain(system).min().map(|bytes| bytes >> 20)
}

/// The line `MemAvailable:   123456 kB` of meminfo.
fn available(meminfo: &str) -> Option<u64> {
    number(meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?)
}

fn number(text: &str) -> Option<u64> {
    text.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meminfo_and_limits_are_understood() {
        assert_eq!(available("MemTotal: 9 kB\nMemAvailable:    2048 kB\n"), Some(2048));
        assert_eq!((available(""), number("max\n"), number("77\n")), (None, None, Some(77)));
    }

    #[test]
    fn a_table_larger_than_the_memory_is_refused() {
        for size in [1 << 24, u64::MAX] {
            assert!(matches!(count_table(size), Err(Failure::Usage(_))));
        }
        assert!(matches!(count_table(0), Ok(None)));
        assert!(matches!(count_table(1), Ok(Some(_))));
    }
}
