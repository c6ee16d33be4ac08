//! Random games of classical chess and Chess960, with every claim about the rules checked at every
//! position: against shakmaty, against slower ways, and against itself.
//!
//! `ROOKERY_RANDOM_GAMES` says how many games; `cargo xtask games` plays ten thousand in a release
//! build. Odd games are Chess960. A game's number is its seed, so a failure repeats by itself.

use board::random::SplitMix;
use board::{CastlingStyle, History, Move, MoveList, Outcome, Position, Stage};
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, KnownOutcome, Position as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Games without the variable: some seconds in the dev profile.
const DEFAULT_GAMES: u64 = 300;
/// Longer games are cut off here.
const MOST_PLIES: usize = 500;
/// All 65536 moves are asked about in one position of this number.
const LEGALITY_SAMPLE: u64 = 100;

#[test]
fn random_games_agree_with_shakmaty_at_every_position() {
    let games = match std::env::var("ROOKERY_RANDOM_GAMES") {
        Ok(text) => text.parse().expect("ROOKERY_RANDOM_GAMES is a number of games"),
        Err(_) => DEFAULT_GAMES,
    };
    let (next, done, positions) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    let begin = Instant::now();
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= games {
                break;
            }
            positions.fetch_add(play_game(number), Ordering::Relaxed);
            done.fetch_add(1, Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let mut reported = Instant::now();
        while !workers.iter().all(|worker| worker.is_finished()) {
            std::thread::sleep(Duration::from_millis(20));
            if reported.elapsed() >= Duration::from_secs(5) {
                reported = Instant::now();
                report(&done, games, &positions, begin);
            }
        }
    });
    report(&done, games, &positions, begin);
}

fn report(done: &AtomicU64, games: u64, positions: &AtomicU64, begin: Instant) {
    let (done, positions) = (done.load(Ordering::Relaxed), positions.load(Ordering::Relaxed));
    let seconds = begin.elapsed().as_secs_f64();
    eprintln!("{done} of {games} games, {positions} positions, {seconds:.1} s");
}

/// Plays one game to its end; how many positions it had.
fn play_game(number: u64) -> u64 {
    let mut random = SplitMix(number);
    let setup = if number.is_multiple_of(2) { 518 } else { random.below(960) as u16 };
    let mut ours = Position::chess960(setup);
    let fen: shakmaty::fen::Fen = ours.shredder_fen().parse().unwrap();
    let mut theirs: Chess = fen.into_position(CastlingMode::Chess960).unwrap();
    let mut history = History::new();
    for ply in 0..MOST_PLIES {
        let context = format!("game {number}, ply {ply}: {ours:?}");
        let moves = ours.legal_moves();
        check_against_shakmaty(&ours, &theirs, &moves, &context);
        check_moves(&ours, &moves, &context);
        check_forms(&ours, &context);
        if random.below(LEGALITY_SAMPLE) == 0 {
            check_all_bit_patterns(&ours, &moves, &context);
        }
        if history.outcome(&ours).is_some() || moves.is_empty() {
            return ply as u64 + 1;
        }
        let mv = moves[random.below(moves.len() as u64) as usize];
        theirs = theirs.clone().play(their_move(mv, &theirs)).unwrap();
        history.push(ours.key());
        ours.play(mv);
    }
    MOST_PLIES as u64
}

fn their_move(mv: Move, position: &Chess) -> shakmaty::Move {
    let uci: UciMove = mv.uci(CastlingStyle::Chess960).parse().unwrap();
    uci.to_move(position).unwrap()
}

