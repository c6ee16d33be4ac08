//! The network's evaluation against a slow reference: the formula of `docs/reference/networks.md`, from the file's
//! bytes, in wide integers, for each position anew.

mod support;

use board::random::SplitMix;
use board::{Color, MoveKind, Position};
use eval::nnue::{EMBEDDED, Network, Nnue, Path, embedded, explain_net};
use eval::{EVAL_LIMIT, Evaluator};
use std::sync::Arc;
use support::positions;

const HEADER: usize = 40;
const TEXT: &str = "a test";

/// The scales of the first format, of the hidden layer and of the output, and finer ones.
const COARSE: [usize; 2] = [255, 64];
const FINE: [usize; 2] = [1_023, 1_000];

/// The bytes of a network: the trainer's shape, any weights.
fn bytes(
    hidden: usize,
    scales: [usize; 2],
    mut weight: impl FnMut(usize) -> i16,
    output: impl Fn(usize) -> i16,
) -> Vec<u8> {
    let mut bytes = b"ROOKNNUE".to_vec();
    let version = if scales == COARSE { 1 } else { 2 };
    for number in [version, 768, hidden, 8, scales[0], scales[1], 400, TEXT.len()] {
        bytes.extend((number as u32).to_le_bytes());
    }
    bytes.extend(TEXT.as_bytes());
    (0..769 * hidden).for_each(|index| bytes.extend(weight(index).to_le_bytes()));
    (0..16 * hidden).for_each(|index| bytes.extend(output(index).to_le_bytes()));
    (0..8).for_each(|bucket| bytes.extend((bucket * 1_000 - 3_500i32).to_le_bytes()));
    seal(bytes)
}

fn seal(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.extend(files::crc32(0, &bytes).to_le_bytes());
    bytes
}

/// Weights as large as a trainer's, of both signs.
fn random_bytes(hidden: usize, scales: [usize; 2]) -> Vec<u8> {
    let mut random = SplitMix(hidden as u64);
    let mut upto = |most: usize| random.below(2 * most as u64 + 1) as i16 - most as i16;
    let outputs: Vec<i16> = (0..16 * hidden).map(|_| upto(scales[1])).collect();
    // Rather more than less than nothing, so that most lanes are awake.
    let most = (scales[0] * 3 / 5).min(900);
    bytes(hidden, scales, |_| upto(most) + most as i16 / 15, |index| outputs[index])
}

fn network(bytes: &[u8]) -> Arc<Network> {
    Arc::new(Network::read(bytes).expect("a good network"))
}

/// What the page says.
struct Reference {
    hidden: usize,
    scales: [i64; 2],
    weights: Vec<i64>,
    biases: Vec<i64>,
}

impl Reference {
    fn new(bytes: &[u8]) -> Reference {
        let number = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| bytes[at + i]));
        let (hidden, text) = (number(16) as usize, number(36) as usize);
        let start = HEADER + text;
        let count = hidden * (769 + 16);
        let weight = |index| {
            let at = start + 2 * index;
            i64::from(i16::from_le_bytes([bytes[at], bytes[at + 1]]))
        };
        let biases = (0..8).map(|bucket| i64::from(number(start + 2 * count + 4 * bucket) as i32));
        let scales = [24, 28].map(|at| i64::from(number(at)));
        let weights = (0..count).map(weight).collect();
        Reference { hidden, scales, weights, biases: biases.collect() }
    }

    fn value(&self, position: &Position) -> i32 {
        let hidden = self.hidden;
        let [one, output_one] = self.scales;
        // A square is divided by the power of two that leaves it 14 bits.
        let divisor = ((one + 1) / 128).pow(2);
        let us = position.side_to_move();
        let bucket = (position.occupied().count() as usize - 2) / 4;
        let mut total = 0;
        for (half, side) in [us, !us].into_iter().enumerate() {
            let mirror = if position.king(side).file() >= 4 { 7 } else { 0 };
            let turn = if side == Color::Black { 56 } else { 0 };
            for lane in 0..hidden {
                let mut sum = self.weights[768 * hidden + lane];
                for square in position.occupied() {
                    let piece = position.piece_on(square).expect("it is occupied");
                    let enemy = usize::from(piece.color() != side);
                    let seen = square.index() ^ mirror ^ turn;
                    let input = 384 * enemy + 64 * piece.kind().index() + seen;
                    sum += self.weights[input * hidden + lane];
                }
                let square = sum.clamp(0, one).pow(2) / divisor;
                total += square * self.weights[(769 + 2 * bucket + half) * hidden + lane];
            }
        }
        ((total * divisor + self.biases[bucket] * one) * 400 / (one * one * output_one)) as i32
    }
}

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

