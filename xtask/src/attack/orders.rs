//! Valid commands in random orders: each `go` is answered by exactly one `bestmove`, which is legal in
//! the position for which it was asked, in the order in which they were asked.

use super::dialogue::{Dialogue, field};
use super::ground::Ground;
use super::referee::{self, Place};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Orders that one process gets.
const PER_PROCESS: u64 = 25;
/// A search that waits for another `stop` would wait for ever: the pause before it is sent again.
const STOP_AGAIN: Duration = Duration::from_millis(20);
/// Longer than all searches of an order together.
const TIME_LIMIT: Duration = Duration::from_secs(120);

pub fn run(ground: &mut Ground) -> Result<(), String> {
    let places = referee::places(ground, 300)?;
    let orders = ground.times(300, 2000, 6000);
    let mut done = 0;
    while done < orders && !ground.is_lost() {
        let mut dialogue = Dialogue::start(ground, &["uci"])?;
        let mut result = Ok(());
        for _ in 0..PER_PROCESS {
            done += 1;
            ground.attempted(1);
            result = order(ground, &mut dialogue, &places);
            if result.is_err() {
                break;
            }
        }
        let said = std::mem::take(&mut dialogue.said);
        let result = match result {
            Ok(()) => dialogue.close().and_then(|rest| match rest.is_empty() {
                true => Ok(()),
                false => Err(format!("it said {:?} after all was answered", rest.join(" / "))),
            }),
            Err(what) => Err(format!("{what} {}", dialogue.end_and_tell())),
        };
        if let Err(what) = result {
            let case = format!("the lines in {}", ground.keep(&said));
            ground.found(what, case);
        }
    }
    Ok(())
}

/// One order of commands, and its answers.
fn order(ground: &mut Ground, dialogue: &mut Dialogue, places: &[Place]) -> Result<(), String> {
    let mut asked = VecDeque::new();
    let mut place = &places[ground.random.usize(..places.len())];
    let mut lines = vec![format!("position {}", place.text)];
    for _ in 0..ground.random.usize(1..16) {
        match command(&mut ground.random) {
            Some(line) => {
                if line.starts_with("go") {
                    asked.push_back(place);
                }
                let is_new_game = line == "ucinewgame";
                lines.push(line);
                // A new game has its own position.
                lines.extend(is_new_game.then(|| format!("position {}", place.text)));
            }
            None => {
                place = &places[ground.random.usize(..places.len())];
                lines.push(format!("position {}", place.text));
            }
        }
    }
    // In one piece, or line by line with pauses: other moments.
    let in_one_piece = ground.random.bool();
    if in_one_piece {
        dialogue.say(&lines.join("\n"));
    }
    for line in lines.iter().filter(|_| !in_one_piece) {
        dialogue.say(line);
        std::thread::sleep(Duration::from_micros(ground.random.u64(..4000)));
    }
    let ready = lines.iter().filter(|line| *line == "isready").count();
    answers(dialogue, asked, ready)
}

/// A command; `None` for another position.
fn command(random: &mut fastrand::Rng) -> Option<String> {
    let small = random.u32(1..8);
    Some(match random.u8(..22) {
        0..4 => return None,
        4 => format!("go depth {small}"),
        5 => format!("go nodes {}", random.u32(1..20_000)),
        6 => format!("go movetime {}", random.u32(..30)),
        7 => format!("go wtime {} btime {}", random.u32(1..400), random.u32(1..400)),
        8 => "go infinite".to_owned(),
        9 => format!("go ponder wtime {0} btime {0}", random.u32(1..400)),
        10 => format!("go mate {small}  depth 5"),
        11 | 12 => "stop".to_owned(),
        13 => "ponderhit".to_owned(),
        14 => "isready".to_owned(),
        15 => format!("setoption name Hash value {small}"),
        16 => format!("setoption name MultiPV value {}", random.u32(1..4)),
        17 => format!("setoption name Threads value {}", random.u32(1..4)),
        18 => "ucinewgame".to_owned(),
        19 => {
            let kinds = ["ybw", "lazy", "abdada", "teams", "tds"];
            format!("setoption name Parallel value {}", kinds[random.usize(..kinds.len())])
        }
        20 => "setoption name Clear Hash".to_owned(),
        _ => "d".to_owned(),
    })
}

/// Reads one answer for each question; a search that waits for `stop` gets it again and again.
fn answers(
    dialogue: &mut Dialogue,
    mut asked: VecDeque<&Place>,
    mut ready: usize,
) -> Result<(), String> {
    let begun = Instant::now();
    while let Some(place) = asked.front() {
        match dialogue.next(STOP_AGAIN) {
            Ok((_, line)) if line.starts_with("bestmove") => {
                let mv = field(&line, "bestmove").unwrap_or("");
                if !place.moves.iter().any(|legal| legal == mv) {
                    return Err(format!("{line:?} is not legal in position {}", place.text));
                }
                asked.pop_front();
            }
            Ok((_, line)) if line.starts_with("info string error") => {
                return Err(format!("a valid command got {line:?}"));
            }
            Ok((_, line)) => ready -= usize::from(ready > 0 && line == "readyok"),
            Err(reason) if reason == "it is gone" => return Err(reason),
            Err(_) if begun.elapsed() > TIME_LIMIT => {
                return Err(format!("no bestmove for position {}", place.text));
            }
            Err(_) => dialogue.say("stop"),
        }
    }
    // Options and games of the end are still to be followed; nothing is answered twice.
    dialogue.say("setoption name Threads value 1\nsetoption name MultiPV value 1\nisready");
    ready += 1;
    while ready > 0 {
        let (_, line) = dialogue.next(TIME_LIMIT)?;
        ready -= usize::from(line == "readyok");
        if line.starts_with("bestmove") {
            return Err(format!("{line:?} comes once too often"));
        }
    }
    Ok(())
}
