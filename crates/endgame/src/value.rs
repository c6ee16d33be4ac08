//! What a table says of a position, and by which measure.

/// What is known about a position, for the side to move; distances in half-moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Value {
    /// Lost; the half-moves that the other side needs, counted from this position.
    Loss(u16),
    /// Neither side wins.
    Draw,
    /// Won, in this number of half-moves.
    Win(u16),
}

impl Value {
    /// −1, 0 or 1.
    pub const fn sign(self) -> i32 {
        match self {
            Value::Loss(_) => -1,
            Value::Draw => 0,
            Value::Win(_) => 1,
        }
    }

    /// How good it is for the side to move: a short win before a long one, a long loss before a
    /// short one.
    pub const fn rank(self) -> i32 {
        match self {
            Value::Loss(plies) => plies as i32 - 0x10000,
            Value::Draw => 0,
            Value::Win(plies) => 0x10000 - plies as i32,
        }
    }

    /// The better of two, for the side to move.
    pub fn better(self, other: Value) -> Value {
        if other.rank() > self.rank() { other } else { self }
    }

    /// Half-moves to the end; none for a draw.
    pub const fn plies(self) -> Option<u16> {
        match self {
            Value::Loss(plies) | Value::Win(plies) => Some(plies),
            Value::Draw => None,
        }
    }

    /// Moves of the winner to the end; none for a draw.
    pub const fn moves(self) -> Option<u16> {
        match self.plies() {
            Some(plies) => Some(plies.div_ceil(2)),
            None => None,
        }
    }

    /// `win`, `draw` or `loss`.
    pub const fn word(self) -> &'static str {
        match self {
            Value::Loss(_) => "loss",
            Value::Draw => "draw",
            Value::Win(_) => "win",
        }
    }
}

/// The measures of distance (D63, D64).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Metric {
    /// Half-moves to mate, the loser resisting as long as possible.
    Mate,
    /// The winner's moves to mate or to a capture or promotion that keeps the win. What happens
    /// afterwards does not count; a capture or promotion that the loser is forced to make ends the
    /// count as well.
    Conversion,
    /// Win, draw or loss without a distance: the knowledgeable encoding (D64).
    Outcome,
}

impl Metric {
    /// All of them.
    pub const ALL: [Metric; 3] = [Metric::Mate, Metric::Conversion, Metric::Outcome];

    /// The extension of its files, which is also its name.
    pub const fn name(self) -> &'static str {
        match self {
            Metric::Mate => "dtm",
            Metric::Conversion => "dtc",
            Metric::Outcome => "wdl",
        }
    }

    /// The metric of a name.
    pub fn from_name(name: &str) -> Option<Metric> {
        Metric::ALL.into_iter().find(|metric| metric.name() == name)
    }

    /// What a position is worth to a side that converts, when the side to move afterwards has `value`.
    pub(crate) const fn after_conversion(self, value: Value) -> Value {
        match (self, value) {
            (_, Value::Draw) => Value::Draw,
            (Metric::Mate, Value::Loss(plies)) => Value::Win(plies + 1),
            (Metric::Mate, Value::Win(plies)) => Value::Loss(plies + 1),
            (_, Value::Loss(_)) => Value::Win(1),
            (_, Value::Win(_)) => Value::Loss(0),
        }
    }
}

impl std::fmt::Display for Metric {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(self.name())
    }
}

impl std::str::FromStr for Metric {
    type Err = String;

    fn from_str(name: &str) -> Result<Metric, String> {
        Metric::from_name(name).ok_or_else(|| format!("{name:?} is no metric"))
    }
}

/// One position in the memory of a build: a level (half-moves to the end: odd for a win, even for a
/// loss), or one of the marks below. Levels above the one that is being worked on may still fall.
pub(crate) mod cell {
    use super::Value;

    /// No position: men on one square, the side that moved is in check, or a mirror image whose twin
    /// stands for both.
    pub const ILLEGAL: u16 = 0x7fff;
    /// Not decided: the low byte counts the quiet moves that do not lose, as far as known, and the
    /// seven bits above hold the longest losing conversion, in moves.
    pub const OPEN: u16 = 0x8000;
    /// The count of a position that cannot be lost.
    pub const SAFE: u16 = 0x00ff;
    /// No level is higher.
    pub const HIGHEST: u16 = 254;

    /// The value of a cell when the work is done; illegal ones read as draws.
    pub const fn value(cell: u16) -> Value {
        match cell {
            0..=HIGHEST if cell & 1 == 1 => Value::Win(cell),
            0..=HIGHEST => Value::Loss(cell),
            _ => Value::Draw,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_win_is_best_and_a_short_loss_is_worst() {
        let ranked = [Value::Loss(2), Value::Loss(8), Value::Draw, Value::Win(9), Value::Win(1)];
        assert!(ranked.is_sorted_by_key(|value| value.rank()));
        assert_eq!(Value::Draw.better(Value::Loss(4)), Value::Draw);
    }

    #[test]
    fn moves_are_those_of_the_winner() {
        assert_eq!((Value::Win(1).moves(), Value::Win(5).moves()), (Some(1), Some(3)));
        assert_eq!((Value::Loss(0).moves(), Value::Loss(32).moves()), (Some(0), Some(16)));
    }
}
