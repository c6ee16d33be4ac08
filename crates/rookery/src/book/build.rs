//! `rookery book build`: a book of the games of PGN files.

use super::counts::{Count, Counts};
use super::games::{Openings, Wanted};
use super::output::Output;
use crate::arguments::BuildArguments;
use crate::counted::counted;
use crate::failure::Failure;
use crate::input::{self, Input, MOST_BAD, Place, broken_game, unpack};
use crate::interrupt;
use crate::json;
use crate::memory;
use crate::plain;
use crate::progress::Progress;
use board::Color;
use board::pgn::{PgnError, Reader};
use serde::Serialize;
use std::fs;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

/// The number of broken games that are named; more would hide the other lines.
const NAMED: u64 = 20;

/// What came of it.
#[derive(Serialize, Default)]
struct Report {
    book: String,
    games: u64,
    broken: u64,
    /// Games that do not say who won: they count as draws.
    without_result: u64,
    positions: u64,
    moves: u64,
    bytes_read: u64,
    sorted_runs: u64,
    peak_memory_mb: Option<u64>,
    seconds: f64,
    /// The first broken games.
    errors: Vec<String>,
    /// Those that were named.
    #[serde(skip)]
    said: usize,
}

/// Runs the command.
pub fn run(arguments: &BuildArguments, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let begun = Instant::now();
    memory::check_free(arguments.memory)
        .map_err(|reason| Failure::Usage(format!("--memory: {reason}")))?;
    input::refuse_output("--output", &arguments.output, &arguments.games)?;
    let mut report = Report { book: arguments.output.display().to_string(), ..Report::default() };
    // Before hours of counting: whether the book can be written at all.
    interrupt::listen();
    let mut output = Output::create(&arguments.output)?;
    let counts = count_all(arguments, &mut report)?;
    report.sorted_runs = counts.runs();
    if !interrupt::requested() {
        write_book(arguments, counts, &mut output)?;
    }
    if interrupt::requested() {
        return Err(output.abandon());
    }
    if report.games == 0 && report.broken > 0 {
        let names: Vec<_> = arguments.games.iter().map(|path| path.display().to_string()).collect();
        return Err(Failure::Work(report.wrong_kind(&names.join(", "))));
    }
    (report.positions, report.moves) = output.finish()?;
    report.seconds = begun.elapsed().as_secs_f64();
    report.peak_memory_mb = memory::peak_megabytes();
    if report.moves == 0 {
        let (games, broken) = (report.games, report.broken);
        return Err(Failure::Work(format!(
            "no book: of {} ({broken} broken) no move was played {} and scored {} % (see --min-games \
             and --min-score)",
            counted(games, "game"),
            counted(arguments.min_games, "time"),
            arguments.min_score
        )));
    }
    match arguments.json {
        true => json::write(&report, out)?,
        false => report.write(out)?,
    }
    Ok(if report.broken == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Reads all files, or as much as there is time for until Ctrl-C.
fn count_all(arguments: &BuildArguments, report: &mut Report) -> Result<Counts, Failure> {
    let side = match (arguments.white_only, arguments.black_only) {
        (true, _) => Some(Color::White),
        (_, true) => Some(Color::Black),
        _ => None,
    };
    let mut openings = Openings::new(Wanted { depth: arguments.depth, side });
    let mut counts = Counts::new(arguments.memory << 20, &arguments.output);
    let sizes = arguments.games.iter().filter_map(|path| Some(fs::metadata(path).ok()?.len()));
    let (total, done) = (sizes.sum::<u64>(), Place::default());
    let progress = Progress::new();
    for path in &arguments.games {
        let name = input::name(path);
        let unreadable = |error: &io::Error| input::in_vain(path, error, &arguments.output);
        let input = unpack(done.count(Input::open(path)?));
        let mut reader = Reader::new(input.map_err(|error| unreadable(&error))?);
        while let Some(game) = reader.read_game(&mut openings) {
            progress.set(done.get(), total.max(done.get()));
            match game {
                Ok(()) => {
                    report.games += 1;
                    report.say_broken(&progress);
                    report.without_result += u64::from(!openings.has_result());
                    openings.counts().try_for_each(|count| counts.add(count)).map_err(|error| {
                        Failure::Work(format!("cannot sort beside {}: {error}", report.book))
                    })?;
                }
                // What is packed is cut off by Ctrl-C.
                Err(error) if error.io_error().is_some() && interrupt::requested() => break,
                Err(error) => match error.io_error() {
                    Some(error) => return Err(unreadable(error)),
                    None => report.name_broken(&name, &error, &progress),
                },
            }
            if report.games == 0 && report.broken == MOST_BAD as u64 {
                return Err(Failure::Work(report.wrong_kind(&name)));
            }
        }
    }
    report.bytes_read = done.get();
    Ok(counts)
}

/// Writes the moves that are frequent and good enough, or some of them if Ctrl-C is pressed.
fn write_book(
    arguments: &BuildArguments,
    counts: Counts,
    output: &mut Output,
) -> Result<(), Failure> {
    let cannot = |error: io::Error| Failure::Work(format!("cannot read a sorted run: {error}"));
    let is_wanted = |count: &Count| {
        let most = 2.0 * f64::from(count.games);
        count.games >= arguments.min_games
            && f64::from(count.points) * 100.0 >= arguments.min_score * most
    };
    let (mut key, mut moves) = (0, Vec::new());
    for count in counts.finish().map_err(cannot)? {
        let count = count.map_err(cannot)?;
        if interrupt::requested() {
            return Ok(());
        }
        if count.key != key && !moves.is_empty() {
            output.position(key, &moves)?;
            moves.clear();
        }
        key = count.key;
        if is_wanted(&count) {
            moves.push((count.bits, u64::from(count.points)));
        }
    }
    match moves.is_empty() {
        true => Ok(()),
        false => output.position(key, &moves),
    }
}

impl Report {
    fn name_broken(&mut self, file: &str, error: &PgnError, progress: &Progress) {
        self.broken += 1;
        if self.broken <= NAMED {
            self.errors.push(broken_game(file, error));
        }
        if self.games > 0 {
            self.say_broken(progress);
        }
    }

    /// Names the broken games that were not named yet: once a good one shows that these are games.
    fn say_broken(&mut self, progress: &Progress) {
        for line in self.errors.iter().skip(self.said) {
            // Where stderr is closed the sum still tells.
            progress.pause(|| plain::say(format_args!("{line}; passed over")));
        }
        self.said = self.errors.len();
    }

    fn wrong_kind(&self, name: &str) -> String {
        let first = self.errors.first().map_or("", String::as_str);
        input::wrong_kind(name, "a file of games (PGN)", first)
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let Report { book, games, broken, positions, moves, .. } = self;
        let (positions, moves) = (counted(positions, "position"), counted(moves, "move"));
        writeln!(out, "{book}: {positions}, {moves}")?;
        writeln!(
            out,
            "{}, {} without a result, {broken} broken{}",
            counted(games, "game"),
            self.without_result,
            if self.broken > NAMED { " (the first are named above)" } else { "" }
        )?;
        let megabytes = self.bytes_read as f64 / f64::from(1 << 20);
        write!(out, "{megabytes:.1} MB read in {:.1} s", self.seconds)?;
        if let Some(peak) = self.peak_memory_mb {
            write!(out, ", {peak} MB of memory at most")?;
        }
        match self.sorted_runs {
            0 => writeln!(out),
            runs => writeln!(out, ", {} on the disk", counted(runs, "sorted run")),
        }
    }
}
