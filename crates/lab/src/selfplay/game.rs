//! One game of an engine against itself.

use super::Settings;
use crate::data::{Game, Outcome, Ply};
use crate::workers::Stop;
use board::random::SplitMix;
use board::{Color, History, Move, Position};
use eval::AnyEvaluator;
use search::{Iteration, Limits, Observer, Profile, Progress, Report, Worker};
use table::AnyTable;

/// Centipawns at which a game counts as won, if both sides see them for long enough.
const WIN_SCORE: i32 = 2_000;
/// For how many half-moves in a row.
const WIN_PLIES: u32 = 4;
/// Centipawns up to which a game counts as level.
const DRAW_SCORE: i32 = 8;
/// For how many half-moves in a row.
const DRAW_PLIES: u32 = 12;
/// Before this move no game is called drawn by its score.
const DRAW_FROM_MOVE: u16 = 40;
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

/// What the scores of a game have said so far.
#[derive(Default)]
struct Adjudication {
    /// Half-moves in a row with a clear score for one side, and White's sign of it.
    clear: u32,
    sign: i32,
    /// Half-moves in a row with a level score.
    level: u32,
}

impl Adjudication {
    /// Takes White's score before a move; the outcome if the game is over by it.
    fn see(&mut self, score: i32, move_number: u16) -> Option<Outcome> {
        let is_late = move_number > DRAW_FROM_MOVE;
        self.level = if is_late && score.abs() <= DRAW_SCORE { self.level + 1 } else { 0 };
        let sign = if score.abs() >= WIN_SCORE { score.signum() } else { 0 };
        self.clear = if sign != 0 && sign == self.sign { self.clear + 1 } else { 1 };
        self.sign = sign;
        match sign {
            0 if self.level >= DRAW_PLIES => Some(Outcome::Draw),
            1 if self.clear >= WIN_PLIES => Some(Outcome::White),
            -1 if self.clear >= WIN_PLIES => Some(Outcome::Black),
            _ => None,
        }
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
    let mut adjudication = Adjudication::default();
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
        if let Some(outcome) = adjudication.see(white, position.fullmove_number()) {
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

    #[test]
    fn scores_decide_only_if_they_hold() {
        let mut seen = Adjudication::default();
        let scores = [2500, 2500, 2500, 100, -2500, -2500, 2500, -2500, -2500, -2500];
        assert!(scores.iter().all(|&score| seen.see(score, 9).is_none()));
        assert_eq!(seen.see(-2000, 9), Some(Outcome::Black));
        let mut level = Adjudication::default();
        assert!((0..30).all(|_| level.see(-8, 40).is_none()));
        assert!((0..11).all(|_| level.see(8, 41).is_none()));
        assert_eq!(level.see(0, 41), Some(Outcome::Draw));
    }
}
