//! `rookery regret make`: a reference file, written line by line and continued where it ends.

use super::reference::{FORM, Reference, end_mark, read_end_mark};
use super::sample::{Choice, Sample};
use super::scorer::Scorer;
use crate::arguments::RegretMakeArguments;
use crate::counted::counted;
use crate::data;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::input;
use crate::interrupt;
use crate::memory;
use crate::plain;
use crate::progress::Progress;
use board::Position;
use lab::workers::{Stop, in_order};
use search::Profile;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::process::ExitCode;

/// How the line of a position begins that is decided or in which nothing is at stake.
const PASSED: &str = "# passed over: ";
/// The part of the nodes that a first look takes.
const GLANCE: u64 = 40;
/// The longest file that is continued: ten million positions take less.
const LONGEST: u64 = 2 << 30;

/// Runs the command.
pub fn run(arguments: &RegretMakeArguments, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let path = &arguments.output;
    input::refuse_output("--output", path, &arguments.input)?;
    let RegretMakeArguments { seed, after, per_game, .. } = *arguments;
    let choice = Choice { seed, after, per_game };
    let sample = Sample::read(&arguments.input, choice).map_err(Failure::Work)?;
    if sample.positions.is_empty() {
        let names = arguments.input.join(", ");
        return Err(Failure::Work(match &sample.first_broken {
            Some(first) => input::wrong_kind(&names, "games (PGN) or positions (EPD, FEN)", first),
            None => format!(
                "{names} holds no positions with a choice, of games after move {} (--after)",
                arguments.after
            ),
        }));
    }
    if let Some(first) = &sample.first_broken {
        // Where stderr is closed the sum still tells.
        plain::say(format_args!("{first}; passed over, as all broken inputs are"));
    }
    let _lock = data::lock(path)?;
    interrupt::listen();
    let make = || {
        // Before the file: where nothing can be scored, none is made.
        let scorers = scorers(arguments, sample.positions.len())?;
        let file = files::edit(path).map_err(|error| format!("cannot be written: {error}"))?;
        Maker { arguments, file, scorers }.make(&sample.positions)
    };
    // Ctrl-C while the scorer starts or thinks: what is in the file stays.
    let made = match make() {
        Err(_) if interrupt::requested() => return Err(Failure::Interrupted),
        made => made.map_err(|reason| Failure::Work(format!("{}: {reason}", path.display())))?,
    };
    let Made { positions, new, passed } = made;
    writeln!(
        out,
        "{}: {}, {new} of them new; {passed} passed over; {}",
        path.display(),
        counted(positions, "position"),
        counted(sample.broken, "broken input")
    )?;
    match positions {
        _ if interrupt::requested() => Err(Failure::Interrupted),
        _ if positions < arguments.positions => {
            let positions = counted(positions, "fit position");
            Err(Failure::Work(format!("there are no more than {positions}")))
        }
        _ if sample.broken > 0 => Ok(ExitCode::FAILURE),
        _ => Ok(ExitCode::SUCCESS),
    }
}

/// What is in the file.
#[derive(Default, Debug, PartialEq)]
struct Made {
    positions: u64,
    new: u64,
    passed: u64,
}

impl Made {
    /// Counts a new line.
    fn count(&mut self, line: &str) {
        let is_passed = line.starts_with(PASSED);
        self.passed += u64::from(is_passed);
        self.positions += u64::from(!is_passed);
        self.new += u64::from(!is_passed);
    }
}

struct Maker<'a> {
    arguments: &'a RegretMakeArguments,
    file: File,
    scorers: Vec<Scorer>,
}

/// Those that score: no more than there are positions.
fn scorers(arguments: &RegretMakeArguments, positions: usize) -> Result<Vec<Scorer>, String> {
    let RegretMakeArguments { hash, lines, threads, concurrency, .. } = *arguments;
    let count = usize::from(concurrency).min(positions);
    memory::check_free(hash.saturating_mul(count as u64))?;
    let scorer = |_| match &arguments.engine {
        Some(command) => Scorer::rival(command, hash, lines),
        None => {
            let mut engine = Engine::new(Profile::Modern, hash)?;
            engine.set_threads(threads)?;
            Ok(Scorer::Own(Box::new(engine)))
        }
    };
    (0..count).map(scorer).collect()
}

