//! `savetable` and `loadtable`: what was learnt survives the program.

use super::{CommandError, Session, refuse};
use std::io::Write;
use std::path::PathBuf;

impl Session {
    /// `savetable [FILE]`: writes the table to the file, or to the one of the option `TableFile`.
    pub fn save_table(&mut self, words: &[&str], out: &mut impl Write) -> Result<(), CommandError> {
        let path = self.table_path("savetable", words)?;
        let engine = self.engine();
        let size = engine.hash_mb();
        let saved = engine.save_table(&path);
        drop(engine);
        saved.or_else(|reason| refuse(format!("savetable: {reason}")))?;
        Ok(writeln!(out, "info string table of {size} MB saved to {path:?}")?)
    }

    /// `loadtable [FILE]`: takes the table of a file over, with its size.
    pub fn load_table(&mut self, words: &[&str], out: &mut impl Write) -> Result<(), CommandError> {
        let path = self.table_path("loadtable", words)?;
        let mut engine = self.engine();
        let loaded = engine.load_table(&path);
        let size = engine.hash_mb();
        drop(engine);
        loaded.or_else(|reason| refuse(format!("loadtable: {reason}")))?;
        Ok(writeln!(out, "info string table of {size} MB loaded from {path:?}")?)
    }

    fn table_path(&self, command: &str, words: &[&str]) -> Result<PathBuf, CommandError> {
        let path = match words {
            [] => self.options.table_file.clone(),
            words => words.join(" ").into(),
        };
        match path.as_os_str().is_empty() {
            true => refuse(format!("{command}: name a file, or set the option TableFile")),
            false => Ok(path),
        }
    }
}
