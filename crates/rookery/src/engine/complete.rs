//! Lines as they are told: a mate to its end, and a reply on which to ponder.
//!
//! A search ends a line where the value is known, by a table or because no faster mate is possible, and has
//! no line at all for a move whose scout failed high. What is missing is put together afterwards, and the
//! search knows nothing of it: from the transposition table, from tables of endings, and for the rest by a
//! small search for the mate that was announced.

use board::{Move, Position};
use endgame::{Answer, Oracle, Value};
use eval::score::{MATE, MATE_LIMIT};
use search::{Line, Outcome};
use table::{AnyTable, Bound};

/// Positions that may be looked at for all lines of a search whose time is over: two milliseconds or so.
const HURRIED: u64 = 500;
/// The same where there is time.
const UNHURRIED: u64 = 20_000;
/// Positions between two questions whether there still is.
const ASK_EVERY: u64 = 250;

/// Completes the lines of a search of a position; `is_over` says whether there is no more time for it.
pub fn complete(
    outcome: &mut Outcome,
    position: &Position,
    table: &AnyTable,
    oracle: Option<&Oracle>,
    is_over: &mut dyn FnMut() -> bool,
) {
    let is_short =
        |line: &Line| line.moves.len() < 2 || (line.moves.len() as i32) < plies(line.score);
    if !outcome.lines.iter().any(is_short) {
        return;
    }
    let mut finder = Finder { table, oracle, looked: 0, most: UNHURRIED, is_over };
    for line in &mut outcome.lines {
        let mut end = *position;
        line.moves.iter().for_each(|&mv| end = end.make(mv));
        let missing = plies(line.score) - line.moves.len() as i32;
        if missing > 0 {
            line.moves.extend(finder.line(&end, missing).unwrap_or_default());
        }
        if line.moves.len() == 1 && !is_drawn(&end) {
            line.moves.extend(finder.table_move(&end));
        }
    }
}

/// Half-moves to the mate that a value announces; 0 for other values.
fn plies(score: i32) -> i32 {
    if score.abs() < i32::from(MATE_LIMIT) { 0 } else { i32::from(MATE) - score.abs() }
}

/// Whether the game is over without a repetition.
fn is_drawn(position: &Position) -> bool {
    position.halfmove_clock() >= 100 || position.is_insufficient_material()
}

/// What is known of a mate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mate {
    /// The side to move mates in at most this number of half-moves.
    Gives(i32),
    /// The side to move is mated in at most this number of half-moves.
    Takes(i32),
}

/// Looks for mates of a known length.
struct Finder<'a> {
    table: &'a AnyTable,
    oracle: Option<&'a Oracle>,
    looked: u64,
    most: u64,
    is_over: &'a mut dyn FnMut() -> bool,
}

