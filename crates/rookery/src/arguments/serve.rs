//! The arguments of `rookery serve`.

use clap::{Args, value_parser};
use std::net::IpAddr;
use std::path::PathBuf;

const ABOUT: &str = "\
Show the board in a browser: play against the engine, analyse positions and annotate games.

The page is part of the program and needs no network. It is offered to this machine only; other machines \
are let in by --bind, which needs a token that they must know. No file of this machine can be read through \
it. Ctrl-C ends it.";

const EXAMPLES: &str = "\
Examples:
  rookery serve --open
      the page in the usual browser
  rookery serve --threads 4 --hash 512 --searches 1
      one search at a time, by four threads with a table of 512 MB
  rookery serve --bind 192.168.1.20 --token \"$(openssl rand -hex 16)\"
      for a tablet in the same network; the address that is printed holds the token";

/// The port that is tried where none is asked for.
pub const USUAL_PORT: u16 = 6464;
/// A shorter token could be guessed.
const SHORTEST_TOKEN: usize = 16;

/// Play and analyse in a browser
#[derive(Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES)]
pub struct ServeArguments {
    /// The port [default: 6464, or a free one where that is taken]
    #[arg(long, value_name = "PORT")]
    pub port: Option<u16>,

    /// Open the page in the usual browser
    #[arg(long)]
    pub open: bool,

    /// The address to listen at, for other machines [default: this machine only]
    #[arg(long, value_name = "ADDRESS", requires = "token")]
    pub bind: Option<IpAddr>,

    /// A secret of at least 16 letters and digits that browsers must know
    #[arg(long, value_name = "SECRET", value_parser = read_token)]
    pub token: Option<String>,

    /// Threads of each search
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u32).range(1..=1024))]
    pub threads: u32,

    /// Megabytes of each transposition table
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = value_parser!(u64).range(1..))]
    pub hash: u64,

    /// Searches at a time: as many for games, and as many for analysis
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = value_parser!(u16).range(1..=64))]
    pub searches: u16,

    /// Seconds that a search may take at most
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = value_parser!(u32).range(1..=86_400))]
    pub most_seconds: u32,

    /// An opening book (Polyglot) that is played from
    #[arg(long, value_name = "FILE")]
    pub book: Option<PathBuf>,

    /// Folders with Syzygy tables, separated as in PATH
    #[arg(long, value_name = "PATH")]
    pub syzygy: Option<String>,

    /// A folder with tables that `rookery endgame build` has made
    #[arg(long, value_name = "DIR")]
    pub tables: Option<PathBuf>,
}

/// A token stands in addresses and cookies: no other letters.
fn read_token(text: &str) -> Result<String, String> {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
    match text.len() >= SHORTEST_TOKEN && text.chars().all(plain) {
        true => Ok(text.to_owned()),
        false => Err(format!("expected at least {SHORTEST_TOKEN} of a-z, A-Z, 0-9, - and _")),
    }
}

#[cfg(test)]
mod tests {
    use super::read_token;

    #[test]
    fn a_token_is_long_and_plain() {
        assert!(read_token("0123456789abcdef").is_ok() && read_token("A-b_0123456789ab").is_ok());
        for bad in ["", "short", "0123456789abcde;", "0123456789 abcdef", "ß123456789abcdefg"] {
            assert!(read_token(bad).is_err(), "{bad}");
        }
    }
}
