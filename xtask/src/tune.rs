//! `cargo xtask tune`: fitting weights to data and parameters to games. The work is done by `lab` in a
//! release build.

use crate::run::Cargo;
use clap::{Args, Subcommand};
use std::path::Path;

/// What can be tuned.
#[derive(Subcommand)]
pub enum Tune {
    /// The weights of the modern evaluation, by Texel's method with exact gradients.
    ///
    /// Reads EPD records with `ce` (centipawns for the side to move) and `c9` (the result), prints the
    /// loss on a held-out tenth after each epoch, and writes crates/eval/src/weights/values.rs.
    Eval(EvalArguments),
    /// The parameters of the search, by games between perturbed settings (SPSA).
    ///
    /// The table crates/search/src/parameters.rs gives names, ranges and steps. Each iteration plays a
    /// pair of games; the run is kept in a file, from which it goes on when it is started again. The
    /// values that come out are printed as lines of a patch. `cargo xtask tune search --help` is short:
    /// everything after it goes to `lab spsa`, whose `--help` tells the rest.
    Search(SearchArguments),
}

/// The arguments of `cargo xtask tune eval`.
#[derive(Args)]
pub struct EvalArguments {
    /// The file of labelled positions
    #[arg(long)]
    data: String,
    /// Passes over the positions
    #[arg(long, default_value_t = 40)]
    epochs: usize,
    /// Further arguments of `lab tune-eval`, after `--`
    #[arg(last = true)]
    more: Vec<String>,
}

/// The arguments of `cargo xtask tune search`.
#[derive(Args)]
pub struct SearchArguments {
    /// The positions that games begin with: EPD or FEN, one a line
    #[arg(long, value_name = "FILE")]
    openings: String,
    /// Where the run is kept
    #[arg(long, value_name = "FILE", default_value = "spsa.json")]
    state: String,
    /// Further arguments of `lab spsa`: --iterations N, --nodes N or --tc S+I, --parameters a,b,c,
    /// --concurrency T, --pairs N, --rate R, --seed N …
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    more: Vec<String>,
}

/// Tunes; whether it ended well.
pub fn run(root: &Path, tune: &Tune) -> bool {
    let (mut cargo, more) = match tune {
        Tune::Eval(arguments) => {
            let cargo = Cargo::new("run --release --package rookery-lab -- tune-eval --data")
                .argument(whole(&arguments.data))
                .argument("--epochs")
                .argument(arguments.epochs.to_string());
            (cargo, &arguments.more)
        }
        Tune::Search(arguments) => {
            let cargo = Cargo::new("run --release --package rookery-lab --features tune -- spsa")
                .argument("--openings")
                .argument(whole(&arguments.openings))
                .argument("--state")
                .argument(whole(&arguments.state));
            (cargo, &arguments.more)
        }
    };
    for argument in more {
        cargo = cargo.argument(argument);
    }
    println!("{cargo}");
    cargo.run(root)
}

/// Cargo runs in the root; a path that was meant from elsewhere is made whole first.
fn whole(path: &str) -> String {
    std::path::absolute(path).map_or(path.to_owned(), |path| path.display().to_string())
}
