//! The tables of endings that an analysis may ask: our own and Syzygy's.

use crate::arguments::AnalyseArguments;
use crate::failure::Failure;
use crate::plain;
use endgame::syzygy::Syzygy;
use endgame::{Oracle, Tables, Usage};
use std::path::Path;
use std::sync::Arc;

/// What an analysis knows about endings, and what is said about it.
#[derive(Default)]
pub struct Knowledge {
    /// Asked by the search; none where the profile does not know endings.
    pub oracle: Option<Arc<Oracle>>,
    /// `, own tables of up to 4 men`; empty where there are none.
    pub words: String,
    /// Tables that are not used, and why.
    pub faults: Vec<String>,
}

impl Knowledge {
    /// Opens the tables that were asked for. The recognisers are asked without any, as in a game.
    pub fn open(arguments: &AnalyseArguments) -> Result<Knowledge, Failure> {
        let (own, syzygy) = (arguments.tables.as_deref(), arguments.syzygy.as_deref());
        if !arguments.profile.knows_endings() {
            if own.is_none() && syzygy.is_none() {
                return Ok(Knowledge::default());
            }
            let (option, profile) =
                (if own.is_some() { "tables" } else { "syzygy" }, arguments.profile);
            let reason = format!("--{option}: the profile {profile} does not know endings");
            return Err(Failure::Usage(reason));
        }
        let knowledge = Knowledge::of_folders(own, syzygy).map_err(Failure::Usage)?;
        for fault in &knowledge.faults {
            // Only for a user who watches.
            plain::say(format_args!("--tables: not used: {fault}"));
        }
        Ok(knowledge)
    }

    /// Opens the tables of folders. One without any is an error: a user who names it wants it used.
    pub fn of_folders(own: Option<&Path>, syzygy: Option<&str>) -> Result<Knowledge, String> {
        let (mut words, mut faults) = (String::new(), Vec::new());
        let own = own.map(open_own).transpose()?;
        if let Some(tables) = &own {
            words += &format!(", own tables of up to {} men", tables.most_men());
            faults.extend(tables.faults().iter().map(ToString::to_string));
        }
        let syzygy = syzygy.map(open_syzygy).transpose()?;
        if let Some(tables) = &syzygy {
            words += &format!(", Syzygy tables of up to {} men", tables.most_men());
        }
        let oracle = Some(Arc::new(Oracle::new(own, syzygy, true, Usage::default())));
        Ok(Knowledge { oracle, words, faults })
    }
}

fn open_own(folder: &Path) -> Result<Tables, String> {
    let tables = Tables::open(folder).map_err(|reason| format!("--tables: {reason}"))?;
    match (tables.files().is_empty(), tables.faults()) {
        (true, []) => Err(format!(
            "--tables: {} holds no tables; `rookery endgame build` makes them",
            folder.display()
        )),
        (true, faults) => Err(format!("--tables: {}", faults.join("; "))),
        (false, _) => Ok(tables),
    }
}

fn open_syzygy(folders: &str) -> Result<Syzygy, String> {
    let tables = Syzygy::open(folders);
    match (tables.faults().first(), tables.most_men()) {
        (Some(fault), _) => Err(format!("--syzygy: {fault}")),
        (None, 0) => Err(format!("--syzygy: {folders} holds no tables")),
        _ => Ok(tables),
    }
}
