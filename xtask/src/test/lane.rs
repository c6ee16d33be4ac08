//! Steps of the test command that run beside another one, each as a process of its own.
//!
//! What such a step prints is kept until its turn comes, so that the output reads as if the steps had followed
//! one another. The last line of it is the outcome. Ctrl-C ends these processes too: they belong to the
//! terminal's group.

use super::build::Build;
use super::{Line, Outcome, Step};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How the line begins that tells the outcome.
const MARK: &str = "xtask: outcome: ";

/// The steps beside the others.
pub struct Lane {
    done: Receiver<(Duration, io::Result<String>)>,
    stopped: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Lane {
    /// Starts the steps, one after the other.
    pub fn start(root: &Path, steps: impl Iterator<Item = Step>) -> Lane {
        let steps: Vec<Step> = steps.collect();
        let (sender, done) = mpsc::channel();
        let stopped = Arc::new(AtomicBool::new(false));
        let (root, is_over) = (root.to_owned(), Arc::clone(&stopped));
        let thread = thread::spawn(move || {
            for step in steps {
                let begun = Instant::now();
                let output = output_of(&root, step);
                let good = output.as_ref().is_ok_and(|output| !split(output).1.is_bad());
                let _ = sender.send((begun.elapsed(), output));
                if !good || is_over.load(Ordering::Relaxed) {
                    break;
                }
            }
        });
        Lane { done, stopped, thread: Some(thread) }
    }

    /// Waits for the next step and prints its output.
    pub fn next(&self, step: Step) -> Line {
        let (time, output) = self.done.recv().unwrap_or_else(|_| {
            (Duration::ZERO, Err(io::Error::other("it was not run: the one before it failed")))
        });
        let outcome = match &output {
            Ok(output) => {
                let (printed, outcome) = split(output);
                print!("{printed}");
                outcome
            }
            Err(error) => {
                eprintln!("xtask: {}: {error}", step.name());
                Outcome::Failed("cargo xtask test".to_owned())
            }
        };
        Line { step, time, outcome }
    }
}

/// No further step begins, and none is left running.
impl Drop for Lane {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Runs one step in a process and returns all that it prints.
fn output_of(root: &Path, step: Step) -> io::Result<String> {
    let path = log(root, step);
    fs::create_dir_all(path.parent().unwrap_or(root))?;
    let file = File::create(&path)?;
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["test", "--step", &step.word()]).current_dir(root);
    command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file).status()?;
    Ok(String::from_utf8_lossy(&fs::read(path)?).into_owned())
}

fn log(root: &Path, step: Step) -> PathBuf {
    crate::run::target(root).join("xtask").join(format!("{}.log", step.word()))
}

/// Runs one step and says as its last line how it ended; whether it ended well.
pub fn run_step(root: &Path, step: Step) -> bool {
    let outcome = step.run(root, &Build::choose(root, false));
    println!("{}", last_line(&outcome));
    !outcome.is_bad()
}

fn last_line(outcome: &Outcome) -> String {
    let (word, text) = match outcome {
        Outcome::Passed => ("passed", ""),
        Outcome::PassedBut(note) => ("but", note.as_str()),
        Outcome::Failed(command) => ("failed", command.as_str()),
        Outcome::Missing(what) => ("missing", what.as_str()),
    };
    format!("{MARK}{word} {}", text.replace('\n', " "))
}

/// What was printed, and the outcome. A step that does not tell one has failed.
fn split(output: &str) -> (&str, Outcome) {
    let failed = || Outcome::Failed("cargo xtask test".to_owned());
    let Some((printed, told)) = output.rsplit_once(MARK) else { return (output, failed()) };
    let (word, text) = told.trim_end().split_once(' ').unwrap_or((told.trim_end(), ""));
    let outcome = match word {
        "passed" => Outcome::Passed,
        "but" => Outcome::PassedBut(text.to_owned()),
        "failed" => Outcome::Failed(text.to_owned()),
        "missing" => Outcome::Missing(text.to_owned()),
        _ => failed(),
    };
    (printed, outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_step_tells_is_read_back() {
        let outcomes = [
            Outcome::Passed,
            Outcome::PassedBut("SKIPPED: no\nNode".to_owned()),
            Outcome::Failed("cargo xtask web --shots 'a b'".to_owned()),
            Outcome::Missing("a tool: install it".to_owned()),
        ];
        for outcome in outcomes {
            let output = format!("ok  one test\n{}\n", last_line(&outcome));
            let (printed, read) = split(&output);
            assert_eq!(printed, "ok  one test\n");
            assert_eq!(last_line(&read), last_line(&outcome));
            assert_eq!(read.is_bad(), outcome.is_bad());
        }
    }

    /// The program of the tests knows no steps: it ends with a message of its own.
    #[test]
    fn a_step_that_ends_without_an_outcome_fails_and_none_follows_it() {
        let lane = Lane::start(&crate::root(), [Step::Docs, Step::Web].into_iter());
        assert!(lane.next(Step::Docs).is_bad());
        assert!(lane.next(Step::Web).is_bad());
    }

    #[test]
    fn a_step_that_tells_nothing_has_failed() {
        for output in ["", "killed in the middle", "xtask: outcome: ", "xtask: outcome: excellent"]
        {
            assert!(split(output).1.is_bad(), "{output:?}");
        }
    }
}
