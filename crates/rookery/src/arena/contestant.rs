//! Who plays: the engines as the command line describes them.

use super::control::{self, Limits, Time};
use super::words;
use serde::{Deserialize, Serialize};
use std::num::{NonZeroU32, NonZeroU64};
use std::path::{Path, PathBuf};
use std::time::Duration;

const KEYS: &str =
    "name, cmd, proto, dir, args, tc, st, nodes, depth, timemargin, ponder, restart, option.NAME";

/// The margin unless another is asked for: what a loaded machine needs to hand lines over. With ten busy
/// processes on two processors one question and answer in 10,000 took more than 23 ms, none of 46,000 more
/// than 33 ms.
const DEFAULT_MARGIN: Duration = Duration::from_millis(50);

/// The language an engine speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    Uci,
    Xboard,
}

/// An engine and how it plays.
#[derive(Clone, PartialEq, Debug)]
pub struct Contestant {
    pub name: String,
    pub program: PathBuf,
    pub arguments: Vec<String>,
    pub directory: Option<PathBuf>,
    pub protocol: Protocol,
    pub limits: Limits,
    /// Options by name, in the order in which they were given.
    pub options: Vec<(String, String)>,
    /// Whether every game gets a new process.
    pub restarts: bool,
    /// Whether it thinks in the opponent's time.
    pub ponders: bool,
}

/// Reads the engines: the settings of each, with those of all before them, so that the engine's own
/// win.
pub fn read_all(engines: &[Vec<String>], each: &[Vec<String>]) -> Result<Vec<Contestant>, String> {
    let common = each.concat();
    let mut contestants = Vec::<Contestant>::new();
    for engine in engines {
        let mut contestant = read(&common, engine)?;
        let plain = contestant.name.clone();
        let mut copies = 1;
        while contestants.iter().any(|other| other.name == contestant.name) {
            copies += 1;
            contestant.name = format!("{plain} {copies}");
        }
        contestants.push(contestant);
    }
    Ok(contestants)
}

fn read(common: &[String], own: &[String]) -> Result<Contestant, String> {
    let mut contestant = Contestant {
        name: String::new(),
        program: PathBuf::new(),
        arguments: Vec::new(),
        directory: None,
        protocol: Protocol::Uci,
        limits: Limits { time: Time::None, nodes: None, depth: None, margin: DEFAULT_MARGIN },
        options: Vec::new(),
        restarts: false,
        ponders: false,
    };
    for (option, settings) in [("--each", common), ("--engine", own)] {
        for (key, value) in words::pairs(option, settings)? {
            contestant.set(option, key, value)?;
        }
    }
    if contestant.program.as_os_str().is_empty() {
        return Err(String::from("--engine: cmd=PROGRAM is missing"));
    }
    if contestant.name.is_empty() {
        let stem = contestant.program.file_stem().unwrap_or_default();
        contestant.name = stem.to_string_lossy().into_owned();
    }
    contestant.check()?;
    Ok(contestant)
}

impl Contestant {
    fn set(&mut self, option: &str, key: &str, text: &str) -> Result<(), String> {
        match key {
            "name" => text.clone_into(&mut self.name),
            "cmd" => self.program = program(text)?,
            "dir" => self.directory = Some(PathBuf::from(text)),
            "args" => {
                self.arguments =
                    words::split_quoted(text).map_err(|why| format!("{option}: args: {why}"))?;
            }
            "proto" => {
                self.protocol = match text {
                    "uci" => Protocol::Uci,
                    "xboard" | "cecp" => Protocol::Xboard,
                    _ => return Err(format!("{option}: proto is uci or xboard, not \"{text}\"")),
                }
            }
            "tc" => {
                self.limits.time =
                    control::read_time_control(text).map_err(|why| format!("{option}: {why}"))?;
            }
            "st" | "movetime" => {
                let time = control::read_seconds(text).filter(|time| !time.is_zero());
                let wrong = || format!("{option}: {key} is a number of seconds, not \"{text}\"");
                self.limits.time = Time::Move(time.ok_or_else(wrong)?);
            }
            "nodes" => {
                let nodes: NonZeroU64 = words::value(option, key, text, "a number above 0")?;
                self.limits.nodes = Some(nodes.get());
            }
            "depth" => {
                let depth: NonZeroU32 = words::value(option, key, text, "a number above 0")?;
                self.limits.depth = Some(depth.get());
            }
            "timemargin" => {
                let ms: u32 = words::value(option, key, text, "a number of milliseconds")?;
                self.limits.margin = Duration::from_millis(u64::from(ms));
            }
            "restart" => self.restarts = words::switch(option, key, text)?,
            "ponder" => self.ponders = words::switch(option, key, text)?,
            _ => match key.strip_prefix("option.") {
                Some(name) if !name.is_empty() => self.set_option(name, text),
                _ => return Err(words::unknown(option, key, KEYS)),
            },
        }
        Ok(())
    }

