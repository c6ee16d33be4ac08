//! `setoption`: what can be set, and what setting it does.

mod evaluation;
mod knowledge;
mod list;
#[cfg(feature = "tune")]
mod tunable;

use super::Console;
use crate::session::strength::{FULL_LEVEL, RATINGS, Strength};
use crate::session::{CommandError, Lessons, Session, refuse};
use board::fen::quote;
use endgame::Oracle;
use eval::nnue::Network;
use evaluation::Evaluation;
use knowledge::Knowledge;
use parallel::threads::Extras;
use search::time::USUAL_TEMPO;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

pub use list::{Kind, OPTIONS, Setting, Value, write_list};

/// The values of those options that are looked at when a search begins. What belongs to the engine
/// (the table's size, the profile) is changed at once and kept there.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Best lines to show.
    pub multi_pv: usize,
    /// Time that is lost between the programs with each move.
    pub overhead_ms: i64,
    /// How much of the usual time a move takes, in per cent.
    pub slow_mover: i64,
    /// Nodes that count as a millisecond; 0: time is time.
    pub nodes_per_ms: u64,
    /// Every search is analysis: no level and no book.
    pub analyse_mode: bool,
    /// A weak player takes its time where there is a clock.
    pub skill_pause: bool,
    /// Castling is always written as the king taking its rook.
    pub chess960: bool,
    /// Whether to show chances.
    pub show_wdl: bool,
    limit_strength: bool,
    elo: i64,
    skill_level: i64,
    /// Where the table is saved to and loaded from.
    pub table_file: PathBuf,
    /// Whether to play from the book, while it knows the position.
    pub own_book: bool,
    /// Always the heaviest move of the book, none at random.
    pub best_book_move: bool,
    /// The last move of a game for which the book is asked.
    pub book_depth: i64,
    /// What is learnt from games, and where it is kept.
    pub learning: Lessons,
    /// What is known about endings.
    knowledge: Knowledge,
    /// What positions are evaluated by.
    evaluation: Evaluation,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            multi_pv: 1,
            overhead_ms: 10,
            slow_mover: USUAL_TEMPO,
            nodes_per_ms: 0,
            analyse_mode: false,
            skill_pause: true,
            chess960: false,
            show_wdl: false,
            limit_strength: false,
            elo: RATINGS.0,
            skill_level: FULL_LEVEL as i64,
            table_file: PathBuf::new(),
            own_book: false,
            best_book_move: false,
            book_depth: i64::MAX,
            learning: Lessons::default(),
            knowledge: Knowledge::default(),
            evaluation: Evaluation::default(),
        }
    }
}

impl Options {
    /// Who knows endings before any option is set.
    pub fn first_oracle(&self) -> Option<Arc<Oracle>> {
        Some(Arc::new(self.knowledge.without_tables()))
    }

    /// The network that evaluates, or would if it were asked.
    pub fn network(&self) -> Arc<Network> {
        self.evaluation.network()
    }

    /// The folders of the endgame tables that are open.
    pub fn table_folders(&self) -> impl Iterator<Item = PathBuf> {
        self.knowledge.folders()
    }

    /// How weak to play, if so.
    pub fn strength(&self) -> Option<Strength> {
        match self.limit_strength {
            true => Strength::of_rating(self.elo),
            false => Strength::of_level(self.skill_level as f64),
        }
    }
}

impl Console {
    /// `name NAME value VALUE`; both may be several words. How names and values may be written, the list
    /// knows; the word `name` may be missing.
    pub(super) fn set_option(
        &mut self,
        words: &[&str],
        out: &mut impl Write,
    ) -> Result<(), CommandError> {
        let rest = match words {
            [first, rest @ ..] if first.eq_ignore_ascii_case("name") => rest,
            words => words,
        };
        if rest.is_empty() {
            return refuse("setoption: expected: setoption name NAME value VALUE");
        }
        let mut parts = rest.splitn(2, |word| word.eq_ignore_ascii_case("value"));
        let name = parts.next().unwrap_or_default().join(" ");
        let value = parts.next().map(|words| words.join(" "));
        self.session.set(&name, value.as_deref(), out)
    }
}

impl Session {
    /// Sets an option, whatever the case of its name.
    pub fn set(
        &mut self,
        name: &str,
        value: Option<&str>,
        out: &mut impl Write,
    ) -> Result<(), CommandError> {
        #[cfg(feature = "tune")]
        if let Some(outcome) = tunable::set(name, value) {
            return outcome.or_else(|reason| refuse(format!("setoption: {reason}")));
        }
        let Some((name, setting, kind)) = list::find(name) else {
            return refuse(format!("setoption: no option {}", quote(name)));
        };
        let text = value;
        match kind.read(name, value) {
            Ok(value) => {
                self.apply(setting, value, out)?;
                if setting.is_for_all() {
                    self.tell_others(name, text);
                }
                Ok(())
            }
            Err(reason) => refuse(format!("setoption: {reason}")),
        }
    }

