//! Teams with the paper's rules and with their cures: the laws for every choice of them, and what the
//! paper says that happens (F8 to F12, F15, F16).

mod common;
#[path = "common/variants.rs"]
mod variants;

use board::Position;
use common::{COUNTS, minimax, positions, root_search, setup, small_positions};
use parallel::accounting::Account;
use parallel::sim::{self, Run, Setup, TableKind, TableSettings};
use parallel::{Message, Peer, StrategyKind};
use search::Profile;
use search::switches::{BARE, ChosenRules, Switches};
use search::walk::{Opened, Walk, Walker};
use table::{AnyTable, Bound, Entry, PolicyKind};
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
fn f8_in_an_endgame_every_owner_has_few_teams_at_all_levels() {
    let position = Position::from_fen("4k3/2r2pp1/8/8/8/3B4/1R3PP1/4K3 w - - 0 1").expect("sound");
    let mut setup = hypercube(64, TableKind::Shared);
    setup.teams = setup.teams.paper();
    // The members of a captain stay the same.
    (setup.teams.reorganise, setup.record) = (false, true);
    let run = sim::run(&setup, &root_search(&position, 5)).expect("it ends");
    let mut captains = std::collections::BTreeMap::<u32, std::collections::BTreeSet<u32>>::new();
    for given in run.timeline.expect("it was recorded").messages {
        if given.kind == "team" {
            captains.entry(given.from).or_default().insert(given.to);
        }
    }
    assert!(captains.len() > 4, "teams are divided again: {captains:?}");
    let most = captains.values().map(|captains| captains.len()).max();
    assert_eq!(most, Some(setup.teams.endgame_branching as usize), "{captains:?}");
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

#[test]
fn f9_where_the_table_suggests_a_move_the_others_wait_for_it_and_elsewhere_for_none() {
    for suggests in [true, false] {
        let table = AnyTable::new(PolicyKind::TwoDeep, 1).expect("a megabyte is there");
        let rules = ChosenRules(Profile::Hypercube.switches());
        let mut walk = Walk::new(rules, Profile::Hypercube.evaluator());
        let mut looked_up = &table;
        let mut walk = walk.session(&mut looked_up, None);
        let Opened::Open(mut root) = walk.open_root(&root_search(&Position::startpos(), 4)) else {
            panic!("it has moves")
        };
        let plan = walk.plan(&mut root).expect("twenty moves");
        let mut job = walk.child(&mut root, &plan, true);
        job.depth = 3;
        let mv = job.position().legal_moves()[9];
        if suggests {
            let (slot, bound) = (table.probe(job.position().key()).slot(), Bound::Upper);
            let entry = Entry { mv, score: 0, eval: None, depth: 0, bound, pv: false };
            table.store_at(slot, entry);
        }
        let task = Peer(1).task(1);
        assert!(walk.start_job(task, Box::new(job)));
        let base = walk.base(task);
        let mut seen = [0; 2];
        while !walk.is_idle() {
            walk.run(1, || false);
            let here = walk.split_point(0, 1).filter(|it| Some(it.level) == base);
            let Some(split_point) = here else { continue };
            let is_done = split_point.settled > 0;
            assert_eq!(walk.is_free(&split_point), is_done || !suggests);
            seen[usize::from(is_done)] += 1;
        }
        assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
    }
}
