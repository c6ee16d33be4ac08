//! What the steps of `cargo xtask test` ask cargo for: the same packages and features in all of them.
//!
//! Cargo keeps one build of a crate for each set of features, and which features a dependency has depends
//! on the packages that are named. `--workspace` with the same `--features` everywhere is one build.

use crate::run::Cargo;
use crate::tools;
use std::path::Path;

/// The dialogues under mpirun: one after the other, because each starts more processes than there are
/// processors.
const DIALOGUES: &str = "binary_id(rookery::cluster)";

/// The tools that were found, and with them the features.
pub struct Build {
    nextest: bool,
    /// What is missing for the tests under mpirun.
    without_mpi: Option<String>,
}

impl Build {
    /// Looks for the tools; a run that is not quick tries to install what is missing.
    pub fn choose(root: &Path, quick: bool) -> Build {
        let mpi = if quick { tools::has_mpi() } else { tools::mpi() };
        Build { nextest: tools::nextest(root), without_mpi: mpi.err() }
    }

    pub fn has_nextest(&self) -> bool {
        self.nextest
    }

    /// What is missing for the tests under mpirun, if something is.
    pub fn without_mpi(&self) -> Option<&str> {
        self.without_mpi.as_deref()
    }

    /// The command, for the whole workspace and with the features of the one build.
    fn of_workspace(&self, command: &str) -> Cargo {
        let command = Cargo::new(command).argument("--workspace");
        // Plain `cargo test` cannot leave the dialogues out of the other tests.
        match self.nextest && self.without_mpi.is_none() {
            true => {
                command.argument("--features").argument("rookery/manual,rookery/mpi,rookery/web")
            }
            false => command.argument("--features").argument("rookery/manual,rookery/web"),
        }
    }

    /// Clippy over everything, with all features that add code.
    pub fn lint(&self) -> Cargo {
        let tune = "rookery-lab/tune,rookery/manual,rookery/tune,rookery/web";
        let features = match self.without_mpi {
            None => format!("{tune},rookery/mpi"),
            Some(_) => tune.to_owned(),
        };
        let command = Cargo::new("clippy --workspace --all-targets --features");
        command.argument(features).argument("--").argument("-Dwarnings")
    }

    /// Clippy over the program as it is released: without the features, other lines are compiled.
    pub fn lint_as_released() -> Cargo {
        Cargo::new("clippy --package rookery -- -Dwarnings")
    }

    /// Builds what the other steps run.
    pub fn compile(&self) -> Cargo {
        self.of_workspace("test --no-run")
    }

    /// All tests but those under mpirun.
    pub fn tests(&self) -> Cargo {
        match self.nextest {
            true => self
                .of_workspace("nextest run")
                .argument(format!("--test-threads={}", at_once()))
                .argument("-E")
                .argument(format!("not {DIALOGUES}")),
            false => self.of_workspace("test --all-targets"),
        }
    }

    /// The tests under mpirun.
    pub fn dialogues_over_mpi(&self) -> Cargo {
        match self.nextest {
            true => {
                self.of_workspace("nextest run --test-threads 1").argument("-E").argument(DIALOGUES)
            }
            false => dialogues_over_mpi(),
        }
    }

    pub fn doc_tests(&self) -> Cargo {
        self.of_workspace("test --doc")
    }
}

/// How many tests run at once: a good part of them waits for other programs and for clocks.
fn at_once() -> usize {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    processors + processors.div_ceil(2)
}

/// The tests under mpirun without nextest: arguments for the tests may follow.
pub fn dialogues_over_mpi() -> Cargo {
    let command = "test --workspace --features rookery/manual,rookery/mpi,rookery/web --test cluster -- --test-threads=1";
    Cargo::new(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(nextest: bool, mpi: bool) -> Build {
        let without_mpi = (!mpi).then(|| "no MPI".to_owned());
        Build { nextest, without_mpi }
    }

    #[test]
    fn all_steps_that_run_something_share_one_build() {
        let same = "--workspace --features rookery/manual,rookery/mpi,rookery/web";
        let build = with(true, true);
        let steps = [build.compile(), build.tests(), build.dialogues_over_mpi(), build.doc_tests()];
        for step in steps {
            assert!(step.to_string().contains(same), "{step}");
        }
    }

    #[test]
    fn without_mpi_nothing_asks_for_it() {
        let build = with(true, false);
        for step in [build.lint(), build.compile(), build.tests(), build.doc_tests()] {
            assert!(!step.to_string().contains("/mpi"), "{step}");
        }
    }

    #[test]
    fn without_nextest_the_dialogues_are_still_kept_apart() {
        let build = with(false, true);
        assert!(!build.tests().to_string().contains("/mpi"), "{}", build.tests());
        let dialogues = build.dialogues_over_mpi().to_string();
        assert!(dialogues.contains("--test-threads=1"), "{dialogues}");
    }
}
