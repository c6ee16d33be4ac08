//! What is to be played, put together from the command line.

use super::adjudication::{self, Rules};
use super::contestant::{self, Contestant};
use super::driver::Timeouts;
use super::elo::{Model, Sprt};
use super::odds::{self, Range, Stage};
use super::openings::{self, Source};
use super::schedule::{Format, Schedule};
use super::tablebase::Tablebase;
use super::words;
use crate::arguments::MatchArguments;
use crate::counted::counted;
use serde_json::{Value, json};
use std::time::Duration;

/// Games of a pairing unless something else is asked for.
const DEFAULT_GAMES: usize = 100;
/// Where a test ends the match, this many games are more than it ever needs.
const MOST_GAMES_OF_A_TEST: usize = 200_000;

/// What an engine has to introduce itself and to prepare for a game, unless something else is asked for: a
/// table of 4 GB takes ten seconds on a slow machine.
const START: Duration = Duration::from_secs(120);
/// What an engine has for an answer that takes no thinking.
const ANSWER: Duration = Duration::from_secs(10);

/// A match.
#[derive(Clone)]
pub struct Plan {
    pub contestants: Vec<Contestant>,
    pub schedule: Schedule,
    pub openings: Option<Source>,
    pub seed: u64,
    pub rules: Rules,
    pub sprt: Option<Sprt>,
    /// The range in which the equal-strength time is looked for.
    pub odds: Option<Range>,
    pub stage: Stage,
    pub timeouts: Timeouts,
    pub concurrency: usize,
    /// The folders of Syzygy tables that end games.
    syzygy: Option<String>,
}

impl Plan {
    /// Reads the arguments; the error is one line.
    pub fn new(arguments: &MatchArguments) -> Result<Plan, String> {
        if arguments.sides.engines.len() < 2 {
            return Err(String::from("a match needs two engines at least: give --engine twice"));
        }
        let mut contestants =
            contestant::read_all(&arguments.sides.engines, &arguments.sides.each)?;
        contestants.iter_mut().for_each(|contestant| contestant.ponders |= arguments.ponder);
        let sprt = arguments.sprt.as_deref().map(read_sprt).transpose()?;
        if sprt.is_some() && contestants.len() > 2 {
            return Err(String::from("--sprt compares two engines, not more"));
        }
        let odds = arguments.odds.as_deref().map(odds::read).transpose()?;
        if odds.is_some() {
            odds::check(&contestants)?;
        }
        let games = match (arguments.games, arguments.rounds) {
            (Some(games), _) => games,
            (None, Some(rounds)) => rounds.saturating_mul(2),
            (None, None) if sprt.is_some() => MOST_GAMES_OF_A_TEST,
            (None, None) => DEFAULT_GAMES,
        };
        let format = match arguments.gauntlet {
            true => Format::Gauntlet,
            false => Format::RoundRobin,
        };
        Ok(Plan {
            schedule: Schedule::new(contestants.len(), format, games),
            contestants,
            openings: openings::read_source(arguments.openings.as_deref())?,
            seed: arguments.seed,
            rules: Rules {
                draw: arguments.draw.as_deref().map(adjudication::read_draw).transpose()?,
                resign: arguments.resign.as_deref().map(adjudication::read_resign).transpose()?,
                max_moves: arguments.max_moves,
                tablebase_men: arguments.syzygy.as_ref().map(|_| arguments.syzygy_men),
            },
            sprt,
            odds,
            stage: Stage::default(),
            timeouts: Timeouts {
                start: arguments.start.or(arguments.hang).unwrap_or(START),
                answer: arguments.hang.unwrap_or(ANSWER),
                unclocked_move: arguments.move_limit,
            },
            concurrency: usize::from(arguments.concurrency),
            syzygy: arguments.syzygy.clone(),
        })
    }

    /// The part of the match in which the second engine has these odds.
    pub fn at(&self, stage: Stage) -> Plan {
        let mut plan = Plan { stage, ..self.clone() };
        plan.schedule.first_round = stage.number as usize * self.schedule.rounds();
        if let Some(second) = plan.contestants.get_mut(1) {
            second.limits = second.limits.times(stage.odds);
        }
        plan
    }

    /// Openings of the whole match.
    pub fn rounds(&self) -> usize {
        let stages = self.odds.map_or(1, |range| range.steps as usize);
        self.schedule.rounds().saturating_mul(stages)
    }

