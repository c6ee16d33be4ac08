//! Who plays whom, when, with which colours and from which opening.
//!
//! In each round every pairing plays one opening, twice, with colours reversed. Games are numbered in
//! the order in which they begin, so that a match that was interrupted knows what is missing.

/// Which engines play each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Each engine plays each other one.
    RoundRobin,
    /// The first engine plays all others.
    Gauntlet,
}

/// All games of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// Two engines each, by number.
    pub pairings: Vec<(usize, usize)>,
    /// Games of each pairing.
    pub games_each: usize,
    /// The first round: those before it belong to another part of the match.
    pub first_round: usize,
}

/// A game of the schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// Its number, beginning with 0.
    pub index: usize,
    pub pairing: usize,
    /// The round, which chooses the opening.
    pub round: usize,
    /// Whether this is the second game of the pair, with the second engine playing White.
    pub reversed: bool,
    pub white: usize,
    pub black: usize,
}

impl Schedule {
    /// The games of this number of engines.
    pub fn new(engines: usize, format: Format, games_each: usize) -> Schedule {
        let firsts = match format {
            Format::RoundRobin => engines,
            Format::Gauntlet => engines.min(1),
        };
        let pairings = (0..firsts)
            .flat_map(|first| (first + 1..engines).map(move |second| (first, second)))
            .collect();
        Schedule { pairings, games_each, first_round: 0 }
    }

    /// How many games there are in all.
    pub fn total(&self) -> usize {
        self.pairings.len().saturating_mul(self.games_each)
    }

    /// Rounds: one more where the games do not come out even.
    pub fn rounds(&self) -> usize {
        self.games_each.div_ceil(2)
    }

    /// A game by its number; `None` behind the last.
    pub fn fixture(&self, index: usize) -> Option<Fixture> {
        if index >= self.total() {
            return None;
        }
        let per_round = 2 * self.pairings.len();
        let (round, place) = (index / per_round, index % per_round);
        // In a last round with one game for each pairing there is no second one.
        let is_short = 2 * round + 1 == self.games_each;
        let (pairing, reversed) = match is_short {
            true => (place, false),
            false => (place / 2, place % 2 == 1),
        };
        let &(first, second) = self.pairings.get(pairing)?;
        let (white, black) = if reversed { (second, first) } else { (first, second) };
        let round = round + self.first_round;
        Some(Fixture { index, pairing, round, reversed, white, black })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_opening_is_played_with_both_colours() {
        let schedule = Schedule::new(2, Format::RoundRobin, 4);
        let games: Vec<_> = (0..).map_while(|index| schedule.fixture(index)).collect();
        let colours: Vec<_> =
            games.iter().map(|game| (game.round, game.white, game.black)).collect();
        assert_eq!(colours, [(0, 0, 1), (0, 1, 0), (1, 0, 1), (1, 1, 0)]);
    }

    #[test]
    fn each_engine_plays_each_other_or_the_first_plays_all() {
        let all = Schedule::new(4, Format::RoundRobin, 2);
        assert_eq!(all.pairings, [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]);
        assert_eq!((all.total(), all.rounds()), (12, 1));
        let gauntlet = Schedule::new(4, Format::Gauntlet, 2);
        assert_eq!(gauntlet.pairings, [(0, 1), (0, 2), (0, 3)]);
    }

    #[test]
    fn an_odd_number_of_games_ends_with_half_a_pair() {
        let schedule = Schedule::new(3, Format::RoundRobin, 3);
        let games: Vec<_> = (0..).map_while(|index| schedule.fixture(index)).collect();
        assert_eq!((games.len(), schedule.rounds()), (9, 2));
        let last: Vec<_> = games[6..].iter().map(|game| (game.pairing, game.reversed)).collect();
        assert_eq!(last, [(0, false), (1, false), (2, false)]);
        assert_eq!(schedule.fixture(9), None);
    }
}
