//! What goes wrong on a simulated machine: processors crash, are slow, come late or come back;
//! messages are delayed, dropped, doubled or overtaken.
//!
//! A plan is a text with one fault a line, `#` for comments; times in milliseconds, chances in per cent:
//!
//! ```text
//! crash 5 at 2.5        # processor 5 forgets everything and is silent
//! return 5 at 40        # and is back, empty
//! slow 3 by 4           # every node and message costs processor 3 four times as much
//! late 7 until 1        # processor 7 starts a millisecond later
//! drop 1                # one message in a hundred is lost
//! double 1              # or comes twice
//! delay 5 by 2          # or comes up to two milliseconds late
//! reorder 2             # or may overtake those before it
//! ```
//!
//! Processor 0 has the root and talks to the user: it may be slow, but does not crash.

use crate::{Peer, Time};

/// A fault plan.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Faults {
    /// Who crashes when.
    pub crashes: Vec<(Peer, Time)>,
    /// Who comes back when.
    pub returns: Vec<(Peer, Time)>,
    /// Who is slower by which factor.
    pub slow: Vec<(Peer, u64)>,
    /// Who starts when.
    pub late: Vec<(Peer, Time)>,
    /// Messages lost, in a million.
    pub drop: u32,
    /// Messages doubled, in a million.
    pub double: u32,
    /// Messages delayed, in a million.
    pub delay: u32,
    /// By at most this.
    pub delay_by: Time,
    /// Messages that may overtake others, in a million.
    pub reorder: u32,
}

/// No processor is slower than this.
const SLOWEST: u64 = 1000;
/// An hour of virtual time, in milliseconds.
const LATEST_MS: f64 = 3.6e6;

impl Faults {
    /// Whether nothing goes wrong.
    pub fn is_empty(&self) -> bool {
        *self == Faults::default()
    }

    /// Reads a plan for `peers` processors; an error names the line and what is wrong with it.
    pub fn parse(text: &str, peers: u32) -> Result<Faults, String> {
        let mut faults = Faults::default();
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default();
            let words: Vec<&str> = line.split_whitespace().collect();
            if !words.is_empty() {
                faults
                    .read(&words, peers)
                    .map_err(|reason| format!("line {}: {reason}", number + 1))?;
            }
        }
        Ok(faults)
    }

    fn read(&mut self, words: &[&str], peers: u32) -> Result<(), String> {
        match words {
            ["crash", who, "at", when] => self.crashes.push((other(who, peers)?, time(when)?)),
            ["return", who, "at", when] => self.returns.push((other(who, peers)?, time(when)?)),
            ["late", who, "until", when] => self.late.push((other(who, peers)?, time(when)?)),
            ["slow", who, "by", factor] => {
                let factor = factor.parse().ok().filter(|factor| (1..=SLOWEST).contains(factor));
                let factor = factor.ok_or(format!("expected a factor from 1 to {SLOWEST}"))?;
                self.slow.push((peer(who, peers)?, factor));
            }
            ["drop", chance] => self.drop = chance_of(chance)?,
            ["double", chance] => self.double = chance_of(chance)?,
            ["reorder", chance] => self.reorder = chance_of(chance)?,
            ["delay", chance, "by", span] => {
                (self.delay, self.delay_by) = (chance_of(chance)?, time(span)?);
            }
            _ => return Err(format!("no fault reads {:?}", words.join(" "))),
        }
        Ok(())
    }
}

fn peer(text: &str, peers: u32) -> Result<Peer, String> {
    match text.parse::<u32>() {
        Ok(number) if number < peers => Ok(Peer(number)),
        _ => Err(format!("there is no processor {text:?} among {peers}")),
    }
}

/// Any processor but the first.
fn other(text: &str, peers: u32) -> Result<Peer, String> {
    match peer(text, peers)? {
        Peer::FIRST => Err("processor 0 has the root and must stay".to_owned()),
        peer => Ok(peer),
    }
}

fn time(text: &str) -> Result<Time, String> {
    match text.parse::<f64>() {
        Ok(number) if (0.0..=LATEST_MS).contains(&number) => Ok((number * 1e6).round() as Time),
        _ => Err(format!("expected milliseconds from 0 to {LATEST_MS}, found {text:?}")),
    }
}

fn chance_of(text: &str) -> Result<u32, String> {
    match text.parse::<f64>() {
        Ok(number) if (0.0..=50.0).contains(&number) => Ok((number * 1e4).round() as u32),
        _ => Err(format!("expected per cent from 0 to 50, found {text:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_read_line_by_line() {
        let text = "crash 5 at 2.5 # bang\n\nreturn 5 at 40\nslow 3 by 4\nlate 7 until 1\ndrop 1\n\
            double 0.5\ndelay 5 by 2\nreorder 2";
        let faults = Faults::parse(text, 8).expect("it is sound");
        assert_eq!(faults.crashes, [(Peer(5), 2_500_000)]);
        assert_eq!(faults.returns, [(Peer(5), 40_000_000)]);
        assert_eq!((faults.slow, faults.late), (vec![(Peer(3), 4)], vec![(Peer(7), 1_000_000)]));
        assert_eq!((faults.drop, faults.double, faults.reorder), (10_000, 5_000, 20_000));
        assert_eq!((faults.delay, faults.delay_by), (50_000, 2_000_000));
    }

    #[test]
    fn a_bad_plan_is_an_error_that_names_the_line() {
        for (text, expected) in [
            ("drop 1\ncrash 0 at 1", "line 2: processor 0 has the root"),
            ("crash 8 at 1", "line 1: there is no processor \"8\" among 8"),
            ("explode 3", "line 1: no fault reads \"explode 3\""),
            ("drop 80", "line 1: expected per cent"),
            ("slow 1 by 0", "line 1: expected a factor"),
        ] {
            let error = Faults::parse(text, 8).expect_err("it is bad");
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