    /// The threads it was told to use, as far as we know.
    pub fn threads(&self) -> usize {
        let is_threads = |name: &str| {
            ["threads", "cores"].into_iter().any(|word| name.eq_ignore_ascii_case(word))
        };
        let given = self.options.iter().find(|(name, _)| is_threads(name));
        given.and_then(|(_, value)| value.parse().ok()).unwrap_or(1).max(1)
    }

    fn set_option(&mut self, name: &str, value: &str) {
        self.options.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
        self.options.push((name.to_owned(), value.to_owned()));
    }

    fn check(&self) -> Result<(), String> {
        let name = &self.name;
        if !self.limits.are_given() {
            return Err(format!(
                "{name}: how long may it think? Give tc=10+0.1, st=0.5, nodes=N or depth=D \
                 (--each for all engines)"
            ));
        }
        if self.protocol == Protocol::Xboard && self.limits.nodes.is_some() {
            return Err(format!("{name}: the xboard protocol has no limit of nodes"));
        }
        Ok(())
    }
}

/// The program of a name: `self`, a path, or a name for the system to look up. A path is made whole,
/// as it would mean another file where the engine runs in a directory of its own.
fn program(text: &str) -> Result<PathBuf, String> {
    let path = Path::new(text);
    if text == "self" {
        return std::env::current_exe().map_err(|error| format!("cmd=self: {error}"));
    }
    if path.components().count() < 2 {
        return Ok(path.to_owned());
    }
    std::path::absolute(path).map_err(|error| format!("cmd={text}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    fn read_texts(engines: &[&str], each: &str) -> Result<Vec<Contestant>, String> {
        let engines: Vec<_> = engines.iter().map(|text| words(text)).collect();
        read_all(&engines, &[words(each)])
    }

    #[test]
    fn the_engines_own_settings_win() {
        let engines = ["name=A cmd=a option.Hash=32", "cmd=/b/engine.bin tc=1+0.01 proto=xboard"];
        let engines = read_texts(&engines, "tc=10+0.1 option.hash=16").expect("two engines");
        assert_eq!(engines[0].limits.to_string(), "10+0.1");
        assert_eq!(engines[1].limits.to_string(), "1+0.01");
        assert_eq!(engines[0].options, [("Hash".into(), "32".into())]);
        assert_eq!((engines[1].name.as_str(), engines[1].protocol), ("engine", Protocol::Xboard));
    }

    #[test]
    fn two_engines_of_one_name_can_be_told_apart() {
        let engines = read_texts(&["cmd=a", "cmd=a", "cmd=a"], "depth=1").expect("three engines");
        let names: Vec<&str> = engines.iter().map(|engine| engine.name.as_str()).collect();
        assert_eq!(names, ["a", "a 2", "a 3"]);
    }

    #[test]
    fn mistakes_are_named() {
        for (engine, part) in [
            ("name=x", "cmd=PROGRAM is missing"),
            ("cmd=x", "how long may it think"),
            ("cmd=x tc=ten", "\"ten\" is no time control"),
            ("cmd=x st=0", "st is a number of seconds"),
            ("cmd=x nodes=many", "nodes is a number"),
            ("cmd=x hash=3", "there is no \"hash\""),
            ("cmd=x proto=uci3", "proto is uci or xboard"),
            ("cmd=x proto=xboard nodes=3", "no limit of nodes"),
            ("cmd=x tc", "expected key=value"),
        ] {
            let error = read_texts(&[engine], "").expect_err(engine);
            assert!(error.contains(part), "{engine}: {error}");
        }
    }
}
