//! The console without a process around it.

mod any_line;
mod searches;

use super::*;
use crate::session::testing::Memory;
use std::time::Duration;

/// A conversation that the test drives itself.
struct Dialogue {
    xboard: Xboard,
    events: Receiver<Event>,
    memory: Memory,
}

impl Dialogue {
    /// A new game at a depth that takes no time.
    fn start() -> Dialogue {
        let memory = Memory::default();
        let (session, events) = Session::new(Output::new(memory.clone())).expect("memory");
        let mut dialogue = Dialogue { xboard: Xboard::new(session), events, memory };
        assert_eq!(dialogue.send("xboard\nnew\nsd 3\nst 3600"), "");
        dialogue
    }

    /// Follows lines and gives what was said at once.
    fn send(&mut self, lines: &str) -> String {
        for line in lines.lines() {
            let line = Heard::now(line);
            let next = self.xboard.receive(&line).expect("memory takes every answer");
            assert_eq!(next, Next::Go);
            self.xboard.follow_waiting().expect("memory takes every answer");
        }
        self.memory.take()
    }

    /// Waits until no move is thought about any more, and gives what was said.
    fn wait(&mut self) -> String {
        while self.xboard.is_thinking() {
            if let Ok(Event::Finished(number)) = self.events.recv_timeout(Duration::from_secs(120))
            {
                let outcome = self.xboard.finished(number).map(|()| Next::Go);
                self.xboard.settle(outcome, "").expect("memory takes every answer");
                self.xboard.follow_waiting().expect("memory takes every answer");
            } else {
                panic!("no move comes: {}", self.memory.take());
            }
        }
        self.memory.take()
    }

    /// Follows lines and the move that comes of them.
    fn play(&mut self, lines: &str) -> String {
        self.send(lines) + &self.wait()
    }

    fn fen(&self) -> String {
        self.xboard.game.position().fen()
    }
}

/// The move of an answer.
fn played(answer: &str) -> &str {
    answer.lines().find_map(|line| line.strip_prefix("move ")).unwrap_or("none")
}

#[test]
fn what_the_features_promise_is_told_between_done_0_and_done_1() {
    let features = Dialogue::start().send("protover 2");
    for feature in ["setboard=1", "usermove=1", "exclude=1", "variants=\"normal,fischerandom\""] {
        assert!(features.contains(feature), "{feature}");
    }
    assert!(features.lines().all(|line| line.starts_with("feature ")), "{features}");
    assert!(Dialogue::start().send("protover 1").is_empty());
}

#[test]
fn it_plays_black_after_new_and_the_side_to_move_after_go() {
    let mut dialogue = Dialogue::start();
    let answer = dialogue.play("usermove e2e4");
    assert!(answer.starts_with("move ") && answer.lines().count() == 1, "{answer}");
    assert_ne!(played(&dialogue.play("new\nsd 3\ngo")), "none");
    // It was White that moved, so that Black is the opponent now.
    assert_ne!(played(&dialogue.play("e7e6")), "none");
}

