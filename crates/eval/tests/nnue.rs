//! The network's evaluation against a slow reference: the formula of `docs/reference/networks.md`, from the file's
//! bytes, in wide integers, for each position anew.

#[path = "support/net.rs"]
mod net;
mod support;

use board::random::SplitMix;
use board::{Color, MoveKind, Position};
use eval::nnue::{Network, Nnue, Path, embedded, embedded_file, explain_net};
use eval::{EVAL_LIMIT, Evaluator};
use net::{COARSE, FINE, Reference, bytes, network, random_bytes};
use std::sync::Arc;
use support::positions;

#[test]
fn all_paths_give_the_integers_of_the_page() {
    assert!(Path::all().len() > 1 || !cfg!(target_arch = "x86_64") || !is_modern_cpu());
    for (hidden, scales) in [(32, COARSE), (96, FINE), (32, [127, 30]), (32, [4_095, 2_000])] {
        let bytes = random_bytes(hidden, scales);
        let (network, reference) = (network(&bytes), Reference::new(&bytes));
        let mut paths: Vec<Nnue> =
            Path::all().into_iter().map(|path| Nnue::on_path(network.clone(), path)).collect();
        let mut different = std::collections::BTreeSet::new();
        for (number, position) in positions(8).into_iter().enumerate() {
            let values = paths.iter_mut().map(|path| {
                path.reset(&position);
                path.raw(&position)
            });
            let values: Vec<i32> = values.collect();
            assert!(values.iter().all(|value| *value == values[0]), "{}", position.fen());
            // The reference is slow: some positions have to do.
            if number % 5 == 0 {
                assert_eq!(values[0], reference.value(&position), "{}", position.fen());
            }
            different.insert(values[0]);
        }
        assert!(different.len() > 500, "{}", different.len());
    }
}

fn is_modern_cpu() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Starts in which castling of all kinds, promotions and en passant come soon.
const STARTS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/pppq1ppp/2npbn2/4p3/4P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "1r2k1r1/pbppqppp/1pnbpn2/8/8/1PNBPN2/PBPPQPPP/1R2K1R1 w GBgb - 0 9",
    "4k3/PPP3PP/8/1p3p2/P4P2/8/ppp3pp/4K3 w - - 0 1",
    "rkr5/8/8/pPpP4/PpPp4/8/8/RKR5 w CAca c6 0 1",
];

#[test]
fn every_man_of_a_crowded_board_counts() {
    // The sums have room for 32 men; the board lets no more in.
    let more = "4k3/ppppp3/8/8/NNNNNNN1/NNNNNNN1/BBBBBB2/RRRRKRR1 w - - 0 1";
    assert!(Position::from_fen_repaired(more).is_err());
    let fen = "4k3/pppp4/8/8/NNNNNNN1/NNNNNNN1/BBBBBB2/RRRRKRR1 w - - 0 1";
    let (position, _) = Position::from_fen_repaired(fen).expect("it is let in");
    assert_eq!(position.occupied().count(), 32);
    let network = network(&random_bytes(64, FINE));
    let mut fresh = Nnue::new(network.clone());
    let mut followed = Nnue::new(network);
    followed.reset(&position);
    let before = followed.raw(&position);
    for &mv in position.legal_moves().iter() {
        let after = position.make(mv);
        followed.push(&position, mv, &after);
        fresh.reset(&after);
        assert_eq!(followed.raw(&after), fresh.raw(&after), "{}", after.fen());
        followed.pop();
    }
    assert_eq!(followed.raw(&position), before);
}

/// What the moves of some games were.
#[derive(Default)]
struct Counts {
    positions: u64,
    kinds: [u64; 4],
    nulls: u64,
    mirrored: u64,
}

/// The games of the test, or those that `ROOKERY_NET_GAMES` asks for (`cargo xtask network`).
fn games() -> u64 {
    match std::env::var("ROOKERY_NET_GAMES") {
        Ok(text) => text.parse().expect("ROOKERY_NET_GAMES is a number of games"),
        Err(_) => 200,
    }
}

