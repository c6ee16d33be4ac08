//! Results that outlive the command: a folder with a file for each search, so that a run that was cut
//! off is continued, and several commands share their sequential searches.
//!
//! A file is found by what was searched how, and holds that text: a result for other settings is never
//! taken. It does not know which program found it: another version needs another folder.

use super::outcome::{Sequential, Simulated};
use crate::interrupt;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The folder, if there is one.
pub struct Keep {
    folder: Option<PathBuf>,
    /// Why something could not be kept: the run goes on, and this is told at its end.
    failure: Mutex<Option<String>>,
}

#[derive(Serialize, Deserialize)]
struct File {
    what: String,
    /// The result as JSON.
    result: String,
    /// A digest of both.
    check: u64,
}

impl File {
    fn new(what: &str, result: String) -> File {
        let check = files::Digest::of(format!("{what}\n{result}").as_bytes()).0;
        File { what: what.to_owned(), result, check }
    }

    fn is_sound(&self) -> bool {
        File::new(&self.what, self.result.clone()).check == self.check
    }
}

impl Keep {
    /// Makes the folder where it is missing, and makes sure that it can be written to.
    pub fn open(folder: Option<&Path>) -> Result<Keep, String> {
        if let Some(folder) = folder {
            std::fs::create_dir_all(folder)
                .map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
            files::Replacement::create(&folder.join("sequential.json"))
                .map_err(|error| format!("cannot write to {}: {error}", folder.display()))?;
            files::sweep_folder(folder);
        }
        Ok(Keep { folder: folder.map(Path::to_owned), failure: Mutex::new(None) })
    }

    /// Why something was not kept, if so.
    pub fn failure(&self) -> Option<String> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// A sequential search with the iteration of this depth, from the folder or made now.
    pub fn sequential(
        &self,
        what: &str,
        depth: i32,
        step: i32,
        search: impl FnOnce() -> Result<Sequential, String>,
    ) -> Result<Sequential, String> {
        self.find("sequential", what, |found: &Sequential| found.reaches(depth, step), search)
    }

    /// A simulated search, from the folder or made now.
    pub fn simulated(
        &self,
        what: &str,
        search: impl FnOnce() -> Result<Simulated, String>,
    ) -> Result<Simulated, String> {
        self.find("simulated", what, |_| true, search)
    }

    /// Whether a simulated search is there.
    pub fn has_simulated(&self, what: &str) -> bool {
        let path = self.folder.as_ref().map(|folder| path(folder, "simulated", what));
        path.is_some_and(|path| read::<Simulated>(&path, what).is_some())
    }

    /// A result of any kind, from the folder or made now.
    pub fn find<A: Serialize + DeserializeOwned>(
        &self,
        kind: &str,
        what: &str,
        enough: impl FnOnce(&A) -> bool,
        search: impl FnOnce() -> Result<A, String>,
    ) -> Result<A, String> {
        let Some(folder) = &self.folder else { return search() };
        let path = path(folder, kind, what);
        if let Some(found) = read(&path, what)
            && enough(&found)
        {
            return Ok(found);
        }
        let found = search()?;
        let result = serde_json::to_string(&found).map_err(|error| error.to_string())?;
        let text = serde_json::to_string(&File::new(what, result));
        let text = text.map_err(|error| error.to_string())?;
        // A search that Ctrl-C has cut off is not worth keeping.
        if !interrupt::requested()
            && let Err(error) = files::write(&path, text.as_bytes())
        {
            let reason = format!("cannot write {}: {error}", path.display());
            *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(reason);
        }
        Ok(found)
    }
}

/// Where a result lies.
fn path(folder: &Path, kind: &str, what: &str) -> PathBuf {
    folder.join(format!("{kind}-{:016x}.json", files::Digest::of(what.as_bytes()).0))
}

/// What a file holds that was written for this; nothing where it is damaged or of another form, so that it is
/// searched and written again. What is no plain file is not read, and cannot be written later: that is told
/// then, after the rows.
fn read<A: DeserializeOwned>(path: &Path, what: &str) -> Option<A> {
    let mut text = String::new();
    files::open(path).and_then(|mut file| file.read_to_string(&mut text)).ok()?;
    let file: File = serde_json::from_str(&text).ok()?;
    let is_it = file.what == what && file.is_sound();
    is_it.then(|| serde_json::from_str(&file.result).ok()).flatten()
}