impl Maker<'_> {
    /// The first line: what the scores depend on.
    fn head(&self) -> String {
        let RegretMakeArguments { lines, nodes, hash, max_score, at_stake, .. } = self.arguments;
        let name = self.scorers.first().map_or(String::new(), Scorer::name);
        format!(
            "{FORM}{name}, {lines} lines, {nodes} nodes, {hash} MB, at most {max_score} cp, at stake {at_stake} cp"
        )
    }

    /// Scores positions from where the file ends, until there are enough. The scorers take positions by
    /// turns; their lines are written in the order of the positions.
    fn make(mut self, positions: &[Position]) -> Result<Made, String> {
        let (done, mut made) = self.resume(positions)?;
        let (wanted, bar) = (self.arguments.positions, Progress::new());
        let Maker { arguments, mut file, scorers } = self;
        if made.positions < wanted {
            let workers = scorers.into_iter().map(|scorer| || Ok(scorer));
            let left = done as u64..positions.len() as u64;
            let work = |scorer: &mut Scorer, number: u64, _: &Stop<'_>| {
                let scored = score_one(scorer, &positions[number as usize], arguments);
                // What Ctrl-C has cut off says nothing. What fails counts when it is its turn.
                Ok((!interrupt::requested()).then_some(scored))
            };
            in_order(workers, left, &interrupt::requested, &work, |scored| {
                let line = scored?;
                made.count(&line);
                writeln!(file, "{line}").map_err(|error| error.to_string())?;
                bar.set(made.positions, wanted);
                Ok::<bool, String>(made.positions < wanted)
            })?;
        }
        if !interrupt::requested() {
            let written = writeln!(file, "{}", end_mark(made.positions));
            written.map_err(|error| error.to_string())?;
        }
        file.sync_all().map_err(|error| error.to_string())?;
        Ok(made)
    }

    /// Makes the file ready for the next line: a new one gets its head, one of the same settings loses its
    /// end mark or a line that was not written whole. How many positions are done.
    fn resume(&mut self, positions: &[Position]) -> Result<(usize, Made), String> {
        let (head, mut text) = (self.head(), String::new());
        let read = Read::by_ref(&mut self.file).take(LONGEST).read_to_string(&mut text);
        read.map_err(|error| error.to_string())?;
        let (done, made, length) = continued(&text, &head, positions)?;
        let file = &mut self.file;
        let ready = file.set_len(length as u64).and_then(|()| file.seek(SeekFrom::End(0)));
        let ready = ready.and_then(|_| match length {
            0 => writeln!(file, "{head}"),
            _ => Ok(()),
        });
        ready.map_err(|error| error.to_string())?;
        Ok((done, made))
    }
}

/// The line of a position: with its scores, or passed over where it is not fit.
fn score_one(
    scorer: &mut Scorer,
    position: &Position,
    arguments: &RegretMakeArguments,
) -> Result<String, String> {
    let RegretMakeArguments { lines, nodes, max_score, at_stake, .. } = *arguments;
    let mut score = |nodes| -> Result<Reference, String> {
        Ok(Reference::new(0, *position, scorer.score(position, lines, nodes)?))
    };
    let glance = score(nodes / GLANCE)?;
    let passed = format!("{PASSED}{}", position.fen());
    // So short a search may have looked at one move only.
    if glance.moves.len() > 1 && !glance.is_fit(max_score, at_stake) {
        return Ok(passed);
    }
    let reference = score(nodes)?;
    if reference.moves.len() < 2 {
        return Err(format!("{} does not show several lines (MultiPV)", scorer.name()));
    }
    Ok(if reference.is_fit(max_score, at_stake) { reference.record() } else { passed })
}

/// What a file holds of these positions, made in this way: how many are done, what became of them, and the
/// length of the lines that are whole.
fn continued(
    text: &str,
    head: &str,
    positions: &[Position],
) -> Result<(usize, Made, usize), String> {
    let mut made = Made::default();
    if format!("{head}\n").starts_with(text) {
        let length = if text.ends_with('\n') { text.len() } else { 0 };
        return Ok((0, made, length));
    }
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().unwrap_or("").trim_end();
    if first != head {
        let reason = match first.strip_prefix(FORM) {
            Some(other) => format!("it was made in another way ({other}); name another file"),
            None => "it is no reference file; name another file".to_owned(),
        };
        return Err(reason);
    }
    let (mut done, mut length) = (0, first.len() + 1);
    for line in lines {
        let Some(whole) = line.strip_suffix('\n') else { break };
        if read_end_mark(whole).is_some() && length + line.len() == text.len() {
            break;
        }
        let position = positions.get(done).ok_or("it holds more positions than there are")?;
        let fen = position.fen();
        match whole.strip_prefix(PASSED) {
            Some(passed) if passed == fen => made.passed += 1,
            None if whole.strip_prefix(&fen).is_some_and(|rest| rest.starts_with(' ')) => {
                made.positions += 1;
            }
            _ => return Err(format!("line {} holds another position", done + 2)),
        }
        (done, length) = (done + 1, length + line.len());
    }
    Ok((done, made, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_continued_behind_its_last_whole_line() {
        let fens = ["4k3/8/8/8/8/8/8/4K2R w K - 0 30", "4k3/8/8/8/8/8/8/4K1R1 w - - 0 30"];
        let positions = fens.map(|fen| Position::from_fen(fen).expect("a position"));
        let head = format!("{FORM}a scorer");
        let file = format!("{head}\n{PASSED}{}\n{} scores \"g1g2 3 g1g3 1\";\n", fens[0], fens[1]);
        let lengths =
            [0, head.len() + 1, head.len() + PASSED.len() + fens[0].len() + 2, file.len()];
        for end in 0..=file.len() {
            let whole = lengths.iter().filter(|&&length| length <= end).count();
            let read = continued(&file[..end], &head, &positions);
            let passed = u64::from(whole > 2);
            let made = Made { positions: u64::from(whole > 3), new: 0, passed };
            assert_eq!(read, Ok((whole.saturating_sub(2), made, lengths[whole - 1])), "{end}");
        }
        let finished = format!("{file}{}\n", end_mark(1));
        for end in file.len() + 1..=finished.len() {
            let read = continued(&finished[..end], &head, &positions).map(|read| read.2);
            assert_eq!(read, Ok(file.len()), "the end mark goes: {end}");
        }
        let more = format!("{finished}my notes\n");
        assert!(continued(&more, &head, &positions).is_err(), "nothing else is cut off");
        assert!(continued(&file, &head, &positions[1..]).is_err(), "other positions");
        assert!(continued(&file, &head, &positions[..1]).is_err(), "fewer positions");
        assert!(continued(&file, "# another", &positions).is_err());
        assert!(continued("1. e4 e5\n", &head, &positions).is_err());
    }
}
