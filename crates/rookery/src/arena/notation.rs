//! Finished games as PGN, with what the engines thought.

use super::driver::{Report, Score};
use super::game::{Played, Record};
use board::pgn::{Game, NodeId};
use std::time::{Duration, SystemTime};

/// The frame of a game: what its tags say.
pub struct Frame<'a> {
    pub event: &'a str,
    pub white: &'a str,
    pub black: &'a str,
    /// White's time control and Black's.
    pub controls: [String; 2],
    pub round: usize,
    pub reversed: bool,
}

/// A game for a PGN file.
pub fn write(frame: &Frame, record: &Record) -> Game {
    let mut game = Game::new(record.course.start);
    let end = &record.end;
    let round = format!("{}.{}", frame.round + 1, 1 + u8::from(frame.reversed));
    let date = date(SystemTime::now());
    let [white_control, black_control] = &frame.controls;
    for (name, value) in [
        ("Event", frame.event),
        ("Site", "?"),
        ("Date", &date),
        ("Round", &round),
        ("White", frame.white),
        ("Black", frame.black),
        ("PlyCount", &record.played.len().to_string()),
        ("Termination", end.cause.termination()),
    ] {
        game.tags.set(name, value);
    }
    match white_control == black_control {
        true => game.tags.set("TimeControl", white_control),
        false => {
            game.tags.set("WhiteTimeControl", white_control);
            game.tags.set("BlackTimeControl", black_control);
        }
    }
    game.result = end.result();
    let mut at = NodeId::ROOT;
    for played in &record.played {
        let Some(next) = game.add(at, played.mv) else { break };
        at = next;
        game.notes_mut(at).comments.push(comment(played));
    }
    let ending = end.to_string();
    match game.notes_mut(at).comments.last_mut() {
        Some(comment) => comment.push_str(&format!(", {ending}")),
        None => game.notes_mut(at).comments.push(ending),
    }
    game
}

/// What stands behind a move: `+0.35/12 0.51s`.
fn comment(played: &Played) -> String {
    let Some(elapsed) = played.elapsed else { return String::from("book") };
    let Report { score, depth, .. } = played.report;
    let time = seconds(elapsed);
    match score {
        None => time,
        Some(score) => format!("{}/{} {time}", score_text(score), depth.unwrap_or(0)),
    }
}

/// A score as players read it: `+0.35`, `-M4`.
fn score_text(score: Score) -> String {
    match score {
        Score::Centipawns(number) => format!("{:+.2}", f64::from(number) / 100.0),
        Score::Mate(moves) if moves > 0 => format!("+M{moves}"),
        Score::Mate(moves) => format!("-M{}", moves.unsigned_abs()),
    }
}

fn seconds(time: Duration) -> String {
    match time.as_millis() {
        0..10_000 => format!("{:.3}s", time.as_secs_f64()),
        _ => format!("{:.1}s", time.as_secs_f64()),
    }
}

/// A day as PGN writes it, in universal time.
///
/// The civil calendar repeats every 400 years of 146097 days; counted from a first of March, the day of
/// the leap year is the last one, and the months' lengths follow a line.
fn date(now: SystemTime) -> String {
    const SECONDS_PER_DAY: u64 = 86_400;
    const MARCH_1_OF_YEAR_0: u64 = 719_468;
    let since = now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let days = since.as_secs() / SECONDS_PER_DAY + MARCH_1_OF_YEAR_0;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let months_since_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * months_since_march + 2) / 5 + 1;
    let (month, later) = match months_since_march {
        0..10 => (months_since_march + 3, 0),
        _ => (months_since_march - 9, 1),
    };
    format!("{:04}.{month:02}.{day:02}", 400 * era + year_of_era + later)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_the_calendar() {
        for (days, expected) in [
            (0, "1970.01.01"),
            (59, "1970.03.01"),
            (11_016, "2000.02.29"),
            (11_017, "2000.03.01"),
            (19_722, "2023.12.31"),
            (20_513, "2026.03.01"),
        ] {
            let then = SystemTime::UNIX_EPOCH + Duration::from_secs(86_400 * days + 86_399);
            assert_eq!(date(then), expected);
        }
    }

    #[test]
    fn scores_have_their_signs() {
        for (score, expected) in [
            (Score::Centipawns(35), "+0.35"),
            (Score::Centipawns(-1234), "-12.34"),
            (Score::Centipawns(0), "+0.00"),
            (Score::Mate(3), "+M3"),
            (Score::Mate(-4), "-M4"),
        ] {
            assert_eq!(score_text(score), expected);
        }
    }
}
