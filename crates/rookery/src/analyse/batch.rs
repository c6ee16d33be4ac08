//! Many games or positions: searchers, output, progress and sums put together.

use super::analyst::{Analyst, Effort};
use super::annotate::annotate;
use super::chart;
use super::output::Output;
use super::queue::{self, Finished, Receipt};
use super::record::{self, Record};
use super::report::{self, Totals};
use super::source::{Source, Task, Work};
use super::study::Study;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::picture;
use crate::plain;
use crate::progress::Progress;
use board::History;
use files::Replacement;
use plot::Chart;
use std::io::Write;
use std::time::Instant;

/// Where the results go.
pub enum Sink<'a, W> {
    /// To a stream, as they come.
    Stream(W),
    /// To a file, and what is said about games to a stream.
    File(Output, &'a mut W),
}

/// A run over a stream.
pub struct Batch {
    /// The searchers.
    pub engines: Vec<Engine>,
    /// The limits of each position.
    pub effort: Effort,
    /// Whether programs read the results.
    pub json: bool,
    /// The length of the input, where it is known.
    pub length: Option<u64>,
    /// The file that games are drawn into.
    pub picture: Option<Replacement>,
}

/// Takes results.
struct Clerk<'a, W> {
    sink: Sink<'a, W>,
    bar: Progress,
    /// The bytes of the input that this run has to do.
    length: Option<u64>,
    totals: Totals,
    /// Whether a task was good, in this run or one that it continues.
    has_good: bool,
    /// What is wrong with the tasks before that: of an input without anything good one line tells.
    held: Vec<String>,
    /// The pictures of the first games.
    charts: Vec<Chart>,
}

impl Batch {
    /// Does everything that is left; the sums are said at the end. Whether nothing was broken. After
    /// Ctrl-C the sums are those of what was done until then.
    pub fn run<W: Write>(self, source: Source, sink: Sink<'_, W>) -> Result<bool, Failure> {
        let begun = Instant::now();
        let (unit, name, already) = (source.unit(), source.name(), source.passed().0);
        let length = self.length.map(|length| length.saturating_sub(source.place()));
        let bar = match length {
            Some(_) => Progress::new(),
            None => Progress::counting(&format!("{unit}s")),
        };
        let (totals, has_good) = (Totals::default(), already > 0);
        let (held, charts) = (Vec::new(), Vec::new());
        let mut clerk = Clerk { sink, bar, length, totals, has_good, held, charts };
        let form = (self.json, self.picture.is_some());
        let method = move |analyst: &mut Analyst<'_>, task, tick: &mut dyn FnMut(usize, usize)| {
            work(analyst, task, form, tick)
        };
        let done = queue::run(source, self.engines, self.effort, &method, &mut clerk);
        let is_interrupted = match done {
            Ok(()) => false,
            Err(Failure::Interrupted) => true,
            Err(failure) => {
                return Err(clerk.give_up(failure, unit));
            }
        };
        clerk.tell_held();
        let Clerk { sink, bar, totals, charts, .. } = clerk;
        drop(bar);
        if totals.tasks() + already == 0 && !is_interrupted {
            return Err(Failure::Work(format!("{name} holds no {unit}s")));
        }
        picture::draw(self.picture, || plot::stack(&charts, chart::HEIGHT))?;
        let mut line = totals.line(unit, begun.elapsed());
        if form.1 && totals.tasks() > chart::MOST_GAMES as u64 {
            line += &format!("; the first {} are drawn", chart::MOST_GAMES);
        }
        match sink {
            Sink::Stream(mut out) => {
                out.flush()?;
                // Only a message: a closed stderr is no failure.
                let _ = writeln!(std::io::stderr(), "{line}");
            }
            Sink::File(output, out) => {
                match is_interrupted {
                    false => output.finish()?,
                    true => writeln!(out, "{}", output.suspend(unit)?)?,
                }
                writeln!(out, "{line}")?;
            }
        }
        if is_interrupted { Err(Failure::Interrupted) } else { Ok(totals.is_clean()) }
    }
}

