//! The options about endings: which tables are opened, and how they are used (D63, D65).

use super::list::{Setting, Value};
use crate::counted::counted;
use crate::session::{CommandError, Session, refuse};
use endgame::syzygy::Syzygy;
use endgame::{Oracle, Tables, Usage};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What was set, but for the tables, which the engine keeps open.
#[derive(Clone, Debug, PartialEq)]
pub struct Knowledge {
    recognisers: bool,
    usage: Usage,
    /// The folder of our own tables, and those of Syzygy's, as they were given.
    own: String,
    syzygy: String,
}

impl Default for Knowledge {
    fn default() -> Knowledge {
        let (own, syzygy) = (String::new(), String::new());
        Knowledge { recognisers: true, usage: Usage::default(), own, syzygy }
    }
}

impl Knowledge {
    /// The folders of all tables that are open.
    pub fn folders(&self) -> impl Iterator<Item = PathBuf> {
        let own = Some(PathBuf::from(&self.own)).filter(|folder| !folder.as_os_str().is_empty());
        std::env::split_paths(&self.syzygy).chain(own)
    }

    /// Who knows endings before any table is opened.
    pub fn without_tables(&self) -> Oracle {
        Oracle::new(None, None, self.recognisers, self.usage)
    }
}

impl Session {
    /// Sets one of the options about endings. Tables that are open stay so unless others take their place:
    /// a folder without any is refused.
    pub(super) fn set_knowledge(
        &mut self,
        setting: Setting,
        value: Value,
        out: &mut impl Write,
    ) -> Result<(), CommandError> {
        let before = self.engine().shared_oracle();
        let before = before.unwrap_or_else(|| Arc::new(self.options.knowledge.without_tables()));
        let knowledge = &mut self.options.knowledge;
        let oracle = match (setting, value) {
            (Setting::SyzygyPath, Value::Text(path)) => {
                let tables = open_syzygy(&path, out)?;
                knowledge.syzygy = path;
                before.with_syzygy(tables)
            }
            (Setting::EndgamePath, Value::Text(path)) => {
                let tables = open_own(&path, out)?;
                knowledge.own = path;
                before.with_own(tables)
            }
            (setting, value) => {
                match (setting, value) {
                    (Setting::SyzygyProbeDepth, Value::Number(depth)) => {
                        knowledge.usage.depth = depth as i32;
                    }
                    (Setting::Syzygy50MoveRule, Value::Flag(on)) => {
                        knowledge.usage.fifty_moves = on;
                    }
                    (Setting::SyzygyProbeLimit, Value::Number(men)) => {
                        knowledge.usage.men = men as u32;
                    }
                    (Setting::Recognisers, Value::Flag(on)) => knowledge.recognisers = on,
                    // The other pairs do not exist: a value is read by its option's kind.
                    _ => (),
                }
                before.with_usage(knowledge.recognisers, knowledge.usage)
            }
        };
        self.engine().set_oracle(Some(Arc::new(oracle)));
        Ok(())
    }
}

/// Opens tables of our own; what was found and what was wrong is told line by line. None for no path.
fn open_own(path: &str, out: &mut impl Write) -> Result<Option<Tables>, CommandError> {
    if path.is_empty() {
        return Ok(None);
    }
    let tables = match Tables::open(Path::new(path)) {
        Ok(tables) => tables,
        Err(fault) => return refuse(format!("EndgamePath: {fault}: nothing has changed")),
    };
    for fault in tables.faults() {
        writeln!(out, "info string error not used: {fault}")?;
    }
    match tables.files().len() {
        0 => refuse(format!("EndgamePath: no tables in {path}: nothing has changed")),
        count => {
            writeln!(out, "info string EndgamePath: {} found", counted(count, "table"))?;
            Ok(Some(tables))
        }
    }
}

/// The same for Syzygy tables.
fn open_syzygy(path: &str, out: &mut impl Write) -> Result<Option<Syzygy>, CommandError> {
    if path.is_empty() {
        return Ok(None);
    }
    let tables = Syzygy::open(path);
    let faults = tables.faults();
    match (tables.most_men(), faults) {
        (0, []) => refuse(format!("SyzygyPath: no tables in {path}: nothing has changed")),
        (0, faults) => {
            let faults = faults.join("; ");
            refuse(format!("SyzygyPath: {faults}: nothing has changed"))
        }
        (men, faults) => {
            for fault in faults {
                writeln!(out, "info string error SyzygyPath: {fault}")?;
            }
            writeln!(out, "info string SyzygyPath: tables of up to {men} men found")?;
            Ok(Some(tables))
        }
    }
}
