//! `rookery endgame stages`: the stage files that the recognisers hold.

use crate::failure::Failure;
use ::endgame::file::write_atomically;
use ::endgame::recognise::stages;
use ::endgame::{Ending, Metric, Tables};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// Makes the files from the tables of distances to mate.
pub fn run(
    tables: &Tables,
    endings: &[Ending],
    folder: &Path,
    threads: usize,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::Work(format!("{}: {error}", folder.display())))?;
    for ending in endings {
        let file = tables.file(ending, Metric::Mate);
        let file =
            file.ok_or_else(|| Failure::Work(format!("the table {ending}.dtm is missing")))?;
        let bytes = stages::compute(file, threads).map_err(Failure::Work)?;
        let path = folder.join(format!("{ending}.stages"));
        write_atomically(&path, |file| file.write_all(&bytes))
            .map_err(|error| Failure::Work(format!("{}: {error}", path.display())))?;
        writeln!(out, "{}: {} bytes", path.display(), bytes.len())?;
    }
    Ok(ExitCode::SUCCESS)
}
