//! The tables of endings that an analysis may ask: our own and Syzygy's.

use crate::arguments::AnalyseArguments;
use crate::failure::Failure;
use endgame::syzygy::Syzygy;
use endgame::{Oracle, Tables, Usage};
use search::Profile;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// Who knows endings, and what is said about it.
#[derive(Default)]
pub struct Knowledge {
    /// Asked by the search; nobody where no tables are given.
    pub oracle: Option<Arc<Oracle>>,
    /// `, own tables of up to 4 men`; empty where there are none.
    pub words: String,
}

impl Knowledge {
    /// Opens the tables that were asked for. A folder without any is an error: whoever names one wants
    /// it used.
    pub fn open(arguments: &AnalyseArguments) -> Result<Knowledge, Failure> {
        let (own, syzygy) = (arguments.tables.as_deref(), arguments.syzygy.as_deref());
        if own.is_none() && syzygy.is_none() {
            return Ok(Knowledge::default());
        }
        if !matches!(arguments.profile, Profile::Modern | Profile::DarkSight) {
            let (option, profile) =
                (if own.is_some() { "tables" } else { "syzygy" }, arguments.profile);
            let reason = format!("--{option}: the profile {profile} does not know endings");
            return Err(Failure::Usage(reason));
        }
        let mut words = String::new();
        let own = own.map(open_own).transpose()?;
        if let Some(tables) = &own {
            words += &format!(", own tables of up to {} men", tables.most_men());
        }
        let syzygy = syzygy.map(open_syzygy).transpose()?;
        if let Some(tables) = &syzygy {
            words += &format!(", Syzygy tables of up to {} men", tables.most_men());
        }
        let oracle = Some(Arc::new(Oracle::new(own, syzygy, true, Usage::default())));
        Ok(Knowledge { oracle, words })
    }
}

fn open_own(folder: &Path) -> Result<Tables, Failure> {
    let usage = |reason: String| Failure::Usage(format!("--tables: {reason}"));
    let tables = Tables::open(folder).map_err(usage)?;
    for fault in tables.faults() {
        // Only for whoever watches.
        let _ = writeln!(std::io::stderr(), "rookery: --tables: not used: {fault}");
    }
    match tables.files().is_empty() {
        true => Err(usage(format!(
            "{} holds no tables; `rookery endgame build` makes them",
            folder.display()
        ))),
        false => Ok(tables),
    }
}

fn open_syzygy(folders: &str) -> Result<Syzygy, Failure> {
    let usage = |reason: String| Failure::Usage(format!("--syzygy: {reason}"));
    let tables = Syzygy::open(folders);
    match (tables.faults().first(), tables.most_men()) {
        (Some(fault), _) => Err(usage(fault.clone())),
        (None, 0) => Err(usage(format!("{folders} holds no tables"))),
        _ => Ok(tables),
    }
}
