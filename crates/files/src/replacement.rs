//! A file that takes its name when it is whole.

use crate::{folder_of, refuse_special, sync_folder};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// How the names of unfinished files end.
const SUFFIX: &str = ".rookery-part";

/// How often an unfinished file is made again when another run has swept it away before it was locked.
const ATTEMPTS: u32 = 16;

/// New content for a file. It lies under a random name beside the file until [`commit`] gives it the
/// right one; dropped before that, it is gone and the file as it was.
///
/// The name is made exclusively, so that a link planted there is never followed. The unfinished file is
/// locked: what a killed run has left behind is not, and the next run with the same name removes it.
///
/// [`commit`]: Replacement::commit
#[derive(Debug)]
pub struct Replacement {
    file: NamedTempFile,
    path: PathBuf,
}

impl Replacement {
    /// Begins new content for a name. Only a plain file may have that name already.
    pub fn create(path: &Path) -> io::Result<Replacement> {
        let Some(name) = path.file_name() else {
            return Err(io::Error::new(ErrorKind::InvalidInput, "it is not the name of a file"));
        };
        refuse_special(path)?;
        if fs::metadata(path).is_ok_and(|old| old.permissions().readonly()) {
            return Err(io::Error::new(ErrorKind::PermissionDenied, "it is read-only"));
        }
        let (folder, prefix) = (folder_of(path), prefix(name));
        sweep(folder, prefix.as_encoded_bytes());
        for _ in 0..ATTEMPTS {
            let file = unfinished(path, folder, &prefix)?;
            // Where the system has no locks, nothing is swept either; where another process has the lock
            // before us, it sweeps the file.
            let swept = matches!(file.as_file().try_lock(), Err(TryLockError::WouldBlock));
            if !swept && file.path().exists() {
                return Ok(Replacement { file, path: path.to_owned() });
            }
        }
        Err(io::Error::new(ErrorKind::ResourceBusy, "unfinished files vanish beside it"))
    }

    /// The name that it will have.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The unfinished file.
    pub fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// Gives the content its name, durably.
    pub fn commit(self) -> io::Result<()> {
        self.commit_open().map(drop)
    }

    /// Gives the content its name, durably. The file stays open and locked, for those who go on with it.
    pub fn commit_open(self) -> io::Result<File> {
        self.file.as_file().sync_all()?;
        refuse_special(&self.path)?;
        let file = self.file.persist(&self.path).map_err(|error| error.error)?;
        sync_folder(&self.path)?;
        Ok(file)
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for Replacement {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// Replaces a file by these bytes, whole or not at all.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut replacement = Replacement::create(path)?;
    replacement.write_all(bytes)?;
    replacement.commit()
}

fn prefix(name: &OsStr) -> OsString {
    let mut prefix = OsString::from(".");
    prefix.push(name);
    prefix.push(".");
    prefix
}

#[cfg_attr(not(unix), expect(unused_variables, reason = "permissions are kept on Unix only"))]
fn unfinished(path: &Path, folder: &Path, prefix: &OsStr) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(prefix).suffix(SUFFIX);
    #[cfg(unix)]
    let permissions = {
        use std::os::unix::fs::PermissionsExt;
        // A replaced file keeps its permissions; the system takes its mask off a new one's.
        fs::metadata(path).map_or(fs::Permissions::from_mode(0o666), |old| old.permissions())
    };
    #[cfg(unix)]
    builder.permissions(permissions);
    // The name of the unfinished file in the error would say nothing to a user.
    builder.tempfile_in(folder).map_err(|error| match error.kind() {
        ErrorKind::NotFound => io::Error::new(ErrorKind::NotFound, "there is no such folder"),
        ErrorKind::PermissionDenied => {
            io::Error::new(ErrorKind::PermissionDenied, "the folder may not be written to")
        }
        _ => error,
    })
}

/// Removes unfinished files that were to have this name and whose writers are gone. A new
/// `Replacement` of that name does so anyway.
pub fn sweep_beside(path: &Path) {
    if let Some(name) = path.file_name() {
        sweep(folder_of(path), prefix(name).as_encoded_bytes());
    }
}

/// Removes all unfinished files of a folder whose writers are gone, whatever name they were to have.
pub fn sweep_folder(folder: &Path) {
    sweep(folder, b".");
}

/// Removes unfinished files that begin so and whose writers are gone. What cannot be removed stays.
fn sweep(folder: &Path, prefix: &[u8]) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let bytes = name.as_encoded_bytes();
        let ours = bytes.starts_with(prefix)
            && bytes.ends_with(SUFFIX.as_bytes())
            && entry.file_type().is_ok_and(|kind| kind.is_file());
        if ours
            && let Ok(file) = OpenOptions::new().write(true).open(entry.path())
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .expect("the folder is there")
            .flatten()
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_when_it_is_whole_and_not_before() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("file");
        fs::write(&path, "old")?;
        let mut replacement = Replacement::create(&path)?;
        replacement.write_all(b"new")?;
        assert_eq!(fs::read_to_string(&path)?, "old");
        replacement.commit()?;
        assert_eq!(fs::read_to_string(&path)?, "new");
        assert_eq!(names(folder.path()), ["file"]);
        Ok(())
    }

    #[test]
    fn an_abandoned_replacement_leaves_nothing() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        drop(Replacement::create(&folder.path().join("file"))?);
        assert_eq!(names(folder.path()), Vec::<String>::new());
        Ok(())
    }

    #[test]
    fn what_a_killed_run_left_is_swept_and_what_is_being_written_is_not() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("file");
        fs::write(folder.path().join(".file.abandoned.rookery-part"), "half")?;
        fs::write(folder.path().join(".other.abandoned.rookery-part"), "half")?;
        let mut under_way = Replacement::create(&path)?;
        write(&path, b"second")?;
        under_way.write_all(b"first")?;
        under_way.commit()?;
        assert_eq!(fs::read_to_string(&path)?, "first");
        assert_eq!(names(folder.path()), [".other.abandoned.rookery-part", "file"]);
        let _under_way = Replacement::create(&path)?;
        sweep_folder(folder.path());
        let left = names(folder.path());
        assert!(left.len() == 2 && left[0].starts_with(".file.") && left[1] == "file", "{left:?}");
        Ok(())
    }

    #[cfg(unix)]
    #[test]
    fn links_devices_and_folders_are_not_replaced() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let (target, link) = (folder.path().join("target"), folder.path().join("link"));
        fs::write(&target, "precious")?;
        std::os::unix::fs::symlink(&target, &link)?;
        assert!(write(&link, b"new").is_err());
        assert!(write(folder.path(), b"new").is_err());
        assert!(fs::symlink_metadata(&link)?.file_type().is_symlink());
        assert_eq!(fs::read_to_string(&target)?, "precious");
        Ok(())
    }

    #[cfg(unix)]
    #[test]
    fn a_read_only_file_is_not_replaced() -> io::Result<()> {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("file");
        fs::write(&path, "precious")?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444))?;
        assert_eq!(
            write(&path, b"new").map_err(|error| error.kind()),
            Err(ErrorKind::PermissionDenied)
        );
        assert_eq!(fs::read_to_string(&path)?, "precious");
        Ok(())
    }

    #[cfg(unix)]
    #[test]
    fn a_replaced_file_keeps_its_permissions() -> io::Result<()> {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("file");
        fs::write(&path, "old")?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640))?;
        write(&path, b"new")?;
        assert_eq!(fs::metadata(&path)?.permissions().mode() & 0o777, 0o640);
        Ok(())
    }
}
