//! `lab make-pgn`: a collection of games of any size.

use clap::Args;
use lab::collection;
use lab::files::refuse_output;
use std::path::PathBuf;

/// Which games, how much of them, and where they go.
#[derive(Args)]
pub struct PgnArguments {
    /// The games that are repeated
    #[arg(long, default_value = "testdata/pgn/twic1599.pgn")]
    from: PathBuf,
    /// The size
    #[arg(long, default_value_t = 2048)]
    megabytes: u64,
    /// Words in the comment after each move, beside the clock
    #[arg(long, default_value_t = 0)]
    words: u64,
    /// The file to write; a plain file of that name is replaced
    #[arg(long)]
    out: PathBuf,
}

/// Runs the command.
pub fn run(arguments: &PgnArguments) -> Result<(), String> {
    let PgnArguments { from, megabytes, words, out } = arguments;
    refuse_output("--out", out, [from])?;
    let size = collection::write(from, out, *megabytes, *words)?;
    println!("{}: {} games, {} bytes", out.display(), size.games, size.bytes);
    Ok(())
}
