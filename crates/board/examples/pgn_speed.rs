//! The speed of the PGN reader beside that of pgn-reader and shakmaty: every move of every main line
//! is checked and played. The two take turns, five rounds; the medians count.
//!
//! `cargo run --release -p rookery-board --example pgn_speed -- FILE.pgn`

use board::pgn::{Games, replay};
use pgn_reader::shakmaty::{CastlingMode, Chess, Position, fen::Fen};
use pgn_reader::{RawTag, SanPlus, Skip, Visitor};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// An odd number: the round in the middle counts.
const ROUNDS: usize = 5;
/// How long each reader reads in each round, at least.
const ROUND_TIME: Duration = Duration::from_millis(500);

/// The same work as [`replay`] does, with the other libraries.
struct Player {
    moves: u64,
}

impl Visitor for Player {
    type Tags = Chess;
    type Movetext = Chess;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Chess> {
        ControlFlow::Continue(Chess::default())
    }

    fn tag(&mut self, start: &mut Chess, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        if name == b"FEN" {
            let fen = Fen::from_ascii(&value.decode()).ok();
            match fen.and_then(|fen| fen.into_position(CastlingMode::Chess960).ok()) {
                Some(position) => *start = position,
                None => return ControlFlow::Break(()),
            }
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Chess) -> ControlFlow<(), Chess> {
        ControlFlow::Continue(start)
    }

    fn san(&mut self, position: &mut Chess, san: SanPlus) -> ControlFlow<()> {
        match san.san.to_move(position) {
            Ok(mv) => position.play_unchecked(mv),
            Err(_) => return ControlFlow::Break(()),
        }
        self.moves += 1;
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _position: &mut Chess) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, _position: Chess) {}
}

fn their_moves(text: &[u8]) -> u64 {
    let mut reader = pgn_reader::Reader::new(text);
    let mut player = Player { moves: 0 };
    while let Ok(Some(())) = reader.read_game(&mut player) {}
    player.moves
}

fn tree_moves(text: &[u8]) -> u64 {
    Games::new(text).flatten().map(|game| game.main_line().count() as u64).sum()
}

/// Moves per second over one round.
fn rate(text: &[u8], count: impl Fn(&[u8]) -> u64) -> f64 {
    let begin = Instant::now();
    let mut moves = 0;
    while begin.elapsed() < ROUND_TIME {
        moves += count(text);
    }
    moves as f64 / begin.elapsed().as_secs_f64()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("which PGN file?")?;
    let text = std::fs::read(&path)?;
    let tally = replay(text.as_slice());
    println!("{} games, {} broken, {} moves", tally.games, tally.broken, tally.moves);
    println!("pgn-reader plays {} moves", their_moves(&text));
    let [mut ours, mut trees, mut theirs] = [[0.0; ROUNDS]; 3];
    for round in 0..ROUNDS {
        ours[round] = rate(&text, |text| replay(text).moves);
        theirs[round] = rate(&text, their_moves);
        trees[round] = rate(&text, tree_moves);
    }
    let [ours, trees, theirs] = [ours, trees, theirs]
        .map(|mut rates| *rates.select_nth_unstable_by(ROUNDS / 2, f64::total_cmp).1);
    println!("reader:                {:>6.2} million moves per second", ours / 1e6);
    println!("games as trees:        {:>6.2} million moves per second", trees / 1e6);
    println!("pgn-reader + shakmaty: {:>6.2} million moves per second", theirs / 1e6);
    println!("reader / pgn-reader:   {:>6.2}", ours / theirs);
    Ok(())
}
