//! What a match leaves on disk: the games as PGN, and its state, so that a match that was killed goes
//! on where it was.
//!
//! After each game the PGN file is written first and the state second, under another name that then
//! replaces the old one. The state knows how long the PGN file was: a game that was written but is not
//! in the state is cut off when the match goes on, and played again.

use super::tally::{Conduct, Incident, Tally};
use super::verdict::Cause;
use board::pgn::{Game, PgnWriter};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The version of the file's form.
const VERSION: u32 = 1;

/// The file of the state.
#[derive(Serialize, Deserialize)]
struct State {
    rookery_match: u32,
    plan: Value,
    results: Vec<String>,
    causes: BTreeMap<Cause, u64>,
    conduct: Vec<Conduct>,
    incidents: Vec<Incident>,
    seconds: f64,
    pgn: Option<Written>,
}

/// How far a PGN file had been written.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Written {
    file: PathBuf,
    bytes: u64,
}

/// The files of a match.
pub struct Journal {
    pgn: Option<(PathBuf, File)>,
    state: Option<PathBuf>,
    plan: Value,
    /// The time that earlier parts of the match took.
    pub earlier: Duration,
}

impl Journal {
    /// Opens the files. Results of earlier parts of the match are put into the tally.
    pub fn open(
        pgn: Option<&Path>,
        state: Option<&Path>,
        plan: Value,
        tally: &mut Tally,
    ) -> Result<Journal, String> {
        let earlier = state.map(read_state).transpose()?.flatten();
        let mut journal =
            Journal { pgn: None, state: state.map(Path::to_owned), plan, earlier: Duration::ZERO };
        let written = match (earlier, state) {
            (Some(earlier), Some(path)) => {
                let wrong = |why: String| format!("{}: {why}", path.display());
                journal.take_over(earlier, tally).map_err(wrong)?
            }
            _ => None,
        };
        if let Some(path) = pgn {
            let failed = |error: io::Error| format!("{}: {error}", path.display());
            let file = open_pgn(path, written.as_ref()).map_err(failed)?;
            journal.pgn = Some((path.to_owned(), file));
        }
        journal.save(tally, Duration::ZERO)?;
        Ok(journal)
    }

    /// Takes over the results of a state that belongs to this match.
    fn take_over(&mut self, state: State, tally: &mut Tally) -> Result<Option<Written>, String> {
        if let Some(difference) = difference(&state.plan, &self.plan) {
            return Err(format!(
                "the state of another match ({difference} differ): go on with the same settings, or \
                 name another file"
            ));
        }
        tally.read_letters(&state.results)?;
        tally.causes = state.causes;
        if state.conduct.len() == tally.conduct.len() {
            tally.conduct = state.conduct;
        }
        tally.incidents = state.incidents;
        self.earlier = Duration::try_from_secs_f64(state.seconds).unwrap_or_default();
        Ok(state.pgn)
    }

    /// Writes a game to the PGN file, if there is one.
    pub fn write_game(&mut self, game: &Game) -> Result<(), String> {
        let Some((path, file)) = &mut self.pgn else { return Ok(()) };
        PgnWriter::new(file).write(game).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Writes the state, if it is wanted.
    pub fn save(&mut self, tally: &Tally, elapsed: Duration) -> Result<(), String> {
        let Some(path) = &self.state else { return Ok(()) };
        let failed = |error: io::Error| format!("{}: {error}", path.display());
        let pgn = match &mut self.pgn {
            None => None,
            Some((file, open)) => {
                let bytes = open.stream_position().map_err(failed)?;
                Some(Written { file: file.clone(), bytes })
            }
        };
        let state = State {
            rookery_match: VERSION,
            plan: self.plan.clone(),
            results: tally.letters(),
            causes: tally.causes.clone(),
            conduct: tally.conduct.clone(),
            incidents: tally.incidents.clone(),
            seconds: (self.earlier + elapsed).as_secs_f64(),
            pgn,
        };
        let text = serde_json::to_string(&state).map_err(|error| failed(error.into()))?;
        let mut temporary = path.clone().into_os_string();
        temporary.push(".new");
        fs::write(&temporary, text).and_then(|()| fs::rename(&temporary, path)).map_err(failed)
    }
}

/// Reads a state; `None` if there is no such file yet.
fn read_state(path: &Path) -> Result<Option<State>, String> {
    let wrong = |why: String| format!("{}: {why}", path.display());
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(wrong(error.to_string())),
    };
    let state: State = serde_json::from_slice(&text)
        .map_err(|error| wrong(format!("no state of a match: {error}")))?;
    match state.rookery_match {
        VERSION => Ok(Some(state)),
        other => Err(wrong(format!("a state of version {other}; this program knows {VERSION}"))),
    }
}

/// Which part of two plans is not the same.
fn difference(one: &Value, two: &Value) -> Option<String> {
    if one == two {
        return None;
    }
    let differs = |part: &&str| one.get(part) != two.get(part);
    let parts = ["engines", "pairings", "openings", "seed", "rules"];
    Some(parts.into_iter().filter(differs).collect::<Vec<_>>().join(", "))
}

/// Opens a PGN file to write behind what it holds, without what an interrupted match wrote after its
/// last state.
fn open_pgn(path: &Path, written: Option<&Written>) -> io::Result<File> {
    let mut file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
    if let Some(written) = written.filter(|written| written.file == path)
        && file.metadata()?.len() > written.bytes
    {
        file.set_len(written.bytes)?;
    }
    file.seek(SeekFrom::End(0))?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_differs_is_named() {
        let one = json!({"engines": 1, "seed": 2, "rules": 3});
        let two = json!({"engines": 1, "seed": 4, "rules": 5});
        assert_eq!(difference(&one, &two).as_deref(), Some("seed, rules"));
        assert_eq!(difference(&one, &one), None);
    }
}
