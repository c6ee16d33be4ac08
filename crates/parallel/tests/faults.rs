//! Law 6: with faults, every search ends with a legal move; and law 2 holds whatever happens.
//!
//! Every search follows from its seed: a seed that fails is printed, and `ROOKERY_FAULT_SEED` runs it
//! alone.

mod common;
#[path = "common/variants.rs"]
mod variants;

use board::Position;
use common::{COUNTS, minimax, positions, root_search, setup, small_positions};
use parallel::sim::{self, Faults, TableKind, TableSettings};
use parallel::strategy::TdsSettings;
use parallel::{Chance, Peer, StrategyKind};
use search::Profile;
use search::switches::{BARE, Switches};
use variants::variants;

const SEARCHES: u64 = 1200;
/// No small search takes an hour of virtual time.
const LIMIT: u64 = 3_600_000_000_000;

/// A handful of faults for `peers` processors; times within a small search.
fn some_faults(chance: &mut Chance, peers: u32, span: u64) -> Faults {
    let mut faults = Faults::default();
    let time = |chance: &mut Chance| chance.below(span as usize) as u64;
    for peer in (1..peers).map(Peer) {
        match chance.below(8) {
            0 => {
                let crash = time(chance);
                faults.crashes.push((peer, crash));
                if chance.below(2) == 0 {
                    faults.returns.push((peer, crash + time(chance)));
                }
            }
            1 => faults.slow.push((peer, 2 + chance.below(6) as u64)),
            2 => faults.late.push((peer, time(chance))),
            _ => (),
        }
    }
    let rate = |chance: &mut Chance, most: usize| match chance.below(2) {
        0 => 0,
        _ => chance.below(most) as u32,
    };
    faults.drop = rate(chance, 100_000);
    faults.double = rate(chance, 100_000);
    faults.delay = rate(chance, 200_000);
    faults.reorder = rate(chance, 200_000);
    faults.delay_by = time(chance) / 10;
    faults
}

/// The seeds to run: all, or the one that is asked for.
fn seeds(count: u64) -> Vec<u64> {
    match std::env::var("ROOKERY_FAULT_SEED").map(|text| text.parse()) {
        Ok(Ok(seed)) => vec![seed],
        _ => (1..=count).collect(),
    }
}

#[test]
fn law_2_and_6_with_faults_the_value_is_still_that_of_minimax() {
    let scout = Switches { scout: true, killers: true, history: true, iterate: true, ..BARE };
    let cases: Vec<(Position, i32, i32)> = small_positions()
        .into_iter()
        .map(|(position, depth)| (position, depth - 1, minimax(&position, depth - 1)))
        .collect();
    for seed in seeds(SEARCHES) {
        let mut chance = Chance::new(seed, 77);
        let (position, depth, expected) = cases[chance.below(cases.len())];
        let strategy = match chance.below(8) {
            0 => StrategyKind::Lazy,
            1 => StrategyKind::Abdada,
            2 | 3 => StrategyKind::Teams,
            4 | 5 => StrategyKind::Tds,
            _ => StrategyKind::Ybw,
        };
        let peers = COUNTS[chance.below(5)];
        let mut variants = variants(&setup(strategy, "t805", peers, Profile::Plain));
        let mut setup = variants.swap_remove(chance.below(variants.len()));
        setup.switches = scout;
        (setup.grain, setup.seed, setup.limit) = (1, seed, Some(LIMIT));
        setup.faults = some_faults(&mut chance, peers, 400_000_000);
        if seed % 2 == 0 {
            setup.tds = TdsSettings::paper(1);
        }
        if seed % 3 == 0 {
            setup.tds = TdsSettings { worth: 4, alone: 20, lull_ns: 20_000_000, ..setup.tds };
        }
        let run = sim::run(&setup, &root_search(&position, depth));
        let case = format!("seed {seed}: {strategy} on {peers}, {}", position.fen());
        let run = run.unwrap_or_else(|error| panic!("{case}: {error}"));
        assert_eq!(run.answer.value, expected, "{case}");
    }
}

#[test]
fn law_6_with_faults_and_any_table_a_search_ends_with_a_legal_move() {
    let positions = positions();
    for seed in seeds(60) {
        let mut chance = Chance::new(seed, 78);
        let position = positions[chance.below(positions.len())];
        let strategy = StrategyKind::ALL[chance.below(StrategyKind::ALL.len())];
        let kind = TableKind::ALL[chance.below(5)];
        let peers = COUNTS[1 + chance.below(4)];
        let mut variants = variants(&setup(strategy, "t805", peers, Profile::Negascout));
        let mut setup = variants.swap_remove(chance.below(variants.len()));
        setup.table = TableSettings { kind, kilobytes: 1024, ..setup.table };
        (setup.seed, setup.limit) = (seed, Some(LIMIT));
        setup.faults = some_faults(&mut chance, peers, 2_000_000_000);
        let run = sim::run(&setup, &root_search(&position, 3));
        let case = format!("seed {seed}: {strategy} on {peers}, {kind}, {}", position.fen());
        let run = run.unwrap_or_else(|error| panic!("{case}: {error}"));
        let best = run.answer.line.first().copied();
        assert!(best.is_some_and(|mv| position.is_legal(mv)), "{case}");
    }
}

#[test]
fn a_processor_that_never_comes_back_is_done_without() {
    let position = positions()[2];
    for strategy in [StrategyKind::Ybw, StrategyKind::Teams, StrategyKind::Tds] {
        let mut usual = setup(strategy, "t805", 8, Profile::Negascout);
        let crashes = (1..8).map(|peer| (Peer(peer), 200_000_000 * u64::from(peer)));
        usual.faults.crashes = crashes.collect();
        usual.limit = Some(LIMIT);
        for setup in variants(&usual) {
            let run =
                sim::run(&setup, &root_search(&position, 4)).expect("the first processor is left");
            assert!(position.is_legal(run.answer.line[0]));
        }
    }
}
