//! The console takes any line: a hundred thousand of them.

use super::*;
use crate::session::testing::Noise;

/// Commands that are quick, whatever comes behind them, and write no file.
const COMMANDS: [&str; 48] = [
    "xboard",
    "protover",
    "accepted",
    "rejected",
    "new",
    "variant",
    "random",
    "force",
    "go",
    "playother",
    "white",
    "black",
    "level",
    "st",
    "sd",
    "nps",
    "time",
    "otim",
    "usermove",
    "?",
    "ping",
    "draw",
    "result",
    "setboard",
    "hint",
    "bk",
    "undo",
    "remove",
    "hard",
    "easy",
    "post",
    "nopost",
    "analyze",
    "exit",
    ".",
    "name",
    "rating",
    "computer",
    "pause",
    "resume",
    "cores",
    "egtpath",
    "option",
    "exclude",
    "include",
    "edit",
    "setscore",
    "memory -",
];
const WORDS: [&str; 32] = [
    "e2e4",
    "e7e5",
    "g1f3",
    "d2d4",
    "g8f6",
    "a7a8q",
    "O-O",
    "O-O-O",
    "@@@@",
    "0000",
    "all",
    "normal",
    "fischerandom",
    "-1",
    "0",
    "1",
    "2",
    "40",
    "0:30",
    "99999999999999999999",
    "x",
    "MultiPV=3",
    "SkillLevel=1",
    "Clear",
    "=",
    "{Draw}",
    "1-0",
    "NaN",
    "w",
    "KQkq",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "-",
];

#[test]
fn a_hundred_thousand_lines_are_answered_or_refused() {
    let mut dialogue = Dialogue::start();
    let mut noise = Noise::new(0x2545_f491_4f6c_dd1d);
    let (mut refused, mut moves) = (0, 0);
    for number in 0..100_000 {
        let line = match number % 4 {
            // A word of the protocol would be a command: `quit` among them.
            0..=2 => format!("~{}", noise.bytes()),
            _ => noise.words(&COMMANDS, &WORDS),
        };
        let mut answer = dialogue.send(&line);
        if line.starts_with('~') {
            let error = answer.lines().find(|line| line.starts_with("Error (unknown command): ~"));
            assert!(error.is_some(), "{line:?}: {answer:?}");
        }
        // No move is left to think about, and now and then none to analyse.
        answer += &dialogue.play("resume\n?");
        if number % 64 == 3 {
            answer += &dialogue.send("nopost\nforce\nsetboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
        }
        assert!(answer.is_empty() || answer.ends_with('\n'), "{line:?}: {answer:?}");
        refused += answer.lines().filter(|line| line.starts_with("Error (")).count();
        moves += answer.lines().filter(|line| line.starts_with("move ")).count();
    }
    assert!(refused > 75_000 && moves > 100, "{refused} refused, {moves} moves");
    assert!(dialogue.play("nopost\nresume\nforce\nnew\nforce\nping 77").ends_with("pong 77\n"));
    assert_ne!(played(&dialogue.play("new\nsd 2\ngo")), "none");
}
