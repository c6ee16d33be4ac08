//! The results so far: of each pairing in games and pairs, of each engine in all, and what went wrong.

use super::copies::Copies;
use super::elo::Pentanomial;
use super::game::{Record, Warning};
use super::game_end::{Cause, GameEnd};
use super::schedule::{Fixture, Schedule};
use board::Color;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Failures that are kept with their positions; more are only counted.
const MOST_INCIDENTS: usize = 200;
/// Illegal variations of an engine that are kept with their positions.
const MOST_VARIATIONS: u64 = 20;

/// The results of one pairing, as its first engine sees them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Duel {
    /// Half-points of each game, by its place: twice the round, and one more for the second game.
    games: Vec<Option<u8>>,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub pairs: Pentanomial,
}

impl Duel {
    /// Notes a result. The second of a pair makes the pair count.
    fn note(&mut self, place: usize, half_points: u8) {
        if self.games.len() <= place {
            self.games.resize(place + 1, None);
        }
        match self.games.get_mut(place) {
            Some(game @ None) => *game = Some(half_points),
            _ => return,
        }
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
        if let Some(other) = self.games.get(place ^ 1).copied().flatten() {
            self.pairs.add(usize::from(half_points + other));
        }
    }

    /// The pairs that are complete: round, and half-points of the first engine.
    pub fn rounds(&self) -> impl Iterator<Item = (usize, usize)> {
        let pairs = self.games.chunks_exact(2).enumerate();
        pairs.filter_map(|(round, pair)| Some((round, usize::from(pair[0]? + pair[1]?))))
    }

    /// The games so far.
    pub fn played(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The results seen from the other side.
    pub fn reversed(&self) -> Duel {
        Duel {
            games: Vec::new(),
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
            pairs: self.pairs.reversed(),
        }
    }

    /// These results and others together.
    pub fn plus(&self, other: &Duel) -> Duel {
        Duel {
            games: Vec::new(),
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
            pairs: self.pairs.plus(other.pairs),
        }
    }

    /// The points of the first engine.
    pub fn points(&self) -> f64 {
        self.wins as f64 + 0.5 * self.draws as f64
    }

    /// The points of the first engine for each game.
    pub fn share(&self) -> f64 {
        self.points() / self.played().max(1) as f64
    }
}

/// What an engine did that it should not have done.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Conduct {
    /// Games lost by failures, by kind.
    pub failures: BTreeMap<Cause, u64>,
    /// Variations with illegal moves.
    pub illegal_variations: u64,
}

/// A game that ended by a failure, or a warning, with the position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Incident {
    /// The number of the game, beginning with 1.
    pub game: usize,
    pub engine: String,
    pub what: String,
    /// The position before it, as UCI's `position` takes it.
    pub position: String,
    /// The FEN of that position.
    pub fen: String,
}

/// All results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    pub duels: Vec<Duel>,
    pub conduct: Vec<Conduct>,
    pub causes: BTreeMap<Cause, u64>,
    pub incidents: Vec<Incident>,
    pub copies: Copies,
}

impl Tally {
    /// Before the first game.
    pub fn new(schedule: &Schedule, engines: usize) -> Tally {
        Tally {
            duels: vec![Duel::default(); schedule.pairings.len()],
            conduct: vec![Conduct::default(); engines],
            causes: BTreeMap::new(),
            incidents: Vec::new(),
            copies: Copies::default(),
        }
    }

    /// Games so far.
    pub fn played(&self) -> u64 {
        self.duels.iter().map(Duel::played).sum()
    }

    /// Whether a game has been played.
    pub fn has(&self, fixture: &Fixture) -> bool {
        let place = place(fixture);
        self.duels
            .get(fixture.pairing)
            .is_some_and(|duel| matches!(duel.games.get(place), Some(Some(_))))
    }

