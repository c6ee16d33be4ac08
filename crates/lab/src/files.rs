//! Writing files so that nobody ever sees half of one.

use std::fs;
use std::path::Path;

/// Writes under another name first and renames.
pub fn write_whole(path: &Path, text: &str) -> Result<(), String> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".new");
    fs::write(&temporary, text)
        .and_then(|()| fs::rename(&temporary, path))
        .map_err(|error| format!("{}: {error}", path.display()))
}
