//! The commands that write files and those that read them.

use super::ground::Ground;
use std::path::Path;
use std::process::Command;

/// How the program is brought to a file.
#[derive(Clone, Copy)]
pub enum Way {
    /// By a command of its own.
    Command(fn(&Ground, &Path) -> Command),
    /// By lines of the command loop.
    Console(fn(&Path) -> String),
}

/// A writer or a reader.
pub struct Case {
    /// The name of its file.
    pub file: &'static str,
    pub way: Way,
    /// Whether it reads from beginning to end, so that a pipe will do: one without a writer is waited for,
    /// as every program does.
    pub streams: bool,
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

fn folder(path: &Path) -> String {
    text(path.parent().unwrap_or(path))
}

/// A short match with these further arguments.
fn matches(ground: &Ground, more: &[&str]) -> Command {
    let program = format!("cmd={}", ground.program().display());
    let mut command = ground.command(&["match", "--engine", &program, "name=one", "nodes=5"]);
    command.args(["--engine", &program, "name=two", "nodes=5", "--games", "2"]);
    command.args(["--max-moves", "3"]).args(more);
    command
}

fn simulate(ground: &Ground, more: &[&str]) -> Command {
    let words = ["sim", "--processors", "2", "--depth", "2", "--first", "1", "--hash", "1"];
    let mut command = ground.command(&words);
    command.args(more);
    command
}

const fn command(file: &'static str, command: fn(&Ground, &Path) -> Command) -> Case {
    Case { file, way: Way::Command(command), streams: false }
}

const fn stream(file: &'static str, command: fn(&Ground, &Path) -> Command) -> Case {
    Case { file, way: Way::Command(command), streams: true }
}

const fn console(file: &'static str, lines: fn(&Path) -> String) -> Case {
    Case { file, way: Way::Console(lines), streams: false }
}

/// Everything that writes to a name of the user's choice.
pub const OUTPUTS: &[Case] = &[
    console("saved", |path| format!("savetable {}", text(path))),
    console("saved", |path| {
        format!("setoption name TableFile value {}\nsetoption name Save Table", text(path))
    }),
    console("learnt", |path| {
        let file = text(path);
        format!("setoption name LearningFile value {file}\nsetoption name Learning value true")
    }),
    console("log", |path| format!("setoption name Debug Log File value {}", text(path))),
    command("book.bin", |ground, path| {
        let games = text(&ground.data("pgn/famous_games_25.pgn"));
        ground.command(&["book", "build", &games, "--min-games", "1", "--output", &text(path)])
    }),
    command("book.bin", |ground, path| {
        let one = text(&ground.data("polyglot/lasker-trap.bin"));
        let two = text(&ground.data("polyglot/rodent_micro.bin"));
        ground.command(&["book", "merge", &one, &two, "--output", &text(path)])
    }),
    command("out.pgn", |ground, path| {
        let games = text(&ground.data("pgn/famous_games_25.pgn"));
        let words = ["analyse", &games, "--nodes", "1", "--hash", "1", "--output", &text(path)];
        ground.command(&words)
    }),
    command("out.pgn", |ground, path| {
        let games = text(&ground.data("pgn/famous_games_25.pgn"));
        let words = ["analyse", &games, "--nodes", "1", "--hash", "1", "--overwrite", "--output"];
        let mut command = ground.command(&words);
        command.arg(path);
        command
    }),
    command("games.pgn", |ground, path| matches(ground, &["--pgn", &text(path)])),
    command("state.json", |ground, path| matches(ground, &["--state", &text(path)])),
    command("picture.svg", |ground, path| simulate(ground, &["--plot", &text(path)])),
    command("trace.tsv", |ground, path| simulate(ground, &["--trace", &text(path)])),
    command("kept", |ground, path| simulate(ground, &["--keep", &text(path)])),
    command("tables", |ground, path| {
        ground.command(&["endgame", "build", "KQK", "--dir", &text(path)])
    }),
    command("tables/KQK.dtm", |ground, path| {
        ground.command(&["endgame", "build", "KQK", "--dir", &folder(path)])
    }),
];

/// Everything that reads a name of the user's choice.
pub const INPUTS: &[Case] = &[
    console("saved", |path| format!("loadtable {}", text(path))),
    console("book.bin", |path| {
        format!("setoption name OwnBook value true\nsetoption name BookFile value {}", text(path))
    }),
    console("learnt", |path| {
        let file = text(path);
        format!("setoption name LearningFile value {file}\nsetoption name Learning value true")
    }),
    console("tables/KQK.dtm", |path| format!("setoption name EndgamePath value {}", folder(path))),
    console("tables", |path| format!("setoption name EndgamePath value {}", text(path))),
    console("tables/KQvK.rtbw", |path| format!("setoption name SyzygyPath value {}", folder(path))),
    console("tables", |path| format!("setoption name SyzygyPath value {}", text(path))),
    stream("games.pgn", |ground, path| {
        ground.command(&["analyse", &text(path), "--nodes", "1", "--hash", "1"])
    }),
    stream("suite.epd", |ground, path| ground.command(&["suite", &text(path), "--nodes", "1"])),
    command("book.bin", |ground, path| ground.command(&["book", "show", &text(path)])),
    command("book.bin", |ground, path| ground.command(&["book", "check", &text(path)])),
    stream("games.pgn", |ground, path| {
        let output = text(&path.with_file_name("book.out"));
        ground.command(&["book", "build", &text(path), "--output", &output])
    }),
    command("openings.epd", |ground, path| matches(ground, &["--openings", &text(path)])),
    command("openings.pgn", |ground, path| matches(ground, &["--openings", &text(path)])),
    command("openings.bin", |ground, path| matches(ground, &["--openings", &text(path)])),
    command("state.json", |ground, path| matches(ground, &["--state", &text(path)])),
    stream("positions.epd", |ground, path| simulate(ground, &["--positions", &text(path)])),
    stream("counts.epd", |ground, path| ground.command(&["perft", "--suite", &text(path)])),
    command("tables/KQK.dtm", |ground, path| {
        ground.command(&["endgame", "verify", "--dir", &folder(path)])
    }),
    command("tables/KQK.dtm", |ground, path| {
        ground.command(&["endgame", "probe", "8/8/8/8/8/2k5/1Q6/K7 w - -", "--dir", &folder(path)])
    }),
];
