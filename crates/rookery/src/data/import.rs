//! `rookery data import`: PGN with scores to packed games.

use super::{begin, cannot_write};
use crate::arguments::ImportArguments;
use crate::counted::counted;
use crate::failure::Failure;
use crate::input::{self, Input, MOST_BAD, unpack};
use crate::interrupt;
use crate::plain;
use crate::progress::Progress;
use board::pgn::Reader;
use lab::data::GamesWriter;
use lab::data::import::Importer;
use std::io::{BufWriter, Write};
use std::process::ExitCode;

/// The number of broken games that are named.
const NAMED: u64 = 20;

/// Runs the command.
pub fn run(arguments: &ImportArguments, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let path = &arguments.output;
    let cannot = |error| cannot_write(path, &error);
    input::refuse_output("--output", path, &arguments.games)?;
    interrupt::listen();
    let file = BufWriter::new(begin(path)?);
    let mut writer = GamesWriter::new(file, &origin(arguments)).map_err(cannot)?;
    let (mut games, mut plies, mut scored, mut broken) = (0u64, 0, 0, 0);
    let progress = Progress::counting("games");
    // Where stderr is closed the sum still tells.
    let say = |line: String| progress.pause(|| plain::say(format_args!("skipped: {line}")));
    // Said when the first good game shows that these are games.
    let mut held: Vec<String> = Vec::new();
    let mut importer = Importer::new();
    for source in &arguments.games {
        let input = unpack(Box::new(Input::open(source)?));
        let unreadable = |error: &std::io::Error| input::in_vain(source, error, path);
        let mut reader = Reader::new(input.map_err(|error| unreadable(&error))?);
        while let Some(read) = reader.read_game(&mut importer) {
            match read {
                Ok(()) => {
                    held.drain(..).for_each(say);
                    let game = importer.game();
                    games += 1;
                    plies += game.plies.len();
                    scored += game.plies.iter().filter(|ply| ply.score.is_some()).count();
                    writer.add(game.clone()).map_err(cannot)?;
                    progress.set(games, games);
                }
                // What is packed is cut off by Ctrl-C.
                Err(error) if error.io_error().is_some() && interrupt::requested() => break,
                Err(error) => {
                    if let Some(error) = error.io_error() {
                        return Err(unreadable(error));
                    }
                    broken += 1;
                    let line = input::broken_game(&source.display().to_string(), &error);
                    match games {
                        0 => held.push(line),
                        _ if broken <= NAMED => say(line),
                        _ => (),
                    }
                    if games == 0 && held.len() == MOST_BAD {
                        return Err(no_games(arguments, &held));
                    }
                }
            }
        }
    }
    if interrupt::requested() {
        // Where stderr is closed the exit status still tells.
        plain::say(format_args!("interrupted; {} was not written", path.display()));
        return Err(Failure::Interrupted);
    }
    if games == 0 {
        return Err(no_games(arguments, &held));
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
    Ok(if broken == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What the packed games say of where they come from.
fn origin(arguments: &ImportArguments) -> String {
    let names = arguments.games.iter().filter_map(|path| path.file_name());
    let names: Vec<_> = names.map(|name| name.to_string_lossy()).collect();
    let mut origin = format!("imported from {}", names.join(", "));
    origin.truncate(origin.floor_char_boundary(4_000));
    origin
}

/// Nothing is good: what the files should hold, and what is wrong with the first game.
fn no_games(arguments: &ImportArguments, broken: &[String]) -> Failure {
    let names: Vec<_> = arguments.games.iter().map(|path| path.display().to_string()).collect();
    let names = names.join(", ");
    Failure::Work(match broken.first() {
        Some(first) => input::wrong_kind(&names, "a file of games (PGN)", first),
        None => format!("{names} holds no games"),
    })
}
