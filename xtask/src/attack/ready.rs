//! `setoption` and `isready` right after `bestmove`: when `readyok` comes, everything that was said
//! before has been done. What can be seen of it: an option that cannot be set says so, and a table that
//! is to be saved lies in its file. Also: the clock of a `go` runs from the moment at which it was read.

use super::dialogue::Dialogue;
use super::ground::Ground;
use std::time::{Duration, Instant};

/// Tries of one process.
const PER_PROCESS: u64 = 500;
/// Tries from one saved file to the next: saving takes a disk.
const SAVED_EVERY: u64 = 25;
/// The time of each of the searches that wait in a row.
const QUEUED: Duration = Duration::from_millis(1500);

pub fn run(ground: &mut Ground) -> Result<(), String> {
    let tries = ground.times(1000, 10_000, 10_000);
    let (mut done, mut early) = (0, 0);
    while done < tries && !ground.is_lost() {
        let mut dialogue = Dialogue::start(ground, &["uci"])?;
        dialogue.say("setoption name Hash value 1");
        for number in done..done + PER_PROCESS.min(tries - done) {
            ground.attempted(1);
            if let Err(what) = one(ground, &mut dialogue, number) {
                early += 1;
                ground.found(what, "go depth 1; at bestmove: setoption …, isready".to_owned());
            }
        }
        done += PER_PROCESS;
    }
    ground.note(format!("{early} early"));
    for _ in 0..ground.times(1, 3, 10) {
        ground.attempted(1);
        clock_of_queued(ground)?;
    }
    Ok(())
}

fn one(ground: &Ground, dialogue: &mut Dialogue, number: u64) -> Result<(), String> {
    // Of different lengths, so that the end of the search falls on different moments.
    dialogue.say(&format!("position startpos\ngo nodes {}", 1 + number * 37 % 800));
    dialogue.until("bestmove")?;
    if number.is_multiple_of(SAVED_EVERY) {
        let name = format!("saved-{number}");
        dialogue.say(&format!("savetable {name}\nisready"));
        let heard = dialogue.until("readyok")?;
        let path = ground.folder.join(name);
        let there = path.is_file();
        let _ = std::fs::remove_file(path);
        return match there {
            true => Ok(()),
            false => Err(format!("readyok before the table was saved: {heard:?}")),
        };
    }
    let (line, sign) = match number % 3 {
        0 => (format!("setoption name Nonsense{number} value 1"), format!("Nonsense{number}")),
        1 => (format!("setoption name BookFile value no-{number}"), format!("no-{number}")),
        _ => (
            format!("ucinewgame\nsetoption name SyzygyPath value no-{number}"),
            format!("no-{number}"),
        ),
    };
    dialogue.say(&format!("{line}\nisready"));
    let heard = dialogue.until("readyok")?;
    if heard.iter().any(|line| line.contains(&sign)) {
        return Ok(());
    }
    // It comes late; the next try must not take it for its own.
    dialogue.until("info string error")?;
    Err(format!("readyok came before the answer to {line:?}"))
}

/// Three searches in a row: the second and third have waited out their time when the first is over.
fn clock_of_queued(ground: &mut Ground) -> Result<(), String> {
    let mut dialogue = Dialogue::start(ground, &["uci"])?;
    dialogue.say("isready");
    dialogue.until("readyok")?;
    let go = format!("go movetime {}", QUEUED.as_millis());
    let begun = Instant::now();
    dialogue.say(&format!("position startpos\n{go}\n{go}\n{go}"));
    for _ in 0..3 {
        dialogue.until("bestmove")?;
    }
    let took = begun.elapsed();
    if took > QUEUED * 2 {
        let what = format!("three times `{go}` in a row took {} ms", took.as_millis());
        ground.found(what, format!("printf '{go}\\n{go}\\n{go}\\n' | rookery"));
    }
    Ok(())
}
