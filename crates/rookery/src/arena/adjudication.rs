//! Ending games that the engines themselves think are over, to save time.

use super::driver::Score;
use super::game_end::{Cause, GameEnd};
use super::words;
use board::Color;
use serde::{Deserialize, Serialize};

/// A draw, when for `count` moves of each side no score was further from 0 than `score`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DrawRule {
    /// The first move of a game at which the rule may end it.
    pub number: u32,
    pub count: u32,
    /// In centipawns.
    pub score: i32,
}

/// A loss, when a side has seen itself behind by `score` for `count` of its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ResignRule {
    pub count: u32,
    /// In centipawns.
    pub score: i32,
    /// Whether the opponent must see it too.
    pub two_sided: bool,
}

/// All rules of this kind.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Rules {
    pub draw: Option<DrawRule>,
    pub resign: Option<ResignRule>,
    /// The number of moves of a side after which any game is a draw.
    pub max_moves: Option<u32>,
    /// The most men of positions that are looked up in tables, if any are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tablebase_men: Option<u32>,
}

/// Reads `number=40 count=8 score=10`.
pub fn read_draw(settings: &[String]) -> Result<DrawRule, String> {
    let mut rule = DrawRule { number: 40, count: 8, score: 10 };
    for (key, value) in words::pairs("--draw", settings)? {
        match key {
            "number" | "movenumber" => {
                rule.number = words::value("--draw", key, value, "a number")?
            }
            "count" | "movecount" => rule.count = words::value("--draw", key, value, "a number")?,
            "score" => rule.score = words::value("--draw", key, value, "centipawns")?,
            _ => return Err(words::unknown("--draw", key, "number, count, score")),
        }
    }
    check_count("--draw", rule.count).map(|()| rule)
}

/// Reads `count=3 score=600 twosided=true`.
pub fn read_resign(settings: &[String]) -> Result<ResignRule, String> {
    let mut rule = ResignRule { count: 3, score: 600, two_sided: false };
    for (key, value) in words::pairs("--resign", settings)? {
        match key {
            "count" | "movecount" => rule.count = words::value("--resign", key, value, "a number")?,
            "score" => rule.score = words::value("--resign", key, value, "centipawns")?,
            "twosided" => {
                rule.two_sided = words::value("--resign", key, value, "true or false")?;
            }
            _ => return Err(words::unknown("--resign", key, "count, score, twosided")),
        }
    }
    check_count("--resign", rule.count).map(|()| rule)
}

fn check_count(option: &str, count: u32) -> Result<(), String> {
    match count {
        0 => Err(format!("{option}: count is at least 1")),
        _ => Ok(()),
    }
}

/// How often in a row a side's scores have been such.
#[derive(Clone, Copy, Default)]
struct Streaks {
    level: u32,
    lost: u32,
    won: u32,
}

/// Watches the scores of a game.
pub struct Adjudicator {
    rules: Rules,
    white: Streaks,
    black: Streaks,
}

impl Adjudicator {
    /// Before the first move.
    pub fn new(rules: Rules) -> Adjudicator {
        Adjudicator { rules, white: Streaks::default(), black: Streaks::default() }
    }

    /// A side has made a move of this number and seen this score; what follows from it.
    pub fn observe(&mut self, mover: Color, score: Option<Score>, number: u32) -> Option<GameEnd> {
        let score = score.map(Score::centipawns);
        let rules = self.rules;
        let (own, other) = match mover {
            Color::White => (&mut self.white, &self.black),
            Color::Black => (&mut self.black, &self.white),
        };
        let longer = |streak: u32, holds: Option<bool>| match holds {
            Some(true) => streak + 1,
            _ => 0,
        };
        if let Some(rule) = rules.resign {
            own.lost = longer(own.lost, score.map(|score| score <= -rule.score));
            own.won = longer(own.won, score.map(|score| score >= rule.score));
            let agreed = |won: u32| !rule.two_sided || won >= rule.count;
            if own.lost >= rule.count && agreed(other.won) {
                return Some(GameEnd::win(!mover, Cause::WinAdjudicated));
            }
            if rule.two_sided && own.won >= rule.count && other.lost >= rule.count {
                return Some(GameEnd::win(mover, Cause::WinAdjudicated));
            }
        }
        if let Some(rule) = rules.draw {
            own.level = longer(own.level, score.map(|score| score.abs() <= rule.score));
            if number >= rule.number && own.level >= rule.count && other.level >= rule.count {
                return Some(GameEnd::draw(Cause::DrawAdjudicated));
            }
        }
        let is_last = mover == Color::Black && rules.max_moves.is_some_and(|most| number >= most);
        is_last.then(|| GameEnd::draw(Cause::MaximumLength))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Color::{Black, White};

    /// The end of a game with these scores, White's first, from a move number on.
    fn adjudicate(rules: Rules, number: u32, scores: &[i32]) -> Option<(usize, GameEnd)> {
        let mut adjudicator = Adjudicator::new(rules);
        scores.iter().enumerate().find_map(|(ply, &score)| {
            let mover = if ply % 2 == 0 { White } else { Black };
            let number = number + ply as u32 / 2;
            adjudicator.observe(mover, Some(Score::Centipawns(score)), number).map(|end| (ply, end))
        })
    }

    #[test]
    fn a_draw_needs_both_sides_and_its_move() {
        let draw = Some(DrawRule { number: 12, count: 2, score: 10 });
        let rules = Rules { draw, ..Rules::default() };
        let drawn = |ply| Some((ply, GameEnd::draw(Cause::DrawAdjudicated)));
        assert_eq!(adjudicate(rules, 12, &[5, -5, 0, 0, 0]), drawn(3));
        assert_eq!(adjudicate(rules, 12, &[5, -5, 20, 0, 0, 0, 0]), drawn(6));
        assert_eq!(adjudicate(rules, 10, &[0; 8]), drawn(4));
        assert_eq!(adjudicate(rules, 12, &[5, 50, 5, 50, 5, 50]), None);
    }

    #[test]
    fn a_side_that_sees_itself_lost_has_lost() {
        let resign = |two_sided| Rules {
            resign: Some(ResignRule { count: 2, score: 500, two_sided }),
            ..Rules::default()
        };
        let white_lost = |ply| Some((ply, GameEnd::win(Black, Cause::WinAdjudicated)));
        let scores = [-500, 0, -600, 700, -700, 700];
        assert_eq!(adjudicate(resign(false), 1, &scores), white_lost(2));
        assert_eq!(adjudicate(resign(true), 1, &scores), white_lost(5));
        assert_eq!(adjudicate(resign(false), 1, &[-500, 0, 0, 0, -500, 0]), None);
    }

    #[test]
    fn a_move_without_a_score_breaks_the_streak() {
        let resign = Some(ResignRule { count: 2, score: 500, two_sided: false });
        let mut adjudicator = Adjudicator::new(Rules { resign, ..Rules::default() });
        let lost = Some(Score::Mate(-3));
        assert_eq!(adjudicator.observe(White, lost, 1), None);
        assert_eq!(adjudicator.observe(White, None, 2), None);
        assert_eq!(adjudicator.observe(White, lost, 3), None);
        assert!(adjudicator.observe(White, lost, 4).is_some());
    }

    #[test]
    fn the_longest_game_is_a_draw() {
        let rules = Rules { max_moves: Some(3), ..Rules::default() };
        let end = adjudicate(rules, 1, &[900, -900, 900, -900, 900, -900, 900]);
        assert_eq!(end, Some((5, GameEnd::draw(Cause::MaximumLength))));
    }
}
