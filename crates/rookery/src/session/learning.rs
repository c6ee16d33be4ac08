//! `Learning` and its options: what the console keeps from game to game (M18).

use super::{CommandError, Session, refuse};
use crate::counted::counted;
use crate::learning::{self, Learning};
use crate::uci::{Setting, Value};
use std::io::Write;
use std::path::{Path, PathBuf};

/// What was set.
#[derive(Clone, Debug, PartialEq)]
pub struct Lessons {
    is_on: bool,
    file: PathBuf,
    least_depth: i64,
    megabytes: i64,
}

impl Default for Lessons {
    fn default() -> Lessons {
        Lessons {
            is_on: false,
            file: PathBuf::new(),
            least_depth: learning::DEFAULT_DEPTH,
            megabytes: learning::DEFAULT_SIZE_MB,
        }
    }
}

impl Lessons {
    /// The file in which results are kept, if they are.
    pub fn open_file(&self) -> Option<&Path> {
        (self.is_on && !self.file.as_os_str().is_empty()).then_some(&self.file)
    }
}

impl Session {
    /// Sets one of the options and does what follows from it. What is refused changes nothing.
    pub fn set_learning(
        &mut self,
        setting: Setting,
        value: Value,
        out: &mut impl Write,
    ) -> Result<(), CommandError> {
        let before = self.options.learning.clone();
        let lessons = &mut self.options.learning;
        match (setting, value) {
            (Setting::Learning, Value::Flag(on)) => lessons.is_on = on,
            (Setting::LearningFile, Value::Text(path)) => lessons.file = path.into(),
            (Setting::LearningSize, Value::Number(size)) => lessons.megabytes = size,
            (Setting::LearningDepth, Value::Number(depth)) => {
                lessons.least_depth = depth;
                if let Some(learning) = self.engine().learning() {
                    learning.set_depth(depth as i32);
                }
                return Ok(());
            }
            _ => return Ok(()),
        }
        if *lessons == before {
            return Ok(());
        }
        let outcome = self.resume_learning(out);
        if outcome.is_err() {
            self.options.learning = before;
            // What was open before can be opened again; where not, that was told already.
            let _ = self.resume_learning(&mut std::io::sink());
        }
        outcome
    }

    /// Opens the file anew, if there is to be learning.
    pub fn resume_learning(&mut self, out: &mut impl Write) -> Result<(), CommandError> {
        let Lessons { is_on, ref file, least_depth, megabytes } = self.options.learning;
        let mut engine = self.engine();
        // Closed first: it may be the same file.
        engine.set_learning(None);
        if !is_on {
            return Ok(());
        }
        if file.as_os_str().is_empty() {
            let line = "info string Learning: set LearningFile, where results are kept";
            return Ok(writeln!(out, "{line}")?);
        }
        let stamp = engine.learning_stamp();
        match Learning::open(file, stamp, megabytes.unsigned_abs(), least_depth as i32) {
            Ok(learning) => {
                let positions = counted(learning.len(), "position");
                write!(out, "info string learning file {file:?}: {positions}")?;
                match learning.damaged() {
                    0 => writeln!(out)?,
                    count => writeln!(out, ", {} dropped", counted(count, "damaged record"))?,
                }
                engine.set_learning(Some(learning));
                Ok(())
            }
            Err(reason) => refuse(format!("setoption: {reason}")),
        }
    }
}
