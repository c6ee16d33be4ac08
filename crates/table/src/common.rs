//! Memory in common with other processes of the same host: one lends it, the others borrow it.
//!
//! The lender makes a file without a name in memory (`memfd_create`), maps it and keeps it open; a borrower
//! finds it among the lender's open files by what it is called, and maps the same pages. Nothing has to be
//! tidied up: the memory is gone when the last of them has let go of it, however they end, and a lender
//! that is killed takes nothing from the others. The file is sealed, so that no process can make it
//! shorter while others use it.
//!
//! On systems other than Linux there is none, and every process keeps a table of its own.

#![allow(unsafe_code)]

use crate::TableError;
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::atomic::AtomicU64;

/// Where memory in common comes from.
#[derive(Clone, Copy, Debug)]
pub enum Common<'a> {
    /// We make it, under this name.
    Lend(&'a str),
    /// The process of this number made it under this name.
    Borrow(u32, &'a str),
}

/// A block that several processes have mapped.
pub struct Mapping {
    start: NonNull<u8>,
    /// Where it lies; what was mapped into it goes with it.
    _room: Room,
    /// Whether it is another process's.
    borrowed: bool,
    /// Open as long as another process may borrow it.
    _file: std::fs::File,
}

impl Mapping {
    /// Its first byte, at the beginning of a page, and of a huge one if it holds one.
    pub fn start(&self) -> NonNull<u8> {
        self.start
    }

    /// Whether it is another process's.
    pub fn is_borrowed(&self) -> bool {
        self.borrowed
    }
}

/// Words in common with other processes, all zero at first.
pub struct CommonWords {
    mapping: Mapping,
    count: usize,
}

// SAFETY: atomic words may be used from any thread, and the mapping goes with its last owner.
unsafe impl Send for CommonWords {}

// SAFETY: only shared references to atomic words are given out.
unsafe impl Sync for CommonWords {}

impl CommonWords {
    /// Maps `count` words, at least one; both sides must ask for the same number.
    pub fn new(common: Common<'_>, count: usize) -> Result<CommonWords, TableError> {
        let count = count.max(1);
        let bytes = count.checked_mul(size_of::<AtomicU64>());
        let bytes = bytes.filter(|&bytes| isize::try_from(bytes).is_ok());
        let bytes = bytes.ok_or(TableError::Memory { bytes: u64::MAX })?;
        Ok(CommonWords { mapping: Mapping::new(common, bytes)?, count })
    }
}

impl Deref for CommonWords {
    type Target = [AtomicU64];

    #[inline(always)]
    fn deref(&self) -> &[AtomicU64] {
        // SAFETY: the mapping holds `count` words from the beginning of a page on and lives as long as this
        // value; any bits are an atomic word, and all who have it mapped use it as such.
        unsafe { std::slice::from_raw_parts(self.mapping.start().as_ptr().cast(), self.count) }
    }
}

#[cfg(all(target_os = "linux", not(miri)))]
mod linux {
    use super::{Common, Mapping, TableError};
    use crate::memory::HUGE_PAGE;
    use rustix::fs::{MemfdFlags, SealFlags};
    use rustix::mm::{self, MapFlags, ProtFlags};
    use std::ffi::c_void;
    use std::fs::{self, File};
    use std::hint::black_box;
    use std::io;
    use std::num::NonZero;
    use std::path::PathBuf;
    use std::ptr::{self, NonNull};
    use std::sync::atomic::AtomicU8;
    use std::sync::atomic::Ordering::Relaxed;

    /// Linux 6.1 and later; neither `rustix` nor every C library names it.
    const MADV_COLLAPSE: libc::c_int = 25;
    /// What one thread puts into huge pages at least.
    const SHARE: usize = 128 * HUGE_PAGE;

    impl Mapping {
        /// Maps a block of `bytes`, at least one.
        pub fn new(common: Common<'_>, bytes: usize) -> Result<Mapping, TableError> {
            let (file, borrowed) = match common {
                Common::Lend(name) => (make(name, bytes).map_err(reason)?, false),
                Common::Borrow(process, name) => (find(process, name)?, true),
            };
            let length = file.metadata().map_err(reason)?.len();
            if length != bytes as u64 {
                let reason = format!("{length} bytes are lent and {bytes} are wanted");
                return Err(TableError::Common { reason });
            }
            let (start, room) = map(&file, bytes).map_err(reason)?;
            Ok(Mapping { start, _room: room, borrowed, _file: file })
        }

        /// The same in huge pages, if the system gives them: those who borrow it find them then.
        pub fn in_huge_pages(common: Common<'_>, bytes: usize) -> Result<Mapping, TableError> {
            let mapping = Mapping::new(common, bytes)?;
            if !mapping.borrowed {
                // SAFETY: the block holds as many bytes and lives as long as the mapping; all who have it
                // use it by atomic operations.
                let block =
                    unsafe { std::slice::from_raw_parts(mapping.start.as_ptr().cast(), bytes) };
                take_huge_pages(block);
            }
            Ok(mapping)
        }
    }

    /// Addresses that are reserved.
    pub struct Room {
        start: NonNull<u8>,
        bytes: usize,
    }

    impl Room {
        fn new(bytes: usize) -> io::Result<Room> {
            let (nothing, flags) = (ProtFlags::empty(), MapFlags::PRIVATE | MapFlags::NORESERVE);
            // SAFETY: a new mapping at a place that the system chooses.
            let start = unsafe { mm::mmap_anonymous(ptr::null_mut(), bytes, nothing, flags) };
            Ok(Room { start: mapped(start)?, bytes })
        }
    }

    impl Drop for Room {
        fn drop(&mut self) {
            // SAFETY: the room was mapped with this start and length, and no reference into it is left.
            let unmapped = unsafe { mm::munmap(self.start.as_ptr().cast(), self.bytes) };
            debug_assert!(unmapped.is_ok(), "{unmapped:?}");
        }
    }

    fn reason(error: io::Error) -> TableError {
        TableError::Common { reason: error.to_string() }
    }

    /// A file of zeros in memory that keeps its length.
    fn make(name: &str, bytes: usize) -> io::Result<File> {
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let file = File::from(rustix::fs::memfd_create(name, flags)?);
        file.set_len(bytes as u64)?;
        let seals = SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL;
        rustix::fs::fcntl_add_seals(&file, seals)?;
        Ok(file)
    }

    /// What a process has made in memory: the names, and where they can be opened.
    fn all(process: u32) -> io::Result<impl Iterator<Item = (String, PathBuf)>> {
        let entries = fs::read_dir(format!("/proc/{process}/fd"))?;
        let links = entries.filter_map(|entry| Some(entry.ok()?.path()));
        Ok(links.filter_map(|link| {
            let target = fs::read_link(&link).ok()?;
            // As the system writes it.
            let name = target.to_str()?.strip_prefix("/memfd:")?.strip_suffix(" (deleted)")?;
            Some((name.to_owned(), link))
        }))
    }

    /// The names of what a process lends, or might.
    pub fn lent_by(process: u32) -> Vec<String> {
        all(process).map_or_else(|_| Vec::new(), |all| all.map(|(name, _)| name).collect())
    }

    /// The file of a name among those that a process has open.
    fn find(process: u32, name: &str) -> Result<File, TableError> {
        let found = all(process).map_err(reason)?.find(|(known, _)| known == name);
        let (_, link) = found.ok_or_else(|| {
            let reason = format!("process {process} lends nothing that is called {name:?}");
            TableError::Common { reason }
        })?;
        let file = File::options().read(true).write(true).open(link).map_err(reason)?;
        let seals = rustix::fs::fcntl_get_seals(&file).map_err(io::Error::from).map_err(reason)?;
        match seals.contains(SealFlags::SHRINK) {
            true => Ok(file),
            false => Err(TableError::Common { reason: "what is lent may become shorter".into() }),
        }
    }

    /// Maps a file, at the beginning of a huge page if it fills one: where it begins, and in which room.
    fn map(file: &File, bytes: usize) -> io::Result<(NonNull<u8>, Room)> {
        let slack = if bytes >= HUGE_PAGE { HUGE_PAGE } else { 0 };
        let room = Room::new(bytes.saturating_add(slack))?;
        let offset = room.start.addr().get().wrapping_neg() % slack.max(1);
        let protection = ProtFlags::READ | ProtFlags::WRITE;
        let flags = MapFlags::SHARED | MapFlags::FIXED;
        // SAFETY: the offset is less than the slack, so that the block lies in the room, which is ours and
        // holds nothing; the file has this length and is sealed against becoming shorter.
        let start = unsafe {
            let place = room.start.as_ptr().add(offset);
            mm::mmap(place.cast(), bytes, protection, flags, file, 0)
        };
        Ok((mapped(start)?, room))
    }

    fn mapped(start: rustix::io::Result<*mut c_void>) -> io::Result<NonNull<u8>> {
        NonNull::new(start?.cast()).ok_or_else(|| io::Error::other("nothing was mapped"))
    }

    /// Puts memory into huge pages; a refusal costs speed only.
    ///
    /// Files in memory get none by themselves, whatever is advised, unless the system is set up for it; a look
    /// at a random place of a gigabyte took 355 ns in small pages and 250 in huge ones. To put a gigabyte into
    /// them takes a fifth of a second or more, so that large blocks are done by several threads.
    fn take_huge_pages(block: &[AtomicU8]) {
        let whole = block.len() - block.len() % HUGE_PAGE;
        let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
        let share = whole.div_ceil(threads).next_multiple_of(HUGE_PAGE).max(SHARE);
        std::thread::scope(|scope| {
            let mut shares = block[..whole].chunks(share);
            let first = shares.next();
            shares.for_each(|share| _ = scope.spawn(|| collapse(share)));
            first.into_iter().for_each(collapse);
        });
    }

    /// Makes whole huge pages of a range that begins with one. The system does that to pages that are there,
    /// so that one in each is touched first; what lies there stays, as another process may use it already.
    fn collapse(range: &[AtomicU8]) {
        range.iter().step_by(HUGE_PAGE).for_each(|byte| _ = byte.fetch_or(black_box(0), Relaxed));
        // SAFETY: the range is mapped, and its content does not change.
        unsafe { libc::madvise(range.as_ptr().cast_mut().cast(), range.len(), MADV_COLLAPSE) };
    }
}

#[cfg(all(target_os = "linux", not(miri)))]
use linux::Room;
#[cfg(all(target_os = "linux", not(miri)))]
pub use linux::lent_by;

/// There is nothing to reserve.
#[cfg(not(all(target_os = "linux", not(miri))))]
struct Room;

/// No process lends anything here.
#[cfg(not(all(target_os = "linux", not(miri))))]
pub fn lent_by(_process: u32) -> Vec<String> {
    Vec::new()
}

#[cfg(not(all(target_os = "linux", not(miri))))]
impl Mapping {
    /// There is none here.
    pub fn new(_common: Common<'_>, bytes: usize) -> Result<Mapping, TableError> {
        let reason = format!("{bytes} bytes in common with other processes are had on Linux only");
        Err(TableError::Common { reason })
    }

    /// There is none here.
    pub fn in_huge_pages(common: Common<'_>, bytes: usize) -> Result<Mapping, TableError> {
        Mapping::new(common, bytes)
    }
}

#[cfg(all(test, target_os = "linux", not(miri)))]
mod tests {
    use super::*;
    use crate::memory::HUGE_PAGE;
    use crate::{AnyTable, Bound, Entry, PolicyKind};
    use board::Move;

    const ENTRY: Entry =
        Entry { mv: Move::NONE, score: 17, eval: None, depth: 5, bound: Bound::Lower, pv: false };

    fn pair(policy: PolicyKind, name: &str) -> Result<(AnyTable, AnyTable), TableError> {
        let lent = AnyTable::in_common(policy, 1, Common::Lend(name))?;
        let borrowed = Common::Borrow(std::process::id(), name);
        Ok((lent, AnyTable::in_common(policy, 1, borrowed)?))
    }

    #[test]
    fn what_one_stores_the_other_finds() -> Result<(), TableError> {
        for (policy, name) in [
            (PolicyKind::Bucketed, "test-one"),
            (PolicyKind::TwoDeep, "test-two"),
            (PolicyKind::Direct, "test-three"),
        ] {
            let (lent, borrowed) = pair(policy, name)?;
            assert_eq!((lent.is_borrowed(), borrowed.is_borrowed()), (false, true));
            assert!(lent_by(std::process::id()).iter().any(|lent| lent == name));
            lent.store(0x1234_5678_9abc_def0, ENTRY);
            assert_eq!(borrowed.entry(0x1234_5678_9abc_def0), Some(ENTRY), "{policy}");
            borrowed.store(0x0fed_cba9_8765_4321, ENTRY);
            assert_eq!(lent.entry(0x0fed_cba9_8765_4321), Some(ENTRY), "{policy}");
            // Only the lender forgets.
            borrowed.clear(2);
            assert_eq!(lent.entry(0x0fed_cba9_8765_4321), Some(ENTRY), "{policy}");
            lent.clear(2);
            assert_eq!(borrowed.entry(0x0fed_cba9_8765_4321), None, "{policy}");
        }
        Ok(())
    }

    #[test]
    fn large_blocks_begin_with_a_huge_page() -> Result<(), TableError> {
        let bytes = 2 * HUGE_PAGE + 4096;
        let lent = Mapping::new(Common::Lend("test-huge"), bytes)?;
        let borrowed = Mapping::new(Common::Borrow(std::process::id(), "test-huge"), bytes)?;
        assert_eq!([&lent, &borrowed].map(|block| block.start().addr().get() % HUGE_PAGE), [0, 0]);
        Ok(())
    }

    #[test]
    fn what_is_borrowed_stays_when_the_lender_is_gone() -> Result<(), TableError> {
        let (lent, borrowed) = pair(PolicyKind::Bucketed, "test-gone")?;
        lent.store(99, ENTRY);
        drop(lent);
        assert_eq!(borrowed.entry(99), Some(ENTRY));
        Ok(())
    }

    #[test]
    fn what_is_not_lent_or_in_another_size_is_refused_with_a_reason() -> Result<(), TableError> {
        let me = std::process::id();
        let open = |megabytes, process, name| {
            let common = Common::Borrow(process, name);
            AnyTable::in_common(PolicyKind::Bucketed, megabytes, common)
                .err()
                .map_or_else(String::new, |error| error.to_string())
        };
        let lent = AnyTable::in_common(PolicyKind::Bucketed, 2, Common::Lend("test-size"))?;
        assert!(open(1, me, "test-size").contains("2097152 bytes are lent and 1048576"));
        assert!(open(2, me, "test-nothing").contains("lends nothing that is called"));
        assert!(open(2, 0, "test-size").contains("no table in common"));
        drop(lent);
        assert!(open(2, me, "test-size").contains("lends nothing that is called"));
        Ok(())
    }
}