impl<W: Write> Clerk<'_, W> {
    /// The failure, and what became of what was done before it.
    fn give_up(self, failure: Failure, unit: &str) -> Failure {
        let kept = match self.sink {
            Sink::File(output, _) => output.give_up(unit),
            Sink::Stream(_) => None,
        };
        match (failure, kept) {
            (Failure::Work(reason), Some(kept)) => Failure::Work(format!("{reason}: {kept}")),
            (failure, _) => failure,
        }
    }

    fn tell_held(&mut self) {
        for reason in std::mem::take(&mut self.held) {
            // If stderr is closed, the exit status still tells.
            self.bar.pause(|| plain::say(format_args!("{reason}; passed over")));
        }
    }
}

impl<W: Write> Receipt for Clerk<'_, W> {
    fn take(&mut self, done: Result<Finished, String>, passed: (u64, u64)) -> Result<(), Failure> {
        self.totals.add(done.as_ref().ok());
        self.has_good |= done.is_ok();
        self.held.extend(done.as_ref().err().cloned());
        if self.has_good {
            self.tell_held();
        }
        let mut done = done;
        if self.charts.len() < chart::MOST_GAMES
            && let Ok(finished) = &mut done
        {
            self.charts.extend(finished.chart.take());
        }
        for repair in done.iter().flat_map(|finished| &finished.repairs) {
            self.bar.pause(|| plain::say(repair));
        }
        let flaw = done.as_ref().ok().and_then(|finished| finished.flaw.as_deref());
        if let Some(reason) = flaw {
            // If stderr is closed, the exit status and the game's comment still tell.
            self.bar.pause(|| plain::say(format_args!("{reason}; kept as far as it is good")));
        }
        match (done, &mut self.sink) {
            (Err(_), _) => (),
            (Ok(finished), Sink::Stream(out)) => self.bar.pause(|| {
                out.write_all(finished.text.as_bytes())?;
                out.flush()
            })?,
            (Ok(finished), Sink::File(output, out)) => {
                output.write(&finished.text, passed)?;
                if let Some(summary) = finished.summary {
                    self.bar.pause(|| writeln!(out, "{summary}"))?;
                }
            }
        }
        Ok(())
    }

    fn progress(&mut self, bytes: u64) -> Result<(), Failure> {
        match self.length {
            Some(length) => self.bar.set(bytes, length),
            None => self.bar.set(self.totals.tasks(), 0),
        }
        match &mut self.sink {
            Sink::Stream(_) => Ok(()),
            Sink::File(output, _) => output.settle(),
        }
    }
}

/// Does one task, for programs or not, with a picture or not.
fn work(
    analyst: &mut Analyst<'_>,
    task: Task,
    (json, is_drawn): (bool, bool),
    tick: &mut dyn FnMut(usize, usize),
) -> Result<Finished, String> {
    let place = (task.file.as_deref(), task.number);
    match task.work {
        Work::Game(mut game, flaw) => {
            let study = Study::new(&game, analyst, tick)
                .map_err(|reason| format!("game {}: {reason}", task.number))?;
            let summary = Some(report::game_line(task.number, &game, &study));
            let chart = is_drawn.then(|| chart::of_game(task.number, &game, &study));
            let text = match json {
                true => record::game_lines(place, &study, flaw.as_deref())?,
                false => {
                    annotate(&mut game, &study);
                    format!("{game}\n")
                }
            };
            let (positions, nodes) = (study.stages.len() as u64, study.nodes());
            Ok(Finished { text, summary, positions, nodes, flaw, chart, repairs: Vec::new() })
        }
        Work::Position(record, repairs) => {
            let (epd, name) = *record;
            let position = epd.position();
            analyst.begin();
            let found = match position.has_legal_move() {
                true => Some(analyst.look(position, &History::new())?),
                false => None,
            };
            let text = match json {
                true => {
                    let record = Record::new(position, found.as_ref());
                    record.named(&epd, task.line).in_file(place.0).to_line()?
                }
                false => record::text(&name, position, found.as_ref()),
            };
            let nodes = found.map_or(0, |found| found.nodes);
            Ok(Finished { text, repairs, positions: 1, nodes, ..Finished::default() })
        }
    }
}
