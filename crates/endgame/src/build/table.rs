//! One table from the first look to the last level.

use super::checkpoint::Checkpoint;
use super::en_passant::EnPassant;
use super::first::{FirstLook, Frame, Seen};
use super::levels::{GoBack, Hear};
use super::memory::{CHUNK, Memory, for_chunks};
use super::plan::{Halt, Options, Phase};
use super::successor::Successors;
use crate::file::Cells;
use crate::layout::Layout;
use crate::value::{Metric, cell};
use board::Color;
use board::attacks::dispatch;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// Positions on the way of a double step, worked on together.
const EN_PASSANT_CHUNK: usize = 1 << 12;

/// A table while it is being built.
pub struct TableBuild<'a> {
    layout: &'a Layout,
    memory: Memory,
    en_passant: Vec<EnPassant>,
    legal: u64,
    decided: u64,
    level: u16,
}

impl Cells for TableBuild<'_> {
    fn size(&self) -> usize {
        self.layout.size()
    }

    fn cell(&self, side: usize, index: usize) -> u16 {
        self.memory.get(side, index)
    }

    fn weight(&self, index: usize) -> u64 {
        self.layout.weight(index)
    }
}

impl<'a> TableBuild<'a> {
    /// Builds a table, or goes on with one. Stopped between two levels, it saves its state if states are
    /// saved at all.
    pub fn build(
        layout: &'a Layout,
        metric: Metric,
        successors: &Successors,
        options: &Options<'_>,
        checkpoint: &Checkpoint,
    ) -> Result<TableBuild<'a>, Halt> {
        let mut table = TableBuild {
            layout,
            memory: Memory::new(layout.size()),
            en_passant: Vec::new(),
            legal: 0,
            decided: 0,
            level: 0,
        };
        let frame = Frame { layout, successors, metric };
        match checkpoint.load(&table.memory) {
            Ok(Some(state)) => {
                (table.level, table.legal, table.decided) =
                    (state.level, state.legal, state.decided);
                table.en_passant = state.en_passant;
            }
            Ok(None) => table.look_first(frame, options)?,
            Err(_) => {
                // A damaged state may have been read in part: begin again.
                table.memory = Memory::new(layout.size());
                table.look_first(frame, options)?;
            }
        }
        table.go_back(options, checkpoint)?;
        Ok(table)
    }

    fn look_first(&mut self, frame: Frame<'_>, options: &Options<'_>) -> Result<(), Halt> {
        let chunks = self.layout.size().div_ceil(CHUNK);
        let done = AtomicU64::new(0);
        let all = (2 * chunks) as u64;
        for side in Color::ALL {
            let memory = &self.memory;
            let seen: Vec<Seen> = for_chunks(chunks, options.threads, |chunk| {
                if options.is_stopped() {
                    return Seen::default();
                }
                let seen = dispatch(FirstLook { frame, memory, side, chunk });
                options.tell(Phase::FirstLook, done.fetch_add(1, Relaxed) + 1, all);
                seen
            });
            for part in seen {
                self.legal += part.legal;
                self.en_passant.extend(part.en_passant);
            }
        }
        if options.is_stopped() { Err(Halt::Interrupted) } else { Ok(()) }
    }

    fn go_back(&mut self, options: &Options<'_>, checkpoint: &Checkpoint) -> Result<(), Halt> {
        let chunks = self.layout.size().div_ceil(CHUNK);
        let mut saved = Instant::now();
        while self.level <= self.highest() {
            let level = self.level;
            if level > cell::HIGHEST {
                let line = format!("{}: wins of more than 127 moves", self.layout.ending);
                return Err(Halt::Fault(line));
            }
            if options.is_stopped() {
                return Err(self.interrupt(options, checkpoint));
            }
            // A level that was begun is finished, unless nothing of it would be kept.
            let in_vain = || options.checkpoint.is_none() && options.is_stopped();
            self.pass(level, options.threads);
            let decided = AtomicU64::new(self.decided);
            for side in Color::ALL {
                let (layout, memory) = (self.layout, &self.memory);
                for_chunks(chunks, options.threads, |chunk| {
                    if in_vain() {
                        return;
                    }
                    let count = dispatch(GoBack { layout, memory, side, chunk, level });
                    let sum = decided.fetch_add(count, Relaxed) + count;
                    if count > 0 {
                        options.tell(Phase::Levels(level), sum, self.legal);
                    }
                });
            }
            self.decided = decided.into_inner();
            self.level += 1;
            if options.checkpoint.is_some_and(|interval| saved.elapsed() >= interval) {
                self.save(checkpoint)?;
                saved = Instant::now();
            }
        }
        Ok(())
    }

    fn save(&self, checkpoint: &Checkpoint) -> Result<(), String> {
        checkpoint.save(&self.memory, &self.en_passant, [self.legal, self.decided], self.level)
    }

    /// Keeps what is done of a build that is being stopped after a level.
    pub fn interrupt(&self, options: &Options<'_>, checkpoint: &Checkpoint) -> Halt {
        let saved = options.checkpoint.map_or(Ok(()), |_| self.save(checkpoint));
        saved.map_or_else(Halt::Fault, |()| Halt::Interrupted)
    }

    fn highest(&self) -> u16 {
        let en_passant = self.en_passant.iter().filter_map(EnPassant::pending);
        en_passant.fold(self.memory.highest(), u16::max)
    }

    /// Works on the positions with rights to capture en passant.
    fn pass(&mut self, level: u16, threads: usize) {
        let memory = &self.memory;
        let parts: Vec<_> =
            self.en_passant.chunks_mut(EN_PASSANT_CHUNK).map(std::sync::Mutex::new).collect();
        for_chunks(parts.len(), threads, |part| {
            let mut part = parts[part].lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            for en_passant in part.iter_mut() {
                let side = en_passant.side();
                if en_passant.advance(memory.get(side, en_passant.index as usize), level) {
                    let mut hearer = memory;
                    hearer.hear(1 - side, en_passant.before as usize, level, 1);
                }
            }
        });
    }
}