    /// Notes a finished game; answers what there is to report about it.
    pub fn note(&mut self, fixture: &Fixture, record: &Record, names: &[String]) -> Vec<Incident> {
        let end = &record.end;
        if let Some(duel) = self.duels.get_mut(fixture.pairing) {
            duel.note(place(fixture), half_points(end, fixture.reversed));
        }
        *self.causes.entry(end.cause).or_default() += 1;
        if !end.cause.is_failure() {
            self.copies.note(fixture, &record.course);
        }
        let engine = |side| match side {
            Color::White => fixture.white,
            Color::Black => fixture.black,
        };
        let name = |side| names.get(engine(side)).cloned().unwrap_or_default();
        let game = fixture.index + 1;
        let mut incidents = Vec::new();
        for Warning { side, count, detail, position, fen } in &record.warnings {
            if let Some(conduct) = self.conduct.get_mut(engine(*side)) {
                conduct.illegal_variations += u64::from(*count);
                if conduct.illegal_variations > MOST_VARIATIONS {
                    continue;
                }
            }
            let (what, position) = (format!("illegal variation: {detail}"), position.clone());
            let fen = fen.clone();
            incidents.push(Incident { game, engine: name(*side), what, position, fen });
        }
        if let Some(winner) = end.winner.filter(|_| end.cause.is_failure()) {
            let loser = !winner;
            if let Some(conduct) = self.conduct.get_mut(engine(loser)) {
                *conduct.failures.entry(end.cause).or_default() += 1;
            }
            let detail = end.detail.as_deref().unwrap_or_default();
            let what = format!("{}: {detail}", end.cause.words());
            let course = &record.course;
            let (position, fen) = (course.uci(), course.position.fen());
            incidents.push(Incident { game, engine: name(loser), what, position, fen });
        }
        let room = MOST_INCIDENTS.saturating_sub(self.incidents.len());
        self.incidents.extend(incidents.iter().take(room).cloned());
        incidents
    }

    /// The results of each pairing as a line of symbols, a dot for a game that is missing.
    pub fn symbols(&self) -> Vec<String> {
        let symbol = |game: &Option<u8>| match game {
            None => '.',
            Some(0) => '0',
            Some(1) => '=',
            Some(_) => '1',
        };
        self.duels.iter().map(|duel| duel.games.iter().map(symbol).collect()).collect()
    }

    /// Reads what [`Tally::symbols`] wrote.
    pub fn read_results(&mut self, lines: &[String]) -> Result<(), String> {
        if lines.len() != self.duels.len() {
            return Err(String::from("the number of pairings is another one"));
        }
        for (duel, line) in self.duels.iter_mut().zip(lines) {
            for (place, symbol) in line.chars().enumerate() {
                match symbol {
                    '.' => {}
                    '0' => duel.note(place, 0),
                    '=' => duel.note(place, 1),
                    '1' => duel.note(place, 2),
                    _ => return Err(format!("\"{symbol}\" is no result")),
                }
            }
        }
        Ok(())
    }

    /// All results of one engine together.
    pub fn of_engine(&self, schedule: &Schedule, engine: usize) -> Duel {
        let mut sum = Duel::default();
        for (duel, &(first, second)) in self.duels.iter().zip(&schedule.pairings) {
            if first == engine {
                sum = sum.plus(duel);
            } else if second == engine {
                sum = sum.plus(&duel.reversed());
            }
        }
        sum
    }
}

/// The place of a game among those of its pairing.
fn place(fixture: &Fixture) -> usize {
    2 * fixture.round + usize::from(fixture.reversed)
}

/// Half-points for the first engine of the pairing, which plays White unless colours are reversed.
fn half_points(end: &GameEnd, reversed: bool) -> u8 {
    match end.winner {
        None => 1,
        Some(Color::White) => 2 * u8::from(!reversed),
        Some(Color::Black) => 2 * u8::from(reversed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::schedule::Format;

    #[test]
    fn a_pair_counts_when_both_games_are_over() {
        let mut duel = Duel::default();
        duel.note(3, 2);
        assert_eq!((duel.played(), duel.pairs.total()), (1, 0));
        duel.note(2, 1);
        duel.note(2, 0);
        assert_eq!((duel.wins, duel.draws, duel.losses), (1, 1, 0));
        assert_eq!(duel.pairs.pairs, [0, 0, 0, 1, 0]);
        assert_eq!(duel.reversed().pairs.pairs, [0, 1, 0, 0, 0]);
        assert_eq!(duel.share(), 0.75);
    }

    #[test]
    fn the_symbols_are_read_back() {
        let schedule = Schedule::new(3, Format::RoundRobin, 4);
        let mut tally = Tally::new(&schedule, 3);
        let lines = ["1=0", "", "..=1"].map(str::to_owned);
        tally.read_results(&lines).expect("results");
        assert_eq!(tally.symbols(), lines);
        assert_eq!(tally.duels[0].pairs.pairs, [0, 0, 0, 1, 0]);
        let fixture = schedule.fixture(7).expect("the second round's first pairing, reversed");
        assert!(!tally.has(&fixture));
        assert_eq!(tally.of_engine(&schedule, 2).played(), 2);
        assert!(tally.clone().read_results(&lines[..2]).is_err());
        assert!(tally.read_results(&["x", "", ""].map(str::to_owned)).is_err());
    }

    #[test]
    fn colours_decide_whose_points_they_are() {
        let white = GameEnd::win(Color::White, Cause::Mate);
        assert_eq!((half_points(&white, false), half_points(&white, true)), (2, 0));
        assert_eq!(half_points(&GameEnd::draw(Cause::Stalemate), true), 1);
    }
}
