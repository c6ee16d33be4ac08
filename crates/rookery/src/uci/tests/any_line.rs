//! The console takes any line: a hundred thousand of them.

use super::*;
use crate::session::testing::Noise;

/// Commands that are quick, whatever comes behind them, and write no file.
const COMMANDS: [&str; 12] = [
    "uci",
    "isready",
    "setoption",
    "setoption name",
    "position",
    "position fen",
    "go",
    "stop",
    "ponderhit",
    "position startpos moves",
    "moves",
    "loadtable /no/such/file",
];
const WORDS: [&str; 40] = [
    "name",
    "value",
    "startpos",
    "fen",
    "moves",
    "e2e4",
    "e7e5",
    "e1g1",
    "a7a8q",
    "0000",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "infinite",
    "ponder",
    "searchmoves",
    "-1",
    "0",
    "1",
    "2",
    "3",
    "99999999999999999999",
    "x",
    "true",
    "MultiPV",
    "Skill",
    "Level",
    "Clear",
    "nodestime",
    "UCI_Elo",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
    "w",
    "KQkq",
    "-",
];

/// Follows a line to its end; a search is stopped at once.
fn follow(console: &mut Console, events: &Receiver<Event>, line: &str) {
    console.hear(&Heard::now(line)).expect("memory takes every answer");
    console.stop();
    while console.session.is_running() {
        if let Ok(Event::Finished(number)) = events.recv() {
            console.session.finished(number);
        }
    }
}

#[test]
fn a_hundred_thousand_lines_are_answered_or_refused() {
    let memory = Memory::default();
    let (mut console, events) = Console::new(Output::new(memory.clone())).expect("there is memory");
    let mut noise = Noise::new(0x2545_f491_4f6c_dd1d);
    let (mut refused, mut searches) = (0, 0);
    for number in 0..100_000 {
        let line = match number % 4 {
            0 => noise.words(&COMMANDS, &WORDS),
            _ => noise.bytes(),
        };
        let command = line.split_whitespace().find_map(Command::from_word);
        let is_garbage = command.is_none();
        follow(&mut console, &events, &line);
        let answer = memory.take();
        if is_garbage && !line.trim().is_empty() {
            assert!(answer.starts_with("info string error ") && answer.ends_with('\n'), "{line:?}");
            assert_eq!(answer.matches('\n').count(), 1, "{line:?}: {answer:?}");
        }
        let errors = answer.lines().filter(|line| line.starts_with("info string error")).count();
        let moves = answer.lines().filter(|line| line.starts_with("bestmove ")).count();
        assert!(errors <= 1, "{line:?}: {answer}");
        // Every `go` is answered, whatever stands behind it.
        assert_eq!(moves == 1, command == Some(Command::Go), "{line:?}: {answer}");
        refused += errors;
        searches += moves;
    }
    assert!(refused > 75_000 && searches > 100, "{refused} refused, {searches} searches");
    follow(&mut console, &events, "isready");
    assert_eq!(memory.take(), "readyok\n");
}
