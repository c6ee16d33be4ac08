//! What is done when: nothing overtakes, nothing is lost, clocks run from the moment of reading.

use super::*;
use std::thread;
use std::time::Instant;

/// Long enough for anything on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(120);

/// A console that the test drives itself.
struct Dialogue {
    console: Console,
    events: Receiver<Event>,
    memory: Memory,
    said: String,
}

impl Dialogue {
    fn start() -> Dialogue {
        let memory = Memory::default();
        let (console, events) = Console::new(Output::new(memory.clone())).expect("memory");
        Dialogue { console, events, memory, said: String::new() }
    }

    fn send(&mut self, lines: &str) {
        for line in lines.lines() {
            self.send_line(&Heard::now(line));
        }
    }

    fn send_line(&mut self, line: &Heard) {
        let next = self.console.hear(line).expect("memory takes every answer");
        assert_eq!(next, Next::Go);
    }

    /// What was said up to now.
    fn said(&mut self) -> &str {
        self.said += &self.memory.take();
        &self.said
    }

    /// Waits until something is said, without a look at what happens to the console.
    fn until(&mut self, text: &str) {
        let begun = Instant::now();
        while !self.said().contains(text) {
            assert!(begun.elapsed() < TIMEOUT, "no {text}: {}", self.said);
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Follows events until nothing runs and nothing waits.
    fn finish(&mut self) -> String {
        while self.console.session.is_running() {
            match self.events.recv_timeout(TIMEOUT) {
                Ok(Event::Finished(number)) => {
                    self.console.session.finished(number);
                    self.console.follow_waiting().expect("memory takes every answer");
                }
                Ok(_) => (),
                Err(_) => panic!("it does not end: {}", self.said()),
            }
        }
        assert!(self.console.queue.is_empty());
        self.said().to_owned()
    }

    /// The kinds of lines that were said, in order.
    fn kinds(&mut self) -> Vec<String> {
        let first = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
        let said = self.finish();
        let lines = said
            .lines()
            .filter(|line| !line.starts_with("info ") || line.starts_with("info string error"));
        lines.map(first).collect()
    }
}

/// A command that says so when it is done.
const BAD: &str = "setoption name MultiPV value 0";

#[test]
fn what_is_said_after_bestmove_was_read_finds_the_search_over() {
    let mut dialogue = Dialogue::start();
    for lines in [3, 1, 4] {
        dialogue.send("go depth 1");
        dialogue.until("bestmove ");
        // The event that tells of the end has not been looked at.
        dialogue.send(&format!("setoption name MultiPV value {lines}\nisready"));
        assert!(dialogue.said().ends_with("readyok\n"), "{}", dialogue.said);
        assert_eq!(dialogue.console.session.options.multi_pv, lines);
        dialogue.said.clear();
    }
    dialogue.send("go depth 1");
    dialogue.until("bestmove ");
    dialogue.send("ucinewgame\ngo depth 2");
    assert_eq!(dialogue.finish().matches("bestmove ").count(), 2);
}

#[test]
fn readyok_comes_behind_what_waits_for_a_search_that_ends() {
    for (go, stop) in [("go depth 4", ""), ("go infinite", "stop\n"), ("go nodes 500", "")] {
        let mut dialogue = Dialogue::start();
        dialogue.send(&format!("{go}\n{stop}{BAD}\nisready\n{BAD}\nisready"));
        assert_eq!(dialogue.kinds(), ["bestmove", "info", "readyok", "info", "readyok"], "{go}");
    }
}

#[test]
fn readyok_says_nothing_of_commands_that_were_said_later() {
    let mut dialogue = Dialogue::start();
    dialogue.send("go depth 4\nucinewgame\nisready\nucinewgame\ngo depth 1");
    let said = dialogue.finish();
    assert!(said.contains("readyok") && !said.contains("commands that wait"), "{said}");
}

#[test]
fn readyok_comes_behind_the_bestmove_of_a_search_that_was_stopped() {
    for go in ["go infinite", "go ponder depth 3", "go movetime 1000000", "perft 15"] {
        let mut dialogue = Dialogue::start();
        dialogue.send(&format!("{go}\nisready\nstop\nisready\nisready"));
        let answer = if go == "perft 15" { None } else { Some("bestmove") };
        let expected: Vec<&str> =
            ["readyok"].into_iter().chain(answer).chain(["readyok"; 2]).collect();
        assert_eq!(dialogue.kinds(), expected, "{go}");
    }
}

#[test]
fn readyok_comes_at_once_during_a_search() {
    let mut dialogue = Dialogue::start();
    dialogue.send("go infinite\nisready");
    assert!(dialogue.said().contains("readyok\n"), "{}", dialogue.said);
    // An interface that waits for it before it says `stop` must not wait for ever.
    dialogue.said.clear();
    dialogue.send(&format!("{BAD}\nisready"));
    let told = "info string commands that wait for the end of the search: 1\nreadyok\n";
    assert!(dialogue.said().contains(told), "{}", dialogue.said);
    dialogue.send("stop");
    assert_eq!(dialogue.kinds(), ["readyok", "bestmove", "info"]);
}

#[test]
fn readyok_does_not_wait_for_a_search_that_begins_to_ponder() {
    let mut dialogue = Dialogue::start();
    // It has a limit, but ends when the test says so.
    dialogue.send(&format!("go movetime 10000000\ngo ponder depth 3\n{BAD}\nisready"));
    assert!(!dialogue.said().contains("readyok"));
    dialogue.console.session.stop();
    while !dialogue.said().contains("readyok") {
        match dialogue.events.recv_timeout(TIMEOUT) {
            Ok(Event::Finished(number)) => {
                dialogue.console.session.finished(number);
                dialogue.console.follow_waiting().expect("memory takes every answer");
            }
            _ => panic!("no readyok: {}", dialogue.said()),
        }
    }
    dialogue.send("ponderhit");
    assert_eq!(dialogue.kinds(), ["bestmove", "readyok", "bestmove", "info"]);
}

#[test]
fn a_clock_runs_from_the_moment_of_reading() {
    let mut dialogue = Dialogue::start();
    dialogue.send("go depth 3");
    dialogue.send_line(&Heard { text: "go depth 2".to_owned(), at: half_a_minute_ago() });
    let said = dialogue.finish();
    let second = said.split("bestmove ").nth(1).expect("a second search");
    assert!(times(second).min() >= Some(30_000), "{second}");
}

fn half_a_minute_ago() -> Instant {
    Instant::now() - Duration::from_secs(30)
}

/// The times that lines of a search tell, in milliseconds.
fn times(said: &str) -> impl Iterator<Item = u64> {
    said.lines()
        .filter_map(|line| line.split(' ').skip_while(|word| *word != "time").nth(1)?.parse().ok())
}

#[test]
fn ponderhit_holds_for_a_search_that_has_yet_to_begin() {
    let mut dialogue = Dialogue::start();
    dialogue.send("go depth 1\ngo ponder depth 1\nponderhit");
    assert_eq!(dialogue.finish().matches("bestmove ").count(), 2);
}

#[test]
fn counts_are_ended_by_stop_and_quit() {
    for command in ["perft 15", "divide 15", "go perft 15", "bench 60"] {
        let mut dialogue = Dialogue::start();
        dialogue.send(&format!("{command}\nisready\n{BAD}"));
        assert_eq!(dialogue.said(), "readyok\n", "{command}");
        dialogue.send("stop");
        let said = dialogue.finish();
        let (name, _) = command.rsplit_once(' ').expect("a depth");
        assert!(said.contains(&format!("info string {name}: stopped\n")), "{said}");
        assert_eq!(dialogue.kinds(), ["readyok", "info"]);
        // It does not end by itself.
        answers(&format!("{command}\nquit\n"));
    }
}

#[test]
fn the_end_of_the_input_finishes_what_ends_by_itself() {
    assert_eq!(answers(&"go depth 5\n".repeat(3)).matches("bestmove ").count(), 3);
    let text = answers("go infinite\ngo depth 3\ngo ponder wtime 9 btime 9\ngo movetime 20");
    assert_eq!(text.matches("bestmove ").count(), 4, "{text}");
    for go in ["go infinite", "go ponder", "go ponder depth 3", "go", "go ponder movetime 9999999"]
    {
        assert_eq!(answers(go).matches("bestmove ").count(), 1, "{go}");
    }
    let text = answers(&format!("go depth 3\n{BAD}\nisready\nperft 3\nd"));
    for (before, after) in [("bestmove", "error"), ("error", "readyok"), ("readyok", "8902")] {
        assert!(text.find(before) < text.find(after), "{before} {after}: {text}");
    }
    assert!(text.contains("Fen: "), "{text}");
}

/// What is answered to lines behind which the input ends, where a mate is looked for so long.
fn answers_with_mate_time(mate_time: Duration, lines: &str) -> String {
    let memory = Memory::default();
    let (mut console, events) = Console::new(Output::new(memory.clone())).expect("memory");
    console.mate_time = mate_time;
    let input = Cursor::new(lines.to_owned());
    session::start_reading(input, console.session.events()).expect("a thread");
    console.attend(&events).expect("memory takes every answer");
    memory.take()
}

#[test]
fn the_end_of_the_input_ends_the_search_for_a_mate_that_is_not_there() {
    // The counts in between have a limit of their own: the time for a mate is not theirs.
    let text = answers_with_mate_time(Duration::ZERO, "go mate 2\nperft 3\ngo depth 4\ngo mate 1");
    assert_eq!(text.matches("bestmove ").count(), 3, "{text}");
    assert!(text.contains("8902") && text.contains("info depth 4 "), "{text}");
    let text = answers_with_mate_time(Duration::ZERO, "go mate 2 infinite\ngo mate 2 ponder");
    assert_eq!(text.matches("bestmove ").count(), 2, "{text}");
}

#[test]
fn the_end_of_the_input_leaves_time_to_find_a_mate() {
    let hours = Duration::from_secs(100_000);
    let mate = "position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1\ngo mate 2\ngo infinite";
    let text = answers_with_mate_time(hours, mate);
    assert!(text.contains("bestmove a1a6") && text.matches("bestmove ").count() == 2, "{text}");
}

#[test]
fn after_the_end_of_the_input_no_clock_runs_while_a_search_waits() {
    let mut dialogue = Dialogue::start();
    dialogue.console.is_last = true;
    dialogue.send_line(&Heard { text: "go depth 2".to_owned(), at: half_a_minute_ago() });
    let said = dialogue.finish();
    assert!(times(&said).max().is_some_and(|time| time < 30_000), "{said}");
}

#[test]
fn quit_drops_what_waits_but_saves_what_was_to_be_saved() {
    let scratch = crate::scratch::Scratch::new("quit");
    let path = scratch.file("quit.table");
    let text = answers(&format!("go infinite\nsavetable {}\ngo depth 2\nquit\n", path.display()));
    assert!(path.is_file() && text.matches("bestmove ").count() == 1, "{text}");
    assert!(text.ends_with("were dropped by quit: 1\n"), "{text}");
    let text = answers("go infinite\nstop\nisready\nquit\n");
    assert!(text.ends_with("readyok\n") && text.contains("bestmove "), "{text}");
}

#[test]
fn lines_behind_xboard_are_for_the_other_protocol() {
    let text = answers("go depth 3\nxboard\nping 5\nprotover 2\nping 6\n");
    assert!(text.contains("bestmove ") && !text.contains("error"), "{text}");
    assert!(text.contains("pong 5\nfeature done=0\n") && text.ends_with("pong 6\n"), "{text}");
}
