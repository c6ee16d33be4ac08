//! An engine for tests: this test program itself, when it is started with a word `script:…`.
//!
//! It plays legal moves that depend on the position and a seed alone, so that every match with it can
//! be repeated, and now and then it does what its script says. The lines that the test harness writes
//! around it are one more thing that the runner must not mind.

use board::{CastlingStyle, Color, Move, Position};
use std::io::{BufRead, Write};
use std::time::Duration;

/// After this number of games a process does not move any more, though it listens. In the environment
/// and not in the script, which a match that goes on must find as it was.
pub const STALL: &str = "ROOKERY_STAND_IN_STALL";
/// A file to which a process that was told to quit writes its seed.
pub const FAREWELLS: &str = "ROOKERY_STAND_IN_FAREWELLS";

/// What an engine should not do.
#[derive(Clone, Copy)]
enum Fault {
    /// The process ends.
    Crash,
    /// It is killed by a signal.
    Abort,
    /// It says nothing any more and does not listen.
    Hang,
    /// It moves when it is told that its time is over.
    Late,
    /// It plays what cannot be played.
    Illegal,
    /// It writes noise, and no move.
    Garbage,
    /// It writes lines without end, faster than they can be read.
    Flood,
    /// It writes long lines without end.
    Torrent,
    /// It writes a line without end.
    Endless,
    /// Its variation cannot be played; its move can.
    Variation,
    /// It gives up.
    Resign,
    /// It claims a win.
    Claim,
}

/// How it plays.
#[derive(Default)]
struct Script {
    xboard: bool,
    seed: u64,
    delay: Duration,
    faults: Vec<Fault>,
    /// One move in this number is a fault.
    rate: u64,
    /// The score it reports, in centipawns.
    score: Option<i32>,
    /// Whether it can think in the opponent's time.
    ponder: bool,
}

impl Script {
    /// Reads `key=value,key=value`.
    fn read(text: &str) -> Script {
        let mut script = Script { rate: 1, ..Script::default() };
        for (key, value) in text.split(',').filter_map(|word| word.split_once('=')) {
            let number = || value.parse::<u64>().expect("a number");
            match key {
                "ponder" => script.ponder = value == "on",
                "proto" => script.xboard = value == "xboard",
                "seed" => script.seed = number(),
                "delay" => script.delay = Duration::from_millis(number()),
                "rate" => script.rate = number(),
                "score" => script.score = Some(value.parse().expect("centipawns")),
                "faults" => script.faults = value.split('+').map(fault).collect(),
                _ => panic!("no setting {key}"),
            }
        }
        script
    }

    /// A number that belongs to a position.
    fn roll(&self, position: &Position) -> u64 {
        let mixed = (position.key() ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 20
    }

    /// The fault of a position, if it has one.
    fn fault(&self, position: &Position) -> Option<Fault> {
        let roll = self.roll(position);
        let is_faulty = !self.faults.is_empty() && roll.is_multiple_of(self.rate);
        is_faulty.then(|| self.faults[(roll / self.rate) as usize % self.faults.len()])
    }

    fn choose(&self, position: &Position) -> Move {
        let moves = position.legal_moves();
        moves[(self.roll(position) >> 8) as usize % moves.len()]
    }
}

fn fault(name: &str) -> Fault {
    match name {
        "crash" => Fault::Crash,
        "abort" => Fault::Abort,
        "hang" => Fault::Hang,
        "late" => Fault::Late,
        "illegal" => Fault::Illegal,
        "garbage" => Fault::Garbage,
        "flood" => Fault::Flood,
        "torrent" => Fault::Torrent,
        "endless" => Fault::Endless,
        "variation" => Fault::Variation,
        "resign" => Fault::Resign,
        "claim" => Fault::Claim,
        _ => panic!("no fault {name}"),
    }
}

/// Plays, if this program was started to play; as a test it has nothing to check.
#[test]
fn engine() {
    let script = std::env::args().find_map(|word| word.strip_prefix("script:").map(Script::read));
    let Some(script) = script else { return };
    // The harness may have left a line unfinished.
    say("");
    let mut lines = std::io::stdin().lock().lines().map_while(Result::ok);
    match script.xboard {
        true => play_xboard(&script, &mut lines),
        false => play_uci(&script, &mut lines),
    }
    std::process::exit(0);
}

/// The engine was told to quit: leaves a trace of that.
fn say_farewell(script: &Script) {
    if let Ok(path) = std::env::var(FAREWELLS) {
        let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
        writeln!(file.expect("a file"), "{}", script.seed).expect("it can be written");
    }
}

/// Writes a line past the harness, which would keep it.
fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
        std::process::exit(1);
    }
}

fn play_uci(script: &Script, lines: &mut impl Iterator<Item = String>) {
    let stall: u64 =
        std::env::var(STALL).ok().and_then(|text| text.parse().ok()).unwrap_or(u64::MAX);
    let (mut position, mut games, mut pondering) = (Position::startpos(), 0, false);
    while let Some(line) = lines.next() {
        match line.split_whitespace().next() {
            Some("uci") => {
                say("id name stand-in");
                say("option name UCI_Chess960 type check default false");
                if script.ponder {
                    say("option name Ponder type check default false");
                }
                say("uciok");
            }
            Some("isready") => say("readyok"),
            Some("ucinewgame") => games += 1,
            Some("position") => position = read_position(&line),
            Some("go") if line.starts_with("go ponder") => pondering = true,
            Some("go") if games > stall => {}
            Some("go") => answer(script, &position, 3, lines),
            // The depth tells moves that were thought about in the opponent's time.
            Some("ponderhit" | "stop") if std::mem::take(&mut pondering) => {
                answer(script, &position, 99, lines);
            }
            Some("quit") => return say_farewell(script),
            _ => {}
        }
    }
}

