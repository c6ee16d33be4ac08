//! `rookery datagen`: games of the engine against itself, in a file that can be continued.

use super::games::{Block, Generator, Hand};
use super::rate::Rate;
use super::{cannot_write, lock, threads, wrong};
use crate::arguments::DatagenArguments;
use crate::counted::counted;
use crate::failure::Failure;
use crate::input;
use crate::interrupt;
use cluster::Link;
use lab::data::file::{GamesReader, MAGIC, Problem, header};
use lab::selfplay::GAMES_PER_TASK;
use lab::workers::in_order;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// After this time the disk is asked to keep what was written.
const BETWEEN_SYNCS: Duration = Duration::from_secs(10);

/// Runs the command.
pub fn run(
    arguments: &DatagenArguments,
    link: Option<&Arc<Link>>,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    let path = &arguments.output;
    input::refuse_output("--output", path, &arguments.evaluation.net)?;
    let generator = Generator::new(arguments)?;
    interrupt::listen();
    let _lock = lock(path)?;
    let mut file = files::edit(path).map_err(|error| cannot_write(path, &error))?;
    let first = continued(path, &mut file, &generator.origin())?;
    let last = arguments.games.div_ceil(GAMES_PER_TASK);
    let mut rate = Rate::new("games", first * GAMES_PER_TASK, last * GAMES_PER_TASK);
    let (mut blocks, mut plies, mut synced) = (first, 0, Instant::now());
    let keep = |(bytes, count): Block| {
        let write = file.write_all(&bytes).and_then(|()| match synced.elapsed() > BETWEEN_SYNCS {
            true => {
                synced = Instant::now();
                file.sync_data()
            }
            false => Ok(()),
        });
        write.map_err(|error| cannot_write(path, &error))?;
        (blocks, plies) = (blocks + 1, plies + count);
        rate.tell(blocks * GAMES_PER_TASK, (plies, "half-moves"));
        Ok::<bool, Failure>(true)
    };
    let link = link.map(|link| &**link);
    let (threads, processes) =
        (threads(arguments.play.threads), 1 + link.map_or(0, |link| link.others().count()));
    let generator = &generator;
    let hand = |number| move || Hand::new(generator, threads, link, number);
    in_order(
        (0..threads * processes).map(hand),
        first..last.max(first),
        &interrupt::requested,
        &|hand, task, stop| hand.play(generator, task, stop),
        keep,
    )?;
    file.sync_all().map_err(|error| cannot_write(path, &error))?;
    let (all, new) = (blocks * GAMES_PER_TASK, (blocks - first) * GAMES_PER_TASK);
    writeln!(
        out,
        "{}: {}, {new} of them new with {} in {:.1} s",
        path.display(),
        counted(all, "game"),
        counted(plies, "half-move"),
        rate.seconds()
    )?;
    interrupt::status()
}

/// Makes a file ready for the next block: an empty one gets its header, one of the same settings loses a
/// header or a block that was not written whole. The number of blocks it has.
///
/// A header counts as cut off from the magic on: a file with less in it may be the user's own.
fn continued(path: &Path, file: &mut File, origin: &str) -> Result<u64, Failure> {
    let cannot = |error| cannot_write(path, &error);
    let header = header(origin);
    let mut beginning = Vec::new();
    let limit = header.len() as u64 + 1;
    Read::by_ref(file).take(limit).read_to_end(&mut beginning).map_err(cannot)?;
    file.rewind().map_err(cannot)?;
    let cut = beginning.starts_with(MAGIC) && header.starts_with(&beginning);
    if beginning.is_empty() || cut {
        file.set_len(0).and_then(|()| file.write_all(&header)).map_err(cannot)?;
        return Ok(0);
    }
    let mut reader =
        GamesReader::new(BufReader::new(&mut *file)).map_err(|reason| wrong(path, &reason))?;
    if reader.origin() != origin {
        let reason = format!("holds other games ({}); name another file", reader.origin());
        return Err(wrong(path, &reason));
    }
    let mut blocks = 0;
    let whole = loop {
        let whole = reader.offset();
        match reader.next_block() {
            Ok(Some(block)) if block.count() == GAMES_PER_TASK => blocks += 1,
            Ok(Some(_)) => return Err(wrong(path, "holds blocks of another program")),
            Ok(None) | Err(Problem::Torn(_)) => break whole,
            Err(Problem::Damaged(reason)) => {
                return Err(wrong(path, &format!("is damaged: {reason}")));
            }
        }
    };
    drop(reader);
    file.set_len(whole).and_then(|()| file.seek(SeekFrom::End(0))).map_err(cannot)?;
    Ok(blocks)
}
