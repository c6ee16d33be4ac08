//! Scratch.
mod common;
use common::*;
use parallel::StrategyKind;
use parallel::sim;
use search::Profile;
use search::switches::{BARE, Switches};
#[test]
fn scratch() {
    let scout = Switches { scout: true, killers: true, history: true, iterate: true, ..BARE };
    for (position, depth) in small_positions() {
        let expected = minimax(&position, depth);
        for strategy in StrategyKind::ALL {
            for peers in COUNTS {
                for switches in [BARE, scout] {
                    for machine in ["t805", "ideal", "infiniband"] {
                        let mut setup = setup(strategy, machine, peers, Profile::Plain);
                        setup.switches = switches;
                        setup.grain = 1;
                        setup.limit = Some(1_000_000_000_000);
                        let t = std::time::Instant::now();
                        let run = sim::run(&setup, &order(&position, depth));
                        let case = format!("{strategy} {machine} {peers} {}", position.fen());
                        match run { Ok(run) => {
                        println!("{case}: {:?} nodes {} time {} jobs {} msgs {}", t.elapsed(), run.nodes(), run.time, run.accounts.iter().map(|a| a.jobs).sum::<u64>(), run.accounts.iter().map(|a| a.messages_sent()).sum::<u64>());
                        if run.answer.value != expected { println!("WRONG {case} {} {}", run.answer.value, expected); } }
                        Err(e) => println!("ERR {case} {e}") }
                    }
                }
            }
        }
    }
}
