//! The shared table: probing and storing, sizes, clearing, generations.

use board::Key;
use std::fmt;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering::Relaxed};
use std::thread;

use crate::common::Common;
use crate::entry::{Entry, Word};
use crate::line::{LINE_BYTES, Line};
use crate::memory::Memory;
use crate::policy::{Policy, PolicyKind};
use crate::{Bucketed, TableError};

/// Lines of a page of 4 KiB, the smallest that systems give; a table begins with a whole one.
const PAGE_LINES: usize = 4096 / LINE_BYTES;

/// A transposition table that any number of threads use at once through `&Table`.
///
/// No method that takes `&self` blocks, and none needs the others to stop. What a probe finds may be
/// gone at the next one.
pub struct Table<P: Policy = Bucketed> {
    pub(crate) memory: Memory<P::Line>,
    /// Which search is running, modulo [`Word::GENERATIONS`].
    pub(crate) generation: AtomicU8,
    policy: PhantomData<P>,
}

/// What a probe found, and where to write what will be known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Probe {
    /// A copy of the position's entry.
    Hit(Entry, Slot),
    /// The position is not in the table.
    Miss(Slot),
}

impl Probe {
    /// The entry, if there is one.
    #[inline(always)]
    pub fn entry(self) -> Option<Entry> {
        match self {
            Probe::Hit(entry, _) => Some(entry),
            Probe::Miss(_) => None,
        }
    }

    /// Where to write.
    #[inline(always)]
    pub fn slot(self) -> Slot {
        match self {
            Probe::Hit(_, slot) | Probe::Miss(slot) => slot,
        }
    }
}

/// The place of a position in the table from which it came: plain data that may be kept in a node.
/// After a change of the table's size it is worthless, but harmless.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    key: Key,
    line: usize,
}

impl Slot {
    /// The key of the position.
    #[inline(always)]
    pub fn key(self) -> u64 {
        self.key
    }
}

impl<P: Policy> Table<P> {
    /// An empty table of a size in megabytes (2²⁰ bytes). Policies that want a power of two take the
    /// greatest one that is not larger.
    pub fn new(megabytes: u64) -> Result<Table<P>, TableError> {
        Table::with_lines(Table::<P>::lines_of(megabytes)?)
    }

    /// An empty table of a size in kilobytes, at least one line: a processor's share of a larger one.
    pub fn with_kilobytes(kilobytes: u64) -> Result<Table<P>, TableError> {
        let lines = kilobytes.saturating_mul(1024) / LINE_BYTES as u64;
        Table::with_lines(P::lines(usize::try_from(lines).unwrap_or(usize::MAX).max(1)))
    }

    /// An empty table with room for `entries` entries, or for the greatest number below that its policy
    /// can do with: for experiments with the small tables of the papers (M35: eight thousand).
    pub fn with_entries(entries: usize) -> Result<Table<P>, TableError> {
        match P::lines(entries / P::Line::PLACES) {
            0 => Err(TableError::Size { megabytes: 0 }),
            lines => Table::with_lines(lines),
        }
    }

    /// A table in common with other processes of the host; empty for the one who lends it. Both must ask
    /// for the same size.
    pub fn in_common(megabytes: u64, common: Common<'_>) -> Result<Table<P>, TableError> {
        let memory = Memory::in_common(Table::<P>::lines_of(megabytes)?, common)?;
        Ok(Table { memory, generation: AtomicU8::new(0), policy: PhantomData })
    }

    /// Whether other processes may use it too.
    pub fn is_in_common(&self) -> bool {
        self.memory.is_in_common()
    }

    /// Whether its memory is another process's.
    pub fn is_borrowed(&self) -> bool {
        self.memory.is_borrowed()
    }

    pub(crate) fn with_lines(lines: usize) -> Result<Table<P>, TableError> {
        let memory = Memory::new(lines)?;
        Ok(Table { memory, generation: AtomicU8::new(0), policy: PhantomData })
    }

    fn lines_of(megabytes: u64) -> Result<usize, TableError> {
        let lines = megabytes
            .checked_mul((1 << 20) / LINE_BYTES as u64)
            .and_then(|lines| usize::try_from(lines).ok())
            .filter(|&lines| lines > 0)
            .ok_or(TableError::Size { megabytes })?;
        Ok(P::lines(lines))
    }

    /// Changes the size and forgets everything. A table that has the size already keeps its content;
    /// so it does, with its old size, when there is no memory for the new one.
    pub fn resize(&mut self, megabytes: u64) -> Result<(), TableError> {
        let lines = Table::<P>::lines_of(megabytes)?;
        if lines != self.memory.len() {
            *self = Table::with_lines(lines)?;
        }
        Ok(())
    }

    /// Which policy it follows.
    pub fn policy(&self) -> PolicyKind {
        P::KIND
    }

    /// Its size in bytes.
    pub fn bytes(&self) -> u64 {
        (self.memory.len() * LINE_BYTES) as u64
    }