#[test]
fn following_a_game_is_the_same_as_beginning_anew_on_every_path() {
    let random = network(&random_bytes(64, FINE));
    let mut counts = Counts::default();
    for number in 0..games() {
        let network = if number % 4 == 0 { embedded() } else { &random };
        play(network, number, &mut counts);
    }
    let Counts { positions, kinds, nulls, mirrored } = counts;
    println!(
        "{} games, {positions} positions on {} paths; moves by kind {kinds:?}, {nulls} null moves",
        games(),
        Path::all().len()
    );
    assert!(
        kinds.iter().all(|&count| count >= games() / 5) && nulls > games(),
        "{kinds:?} {nulls}"
    );
    assert!(mirrored > games() && positions > 20 * games(), "{mirrored} {positions}");
}

/// A random game with null moves and moves taken back. On each path one follows it that is asked after
/// every move, and one that is asked now and then; both say what one says that begins anew.
fn play(network: &Arc<Network>, number: u64, counts: &mut Counts) {
    let mut random = SplitMix::stream(19, number);
    let start = match number % 3 {
        0 => Position::from_fen(STARTS[(number / 3) as usize % STARTS.len()]).expect("legal"),
        _ => Position::chess960(random.below(960) as u16),
    };
    let mut fresh = Nnue::on_path(network.clone(), Path::all()[0]);
    let on_path = |path| Nnue::on_path(network.clone(), path);
    let [mut eager, mut lazy] =
        [0, 1].map(|_| Path::all().into_iter().map(on_path).collect::<Vec<Nnue>>());
    eager.iter_mut().chain(&mut lazy).for_each(|it| it.reset(&start));
    let mut line = vec![start];
    for _ in 0..120 {
        let position = line[line.len() - 1];
        let moves = position.legal_moves();
        fresh.reset(&position);
        let expected = fresh.raw(&position);
        let asked = random.below(3) == 0 || moves.is_empty();
        for following in eager.iter_mut().chain(if asked { lazy.iter_mut() } else { [].iter_mut() })
        {
            assert_eq!(following.raw(&position), expected, "game {number}, {}", position.fen());
        }
        counts.positions += 1;
        if moves.is_empty() {
            break;
        }
        let all = eager.iter_mut().chain(&mut lazy);
        let after = if random.below(12) == 0 && !position.in_check() {
            counts.nulls += 1;
            let after = position.make_null();
            all.for_each(|it| it.push_null(&position, &after));
            after
        } else if random.below(8) == 0 && line.len() > 1 {
            all.for_each(Evaluator::pop);
            line.pop();
            continue;
        } else {
            // Special moves are rare: they are taken where there are any, mostly.
            let special: Vec<_> = moves.iter().filter(|mv| mv.kind() != MoveKind::Normal).collect();
            let mv = match special.len() {
                count if count > 0 && random.below(3) > 0 => {
                    *special[random.below(count as u64) as usize]
                }
                _ => moves[random.below(moves.len() as u64) as usize],
            };
            counts.kinds[mv.kind() as usize] += 1;
            let after = position.make(mv);
            all.for_each(|it| it.push(&position, mv, &after));
            after
        };
        let side = |position: &Position| Color::ALL.map(|us| position.king(us).file() > 3);
        counts.mirrored += u64::from(side(&position) != side(&after));
        line.push(after);
    }
}

#[test]
fn a_walk_may_be_longer_than_usual_and_a_pop_at_the_root_does_nothing() {
    let network = network(&random_bytes(32, FINE));
    let (mut following, mut fresh) = (Nnue::new(network.clone()), Nnue::new(network));
    let position = Position::startpos();
    following.reset(&position);
    following.pop();
    let (mut line, moves) = (vec![position], ["g1f3", "g8f6", "f3g1", "f6g8"]);
    for ply in 0..700 {
        let before = line[line.len() - 1];
        let wanted = moves[ply % 4];
        let legal = before.legal_moves();
        let mv = *legal.iter().find(|mv| format!("{mv:?}") == wanted).expect(wanted);
        let after = before.make(mv);
        following.push(&before, mv, &after);
        line.push(after);
    }
    while let Some(position) = line.pop() {
        fresh.reset(&position);
        assert_eq!(following.raw(&position), fresh.raw(&position));
        following.pop();
    }
}

