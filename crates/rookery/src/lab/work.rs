//! What experiments work with: threads, a seed, and a memory of finished searches.

use crate::arguments::LabArguments;
use crate::failure::Failure;
use crate::interrupt;
use crate::plain;
use crate::progress::Progress;
use crate::sim::each::{Event, each};
use crate::sim::keep::Keep;
use cluster::Link;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::available_parallelism;

/// The surroundings of an experiment.
pub struct Lab {
    /// Whether a minute or two must do.
    pub quick: bool,
    /// The seed of everything that is drawn by lot.
    pub seed: u64,
    /// What is being done, for the bar.
    name: String,
    first: Option<usize>,
    every: Option<u16>,
    seeds: Option<u16>,
    threads: u16,
    folder: PathBuf,
    searches: PathBuf,
    keep: Keep,
    link: Option<Arc<Link>>,
}

impl Lab {
    /// Makes the folder ready; finished searches are kept inside it, or where the user wants them.
    pub fn open(
        name: &str,
        folder: &Path,
        arguments: &LabArguments,
        link: Option<&Arc<Link>>,
    ) -> Result<Lab, Failure> {
        // Before the first search: what cannot be written should not be found out after hours.
        std::fs::create_dir_all(folder)
            .map_err(|error| Failure::Work(format!("cannot make {}: {error}", folder.display())))?;
        let searches = arguments.keep.clone().unwrap_or_else(|| folder.join("searches"));
        let keep = Keep::open(Some(&searches)).map_err(Failure::Work)?;
        let processors =
            || available_parallelism().map_or(1, |number| number.get().min(256) as u16);
        Ok(Lab {
            quick: arguments.quick,
            seed: arguments.seed.unwrap_or(1),
            name: name.to_owned(),
            first: arguments.first.map(|first| first as usize),
            every: arguments.every,
            seeds: arguments.seeds,
            threads: arguments.threads.unwrap_or_else(processors),
            folder: folder.to_owned(),
            searches,
            keep,
            link: link.cloned(),
        })
    }

    /// The small or the full number.
    pub fn choose<T>(&self, quick: T, full: T) -> T {
        if self.quick { quick } else { full }
    }

    /// The positions of a set that are searched: the small or the full number of them, and fewer where the
    /// user asked for it.
    pub fn pick<T>(&self, set: Vec<T>, quick: usize, full: usize) -> Result<Vec<T>, Failure> {
        let count = self.choose(quick, full).min(self.first.unwrap_or(usize::MAX));
        // The last of each N, as in the simulator.
        let every = usize::from(self.every.unwrap_or(1));
        let picked: Vec<T> = set.into_iter().skip(every - 1).step_by(every).take(count).collect();
        match picked.is_empty() {
            true => Err(Failure::Usage(format!("--every {every} leaves none of the positions"))),
            false => Ok(picked),
        }
    }

    /// `--every N --first N` of the simulator.
    pub fn cut(&self, quick: u16, full: u16) -> String {
        let every = self.every.unwrap_or_else(|| self.choose(quick, full));
        let first = self.first.map_or(String::new(), |first| format!(" --first {first}"));
        let every = if every == 1 { String::new() } else { format!(" --every {every}") };
        every + &first
    }

    /// The seeds of what is simulated.
    pub fn seeds(&self, quick: u16, full: u16) -> u64 {
        u64::from(self.seeds.unwrap_or_else(|| self.choose(quick, full)))
    }

    /// How many searches run at a time.
    pub fn threads(&self) -> u16 {
        self.threads
    }

    /// The folder of the report.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Other processes, where there are some.
    pub fn link(&self) -> Option<&Arc<Link>> {
        self.link.as_ref()
    }

