//! The settings that are compared: threads, how they search together, and the limit of a search.

use crate::arena::words;
use crate::arguments::RegretSettings;
use crate::engine::{DEFAULT_STRATEGY, Engine, MOST_THREADS};
use crate::interrupt;
use crate::sim::root_search;
use crate::suite::{self, Limit};
use board::{History, Position};
use parallel::sim::{self, Model, Setup};
use parallel::threads::{Extras, Settings, read_strategy};
use parallel::{StrategyKind, Time};
use search::{Bound, Limits, Line, Outcome};
use std::time::{Duration, Instant};

const KEYS: &str = "threads, parallel, extras, simulated, time, nodes, depth, name";
/// The deepest iteration of a simulated search that its time ends.
const DEEPEST: i32 = 100;
/// Time of a search unless something else is asked for.
const DEFAULT_TIME: Duration = Duration::from_millis(100);

/// A way of searching.
#[derive(Clone, Debug)]
pub struct Setting {
    pub name: String,
    pub threads: u32,
    pub strategy: StrategyKind,
    pub extras: Extras,
    /// Processors of the simulated machine `threads`, if it is to search.
    pub simulated: Option<u32>,
    pub limit: Limit,
}

/// Reads the settings, those of all before those of each; one of the usual values where there are none.
pub fn read_all(arguments: &RegretSettings) -> Result<Vec<Setting>, String> {
    let usual = [Vec::new()];
    let settings = match arguments.settings.is_empty() {
        true => &usual[..],
        false => &arguments.settings,
    };
    settings.iter().map(|words| Setting::read(&arguments.each, words)).collect()
}

impl Setting {
    fn read(common: &[String], own: &[String]) -> Result<Setting, String> {
        let words = if own.is_empty() { common } else { own };
        let mut setting = Setting {
            name: words.join(" "),
            threads: 1,
            strategy: DEFAULT_STRATEGY,
            extras: Extras::default(),
            simulated: None,
            limit: Limit::Time(DEFAULT_TIME),
        };
        for (option, words) in [("--each", common), ("--setting", own)] {
            let mut limits = 0;
            for (key, value) in words::pairs(option, words)? {
                limits += usize::from(setting.set(option, key, value)?);
            }
            if limits > 1 {
                return Err(format!("{option}: one of time, nodes and depth is enough"));
            }
        }
        if setting.simulated.is_some() && matches!(setting.limit, Limit::Nodes(_)) {
            return Err("simulated: a simulated search has a time or a depth".to_owned());
        }
        if setting.name.is_empty() {
            setting.name = format!("threads=1 time={}", DEFAULT_TIME.as_secs_f64());
        }
        Ok(setting)
    }

    /// Follows a word; whether it is a limit.
    fn set(&mut self, option: &str, key: &str, text: &str) -> Result<bool, String> {
        let named = |reason: String| format!("{option}: {key}: {reason}");
        match key {
            "name" => text.clone_into(&mut self.name),
            "threads" => {
                self.threads = words::value(option, key, text, "a number")?;
                if !(1..=MOST_THREADS).contains(&self.threads) {
                    return Err(format!("{option}: threads is from 1 to {MOST_THREADS}"));
                }
            }
            "simulated" => {
                let processors: std::num::NonZeroU32 =
                    words::value(option, key, text, "a number of processors")?;
                if processors.get() > MOST_THREADS {
                    return Err(format!("{option}: simulated is from 1 to {MOST_THREADS}"));
                }
                self.simulated = Some(processors.get());
            }
            "parallel" => self.strategy = read_strategy(text).map_err(named)?,
            "extras" => self.extras = Extras::read(text).map_err(named)?,
            "time" => self.limit = Limit::Time(suite::read_seconds(text).map_err(named)?),
            "nodes" => {
                let nodes: std::num::NonZeroU64 =
                    words::value(option, key, text, "a number above 0")?;
                self.limit = Limit::Nodes(nodes.get());
            }
            "depth" => {
                let depth = words::value(option, key, text, "a number of half-moves")?;
                if !(1..=240).contains(&depth) {
                    return Err(format!("{option}: depth is from 1 to 240"));
                }
                self.limit = Limit::Depth(depth);
            }
            _ => return Err(words::unknown(option, key, KEYS)),
        }
        Ok(matches!(key, "time" | "nodes" | "depth"))
    }

