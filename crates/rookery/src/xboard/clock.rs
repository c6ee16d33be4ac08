//! Time control: `level`, `st`, `sd`, `nps`, `time`.

use crate::session::{CommandError, GoRequest, refuse};
use board::fen::quote;
use search::time::Clock;
use std::time::Duration;

/// What the time control says, and what our clock shows.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeControl {
    /// Moves of a period; 0: the base time is for the whole game.
    period: u32,
    base_ms: i64,
    increment_ms: i64,
    /// What is left, as far as we know: `time` corrects it before each move.
    remaining_ms: i64,
    /// `st`: exactly so long for each move, instead of the clock.
    move_time_ms: Option<i64>,
    /// `sd`.
    depth: Option<i32>,
    /// `nps`: nodes that count as a second.
    nodes_per_second: Option<u64>,
}

impl Default for TimeControl {
    /// Forty moves in five minutes, until something else is said.
    fn default() -> TimeControl {
        TimeControl {
            period: 40,
            base_ms: 300_000,
            increment_ms: 0,
            remaining_ms: 300_000,
            move_time_ms: None,
            depth: None,
            nodes_per_second: None,
        }
    }
}

impl TimeControl {
    /// `new`: the clock is full again, and the limits of `sd` and `nps` are gone.
    pub fn new_game(&mut self) {
        (self.remaining_ms, self.depth, self.nodes_per_second) = (self.base_ms, None, None);
    }

    /// `level MOVES BASE INCREMENT`: the base in minutes or `minutes:seconds`, the increment in seconds.
    pub fn level(&mut self, words: &[&str]) -> Result<(), CommandError> {
        let [moves, base, increment] = words else {
            return refuse("expected the moves of a period, the minutes and the increment");
        };
        let Ok(moves) = moves.parse() else {
            return refuse(format!("{} is not a number of moves", quote(moves)));
        };
        let base_ms = milliseconds(base, 60_000.0)?;
        let increment_ms = milliseconds(increment, 1_000.0)?;
        (self.period, self.base_ms, self.increment_ms) = (moves, base_ms, increment_ms);
        (self.remaining_ms, self.move_time_ms) = (base_ms, None);
        Ok(())
    }

    /// `st TIME`, in seconds or `minutes:seconds`.
    pub fn move_time(&mut self, words: &[&str]) -> Result<(), CommandError> {
        self.move_time_ms = Some(milliseconds(one("the time in seconds", words)?, 1_000.0)?);
        Ok(())
    }

    /// `sd DEPTH`.
    pub fn depth(&mut self, words: &[&str]) -> Result<(), CommandError> {
        let text = one("the depth", words)?;
        match text.parse() {
            Ok(depth @ 1..) => self.depth = Some(depth),
            _ => return refuse(format!("depth {} is not 1 or more", quote(text))),
        }
        Ok(())
    }

    /// `nps RATE`. 0 stands for processor time and -1 for the wall clock: both are the clock here.
    pub fn node_rate(&mut self, words: &[&str]) -> Result<(), CommandError> {
        let text = one("the nodes per second", words)?;
        match text.parse::<i64>() {
            Ok(rate @ -1..) => {
                self.nodes_per_second = Some(rate.unsigned_abs()).filter(|_| rate > 0);
            }
            _ => return refuse(format!("{} is not a number of nodes", quote(text))),
        }
        Ok(())
    }

    /// `time CENTISECONDS`: what our clock shows.
    pub fn time(&mut self, words: &[&str]) -> Result<(), CommandError> {
        self.remaining_ms = centiseconds(words)?;
        Ok(())
    }

    /// We moved after so long, for the `moves`th time in this game.
    pub fn spend(&mut self, time: Duration, moves: usize) {
        let spent = i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        let period = self.period as usize;
        let added = if period > 0 && moves.is_multiple_of(period) { self.base_ms } else { 0 };
        self.remaining_ms = self.remaining_ms.saturating_sub(spent).saturating_add(added);
        self.remaining_ms = self.remaining_ms.saturating_add(self.increment_ms);
    }

    /// The request for a move after this number of our moves.
    pub fn request(&self, moves: usize) -> GoRequest {
        let mut request =
            GoRequest { nodes_per_second: self.nodes_per_second, ..GoRequest::default() };
        request.limits.depth = self.depth;
        match (self.move_time_ms, self.nodes_per_second) {
            // A number of nodes is better kept than looked at now and then.
            (Some(time), Some(rate)) => {
                let nodes = u128::from(time.unsigned_abs()) * u128::from(rate) / 1000;
                request.limits.nodes = Some(u64::try_from(nodes).unwrap_or(u64::MAX).max(1));
            }
            (Some(time), None) => request.move_time_ms = Some(time),
            (None, _) => {
                let period = self.period;
                let made = u32::try_from(moves).unwrap_or(u32::MAX);
                let moves_to_go = made.checked_rem(period).map(|made| period - made);
                let (remaining_ms, increment_ms) = (self.remaining_ms, self.increment_ms);
                request.clock = Some(Clock { remaining_ms, increment_ms, moves_to_go });
            }
        }
        request
    }
}

