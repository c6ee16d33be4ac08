//! The end of the input with searches in the queue: each `go` in a pipe is still answered, in order.

use super::dialogue::field;
use super::ground::Ground;
use super::process::{self, HANG};
use super::referee;

pub fn run(ground: &mut Ground) -> Result<(), String> {
    let places = referee::places(ground, 100)?;
    for _ in 0..ground.times(20, 100, 500) {
        let mut input = String::new();
        let mut asked = Vec::new();
        for _ in 0..ground.random.usize(1..8) {
            let place = &places[ground.random.usize(..places.len())];
            let limit = match ground.random.u8(..3) {
                0 => format!("depth {}", ground.random.u32(1..6)),
                1 => format!("nodes {}", ground.random.u32(1..5000)),
                _ => format!("movetime {}", ground.random.u32(1..40)),
            };
            input.push_str(&format!("position {}\ngo {limit}\n", place.text));
            asked.push(place);
            if ground.random.u8(..4) == 0 {
                input.push_str("ucinewgame\nsetoption name Hash value 2\n");
            }
        }
        ground.attempted(1);
        let ended = process::run(&mut ground.command(&["uci"]), input.as_bytes(), HANG)?;
        let answers: Vec<&str> =
            ended.out.lines().filter_map(|line| field(line, "bestmove")).collect();
        let legal = asked
            .iter()
            .zip(&answers)
            .all(|(place, answer)| place.moves.iter().any(|legal| legal == answer));
        let what = match ended.fault() {
            Some(fault) => fault,
            None if answers.len() != asked.len() => {
                format!("{} of {} searches were answered", answers.len(), asked.len())
            }
            None if !legal => format!("the answers {answers:?} are not all legal"),
            None if ended.code() != Some(0) => format!("it ended with {:?}", ended.code()),
            None => continue,
        };
        let case = format!("rookery uci < {}", ground.keep(input.as_bytes()));
        ground.found(what, case);
    }
    Ok(())
}
