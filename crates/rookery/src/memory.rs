//! How much memory may be asked for.
//!
//! The system promises more than it has and ends the process when the memory is used: the size is
//! looked at before. A container has a limit of its own, and so may each group of processes that it lies
//! in: what counts is what is left of each, where pages of files that the system can drop count as free.
//! A limit on the addresses of the process (`ulimit -v`) counts, too.

use crate::failure::Failure;
use board::perft::CountTable;
use std::fs;
use std::path::Path;

/// The table of counts for `--hash`; none for 0.
pub fn count_table(megabytes: u64) -> Result<Option<CountTable>, Failure> {
    if megabytes == 0 {
        return Ok(None);
    }
    check_free(megabytes).map_err(|reason| Failure::Usage(format!("--hash: {reason}")))?;
    let table = CountTable::new(megabytes);
    table.map(Some).map_err(|error| Failure::Usage(format!("--hash: {error}")))
}

/// Whether this number of megabytes is free, as far as the system tells; if not, a line that says so.
pub fn check_free(megabytes: u64) -> Result<(), String> {
    match free_megabytes().filter(|&free| megabytes > free) {
        Some(free) => Err(format!("{megabytes} MB are asked for, but only {free} MB are free")),
        None => Ok(()),
    }
}

/// The same for pieces of work that need this many megabytes each, several at a time. The largest may come
/// together.
pub fn check_free_at_once(threads: u16, needs: impl Iterator<Item = u64>) -> Result<(), String> {
    let mut needs: Vec<u64> = needs.collect();
    needs.sort_unstable_by(|one, two| two.cmp(one));
    check_free(needs.into_iter().take(usize::from(threads)).fold(0, u64::saturating_add))
}

/// The most memory that this process has used so far, where the system tells.
pub fn peak_megabytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    kilobytes(&status, "VmHWM:").map(|kilobytes| kilobytes >> 10)
}

/// What the system and the container leave, where they tell.
pub fn free_megabytes() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let container = left_in_groups(Path::new("/sys/fs/cgroup"), &groups);
    let system = fs::read_to_string("/proc/meminfo").ok();
    let system = system.and_then(|text| kilobytes(&text, "MemAvailable:"));
    let system = system.map(|kilobytes| kilobytes << 10);
    container.into_iter().chain(system).chain(left_of_addresses()).min().map(|bytes| bytes >> 20)
}

/// Bytes that the user's limit leaves to the process (`ulimit -v`), where there is one.
#[cfg(target_os = "linux")]
fn left_of_addresses() -> Option<u64> {
    use rustix::process::{Resource, getrlimit};
    let limit = getrlimit(Resource::As).current?;
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let left = limit.saturating_sub(kilobytes(&status, "VmSize:")? << 10);
    // Stacks and the heaps of threads take addresses that they do not fill.
    Some(left - (left / 4).min(64 << 20))
}

/// Other systems do not tell what is used of it.
#[cfg(not(target_os = "linux"))]
fn left_of_addresses() -> Option<u64> {
    None
}

/// How a kind of groups tells of memory.
struct Accounts {
    /// Where its groups lie below the folder of all.
    folder: &'static str,
    /// Files with limits.
    limits: &'static [&'static str],
    /// The file with what is used, pages of files included.
    used: &'static str,
    /// What the file of statistics calls those pages, and others that the system can have back.
    reclaimable: &'static [&'static str],
}

/// Of the second version, where there is one tree of groups for everything.
const UNIFIED: Accounts = Accounts {
    folder: "",
    limits: &["memory.max", "memory.high"],
    used: "memory.current",
    reclaimable: &["active_file", "inactive_file", "slab_reclaimable"],
};

/// Of the first version, where memory has a tree of its own.
const MEMORY_ALONE: Accounts = Accounts {
    folder: "memory",
    limits: &["memory.limit_in_bytes"],
    used: "memory.usage_in_bytes",
    reclaimable: &["total_active_file", "total_inactive_file"],
};

