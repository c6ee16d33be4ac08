//! Where answers go: shared by the console and the search, whole lines at a time.

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// A place for lines. Clones write to the same place.
#[derive(Clone)]
pub struct Output(Arc<Mutex<dyn Write + Send>>);

impl Output {
    /// Lines go to this writer.
    pub fn new(writer: impl Write + Send + 'static) -> Output {
        Output(Arc::new(Mutex::new(writer)))
    }

    /// Writes one line.
    pub fn line(&self, line: impl Display) -> io::Result<()> {
        self.send(format!("{line}\n").as_bytes())
    }

    /// Writes one line, unless it has become unwanted: asked when nobody else writes any more, so that
    /// whatever is written after the change has the last word.
    pub fn line_unless(
        &self,
        line: impl Display,
        unwanted: impl FnOnce() -> bool,
    ) -> io::Result<()> {
        let mut writer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if unwanted() {
            return Ok(());
        }
        writer.write_all(format!("{line}\n").as_bytes())?;
        writer.flush()
    }

    /// Writes whole lines, and nobody else's between them. Nothing stays behind in a buffer.
    pub fn send(&self, lines: &[u8]) -> io::Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        let mut writer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        writer.write_all(lines)?;
        writer.flush()
    }
}
