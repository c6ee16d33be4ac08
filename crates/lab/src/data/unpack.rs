//! From games to samples: which positions are worth learning from.

use super::file::{Block, GamesReader, Problem};
use super::game::Game;
use super::samples::Sample;
use std::io::Read;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Which positions are kept. Never those in check, nor where a capture or a promotion was played: a
/// static evaluation cannot know them. Never those without a score, nor with one that is known to be
/// won or lost.
#[derive(Clone, Copy, Debug)]
pub struct Filter {
    /// Half-moves at the beginning of a game that do not count.
    pub first_ply: u32,
    /// The largest score, in centipawns.
    pub largest_score: i16,
    /// Of this number of games one is held out, to see what the network makes of games that it does
    /// not know; 0 for none.
    pub held_out: u64,
}

/// What was made of games.
#[derive(Clone, Default, Debug)]
pub struct Unpacked {
    /// To learn from.
    pub samples: Vec<Sample>,
    /// Held out.
    pub held_out: Vec<Sample>,
    /// Games that were read.
    pub games: u64,
    /// Half-moves of those games.
    pub plies: u64,
}

impl Filter {
    /// The samples of a game.
    fn take(&self, game: &Game, samples: &mut Vec<Sample>) {
        let mut position = game.start;
        for ply in &game.plies {
            let side = position.side_to_move();
            let number = 2 * (u32::from(position.fullmove_number()) - 1) + side.index() as u32;
            let quiet = !position.in_check() && position.is_quiet(ply.mv);
            if let Some(score) = ply.score
                && score.unsigned_abs() <= self.largest_score.unsigned_abs().min(DECIDED)
                && number >= self.first_ply
                && quiet
            {
                samples.push(Sample::new(&position, score, game.outcome.for_side(side)));
            }
            position.play(ply.mv);
        }
    }
}

/// Beyond this a score is no guess any more.
const DECIDED: u16 = eval::EVAL_LIMIT.unsigned_abs();

/// Blocks that are unpacked at once, for each thread.
const BATCH: usize = 64;

/// Unpacks a file of games on several threads. What comes of it, and in which order, does not depend on
/// their number. `told` hears now and then how many bytes have been read.
pub fn unpack<R: Read>(
    reader: &mut GamesReader<R>,
    filter: &Filter,
    threads: usize,
    unpacked: &mut Unpacked,
    mut told: impl FnMut(u64),
) -> Result<(), String> {
    loop {
        let mut batch: Vec<(u64, Block)> = Vec::new();
        while batch.len() < BATCH * threads.max(1) {
            match reader.next_block().map_err(Problem::text)? {
                Some(block) => {
                    let first = unpacked.games;
                    unpacked.games += block.count();
                    batch.push((first, block));
                }
                None => break,
            }
        }
        if batch.is_empty() {
            return Ok(());
        }
        let share = batch.len().div_ceil(threads.max(1));
        let parts: Mutex<Vec<(usize, Result<Unpacked, String>)>> = Mutex::default();
        thread::scope(|scope| {
            for (number, blocks) in batch.chunks(share).enumerate() {
                let parts = &parts;
                scope.spawn(move || {
                    let part = unpack_blocks(blocks, filter);
                    let mut parts = parts.lock().unwrap_or_else(PoisonError::into_inner);
                    parts.push((number, part));
                });
            }
        });
        let mut parts = parts.into_inner().unwrap_or_else(PoisonError::into_inner);
        parts.sort_by_key(|(number, _)| *number);
        for (_, part) in parts {
            let part = part?;
            unpacked.samples.extend(part.samples);
            unpacked.held_out.extend(part.held_out);
            unpacked.plies += part.plies;
        }
        told(reader.offset());
    }
}

fn unpack_blocks(blocks: &[(u64, Block)], filter: &Filter) -> Result<Unpacked, String> {
    let mut part = Unpacked::default();
    for (first, block) in blocks {
        for (number, game) in (*first..).zip(block.games()?) {
            part.plies += game.plies.len() as u64;
            let is_held_out = filter.held_out > 0 && number % filter.held_out == 0;
            filter.take(&game, if is_held_out { &mut part.held_out } else { &mut part.samples });
        }
    }
    Ok(part)
}

#[cfg(test)]
mod tests {
    use super::super::file::GamesWriter;
    use super::super::game::{Outcome, Ply, tests::random_game};
    use super::*;
    use board::Position;

    const ALL: Filter = Filter { first_ply: 0, largest_score: i16::MAX, held_out: 0 };

    #[test]
    fn only_quiet_positions_with_a_score_are_kept() {
        let start = "4k3/P7/8/8/8/8/4q3/4K2R w K - 0 20";
        let start = Position::from_fen(start).expect("a legal position");
        let mut game = Game { start, outcome: Outcome::White, plies: Vec::new() };
        let mut position = start;
        // In check and a capture; in no check, quiet, but without a score; a promotion; quiet, twice;
        // quiet with a score that is no guess.
        let line = [
            ("Kxe2", Some(500)),
            ("Kf7", None),
            ("a8=Q", Some(900)),
            ("Kg7", Some(-1000)),
            ("Qa7+", Some(1100)),
            ("Kg6", Some(-1200)),
            ("Qb6+", Some(31_000)),
        ];
        for (san, score) in line {
            let mv = position.parse_san(san.as_bytes()).expect(san);
            game.plies.push(Ply { mv, score });
            position.play(mv);
        }
        let scores = |filter: Filter| {
            let mut samples = Vec::new();
            filter.take(&game, &mut samples);
            samples.iter().map(|one| (one.score(), one.outcome())).collect::<Vec<_>>()
        };
        // The last reply is played in check.
        assert_eq!(scores(ALL), [(-1000, 0), (1100, 2)]);
        assert_eq!(scores(Filter { largest_score: 1000, ..ALL }), [(-1000, 0)]);
        assert_eq!(scores(Filter { first_ply: 42, ..ALL }), [(1100, 2)]);
    }

    #[test]
    fn threads_change_nothing_and_held_out_games_are_not_learned_from() {
        let mut writer = GamesWriter::new(Vec::new(), "").expect("memory");
        (0..100).for_each(|seed| writer.add(random_game(seed)).expect("memory"));
        let bytes = writer.finish().expect("memory");
        let run = |threads, held_out| {
            let mut unpacked = Unpacked::default();
            let mut reader = GamesReader::new(&bytes[..]).expect("a good file");
            let filter = Filter { held_out, ..ALL };
            unpack(&mut reader, &filter, threads, &mut unpacked, |_| ()).expect("a good file");
            unpacked
        };
        let (one, many, parted) = (run(1, 0), run(3, 0), run(2, 10));
        assert!(one.samples == many.samples && one.games == 100 && !one.samples.is_empty());
        assert!(parted.held_out.len() > parted.samples.len() / 20);
        let mut both = [parted.samples, parted.held_out].concat();
        let mut all = one.samples;
        both.sort();
        all.sort();
        assert_eq!(both, all);
    }
}