/// Bytes that are left to the process in its groups, where they have limits; `groups` is what the system
/// says of them: lines `number:controllers:path`.
fn left_in_groups(root: &Path, groups: &str) -> Option<u64> {
    let own = groups.lines().flat_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
        let accounts = match controllers {
            "" => UNIFIED,
            list if list.split(',').any(|name| name == "memory") => MEMORY_ALONE,
            _ => return Vec::new(),
        };
        let top = root.join(accounts.folder);
        let group = top.join(path.trim_start_matches('/'));
        // A container may see its own group at the top, whatever the path says.
        let all = group.ancestors().take_while(|group| group.starts_with(&top));
        all.filter_map(|group| left_in(group, &accounts)).collect()
    });
    own.min()
}

/// Bytes that a group has left; nothing where it has no limit.
fn left_in(group: &Path, accounts: &Accounts) -> Option<u64> {
    let read = |file: &str| fs::read_to_string(group.join(file)).ok();
    let limits = accounts.limits.iter().filter_map(|file| number(&read(file)?));
    let (limit, used) = (limits.min()?, number(&read(accounts.used)?)?);
    let statistics = read("memory.stat").unwrap_or_default();
    let reclaimable = statistics.lines().filter_map(|line| {
        let (name, bytes) = line.split_once(' ')?;
        accounts.reclaimable.contains(&name).then(|| number(bytes))?
    });
    let in_use = used.saturating_sub(reclaimable.sum());
    Some(limit.saturating_sub(in_use))
}

/// What the line `MemAvailable:   123456 kB` of meminfo tells, or another of its kind.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    number(text.lines().find_map(|line| line.strip_prefix(name))?)
}

fn number(text: &str) -> Option<u64> {
    text.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn meminfo_and_limits_are_understood() {
        let text = "MemTotal: 9 kB\nMemAvailable:    2048 kB\n";
        assert_eq!(kilobytes(text, "MemAvailable:"), Some(2048));
        assert_eq!(kilobytes("", "VmSize:"), None);
        assert_eq!((number("max\n"), number("77\n")), (None, Some(77)));
    }

    /// A folder with files of this content.
    fn groups(name: &str, files: &[(&str, &str)]) -> Scratch {
        let scratch = Scratch::new(name);
        files.iter().for_each(|(file, content)| drop(scratch.write(file, content)));
        scratch
    }

    #[test]
    fn what_is_left_of_a_limit_counts_not_the_limit() {
        let files = [
            ("memory.max", "max\n"),
            ("box/memory.max", "1000\n"),
            ("box/memory.high", "max\n"),
            ("box/memory.current", "900\n"),
            ("box/memory.stat", "anon 600\nfile 300\nactive_file 100\ninactive_file 150\n"),
            ("box/inner/memory.max", "2000\n"),
            ("box/inner/memory.current", "10\n"),
        ];
        let groups = groups("groups-two", &files);
        let left = |own: &str| left_in_groups(&groups.0, own);
        // The outer group is the narrower one: 1000 less 900, of which 250 can be had back.
        assert_eq!(left("0::/box/inner\n"), Some(350));
        assert_eq!(left("0::/box\n"), Some(350));
        assert_eq!((left("0::/\n"), left("0::/elsewhere\n"), left("")), (None, None, None));
        // More is used than the limit allows.
        groups.write("box/memory.current", "5000");
        assert_eq!(left("0::/box\n"), Some(0));
    }

    #[test]
    fn the_first_version_of_groups_is_understood_too() {
        let files = [
            ("memory/memory.limit_in_bytes", "500\n"),
            ("memory/memory.usage_in_bytes", "450\n"),
            ("memory/memory.stat", "cache 9\ntotal_active_file 5\ntotal_inactive_file 95\n"),
        ];
        let groups = groups("groups-one", &files);
        // The container's own group is seen at the top, but is called by the host's name for it.
        let own = "12:cpu,cpuacct:/docker/77\n5:memory:/docker/77\n0::/docker/77\n";
        assert_eq!(left_in_groups(&groups.0, own), Some(150));
    }

    #[test]
    fn what_is_done_at_the_same_time_is_added_up() {
        let Some(free) = free_megabytes() else { return };
        // What is free changes from moment to moment, but not by a quarter.
        let needs = || [1, free / 4 * 3, 1, free / 4 * 3].into_iter();
        assert!(check_free_at_once(1, needs()).is_ok());
        assert!(check_free_at_once(2, needs()).is_err());
        assert!(check_free_at_once(9, [u64::MAX, u64::MAX].into_iter()).is_err());
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