    fn apply(&mut self, setting: Setting, value: Value, out: &mut impl Write) -> Applied {
        let options = &mut self.options;
        match (setting, value) {
            (Setting::Threads, Value::Number(number)) => {
                named("Threads", self.engine().set_threads(number.unsigned_abs() as u32))?;
            }
            (Setting::Numa, Value::Numa(numa)) => named("NUMA", self.engine().set_numa(numa))?,
            (Setting::Parallel, Value::Strategy(strategy)) => self.engine().set_strategy(strategy),
            (Setting::ParallelExtras, Value::Text(names)) => self.set_extras(&names)?,
            (Setting::ClusterTable, Value::Table(kind)) => {
                named("Cluster Table", self.engine().set_cluster_table(kind))?;
            }
            (Setting::Hash, Value::Number(size)) => {
                named("Hash", self.engine().resize(size.unsigned_abs()))?;
            }
            (Setting::ClearHash, _) => self.engine().clear_table(),
            (Setting::MultiPv, Value::Number(lines)) => options.multi_pv = lines as usize,
            (Setting::SlowMover, Value::Number(percent)) => options.slow_mover = percent,
            (Setting::AnalyseMode, Value::Flag(on)) => options.analyse_mode = on,
            (Setting::SkillPause, Value::Flag(on)) => options.skill_pause = on,
            (Setting::SkillSeed, Value::Number(seed)) => self.seed_skill(seed.unsigned_abs()),
            (Setting::DebugLog, Value::Text(path)) => self.set_log(&path)?,
            (Setting::MoveOverhead, Value::Number(time)) => options.overhead_ms = time,
            (Setting::NodesTime, Value::Number(nodes)) => {
                options.nodes_per_ms = nodes.unsigned_abs();
                self.node_clock = Default::default();
            }
            (Setting::Chess960, Value::Flag(on)) => options.chess960 = on,
            (Setting::ShowWdl, Value::Flag(on)) => options.show_wdl = on,
            (Setting::LimitStrength, Value::Flag(on)) => options.limit_strength = on,
            (Setting::Elo, Value::Number(rating)) => options.elo = rating,
            (Setting::SkillLevel, Value::Number(level)) => options.skill_level = level,
            (Setting::Profile, Value::Profile(profile)) => {
                named("Profile", self.engine().set_profile(profile))?;
                self.resume_learning(out)?;
            }
            (Setting::Evaluation | Setting::EvalFile, it) => self.evaluate_by(setting, it, out)?,
            (Setting::TableFile, Value::Text(path)) => options.table_file = path.into(),
            (Setting::SaveTable, _) => self.save_table(&[], out)?,
            (Setting::LoadTable, _) => self.load_table(&[], out)?,
            (Setting::OwnBook, Value::Flag(on)) => options.own_book = on,
            (Setting::BookFile, Value::Text(path)) => self.set_book(&path, out)?,
            (Setting::BestBookMove, Value::Flag(on)) => options.best_book_move = on,
            (Setting::BookDepth, Value::Number(moves)) => options.book_depth = moves,
            (
                Setting::Learning
                | Setting::LearningFile
                | Setting::LearningDepth
                | Setting::LearningSize,
                value,
            ) => self.set_learning(setting, value, out)?,
            (Setting::BookSeed, Value::Number(seed)) => self.seed_book(seed.unsigned_abs()),
            (
                Setting::SyzygyPath
                | Setting::SyzygyProbeDepth
                | Setting::Syzygy50MoveRule
                | Setting::SyzygyProbeLimit
                | Setting::EndgamePath
                | Setting::Recognisers,
                value,
            ) => self.set_knowledge(setting, value, out)?,
            // Whether the interface lets us ponder changes nothing: it tells with each `go`. Nor does it
            // matter who plays against us. The other pairs do not exist: a value is read by its option's kind.
            _ => (),
        }
        Ok(())
    }
}

impl Session {
    fn set_extras(&mut self, names: &str) -> Applied {
        let extras = Extras::read(&names.to_ascii_lowercase());
        named("Parallel Extras", extras.map(|extras| self.engine().set_extras(extras)))
    }
}

/// What came of setting an option.
type Applied = Result<(), CommandError>;

/// What came of an option, with its name before the reason.
fn named(option: &str, changed: Result<(), String>) -> Result<(), CommandError> {
    changed.or_else(|reason| refuse(format!("setoption: {option}: {reason}")))
}
