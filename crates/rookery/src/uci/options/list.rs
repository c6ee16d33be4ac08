//! Everything that can be set, as one table.

use crate::engine;
use crate::learning;
use crate::numa::Numa;
use crate::session::strength;
use board::fen::quote;
use cluster::{TABLES, read_table};
use parallel::threads::{STRATEGIES, read_strategy};
use parallel::{StrategyKind, TableKind};
use search::Profile;
use search::time::USUAL_TEMPO;
use std::io::{self, Write};

/// An option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Setting {
    Threads,
    Numa,
    Parallel,
    ParallelExtras,
    ClusterTable,
    Hash,
    ClearHash,
    MultiPv,
    Ponder,
    MoveOverhead,
    NodesTime,
    Chess960,
    ShowWdl,
    LimitStrength,
    Elo,
    SkillLevel,
    SkillSeed,
    SkillPause,
    AnalyseMode,
    Opponent,
    SlowMover,
    DebugLog,
    SyzygyPath,
    SyzygyProbeDepth,
    Syzygy50MoveRule,
    SyzygyProbeLimit,
    EndgamePath,
    Recognisers,
    Profile,
    Evaluation,
    EvalFile,
    TableFile,
    SaveTable,
    LoadTable,
    OwnBook,
    BookFile,
    BestBookMove,
    BookDepth,
    BookSeed,
    Learning,
    LearningFile,
    LearningDepth,
    LearningSize,
}

impl Setting {
    /// Whether other processes that search with this one must follow it, and do not by themselves: the
    /// engine tells them of the table, the rules and the threads, the option itself of the evaluation.
    pub fn is_for_all(self) -> bool {
        matches!(
            self,
            Setting::ParallelExtras
                | Setting::SyzygyPath
                | Setting::SyzygyProbeDepth
                | Setting::Syzygy50MoveRule
                | Setting::SyzygyProbeLimit
                | Setting::EndgamePath
                | Setting::Recognisers
        )
    }
}

/// What values an option takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A number: default, least, most.
    Spin(i64, i64, i64),
    /// Yes or no, and the default.
    Check(bool),
    /// Text, empty by default.
    Text,
    /// One of the profiles.
    Profile,
    /// The classical terms or a network.
    Evaluation,
    /// One of the ways in which threads search together.
    Strategy,
    /// One of the ways in which processes share their tables.
    Table,
    /// Whether threads are bound and tables spread.
    Numa,
    /// Nothing: setting it does something.
    Button,
}

/// A value that its option can take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    Number(i64),
    Flag(bool),
    Text(String),
    Profile(Profile),
    Strategy(StrategyKind),
    Table(TableKind),
    Numa(Numa),
    Nothing,
}

