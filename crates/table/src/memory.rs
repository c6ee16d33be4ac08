//! The table's memory: a large zeroed block on huge pages.
//!
//! A table of gigabytes read at random misses the address translation cache at almost every probe
//! when its pages are of 4 KiB. So the block begins at a multiple of 2 MiB, and Linux is asked to
//! back it with huge pages; where it declines, nothing is lost. The block is mapped, which means untouched
//! pages of zeros: a table of hundreds of gigabytes is there at once and takes memory only as it fills, or
//! when it is touched or cleared (by all threads), which the engine does before a clock runs.
//!
//! Or it is in common with other processes of the host (`common.rs`). The only `unsafe` of the crate stands
//! in these two files.

#![allow(unsafe_code)]

use memmap2::{MmapMut, MmapOptions};
use std::ops::Deref;
use std::ptr::NonNull;

use crate::TableError;
use crate::common::{Common, Mapping};
use crate::line::{LINE_BYTES, Line, Packed, Pairs};

/// The size of a huge page on x86-64, and on ARM with pages of 4 KiB.
pub(crate) const HUGE_PAGE: usize = 2 << 20;

/// Lines for which all bits zero is a value.
///
/// # Safety
///
/// A zeroed block of the type's size and alignment is a valid value that needs no drop.
pub unsafe trait Zeroed: Line {}

// SAFETY: an array of atomic integers and another one, each valid when zero, none with a drop.
unsafe impl Zeroed for Packed {}

// SAFETY: an array of atomic integers, valid when zero, without a drop.
unsafe impl Zeroed for Pairs {}

/// A block of lines, all zero at first.
pub struct Memory<L: Zeroed> {
    source: Source,
    lines: NonNull<L>,
    count: usize,
}

/// Where the lines lie; the block goes with it.
enum Source {
    /// Our own; the lines begin at the first aligned address in it.
    Own { _block: MmapMut },
    /// In common with other processes.
    Common(Mapping),
}

// SAFETY: the block belongs to this value, or to others that know it as lines too, and lines may go to other
// threads (`Line: Send`).
unsafe impl<L: Zeroed> Send for Memory<L> {}

// SAFETY: a shared block gives out shared lines only, and those may be shared (`Line: Sync`).
unsafe impl<L: Zeroed> Sync for Memory<L> {}

impl<L: Zeroed> Memory<L> {
    /// A block of `count` lines, at least one.
    pub fn new(count: usize) -> Result<Memory<L>, TableError> {
        let count = count.max(1);
        let failure =
            || TableError::Memory { bytes: (count as u64).saturating_mul(LINE_BYTES as u64) };
        let bytes = count.checked_mul(size_of::<L>()).ok_or_else(failure)?;
        let alignment = if bytes >= HUGE_PAGE { HUGE_PAGE } else { align_of::<L>() };
        let room = bytes.checked_add(alignment).filter(|&room| isize::try_from(room).is_ok());
        let room = room.ok_or_else(failure)?;
        let mapped = MmapOptions::new().len(room).map_anon();
        let mut block = mapped.map_err(|_| failure())?;
        let offset = block.as_ptr().addr().wrapping_neg() % alignment;
        advise_huge_pages(&block, offset, bytes);
        let lines = NonNull::from(&mut block[offset..offset + bytes]).cast();
        Ok(Memory { source: Source::Own { _block: block }, lines, count })
    }

    /// The same in common with other processes: zero for the one who lends it, and as the others have left
    /// it for one who borrows it.
    pub fn in_common(count: usize, common: Common<'_>) -> Result<Memory<L>, TableError> {
        let count = count.max(1);
        let failure =
            || TableError::Memory { bytes: (count as u64).saturating_mul(LINE_BYTES as u64) };
        let bytes =
            count.checked_mul(size_of::<L>()).filter(|&bytes| isize::try_from(bytes).is_ok());
        let bytes = bytes.ok_or_else(failure)?;
        let mapping = Mapping::in_huge_pages(common, bytes)?;
        // A page begins at a multiple of the size of a line.
        let lines: NonNull<L> = mapping.start().cast();
        Ok(Memory { source: Source::Common(mapping), lines, count })
    }

    /// Whether other processes may have it mapped.
    pub fn is_in_common(&self) -> bool {
        matches!(&self.source, Source::Common(_))
    }

    /// Whether it is another process's.
    pub fn is_borrowed(&self) -> bool {
        matches!(&self.source, Source::Common(mapping) if mapping.is_borrowed())
    }
}

impl<L: Zeroed> Deref for Memory<L> {
    type Target = [L];

    #[inline(always)]
    fn deref(&self) -> &[L] {
        // SAFETY: the block holds `count` lines from the aligned address on, zeroed and so valid
        // (`Zeroed`), and lives as long as this value; its size is no more than `isize::MAX`. In common with
        // other processes it may hold what they wrote as lines of the same type, atomic words of which
        // any bits are a value.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr(), self.count) }
    }
}

/// Asks for huge pages. A refusal costs speed only and is not reported.
#[cfg(all(target_os = "linux", not(miri)))]
fn advise_huge_pages(block: &MmapMut, offset: usize, bytes: usize) {
    // Only whole huge pages: small tables live in small ones.
    let whole = bytes - bytes % HUGE_PAGE;
    if whole > 0 {
        let _ = block.advise_range(memmap2::Advice::HugePage, offset, whole);
    }
}

/// Huge pages are asked for on Linux only.
#[cfg(not(all(target_os = "linux", not(miri))))]
fn advise_huge_pages(_block: &MmapMut, _offset: usize, _bytes: usize) {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::Word;

    #[test]
    fn a_block_is_zeroed_and_aligned_and_may_be_written_to_its_ends() -> Result<(), TableError> {
        for count in [1, 2, 1000, 32768, 32769, 100_000] {
            let memory = Memory::<Packed>::new(count)?;
            assert_eq!(memory.len(), count);
            let alignment = if count >= 32768 { HUGE_PAGE } else { LINE_BYTES };
            assert_eq!(memory.as_ptr().addr() % alignment, 0);
            assert!(memory.iter().all(|line| line.to_words() == [0; 8]));
            memory[0].set_words([1; 8]);
            memory[count - 1].set(4, 5, Word(7));
            assert_eq!(memory[count - 1].get(4, 5), Some(Word(7)));
        }
        Ok(())
    }

    #[test]
    fn too_much_memory_is_an_error() {
        for count in [usize::MAX, usize::MAX / LINE_BYTES, usize::MAX / 2 / LINE_BYTES] {
            assert!(matches!(Memory::<Pairs>::new(count), Err(TableError::Memory { .. })));
        }
    }
}
