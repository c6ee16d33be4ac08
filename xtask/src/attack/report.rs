//! What came of the attacks: findings as they happen, and the table at the end.

use std::fmt::{self, Display, Formatter, Write as _};
use std::time::Duration;

/// Something that should not have happened.
pub struct Finding {
    /// The attack.
    pub attack: &'static str,
    /// What happened.
    pub what: String,
    /// What reproduces this case alone, if it can be told.
    pub case: String,
    /// The command that repeats the whole attack.
    pub again: String,
}

impl Finding {
    /// The attack itself could not be carried out.
    pub fn broken(attack: &'static str, reason: String) -> Finding {
        let what = format!("the attack could not be carried out: {reason}");
        Finding { attack, what, case: String::new(), again: String::new() }
    }
}

impl Display for Finding {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        writeln!(out, "FOUND {}: {}", self.attack, self.what)?;
        if !self.case.is_empty() {
            writeln!(out, "  case:  {}", self.case)?;
        }
        write!(out, "  again: {}", self.again)
    }
}

/// A line of the table.
pub struct Line {
    pub name: &'static str,
    pub holds: &'static str,
    pub attempts: u64,
    /// What else is worth knowing, such as the slowest answer.
    pub notes: Vec<String>,
    pub findings: usize,
    pub time: Duration,
}

impl Display for Line {
    /// `attack garbage held: 500 times in 12 s (slowest answer 3 ms)`
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let Line { name, attempts, findings, .. } = self;
        let outcome = match findings {
            0 => "held".to_owned(),
            count => format!("FAILED {count} times"),
        };
        write!(
            out,
            "attack {name} {outcome}: {attempts} times in {:.0} s",
            self.time.as_secs_f64()
        )?;
        match self.notes.is_empty() {
            true => Ok(()),
            false => write!(out, " ({})", self.notes.join("; ")),
        }
    }
}

/// The table, ready to be taken over into a page.
pub fn table(lines: &[Line], setting: &str) -> String {
    let mut text = format!("\n{setting}\n\n");
    text.push_str("| attack | what must hold | times | failures | seconds | notes |\n");
    text.push_str("| --- | --- | ---: | ---: | ---: | --- |\n");
    for line in lines {
        let Line { name, holds, attempts, findings, .. } = line;
        let (seconds, notes) = (line.time.as_secs_f64(), line.notes.join("; "));
        let _ = writeln!(
            text,
            "| `{name}` | {holds} | {attempts} | {findings} | {seconds:.0} | {notes} |"
        );
    }
    let (attempts, failures) = lines
        .iter()
        .fold((0, 0), |(tries, bad), line| (tries + line.attempts, bad + line.findings));
    let seconds = lines.iter().map(|line| line.time).sum::<Duration>().as_secs_f64();
    let _ = match failures {
        0 => writeln!(text, "\nxtask: everything held: {attempts} attempts in {seconds:.0} s"),
        _ => writeln!(text, "\nxtask: {failures} FAILURES in {attempts} attempts, {seconds:.0} s"),
    };
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_counts_attempts_and_failures() {
        let line = |findings| Line {
            name: "garbage",
            holds: "no crash",
            attempts: 10,
            notes: vec!["slowest 3 ms".to_owned()],
            findings,
            time: Duration::from_secs(2),
        };
        let text = table(&[line(0), line(0)], "a machine");
        assert!(text.contains("| `garbage` | no crash | 10 | 0 | 2 | slowest 3 ms |"), "{text}");
        assert!(text.ends_with("everything held: 20 attempts in 4 s\n"), "{text}");
        assert!(table(&[line(0), line(3)], "").contains("3 FAILURES in 20 attempts"));
        assert_eq!(line(0).to_string(), "attack garbage held: 10 times in 2 s (slowest 3 ms)");
        assert!(line(3).to_string().starts_with("attack garbage FAILED 3 times: 10 times in "));
    }
}
