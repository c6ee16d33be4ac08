//! What a match leaves on disk: the games as PGN, and its state, so that a match that was killed goes
//! on where it was.
//!
//! The state is replaced first, and holds the text of the games that are written to the PGN file then: a
//! game that is counted reaches the file, at the latest when the match goes on. Both are on the disk
//! before the next game is counted. The state ends with a checksum of itself. A second match over the same
//! state is refused; over the same PGN file it is welcome ([`games`](super::games)).

use super::game_end::Cause;
use super::games::{self, GameFile, Written};
use super::tally::{Conduct, Incident, Tally};
use files::{Digest, Lock};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The version of the file's form. The first one had no text of games, the second no checksum.
const VERSION: u32 = 3;
const OLDEST_VERSION: u32 = 1;
const FIRST_WITH_SUM: u32 = 3;
/// What stands before the checksum, at the end of the file.
const SUM: &str = ",\"sum\":\"";

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
    /// Games that were copies of others, and by what copies are known.
    #[serde(default)]
    copies: u64,
    #[serde(default)]
    fingerprints: Vec<String>,
}

/// The files of a match.
pub struct Journal {
    pgn: Option<GameFile>,
    state: Option<(PathBuf, Lock)>,
    plan: Value,
    /// The time that earlier parts of the match took.
    pub earlier: Duration,
    /// What the user should know about the files.
    pub notices: Vec<String>,
}

impl Journal {
    /// Opens the files. Results of earlier parts of the match are put into the tally.
    pub fn open(
        pgn: Option<&Path>,
        state: Option<&Path>,
        plan: Value,
        tally: &mut Tally,
    ) -> Result<Journal, String> {
        let state = state.map(lock).transpose()?;
        let mut journal =
            Journal { pgn: None, state, plan, earlier: Duration::ZERO, notices: Vec::new() };
        if let Some((path, _)) = &journal.state
            && let Some(earlier) = read_state(path)?
        {
            let name = path.display().to_string();
            let written = journal.take_over(earlier, tally).map_err(|why| named(&name, why))?;
            // The file that was written to then, whether or not it is written to now.
            if let Some(written) = written
                && (pgn == Some(written.file.as_path()) || written.file.exists())
            {
                let notice = games::complete(&written);
                let notice = notice.map_err(|error| named(&written.file.display(), error))?;
                journal.notices.extend(notice);
            }
        }
        if let Some(path) = pgn {
            let file = GameFile::open(path).map_err(|error| named(&path.display(), error))?;
            journal.pgn = Some(file);
        }
        journal.record("", tally, Duration::ZERO)?;
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
        tally.read_results(&state.results)?;
        tally.causes = state.causes;
        if state.conduct.len() == tally.conduct.len() {
            tally.conduct = state.conduct;
        }
        tally.incidents = state.incidents;
        tally.copies.read(state.copies, &state.fingerprints);
        self.earlier = Duration::try_from_secs_f64(state.seconds).unwrap_or_default();
        Ok(state.pgn)
    }

    /// Keeps the results, and the games that have come to them since the last time, as PGN.
    pub fn record(&self, games: &str, tally: &Tally, elapsed: Duration) -> Result<(), String> {
        let written = match &self.pgn {
            None => None,
            Some(file) => {
                let failed = |error| named(&file.path.display(), error);
                Some(file.prepare(games).map_err(failed)?)
            }
        };
        self.save(written.clone(), tally, elapsed)?;
        if let (Some(file), Some(written)) = (&self.pgn, written)
            && !written.text.is_empty()
        {
            let failed = |error| named(&written.file.display(), error);
            file.append(written.text.as_bytes()).map_err(failed)?;
        }
        Ok(())
    }

    /// Writes the state, if it is wanted.
    fn save(&self, pgn: Option<Written>, tally: &Tally, elapsed: Duration) -> Result<(), String> {
        let Some((path, _)) = &self.state else { return Ok(()) };
        let (copies, fingerprints) = tally.copies.write();
        let state = State {
            rookery_match: VERSION,
            plan: self.plan.clone(),
            results: tally.symbols(),
            causes: tally.causes.clone(),
            conduct: tally.conduct.clone(),
            incidents: tally.incidents.clone(),
            seconds: (self.earlier + elapsed).as_secs_f64(),
            pgn,
            copies,
            fingerprints,
        };
        let text = serde_json::to_string(&state).map_err(io::Error::from);
        let saved = text.and_then(|text| files::write(path, with_sum(&text).as_bytes()));
        saved.map_err(|error| named(&path.display(), error))
    }
}

