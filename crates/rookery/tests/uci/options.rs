//! Options whose effect is seen from outside.

use crate::best;
use crate::support::{Dialogue, Folder, data, field};
use std::time::{Duration, Instant};

#[test]
fn everything_said_and_heard_is_in_the_debug_log() {
    let folder = Folder::new("debug");
    let path = folder.file("debug.log");
    let mut dialogue = Dialogue::start();
    dialogue.send(&format!("setoption name Debug Log File value {path}"));
    dialogue.send("isready");
    dialogue.until("readyok");
    let lines = dialogue.search("startpos", "go depth 2");
    dialogue.send("setoption name Debug Log File value <empty>\nisready");
    dialogue.until("readyok");
    let log = std::fs::read_to_string(&path).expect("the log is there");
    let mut expected = vec![">> isready", "<< readyok", ">> position startpos", ">> go depth 2"];
    let answers: Vec<String> = lines.iter().map(|line| format!("<< {line}")).collect();
    expected.extend(answers.iter().map(String::as_str));
    expected.push(">> setoption name Debug Log File value <empty>");
    assert_eq!(log.lines().collect::<Vec<_>>(), expected);
    dialogue.send("setoption name Debug Log File value /dev/null\nisready");
    let refused = dialogue.until("readyok");
    assert!(refused[0].ends_with("it is a device, not a plain file"), "{refused:?}");
}

#[test]
fn a_weak_player_takes_its_time_where_there_is_a_clock_and_can_be_hurried() {
    let mut dialogue = Dialogue::start();
    dialogue.send("setoption name Skill Level value 0");
    let begun = Instant::now();
    // A minute is planned as one and a half seconds, and at least a seventh of it is taken.
    dialogue.search("startpos", "go wtime 60000 btime 60000");
    assert!(begun.elapsed() >= Duration::from_millis(150), "{:?}", begun.elapsed());
    dialogue.send("go wtime 6000000 btime 6000000\nstop");
    dialogue.until("bestmove ");
    dialogue.send("setoption name Skill Pause value off");
    dialogue.search("startpos", "go wtime 6000000 btime 6000000");
}

#[test]
fn a_seed_repeats_the_errors_of_a_weak_player() {
    let play = |seed: u32| {
        let mut dialogue = Dialogue::start();
        dialogue.send(&format!(
            "setoption name Skill Level value 0\nsetoption name Skill Seed value {seed}"
        ));
        let answer =
            |dialogue: &mut Dialogue| best(&dialogue.search("startpos", "go depth 5")).to_owned();
        (0..12).map(|_| answer(&mut dialogue)).collect::<Vec<String>>()
    };
    assert_eq!(play(5), play(5));
    // The chance that twelve moves agree by themselves three times is nothing.
    assert!((0..3).any(|_| play(0) != play(0)));
}

#[test]
fn a_network_evaluates_where_it_is_asked_for_and_a_bad_one_is_refused() {
    let (folder, good) = (Folder::new("network"), data("net/tiny.net"));
    let mut damaged = std::fs::read(&good).expect("the network is there");
    damaged[1000] ^= 1;
    let bad = folder.write("bad.net", damaged);
    let mut dialogue = Dialogue::start();
    let mut score = |commands: &str| {
        dialogue.send(&format!("{commands}\nisready"));
        let told = dialogue.until("readyok");
        let lines = dialogue.search("startpos", "go depth 1");
        let shown = lines.iter().rev().find_map(|line| field(line, "cp"));
        (told, shown.expect("a score").to_owned())
    };
    let (_, classical) = score("setoption name Evaluation value classical");
    // The file alone changes nothing: it is used where a network is asked for.
    let (_, file_alone) = score(&format!("setoption name EvalFile value {good}"));
    let (told, by_network) = score("setoption name Evaluation value net");
    assert!(told[0].contains("evaluation by network 32 wide") && file_alone == classical);
    assert_ne!(by_network, classical);
    // What cannot be used is named, and the network stays.
    for file in [bad.as_str(), "/dev/null", "/no/such.net"] {
        let (told, kept) = score(&format!("setoption name EvalFile value {file}"));
        assert!(told[0].contains("EvalFile: network ") && told[0].contains(file), "{told:?}");
        assert!(told.len() == 2 && told[0].ends_with("nothing has changed"), "{told:?}");
        assert_eq!(kept, by_network);
    }
    let back_to_embedded = ["<empty>", "<embedded>", ""].map(|name| {
        let (told, embedded) = score(&format!("setoption name EvalFile value {name}"));
        assert!(told[0].contains("evaluation by network 256 wide"), "{told:?}");
        let (_, again) = score(&format!("setoption name EvalFile value {good}"));
        assert_eq!(again, by_network);
        embedded
    });
    let [embedded, ..] = &back_to_embedded;
    assert!(back_to_embedded.iter().all(|score| score == embedded));
    assert!(*embedded != by_network && *embedded != classical);
    let (_, threads) = score("setoption name Threads value 2");
    let (_, back) = score("setoption name Evaluation value Classical");
    assert_eq!((threads, back), (by_network, classical));
}

#[test]
fn without_a_file_the_embedded_network_evaluates_and_a_bad_file_leaves_it_in_use() {
    let mut dialogue = Dialogue::start();
    let mut bench = |commands: &str| {
        dialogue.send(&format!("{commands}\nbench 3"));
        let told = dialogue.until_matching("nps", |line| line.ends_with(" nps"));
        let nodes = told.last().and_then(|line| line.split(' ').next()).map(str::to_owned);
        (told, nodes.expect("a number"))
    };
    let (_, usual) = bench("");
    let (_, classical) = bench("setoption name Evaluation value classical");
    let (told, by_network) = bench("setoption name Evaluation value net");
    assert!(told[0].contains("evaluation by network 256 wide"), "{told:?}");
    assert!(by_network == usual && by_network != classical);
    let (told, kept) = bench("setoption name EvalFile value /dev/null");
    assert!(told[0].contains("EvalFile: network \"/dev/null\""), "{told:?}");
    assert_eq!(kept, by_network);
    assert_eq!(bench("setoption name Evaluation value classical").1, classical);
}
