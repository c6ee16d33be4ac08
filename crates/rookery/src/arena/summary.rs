//! The outcome of a match for programs.

use super::elo::Decision;
use super::game_end::Cause;
use super::report::Setting;
use super::tally::{Conduct, Duel, Incident, Tally};
use crate::interrupt;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// Everything there is to know. Values without bounds are `null`.
#[derive(Serialize)]
pub struct Summary<'a> {
    games: u64,
    scheduled: usize,
    /// Whether Ctrl-C ended the match before its time.
    interrupted: bool,
    /// Games that repeat another move by move.
    copies: u64,
    /// What the user should know.
    warnings: &'a [String],
    seconds: f64,
    controls: &'a str,
    openings: &'a str,
    engines: Vec<Engine<'a>>,
    pairings: Vec<Pairing<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<Test>,
    endings: &'a BTreeMap<Cause, u64>,
    incidents: &'a [Incident],
}

#[derive(Serialize)]
struct Engine<'a> {
    name: &'a str,
    #[serde(flatten)]
    results: Results,
    #[serde(flatten)]
    conduct: &'a Conduct,
}

#[derive(Serialize)]
struct Pairing<'a> {
    first: &'a str,
    second: &'a str,
    #[serde(flatten)]
    results: Results,
}

#[derive(Serialize)]
struct Results {
    wins: u64,
    draws: u64,
    losses: u64,
    share: f64,
    /// Pairs of games that gave 0, ½, 1, 1½ and 2 points.
    pairs: [u64; 5],
    elo: f64,
    elo_margin: f64,
    normalised_elo: f64,
    normalised_elo_margin: f64,
    superiority: f64,
    /// Whether there are enough pairs for these numbers to mean something.
    enough_pairs: bool,
}

impl Results {
    fn new(duel: &Duel) -> Results {
        let (elo, normalised) = (duel.pairs.elo(), duel.pairs.normalised_elo());
        Results {
            wins: duel.wins,
            draws: duel.draws,
            losses: duel.losses,
            share: duel.share(),
            pairs: duel.pairs.pairs,
            elo: elo.value,
            elo_margin: elo.margin,
            normalised_elo: normalised.value,
            normalised_elo_margin: normalised.margin,
            superiority: duel.pairs.superiority(),
            enough_pairs: duel.pairs.are_enough(),
        }
    }
}

#[derive(Serialize)]
struct Test {
    model: &'static str,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    llr: f64,
    lower_bound: f64,
    upper_bound: f64,
    /// `passed`, `failed`, or nothing yet.
    decision: Option<&'static str>,
}

impl<'a> Summary<'a> {
    /// The outcome of the results so far.
    pub fn new(
        setting: &'a Setting,
        tally: &'a Tally,
        time: Duration,
        warnings: &'a [String],
    ) -> Summary<'a> {
        let name = |engine: usize| setting.names.get(engine).map_or("", String::as_str);
        let engines =
            (0..setting.names.len()).zip(&tally.conduct).map(|(engine, conduct)| Engine {
                name: name(engine),
                results: Results::new(&tally.of_engine(setting.schedule, engine)),
                conduct,
            });
        let pairings = setting.schedule.pairings.iter().zip(&tally.duels);
        let pairings = pairings.map(|(&(first, second), duel)| Pairing {
            first: name(first),
            second: name(second),
            results: Results::new(duel),
        });
        Summary {
            games: tally.played(),
            scheduled: setting.schedule.total(),
            interrupted: interrupt::requested(),
            copies: tally.copies.count(),
            warnings,
            seconds: time.as_secs_f64(),
            controls: &setting.controls,
            openings: &setting.openings,
            engines: engines.collect(),
            pairings: pairings.collect(),
            sprt: test(setting, tally),
            endings: &tally.causes,
            incidents: &tally.incidents,
        }
    }
}

fn test(setting: &Setting, tally: &Tally) -> Option<Test> {
    let (sprt, duel) = setting.sprt.zip(tally.duels.first())?;
    let (lower_bound, upper_bound) = sprt.bounds();
    Some(Test {
        model: sprt.model.name(),
        elo0: sprt.elo0,
        elo1: sprt.elo1,
        alpha: sprt.alpha,
        beta: sprt.beta,
        llr: sprt.log_likelihood_ratio(&duel.pairs),
        lower_bound,
        upper_bound,
        decision: sprt.decide(&duel.pairs).map(|decision| match decision {
            Decision::Upper => "passed",
            Decision::Lower => "failed",
        }),
    })
}
