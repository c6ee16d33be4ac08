//! `rookery endgame play`: won positions are played out against the tables' best defence.

use crate::engine::{DEFAULT_HASH_MB, Engine};
use crate::failure::Failure;
use crate::json;
use crate::progress::Progress;
use ::endgame::{Ending, Metric, Oracle, Tables, Usage, Value};
use board::zobrist::SplitMix;
use board::{Color, History, Position};
use search::{Limits, Profile, Quiet};
use serde::Serialize;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

/// Moves of the winner after which a win counts as missed.
const MOST_MOVES: u32 = 50;
/// Placements that are tried to find a won one.
const TRIES: u32 = 100_000;

/// How games are played.
pub struct Match<'a> {
    /// The defender's tables.
    pub tables: &'a Tables,
    /// The winner's tables, where he is to have some: the same folder, opened once more.
    pub own: Option<Tables>,
    /// Games of each ending.
    pub games: u32,
    /// Nodes for each move.
    pub nodes: u64,
    /// Where the random numbers begin.
    pub seed: u64,
}

#[derive(Serialize)]
struct Line {
    ending: String,
    games: u32,
    won: u32,
    /// Wins in the fewest moves possible.
    optimal: u32,
    /// Moves more than needed, on average over the wins.
    excess: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_missed: Option<String>,
}

impl Match<'_> {
    /// Plays the games of some endings.
    pub fn run(
        self,
        endings: &[Ending],
        as_json: bool,
        out: &mut impl Write,
    ) -> Result<ExitCode, Failure> {
        let mut engine = Engine::new(Profile::Modern, DEFAULT_HASH_MB).map_err(Failure::Work)?;
        let Match { tables, own, games, nodes, seed } = self;
        let recognises = own.is_none();
        engine.set_oracle(Some(Arc::new(Oracle::new(own, None, recognises, Usage::default()))));
        let mut table = Play { tables, engine, nodes, random: SplitMix(seed) };
        let total = endings.len() as u64 * u64::from(games);
        let bar = Progress::new(total);
        let mut lines = Vec::new();
        for (nth, ending) in endings.iter().enumerate() {
            let mut line = Line {
                ending: ending.to_string(),
                games: 0,
                won: 0,
                optimal: 0,
                excess: 0.0,
                first_missed: None,
            };
            for game in 0..games {
                let Some((position, moves)) = table.find_win(ending)? else { break };
                line.games += 1;
                match table.play(position)? {
                    Some(needed) => {
                        line.won += 1;
                        line.optimal += u32::from(needed <= moves);
                        line.excess += f64::from(needed.saturating_sub(moves));
                    }
                    None => drop(line.first_missed.get_or_insert_with(|| position.fen())),
                }
                bar.set(nth as u64 * u64::from(games) + u64::from(game), total);
            }
            line.excess /= f64::from(line.won.max(1));
            if !as_json {
                let Line { ending, games, won, optimal, excess, first_missed } = &line;
                let missed = first_missed.as_deref().unwrap_or("-");
                writeln!(
                    out,
                    "{ending:6} {games} games, {won} won, {optimal} optimally, {excess:.1} moves more than needed, first missed {missed}"
                )?;
            }
            lines.push(line);
        }
        drop(bar);
        if as_json {
            json::write(&lines, out)?;
        }
        let missed = lines.iter().any(|line| line.won < line.games);
        Ok(if missed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}

struct Play<'a> {
    tables: &'a Tables,
    engine: Engine,
    nodes: u64,
    random: SplitMix,
}

fn broken(error: ::endgame::ProbeError) -> Failure {
    Failure::Work(error.to_string())
}

impl Play<'_> {
    /// A random position that the side to move wins within fifty moves, and in how many.
    fn find_win(&mut self, ending: &Ending) -> Result<Option<(Position, u32)>, Failure> {
        let layout = ::endgame::Layout::new(ending);
        for _ in 0..TRIES {
            let index = self.random.below(layout.size() as u64) as usize;
            let side = Color::from_white(self.random.next() & 7 != 0);
            let Some(position) = layout.position(index, side) else { continue };
            let value = self.tables.probe(&position, Metric::Mate).map_err(broken)?;
            if let Value::Win(plies) = value
                && u32::from(plies.div_ceil(2)) < MOST_MOVES
            {
                return Ok(Some((position, u32::from(plies.div_ceil(2)))));
            }
        }
        Ok(None)
    }

    /// The winner's moves to mate; none if it took too many or the win was lost.
    fn play(&mut self, start: Position) -> Result<Option<u32>, Failure> {
        self.engine.new_game();
        let (mut position, mut history) = (start, History::new());
        for moves in 1..=MOST_MOVES {
            let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
            let outcome = self
                .engine
                .search(&position, &history, &limits, &mut Quiet)
                .map_err(Failure::Work)?;
            let Some(best) = outcome.best() else { return Ok(None) };
            history.push(position.key());
            position = position.make(best);
            let replies = self.tables.judge(&position, Metric::Mate).map_err(broken)?;
            match replies.first() {
                None => return Ok(position.in_check().then_some(moves)),
                Some((_, value)) if value.sign() >= 0 => return Ok(None),
                Some(&(reply, _)) => {
                    history.push(position.key());
                    position = position.make(reply);
                }
            }
        }
        Ok(None)
    }
}
