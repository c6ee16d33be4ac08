//! `rookery data import`: PGN with scores to packed games.

use super::{begin, cannot_write, refuse_same, wrong};
use crate::arguments::ImportArguments;
use crate::counted::counted;
use crate::failure::Failure;
use crate::input::Input;
use crate::interrupt;
use crate::progress::Progress;
use board::pgn::Reader;
use lab::data::GamesWriter;
use lab::data::import::Importer;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

/// The number of broken games that are named.
const NAMED: u64 = 20;

/// Runs the command.
pub fn run(arguments: &ImportArguments, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let path = &arguments.output;
    let cannot = |error| cannot_write(path, &error);
    refuse_same(path, &arguments.games)?;
    interrupt::listen();
    let names: Vec<_> = arguments
        .games
        .iter()
        .map(|path| path.file_name().unwrap_or_default().to_string_lossy())
        .collect();
    let mut origin = format!("imported from {}", names.join(", "));
    origin.truncate(origin.floor_char_boundary(4_000));
    let mut writer = GamesWriter::new(BufWriter::new(begin(path)?), &origin).map_err(cannot)?;
    let (mut games, mut plies, mut scored, mut broken) = (0u64, 0, 0, 0);
    let progress = Progress::counting("games");
    let mut importer = Importer::new();
    for source in &arguments.games {
        let mut reader = Reader::new(Input::open(source)?);
        while let Some(read) = reader.read_game(&mut importer) {
            match read {
                Ok(()) => {
                    let game = importer.game();
                    games += 1;
                    plies += game.plies.len();
                    scored += game.plies.iter().filter(|ply| ply.score.is_some()).count();
                    writer.add(game.clone()).map_err(cannot)?;
                    progress.set(games, games);
                }
                Err(error) if error.io_error().is_some() => {
                    return Err(wrong(source, &format!("cannot be read: {error}")));
                }
                Err(error) => {
                    broken += 1;
                    if broken <= NAMED {
                        let line = format!("rookery: skipped: {}: {error}", source.display());
                        // Where stderr is closed the sum still tells.
                        progress.pause(|| drop(writeln!(io::stderr(), "{line}")));
                    }
                }
            }
        }
    }
    if interrupt::requested() {
        // Where stderr is closed the exit status still tells.
        let _ = writeln!(io::stderr(), "rookery: interrupted; {} was not written", path.display());
        return Err(Failure::Interrupted);
    }
    if games == 0 {
        return Err(Failure::Work(format!("no games: {broken} broken ones were read")));
    }
    let buffer = writer.finish().map_err(cannot)?;
    let file = buffer.into_inner().map_err(|error| cannot(error.into_error()))?;
    file.commit().map_err(cannot)?;
    writeln!(
        out,
        "{}: {}, {}, {scored} with a score; {}",
        path.display(),
        counted(games, "game"),
        counted(plies, "half-move"),
        counted(broken, "broken game")
    )?;
    Ok(ExitCode::SUCCESS)
}
