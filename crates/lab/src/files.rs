//! Writing files so that no reader ever sees half of one, nor loses what is read.

use std::path::Path;

/// Replaces a plain file, or makes one. The error names it.
pub fn write_whole(path: &Path, content: impl AsRef<[u8]>) -> Result<(), String> {
    ::files::write(path, content.as_ref()).map_err(|error| format!("{}: {error}", path.display()))
}

/// An output in the place of an input would be the end of it: an error that names the option.
pub fn refuse_output(
    option: &str,
    output: &Path,
    inputs: impl IntoIterator<Item = impl AsRef<Path>>,
) -> Result<(), String> {
    match ::files::is_read(output, inputs) {
        true => Err(format!("{option}: {} is what is read", output.display())),
        false => Ok(()),
    }
}
