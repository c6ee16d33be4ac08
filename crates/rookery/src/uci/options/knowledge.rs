//! The options about endings: which tables are opened, and how they are used (D63, D65).

use super::list::{Setting, Value};
use crate::session::{Session, Trouble};
use endgame::syzygy::Syzygy;
use endgame::{Oracle, Tables, Usage};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// What was set.
#[derive(Clone, Debug, PartialEq)]
pub struct Knowledge {
    syzygy_path: String,
    endgame_path: String,
    recognisers: bool,
    usage: Usage,
}

impl Default for Knowledge {
    fn default() -> Knowledge {
        Knowledge {
            syzygy_path: String::new(),
            endgame_path: String::new(),
            recognisers: true,
            usage: Usage::default(),
        }
    }
}

impl Knowledge {
    /// Opens the tables; what was found and what was wrong is told line by line.
    pub fn open(&self, out: &mut impl Write) -> std::io::Result<Oracle> {
        let mut own = None;
        if !self.endgame_path.is_empty() {
            match Tables::open(Path::new(&self.endgame_path)) {
                Ok(tables) => {
                    let count = tables.files().len();
                    writeln!(out, "info string EndgamePath: {count} tables found")?;
                    for fault in tables.faults() {
                        writeln!(out, "info string error not used: {fault}")?;
                    }
                    own = Some(tables);
                }
                Err(fault) => writeln!(out, "info string error EndgamePath: {fault}")?,
            }
        }
        let mut syzygy = None;
        if !self.syzygy_path.is_empty() {
            let tables = Syzygy::open(&self.syzygy_path);
            for fault in tables.faults() {
                writeln!(out, "info string error SyzygyPath: {fault}")?;
            }
            let men = tables.most_men();
            writeln!(out, "info string SyzygyPath: tables of up to {men} men found")?;
            syzygy = Some(tables);
        }
        Ok(Oracle::new(own, syzygy, self.recognisers, self.usage))
    }
}

impl Session {
    /// Sets one of the options about endings and opens the tables anew.
    pub(super) fn set_knowledge(
        &mut self,
        setting: Setting,
        value: Value,
        out: &mut impl Write,
    ) -> Result<(), Trouble> {
        let knowledge = &mut self.options.knowledge;
        match (setting, value) {
            (Setting::SyzygyPath, Value::Text(path)) => knowledge.syzygy_path = path,
            (Setting::SyzygyProbeDepth, Value::Number(depth)) => {
                knowledge.usage.depth = depth as i32;
            }
            (Setting::Syzygy50MoveRule, Value::Flag(on)) => knowledge.usage.fifty_moves = on,
            (Setting::SyzygyProbeLimit, Value::Number(men)) => knowledge.usage.men = men as u32,
            (Setting::EndgamePath, Value::Text(path)) => knowledge.endgame_path = path,
            (Setting::Recognisers, Value::Flag(on)) => knowledge.recognisers = on,
            // The other pairs do not exist: a value is read by its option's kind.
            _ => (),
        }
        let oracle = Arc::new(self.options.knowledge.open(out)?);
        self.engine().set_oracle(Some(oracle));
        Ok(())
    }
}
