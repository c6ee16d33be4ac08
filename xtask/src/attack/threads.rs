//! Far more threads than processors: they are made when they are asked for, and `stop` is heard.

use super::dialogue::Dialogue;
use super::ground::Ground;
use std::time::{Duration, Instant};

/// What `stop` may take with a thousand threads on two processors.
const AT_MOST: Duration = Duration::from_secs(2);
/// Those in which all threads search all the time, and one in which most of them wait.
const STRATEGIES: [&str; 3] = ["lazy", "abdada", "ybw"];

pub fn run(ground: &mut Ground) -> Result<(), String> {
    let mut slowest = Duration::ZERO;
    let numbers: &[u32] = if ground.times(0, 1, 1) == 0 { &[64] } else { &[64, 256, 1024] };
    for &threads in numbers {
        for round in 0..ground.times(1, 3, 6) {
            let strategy = STRATEGIES[round as usize % STRATEGIES.len()];
            ground.attempted(1);
            let mut dialogue = Dialogue::start(ground, &["uci"])?;
            let parallel = format!("setoption name Parallel value {strategy}");
            dialogue.say(&format!("{parallel}\nsetoption name Threads value {threads}\nisready"));
            dialogue.until("readyok")?;
            dialogue.say("go infinite");
            std::thread::sleep(Duration::from_millis(ground.random.u64(1..500)));
            let begun = Instant::now();
            dialogue.say("stop");
            let took = dialogue.timed_until("bestmove")?.1.saturating_duration_since(begun);
            slowest = slowest.max(took);
            let mut told = |what| {
                ground.found(what, format!("{strategy}, Threads {threads}, go infinite, stop"))
            };
            if took > AT_MOST {
                told(format!("bestmove came {:.1} s after stop", took.as_secs_f64()));
            }
            if let Err(what) = dialogue.close() {
                told(what);
            }
        }
    }
    ground.note(format!("slowest stop {} ms", slowest.as_millis()));
    Ok(())
}
