//! Games that repeat others move by move.
//!
//! Engines that think for a fixed number of nodes play the same game again from the same opening. Such
//! a copy says nothing new, but counts like any other game: the error of Elo comes out too small.

use super::course::Course;
use super::schedule::Fixture;
use std::collections::BTreeSet;

/// Different games that are remembered. Where there are copies, there are few different games.
const MOST_REMEMBERED: usize = 1024;

/// The copies of a match.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Copies {
    count: u64,
    /// One number for each game that is no copy.
    seen: BTreeSet<u64>,
}

impl Copies {
    /// Games that were copies of earlier ones, by the same engines with the same colours.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Notes a game.
    pub fn note(&mut self, fixture: &Fixture, course: &Course) {
        let print = fingerprint(fixture, course);
        if self.seen.contains(&print) {
            self.count += 1;
        } else if self.seen.len() < MOST_REMEMBERED {
            self.seen.insert(print);
        }
    }

    /// What a later part of the match has to know.
    pub fn write(&self) -> (u64, Vec<String>) {
        (self.count, self.seen.iter().map(|print| format!("{print:x}")).collect())
    }

    /// Reads what [`Copies::write`] wrote; what is no number is passed over.
    pub fn read(&mut self, count: u64, seen: &[String]) {
        self.count = count;
        self.seen = seen.iter().filter_map(|text| u64::from_str_radix(text, 16).ok()).collect();
    }
}

/// A number for who plays and what was played. States keep it: later versions must find the same.
fn fingerprint(fixture: &Fixture, course: &Course) -> u64 {
    let text = format!("{} {} {}", fixture.white, fixture.black, course.uci());
    files::Digest::of(text.as_bytes()).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::openings::Opening;
    use crate::arena::schedule::{Format, Schedule};

    #[test]
    fn a_copy_has_the_same_players_and_moves() {
        let schedule = Schedule::new(2, Format::RoundRobin, 6);
        let fixture = |index| schedule.fixture(index).expect("a game");
        let game = |moves: &str| {
            let mut course = Course::new(&Opening::default());
            for text in moves.split(' ') {
                let mv = course.position.parse_uci(text).expect("a legal move");
                course.play(mv);
            }
            course
        };
        let mut copies = Copies::default();
        copies.note(&fixture(0), &game("e2e4 e7e5"));
        copies.note(&fixture(1), &game("e2e4 e7e5"));
        copies.note(&fixture(2), &game("e2e4 c7c5"));
        assert_eq!(copies.count(), 0);
        let (count, seen) = copies.write();
        let mut later = Copies::default();
        later.read(count, &seen);
        assert_eq!(later, copies);
        later.note(&fixture(4), &game("e2e4 e7e5"));
        assert_eq!(later.count(), 1);
    }
}