fn read_position(line: &str) -> Position {
    let (start, moves) = line.split_once(" moves ").unwrap_or((line, ""));
    let mut position = match start.split_once("fen ") {
        Some((_, fen)) => Position::from_fen(fen).expect("a position"),
        None => Position::startpos(),
    };
    for text in moves.split_whitespace() {
        let mv = position.parse_uci(text).expect("a legal move");
        position.play(mv);
    }
    position
}

/// Answers `go`.
fn answer(
    script: &Script,
    position: &Position,
    depth: u32,
    lines: &mut impl Iterator<Item = String>,
) {
    std::thread::sleep(script.delay);
    let chosen = script.choose(position);
    let mv = chosen.uci(CastlingStyle::Chess960);
    match script.fault(position) {
        None | Some(Fault::Resign | Fault::Claim) => {}
        Some(Fault::Variation) => say(&format!("info depth 1 score cp 0 pv {mv} a1a1")),
        Some(fault) => misbehave(fault, position, lines),
    }
    if let Some(score) = script.score {
        say(&format!("info depth {depth} score cp {score} nodes 1 pv {mv}"));
    }
    let next = position.make(chosen);
    match script.ponder && next.has_legal_move() {
        true => {
            let expected = script.choose(&next).uci(CastlingStyle::Chess960);
            say(&format!("bestmove {mv} ponder {expected}"));
        }
        false => say(&format!("bestmove {mv}")),
    }
}

/// Faults that are the same in every language; comes back only from those that end with a move.
fn misbehave(fault: Fault, position: &Position, lines: &mut impl Iterator<Item = String>) {
    match fault {
        Fault::Crash => std::process::exit(3),
        Fault::Abort => std::process::abort(),
        Fault::Hang => sleep_for_ever(),
        Fault::Late => {
            // It comes when the time is over, however long that takes on a busy machine.
            if !lines.any(|line| line == "stop" || line == "?") {
                std::process::exit(1);
            }
        }
        Fault::Illegal => {
            say("bestmove e1e8");
            say("move e1e8");
        }
        Fault::Garbage => {
            let noise: Vec<u8> = (0..=255).cycle().take(3_000_000).filter(|&b| b != 10).collect();
            let _ = std::io::stdout().write_all(&noise);
            say("\nbestmove");
        }
        // To look at a line takes longer than to write it.
        Fault::Flood => {
            let line = format!("info depth 1 score cp 0 pv{}\n", long_variation(position));
            pour(line.repeat(50).as_bytes())
        }
        Fault::Torrent => pour(&[&vec![b'x'; 900_000][..], b"\n"].concat()),
        Fault::Endless => pour(&vec![b'x'; 100_000]),
        Fault::Variation | Fault::Resign | Fault::Claim => {}
    }
}

/// A variation that takes time to play through.
fn long_variation(position: &Position) -> String {
    let (mut position, mut text) = (*position, String::new());
    let script = Script::default();
    for _ in 0..1000 {
        if !position.has_legal_move() {
            break;
        }
        let mv = script.choose(&position);
        text.push_str(&format!(" {}", mv.uci(CastlingStyle::Chess960)));
        position.play(mv);
    }
    text
}

/// Writes the same again and again.
fn pour(bytes: &[u8]) -> ! {
    let mut out = std::io::stdout().lock();
    while out.write_all(bytes).is_ok() {}
    std::process::exit(1);
}

fn sleep_for_ever() {
    loop {
        std::thread::sleep(Duration::from_secs(1000));
    }
}

fn play_xboard(script: &Script, lines: &mut impl Iterator<Item = String>) {
    let mut position = Position::startpos();
    let mut own_side = None;
    while let Some(line) = lines.next() {
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "protover" => {
                say("feature done=0");
                say("feature ping=1 setboard=1 usermove=1 memory=1 myname=\"stand in\" done=1");
            }
            "ping" => say(&format!("pong {rest}")),
            "new" => {
                position = Position::startpos();
                own_side = Some(Color::Black);
            }
            "force" | "result" => own_side = None,
            "setboard" => position = Position::from_fen(rest).expect("a position"),
            "usermove" => {
                let mv = position.parse_uci(rest).expect("a legal move");
                position.play(mv);
            }
            "go" => own_side = Some(position.side_to_move()),
            "quit" => return say_farewell(script),
            _ => continue,
        }
        if matches!(word, "usermove" | "go") && own_side == Some(position.side_to_move()) {
            move_xboard(script, &mut position, lines);
        }
    }
}

/// Makes the move of an xboard engine.
fn move_xboard(script: &Script, position: &mut Position, lines: &mut impl Iterator<Item = String>) {
    let us = position.side_to_move();
    if !position.has_legal_move() {
        return;
    }
    let mv = script.choose(position);
    match script.fault(position) {
        Some(Fault::Resign) => return say("resign"),
        Some(Fault::Claim) => {
            return say(if us == Color::White { "1-0 {I win}" } else { "0-1 {I win}" });
        }
        Some(fault) => misbehave(fault, position, lines),
        None => {}
    }
    say(&format!("7 {} 3 400 anything", script.score.unwrap_or(12)));
    say(&format!("move {}", mv.uci(CastlingStyle::Standard)));
    position.play(mv);
}