    /// The tables that end games, if there are any.
    pub fn tablebase(&self) -> Result<Option<Tablebase>, String> {
        let given = self.syzygy.as_deref().zip(self.rules.tablebase_men);
        given.map(|(folders, men)| Tablebase::open(folders, men)).transpose()
    }

    /// A warning where more threads think at a time than there are processors.
    pub fn crowding(&self, processors: usize) -> Option<String> {
        let needs = self.schedule.pairings.iter().filter_map(|&(first, second)| {
            let (first, second) = (self.contestants.get(first)?, self.contestants.get(second)?);
            Some(match first.ponders || second.ponders {
                true => first.threads() + second.threads(),
                false => first.threads().max(second.threads()),
            })
        });
        let threads = needs.max().unwrap_or(1);
        let games = self.concurrency;
        let each = match threads {
            1 => String::new(),
            threads => format!(" × {threads} threads"),
        };
        (games * threads > processors).then(|| {
            format!(
                "Warning: --concurrency {games}{each} is more than {}: engines wait for each other, \
                 and may lose on time",
                counted(processors, "processor")
            )
        })
    }

    /// The names of the engines.
    pub fn names(&self) -> Vec<String> {
        self.contestants.iter().map(|contestant| contestant.name.clone()).collect()
    }

    /// The time controls in a few words.
    pub fn controls(&self) -> String {
        let mut controls: Vec<String> =
            self.contestants.iter().map(|contestant| contestant.limits.to_string()).collect();
        controls.dedup();
        controls.join(" against ")
    }

    /// All that must be the same for two parts of a match to belong together. How many games there
    /// are, what ends them early and how many are played at a time may change.
    pub fn identity(&self) -> Value {
        let engines: Vec<Value> = self
            .contestants
            .iter()
            .map(|contestant| {
                let mut engine = json!({
                    "name": contestant.name,
                    "program": contestant.program,
                    "arguments": contestant.arguments,
                    "directory": contestant.directory,
                    "protocol": contestant.protocol,
                    "limits": contestant.limits.to_string(),
                    "options": contestant.options,
                });
                // Only where it is on: states of earlier versions do not have it.
                if contestant.ponders {
                    engine["ponder"] = json!(true);
                }
                engine
            })
            .collect();
        json!({
            "engines": engines,
            "pairings": self.schedule.pairings,
            "openings": self.openings,
            "seed": self.seed,
            "rules": self.rules,
        })
    }
}

/// Reads `elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalised`.
fn read_sprt(settings: &[String]) -> Result<Sprt, String> {
    const OPTION: &str = "--sprt";
    let mut sprt = Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: Model::Normalised };
    for (key, value) in words::pairs(OPTION, settings)? {
        let number = || words::value::<f64>(OPTION, key, value, "a number");
        match key {
            "elo0" => sprt.elo0 = number()?,
            "elo1" => sprt.elo1 = number()?,
            "alpha" => sprt.alpha = number()?,
            "beta" => sprt.beta = number()?,
            "model" => {
                sprt.model = match value {
                    "logistic" => Model::Logistic,
                    "normalised" | "normalized" => Model::Normalised,
                    _ => {
                        let wrong = "model is logistic or normalised, not";
                        return Err(format!("{OPTION}: {wrong} \"{value}\""));
                    }
                }
            }
            _ => return Err(words::unknown(OPTION, key, "elo0, elo1, alpha, beta, model")),
        }
    }
    let is_error = |rate: f64| rate > 0.0 && rate < 0.5;
    let is_elo = |elo: f64| elo.abs() <= 1000.0;
    if !(is_elo(sprt.elo0) && is_elo(sprt.elo1) && sprt.elo0 < sprt.elo1) {
        return Err(format!("{OPTION}: elo0 is below elo1, and both are within ±1000"));
    }
    if !(is_error(sprt.alpha) && is_error(sprt.beta)) {
        return Err(format!("{OPTION}: alpha and beta lie between 0 and 0.5"));
    }
    Ok(sprt)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Sprt, String> {
        read_sprt(&text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn a_test_has_two_hypotheses_in_their_order() {
        let sprt = read("elo0=-3 elo1=1 alpha=0.1 model=logistic").expect("a test");
        assert_eq!((sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta), (-3.0, 1.0, 0.1, 0.05));
        assert_eq!(sprt.model, Model::Logistic);
        for text in ["elo0=5", "elo0=nan", "alpha=0", "beta=1", "model=bayes", "elo=5", "elo1"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
