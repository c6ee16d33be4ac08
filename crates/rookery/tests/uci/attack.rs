//! The attack: commands sent the moment `bestmove` is read. After `readyok` they must have been followed.
//!
//! `ROOKERY_ATTACK_TRIES` sets how many tries (default 300).

use crate::support::{Dialogue, count, number};

fn tries() -> u32 {
    match std::env::var("ROOKERY_ATTACK_TRIES") {
        Ok(text) => text.parse().expect("ROOKERY_ATTACK_TRIES is a number"),
        Err(_) => 300,
    }
}

#[test]
fn setoption_and_isready_right_after_bestmove_are_followed_in_order() {
    let mut dialogue = Dialogue::start();
    let mut early = 0;
    for try_number in 0..tries() {
        // One that tells of itself, one whose effect is seen in the next search, and another game.
        let lines = 1 + i64::from(try_number % 3);
        dialogue.send("go depth 1");
        let searched = dialogue.until("bestmove ");
        dialogue.send(&format!(
            "setoption name MultiPV value {lines}\nucinewgame\n\
             setoption name MultiPV value nonsense\nisready"
        ));
        let heard = dialogue.until("readyok");
        early += u32::from(count(&heard, "info string error setoption: MultiPV") != 1);
        if try_number > 0 {
            let shown = searched.iter().filter_map(|line| number(line, "multipv")).max();
            assert_eq!(shown, Some(1 + i64::from((try_number - 1) % 3)), "{searched:?}");
        }
    }
    assert_eq!(early, 0, "readyok came before what was said before it");
}
