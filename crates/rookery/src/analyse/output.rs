//! Where the results go: the standard output, or a file that a killed run goes on with.
//!
//! A file is written under another name (`FILE.part`) beside a journal (`FILE.journal`) and gets its
//! own when it is whole; the journal goes then. What the journal speaks of has reached the disk before.
//! A run that finds both goes on behind the last mark: what was written after it is cut off and done
//! again. Only a plain file is ever replaced, and neither of the two others is written through a link,
//! nor any of the three over what is being read.

use super::journal::{self, Comparison, Content, Mark};
use crate::failure::Failure;
use crate::input;
use files::Digest;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The time between two marks: at most this much work is lost when the program is killed.
const MARK_INTERVAL: Duration = Duration::from_millis(250);

/// An output that is begun.
const NOTHING: Comparison = Comparison { last: (Mark::NOTHING, 0), is_damaged: false };

/// A file in the making.
pub struct Output {
    path: PathBuf,
    part: BufWriter<File>,
    journal: File,
    bytes: u64,
    /// The digest of these bytes.
    written: Digest,
    /// What the source said behind the last task that was written and not marked yet.
    unmarked: Option<(u64, u64)>,
    /// How many tasks the last mark speaks of.
    marked: u64,
    last_mark: Instant,
}

impl Output {
    /// Begins a file, or goes on with it; says how far it is, and whether what follows is damaged. The
    /// words name what is read.
    pub fn open(
        path: &Path,
        settings: &str,
        anew: bool,
        inputs: &[String],
    ) -> Result<(Output, Mark, bool), Failure> {
        let (part_path, journal_path) = (beside(path, ".part"), beside(path, ".journal"));
        for path in [path, &part_path, &journal_path] {
            input::refuse_output("--output", path, inputs)?;
        }
        check_free(path, anew || part_path.exists())?;
        let mut journal = open_file(&journal_path)?;
        lock(&journal, path)?;
        let mut part = open_file(&part_path)?;
        let Comparison { last: (mark, journal_length), is_damaged } = match anew {
            true => NOTHING,
            false => find_mark(&mut journal, &journal_path, &mut part, &part_path, settings)?,
        };
        let mut output = Output {
            path: path.to_owned(),
            part: BufWriter::new(part),
            journal,
            bytes: mark.bytes,
            written: mark.written,
            unmarked: None,
            marked: mark.tasks,
            last_mark: Instant::now(),
        };
        output
            .begin(mark, journal_length, settings)
            .map_err(|error| cannot_write(&journal_path, &error))?;
        Ok((output, mark, is_damaged))
    }

    /// Cuts off what lies behind the mark in both files, and writes the journal's head if it has none.
    fn begin(&mut self, mark: Mark, journal_length: u64, settings: &str) -> io::Result<()> {
        let part = self.part.get_mut();
        part.set_len(mark.bytes)?;
        part.seek(SeekFrom::Start(mark.bytes))?;
        self.journal.set_len(journal_length)?;
        self.journal.seek(SeekFrom::Start(journal_length))?;
        if journal_length == 0 {
            self.journal.write_all(journal::head(settings).as_bytes())?;
        }
        self.journal.sync_data()
    }

    /// Writes the results of the next task; `passed` is what the source said behind it.
    pub fn write(&mut self, text: &str, passed: (u64, u64)) -> Result<(), Failure> {
        self.part
            .write_all(text.as_bytes())
            .map_err(|error| cannot_write(&beside(&self.path, ".part"), &error))?;
        self.bytes += text.len() as u64;
        self.written.add(text.as_bytes());
        self.unmarked = Some(passed);
        self.settle()
    }

    /// Marks what was written, if it is time. To be called now and then.
    pub fn settle(&mut self) -> Result<(), Failure> {
        match self.unmarked {
            Some(passed) if self.last_mark.elapsed() >= MARK_INTERVAL => {
                self.mark(passed).map_err(|error| cannot_write(&self.path, &error))
            }
            _ => Ok(()),
        }
    }

    /// Notes how far the output is, once it is so far.
    fn mark(&mut self, (tasks, digest): (u64, u64)) -> io::Result<()> {
        self.part.flush()?;
        self.part.get_ref().sync_data()?;
        let mark = Mark { tasks, digest, bytes: self.bytes, written: self.written };
        self.journal.write_all(mark.line().as_bytes())?;
        (self.unmarked, self.marked, self.last_mark) = (None, tasks, Instant::now());
        Ok(())
    }

