//! Answers for programs.

use serde::Serialize;
use std::io::{self, Write};

/// Writes one JSON object and ends the line.
pub fn write(value: &impl Serialize, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value).map_err(io::Error::from)?;
    writeln!(out)
}