/// The options in the order of `uci`, spelled as Stockfish spells them; then our own.
pub const OPTIONS: [(&str, Setting, Kind); 43] = [
    ("Debug Log File", Setting::DebugLog, Kind::Text),
    ("Threads", Setting::Threads, Kind::Spin(1, 1, engine::MOST_THREADS as i64)),
    ("Hash", Setting::Hash, HASH),
    ("Clear Hash", Setting::ClearHash, Kind::Button),
    ("MultiPV", Setting::MultiPv, Kind::Spin(1, 1, 256)),
    ("Ponder", Setting::Ponder, Kind::Check(false)),
    ("Move Overhead", Setting::MoveOverhead, Kind::Spin(10, 0, 5000)),
    ("Slow Mover", Setting::SlowMover, Kind::Spin(USUAL_TEMPO, 10, 1000)),
    ("nodestime", Setting::NodesTime, Kind::Spin(0, 0, 10_000)),
    ("UCI_Chess960", Setting::Chess960, Kind::Check(false)),
    ("UCI_AnalyseMode", Setting::AnalyseMode, Kind::Check(false)),
    ("UCI_Opponent", Setting::Opponent, Kind::Text),
    ("UCI_ShowWDL", Setting::ShowWdl, Kind::Check(false)),
    ("UCI_LimitStrength", Setting::LimitStrength, Kind::Check(false)),
    ("UCI_Elo", Setting::Elo, ELO),
    ("Skill Level", Setting::SkillLevel, Kind::Spin(20, 0, 20)),
    ("Skill Seed", Setting::SkillSeed, Kind::Spin(0, 0, i32::MAX as i64)),
    ("Skill Pause", Setting::SkillPause, Kind::Check(true)),
    ("SyzygyPath", Setting::SyzygyPath, Kind::Text),
    ("SyzygyProbeDepth", Setting::SyzygyProbeDepth, Kind::Spin(1, 1, 100)),
    ("Syzygy50MoveRule", Setting::Syzygy50MoveRule, Kind::Check(true)),
    ("SyzygyProbeLimit", Setting::SyzygyProbeLimit, Kind::Spin(7, 0, 7)),
    ("EndgamePath", Setting::EndgamePath, Kind::Text),
    ("Recognisers", Setting::Recognisers, Kind::Check(true)),
    ("Profile", Setting::Profile, Kind::Profile),
    ("Evaluation", Setting::Evaluation, Kind::Evaluation),
    ("EvalFile", Setting::EvalFile, Kind::Text),
    ("Parallel", Setting::Parallel, Kind::Strategy),
    ("Parallel Extras", Setting::ParallelExtras, Kind::Text),
    ("NUMA", Setting::Numa, Kind::Numa),
    ("Cluster Table", Setting::ClusterTable, Kind::Table),
    ("TableFile", Setting::TableFile, Kind::Text),
    ("Save Table", Setting::SaveTable, Kind::Button),
    ("Load Table", Setting::LoadTable, Kind::Button),
    ("OwnBook", Setting::OwnBook, Kind::Check(false)),
    ("BookFile", Setting::BookFile, Kind::Text),
    ("Best Book Move", Setting::BestBookMove, Kind::Check(false)),
    ("BookDepth", Setting::BookDepth, Kind::Spin(DEEPEST_BOOK, 1, DEEPEST_BOOK)),
    ("BookSeed", Setting::BookSeed, Kind::Spin(0, 0, i32::MAX as i64)),
    ("Learning", Setting::Learning, Kind::Check(false)),
    ("LearningFile", Setting::LearningFile, Kind::Text),
    ("LearningDepth", Setting::LearningDepth, Kind::Spin(learning::DEFAULT_DEPTH, 1, 100)),
    ("LearningSize", Setting::LearningSize, Kind::Spin(learning::DEFAULT_SIZE_MB, 1, 1024)),
];

const HASH: Kind = Kind::Spin(engine::DEFAULT_HASH_MB as i64, 1, engine::LARGEST_HASH_MB as i64);
const ELO: Kind = Kind::Spin(strength::RATINGS.0, strength::RATINGS.0, strength::RATINGS.1);

/// No game is longer: the book is asked at every move.
const DEEPEST_BOOK: i64 = 1000;

/// How UCI writes an empty text.
const EMPTY: &str = "<empty>";

/// Writes the options as `uci` lists them.
pub fn write_list(out: &mut impl Write) -> io::Result<()> {
    for (name, _, kind) in OPTIONS {
        write!(out, "option name {name} type ")?;
        match kind {
            Kind::Spin(default, least, most) => {
                writeln!(out, "spin default {default} min {least} max {most}")?;
            }
            Kind::Check(default) => writeln!(out, "check default {default}")?,
            Kind::Text => writeln!(out, "string default {EMPTY}")?,
            Kind::Profile => {
                write!(out, "combo default {}", Profile::Modern)?;
                Profile::ALL.iter().try_for_each(|profile| write!(out, " var {profile}"))?;
                writeln!(out)?;
            }
            Kind::Evaluation => writeln!(out, "combo default net var classical var net")?,
            Kind::Strategy => {
                write!(out, "combo default {}", engine::DEFAULT_STRATEGY)?;
                STRATEGIES.iter().try_for_each(|strategy| write!(out, " var {strategy}"))?;
                writeln!(out)?;
            }
            Kind::Table => {
                write!(out, "combo default {}", TABLES[0])?;
                TABLES.iter().try_for_each(|kind| write!(out, " var {kind}"))?;
                writeln!(out)?;
            }
            Kind::Numa => {
                write!(out, "combo default {}", Numa::default())?;
                Numa::ALL.iter().try_for_each(|numa| write!(out, " var {numa}"))?;
                writeln!(out)?;
            }
            Kind::Button => writeln!(out, "button")?,
        }
    }
    #[cfg(feature = "tune")]
    super::tunable::write_list(out)?;
    Ok(())
}

/// The option of a name, whatever its case, with or without blanks.
pub fn find(name: &str) -> Option<(&'static str, Setting, Kind)> {
    let wanted = plain(name);
    OPTIONS.into_iter().find(|(known, ..)| plain(known) == wanted)
}

