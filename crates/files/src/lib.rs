//! Files: replaced whole or not at all, opened without waiting, locked against a second run.
//!
//! Everything that Rookery writes to a name of the user's choice goes through [`Replacement`] or
//! [`write`], everything it reads as a whole through [`open`], and every folder or file that two runs
//! must not share is guarded by a [`Lock`].
//!
//! ```
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("result.txt");
//! files::write(&path, b"whole or not at all")?;
//! assert_eq!(std::fs::read(&path)?, b"whole or not at all");
//! # Ok::<(), std::io::Error>(())
//! ```

mod checksum;
mod digest;
mod lock;
mod open;
mod replacement;

pub use checksum::crc32;
pub use digest::Digest;
pub use lock::{Lock, LockError};
#[cfg(unix)]
pub use open::never_wait;
pub use open::{
    append, edit, is_at, is_read, open, open_with, refuse_special, require_plain, same, stream,
};
pub use replacement::{Replacement, sweep_beside, sweep_folder, write};

use std::fs::File;
use std::io;
use std::path::Path;

/// The folder of a file, `.` where the path names none.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Makes the names of a file's folder durable: a rename survives a loss of power only after this.
pub fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder_of(path))?.sync_all() } else { Ok(()) }
}

/// A file without a name in the folder of another one, for what does not fit into memory. However the
/// program ends, nothing of it stays.
pub fn nameless(beside: &Path) -> io::Result<File> {
    tempfile::tempfile_in(folder_of(beside))
}
