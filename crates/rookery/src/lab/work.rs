//! What experiments work with: threads, a seed, and a memory of finished searches.

use crate::arguments::LabArguments;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::sim::each::{Event, each};
use crate::sim::keep::Keep;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

/// The surroundings of an experiment.
pub struct Lab {
    /// Whether a minute or two must do.
    pub quick: bool,
    /// The seed of everything that is drawn by lot.
    pub seed: u64,
    first: usize,
    threads: u16,
    folder: PathBuf,
    keep: Keep,
}

impl Lab {
    /// Makes the folder ready; finished searches are kept inside it.
    pub fn open(folder: &Path, arguments: &LabArguments) -> Result<Lab, Failure> {
        let keep = Keep::open(Some(&folder.join("searches"))).map_err(Failure::Work)?;
        let processors =
            || available_parallelism().map_or(1, |number| number.get().min(1024) as u16);
        Ok(Lab {
            quick: arguments.quick,
            seed: arguments.seed,
            first: arguments.first.map_or(usize::MAX, |first| first as usize),
            threads: arguments.threads.unwrap_or_else(processors),
            folder: folder.to_owned(),
            keep,
        })
    }

    /// How many positions of a set: the small or the full number, or fewer where the user asked for it.
    pub fn count(&self, quick: usize, full: usize) -> usize {
        self.choose(quick, full).min(self.first)
    }

    /// The small or the full number.
    pub fn choose<T>(&self, quick: T, full: T) -> T {
        if self.quick { quick } else { full }
    }

    /// How many positions of each set the user asked for.
    pub fn first(&self) -> Option<usize> {
        (self.first < usize::MAX).then_some(self.first)
    }

    /// How many searches run at a time.
    pub fn threads(&self) -> u16 {
        self.threads
    }

    /// The folder of finished searches.
    pub fn searches(&self) -> PathBuf {
        self.folder.join("searches")
    }

    /// Does pieces of work on all threads, or takes their results from an earlier run: results in the order
    /// of the pieces. `name` says all that the result depends on.
    pub fn each<U: Sync, A: Serialize + DeserializeOwned + Send>(
        &self,
        units: &[U],
        name: impl Fn(&U) -> String + Sync,
        work: impl Fn(&U) -> Result<A, String> + Sync,
    ) -> Result<Vec<A>, Failure> {
        let numbers: Vec<usize> = (0..units.len()).collect();
        let mut found: Vec<Option<A>> = units.iter().map(|_| None).collect();
        let (total, mut done) = (units.len() as u64, 0);
        let bar = Progress::new();
        let search = |number: usize| {
            let unit = &units[number];
            self.keep.find("search", &name(unit), |_| true, || work(unit))
        };
        each(self.threads, &numbers, search, |event| {
            match event {
                Event::Done(number, result) => {
                    done += 1;
                    bar.set(done, total);
                    found[number] = Some(result);
                }
                Event::Interrupted => bar.pause(|| self.tell_interruption(done, total)),
            }
            Ok(())
        })?;
        drop(bar);
        match self.keep.failure() {
            Some(reason) => Err(Failure::Work(reason)),
            None => Ok(found.into_iter().flatten().collect()),
        }
    }

    fn tell_interruption(&self, done: u64, total: u64) {
        let folder = self.folder.display();
        eprintln!(
            "Interrupted after {done} of {total} searches, which {folder} keeps: the same command goes on"
        );
    }
}
