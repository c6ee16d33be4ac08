//! A game looked at: what the search says of each position, and how good each move was.
//!
//! The game is searched from its end to its beginning with one table: what was found out about a
//! position helps to evaluate the moves that led to it. It begins with an empty table and without
//! histories, so that what is found depends on the game and the limits alone.

use super::analyst::Analyst;
use super::quality::{MoveQuality, Performance};
use super::score::Score;
use board::pgn::{Game, NodeId};
use board::{Color, History, Move, Position};
use search::Outcome;

/// A position of the game, and the move that was played there.
pub struct Stage {
    /// The position.
    pub position: Position,
    /// Its value.
    pub score: Score,
    /// What the search found; nothing where there is no legal move.
    pub found: Option<Outcome>,
    /// The move that was played; none in the last position.
    pub played: Option<Played>,
}

/// A move of the game.
pub struct Played {
    /// Its place in the game.
    pub node: NodeId,
    /// The move; [`Move::NONE`] for a null move.
    pub mv: Move,
    /// How good it was; `None` for a null move.
    pub quality: Option<MoveQuality>,
}

/// All positions of a game's main line.
pub struct Study {
    /// From the first to the last.
    pub stages: Vec<Stage>,
    /// How White and Black did.
    pub players: [Performance; 2],
}

impl Study {
    /// Studies a game. `tick` hears after each position how many of all are done.
    pub fn new(
        game: &Game,
        analyst: &mut Analyst<'_>,
        mut tick: impl FnMut(usize, usize),
    ) -> Result<Study, String> {
        let (mut stages, mut history) = walk(game);
        let all = stages.len();
        analyst.begin();
        for (index, stage) in stages.iter_mut().enumerate().rev() {
            history.truncate(index);
            match stage.position.has_legal_move() {
                true => {
                    let found = analyst.look(&stage.position, &history)?;
                    stage.score = score_of(&found, &stage.position);
                    stage.found = Some(found);
                }
                false => {
                    stage.score =
                        stage.position.outcome().map_or(Score::Centipawns(0), Score::of_end);
                }
            }
            tick(all - index, all);
        }
        let players = rate_moves(&mut stages);
        Ok(Study { stages, players })
    }

    /// Nodes that were searched.
    pub fn nodes(&self) -> u64 {
        self.stages.iter().filter_map(|stage| stage.found.as_ref()).map(|found| found.nodes).sum()
    }
}

/// The value of a search's best line.
pub fn score_of(found: &Outcome, position: &Position) -> Score {
    let value = found.lines.first().map_or(0, |line| line.score);
    Score::new(value, position.side_to_move())
}

/// The positions of the main line, and the keys of all but the last.
fn walk(game: &Game) -> (Vec<Stage>, History) {
    let (mut stages, mut history) = (Vec::new(), History::new());
    let (mut position, mut at) = (*game.start(), NodeId::ROOT);
    loop {
        let next = game.children(at).next();
        let played = next.map(|node| Played { node, mv: game.mv(node), quality: None });
        stages.push(Stage { position, score: Score::Centipawns(0), found: None, played });
        let Some(node) = next else { return (stages, history) };
        match game.mv(node) {
            Move::NONE => {
                history.push_null(position.key());
                position = position.make_null();
            }
            mv => {
                history.push(position.key());
                position.play(mv);
            }
        }
        at = node;
    }
}

/// Rates every move by the values before and after it.
fn rate_moves(stages: &mut [Stage]) -> [Performance; 2] {
    let mut players = [Performance::default(); 2];
    for index in 1..stages.len() {
        let (before, after) = stages.split_at_mut(index);
        let (Some(stage), Some(next)) = (before.last_mut(), after.first()) else { continue };
        let Some(played) = stage.played.as_mut().filter(|played| !played.mv.is_none()) else {
            continue;
        };
        let mover = stage.position.side_to_move();
        let best = stage.found.as_ref().and_then(Outcome::best);
        let quality = match best == Some(played.mv) {
            true => MoveQuality::BEST,
            false => MoveQuality::new(stage.score, next.score, mover),
        };
        players[usize::from(mover == Color::Black)].add(&quality);
        played.quality = Some(quality);
    }
    players
}