    /// How many positions it has room for.
    pub fn capacity(&self) -> u64 {
        (self.memory.len() * P::Line::PLACES) as u64
    }

    /// Looks a position up.
    #[inline(always)]
    pub fn probe(&self, key: Key) -> Probe {
        let slot = self.slot(key);
        match self.memory.get(slot.line).and_then(|line| P::find(line, key)) {
            Some(word) => Probe::Hit(word.entry(), slot),
            None => Probe::Miss(slot),
        }
    }

    /// The place of a position, to store without having probed.
    #[inline(always)]
    pub fn slot(&self, key: Key) -> Slot {
        Slot { key, line: P::line(key, self.memory.len()) }
    }

    /// Stores what is known about a position, if the policy lets it in.
    #[inline(always)]
    pub fn store(&self, slot: Slot, entry: Entry) {
        if let Some(line) = self.memory.get(slot.line) {
            P::store(line, slot.key, Word::pack(entry, self.generation.load(Relaxed)));
        }
    }

    /// Asks the CPU to load what [`Table::probe`] will need.
    #[inline(always)]
    pub fn prefetch(&self, key: Key) {
        if let Some(line) = self.memory.get(self.slot(key).line) {
            board::prefetch(line);
        }
    }

    /// Says that a new search begins: what is stored from now on is younger than what is there.
    pub fn new_search(&self) {
        let next = (self.generation.load(Relaxed) + 1) % Word::GENERATIONS;
        self.generation.store(next, Relaxed);
    }

    /// Takes over what a table of the same size holds; from one of another size nothing.
    pub fn copy_from(&self, other: &Table<P>) {
        if self.memory.len() == other.memory.len() {
            let lines = self.memory.iter().zip(other.memory.iter());
            lines.for_each(|(own, line)| own.set_words(line.to_words()));
            self.generation.store(other.generation.load(Relaxed), Relaxed);
        }
    }

    /// How full the table is with entries of the present search, in thousandths, from a sample.
    pub fn hashfull(&self) -> u16 {
        const SAMPLE: usize = 256;
        let generation = self.generation.load(Relaxed);
        let sample = &self.memory[..self.memory.len().min(SAMPLE)];
        let used: usize = sample.iter().map(|line| P::used(line, generation)).sum();
        (used * 1000 / (sample.len() * P::Line::PLACES)) as u16
    }

    /// Forgets everything, with a number of threads; after this a search goes as in a new table. It
    /// also makes the system provide all of the memory. For the time between searches: a thread
    /// that stores meanwhile leaves entries behind. What is borrowed the lender forgets, who may have
    /// begun to use it again: here only the generations begin anew.
    pub fn clear(&self, threads: usize) {
        self.generation.store(0, Relaxed);
        if self.is_borrowed() {
            return self.touch(threads);
        }
        // What is blank already is only read, which is cheaper; but one line of each page is written, as a
        // page that was only ever read is not there yet.
        self.with_threads(threads, |lines| {
            for page in lines.chunks(PAGE_LINES) {
                page[0].set_words([0; 8]);
                page.iter().filter(|line| !line.is_blank()).for_each(|line| line.set_words([0; 8]));
            }
        });
    }

    /// Makes the system provide all of the memory now, with a number of threads, and changes nothing in it:
    /// pages that a search has to wait for make it many times slower, and blind to its clock. Others may
    /// use the table meanwhile.
    pub fn touch(&self, threads: usize) {
        self.touch_from(threads, |_| ());
    }

    /// The same; each of the threads first calls `begin` with its number. The system puts a page where it is
    /// touched first, so threads that are bound to several nodes spread the table over their memory.
    pub fn touch_from(&self, threads: usize, begin: impl Fn(usize) + Sync) {
        let number = AtomicUsize::new(0);
        self.with_threads(threads, |lines| {
            begin(number.fetch_add(1, Relaxed));
            lines.iter().step_by(PAGE_LINES).for_each(Line::touch);
        });
    }

    /// Does something to all lines, with a number of threads, each from the beginning of a page on.
    fn with_threads(&self, threads: usize, work: impl Fn(&[P::Line]) + Sync) {
        // A thread for less than a megabyte would cost more than it saves.
        let lines = self.memory.len();
        let share = lines.div_ceil(threads.max(1)).max((1 << 20) / LINE_BYTES);
        let (own, others) = self.memory.split_at(share.next_multiple_of(PAGE_LINES).min(lines));
        thread::scope(|scope| {
            for lines in others.chunks(own.len()) {
                // Where the system gives no more threads, this one does the work.
                let work = &work;
                if thread::Builder::new().spawn_scoped(scope, move || work(lines)).is_err() {
                    work(lines);
                }
            }
            work(own);
        });
    }
}

impl<P: Policy> fmt::Debug for Table<P> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Table({}, {} bytes)", P::KIND, self.bytes())
    }
}