    /// Searches a position that the engine knows nothing about, and the time that it took.
    pub fn search(
        &self,
        engine: &mut Engine,
        position: &Position,
    ) -> Result<(Outcome, Duration), String> {
        if let Some(processors) = self.simulated {
            return self.simulate(processors, engine, position);
        }
        engine.set_strategy(self.strategy);
        engine.set_extras(self.extras);
        engine.set_threads(self.threads)?;
        engine.new_game();
        let mut limits = Limits { lines: 1, ..Limits::default() };
        let mut deadline = None;
        match self.limit {
            Limit::Time(time) => deadline = Some(time),
            Limit::Depth(depth) => limits.depth = Some(depth),
            Limit::Nodes(nodes) => limits.nodes = Some(nodes),
        }
        let (begun, mut until) = (Instant::now(), interrupt::until(deadline));
        let outcome = engine.search(position, &History::new(), &limits, &mut until)?;
        Ok((outcome, begun.elapsed()))
    }

    /// The megabytes that a simulated search needs, if it is one.
    pub fn megabytes(&self, engine: &Engine) -> Result<u64, String> {
        let setup = self.simulated.map(|processors| self.setup(processors, engine)).transpose()?;
        Ok(setup.map_or(0, |setup| setup.megabytes()))
    }

    /// The simulated machine.
    fn setup(&self, processors: u32, engine: &Engine) -> Result<Setup, String> {
        let model = Model::named("threads").ok_or("the machine of threads is missing")?;
        let (profile, network) = engine.rules();
        let setup = Setup::new(self.strategy, model, processors, profile);
        let mut setup = setup.like(&Settings::new(self.strategy, processors));
        (setup.table.kilobytes, setup.network) = (engine.hash_mb() << 10, network);
        Ok(setup)
    }

    /// The same search on a simulated machine, in virtual time.
    fn simulate(
        &self,
        processors: u32,
        engine: &Engine,
        position: &Position,
    ) -> Result<(Outcome, Duration), String> {
        let mut setup = self.setup(processors, engine)?;
        let depth = match self.limit {
            Limit::Depth(depth) => depth,
            Limit::Time(time) => {
                setup.stop = Some(time.as_nanos() as Time);
                DEEPEST
            }
            Limit::Nodes(_) => return Err("a simulated search has a time or a depth".to_owned()),
        };
        let run =
            sim::run(&setup, &root_search(position, depth)).map_err(|error| error.to_string())?;
        let line = Line { score: run.answer.value, bound: Bound::Exact, moves: run.answer.line };
        let nodes = run.accounts.iter().map(|account| account.nodes).sum();
        let outcome = Outcome { lines: vec![line], depth: run.depth, selective_depth: 0, nodes };
        Ok((outcome, Duration::from_nanos(run.time)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(each: &[&str], own: &[&[&str]]) -> Result<Vec<Setting>, String> {
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        let settings = own.iter().map(|own| words(own)).collect();
        read_all(&RegretSettings { each: words(each), settings })
    }

    #[test]
    fn a_settings_own_words_win() {
        let settings =
            read(&["threads=4", "depth=9"], &[&["parallel=lazy"], &["nodes=7", "name=x"]]);
        let settings = settings.expect("good words");
        let [lazy, other] = &settings[..] else { panic!("two settings") };
        assert_eq!((lazy.name.as_str(), lazy.threads), ("parallel=lazy", 4));
        assert_eq!((lazy.strategy, other.strategy), (StrategyKind::Lazy, DEFAULT_STRATEGY));
        assert!(matches!(lazy.limit, Limit::Depth(9)) && matches!(other.limit, Limit::Nodes(7)));
        assert_eq!(other.name, "x");
        let usual = read(&[], &[]).expect("the usual one");
        assert_eq!((usual.len(), usual[0].name.as_str()), (1, "threads=1 time=0.1"));
    }

    #[test]
    fn wrong_words_are_named() {
        for word in [
            "threads=0",
            "threads=9999",
            "parallel=dts",
            "extras=x",
            "time=0",
            "nodes=0",
            "depth=0",
        ] {
            let reason = read(&[], &[&[word]]).expect_err(word);
            assert!(reason.starts_with("--setting: "), "{reason}");
        }
        assert!(read(&["hash=3"], &[]).is_err_and(|reason| reason.contains("no \"hash\"")));
        assert!(read(&[], &[&["depth=3", "nodes=5"]]).is_err());
    }
}
