//! Young brothers by Zugzwang's rules as printed, each at its condition, and the laws for both sets of rules.

mod common;
#[path = "common/variants.rs"]
mod variants;

use board::{History, Position};
use common::{COUNTS, minimax, positions, root_search, setup, small_positions};
use parallel::accounting::Balance;
use parallel::sim::{self, Run, Setup, TableKind};
use parallel::strategy::{SplitRules, Ybw, YbwSettings};
use parallel::{Action, Context, Message, Peer, Strategy, StrategyKind, Time};
use search::switches::{BARE, ChosenRules, NEGASCOUT, Switches, ZUGZWANG};
use search::walk::{Pause, SplitRule, Walk};
use search::{Limits, Profile, Quiet, Worker};
use table::{AnyTable, PolicyKind};
use variants::variants;

const NEIGHBOURS: [Peer; 3] = [Peer(2), Peer(5), Peer(7)];

fn paper(me: u32, seed: u64, history_from: i32) -> Ybw {
    let settings = YbwSettings::default().paper();
    let rules = SplitRules::uniform(SplitRule { grain: 1, history_from });
    Ybw::new(Peer(me), 16, NEIGHBOURS.to_vec(), settings, rules, seed)
}

/// Lets the test call a strategy over a walk; it gets what is wanted done.
fn with_walk(test: impl FnOnce(&mut Caller<'_>)) {
    let table = AnyTable::new(Profile::Negascout.policy(), 1).expect("a megabyte is there");
    let profile = Profile::Negascout;
    let mut walk = Walk::new(ChosenRules(profile.switches()), profile.evaluator());
    let mut table = &table;
    let mut session = walk.session(&mut table, None);
    test(&mut |nodes, call| {
        let pause = (nodes > 0).then(|| session.run(nodes, || false));
        let mut actions = Vec::new();
        call(&mut Context::new(0, &mut session, &mut actions));
        (pause, actions)
    });
}

type Call<'a> = dyn FnMut(&mut Context<'_>) + 'a;

/// Searches some nodes, then calls the strategy: why the walk stopped, and what is wanted done.
type Caller<'a> = dyn FnMut(u64, &mut Call<'_>) -> (Option<Pause>, Vec<Action>) + 'a;

/// Where a request goes to.
fn asked(actions: &[Action]) -> Option<(Peer, u32)> {
    actions.iter().find_map(|action| match *action {
        Action::AskAny { to, hops, .. } => Some((to, hops)),
        _ => None,
    })
}

fn request(hops: u32) -> Message {
    Message::Request { origin: Peer(9), ticket: 3, hops, within: None }
}

#[test]
fn z30_the_first_request_goes_to_a_neighbour() {
    for seed in 0..20 {
        with_walk(|run| {
            let mut strategy = paper(1, seed, 9);
            let (_, actions) = run(0, &mut |context| strategy.begin(None, context));
            assert!(
                asked(&actions).is_some_and(|(to, hops)| NEIGHBOURS.contains(&to) && hops == 0)
            );
        });
    }
}

#[test]
fn z31_a_request_goes_on_to_one_of_the_remaining_neighbours_and_back_when_it_has_gone_too_far() {
    for seed in 0..20 {
        with_walk(|run| {
            let mut strategy = paper(1, seed, 9);
            let mut handle = |from, hops| {
                run(0, &mut |context| strategy.handle(Peer(from), request(hops), context)).1
            };
            let (to, hops) = asked(&handle(5, 0)).expect("it is passed on");
            assert!([Peer(2), Peer(7)].contains(&to) && hops == 1, "{to} {hops}");
            let back = handle(5, 4);
            assert!(
                matches!(back[0], Action::Send(Peer(9), Message::Refused { ticket: 3 })),
                "{back:?}"
            );
        });
    }
}

/// What a processor with the root sends until it has no more work to give and waits.
fn until_it_waits(strategy: &mut Ybw, call: &mut Caller<'_>) -> Vec<Message> {
    let root = root_search(&Position::startpos(), 3);
    call(0, &mut |context| strategy.begin(Some(&root), context));
    let mut sent = Vec::new();
    for _ in 0..100_000 {
        let (pause, actions) =
            call(1, &mut |context| strategy.handle(Peer(9), request(4), context));
        sent.extend(actions.into_iter().filter_map(|action| match action {
            Action::Send(Peer(9), message) => Some(message),
            _ => None,
        }));
        if pause == Some(Pause::Waiting) {
            return sent;
        }
    }
    panic!("it never waits");
}

#[test]
fn as_printed_work_travels_without_killers_and_histories() {
    with_walk(|run| {
        let sent = until_it_waits(&mut paper(0, 1, i32::MAX), run);
        let jobs = sent.into_iter().filter_map(|message| match message {
            Message::Work { job, .. } => Some(job),
            _ => None,
        });
        let jobs: Vec<_> = jobs.collect();
        assert!(!jobs.is_empty());
        for job in jobs {
            assert_eq!(*job, job.clone().without_killers());
            assert!(job.bytes() < 1000, "a history takes sixteen thousand");
        }
    });
}

#[test]
fn as_printed_an_owner_that_waits_asks_for_nothing() {
    for helpful in [false, true] {
        with_walk(|run| {
            let settings = YbwSettings { helpful, ..YbwSettings::default().paper() };
            let rules = SplitRules::uniform(SplitRule { grain: 1, history_from: 9 });
            let mut strategy = Ybw::new(Peer(0), 16, NEIGHBOURS.to_vec(), settings, rules, 1);
            let sent = until_it_waits(&mut strategy, run);
            let asks =
                |message: &Message| matches!(message, Message::Request { within: Some(_), .. });
            assert_eq!(sent.iter().any(asks), helpful, "{sent:?}");
        });
    }
}

