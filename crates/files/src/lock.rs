//! Locks against a second run over the same file or folder.

use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// Keeps others away from a file or folder until it is dropped, or the process ends however it ends.
///
/// The lock lies on a file of its own whose text says who holds it: locks on a file that is replaced
/// would be on the old one.
#[derive(Debug)]
pub struct Lock {
    file: File,
    path: PathBuf,
}

/// Why a lock could not be had.
#[derive(Debug)]
pub enum LockError {
    /// Another process has it; who, in its own words.
    Held(String),
    /// The lock file cannot be used.
    File(PathBuf, io::Error),
}

/// How often a lock file is made again that was removed before it was locked.
const ATTEMPTS: u32 = 64;

impl Lock {
    /// Locks a file: the lock lies beside it, hidden.
    pub fn beside(path: &Path) -> Result<Lock, LockError> {
        let mut name = std::ffi::OsString::from(".");
        name.push(path.file_name().unwrap_or_default());
        name.push(".lock");
        Lock::acquire(path.with_file_name(name))
    }

    /// Locks a folder: the lock lies in it, hidden.
    pub fn inside(folder: &Path) -> Result<Lock, LockError> {
        Lock::acquire(folder.join(".rookery.lock"))
    }

    fn acquire(path: PathBuf) -> Result<Lock, LockError> {
        for _ in 0..ATTEMPTS {
            let file = match crate::edit(&path) {
                Ok(file) => file,
                Err(error) => return Err(LockError::File(path, error)),
            };
            match file.try_lock() {
                Ok(()) => (),
                Err(TryLockError::WouldBlock) => return Err(LockError::Held(holder(file))),
                // A file system without locks, as clusters have: better unguarded than unusable.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => (),
                Err(TryLockError::Error(error)) => return Err(LockError::File(path, error)),
            }
            // Who held it before may have removed the file after we opened it: then our lock is on
            // nothing, and the next would not see it.
            if crate::is_at(&file, &path) {
                let mut lock = Lock { file, path };
                return match lock.sign() {
                    Ok(()) => Ok(lock),
                    Err(error) => Err(LockError::File(lock.path.clone(), error)),
                };
            }
        }
        let error = io::Error::new(io::ErrorKind::ResourceBusy, "it is removed again and again");
        Err(LockError::File(path, error))
    }

    /// Writes who holds it.
    fn sign(&mut self) -> io::Result<()> {
        let command: Vec<String> = std::env::args().collect();
        self.file.set_len(0)?;
        self.file.rewind()?;
        write!(self.file, "process {} ({})", std::process::id(), command.join(" "))?;
        self.file.flush()
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Removed while it is still locked: no other process can have it meanwhile.
        let _ = fs::remove_file(&self.path);
    }
}

fn holder(file: File) -> String {
    let mut text = String::new();
    match file.take(400).read_to_string(&mut text) {
        Ok(_) if !text.is_empty() => text,
        _ => "another process".to_owned(),
    }
}

impl fmt::Display for LockError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LockError::Held(holder) => write!(out, "in use by {holder}"),
            LockError::File(path, error) => write!(out, "lock {path:?}: {error}"),
        }
    }
}

impl std::error::Error for LockError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_is_told_who_has_it() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let first = Lock::inside(folder.path());
        assert!(first.is_ok());
        let second = Lock::inside(folder.path()).err().map(|error| error.to_string());
        let me = format!("in use by process {} (", std::process::id());
        assert!(second.is_some_and(|text| text.starts_with(&me)));
        drop(first);
        assert!(Lock::inside(folder.path()).is_ok());
        Ok(())
    }

    #[test]
    fn a_lock_that_was_left_behind_is_free_and_nothing_stays() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("state.json");
        fs::write(folder.path().join(".state.json.lock"), "process 1 (of long ago)")?;
        drop(Lock::beside(&path).map_err(io::Error::other)?);
        assert_eq!(fs::read_dir(folder.path())?.count(), 0);
        Ok(())
    }
}
