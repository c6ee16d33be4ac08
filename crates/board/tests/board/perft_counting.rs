//! Threads and the table change the time of a count, never the count.

use crate::common::position;
use board::perft::{CountTable, Counting, perft, perft_playing_all};
use board::{Move, Position};
use proptest::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const PAWNS: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
const CHESS960: &str = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
const KINGS: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";

/// Plays the moves that the numbers choose, as long as there are any.
fn walk(start: Position, choices: &[u16]) -> Position {
    choices.iter().fold(start, |position, &choice| {
        let moves = position.legal_moves();
        match moves.get(usize::from(choice) % moves.len().max(1)) {
            Some(&mv) => position.make(mv),
            None => position,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_way_of_counting_counts_the_same(
        start in prop::sample::select(vec![KIWIPETE, PAWNS, CHESS960]),
        choices in prop::collection::vec(any::<u16>(), 0..40),
        threads in 1usize..5,
        play_all in any::<bool>(),
        depth in 0u32..4,
    ) {
        let position = walk(position(start), &choices);
        let plain = perft(&position, depth);
        prop_assert_eq!(perft_playing_all(&position, depth), plain);
        let table = CountTable::new(1).expect("one megabyte");
        for table in [None, Some(&table), Some(&table)] {
            let counting = Counting { threads, table, play_all, ..Counting::default() };
            prop_assert_eq!(counting.count(&position, depth), Some(plain));
            let divided = counting.divide(&position, depth).expect("small numbers");
            let moves: Vec<Move> = divided.iter().map(|&(mv, _)| mv).collect();
            if depth > 0 {
                prop_assert_eq!(divided.iter().map(|&(_, count)| count).sum::<u64>(), plain);
                prop_assert_eq!(&moves[..], &position.legal_moves()[..]);
            }
        }
    }
}

#[test]
fn a_crowded_table_under_several_threads_stays_exact() {
    let table = CountTable::new(1).expect("one megabyte");
    for (fen, depth, nodes) in [(KIWIPETE, 4, 4_085_603), (PAWNS, 6, 11_030_083)] {
        let counting = Counting { threads: 3, table: Some(&table), ..Counting::default() };
        assert_eq!(counting.count(&position(fen), depth), Some(nodes));
    }
}

#[test]
fn counts_beyond_64_bits_are_refused_not_wrapped() {
    let table = CountTable::new(8).expect("eight megabytes");
    let counting = Counting { threads: 2, table: Some(&table), ..Counting::default() };
    let kings = position(KINGS);
    let deepest = (1..).find(|&depth| counting.count(&kings, depth).is_none());
    assert!(deepest.is_some_and(|depth| (20..40).contains(&depth)), "{deepest:?}");
}

#[test]
fn progress_ends_with_all_jobs_done() {
    let seen = Mutex::new(Vec::new());
    let note = |done, total| seen.lock().expect("no thread panics").push((done, total));
    let counting = Counting { threads: 2, progress: &note, ..Counting::default() };
    assert_eq!(counting.count(&Position::startpos(), 4), Some(197_281));
    let seen = seen.into_inner().expect("no thread panics");
    assert_eq!(seen.len(), 400);
    assert!(seen.contains(&(400, 400)) && seen.iter().all(|&(_, total)| total == 400));
}

#[test]
fn a_count_that_would_take_days_is_given_up_when_it_is_asked_to() {
    let asked = AtomicUsize::new(0);
    let stop = || asked.fetch_add(1, Relaxed) > 20;
    for threads in [1, 3] {
        let counting = Counting { threads, should_stop: &stop, ..Counting::default() };
        assert_eq!(counting.count(&Position::startpos(), 15), None);
        assert_eq!(counting.divide(&Position::startpos(), 15), None);
    }
}

#[test]
fn what_was_counted_before_a_stop_is_told() {
    let start = Position::startpos();
    let whole = Counting::default().divide(&start, 5).expect("small numbers");
    let done = AtomicUsize::new(0);
    let note = |jobs, _| done.store(jobs, Relaxed);
    // Of 8902: some moves are counted to the end then, others not.
    let stop = || done.load(Relaxed) >= 3_000;
    let counting = Counting { progress: &note, should_stop: &stop, ..Counting::default() };
    let parts = counting.divide_so_far(&start, 5);
    let ended = parts.iter().filter(|part| part.is_whole).count();
    assert!(parts.len() == 20 && (1..20).contains(&ended), "{ended}");
    for (part, &(mv, count)) in parts.iter().zip(&whole) {
        assert_eq!(part.mv, mv);
        assert!(part.count <= count && (part.count == count || !part.is_whole), "{part:?}");
    }
}

#[test]
fn a_count_that_was_cut_short_does_not_spoil_the_table() {
    let kings = position(KINGS);
    let fresh = CountTable::new(1).expect("one megabyte");
    let whole = Counting { table: Some(&fresh), ..Counting::default() }.divide(&kings, 10);
    assert!(whole.is_some());
    let table = CountTable::new(1).expect("one megabyte");
    for most in [10, 100, 1_000] {
        let asked = AtomicUsize::new(0);
        let stop = || asked.fetch_add(1, Relaxed) > most;
        let counting = Counting { table: Some(&table), should_stop: &stop, ..Counting::default() };
        assert_eq!(counting.divide(&kings, 10), None);
    }
    assert_eq!(Counting { table: Some(&table), ..Counting::default() }.divide(&kings, 10), whole);
}
