//! What comes while it thinks, ponders or analyses.

use super::*;
use std::thread;

/// Long enough for anything on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Long enough that something would have come that must not come.
const A_WHILE: Duration = Duration::from_millis(60);

impl Dialogue {
    /// What is said until a text comes.
    fn until(&mut self, text: &str) -> String {
        let begun = Instant::now();
        let mut said = String::new();
        while !said.contains(text) {
            assert!(begun.elapsed() < TIMEOUT, "{text} did not come: {said}");
            thread::sleep(Duration::from_millis(1));
            said += &self.memory.take();
        }
        said
    }

    /// What is said until a line of this depth or a greater one is shown.
    fn until_depth(&mut self, depth: i64) -> String {
        let begun = Instant::now();
        let mut said = String::new();
        let is_deep = |line: &str| {
            let first = line.split(' ').next().and_then(|word| word.parse::<i64>().ok());
            first.is_some_and(|number| number >= depth)
        };
        while !said.lines().any(is_deep) {
            assert!(begun.elapsed() < TIMEOUT, "depth {depth} did not come: {said}");
            thread::sleep(Duration::from_millis(1));
            said += &self.memory.take();
        }
        said
    }

    fn quiet(&mut self) -> bool {
        self.memory.take();
        thread::sleep(A_WHILE);
        self.memory.take().is_empty()
    }
}

#[test]
fn ping_waits_for_our_move_and_question_mark_brings_it() {
    let mut dialogue = Dialogue::start();
    assert_eq!(dialogue.send("sd 99\ne2e4\nping 7\nmemory 24"), "");
    assert_eq!(dialogue.send("e7e5"), "Illegal move (it is the engine's turn): e7e5\n");
    let rest = dialogue.play("?\nping 8\nforce\nping 9");
    let lines: Vec<&str> = rest.lines().collect();
    assert!(lines[0].starts_with("move "), "{rest}");
    assert_eq!(lines[1..], ["pong 7", "pong 8", "pong 9"]);
    assert_eq!(dialogue.xboard.mode, Mode::Force);
}

#[test]
fn a_question_mark_is_heard_by_a_go_that_waits() {
    let mut dialogue = Dialogue::start();
    // Without the second one the second search would go on for ever.
    let said = dialogue.play("sd 99\ne2e4\n?\ngo\nping 1\n?\nping 2");
    let lines: Vec<&str> = said.lines().map(|line| line.split(' ').next().unwrap_or("")).collect();
    assert_eq!(lines, ["move", "move", "pong", "pong"], "{said}");
}

#[test]
fn our_clock_runs_from_the_moment_of_reading() {
    let mut dialogue = Dialogue::start();
    dialogue.send("post\nsd 2");
    let at = Instant::now() - Duration::from_secs(30);
    let line = Heard { text: "usermove e2e4".to_owned(), at };
    dialogue.xboard.receive(&line).expect("memory takes every answer");
    let said = dialogue.wait();
    let first = said.lines().next().expect("a line of thinking");
    let time = first.split(' ').nth(2).and_then(|word| word.parse::<u64>().ok());
    assert!(time >= Some(3_000), "{said}");
}

#[test]
fn what_changes_the_game_ends_the_search_without_a_move() {
    for ending in ["force", "new", "undo", "result 1-0 {x}", "analyze\nexit", "white", "setboard x"]
    {
        let mut dialogue = Dialogue::start();
        dialogue.send("post\nsd 99\ne2e4");
        let said = dialogue.send(&format!("{ending}\nnopost\nforce\nping 1"));
        assert!(said.ends_with("pong 1\n") && !said.contains("move e"), "{ending}: {said}");
        assert!(dialogue.quiet(), "{ending}");
    }
}

#[test]
fn thinking_is_shown_as_ply_score_time_nodes_and_moves() {
    let mut dialogue = Dialogue::start();
    let said = dialogue.play("post\nnps 1\nst 3000\nsd 99\ne2e4");
    let lines: Vec<&str> = said.lines().filter(|line| !line.starts_with("move")).collect();
    assert!(lines.len() > 3, "{said}");
    let mut start = board::Position::startpos();
    start.play(start.parse_uci("e2e4").expect("legal"));
    for line in lines {
        let words: Vec<&str> = line.split(' ').collect();
        let numbers: Vec<i64> =
            words[..4].iter().map(|word| word.parse().expect("a number")).collect();
        assert!(numbers[3] <= 3000 && numbers[2] == numbers[3] * 100, "{line}");
        let mut position = start;
        for word in &words[4..] {
            position
                .play(position.parse_uci(word).unwrap_or_else(|error| panic!("{line}: {error}")));
        }
    }
    assert_eq!(dialogue.play("nopost\nnew\nnps 1\nst 10\nd2d4").lines().count(), 1);
}