#[test]
fn in_force_mode_both_sides_are_moved() {
    let mut dialogue = Dialogue::start();
    assert_eq!(dialogue.play("force\nusermove e2e4\nusermove e7e5\ng1f3"), "");
    assert_eq!(dialogue.fen(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
    assert_eq!(dialogue.play("playother\nundo"), "");
    assert_eq!(dialogue.play("remove"), "");
    assert_eq!(dialogue.fen(), board::Position::startpos().fen());
    assert_eq!(dialogue.play("undo"), "Error (no move to take back): undo\n");
}

#[test]
fn errors_are_spelled_as_the_protocol_has_them() {
    let mut dialogue = Dialogue::start();
    for (line, expected) in [
        ("castle now", "Error (unknown command): castle now"),
        ("edit", "Error (unknown command): edit"),
        ("setscore 5 1", "Error (unknown command): setscore 5 1"),
        ("usermove e2e5", "Illegal move (e2e5 is not legal here): e2e5"),
        ("e7e5", "Illegal move (e7e5 is not legal here: the man on e7 is the opponent's): e7e5"),
        ("usermove O-O", "Illegal move (no man can make this move): O-O"),
        ("usermove", "Illegal move (\"\" is not a move in coordinates such as e2e4 or e7e8q): "),
        ("variant shogi", "Error (unsupported variant \"shogi\"): variant shogi"),
        ("st", "Error (the time in seconds is missing): st"),
        ("sd 0", "Error (depth \"0\" is not 1 or more): sd 0"),
        ("ping", "Error (the number is missing): ping"),
        ("exit", "Error (command not legal now): exit"),
        (".", "Error (command not legal now): ."),
        ("memory much", "Error (\"much\" is not a number of megabytes): memory much"),
        ("option Nonsense=1", "Error (no option \"Nonsense\"): option Nonsense=1"),
        (
            "option MultiPV=0",
            "Error (MultiPV is a number from 1 to 256, not \"0\"): option MultiPV=0",
        ),
    ] {
        assert_eq!(dialogue.send(line), format!("{expected}\n"));
    }
    for silent in
        ["", "  ", "accepted ping", "random", "computer", "name X", "ics -", "rating 1 2", "?"]
    {
        assert_eq!(dialogue.send(silent), "");
    }
}

#[test]
fn a_refused_position_makes_every_move_illegal_until_the_next() {
    let mut dialogue = Dialogue::start();
    let refused = dialogue.send("force\nsetboard 8/8/8/8/8/8/8/8 w - - 0 1");
    assert!(refused.starts_with("tellusererror Illegal position: "), "{refused}");
    assert_eq!(dialogue.send("e2e4"), "Illegal move (the position was refused): e2e4\n");
    assert_eq!(dialogue.send("go"), "Error (the position was refused): go\n");
    assert_eq!(dialogue.send("setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\ne2e4"), "");
    assert_eq!(dialogue.fen(), "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1");
}

#[test]
fn a_sloppy_position_is_repaired_and_told() {
    let mut dialogue = Dialogue::start();
    let said = dialogue.send("force\nsetboard 4k3/8/8/8/8/8/4P3/4K3 w KQkq - 0 1\ne2e4");
    assert_eq!(said, "# setboard: castling rights KQkq dropped: no king and rook in place\n");
    assert_eq!(dialogue.fen(), "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1");
}

#[test]
fn the_end_of_the_game_is_told_after_our_move_and_after_theirs() {
    let mut dialogue = Dialogue::start();
    let ours = dialogue.play("setboard 7k/8/5K2/8/8/8/8/R7 w - - 0 1\nundo\nsd 5\ngo");
    assert!(ours.contains("move "), "{ours}");
    let mate = dialogue.play("force\nsetboard 7k/8/6K1/8/8/8/8/R7 w - - 0 1\ngo");
    assert_eq!(mate, "move a1a8\n1-0 {White mates}\n");
    assert_eq!(dialogue.play("go"), "1-0 {White mates}\n");
    dialogue.send("new\nforce\nf2f3\ne7e5\ng2g4");
    assert_eq!(dialogue.play("playother\nd8h4"), "0-1 {Black mates}\n");
}

#[test]
fn a_repetition_is_claimed_but_not_where_a_move_is_asked_for() {
    let mut dialogue = Dialogue::start();
    let back_and_forth = "g1f3\ng8f6\nf3g1\nf6g8\n".repeat(2);
    let (all_but_one, _) = back_and_forth.trim_end().rsplit_once('\n').expect("eight moves");
    dialogue.send("force\n");
    dialogue.send(all_but_one);
    assert_eq!(dialogue.play("playother\nf6g8"), "1/2-1/2 {Draw by repetition}\n");
    assert_ne!(played(&dialogue.play("go")), "none");
    assert_eq!(dialogue.play("force\nundo\ndraw"), "offer draw\n");
}

#[test]
fn castling_follows_the_variant() {
    let mut dialogue = Dialogue::start();
    let board = "setboard bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKR1N w FCfc - 0 1";
    assert_eq!(dialogue.send(&format!("new\nvariant fischerandom\nforce\n{board}\nO-O")), "");
    assert!(dialogue.fen().contains("/BNRB1RKN b "), "{}", dialogue.fen());
    // Nothing is legal but castling or moves of the king; it is told what was played.
    let castles = "setboard 4k3/8/8/8/8/8/8/RK6 w A - 0 1\nexclude all";
    assert_eq!(dialogue.send(castles), "");
    assert_eq!(dialogue.send("include O-O-O\nundo"), "Error (no move to take back): undo\n");
}

#[test]
fn old_commands_give_the_turn() {
    let mut dialogue = Dialogue::start();
    assert_ne!(played(&dialogue.play("black\nusermove e7e5")), "none");
    assert!(dialogue.fen().contains(" b "));
    assert_eq!(dialogue.send("white\nforce"), "");
    assert!(dialogue.fen().contains(" w "));
}

#[test]
fn settings_are_taken_and_told_in_comments() {
    let mut dialogue = Dialogue::start();
    assert_eq!(dialogue.send("memory 12\noption MultiPV=2\noption LimitStrength=1"), "");
    assert_eq!(dialogue.xboard.session.engine().hash_mb(), 4);
    assert_eq!(dialogue.xboard.session.options.multi_pv, 2);
    assert!(dialogue.xboard.session.options.strength().is_some());
    let said = dialogue.send("egtpath syzygy /no/such/folder");
    assert!(said.starts_with("# SyzygyPath: /no/such/folder: "), "{said}");
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/syzygy");
    let said = dialogue.send(&format!("egtpath syzygy {tables}"));
    assert!(said.starts_with("# SyzygyPath: "), "{said}");
    assert!(said.lines().all(|line| line.starts_with("# ")), "{said}");
    assert!(dialogue.send("egtpath nalimov /x").starts_with("Error (expected: "));
    assert_eq!(dialogue.send("cores 0").lines().count(), 1);
}

#[test]
fn the_end_of_the_input_lets_our_move_come_and_ends_all_else() {
    let moves = |lines: &str| {
        let memory = Memory::default();
        let input = std::io::Cursor::new(lines.to_owned());
        talk(input, Output::new(memory.clone()), None).expect("memory takes every answer");
        let said = memory.take();
        assert!(!said.contains("Error"), "{said}");
        said.lines().filter(|line| line.starts_with("move ")).count()
    };
    assert_eq!(moves("new\nsd 3\nusermove e2e4\n"), 1);
    assert_eq!(moves("new\nsd 3\ngo\nping 1\n"), 1);
    assert_eq!(moves("new\nsd 3\nhard\npause\ngo\n"), 1);
    assert_eq!(moves("new\nsd 3\ngo\nforce\n"), 0);
    assert_eq!(moves("new\nanalyze\n"), 0);
}