/// A name without what people and programs write differently.
fn plain(name: &str) -> String {
    let kept = |letter: &char| !letter.is_whitespace() && *letter != '_';
    name.chars().filter(kept).map(|letter| letter.to_ascii_lowercase()).collect()
}

impl Kind {
    /// Reads a value of the option `name`; or says what is wrong with it.
    pub fn read(self, name: &str, text: Option<&str>) -> Result<Value, String> {
        let text = match (self, text) {
            (Kind::Button, _) => return Ok(Value::Nothing),
            (Kind::Text, None) => "",
            (_, None) => return Err(format!("the value of {name} is missing")),
            (_, Some(text)) => text.trim(),
        };
        let wrong = |expected: String| Err(format!("{name} is {expected}, not {}", quote(text)));
        match self {
            Kind::Spin(_, least, most) => match read_number(text) {
                Some(number) if (least..=most).contains(&number) => Ok(Value::Number(number)),
                _ => wrong(format!("a number from {least} to {most}")),
            },
            Kind::Check(_) => match text.to_ascii_lowercase().as_str() {
                "true" | "on" | "yes" | "1" => Ok(Value::Flag(true)),
                "false" | "off" | "no" | "0" => Ok(Value::Flag(false)),
                _ => wrong("true or false".to_owned()),
            },
            Kind::Text if text == EMPTY => Ok(Value::Text(String::new())),
            Kind::Text => Ok(Value::Text(text.to_owned())),
            Kind::Profile => match text.to_ascii_lowercase().parse() {
                Ok(profile) => Ok(Value::Profile(profile)),
                Err(_) => {
                    let names: Vec<&str> = Profile::ALL.into_iter().map(Profile::name).collect();
                    wrong(format!("one of {}", names.join(", ")))
                }
            },
            Kind::Evaluation => match text.to_ascii_lowercase().as_str() {
                "net" => Ok(Value::Flag(true)),
                "classical" => Ok(Value::Flag(false)),
                _ => wrong("classical or net".to_owned()),
            },
            Kind::Strategy => match read_strategy(&text.to_ascii_lowercase()) {
                Ok(strategy) => Ok(Value::Strategy(strategy)),
                Err(_) => {
                    wrong(format!("one of {}", STRATEGIES.map(StrategyKind::name).join(", ")))
                }
            },
            Kind::Table => match read_table(&text.to_ascii_lowercase()) {
                Ok(kind) => Ok(Value::Table(kind)),
                Err(_) => wrong(format!("one of {}", TABLES.map(TableKind::name).join(", "))),
            },
            Kind::Numa => match Numa::read(&text.to_ascii_lowercase()) {
                Some(numa) => Ok(Value::Numa(numa)),
                None => wrong(format!("one of {}", Numa::ALL.map(|it| it.to_string()).join(", "))),
            },
            Kind::Button => Ok(Value::Nothing),
        }
    }
}

/// A whole number; some interfaces write `64.0` or `+64`.
fn read_number(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    fraction.bytes().all(|digit| digit == b'0').then(|| whole.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_values_are_read_as_interfaces_write_them() {
        for name in ["hash", "Clear Hash", "clearhash", "CLEAR  HASH", "uci_limitstrength"] {
            assert!(find(name).is_some(), "{name}");
        }
        assert!(find("").is_none() && find("Hash Table").is_none());
        let spin = Kind::Spin(1, 1, 100);
        for text in ["64", "+64", "64.0", " 64 "] {
            assert_eq!(spin.read("X", Some(text)), Ok(Value::Number(64)), "{text}");
        }
        for text in ["", "0", "101", "64.5", "6 4", "many", "."] {
            assert!(spin.read("X", Some(text)).is_err(), "{text}");
        }
        for text in ["true", "True", "ON", "yes", "1"] {
            assert_eq!(Kind::Check(false).read("X", Some(text)), Ok(Value::Flag(true)), "{text}");
        }
        assert!(Kind::Check(false).read("X", Some("maybe")).is_err());
        assert_eq!(Kind::Text.read("X", None), Ok(Value::Text(String::new())));
        assert!(Kind::Profile.read("X", Some("Modern")).is_ok());
    }

    #[test]
    fn no_two_names_are_the_same_to_a_reader() {
        let mut names = OPTIONS.map(|(name, ..)| plain(name));
        names.sort();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