/// After our first move, while it ponders: the reply that it expects.
fn pondering(dialogue: &mut Dialogue) -> String {
    let said = dialogue.play("hard\npost\nsd 4\ne2e4");
    let hint =
        said.lines().find_map(|line| line.strip_prefix("Hint: ")).expect("a hint").to_owned();
    assert!(matches!(dialogue.xboard.purpose(), Some(Purpose::Ponder(_))));
    hint
}

#[test]
fn the_expected_move_goes_on_with_the_search_and_another_begins_anew() {
    let mut dialogue = Dialogue::start();
    let hint = pondering(&mut dialogue);
    let shown = dialogue.until(" (");
    assert!(shown.contains(&format!(" ({hint}) ")), "{shown}");
    // Lines of thinking may come until `nopost` is followed.
    let said = dialogue.send("nopost\nping 3\ntime 1000\notim 1000\nhint");
    let answers = said.lines().skip_while(|line| *line != "pong 3");
    assert_eq!(answers.collect::<Vec<_>>(), ["pong 3", &format!("Hint: {hint}")], "{said}");
    assert_ne!(played(&dialogue.play(&format!("usermove {hint}"))), "none");

    let mut dialogue = Dialogue::start();
    let hint = pondering(&mut dialogue);
    let other = if hint == "a2a3" { "h2h3" } else { "a2a3" };
    assert_ne!(played(&dialogue.play(other)), "none");
}

#[test]
fn easy_ends_pondering_and_a_mate_is_not_pondered_on() {
    let mut dialogue = Dialogue::start();
    pondering(&mut dialogue);
    dialogue.send("easy\nping 1");
    assert!(dialogue.quiet() && dialogue.xboard.purpose().is_none());
    dialogue.play("hard\nforce\nsetboard 7k/8/6K1/8/8/8/8/R7 w - - 0 1\ngo");
    assert!(dialogue.xboard.purpose().is_none());
}

#[test]
fn analysis_follows_the_board_until_exit() {
    let mut dialogue = Dialogue::start();
    dialogue.send("post\nanalyze");
    dialogue.until_depth(3);
    let stat = dialogue.send("nopost\n.");
    let stat = stat.lines().find(|line| line.starts_with("stat01: ")).expect("an answer");
    assert_eq!(stat.split(' ').nth(5), Some("20"), "{stat}");
    dialogue.send("post\nusermove e2e4");
    dialogue.until_depth(4);
    dialogue.send("undo\nsetboard 7k/8/6K1/8/8/8/8/R7 w - - 0 1");
    assert!(dialogue.until("100001 ").contains(" a1a8"));
    dialogue.send("new\nhard\neasy\nlevel 0 1 0");
    assert!(matches!(dialogue.xboard.purpose(), Some(Purpose::Analyse)));
    assert!(dialogue.send("exit\nping 5").ends_with("pong 5\n"));
    assert!(dialogue.quiet() && dialogue.xboard.mode == Mode::Force);
}

#[test]
fn excluded_moves_are_not_analysed_and_a_bad_option_does_not_end_the_analysis() {
    let mut dialogue = Dialogue::start();
    dialogue.send("force\nexclude all\ninclude a2a3\ninclude h2h3\npost\nanalyze");
    let said = dialogue.until_depth(6);
    let firsts: Vec<&str> = said.lines().filter_map(|line| line.split(' ').nth(4)).collect();
    assert!(firsts.iter().all(|first| ["a2a3", "h2h3"].contains(first)), "{said}");
    dialogue.send("exclude a2a3\nexclude h2h3");
    assert!(dialogue.quiet());
    assert!(dialogue.send("option MultiPV=0\ninclude all\nexclude x").contains("Error ("));
    dialogue.until_depth(5);
    dialogue.send("option MultiPV=0");
    dialogue.until_depth(5);
}

#[test]
fn a_paused_search_stands_still_until_it_is_resumed() {
    let mut dialogue = Dialogue::start();
    dialogue.send("post\npause\ne2e4");
    // On a busy machine it takes a while until it has heard of the pause.
    assert!((0..100).any(|_| dialogue.quiet() && dialogue.quiet()));
    assert!(dialogue.xboard.is_thinking());
    assert_ne!(played(&dialogue.play("resume")), "none");
    dialogue.send("sd 99\npause\nd2d4");
    assert_ne!(played(&dialogue.play("?")), "none");
}

#[test]
fn a_draw_is_accepted_only_by_the_worse_side() {
    let mut dialogue = Dialogue::start();
    let lost = "force\nsetboard 4k3/8/8/8/8/8/QQ6/4K3 b - - 0 1\ngo";
    assert_ne!(played(&dialogue.play(lost)), "none");
    assert_eq!(dialogue.send("draw"), "offer draw\n");
    let won = "force\nsetboard 4k3/8/8/8/8/8/QQ6/4K3 w - - 0 1\ngo";
    assert_ne!(played(&dialogue.play(won)), "none");
    assert_eq!(dialogue.send("draw"), "");
}
