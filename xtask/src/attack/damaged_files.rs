//! The files that are damaged, and their readers.

use super::dialogue::Dialogue;
use super::ground::Ground;
use super::process::{HANG, Running};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

/// The reader of a damaged file.
pub enum Reader {
    /// A command of its own.
    Command(fn(&Ground, &Path) -> Command),
    /// Lines of the command loop.
    Console(fn(&Path) -> String),
}

/// A kind of file.
pub struct Kind {
    pub name: &'static str,
    /// The sound file.
    pub bytes: Vec<u8>,
    /// Its name, in a folder with its companions.
    file: &'static str,
    /// Files that lie beside it.
    companions: Vec<(String, Vec<u8>)>,
    pub readers: &'static [Reader],
    /// Whether it is good or bad as a whole; others have bad records, each with a line.
    pub is_whole: bool,
}

impl Kind {
    fn folder(&self, ground: &Ground) -> PathBuf {
        ground.folder.join(self.name)
    }

    /// Where the damaged file lies.
    pub fn path(&self, ground: &Ground) -> PathBuf {
        self.folder(ground).join(self.file)
    }

    /// Writes the damaged file and its companions.
    pub fn prepare(&self, ground: &Ground, bytes: &[u8]) -> Result<(), String> {
        ground.fresh(self.name)?;
        for (name, content) in &self.companions {
            ground.write(&format!("{}/{name}", self.name), content)?;
        }
        ground.write(&format!("{}/{}", self.name, self.file), bytes).map(drop)
    }
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

/// Beside the damaged file, the output of a command.
fn output(path: &Path) -> PathBuf {
    path.with_file_name("output")
}

const TABLE: &[Reader] =
    &[Reader::Console(|path| format!("setoption name Hash value 1\nloadtable {}", text(path)))];

const BOOK: &[Reader] = &[
    Reader::Command(|ground, path| ground.command(&["book", "check", &text(path)])),
    Reader::Command(|ground, path| ground.command(&["book", "show", &text(path), "--depth", "3"])),
    Reader::Command(|ground, path| {
        let sound = ground.data("polyglot/lasker-trap.bin");
        let words = ["book", "merge", &text(path), &text(&sound), "-o", &text(&output(path))];
        ground.command(&words)
    }),
    Reader::Console(|path| {
        format!("setoption name OwnBook value true\nsetoption name BookFile value {}", text(path))
    }),
];

const ENDGAME: &[Reader] = &[
    Reader::Command(|ground, path| {
        ground.command(&["endgame", "verify", "--dir", &text(path.parent().unwrap_or(path))])
    }),
    Reader::Command(|ground, path| {
        let folder = text(path.parent().unwrap_or(path));
        ground.command(&["endgame", "probe", "8/8/8/8/8/2k5/1R6/K7 w - -", "--dir", &folder])
    }),
    Reader::Console(|path| {
        format!("setoption name EndgamePath value {}", text(path.parent().unwrap_or(path)))
    }),
];

const SYZYGY: &[Reader] = &[Reader::Console(|path| {
    format!("setoption name SyzygyPath value {}", text(path.parent().unwrap_or(path)))
})];

const STATE: &[Reader] = &[Reader::Command(|ground, path| matches(ground, path, 6))];

const GAMES: &[Reader] = &[
    Reader::Command(|ground, path| {
        ground.command(&["analyse", &text(path), "--nodes", "3", "--hash", "1"])
    }),
    Reader::Command(|ground, path| {
        let words = ["book", "build", &text(path), "-o", &text(&output(path)), "--min-games", "1"];
        ground.command(&words)
    }),
];

const RECORDS: &[Reader] = &[
    Reader::Command(|ground, path| {
        ground.command(&["suite", &text(path), "--nodes", "20", "--threads", "1"])
    }),
    Reader::Command(|ground, path| {
        ground.command(&["analyse", &text(path), "--nodes", "5", "--hash", "1"])
    }),
];

const LEARNING: &[Reader] = &[Reader::Console(|path| {
    format!("setoption name LearningFile value {}\nsetoption name Learning value true", text(path))
})];

const BEGUN: &[Reader] = &[Reader::Command(|ground, path| {
    let output = path.with_file_name("annotated.pgn");
    annotate(ground, &path.with_file_name("games.pgn"), &output)
})];

fn matches(ground: &Ground, state: &Path, games: u32) -> Command {
    let program = format!("cmd={}", ground.program().display());
    let mut command = ground.command(&["match", "--engine", &program, "name=one", "nodes=20"]);
    command.args(["--engine", &program, "name=two", "nodes=20", "--games", &games.to_string()]);
    command.args(["--max-moves", "10", "--state"]).arg(state);
    command.arg("--pgn").arg(state.with_file_name("games.pgn"));
    command
}

fn annotate(ground: &Ground, games: &Path, output: &Path) -> Command {
    let mut command = ground.command(&["analyse", &text(games), "--nodes", "300", "--hash", "1"]);
    command.arg("--output").arg(output);
    command
}

/// All kinds, each with a sound file.
pub fn kinds(ground: &mut Ground) -> Result<Vec<Kind>, String> {
    let data = |name: &str| {
        fs::read(ground.data(name)).map_err(|error| format!("testdata/{name}: {error}"))
    };
    let kind = |name, file, bytes, readers, is_whole| Kind {
        name,
        bytes,
        file,
        companions: Vec::new(),
        readers,
        is_whole,
    };
    let mut kinds = vec![
        kind("book", "book.bin", data("polyglot/rodent_micro.bin")?, BOOK, true),
        kind("syzygy", "KRvK.rtbw", data("syzygy/KRvK.rtbw")?, SYZYGY, true),
        kind("games", "games.pgn", data("pgn/famous_games_25.pgn")?, GAMES, false),
        kind("records", "records.epd", data("epd/bk.epd")?, RECORDS, false),
        kind("table", "saved.table", saved_table(ground)?, TABLE, true),
        kind("learning", "learning", learning_file(ground)?, LEARNING, true),
    ];
    kinds.push(endgame_table(ground)?);
    kinds.push(match_state(ground)?);
    kinds.extend(begun_analysis(ground)?);
    Ok(kinds)
}

/// Waits for a file, and reads it.
fn made(path: &Path) -> Result<Vec<u8>, String> {
    let begun = Instant::now();
    while begun.elapsed() < HANG && !path.is_file() {
        thread::sleep(Duration::from_millis(5));
    }
    fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn saved_table(ground: &Ground) -> Result<Vec<u8>, String> {
    let mut dialogue = Dialogue::start(ground, &["uci"])?;
    dialogue.say("setoption name Hash value 1\nposition startpos\ngo depth 7");
    dialogue.until("bestmove")?;
    dialogue.say("savetable sound.table");
    let bytes = made(&ground.folder.join("sound.table"))?;
    dialogue.close()?;
    Ok(bytes)
}

fn learning_file(ground: &Ground) -> Result<Vec<u8>, String> {
    let mut dialogue = Dialogue::start(ground, &["uci"])?;
    dialogue
        .say("setoption name LearningDepth value 2\nsetoption name LearningFile value sound.learn");
    dialogue.say("setoption name Learning value true");
    for walk in ["", " moves e2e4", " moves e2e4 e7e5", " moves d2d4"] {
        dialogue.say(&format!("position startpos{walk}\ngo depth 4"));
        dialogue.until("bestmove")?;
    }
    dialogue.close()?;
    made(&ground.folder.join("sound.learn"))
}

fn built(ground: &Ground, command: &mut Command) -> Result<(), String> {
    let ended = Running::start(command, b"")?.end(HANG * 2);
    match ended.code() {
        Some(0) => Ok(()),
        status => Err(format!(
            "{} ended with {status:?}: {}",
            ground.program().display(),
            ended.first_error()
        )),
    }
}

/// The files of a folder, without locks.
fn files_of(folder: &Path) -> Result<Vec<(String, Vec<u8>)>, String> {
    let told = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(told)? {
        let entry = entry.map_err(told)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.contains("lock") {
            files.push((name, fs::read(entry.path()).map_err(told)?));
        }
    }
    files.sort();
    Ok(files)
}

fn endgame_table(ground: &Ground) -> Result<Kind, String> {
    let folder = ground.fresh("sound-tables")?;
    built(ground, &mut ground.command(&["endgame", "build", "KRK", "--dir", &text(&folder)]))?;
    let mut files = files_of(&folder)?;
    // The distances to mate are what probing asks for.
    let dtm = files.iter().position(|(name, _)| name.starts_with("KR") && name.contains("dtm"));
    let (name, bytes) = files.remove(dtm.unwrap_or(0));
    Ok(Kind {
        name: "endgame",
        bytes,
        file: name.leak(),
        companions: files,
        readers: ENDGAME,
        is_whole: true,
    })
}

fn match_state(ground: &Ground) -> Result<Kind, String> {
    let folder = ground.fresh("sound-state")?;
    built(ground, &mut matches(ground, &folder.join("state.json"), 4))?;
    let mut files = files_of(&folder)?;
    let state = files.iter().position(|(name, _)| name == "state.json");
    let (_, bytes) = files.remove(state.ok_or("no state was written")?);
    let (name, file, readers) = ("state", "state.json", STATE);
    Ok(Kind { name, bytes, file, companions: files, readers, is_whole: true })
}

/// The two files of an analysis that was killed.
fn begun_analysis(ground: &Ground) -> Result<Vec<Kind>, String> {
    let folder = ground.fresh("sound-analysis")?;
    let games =
        fs::read(ground.data("pgn/famous_games_25.pgn")).map_err(|error| error.to_string())?;
    let input = ground.write("sound-analysis/games.pgn", &games)?;
    let output = folder.join("annotated.pgn");
    let mut running = Running::start(&mut annotate(ground, &input, &output), b"")?;
    let part = folder.join("annotated.pgn.part");
    while !running.has_ended() && fs::metadata(&part).map_or(0, |data| data.len()) < 1000 {
        thread::sleep(Duration::from_millis(1));
    }
    if !running.kill() {
        // Too quick to be killed: there is nothing that was begun.
        return Ok(Vec::new());
    }
    let files = files_of(&folder)?;
    let mut kinds = Vec::new();
    for (name, file) in [("journal", "annotated.pgn.journal"), ("part", "annotated.pgn.part")] {
        let mut companions = files.clone();
        let Some(at) = companions.iter().position(|(name, _)| name == file) else { continue };
        let (_, bytes) = companions.remove(at);
        kinds.push(Kind { name, bytes, file, companions, readers: BEGUN, is_whole: true });
    }
    Ok(kinds)
}
