//! Where answers go: shared by the console and the search, whole lines at a time. All that is said and
//! heard may be written to a file as well (`Debug Log File`).

use std::fmt::Display;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A place for lines. Clones write to the same place.
#[derive(Clone)]
pub struct Output(Arc<Mutex<Ends<dyn Write + Send>>>);

/// The writer and the log. The writer is last: it may be of any size.
struct Ends<W: ?Sized> {
    log: Option<File>,
    /// Why there is no log any more, until it has been told.
    fault: Option<String>,
    /// Why a line could not be written: the first that was lost.
    lost: Option<io::Error>,
    writer: W,
}

impl Output {
    /// Lines go to this writer.
    pub fn new(writer: impl Write + Send + 'static) -> Output {
        Output(Arc::new(Mutex::new(Ends { log: None, fault: None, lost: None, writer })))
    }

    /// Writes one line.
    pub fn line(&self, line: impl Display) -> io::Result<()> {
        self.send(format!("{line}\n").as_bytes())
    }

    /// Writes one line, unless it has become unwanted. This is asked under the lock, so that whatever is
    /// written after the change has the last word.
    pub fn line_unless(
        &self,
        line: impl Display,
        unwanted: impl FnOnce() -> bool,
    ) -> io::Result<()> {
        let mut ends = self.lock();
        if unwanted() {
            return Ok(());
        }
        ends.send(format!("{line}\n").as_bytes())
    }

    /// Writes whole lines, and no others between them. Nothing stays behind in a buffer.
    pub fn send(&self, lines: &[u8]) -> io::Result<()> {
        match lines.is_empty() {
            true => Ok(()),
            false => self.lock().send(lines),
        }
    }

    /// Notes a line that was heard in the log, if there is one.
    pub fn heard(&self, line: &str) {
        self.lock().note(">> ", line.as_bytes());
    }

    /// Logs to the end of this file from now on, or to none.
    pub fn log_to(&self, path: Option<&Path>) -> io::Result<()> {
        let file = path.map(files::append).transpose()?;
        let mut ends = self.lock();
        (ends.log, ends.fault) = (file, None);
        Ok(())
    }

    /// Whether the log goes to this file.
    pub fn logs_to(&self, path: &Path) -> bool {
        self.lock().log.as_ref().is_some_and(|log| files::is_at(log, path))
    }

    /// Why the log has ended by itself, told once.
    pub fn take_log_fault(&self) -> Option<String> {
        self.lock().fault.take()
    }

    /// Why a line was lost, told once: the search that wanted to write it cannot tell. A reader that has
    /// stopped reading loses nothing that it wants.
    pub fn check(&self) -> io::Result<()> {
        self.lock().lost.take().map_or(Ok(()), Err)
    }

    fn lock(&self) -> MutexGuard<'_, Ends<dyn Write + Send + 'static>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<W: Write + ?Sized> Ends<W> {
    fn send(&mut self, lines: &[u8]) -> io::Result<()> {
        self.note("<< ", lines);
        let written = self.writer.write_all(lines).and_then(|()| self.writer.flush());
        if let Err(error) = &written
            && error.kind() != io::ErrorKind::BrokenPipe
        {
            let error = || io::Error::new(error.kind(), error.to_string());
            self.lost.get_or_insert_with(error);
        }
        written
    }

    /// Writes lines to the log with a mark before each. A log that cannot be written to ends: it must not
    /// disturb what it is about.
    fn note(&mut self, mark: &str, lines: &[u8]) {
        let Some(log) = &mut self.log else { return };
        let mut text = String::new();
        for line in String::from_utf8_lossy(lines).lines() {
            text.extend([mark, line.trim_end_matches('\r'), "\n"]);
        }
        if let Err(error) = log.write_all(text.as_bytes()) {
            (self.log, self.fault) = (None, Some(format!("Debug Log File: {error}: closed")));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Does not take anything.
    struct Full(io::ErrorKind);

    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_lost_line_is_told_once_and_a_reader_that_left_is_no_loss() {
        let output = Output::new(Full(io::ErrorKind::StorageFull));
        let clone = output.clone();
        assert!(clone.line_unless("bestmove e2e4", || false).is_err());
        assert!(output.check().is_err_and(|error| error.kind() == io::ErrorKind::StorageFull));
        assert!(output.check().is_ok());
        let output = Output::new(Full(io::ErrorKind::BrokenPipe));
        assert!(output.line("readyok").is_err() && output.check().is_ok());
    }
}