fn sequential(position: &Position, depth: i32) -> u64 {
    let table = AnyTable::new(PolicyKind::TwoDeep, 1).expect("a megabyte is there");
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut worker = Worker::new(Profile::Negascout);
    worker.search(&table, position, &History::new(), &limits, &mut Quiet).nodes
}

fn run(setup: &Setup, position: &Position, depth: i32) -> Run {
    sim::run(setup, &root_search(position, depth)).expect("it ends")
}

/// Young brothers by the rules as printed and by ours, at a distributed table of a megabyte.
fn paid(peers: u32) -> Vec<Setup> {
    let mut usual = setup(StrategyKind::Ybw, "t805", peers, Profile::Negascout);
    usual.table.kilobytes = 1024;
    variants(&usual).split_off(1)
}

fn sent(run: &Run, kind: &str) -> u64 {
    let kind = Message::KINDS.iter().position(|&name| name == kind).expect("a kind");
    run.accounts.iter().map(|account| account.sent[kind]).sum()
}

#[test]
fn z32_without_requests_in_returns_there_are_more_requests() {
    let position = positions()[3];
    let usual = setup(StrategyKind::Ybw, "t805", 16, Profile::Negascout).by_zugzwang();
    let mut without = usual.clone();
    without.ybw.return_requests = false;
    let [with, without] = [usual, without].map(|setup| {
        let run = run(&setup, &position, 4);
        sent(&run, "request") as f64 / sent(&run, "work") as f64
    });
    assert!(without > with, "{without} requests for a job, {with} where returns ask");
}

#[test]
fn z33_z34_the_paid_table_is_read_answered_and_written_and_nodes_restart() {
    for setup in paid(16) {
        assert_eq!(setup.table.kind, TableKind::Asynchronous);
        let run = run(&setup, &positions()[3], 4);
        let of_kind = |kind: usize| run.accounts.iter().map(|it| it.table_sent[kind]).sum::<u64>();
        let (reads, answers) = (of_kind(0), of_kind(1));
        assert!(reads > answers && answers > 0, "only a lock that fits is answered");
        assert!(of_kind(2) > 0 && run.accounts.iter().any(|account| account.restarts > 0));
    }
}

#[test]
fn z34_as_printed_the_machine_has_nodes_begin_anew_late() {
    let printed = &paid(16)[0];
    assert!(printed.table.restart_late);
    let mut early = printed.clone();
    early.table.restart_late = false;
    // What a walk does then is seen in the tests of `search`; more restarts here are fewer elsewhere.
    let hash = |setup: &Setup| run(setup, &positions()[0], 5).hash;
    assert_ne!(hash(printed), hash(&early));
}

#[test]
fn z35_late_reads_ask_more() {
    let printed = &paid(16)[0];
    let mut narrow = printed.clone();
    narrow.table.late_reads = false;
    let reads = |setup: &Setup| {
        let run = run(setup, &positions()[3], 4);
        run.accounts.iter().map(|account| account.table_sent[0]).sum::<u64>()
    };
    assert!(reads(printed) > reads(&narrow));
}

#[test]
fn law_2_the_value_is_that_of_minimax_by_both_rules() {
    let scout = Switches { scout: true, killers: true, history: true, iterate: true, ..BARE };
    for (position, depth) in small_positions() {
        let expected = minimax(&position, depth);
        for peers in COUNTS {
            for mut setup in paid(peers) {
                (setup.switches, setup.grain) = (scout, 1);
                assert_eq!(run(&setup, &position, depth).answer.value, expected);
            }
        }
    }
}

#[test]
fn law_3_a_run_repeated_by_either_rules_has_the_same_hash() {
    for setup in paid(16) {
        let runs = [0, 0, 1].map(|more: u64| {
            let setup = Setup { seed: 1 + more, ..setup.clone() };
            run(&setup, &positions()[4], 3)
        });
        assert_eq!(runs[0].hash, runs[1].hash);
        assert_eq!(runs[0].accounts, runs[1].accounts);
        assert_ne!(runs[0].hash, runs[2].hash);
    }
}

#[test]
fn law_5_every_moment_is_counted_by_either_rules() {
    for peers in [1, 3, 64] {
        for setup in paid(peers) {
            let mut balance = Balance::default();
            for position in positions().iter().step_by(12) {
                let nodes = sequential(position, 4);
                let run = run(&setup, position, 4);
                assert!(run.accounts.iter().all(|account| account.total() == run.time));
                let time: Time = nodes * setup.model.node;
                balance.add(&run.accounts, run.time, nodes, time);
            }
            assert!(balance.closure().abs() < 0.01, "{peers}: {}", balance.closure());
        }
    }
}

/// Z43: why Figure 5 has accelerations and no speedups.
#[test]
fn z43_fail_high_reductions_let_the_value_depend_on_the_number_of_processors() {
    let differ = |switches: Switches| {
        let switches = Switches { table: false, ..switches };
        let value = |peers, position: &Position| {
            let mut setup = setup(StrategyKind::Ybw, "t805", peers, Profile::Negascout);
            (setup.switches, setup.table.kilobytes) = (switches, 1024);
            run(&setup, position, 4).answer.value
        };
        positions().iter().filter(|position| value(1, position) != value(16, position)).count()
    };
    assert_eq!(differ(NEGASCOUT), 0, "windows do not shape its tree");
    assert!(differ(ZUGZWANG) > 0);
}