/// Moves as sets, SAN, check, FEN, and how the game stands.
fn check_against_shakmaty(ours: &Position, theirs: &Chess, moves: &MoveList, context: &str) {
    let mut our_texts = Vec::with_capacity(moves.len());
    for mv in moves {
        our_texts.push((mv.uci(CastlingStyle::Chess960), ours.san(mv)));
    }
    let mut their_texts: Vec<(String, String)> = Vec::with_capacity(moves.len());
    for mv in theirs.legal_moves() {
        let san = SanPlus::from_move(theirs.clone(), mv).to_string();
        their_texts.push((mv.to_uci(CastlingMode::Chess960).to_string(), san));
    }
    our_texts.sort();
    their_texts.sort();
    assert_eq!(our_texts, their_texts, "{context}");
    assert_eq!(ours.in_check(), theirs.is_check(), "{context}");
    let fen = shakmaty::fen::Fen::from_position(theirs, EnPassantMode::Legal);
    assert_eq!(ours.fen(), fen.to_string(), "{context}");
    let theirs_known = match theirs.outcome() {
        shakmaty::Outcome::Known(KnownOutcome::Decisive { winner }) => {
            Some(Some(board::Color::from_white(winner.is_white())))
        }
        shakmaty::Outcome::Known(KnownOutcome::Draw) => Some(None),
        shakmaty::Outcome::Unknown => None,
    };
    assert_eq!(ours.outcome().map(Outcome::winner), theirs_known, "{context}");
    assert_eq!(ours.is_insufficient_material(), theirs.is_insufficient_material(), "{context}");
}

fn generated(position: &Position, stage: Stage) -> Vec<u16> {
    let mut list = MoveList::new();
    position.generate(stage, &mut list);
    sorted(list.into_iter())
}

fn sorted(moves: impl Iterator<Item = Move>) -> Vec<u16> {
    let mut bits: Vec<u16> = moves.map(Move::bits).collect();
    bits.sort_unstable();
    bits
}

/// Stages, checks, captures, and that playing leaves the old position as it was.
fn check_moves(position: &Position, moves: &MoveList, context: &str) {
    let copy = *position;
    let checks = position.check_info();
    let captures = |mv: &Move| position.is_capture(*mv) || mv.promoted().is_some();
    let quiet_checks = |mv: &Move| !captures(mv) && position.gives_check(&checks, *mv);
    let pick = |wanted: &dyn Fn(&Move) -> bool| sorted(moves.into_iter().filter(wanted));
    assert_eq!(generated(position, Stage::All), pick(&|_| true), "{context}");
    assert_eq!(generated(position, Stage::Captures), pick(&captures), "{context}");
    assert_eq!(generated(position, Stage::Quiets), pick(&|mv| !captures(mv)), "{context}");
    assert_eq!(generated(position, Stage::QuietChecks), pick(&quiet_checks), "{context}");
    assert_eq!(position.count_legal_moves(), moves.len(), "{context}");
    for mv in moves {
        let next = position.make(mv);
        assert!(next.is_consistent(), "{mv:?} in {context}");
        assert_eq!(position.gives_check(&checks, mv), next.in_check(), "{mv:?} in {context}");
        let men = position.occupied().count() - next.occupied().count();
        assert_eq!(position.is_capture(mv), men == 1, "{mv:?} in {context}");
        assert_eq!(position.captured(mv).is_some(), men == 1, "{mv:?} in {context}");
    }
    if !position.in_check() {
        let passed = position.make_null();
        assert!(passed.is_consistent(), "{context}");
        assert_eq!(passed.side_to_move(), !position.side_to_move(), "{context}");
    }
    assert!(*position == copy, "{context}");
}

/// Text and bytes, there and back.
fn check_forms(position: &Position, context: &str) {
    assert!(position.is_consistent(), "{context}");
    assert_eq!(position.pack().unpack(), Ok(*position), "{context}");
    assert_eq!(Position::from_fen(&position.fen()), Ok(*position), "{context}");
    assert_eq!(Position::from_fen(&position.shredder_fen()), Ok(*position), "{context}");
}

/// Of all 65536 patterns those are legal that the generator gives (D28).
fn check_all_bit_patterns(position: &Position, moves: &MoveList, context: &str) {
    let accepted = (0..=u16::MAX).map(Move::from_bits).filter(|&mv| position.is_legal(mv));
    assert_eq!(sorted(accepted), sorted(moves.into_iter()), "{context}");
}