#[test]
fn following_a_game_is_the_same_as_beginning_anew() {
    let network = network(&random_bytes(64, FINE));
    let mut fresh = Nnue::new(network.clone());
    let mut random = SplitMix(19);
    let (mut kinds, mut nulls, mut mirrored) = ([0; 4], 0, 0);
    for path in Path::all() {
        let mut following = Nnue::on_path(network.clone(), path);
        for (start, number) in
            STARTS.iter().flat_map(|start| (0..25).map(move |game| (start, game)))
        {
            let start = Position::from_fen(start).expect(start);
            following.reset(&start);
            let mut line = vec![start];
            for _ in 0..120 {
                let position = line[line.len() - 1];
                let moves = position.legal_moves();
                // Lazily: some positions are looked at, the others are passed through.
                if random.below(3) == 0 || moves.is_empty() {
                    fresh.reset(&position);
                    assert_eq!(
                        following.raw(&position),
                        fresh.raw(&position),
                        "game {number} from {}, {}",
                        start.fen(),
                        position.fen()
                    );
                }
                if moves.is_empty() {
                    break;
                }
                let after = if random.below(12) == 0 && !position.in_check() {
                    nulls += 1;
                    let after = position.make_null();
                    following.push_null(&position, &after);
                    after
                } else if random.below(5) == 0 && line.len() > 1 {
                    following.pop();
                    line.pop();
                    continue;
                } else {
                    // Special moves are rare: they are taken where there are any, mostly.
                    let special: Vec<_> =
                        moves.iter().filter(|mv| mv.kind() != MoveKind::Normal).collect();
                    let mv = match special.len() {
                        count if count > 0 && random.below(3) > 0 => {
                            *special[random.below(count as u64) as usize]
                        }
                        _ => moves[random.below(moves.len() as u64) as usize],
                    };
                    kinds[mv.kind() as usize] += 1;
                    let after = position.make(mv);
                    following.push(&position, mv, &after);
                    after
                };
                let side = |position: &Position| Color::ALL.map(|us| position.king(us).file() > 3);
                mirrored += usize::from(side(&position) != side(&after));
                line.push(after);
            }
        }
    }
    assert!(kinds.iter().all(|&count| count >= 50) && nulls > 100, "{kinds:?} {nulls}");
    assert!(mirrored > 100, "{mirrored}");
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
fn damaged_cut_empty_and_foreign_files_are_refused_in_one_line() {
    let good = random_bytes(32, FINE);
    let reason = |bytes: &[u8]| {
        let reason = Network::read(bytes).expect_err("it is refused");
        assert_eq!(reason.lines().count(), 1);
        reason
    };
    assert_eq!(reason(b""), "it is empty");
    assert_eq!(reason(b"PK\x03\x04 something else"), "it is no network of Rookery's");
    for cut in [8, 11, 20, 39, 45, 1_000, good.len() - 1] {
        assert_eq!(reason(&good[..cut]), "it is cut off", "{cut}");
    }
    let mut random = SplitMix(1);
    for at in (0..60).chain((0..300).map(|_| random.below(good.len() as u64) as usize)) {
        let mut damaged = good.clone();
        damaged[at] ^= 1 << (at % 8);
        reason(&damaged);
    }
    let with = |at: usize, number: u32| {
        let mut other = good[..good.len() - 4].to_vec();
        other[at..at + 4].copy_from_slice(&number.to_le_bytes());
        seal(other)
    };
    assert_eq!(reason(&with(8, 3)), "it has the format 3; this program reads up to 2");
    assert!(reason(&with(16, 48)).contains("its shape [768, 48, 8, 1023, 1000, 400] is not one"));
    for scale in [0, 63, 1_000, 1_024, 32_767, u32::MAX] {
        assert!(reason(&with(24, scale)).contains("its shape"), "{scale}");
    }
    for scale in [0, 32_768, u32::MAX] {
        assert!(reason(&with(28, scale)).contains("its shape"), "{scale}");
    }
    assert!(reason(&with(36, 1 << 30)).contains("its description has no end"));
    assert_eq!(reason(&[&good[..], b"x"].concat()), "it is damaged: bytes follow its end");
    let mut text = good[..good.len() - 4].to_vec();
    text[HEADER] = b'\n';
    assert_eq!(reason(&seal(text)), "its description is no line of text");
}

#[test]
fn networks_whose_sums_could_leave_their_integers_are_refused() {
    // One lane: what each input gives it, and the bias, which comes last.
    let lane = |weight: fn(usize) -> i16| {
        let weight = move |index: usize| if index % 32 == 5 { weight(index / 32) } else { 0 };
        Network::read(&bytes(32, FINE, weight, |_| 0)).map(|_| ())
    };
    let refused = Err("a hidden value could leave its 16 bits".to_owned());
    // A king of each side and thirty other men, whatever they are.
    assert_eq!(lane(|input| if input < 768 { 1_023 } else { 31 }), Ok(()));
    assert_eq!(lane(|input| if input < 768 { 1_023 } else { 32 }), refused);
    assert_eq!(lane(|input| if input < 768 { -1_024 } else { 0 }), Ok(()));
    assert_eq!(lane(|input| if input < 768 { -1_024 } else { -1 }), refused);
    // One man stands on a square, and one king a side. The bias is as large as the weights.
    assert_eq!(lane(|input| if input % 64 < 8 { 2_900 } else { 0 }), Ok(()));
    assert_eq!(lane(|input| if input % 64 < 9 { 2_900 } else { 0 }), refused);
    assert_eq!(lane(|input| if input / 64 % 6 == 5 { 16_000 } else { 0 }), Ok(()));
    let outputs = |weight: i16| Network::read(&bytes(512, FINE, |_| 0, |_| weight)).map(|_| ());
    assert_eq!(outputs(128), Ok(()));
    assert_eq!(outputs(-129), Err("an output could leave its 32 bits".to_owned()));
}

#[test]
fn the_embedded_network_is_sound_and_knows_what_men_are_worth() {
    let network = embedded();
    assert_eq!(
        (network.hidden(), network.description()),
        (256, "256 hidden, outcome 0.15, seed 2")
    );
    assert_eq!(network.checksum(), Network::read(EMBEDDED).expect("it is sound").checksum());
    let mut nnue = Nnue::new(network.clone());
    let reference = Reference::new(EMBEDDED);
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
