//! The keys of positions (D29, M14): kept up to date move by move, they are those of a position that is
//! set up afresh, and different positions have different ones.

use board::Position;
use std::collections::BTreeMap;

const STARTS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
];

/// Calls `visit` with every position down to a depth.
fn walk(position: &Position, depth: u32, visit: &mut impl FnMut(&Position)) {
    visit(position);
    if depth > 0 {
        position.legal_moves().iter().for_each(|&mv| walk(&position.make(mv), depth - 1, visit));
    }
}

#[test]
fn m14_keys_kept_up_to_date_are_those_of_the_position_set_up_afresh() {
    for start in STARTS {
        let start = Position::from_fen(start).expect("a legal position");
        walk(&start, 2, &mut |position| {
            let fresh = Position::from_fen(&position.fen()).expect("what was written is read");
            assert_eq!(position.key(), fresh.key(), "{}", position.fen());
            assert_eq!(position.pawn_key(), fresh.pawn_key(), "{}", position.fen());
            assert_eq!(position.minor_key(), fresh.minor_key(), "{}", position.fen());
        });
    }
}

#[test]
fn d29_different_positions_have_different_keys() {
    let mut seen: BTreeMap<u64, String> = BTreeMap::new();
    for start in STARTS {
        let start = Position::from_fen(start).expect("a legal position");
        walk(&start, 3, &mut |position| {
            let fen = position.fen();
            // The clocks are no part of a position as the rules compare them.
            let place = fen.rsplitn(3, ' ').last().unwrap_or_default().to_owned();
            let known = seen.entry(position.key()).or_insert_with(|| place.clone());
            assert_eq!(*known, place);
        });
    }
    assert!(seen.len() > 50_000, "{}", seen.len());
}

/// The numbers of all men but kings on all squares, as the keys show them.
fn numbers() -> Vec<u64> {
    let mut numbers = Vec::new();
    for man in "PNBRQpnbrq".chars() {
        for square in 0..64 {
            let (rank, file) = (square / 8, square % 8);
            if "Pp".contains(man) && [0, 7].contains(&rank) {
                continue;
            }
            // The kings stand elsewhere, and the side that may be in check is to move.
            let kings =
                if rank < 4 { [(7, 0, 'K'), (7, 7, 'k')] } else { [(0, 0, 'K'), (0, 7, 'k')] };
            let side = if man.is_uppercase() { 'b' } else { 'w' };
            let key = |men: &[(usize, usize, char)]| {
                let mut rows = vec![vec!['1'; 8]; 8];
                men.iter().for_each(|&(rank, file, man)| rows[7 - rank][file] = man);
                let rows: Vec<String> = rows.into_iter().map(String::from_iter).collect();
                let fen = format!("{} {side} - - 0 1", rows.join("/"));
                let fen = (2..=8)
                    .rev()
                    .fold(fen, |fen, empty| fen.replace(&"1".repeat(empty), &empty.to_string()));
                Position::from_fen(&fen).expect("a legal position").key()
            };
            numbers.push(key(&kings) ^ key(&[kings[0], kings[1], (rank, file, man)]));
        }
    }
    numbers
}

#[test]
fn d29_no_two_men_nor_four_have_keys_that_cancel_each_other() {
    let numbers = numbers();
    let mut pairs: Vec<u64> = Vec::new();
    for (place, one) in numbers.iter().enumerate() {
        pairs.extend(numbers[..place].iter().map(|other| one ^ other));
    }
    let count = pairs.len();
    pairs.sort_unstable();
    pairs.dedup();
    assert!(numbers.iter().all(|&number| number != 0) && pairs[0] != 0);
    assert_eq!(pairs.len(), count, "two pairs of men look alike");
}

/// The thesis would like keys far apart, as the words of a BCH code are. But sums of words are words: 793 words
/// of a code with the distance 28 (64 bits, dimension 10) have no more than 1024 sums, and all positions would
/// share them. What counts is that the numbers span all 64 dimensions.
#[test]
fn d29_the_keys_reach_all_values_and_words_of_a_code_would_not() {
    let rank = |numbers: &[u64]| {
        let mut basis: Vec<u64> = Vec::new();
        for &number in numbers {
            let rest = basis.iter().fold(number, |rest, &base| rest.min(rest ^ base));
            if rest != 0 {
                basis.push(rest);
            }
        }
        basis.len()
    };
    let numbers = numbers();
    assert_eq!(rank(&numbers), 64);
    // The simplest code of the family: affine functions of the six bits of a place, distance 32.
    let word = |function: u64| {
        let bit = |place: u64| (function & (place | 64)).count_ones() as u64 & 1;
        (0..64).fold(0, |word, place| word | bit(place) << place)
    };
    let words: Vec<u64> = (1..128).map(word).collect();
    let distance = |words: &[u64]| {
        let apart = |place: usize, one: u64| {
            words[..place].iter().map(move |other| (one ^ other).count_ones())
        };
        words.iter().enumerate().flat_map(|(place, &one)| apart(place, one)).min()
    };
    assert_eq!((rank(&words), distance(&words)), (7, Some(32)));
    assert!(
        distance(&numbers) < Some(32),
        "chance brings keys nearer, and lets them add up to anything"
    );
}
