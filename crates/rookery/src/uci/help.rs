//! What `help` says: the list of commands, and more about one of them.

use super::command::{COMMANDS, Command};
use crate::arguments::Arguments;
use crate::session::{CommandError, refuse};
use board::fen::quote;
use clap::CommandFactory;
use std::ffi::OsString;
use std::io::{self, Write};

/// What a person sees who starts the program in a terminal.
pub const GREETING: &str = concat!(
    "Rookery ",
    env!("CARGO_PKG_VERSION"),
    ", a chess engine. `help` lists the commands, `quit` leaves; `rookery --help` shows other uses."
);

/// `help [COMMAND]`.
pub fn write(words: &[&str], out: &mut impl Write) -> Result<(), CommandError> {
    match words {
        [] => Ok(write_list(out)?),
        [word, ..] if explain(word, out)? => Ok(()),
        [word, ..] => refuse(format!("help: no command {}: help lists all", quote(word))),
    }
}

fn write_list(out: &mut impl Write) -> io::Result<()> {
    for (name, _, arguments, meaning) in COMMANDS {
        let usage = format!("{name} {arguments}");
        writeln!(out, "{usage:<42} {meaning}")?;
    }
    writeln!(out, "help COMMAND tells more, for instance help go")
}

/// `rookery help WORD` or `rookery WORD --help` for a command that only the console has; whether it was
/// that.
pub fn on_command_line(words: &[OsString], out: &mut impl Write) -> io::Result<bool> {
    let word = match words {
        [help, word] if help == "help" => word,
        [word, help] if help == "--help" || help == "-h" => word,
        _ => return Ok(false),
    };
    match word.to_str() {
        Some(word) if Arguments::command().find_subcommand(word).is_none() => explain(word, out),
        _ => Ok(false),
    }
}

/// Tells all about a command of the console; whether there is such a command.
fn explain(word: &str, out: &mut impl Write) -> io::Result<bool> {
    let word = word.to_ascii_lowercase();
    let Some((name, command, arguments, meaning)) =
        COMMANDS.into_iter().find(|(name, ..)| *name == word)
    else {
        return Ok(false);
    };
    writeln!(out, "{}", format!("{name} {arguments}").trim_end())?;
    writeln!(out, "  {meaning}")?;
    let more = more(command);
    if !more.is_empty() {
        writeln!(out, "\n{more}")?;
    }
    Ok(true)
}

/// What the line in the list does not say.
fn more(command: Command) -> &'static str {
    match command {
        Command::Uci => UCI,
        Command::Xboard => XBOARD,
        Command::Display => DISPLAY,
        Command::Position => POSITION,
        Command::Go => GO,
        Command::SetOption => SET_OPTION,
        Command::IsReady => IS_READY,
        Command::Perft | Command::Divide => COUNTS,
        Command::SaveTable | Command::LoadTable => TABLES,
        _ => "",
    }
}

const UCI: &str = "\
The Universal Chess Interface, which most chess programs speak: enter this program as a UCI engine, \
without arguments. A conversation by hand:
  uci
  isready
  position startpos moves e2e4 e7e5
  go movetime 1000
  quit
A file of commands may be read in too: rookery < commands. Searches that have a limit are finished then.";

const XBOARD: &str = "\
The xboard protocol, version 2 (CECP), for xboard, WinBoard and others: enter `rookery xboard` as the \
command of the engine. Here the engine keeps the game itself:
  new
  level 0 5 0
  usermove e2e4
  quit";

const DISPLAY: &str = "\
The board from White's side, capitals for White; the FEN; the key of the position; the men that give \
check. During a search it shows the position that was set up last, for the next search. As arguments of \
the program, `rookery d FEN` shows that position.";

const POSITION: &str = "  \
position startpos
  position startpos moves e2e4 e7e5
  position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1
Castling rights and en passant squares that cannot be right are dropped, and it says so. After a position \
that is refused, go answers bestmove 0000 until another one or ucinewgame comes.";

const GO: &str = "  \
depth N, nodes N, movetime MS      limits; the first that is reached ends the search
  wtime MS, btime MS                 the clocks
  winc MS, binc MS, movestogo N      what is added to them, and when
  mate N                             a mate in N moves or fewer
  searchmoves MOVE …                 only these moves
  infinite                           until stop, as without any limit
  ponder                             on the opponent's time, until ponderhit or stop
  perft DEPTH                        counts lines instead
Times count from the moment in which the line was read. What cannot be understood is named and passed \
over; where no limit is left then, one iteration is searched.";

const SET_OPTION: &str = "  \
setoption name Hash value 256
  setoption name SyzygyPath value /tables/syzygy
  setoption name Clear Hash
`uci` lists all options. Names are read in any case, with or without blanks; true, on, yes and 1 are the \
same. A value that is out of range changes nothing. While a search runs, it waits for the end of the search.";

const IS_READY: &str = "\
Answered when everything before it is done. During a search it is answered at once, unless commands wait \
for the end of the search; then behind them, but at once again where the search goes on until stop. After \
stop it is answered behind bestmove.";

const COUNTS: &str = "\
The legal lines from the position that is set up, for tests of move generators; `stop` ends a count that \
takes too long. `rookery perft` does the same with several threads and a table.";

const TABLES: &str = "\
Without a file, that of the option TableFile. A table is read only by the version and the profile that \
wrote it.";

#[cfg(test)]
mod tests {
    use super::*;

    fn help(words: &[&str]) -> Result<String, CommandError> {
        let mut out = Vec::new();
        write(words, &mut out).map(|()| String::from_utf8(out).expect("text"))
    }

    #[test]
    fn every_command_is_listed_and_explained() {
        let list = help(&[]).expect("a list");
        for (name, ..) in COMMANDS {
            assert!(list.lines().any(|line| line.starts_with(&format!("{name} "))), "{name}");
            assert!(help(&[name]).expect("it is known").starts_with(name), "{name}");
        }
        for (word, text) in [("uci", "position startpos"), ("xboard", "usermove"), ("D", "FEN")] {
            assert!(help(&[word]).expect("it is known").contains(text), "{word}");
        }
        assert!(help(&["castle"]).is_err());
        // Examples and lists are set off alike, from their first line on.
        for (word, first) in [("go", "depth"), ("setoption", "setoption"), ("position", "position")]
        {
            let text = help(&[word]).expect("it is known");
            assert!(text.contains(&format!("\n\n  {first} ")), "{text}");
        }
    }

    #[test]
    fn the_command_line_explains_what_only_the_console_has() {
        let told = |words: &[&str]| {
            let words: Vec<OsString> = words.iter().map(OsString::from).collect();
            on_command_line(&words, &mut Vec::new()).expect("memory takes it")
        };
        assert!(told(&["help", "uci"]) && told(&["help", "xboard"]) && told(&["help", "d"]));
        assert!(!told(&["help", "bench"]) && !told(&["help", "nothing"]) && !told(&["help"]));
    }

    #[test]
    fn the_greeting_is_one_line_with_the_version() {
        assert!(GREETING.starts_with(concat!("Rookery ", env!("CARGO_PKG_VERSION"))));
        assert!(!GREETING.contains('\n') && GREETING.contains("help"));
    }
}
