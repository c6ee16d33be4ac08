//! How long an engine may think: what is asked for, and the clock of one side of a game.
//!
//! Time is measured by a monotone clock, from the moment at which the order to search has been written
//! to the moment at which the answer has been read, and charged to the nanosecond.

use std::time::Duration;

/// A week; more for a move or a game is a mistake.
const LONGEST_SECONDS: f64 = 604_800.0;

/// The time of a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Time {
    /// No clock: another limit ends the search.
    None,
    /// The time `base` for `moves` moves, or for the game if that is `None`, and an increment a move.
    Game { moves: Option<u32>, base: Duration, increment: Duration },
    /// The time for each move.
    Move(Duration),
}

/// All that limits an engine's searches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Limits {
    pub time: Time,
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
    /// How much an engine may overstep before it loses.
    pub margin: Duration,
}

impl Limits {
    /// Whether anything ends a search.
    pub fn are_given(&self) -> bool {
        self.time != Time::None || self.nodes.is_some() || self.depth.is_some()
    }

    /// The same with times and nodes multiplied.
    pub fn times(&self, factor: f64) -> Limits {
        let longer = |time: Duration| {
            Duration::from_secs_f64((time.as_secs_f64() * factor).min(LONGEST_SECONDS))
        };
        let time = match self.time {
            Time::None => Time::None,
            Time::Move(time) => Time::Move(longer(time)),
            Time::Game { moves, base, increment } => {
                Time::Game { moves, base: longer(base), increment: longer(increment) }
            }
        };
        let nodes = self.nodes.map(|nodes| ((nodes as f64 * factor).round() as u64).max(1));
        Limits { time, nodes, ..*self }
    }
}

impl std::fmt::Display for Limits {
    /// As the `TimeControl` tag of PGN has it, as far as it can say it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut parts = Vec::new();
        match self.time {
            Time::None => {}
            Time::Move(time) => parts.push(format!("{}/move", time.as_secs_f64())),
            Time::Game { moves, base, increment } => {
                let moves = moves.map_or(String::new(), |moves| format!("{moves}/"));
                let increment = match increment.is_zero() {
                    true => String::new(),
                    false => format!("+{}", increment.as_secs_f64()),
                };
                parts.push(format!("{moves}{}{increment}", base.as_secs_f64()));
            }
        }
        parts.extend(self.nodes.map(|nodes| format!("{nodes} nodes")));
        parts.extend(self.depth.map(|depth| format!("depth {depth}")));
        f.write_str(&parts.join(", "))
    }
}

/// Reads `[moves/]time[+increment]`, times in seconds or as minutes:seconds; `inf` is no clock.
pub fn read_time_control(text: &str) -> Result<Time, String> {
    let wrong = || format!("\"{text}\" is no time control such as 10+0.1, 40/60 or 1:30+1");
    if text == "inf" {
        return Ok(Time::None);
    }
    let (moves, rest) = match text.split_once('/') {
        None => (None, text),
        Some((moves, rest)) => match moves.parse::<u32>() {
            Ok(moves) if moves > 0 => (Some(moves), rest),
            _ => return Err(wrong()),
        },
    };
    let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
    let base = read_minutes(base).ok_or_else(wrong)?;
    let increment = read_seconds(increment).ok_or_else(wrong)?;
    if base.is_zero() && increment.is_zero() {
        return Err(wrong());
    }
    Ok(Time::Game { moves, base, increment })
}

fn read_minutes(text: &str) -> Option<Duration> {
    match text.split_once(':') {
        None => read_seconds(text),
        Some((minutes, seconds)) => {
            let minutes: u32 = minutes.parse().ok().filter(|&minutes| minutes <= 10_000)?;
            Some(Duration::from_secs(60 * u64::from(minutes)) + read_seconds(seconds)?)
        }
    }
}

/// Reads seconds from 0 up to a week.
pub fn read_seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    (0.0..=LONGEST_SECONDS).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

/// The clock of one side.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    time: Time,
    left: Duration,
    moves_made: u32,
}

impl Clock {
    /// A clock at the beginning of a game.
    pub fn new(limits: &Limits) -> Clock {
        let left = match limits.time {
            Time::None => Duration::ZERO,
            Time::Game { base, increment, .. } => base + increment,
            Time::Move(time) => time,
        };
        Clock { time: limits.time, left, moves_made: 0 }
    }

    /// What is left for the next move, if there is a clock at all.
    pub fn left(&self) -> Option<Duration> {
        (self.time != Time::None).then_some(self.left)
    }

    /// What every move brings.
    pub fn increment(&self) -> Duration {
        match self.time {
            Time::Game { increment, .. } => increment,
            _ => Duration::ZERO,
        }
    }

    /// Moves to the next time control, where there is one.
    pub fn moves_to_go(&self) -> Option<u32> {
        match self.time {
            Time::Game { moves: Some(moves), .. } => Some(moves - self.moves_made % moves),
            _ => None,
        }
    }

    /// Takes the time of a move and gives what the rules give for it. What was overstepped within the
    /// margin is forgiven.
    pub fn charge(&mut self, elapsed: Duration) {
        self.moves_made += 1;
        match self.time {
            Time::None => {}
            Time::Move(time) => self.left = time,
            Time::Game { moves, base, increment } => {
                self.left = self.left.saturating_sub(elapsed) + increment;
                if moves.is_some_and(|moves| self.moves_made.is_multiple_of(moves)) {
                    self.left += base;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn time_controls_are_read_in_their_usual_forms() {
        let game =
            |moves, base, increment| Time::Game { moves, base: ms(base), increment: ms(increment) };
        for (text, expected) in [
            ("10+0.1", game(None, 10_000, 100)),
            ("0.5", game(None, 500, 0)),
            ("40/60", game(Some(40), 60_000, 0)),
            ("40/1:30+1", game(Some(40), 90_000, 1000)),
            ("0+1", game(None, 0, 1000)),
            ("inf", Time::None),
        ] {
            assert_eq!(read_time_control(text), Ok(expected), "{text}");
        }
        for text in ["", "0", "x", "0/10", "-1", "10+", "10+-1", "nan", "1e9", "1:2:3", "40/"] {
            assert!(read_time_control(text).is_err(), "{text}");
        }
    }

    fn clock(text: &str) -> Clock {
        let time = read_time_control(text).expect("a time control");
        Clock::new(&Limits { time, nodes: None, depth: None, margin: ms(0) })
    }

    #[test]
    fn the_increment_is_there_from_the_first_move() {
        let mut clock = clock("10+1");
        assert_eq!(clock.left(), Some(ms(11_000)));
        clock.charge(ms(3_000));
        assert_eq!((clock.left(), clock.moves_to_go()), (Some(ms(9_000)), None));
        clock.charge(ms(9_005));
        assert_eq!(clock.left(), Some(ms(1_000)));
    }

    #[test]
    fn a_new_session_gives_new_time() {
        let mut clock = clock("2/10");
        assert_eq!(clock.moves_to_go(), Some(2));
        clock.charge(ms(4_000));
        assert_eq!((clock.left(), clock.moves_to_go()), (Some(ms(6_000)), Some(1)));
        clock.charge(ms(1_000));
        assert_eq!((clock.left(), clock.moves_to_go()), (Some(ms(15_000)), Some(2)));
    }
}
