//! One game of an engine against itself.

use super::Settings;
use crate::adjudication::{Adjudicator, ScoreLimits};
use crate::data::{Game, Outcome, Ply};
use crate::workers::Stop;
use board::random::SplitMix;
use board::{Color, History, Move, Position};
use eval::AnyEvaluator;
use search::{Iteration, Limits, Observer, Profile, Progress, Report, Worker};
use table::AnyTable;

/// The scores that end a game.
const SCORES: ScoreLimits =
    ScoreLimits { win_score: 2_000, win_plies: 4, draw_score: 8, draw_plies: 12 };
/// Up to this move no score counts as level.
const LEVEL_AFTER_MOVE: u16 = 40;
/// No game is longer: what goes on here is a draw.
const LONGEST: usize = 500;
/// A search stops in the middle of an iteration after this multiple of its soft limit.
const HARD: u64 = 8;

/// One searcher for both sides.
pub struct Player {
    worker: Worker,
    table: AnyTable,
    nodes: u64,
}

/// Finishes the iteration in which the limit was reached.
struct Soft(u64);

impl Observer for Soft {
    fn should_stop(&mut self, _: &Progress) -> bool {
        false
    }

    fn listens(&self) -> bool {
        false
    }

    fn report(&mut self, _: &Report<'_>) {}

    fn go_on(&mut self, iteration: &Iteration) -> bool {
        iteration.nodes < self.0
    }
}

impl Player {
    /// A player; the error names what is missing.
    pub fn new(settings: &Settings, evaluator: AnyEvaluator) -> Result<Player, String> {
        let table = AnyTable::new(Profile::Modern.policy(), settings.hash_mb);
        let table = table.map_err(|error| error.to_string())?;
        let worker = Worker::new(Profile::Modern).with_evaluator(evaluator);
        Ok(Player { worker, table, nodes: settings.nodes })
    }

    /// The evaluation.
    pub fn evaluator_mut(&mut self) -> &mut AnyEvaluator {
        self.worker.evaluator_mut()
    }

    fn new_game(&mut self) {
        self.worker.new_game();
        self.table.clear(1);
    }

    /// The move, and what it is worth to the side that makes it.
    fn choose(&mut self, position: &Position, history: &History) -> Option<(Move, i32)> {
        let nodes = self.nodes.saturating_mul(HARD);
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let observer = &mut Soft(self.nodes);
        let outcome = self.worker.search(&self.table, position, history, &limits, observer);
        let line = outcome.lines.first()?;
        Some((*line.moves.first()?, line.score))
    }
}

/// Plays the game of a number; none where it was stopped.
pub fn play(
    player: &mut Player,
    settings: &Settings,
    number: u64,
    stop: &Stop<'_>,
) -> Option<Game> {
    let mut random = SplitMix::stream(settings.seed, number);
    let start = loop {
        if stop() {
            return None;
        }
        player.new_game();
        let Some(position) = random_opening(settings.random_plies, &mut random) else { continue };
        let score = player.choose(&position, &History::new()).map(|(_, score)| score);
        if score.is_some_and(|score| score.abs() <= settings.largest_opening_score) {
            break position;
        }
    };
    player.new_game();
    let mut game = Game { start, outcome: Outcome::Draw, plies: Vec::new() };
    let (mut position, mut history) = (start, History::new());
    let mut adjudicator = Adjudicator::new(SCORES);
    while game.plies.len() < LONGEST {
        if stop() {
            return None;
        }
        if let Some(outcome) = history.outcome(&position) {
            game.outcome = Outcome::of_winner(outcome.winner());
            break;
        }
        if history.claimable_draw(&position).is_some() {
            break;
        }
        let Some((mv, score)) = player.choose(&position, &history) else { break };
        game.plies.push(Ply { mv, score: Some(score as i16) });
        let white = if position.side_to_move() == Color::White { score } else { -score };
        let may_be_level = position.fullmove_number() > LEVEL_AFTER_MOVE;
        if let Some(outcome) = adjudicator.see(white, may_be_level) {
            game.outcome = outcome;
            break;
        }
        history.push(position.key());
        position.play(mv);
    }
    Some(game)
}

/// Random moves from the start position; none where they end the game.
fn random_opening(plies: u32, random: &mut SplitMix) -> Option<Position> {
    let mut position = Position::startpos();
    for _ in 0..plies + (random.next() >> 63) as u32 {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return None;
        }
        position.play(moves[random.below(moves.len() as u64) as usize]);
    }
    position.has_legal_move().then_some(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> Settings {
        Settings {
            seed: 5,
            nodes: 60,
            random_plies: 8,
            largest_opening_score: 600,
            hash_mb: 1,
            evaluation: String::new(),
        }
    }

    fn player() -> Player {
        Player::new(&settings(), Profile::Modern.evaluator()).expect("a megabyte is there")
    }

    #[test]
    fn a_game_depends_on_its_number_alone() {
        let mut one = player();
        let games: Vec<_> =
            [3, 4, 3].map(|number| play(&mut one, &settings(), number, &|| false)).into();
        assert!(games[0].is_some() && games[0] == games[2] && games[0] != games[1]);
        assert_eq!(play(&mut player(), &settings(), 4, &|| false), games[1]);
        let game = games[0].clone().expect("it was not stopped");
        assert!(game.plies.len() > 10 && game.start.fullmove_number() == 5);
        let score = game.plies[0].score.expect("every move has a score");
        assert!(score.abs() <= 700, "{score}");
    }

    #[test]
    fn a_stopped_game_is_no_game() {
        assert_eq!(play(&mut player(), &settings(), 1, &|| true), None);
    }
}