    /// What was measured by the clock, or is measured now: a report that is written again has the same numbers.
    pub fn keep_measured<A: Serialize + DeserializeOwned>(
        &self,
        what: &str,
        measure: impl FnOnce() -> Result<A, String>,
    ) -> Result<A, Failure> {
        let what = format!("{what}{}, {} threads", self.choose(", quick", ""), self.threads);
        let found = self.keep.find("measured", &what, |_| true, measure).map_err(Failure::Work)?;
        if interrupt::requested() {
            self.tell_interruption(0, 1);
            return Err(Failure::Interrupted);
        }
        Ok(found)
    }

    /// The folder of finished searches.
    pub fn searches(&self) -> &Path {
        &self.searches
    }

    /// What is in it.
    pub fn keep(&self) -> &Keep {
        &self.keep
    }

    /// Does pieces of work on all threads, or takes their results from an earlier run: results in the order
    /// of the pieces. `name` says all that the result depends on, `length` about how long it takes.
    pub fn each<U: Sync, A: Serialize + DeserializeOwned + Send>(
        &self,
        units: &[U],
        name: impl Fn(&U) -> String + Sync,
        length: impl Fn(&U) -> f64,
        work: impl Fn(&U) -> Result<A, String> + Sync,
    ) -> Result<Vec<A>, Failure> {
        self.spread("", units, length, |unit| {
            self.keep.find("search", &name(unit), |_| true, || work(unit))
        })
    }

    /// Does pieces of work on all threads, the longest first: no thread is left alone with one at the end. Results in
    /// the order of the pieces.
    pub fn spread<U: Sync, A: Send>(
        &self,
        part: &str,
        units: &[U],
        length: impl Fn(&U) -> f64,
        work: impl Fn(&U) -> Result<A, String> + Sync,
    ) -> Result<Vec<A>, Failure> {
        // Thousandths, so that a sum of rounded lengths is their rounded sum nearly enough.
        let lengths: Vec<u64> =
            units.iter().map(|unit| (1000.0 * length(unit)).clamp(1.0, 1e15) as u64).collect();
        let mut numbers: Vec<usize> = (0..units.len()).collect();
        numbers.sort_by_key(|&number| std::cmp::Reverse(lengths[number]));
        let mut found: Vec<Option<A>> = units.iter().map(|_| None).collect();
        let (total, mut done, mut count) = (lengths.iter().sum(), 0, 0);
        let bar = Progress::new().with_lines();
        bar.name(format!("{}{part}", self.name));
        let search = |number: usize| work(&units[number]);
        each(self.threads, &numbers, search, |event| {
            match event {
                Event::Done(number, result) => {
                    (done, count) = (done + lengths[number], count + 1);
                    bar.set(done, total);
                    found[number] = Some(result);
                }
                Event::Interrupted => bar.pause(|| self.tell_interruption(count, units.len())),
            }
            Ok(())
        })?;
        drop(bar);
        match self.keep.failure() {
            Some(reason) => Err(Failure::Work(reason)),
            None => Ok(found.into_iter().flatten().collect()),
        }
    }

    fn tell_interruption(&self, done: usize, total: usize) {
        let (name, folder) = (&self.name, self.searches.display());
        plain::say(format_args!(
            "{name} interrupted, no report is written: {done} of {total} searches are kept in {folder}.\n\
             To go on with the rest: {}",
            command_line(std::env::args())
        ));
    }
}

/// The command as a shell reads it.
fn command_line(words: impl Iterator<Item = String>) -> String {
    let is_plain =
        |character: char| character.is_alphanumeric() || "-_./=,:+@%".contains(character);
    let quote = |word: String| match !word.is_empty() && word.chars().all(is_plain) {
        true => word,
        false => format!("'{}'", word.replace('\'', "'\\''")),
    };
    words.map(quote).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_can_be_pasted_into_a_shell() {
        let words = ["rookery", "lab", "deep", "--out", "my lab's", ""].map(str::to_owned);
        assert_eq!(command_line(words.into_iter()), "rookery lab deep --out 'my lab'\\''s' ''");
    }
}
