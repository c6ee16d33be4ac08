//! Teams with the paper's rules and with their cures: the laws for every choice of them, and what the
//! paper says that happens (F8 to F12, F15, F16).

mod common;
#[path = "common/variants.rs"]
mod variants;

use common::{COUNTS, minimax, positions, root_search, setup, small_positions};
use parallel::accounting::Account;
use parallel::sim::{self, Run, Setup, TableKind, TableSettings};
use parallel::{Message, StrategyKind};
use search::Profile;
use search::switches::{BARE, Switches};
use variants::variants;

/// Felten and Otto's machine and search.
fn hypercube(peers: u32, kind: TableKind) -> Setup {
    let mut setup = setup(StrategyKind::Teams, "ncube", peers, Profile::Hypercube);
    setup.table = TableSettings { kind, kilobytes: 1024, ..setup.table };
    setup
}

/// How many messages of a kind were sent.
fn sent(run: &Run, kind: &str) -> u64 {
    let place = Message::KINDS.iter().position(|&name| name == kind).expect("there is such a kind");
    run.accounts.iter().map(|account: &Account| account.sent[place]).sum()
}

#[test]
fn law_2_with_every_choice_the_value_is_that_of_minimax() {
    let scout = Switches { scout: true, killers: true, history: true, iterate: true, ..BARE };
    for (position, depth) in small_positions().into_iter().step_by(2) {
        let expected = minimax(&position, depth);
        for peers in COUNTS {
            for switches in [BARE, scout] {
                let mut usual = setup(StrategyKind::Teams, "ncube", peers, Profile::Plain);
                usual.switches = switches;
                for setup in variants(&usual) {
                    let run = sim::run(&setup, &root_search(&position, depth)).expect("it ends");
                    let case = format!("{peers} {:?} {}", setup.teams, position.fen());
                    assert_eq!(run.answer.value, expected, "{case}");
                }
            }
        }
    }
}

#[test]
fn law_1_3_5_with_every_choice_one_does_the_same_as_none_runs_repeat_and_all_time_is_counted() {
    let position = positions()[7];
    for kind in [TableKind::Shared, TableKind::Blocking] {
        let alone =
            sim::run(&hypercube(1, kind), &root_search(&position, 4)).expect("it ends").nodes();
        for peers in COUNTS {
            for setup in variants(&hypercube(peers, kind)) {
                let run = || sim::run(&setup, &root_search(&position, 4)).expect("it ends");
                let (one, two) = (run(), run());
                let case = format!("{peers} {kind} {:?}", setup.teams);
                assert_eq!((one.hash, one.nodes()), (two.hash, two.nodes()), "{case}");
                assert!(peers > 1 || one.nodes() == alone, "{case}");
                for account in &one.accounts {
                    assert_eq!(account.total(), one.time, "{case}");
                }
            }
        }
    }
}

#[test]
fn f12_an_owner_that_only_watches_searches_less_than_one_that_helps() {
    let position = positions()[3];
    let nodes_of_the_first = |watch| {
        let mut setup = hypercube(8, TableKind::Shared);
        setup.teams = setup.teams.paper();
        setup.teams.watch = watch;
        sim::run(&setup, &root_search(&position, 4)).expect("it ends").accounts[0].nodes
    };
    let (watches, helps) = (nodes_of_the_first(true), nodes_of_the_first(false));
    assert!(watches * 2 < helps, "{watches} {helps}");
}

#[test]
fn f15_hot_spots_are_stopped_and_given_to_larger_teams() {
    let position = positions()[3];
    let run = |reorganise| {
        let mut setup = hypercube(16, TableKind::Shared);
        setup.teams = setup.teams.paper();
        (setup.teams.reorganise, setup.teams.hot_after_ns) = (reorganise, 20 * setup.model.node);
        sim::run(&setup, &root_search(&position, 5)).expect("it ends")
    };
    let (on, off) = (run(true), run(false));
    assert!(sent(&on, "cancel") > sent(&off, "cancel"));
    assert!(on.time < off.time, "{} {}", on.time, off.time);
}

#[test]
fn f16_elastic_teams_grow_without_being_stopped() {
    let position = positions()[3];
    let run = |elastic| {
        let mut setup = hypercube(16, TableKind::Shared);
        setup.teams.elastic = elastic;
        sim::run(&setup, &root_search(&position, 4)).expect("it ends")
    };
    let (on, off) = (run(true), run(false));
    assert!(sent(&on, "join") > 0 && sent(&on, "release") > 0);
    assert_eq!(sent(&off, "join") + sent(&off, "release"), 0);
}