impl Finder<'_> {
    /// A line of exactly `plies` half-moves to mate, in which the side that mates leaves no way out; none
    /// where it is not found in time.
    fn line(&mut self, position: &Position, plies: i32) -> Option<Vec<Move>> {
        let moves = self.ordered(position, plies);
        if plies == 0 {
            return (moves.is_empty() && position.in_check()).then(Vec::new);
        }
        for mv in moves {
            let next = position.make(mv);
            let kept = match plies % 2 {
                1 => self.is_lost(&next, plies - 1)?,
                _ => self.is_won(&next, plies - 1)?,
            };
            if kept && let Some(mut rest) = self.line(&next, plies - 1) {
                rest.insert(0, mv);
                return Some(rest);
            }
        }
        None
    }

    /// Whether the side to move mates in `plies` half-moves or fewer; none where time is over.
    fn is_won(&mut self, position: &Position, plies: i32) -> Option<bool> {
        self.look()?;
        if let Some(Mate::Gives(known)) = self.known(position)
            && known <= plies
        {
            return Some(true);
        }
        for mv in self.ordered(position, plies) {
            let next = position.make(mv);
            // The last move gives check.
            if (plies > 1 || next.in_check()) && self.is_lost(&next, plies - 1)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Whether the side to move is mated in `plies` half-moves or fewer.
    fn is_lost(&mut self, position: &Position, plies: i32) -> Option<bool> {
        self.look()?;
        if let Some(Mate::Takes(known)) = self.known(position)
            && known <= plies
        {
            return Some(true);
        }
        let moves = position.legal_moves();
        if moves.is_empty() {
            return Some(position.in_check());
        }
        if plies == 0 || is_drawn(position) {
            return Some(false);
        }
        for mv in &moves {
            if !self.is_won(&position.make(mv), plies - 1)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// The moves, the most likely to belong to a mate in `plies` half-moves first: those that are known to,
    /// the table's, checks.
    fn ordered(&self, position: &Position, plies: i32) -> Vec<Move> {
        let first = self.table_move(position);
        let mut moves: Vec<Move> = position.legal_moves().iter().copied().collect();
        moves.sort_by_cached_key(|&mv| {
            let next = position.make(mv);
            let exact = match self.known(&next) {
                Some(Mate::Gives(known) | Mate::Takes(known)) => known == plies - 1,
                None => false,
            };
            (!exact, Some(mv) != first, !next.in_check())
        });
        moves
    }

    fn table_move(&self, position: &Position) -> Option<Move> {
        let mv = self.table.entry(position.key())?.mv;
        (!mv.is_none() && position.is_legal(mv)).then_some(mv)
    }

    /// What tables know of a mate.
    fn known(&self, position: &Position) -> Option<Mate> {
        let few = self.oracle.filter(|oracle| position.occupied().count() <= oracle.most_men());
        if let Some(Answer::Exact(value)) = few.and_then(|oracle| oracle.ask(position, 1)) {
            return match value {
                Value::Win(plies) => Some(Mate::Gives(i32::from(plies))),
                Value::Loss(plies) => Some(Mate::Takes(i32::from(plies))),
                Value::Draw => None,
            };
        }
        let entry = self.table.entry(position.key())?;
        let score = i32::from(entry.score);
        match (plies(score), entry.bound) {
            (0, _) => None,
            (plies, Bound::Exact | Bound::Lower) if score > 0 => Some(Mate::Gives(plies)),
            (plies, Bound::Exact | Bound::Upper) if score < 0 => Some(Mate::Takes(plies)),
            _ => None,
        }
    }

    /// Counts a position; none where there were too many.
    fn look(&mut self) -> Option<()> {
        if self.looked.is_multiple_of(ASK_EVERY) && self.most > HURRIED && (self.is_over)() {
            self.most = HURRIED;
        }
        self.looked += 1;
        (self.looked <= self.most).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use board::CastlingStyle;
    use table::PolicyKind;

    /// Completes a line of a mate in `plies` half-moves, from its first move on, with an empty table.
    fn completed(fen: &str, plies: i32, begun: &[&str], over: bool) -> Vec<String> {
        let position = Position::from_fen(fen).expect("a position");
        let table = AnyTable::new(PolicyKind::Bucketed, 1).expect("memory");
        let mut end = position;
        let mut moves = Vec::new();
        for text in begun {
            let legal = end.legal_moves();
            let mv = legal
                .iter()
                .copied()
                .find(|mv| mv.uci(CastlingStyle::Standard) == *text)
                .expect("legal");
            moves.push(mv);
            end = end.make(mv);
        }
        let sign = if plies % 2 == 1 { 1 } else { -1 };
        let score = sign * (i32::from(MATE) - plies);
        let line = Line { score, bound: search::Bound::Exact, moves };
        let mut outcome = Outcome { lines: vec![line], depth: 1, selective_depth: 1, nodes: 1 };
        complete(&mut outcome, &position, &table, None, &mut || over);
        let mut end = position;
        for &mv in &outcome.lines[0].moves {
            assert!(end.is_legal(mv));
            end = end.make(mv);
        }
        if outcome.lines[0].moves.len() as i32 == plies {
            assert!(end.in_check() && end.legal_moves().is_empty(), "{}", end.fen());
        }
        outcome.lines[0].moves.iter().map(|mv| mv.uci(CastlingStyle::Standard)).collect()
    }

    #[test]
    fn a_mate_is_played_to_its_end() {
        // A mate in one, two and three, and a defender who is mated in two.
        let one = completed("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 1, &["d1d8"], false);
        assert_eq!(one, ["d1d8"]);
        let two = completed("7k/8/5K2/8/8/8/8/R7 w - - 0 1", 5, &[], false);
        assert_eq!(two.len(), 5);
        let ladder = "8/8/8/8/5k2/R7/1R6/7K w - - 0 1";
        for begun in [&[][..], &["a3a8"]] {
            assert!(completed(ladder, 9, begun, false).len() >= begun.len());
        }
        let smothered = "6rk/6pp/7N/8/8/8/8/6QK w - - 0 1";
        assert_eq!(completed("6rk/6pp/8/6N1/8/8/8/6QK w - - 0 1", 1, &[], true), ["g5f7"]);
        assert!(completed(smothered, 1, &[], true).len() <= 1);
        let taken = completed("7k/5K2/8/8/8/8/8/R7 b - - 0 1", 2, &["h8h7"], true);
        assert_eq!(taken, ["h8h7", "a1h1"]);
    }

    #[test]
    fn what_is_not_found_leaves_the_line_as_it_was() {
        // There is no mate here, and no time to see it.
        for over in [true, false] {
            assert_eq!(completed("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 9, &["e2e4"], over), ["e2e4"]);
        }
    }
}
