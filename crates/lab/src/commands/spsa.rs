//! `lab spsa`: tuning the search's parameters by games.

use super::games::{GamesArguments, Ticker};
use clap::Args;
use lab::duel::{PairBatch, Settings, can_be_set, play_all};
use lab::files::refuse_output;
use lab::spsa::{Schedule, Spsa, Trial, Tunable, state};
use search::parameters;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// What is tuned, how long, and how.
#[derive(Args)]
pub struct SpsaArguments {
    /// Iterations: each plays its pairs and takes one step
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    iterations: u64,
    /// Pairs of games in each iteration
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pairs: u16,
    /// What one won game moves a parameter at the end, as a part of its step; 0.002 suits runs of 50 000
    /// iterations, shorter ones need more
    #[arg(long, default_value_t = 0.005)]
    rate: f64,
    /// Which parameters [default: all]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    parameters: Vec<String>,
    /// Where the run is kept: if the file is there, the run goes on from it
    #[arg(long, value_name = "FILE", default_value = "spsa.json")]
    state: PathBuf,
    #[command(flatten)]
    play: GamesArguments,
}

/// How often the state is saved and a line is written.
const PULSE: Duration = Duration::from_secs(10);

/// Tunes.
pub fn run(arguments: &SpsaArguments) -> Result<(), String> {
    can_be_set()?;
    if !(arguments.rate > 0.0 && arguments.rate.is_finite()) {
        return Err("--rate must be more than 0".to_owned());
    }
    refuse_output("--state", &arguments.state, [arguments.play.openings_file()])?;
    let spsa = begin(arguments)?;
    let mut openings = arguments.play.openings(spsa.finished + 1)?;
    let iterations = spsa.schedule.iterations;
    let before = spsa.finished;
    println!(
        "{} parameters, iterations {} to {iterations}, {} openings",
        spsa.tunables.len(),
        before + 1,
        openings.count()
    );
    let mut begun = before;
    // Taken here: the threads that play have those of the last game.
    let usual = Settings::usual();
    let spsa = Mutex::new(spsa);
    let next = || {
        begun += 1;
        let trial = || {
            let spsa = spsa.lock().unwrap_or_else(PoisonError::into_inner);
            let trial = spsa.propose(begun);
            PairBatch {
                first: settings(&usual, &spsa, &trial.plus),
                second: settings(&usual, &spsa, &trial.minus),
                tag: trial,
                openings: (0..arguments.pairs).map(|_| openings.draw()).collect(),
            }
        };
        (begun <= iterations).then(trial)
    };
    let mut ticker = Ticker::new(PULSE);
    let finished = |trial: Trial, points: &[f64]| {
        let mut spsa = spsa.lock().unwrap_or_else(PoisonError::into_inner);
        // Two points are shared out in a pair: won less lost is twice what is above one.
        spsa.learn(&trial, points.iter().map(|points| 2.0 * (points - 1.0)).sum());
        if ticker.is_due() {
            state::save(&spsa, &arguments.state)?;
            let times = ticker.times(spsa.finished - before, iterations - before);
            println!("{} of {iterations}, {times}: {}", spsa.finished, state::one_line(&spsa));
        }
        Ok(())
    };
    play_all(&arguments.play.config(), next, finished)?;
    let spsa = spsa.into_inner().unwrap_or_else(PoisonError::into_inner);
    state::save(&spsa, &arguments.state)?;
    print!("{}", state::listing(&spsa));
    println!("{}", state::one_line(&spsa));
    Ok(())
}

/// The run of the state file, or a new one.
fn begin(arguments: &SpsaArguments) -> Result<Spsa, String> {
    if let Some(mut spsa) = state::load(&arguments.state)? {
        let known = parameters::all();
        for tunable in &spsa.tunables {
            if !known.iter().any(|parameter| parameter.name == tunable.name) {
                let (path, name) = (arguments.state.display(), &tunable.name);
                return Err(format!("{path}: this build has no parameter {name}"));
            }
        }
        spsa.schedule.iterations = arguments.iterations;
        println!("{} goes on after iteration {}", arguments.state.display(), spsa.finished);
        return Ok(spsa);
    }
    let usual = Settings::usual();
    for name in &arguments.parameters {
        // Setting it to anything says whether it exists.
        if !parameters::all().iter().any(|parameter| parameter.name == name) {
            usual.clone().set(name, 0)?;
        }
    }
    let wanted = |name: &str| {
        arguments.parameters.is_empty() || arguments.parameters.iter().any(|wanted| wanted == name)
    };
    let tunables = parameters::all().into_iter().filter(|parameter| wanted(parameter.name));
    let tunables = tunables.map(|parameter| Tunable {
        name: parameter.name.to_owned(),
        start: parameter.value,
        value: f64::from(parameter.value),
        min: parameter.min,
        max: parameter.max,
        step: parameter.step,
    });
    let schedule = Schedule { iterations: arguments.iterations, rate: arguments.rate };
    Ok(Spsa { tunables: tunables.collect(), schedule, finished: 0, seed: arguments.play.seed })
}

/// All parameters, with those that are tuned at the values of a trial.
fn settings(usual: &Settings, spsa: &Spsa, values: &[i32]) -> Settings {
    let mut settings = usual.clone();
    for (tunable, &value) in spsa.tunables.iter().zip(values) {
        // The names were checked when the run began; a range that has shrunk since keeps the usual.
        let _ = settings.set(&tunable.name, value);
    }
    settings
}
