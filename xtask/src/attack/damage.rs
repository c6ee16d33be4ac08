//! Damaged files: bytes changed, cut off, put in or taken out. Their readers say what is wrong in one
//! clear line or make do with what is good; no reader crashes, hangs or takes all memory.

use super::damaged_files::{self, Kind, Reader};
use super::dialogue::Dialogue;
use super::ground::Ground;
use super::process::{self, Running, typed};
use std::time::Duration;

/// A reader of a small file that takes longer hangs.
const TIME_LIMIT: Duration = Duration::from_secs(60);
/// The most memory that a reader of a small file may take, in megabytes.
const MOST_MEMORY: u64 = 1024;
/// The most lines of one clear line and what belongs to it.
const MOST_LINES: usize = 3;

pub fn run(ground: &mut Ground) -> Result<(), String> {
    let kinds = damaged_files::kinds(ground)?;
    let tries = ground.times(90, 450, 900);
    let mut peak = 0;
    for number in 0..tries {
        let kind = &kinds[number as usize % kinds.len()];
        let (bytes, how) = damaged(&mut ground.random, &kind.bytes);
        let path = kind.path(ground);
        kind.prepare(ground, &bytes)?;
        ground.attempted(1);
        let reader = &kind.readers[ground.random.usize(..kind.readers.len())];
        let what = match reader {
            Reader::Command(command) => {
                let mut command = command(ground, &path);
                command_reads(kind, &mut command, &mut peak)?
            }
            Reader::Console(lines) => console_reads(ground, &lines(&path)),
        };
        if let Some(what) = what {
            let case = format!(
                "{} with {} ({how}), kept as {}",
                reader.describe(ground, &path),
                kind.name,
                ground.keep(&bytes)
            );
            ground.found(format!("{}: {what}", kind.name), case);
        }
        if ground.is_lost() {
            break;
        }
    }
    ground.note(format!("{} kinds of files; at most {peak} MB", kinds.len()));
    Ok(())
}

/// Lets a command read the file; what was wrong.
fn command_reads(
    kind: &Kind,
    command: &mut std::process::Command,
    peak: &mut u64,
) -> Result<Option<String>, String> {
    let mut memory = 0;
    let running = Running::start(command, b"")?;
    let ended =
        running.end_watched(TIME_LIMIT, |id| memory = memory.max(process::peak_megabytes(id)));
    *peak = (*peak).max(memory);
    let lines = ended.err.lines().count();
    let what = match (ended.fault(), ended.code()) {
        (Some(fault), _) => fault,
        _ if memory > MOST_MEMORY => format!("it took {memory} MB"),
        (_, Some(0)) => return Ok(None),
        (_, Some(1 | 2)) if lines == 0 && ended.out.is_empty() => "no line says why".to_owned(),
        (_, Some(1 | 2)) if kind.is_whole && lines > MOST_LINES => {
            format!("{lines} lines: {}", ended.first_error())
        }
        (_, Some(1 | 2)) => return Ok(None),
        (_, status) => format!("it ended with {status:?}: {}", ended.first_error()),
    };
    Ok(Some(what))
}

/// Lets the command loop read the file and search after it; what was wrong.
fn console_reads(ground: &Ground, lines: &str) -> Option<String> {
    let talk = || {
        let mut dialogue = Dialogue::start(ground, &["uci"])?;
        dialogue.say(&format!("{lines}\nisready"));
        dialogue.until("readyok")?;
        dialogue.say("position fen 8/8/8/8/8/2k5/1R6/K7 w - - 0 1\ngo nodes 2000");
        dialogue.until("bestmove")?;
        dialogue.close()
    };
    talk().err()
}

/// The bytes with something done to them, and what.
fn damaged(random: &mut fastrand::Rng, bytes: &[u8]) -> (Vec<u8>, String) {
    let mut bytes = bytes.to_vec();
    let length = bytes.len().max(1);
    // Headers stand at the beginning: every other time the damage is there.
    let at = match random.bool() {
        true => random.usize(..length.min(128)),
        false => random.usize(..length),
    };
    let span = random.usize(1..64).min(bytes.len().saturating_sub(at));
    let how = match random.u8(..9) {
        0 => {
            for _ in 0..random.u8(1..9) {
                let place = random.usize(..length);
                if let Some(byte) = bytes.get_mut(place) {
                    *byte ^= 1 << random.u8(..8);
                }
            }
            "bits turned over".to_owned()
        }
        1 => {
            bytes.truncate(at);
            format!("cut off at {at}")
        }
        2 => {
            bytes.drain(at..at + span);
            format!("{span} bytes taken out at {at}")
        }
        3 => {
            let noise: Vec<u8> = (0..span).map(|_| random.u8(..)).collect();
            bytes.splice(at..at, noise);
            format!("{span} bytes put in at {at}")
        }
        4 => {
            let value = [0, 0x7f, 0xff][random.usize(..3)];
            bytes[at..at + span].fill(value);
            format!("{span} bytes of {value} at {at}")
        }
        5 => {
            let block = bytes[at..at + span].to_vec();
            bytes.extend(block.repeat(random.usize(1..200)));
            format!("a block from {at} appended")
        }
        6 => {
            let aligned = at & !7;
            let number: u64 = [u64::MAX, 1 << 63, u64::from(u32::MAX), 1 << 40][random.usize(..4)];
            let room = bytes.len().saturating_sub(aligned).min(8);
            bytes[aligned..aligned + room].copy_from_slice(&number.to_le_bytes()[..room]);
            format!("{number} at {aligned}")
        }
        7 => {
            bytes = (0..random.usize(..5000)).map(|_| random.u8(..)).collect();
            "noise".to_owned()
        }
        _ => {
            bytes.truncate(random.usize(..4));
            "nearly empty".to_owned()
        }
    };
    (bytes, how)
}

impl Reader {
    /// How it is repeated.
    fn describe(&self, ground: &Ground, path: &std::path::Path) -> String {
        match self {
            Reader::Command(command) => typed(&command(ground, path)),
            Reader::Console(lines) => format!("rookery uci: {:?}", lines(path)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_is_the_same_for_a_seed_and_possible_in_files_of_any_length() {
        for length in [0, 1, 7, 300] {
            let bytes: Vec<u8> = (0..length).map(|number| number as u8).collect();
            let many = |seed| {
                let mut random = fastrand::Rng::with_seed(seed);
                (0..500).map(|_| damaged(&mut random, &bytes)).collect::<Vec<_>>()
            };
            assert!(many(1) == many(1) && many(1) != many(2));
        }
    }
}
