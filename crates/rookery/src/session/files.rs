//! `savetable` and `loadtable`: what was learnt survives the program. And which files a session works
//! with, so that it writes over none of them.

use super::{CommandError, Session, refuse};
use std::io::Write;
use std::path::{Path, PathBuf};

impl Session {
    /// `savetable [FILE]`: writes the table to the file, or to the one of the option `TableFile`.
    pub fn save_table(&mut self, words: &[&str], out: &mut impl Write) -> Result<(), CommandError> {
        let path = self.table_path("savetable", words)?;
        if let Some(other) = self.use_of(&path).or(self.output.logs_to(&path).then_some("the log"))
        {
            return refuse(format!("savetable: {path:?} is {other}"));
        }
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
        self.loaded = Some(path.clone());
        Ok(writeln!(out, "info string table of {size} MB loaded from {path:?}")?)
    }

    /// `Debug Log File`: everything that is said and heard goes to the end of this file, too.
    pub fn set_log(&mut self, path: &str) -> Result<(), CommandError> {
        let file = (!path.is_empty()).then_some(Path::new(path));
        let is_table = |file: &Path| {
            let tables = [Some(&self.options.table_file), self.loaded.as_ref()];
            tables.into_iter().flatten().any(|table| files::same(table, file))
        };
        let other = file.and_then(|file| {
            self.use_of(file).or(is_table(file).then_some("the file of a saved table"))
        });
        if let Some(other) = other {
            return refuse(format!("setoption: Debug Log File {path:?} is {other}"));
        }
        let opened = self.output.log_to(file);
        opened.or_else(|error| refuse(format!("setoption: Debug Log File {path:?}: {error}")))
    }

    /// What a file is to this session, if the session reads it or keeps what it learns in it.
    fn use_of(&self, path: &Path) -> Option<&'static str> {
        let is = |file: Option<&Path>| file.is_some_and(|file| files::same(file, path));
        let is_inside = |folder: PathBuf| {
            let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
            entries.into_iter().any(|entry| files::same(&entry.path(), path))
        };
        if is(self.book.path()) {
            Some("the book that is open")
        } else if is(self.options.network_file()) {
            Some("the network that is open")
        } else if is(self.options.learning.open_file()) {
            Some("the learning file")
        } else if self.options.table_folders().any(is_inside) {
            Some("among the endgame tables that are open")
        } else {
            None
        }
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