/// `time` and `otim`: hundredths of a second, in milliseconds.
pub fn centiseconds(words: &[&str]) -> Result<i64, CommandError> {
    let text = one("the time in hundredths of a second", words)?;
    match text.parse::<i64>() {
        Ok(time) => Ok(time.saturating_mul(10)),
        Err(_) => refuse(format!("{} is not a time", quote(text))),
    }
}

/// The only word.
pub fn one<'a>(what: &str, words: &[&'a str]) -> Result<&'a str, CommandError> {
    match words {
        [word] => Ok(word),
        [] => refuse(format!("{what} is missing")),
        _ => refuse("too many parameters"),
    }
}

/// `5`, `0.1` in units of `unit` milliseconds, or `minutes:seconds` whatever the unit.
fn milliseconds(text: &str, unit: f64) -> Result<i64, CommandError> {
    // A year and more is as good as forever, and sums of it stay far from the end of the numbers.
    const MOST: f64 = 1e12;
    let number = |text: &str| {
        let number = text.parse::<f64>().ok()?;
        (0.0..=MOST).contains(&number).then_some(number)
    };
    let total = match text.split_once(':') {
        None => number(text).map(|number| number * unit),
        Some((minutes, seconds)) => number(minutes)
            .zip(number(seconds))
            .map(|(minutes, seconds)| minutes * 60_000.0 + seconds * 1_000.0),
    };
    match total {
        Some(total) => Ok(total.min(MOST).round() as i64),
        None => refuse(format!("{} is not a time", quote(text))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(words: &[&str]) -> TimeControl {
        let mut control = TimeControl::default();
        control.level(words).expect("a time control");
        control
    }

    fn clock(control: &TimeControl, moves: usize) -> (i64, i64, Option<u32>) {
        let clock = control.request(moves).clock.expect("a clock");
        (clock.remaining_ms, clock.increment_ms, clock.moves_to_go)
    }

    #[test]
    fn levels_are_periods_whole_games_and_increments() {
        let periods = level(&["40", "5", "0"]);
        assert_eq!(clock(&periods, 0), (300_000, 0, Some(40)));
        assert_eq!(clock(&periods, 39), (300_000, 0, Some(1)));
        assert_eq!(clock(&periods, 40), (300_000, 0, Some(40)));
        assert_eq!(clock(&level(&["0", "2", "12"]), 7), (120_000, 12_000, None));
        assert_eq!(clock(&level(&["0", "0:30", "0.1"]), 7), (30_000, 100, None));
    }

    #[test]
    fn our_clock_goes_on_until_time_corrects_it() {
        let mut control = level(&["2", "1", "1"]);
        control.spend(Duration::from_millis(10_000), 1);
        assert_eq!(clock(&control, 1), (51_000, 1_000, Some(1)));
        control.spend(Duration::from_millis(1_000), 2);
        assert_eq!(clock(&control, 2), (111_000, 1_000, Some(2)));
        control.time(&["1234"]).expect("a time");
        assert_eq!(clock(&control, 2).0, 12_340);
        control.new_game();
        assert_eq!(clock(&control, 0).0, 60_000);
    }

    #[test]
    fn a_time_for_each_move_holds_until_the_next_level() {
        let mut control = TimeControl::default();
        control.move_time(&["0.25"]).expect("a time");
        control.depth(&["9"]).expect("a depth");
        let request = control.request(3);
        assert_eq!((request.move_time_ms, request.limits.depth), (Some(250), Some(9)));
        assert_eq!(request.clock, None);
        control.node_rate(&["1"]).expect("a rate");
        control.move_time(&["5000"]).expect("a time");
        assert_eq!(control.request(3).limits.nodes, Some(5000));
        control.node_rate(&["-1"]).expect("a rate");
        control.level(&["0", "1", "0"]).expect("a level");
        assert_eq!(control.request(3).move_time_ms, None);
    }

    #[test]
    fn nonsense_is_refused() {
        let mut control = TimeControl::default();
        let words: [&[&str]; 8] = [
            &[],
            &["x"],
            &["40", "5"],
            &["40", "5", "0", "0"],
            &["-1", "5", "0"],
            &["40", "1:x", "0"],
            &["40", "-1", "0"],
            &["40", "NaN", "inf"],
        ];
        for words in words {
            assert!(control.level(words).is_err(), "{words:?}");
        }
        assert!(control.move_time(&["-1"]).is_err() && control.depth(&["0"]).is_err());
        assert!(control.node_rate(&["-2"]).is_err() && control.time(&["soon"]).is_err());
        assert_eq!(control, TimeControl::default());
        assert!(control.level(&["0", "999999999999", "999999999999"]).is_ok());
        control.spend(Duration::MAX, 1);
        assert!(clock(&control, 1).0 < 0);
    }
}