/// Random weights say nothing about a position, so this network counts the queens.
#[test]
fn the_evaluation_is_the_side_to_moves_within_its_limits_and_fades() {
    let queen = |input: usize| input % 384 / 64 == 4;
    let weight = |index: usize| match index / 32 {
        input if input < 384 && queen(input) && index.is_multiple_of(32) => 200,
        input if (384..768).contains(&input) && queen(input) && index % 32 == 1 => 200,
        _ => 0,
    };
    let output = |index: usize| match index % 64 {
        0 => 120,
        1 => -120,
        _ => 0,
    };
    let mut nnue = Nnue::new(network(&bytes(32, COARSE, weight, output)));
    let mut value = |fen: &str| {
        let position = Position::from_fen(fen).expect(fen);
        nnue.reset(&position);
        nnue.evaluate(&position)
    };
    let ahead = value("4k3/pppp4/8/8/8/8/PPPP4/Q3K3 w - - 0 1");
    assert!(ahead > 300, "{ahead}");
    assert_eq!(value("q3k3/pppp4/8/8/8/8/PPPP4/4K3 b - - 0 1"), ahead);
    assert!(value("4k3/pppp4/8/8/8/8/PPPP4/Q3K3 b - - 0 1") < -300);
    assert_eq!(value("4k3/pppp4/8/8/8/8/PPPP4/Q3K3 w - - 20 60"), ahead);
    let faded = value("4k3/pppp4/8/8/8/8/PPPP4/Q3K3 w - - 90 90");
    assert!((ahead / 2..ahead).contains(&faded), "{faded} {ahead}");
    // What is known is known to the network too.
    assert_eq!(value("4k3/8/8/8/8/8/8/4KB2 w - - 0 1"), 0);
    let limit = value("4k3/8/8/8/8/8/8/QQQQK3 w - - 0 1");
    assert!(limit > 5_000 && limit <= EVAL_LIMIT);
}

#[test]
fn a_mans_contribution_is_what_the_value_loses_without_it() {
    let network = network(&random_bytes(32, FINE));
    let mut nnue = Nnue::new(network.clone());
    let mut white = |fen: &str| {
        let position = Position::from_fen(fen).expect(fen);
        nnue.reset(&position);
        let value = nnue.raw(&position);
        if position.side_to_move() == Color::White { value } else { -value }
    };
    for side in ["w", "b"] {
        let fen = format!("4k3/pppp3q/8/8/8/8/PPPP4/Q3K3 {side} - - 0 1");
        let breakdown = explain_net(&network, &Position::from_fen(&fen).expect("legal"));
        assert_eq!((breakdown.white, breakdown.men.len()), (white(&fen), 10));
        let without = white(&fen.replace("Q3K3", "4K3"));
        let queen = breakdown.men.iter().find(|(square, _)| square.index() == 0);
        assert_eq!(queen.map(|(_, worth)| *worth), Some(breakdown.white - without));
    }
}

#[test]
fn what_the_trainer_computes_is_what_the_engine_computes() {
    let folder = format!("{}/../../testdata/net", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(format!("{folder}/tiny.net")).expect("the network is there");
    let network = network(&bytes);
    assert_eq!((network.hidden(), network.description()), (32, "random weights for tests"));
    let mut nnue = Nnue::new(network);
    let lines = std::fs::read_to_string(format!("{folder}/tiny.tsv")).expect("the list is there");
    let mut count = 0;
    for (fen, value) in lines.lines().filter_map(|line| line.split_once('\t')) {
        let position = Position::from_fen(fen).expect(fen);
        nnue.reset(&position);
        assert_eq!(nnue.raw(&position).to_string(), value, "{fen}");
        count += 1;
    }
    assert!(count >= 200, "{count}");
}

#[test]
fn the_embedded_network_is_sound_and_knows_what_men_are_worth() {
    let network = embedded();
    assert_eq!(
        (network.hidden(), network.description()),
        (256, "256 hidden, outcome 0.08, seed 5")
    );
    assert_eq!(
        network.checksum(),
        Network::read(&embedded_file()).expect("it is sound").checksum()
    );
    let mut nnue = Nnue::new(network.clone());
    let reference = Reference::new(&embedded_file());
    for position in positions(1).into_iter().step_by(7) {
        nnue.reset(&position);
        assert_eq!(nnue.raw(&position), reference.value(&position), "{}", position.fen());
    }
    let mut value = |fen: &str| {
        let position = Position::from_fen(fen).expect(fen);
        nnue.reset(&position);
        nnue.evaluate(&position)
    };
    // It has learnt what men are worth.
    let start = value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let rook = value("rnbqkbn1/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQq - 0 1");
    let queen = value("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!(
        (-100..100).contains(&start) && rook > start + 200 && queen > rook,
        "{start} {rook} {queen}"
    );
}