/// An error with the name of the file that it is about.
fn named(file: &impl std::fmt::Display, why: impl std::fmt::Display) -> String {
    format!("{file}: {why}")
}

/// Keeps other matches away from a state. What cannot be one is not waited for.
fn lock(path: &Path) -> Result<(PathBuf, Lock), String> {
    files::refuse_special(path).map_err(|error| named(&path.display(), error))?;
    match Lock::beside(path) {
        Ok(lock) => Ok((path.to_owned(), lock)),
        Err(error) => Err(named(&path.display(), error)),
    }
}

/// Reads a state; `None` if there is no such file yet.
fn read_state(path: &Path) -> Result<Option<State>, String> {
    let wrong = |why: String| named(&path.display(), why);
    let mut text = Vec::new();
    match files::open(path).and_then(|mut file| file.read_to_end(&mut text)) {
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(wrong(error.to_string())),
    }
    let state: State = serde_json::from_slice(&text)
        .map_err(|error| wrong(format!("no state of a match: {error}")))?;
    match (check_sum(&text), state.rookery_match) {
        (Some(true), _) | (None, ..FIRST_WITH_SUM) => {}
        _ => return Err(wrong("damaged: its checksum is wrong".to_owned())),
    }
    match state.rookery_match {
        OLDEST_VERSION..=VERSION => Ok(Some(state)),
        other => Err(wrong(format!("a state of version {other}; this program knows {VERSION}"))),
    }
}

/// The text of an object with its checksum as the last member.
fn with_sum(text: &str) -> String {
    let content = text.strip_suffix('}').unwrap_or(text);
    format!("{content}{SUM}{:016x}\"}}", Digest::of(content.as_bytes()).0)
}

/// Whether the checksum at the end of a text is right; `None` where there is none.
fn check_sum(text: &[u8]) -> Option<bool> {
    let place = text.windows(SUM.len()).rposition(|part| part == SUM.as_bytes())?;
    let (content, sum) = text.split_at_checked(place)?;
    let expected = format!("{SUM}{:016x}\"}}", Digest::of(content).0);
    Some(sum == expected.as_bytes())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::schedule::Format;
    use crate::scratch::Scratch;
    use serde_json::json;

    #[test]
    fn a_changed_bit_of_a_state_is_noticed() {
        let scratch = Scratch::new("sum");
        let path = scratch.file("state.json");
        let schedule = crate::arena::schedule::Schedule::new(2, Format::RoundRobin, 4);
        let tally = Tally::new(&schedule, 2);
        let state = lock(&path).expect("the state is free");
        let (plan, earlier) = (json!({"seed": 7}), Duration::ZERO);
        let journal = Journal { pgn: None, state: Some(state), plan, earlier, notices: vec![] };
        journal.save(None, &tally, Duration::from_secs(5)).expect("the folder is writable");
        let whole = std::fs::read(&path).expect("it was written");
        assert!(read_state(&path).is_ok_and(|state| state.is_some()));
        for place in 0..whole.len() {
            let mut changed = whole.clone();
            changed[place] ^= 1 << (place % 7);
            scratch.write("state.json", &changed);
            let text = String::from_utf8_lossy(&changed);
            assert!(read_state(&path).is_err(), "{place}: {text}");
        }
        // Those of earlier versions have no checksum.
        let text = String::from_utf8(whole).expect("text");
        let (content, _) = text.split_once(SUM).expect("a checksum");
        let old = format!("{}}}", content.replace("match\":3", "match\":2"));
        scratch.write("state.json", old);
        assert!(read_state(&path).is_ok_and(|state| state.is_some()));
    }

    #[test]
    fn what_differs_is_named() {
        let one = json!({"engines": 1, "seed": 2, "rules": 3});
        let two = json!({"engines": 1, "seed": 4, "rules": 5});
        assert_eq!(difference(&one, &two).as_deref(), Some("seed, rules"));
        assert_eq!(difference(&one, &one), None);
    }
}
