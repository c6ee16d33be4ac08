//! The last lines of `cargo xtask test`: what each step took, and what to do.

use super::{ACCOMPANIED, Line, Outcome, Step};
use std::fmt::Write as _;
use std::time::Duration;

/// The times of the steps, and a last line that says what to do.
pub fn text(lines: &[Line], steps: &[Step], total: Duration) -> String {
    let mut text = String::from("\n== summary ==\n");
    let mut advice = None;
    for line in lines {
        let (word, note) = match &line.outcome {
            Outcome::Passed if line.step.waits() => {
                ("ok", format!("  (beside {})", ACCOMPANIED.name()))
            }
            Outcome::Passed => ("ok", String::new()),
            Outcome::PassedBut(note) => ("ok", format!("  ({note})")),
            Outcome::Failed(command) => {
                advice = Some(format!("repeat it with: {command}"));
                ("FAILED", String::new())
            }
            Outcome::Missing(what) => {
                advice = Some(what.clone());
                ("MISSING", String::new())
            }
        };
        let (name, seconds) = (line.step.name(), line.time.as_secs_f64());
        let _ = writeln!(text, "{name:<12} {word:<8} {seconds:>7.1} s{note}");
    }
    for step in &steps[lines.len()..] {
        let _ = writeln!(text, "{:<12} not run", step.name());
    }
    let seconds = total.as_secs_f64();
    let _ = match (advice, lines.last()) {
        (Some(advice), Some(last)) => {
            let name = last.step.name();
            writeln!(text, "xtask: the step `{name}` failed after {seconds:.1} s; {advice}")
        }
        _ => writeln!(text, "xtask: all steps passed in {seconds:.1} s"),
    };
    text
}

#[cfg(test)]
mod tests {
    use super::super::{Line, Outcome, Step};
    use super::text;
    use std::time::Duration;

    /// How long all of it took: less than the sum, because some steps run beside others.
    const TOTAL: Duration = Duration::from_millis(2500);

    fn line(step: Step, outcome: Outcome) -> Line {
        Line { step, time: Duration::from_millis(1500), outcome }
    }

    #[test]
    fn the_summary_gives_the_time_of_each_step() {
        let lines = [
            line(Step::Format, Outcome::Passed),
            line(Step::Tests, Outcome::PassedBut("without a tool".to_owned())),
            line(Step::Web, Outcome::Passed),
        ];
        assert_eq!(
            text(&lines, &[Step::Format, Step::Tests, Step::Web], TOTAL),
            "\n== summary ==\n\
             formatting   ok           1.5 s\n\
             tests        ok           1.5 s  (without a tool)\n\
             browser      ok           1.5 s  (beside cluster)\n\
             xtask: all steps passed in 2.5 s\n"
        );
    }

    #[test]
    fn the_summary_names_the_step_that_failed_and_how_to_repeat_it() {
        let failed = Outcome::Failed("cargo fmt --all --check".to_owned());
        assert_eq!(
            text(&[line(Step::Format, failed)], &[Step::Format, Step::Tidy], TOTAL),
            "\n== summary ==\n\
             formatting   FAILED       1.5 s\n\
             tidiness     not run\n\
             xtask: the step `formatting` failed after 2.5 s; repeat it with: cargo fmt --all --check\n"
        );
    }

    #[test]
    fn a_missing_tool_is_named() {
        let missing = Outcome::Missing("clippy is missing".to_owned());
        let text = text(&[line(Step::Clippy, missing)], &[Step::Clippy], TOTAL);
        assert!(
            text.ends_with("the step `clippy` failed after 2.5 s; clippy is missing\n"),
            "{text}"
        );
    }
}
