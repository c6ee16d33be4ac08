//! Writing files so that no reader ever sees half of one.

use std::path::Path;

/// Replaces a plain file, or makes one. The error names it.
pub fn write_whole(path: &Path, content: impl AsRef<[u8]>) -> Result<(), String> {
    ::files::write(path, content.as_ref()).map_err(|error| format!("{}: {error}", path.display()))
}
