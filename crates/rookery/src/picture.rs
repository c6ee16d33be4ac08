//! The file of `--plot`. It is made before the work, so that what cannot be written is told before it,
//! and gets its name after it.

use crate::failure::Failure;
use files::Replacement;
use plot::Canvas;
use std::io::{self, Write};
use std::path::Path;

/// Makes the file that was asked for.
pub fn open(path: Option<&Path>) -> Result<Option<Replacement>, Failure> {
    path.map(|path| Replacement::create(path).map_err(|error| cannot(path, &error))).transpose()
}

/// Draws into a file, if there is one, and gives it its name.
pub fn draw(file: Option<Replacement>, draw: impl FnOnce() -> Canvas) -> Result<(), Failure> {
    finish(file, |file| {
        let bytes = draw().encode(file.path());
        file.write_all(&bytes)
    })
}

/// Writes a file, if there is one, and gives it its name.
pub fn finish(
    file: Option<Replacement>,
    write: impl FnOnce(&mut Replacement) -> io::Result<()>,
) -> Result<(), Failure> {
    let Some(mut file) = file else { return Ok(()) };
    let path = file.path().to_owned();
    write(&mut file).and_then(|()| file.commit()).map_err(|error| cannot(&path, &error))
}

fn cannot(path: &Path, error: &io::Error) -> Failure {
    Failure::Work(format!("cannot write {}: {error}", path.display()))
}