    /// Everything is written: the file gets its name.
    pub fn finish(mut self) -> Result<(), Failure> {
        self.complete().map_err(|error| cannot_write(&self.path, &error))
    }

    fn complete(&mut self) -> io::Result<()> {
        self.part.flush()?;
        self.part.get_ref().sync_all()?;
        files::refuse_special(&self.path)?;
        fs::rename(beside(&self.path, ".part"), &self.path)?;
        fs::remove_file(beside(&self.path, ".journal"))?;
        files::sync_folder(&self.path)
    }

    /// The run fails: what there is stays for the next, unless it is nothing. Says so.
    pub fn give_up(self, unit: &str) -> Option<String> {
        if self.bytes == 0 {
            // What cannot be removed stays.
            let _ = fs::remove_file(beside(&self.path, ".part"));
            let _ = fs::remove_file(beside(&self.path, ".journal"));
            return None;
        }
        let kept = self.keep(unit).ok()?;
        Some(format!("{kept}; when that is mended, the same command goes on behind them"))
    }

    /// The run ends before everything is written: what there is stays for the next. Says so.
    pub fn suspend(self, unit: &str) -> Result<String, Failure> {
        Ok(format!("interrupted: {}; the same command goes on", self.keep(unit)?))
    }

    /// Marks what there is: `180 games are in annotated.pgn.part`.
    fn keep(mut self, unit: &str) -> Result<String, Failure> {
        if let Some(passed) = self.unmarked {
            self.mark(passed).map_err(|error| cannot_write(&self.path, &error))?;
        }
        let (tasks, path) = (self.marked, self.path.display());
        let units = if tasks == 1 { format!("{unit} is") } else { format!("{unit}s are") };
        Ok(format!("{tasks} {units} in {path}.part"))
    }
}

/// Whether a file may be written: it is not there, or may be replaced.
pub fn check_free(path: &Path, anew: bool) -> Result<(), Failure> {
    let name = path.display();
    files::refuse_special(path)
        .map_err(|error| Failure::Usage(format!("--output: {name}: {error}")))?;
    match path.exists() && !anew {
        true => Err(Failure::Usage(format!("{name} is there already: --overwrite replaces it"))),
        false => Ok(()),
    }
}

/// A path with something behind its name.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// The failure to write a file.
pub fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::Work(format!("cannot write {}: {error}", path.display()))
}

/// Opens a file for reading and writing as it is, or creates it.
fn open_file(path: &Path) -> Result<File, Failure> {
    files::edit(path).map_err(|error| cannot_write(path, &error))
}

/// One run at a time. The system takes the lock back when a process ends, however it does.
fn lock(journal: &File, path: &Path) -> Result<(), Failure> {
    match journal.try_lock() {
        Err(TryLockError::WouldBlock) => {
            Err(Failure::Work(format!("another run is writing {}", path.display())))
        }
        // Not every file system has locks: there the user has to take care.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

/// The mark to go on from, and the length of the journal up to it.
fn find_mark(
    journal: &mut File,
    journal_path: &Path,
    part: &mut File,
    part_path: &Path,
    settings: &str,
) -> Result<Comparison, Failure> {
    let fail = |path: &Path, reason: String| {
        let path = path.display();
        Failure::Work(format!("cannot go on with {path}: {reason}; --overwrite begins anew"))
    };
    let mut text = Vec::new();
    journal.read_to_end(&mut text).map_err(|error| fail(journal_path, error.to_string()))?;
    let bytes = part.metadata().map_err(|error| fail(part_path, error.to_string()))?.len();
    match Content::read(&text).map_err(|reason| fail(journal_path, reason))? {
        // The journal's head is written before anything else: a file without one is not ours.
        None if bytes > 0 => Err(fail(part_path, "its journal is missing".to_owned())),
        None => Ok(NOTHING),
        Some(content) if content.settings == settings => {
            content.compare(part).map_err(|error| fail(part_path, error.to_string()))
        }
        Some(content) => {
            let reason = format!("it was begun with `{}`, not `{settings}`", content.settings);
            Err(fail(part_path, reason))
        }
    }
}
