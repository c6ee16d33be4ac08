//! `lab duel`: a match of a fixed length between two settings.

use super::games::{GamesArguments, Ticker};
use clap::Args;
use lab::duel::{PairBatch, Settings, Tally, can_be_set, play_all, read_settings};
use std::time::Duration;

/// Who plays, and how.
#[derive(Args)]
pub struct DuelArguments {
    /// The first setting, whose score is shown: name=value,…; what is not named is as usual
    #[arg(long, default_value = "", value_parser = read_settings)]
    a: Settings,
    /// The second setting
    #[arg(long, default_value = "", value_parser = read_settings)]
    b: Settings,
    /// Games, in pairs with reversed colours
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(2..))]
    games: u64,
    #[command(flatten)]
    play: GamesArguments,
}

/// Plays the match.
pub fn run(arguments: &DuelArguments) -> Result<(), String> {
    if arguments.a != arguments.b {
        can_be_set()?;
    }
    let mut openings = arguments.play.openings(0)?;
    let pairs = arguments.games.div_ceil(2);
    let (mut begun, mut tally) = (0, Tally::default());
    let mut ticker = Ticker::new(Duration::from_secs(10));
    let next = || {
        begun += 1;
        let batch = || PairBatch {
            tag: (),
            first: arguments.a.clone(),
            second: arguments.b.clone(),
            openings: vec![openings.draw()],
        };
        (begun <= pairs).then(batch)
    };
    let finished = |(), points: &[f64]| {
        points.iter().for_each(|&points| tally.add(points));
        if ticker.is_due() {
            println!("{tally}; {}", ticker.times(tally.pairs(), pairs));
        }
        Ok(())
    };
    play_all(&arguments.play.config(), next, finished)?;
    println!("{tally}");
    Ok(())
}
