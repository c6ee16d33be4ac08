//! The laws for transposition-driven scheduling by the thesis's rules and with each cure alone; with all
//! cures it is among the strategies of laws.rs and faults.rs.

mod common;

use board::{History, Move, Position};
use common::{COUNTS, minimax, positions, root_search, setup, small_positions};
use parallel::accounting::{Account, Balance};
use parallel::sim::{self, Setup, TableKind, TableSettings};
use parallel::strategy::{SiblingWait, Tds, TdsSettings, Waiting};
use parallel::{Context, Dewey, Message, Peer, Strategy, StrategyKind};
use search::switches::{BARE, ChosenRules, Switches};
use search::walk::{Absorbed, Job, JobResult, Opened, Pause, PlanKind, Walk, Walker};
use search::{Limits, Profile, Quiet, Worker};
use table::{AnyTable, PolicyKind};

/// The thesis's rules, and the same with each cure.
fn variants(grain: i32) -> Vec<(&'static str, TdsSettings)> {
    let paper = TdsSettings::paper(grain);
    let types = |wait_more, all_wait, cut_width| SiblingWait::ByType {
        wait_more,
        all_wait,
        cut_width,
        cut_after: 0,
        all_width: cut_width,
        cut_ahead: 0,
        all_ahead: 0,
    };
    vec![
        ("paper", paper),
        ("poll", TdsSettings { main_loop: false, ..paper }),
        ("aborts", TdsSettings { broadcast: false, ..paper }),
        ("bounds", TdsSettings { bounds: true, ..paper }),
        ("preempt", TdsSettings { main_loop: false, preempt: true, ..paper }),
        ("types", TdsSettings { sibling_wait: types(1, true, 1), ..paper }),
        ("at once", TdsSettings { sibling_wait: types(0, false, 0), main_loop: false, ..paper }),
        ("killers", TdsSettings { killers: true, ..paper }),
        (
            "expected_type",
            TdsSettings { expected_type: true, sibling_wait: types(1, true, 1), ..paper },
        ),
        ("overlap", TdsSettings { overlap: true, ..paper }),
        ("eager", TdsSettings { eager: true, main_loop: false, ..paper }),
        ("stealing", TdsSettings { retry_ns: 1_000_000, main_loop: false, ..paper }),
        (
            "split on demand",
            TdsSettings {
                split_on_demand: true,
                retry_ns: 1_000_000,
                sibling_wait: types(0, false, 0),
                ..paper
            },
        ),
        ("waiting for the earlier", TdsSettings { waiting: Waiting::Earlier, ..paper }),
        ("the shallowest first", TdsSettings { waiting: Waiting::AnyShallowest, ..paper }),
        ("aphid", TdsSettings { aphid: true, ..paper }),
        ("not far ahead", not_far_ahead(grain)),
        ("impatient", TdsSettings { longest_wait_ns: 0, ..paper }),
        ("searched plies", TdsSettings { searched_grain: grain + 1, grain: 1, ..paper }),
        ("work stealing", TdsSettings::work_stealing(grain, 5_000, 10_000)),
        ("pure", TdsSettings::cured(grain).without_stealing()),
        ("history_delta", TdsSettings { delta_every_ns: 1_000_000, delta_least: 1, ..paper }),
        ("grains", TdsSettings { open_grain: grain + 1, ..paper }),
        (
            "auto grain",
            TdsSettings { worth: 3, alone: 20, lull_ns: 100_000, ..TdsSettings::cured(grain) },
        ),
        ("clusters", TdsSettings { cluster: 3, remote_grain: grain + 1, ..paper }),
        ("cured", TdsSettings::cured(grain)),
    ]
}

/// Children wait for the first that is out after two or three, and idle processors have them go further.
fn not_far_ahead(grain: i32) -> TdsSettings {
    let mut settings = TdsSettings::cured(grain);
    if let SiblingWait::ByType { cut_ahead, all_ahead, .. } = &mut settings.sibling_wait {
        (*cut_ahead, *all_ahead) = (2, 3);
    }
    settings
}

fn tds(machine: &str, peers: u32, profile: Profile, settings: TdsSettings) -> Setup {
    Setup { tds: settings, ..setup(StrategyKind::Tds, machine, peers, profile) }
}

#[test]
fn law_1_one_processor_visits_the_same_nodes_whatever_the_grain() {
    for profile in Profile::ALL {
        let depth = if profile == Profile::Modern { 7 } else { 4 };
        for position in positions().into_iter().skip(3).step_by(9) {
            let table = AnyTable::new(PolicyKind::TwoDeep, 1).expect("a megabyte is there");
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            let mut worker = Worker::new(profile);
            let expected = worker.search(&table, &position, &History::new(), &limits, &mut Quiet);
            for grain in [1, 3] {
                for (name, settings) in variants(grain) {
                    let mut setup = tds("das2", 1, profile, settings);
                    setup.table = TableSettings { kilobytes: 1024, ..setup.table };
                    let run = sim::run(&setup, &root_search(&position, depth)).expect("it ends");
                    let case = format!("{profile} {name} grain {grain} {}", position.fen());
                    assert_eq!(run.nodes(), expected.nodes, "{case}");
                    assert_eq!(run.answer.value, expected.lines[0].score, "{case}");
                    assert_eq!(run.answer.line.first(), expected.best().as_ref(), "{case}");
                }
            }
        }
    }
}

#[test]
fn law_2_every_variant_on_any_number_of_processors_returns_the_minimax_value() {
    let scout = Switches { scout: true, killers: true, history: true, iterate: true, ..BARE };
    for (position, depth) in small_positions() {
        let expected = minimax(&position, depth);
        for (name, settings) in variants(1) {
            for peers in COUNTS {
                for (switches, machine) in [(scout, "das2"), (scout, "ideal"), (BARE, "t805")] {
                    let mut setup = tds(machine, peers, Profile::Plain, settings);
                    setup.switches = switches;
                    let case = format!("{name} {machine} {peers} {}", position.fen());
                    let run = sim::run(&setup, &root_search(&position, depth));
                    let run = run.unwrap_or_else(|error| panic!("{case}: {error}"));
                    assert_eq!(run.answer.value, expected, "{case}");
                }
            }
        }
    }
}

#[test]
fn laws_3_and_5_a_run_repeats_itself_and_every_moment_is_counted() {
    let position = positions()[4];
    for (name, settings) in variants(2) {
        for kind in [TableKind::Local, TableKind::Asynchronous] {
            for peers in COUNTS {
                let mut setup = tds("das2", peers, Profile::DarkSight, settings);
                setup.table = TableSettings { kind, kilobytes: 4096, ..setup.table };
                let run = || sim::run(&setup, &root_search(&position, 4)).expect("it ends");
                let (one, two) = (run(), run());
                assert_eq!((one.hash, one.nodes()), (two.hash, two.nodes()), "{name} {peers}");
                for account in &one.accounts {
                    assert_eq!(account.total(), one.time, "{name} {kind} {peers}");
                }
                if peers == 16 {
                    setup.seed += 1;
                    let other = sim::run(&setup, &root_search(&position, 4)).expect("it ends");
                    assert_ne!(other.hash, one.hash, "{name} {kind}: another seed");
                }
            }
        }
    }
}

#[test]
fn d75_states_go_to_their_homes_and_no_table_is_read_elsewhere() {
    let position = positions()[4];
    let kind_of = |name| Message::KINDS.iter().position(|&kind| kind == name).expect("a kind");
    for (name, settings) in variants(2) {
        let mut setup = tds("das2", 16, Profile::DarkSight, settings);
        setup.table = TableSettings { kind: TableKind::Local, kilobytes: 16384, ..setup.table };
        let run = sim::run(&setup, &root_search(&position, 5)).expect("it ends");
        let sent = |name| run.accounts.iter().map(|one| one.sent[kind_of(name)]).sum::<u64>();
        assert!(run.accounts.iter().all(|one| one.table_sent.iter().sum::<u64>() == 0));
        assert_eq!(settings.homes, sent("state") > 100, "{name}");
        assert!(sent("value") > 50 && sent("abort") > 0, "{name}");
        assert_eq!(settings.bounds, sent("bounds") > 0, "{name}");
        assert_eq!(settings.delta_every_ns > 0, sent("history_delta") > 0, "{name}");
        assert_eq!(settings.retry_ns > 0, sent("steal") > 0, "{name}");
        // Where there are no homes, the one that has the root need not steal.
        let works = |one: &Account| one.jobs > 0 || !settings.homes && one.nodes > 0;
        assert!(run.accounts.iter().all(works), "{name}");
    }
}

#[test]
fn d96_a_search_that_is_too_small_to_be_shared_is_that_of_one_processor() {
    let position = positions()[4];
    let alone = TdsSettings { alone: 10_000_000, ..TdsSettings::paper(1) };
    let run = |peers, settings| {
        let setup = tds("das2", peers, Profile::DarkSight, settings);
        sim::run(&setup, &root_search(&position, 4)).expect("it ends")
    };
    let (one, many) = (run(1, TdsSettings::paper(1)), run(16, alone));
    assert_eq!((one.nodes(), one.time), (many.nodes(), many.time));
    assert_eq!(many.accounts[1..].iter().map(|account| account.nodes).sum::<u64>(), 0);
}

#[test]
fn d93_on_a_machine_with_dear_messages_fewer_states_are_sent() {
    let position = positions()[4];
    let sent = |worth| {
        let settings = TdsSettings { worth, ..TdsSettings::cured(2) };
        let run =
            sim::run(&tds("das2", 16, Profile::DarkSight, settings), &root_search(&position, 5));
        run.expect("it ends").accounts.iter().map(|account| account.jobs).sum::<u64>()
    };
    let counts = [2, 10, 50].map(sent);
    assert!(counts.is_sorted_by(|a, b| a > b), "{counts:?}");
}

#[test]
fn fewer_states_are_aborted_where_children_do_not_go_far_ahead() {
    let aborts = |settings| {
        let setup = tds("das2", 16, Profile::DarkSight, settings);
        let run =
            |position| sim::run(&setup, &root_search(&position, 5)).expect("it ends").accounts;
        let accounts = positions().into_iter().take(3).flat_map(run);
        accounts.map(|account| account.aborts).sum::<u64>()
    };
    let never_more = |settings| TdsSettings { widen: 0, ..settings };
    let near = aborts(never_more(not_far_ahead(2)));
    let far = aborts(never_more(TdsSettings::cured(2)));
    assert!(near > 0 && 2 * near < far, "{near} {far}");
}

#[test]
fn d101_what_crosses_between_clusters_is_counted() {
    let position = positions()[4];
    let remote = |machine, cluster| {
        let settings = TdsSettings { cluster, ..TdsSettings::cured(2) };
        let run =
            sim::run(&tds(machine, 32, Profile::DarkSight, settings), &root_search(&position, 4));
        let accounts = run.expect("it ends").accounts;
        let sums = |of: fn(&Account) -> u64| accounts.iter().map(of).sum::<u64>();
        assert!(sums(|one| one.remote_bytes) <= sums(|one| one.bytes));
        (sums(|one| one.remote_messages), sums(|one| one.remote_bytes))
    };
    assert_eq!(remote("das2", 0), (0, 0));
    let (wide, narrow) = (remote("wan", 16), remote("wan", 0));
    assert!(
        0 < wide.0 && wide.0 < narrow.0 && 0 < wide.1 && wide.1 < narrow.1,
        "{wide:?} {narrow:?}"
    );
}

/// The move that cuts off a child of the root that was opened with a null window, the first that is no
/// capture; what the table and the killers know about it afterwards is all that is left of it.
fn cut_quietly(walk: &mut dyn Walker, job: &Job) -> Move {
    let Opened::Open(mut node) = walk.open(job) else { panic!("it is deep enough") };
    loop {
        let plan = walk.plan(&mut node).expect("a quiet move");
        let quiet = plan.kind == PlanKind::Move && !node.position().is_capture(plan.mv);
        let value = if quiet { job.alpha - 500 } else { job.beta + 500 };
        let value = if plan.kind.stays() { job.alpha } else { value };
        let found = JobResult { value, line: Vec::new(), nodes: 1 };
        if walk.settle(&mut node, &plan, &found) == Absorbed::Cut {
            walk.close(node);
            return plan.mv;
        }
    }
}

#[test]
fn d91_where_killers_do_not_travel_a_held_node_has_those_of_its_processor() {
    for keeps in [true, false] {
        let table = AnyTable::new(PolicyKind::Bucketed, 1).expect("a megabyte is there");
        let AnyTable::Bucketed(table) = table else { panic!("it has buckets") };
        let mut table = &table;
        let mut walk =
            Walk::new(ChosenRules(Profile::DarkSight.switches()), eval::Classical::new());
        let mut walk = walk.session(&mut table, None);
        walk.keep_killers(keeps);
        let Opened::Open(mut root) = walk.open_root(&root_search(&Position::startpos(), 6)) else {
            panic!("it has moves")
        };
        let [one, two] = [(); 2].map(|()| {
            let plan = walk.plan(&mut root).expect("twenty moves");
            let mut job = walk.child(&mut root, &plan, true);
            (job.alpha, job.beta, job.depth) = (0, 1, 4);
            job
        });
        let killer = cut_quietly(&mut walk, &one);
        let Opened::Open(mut node) = walk.open(&two) else { panic!("it is deep enough") };
        walk.plan(&mut node);
        assert_eq!(node.is_promising(killer), keeps, "{killer:?}");
    }
}

#[test]
fn d92_by_searched_plies_only_states_near_the_root_are_sent() {
    let position = positions()[4];
    let states = Message::KINDS.iter().position(|&kind| kind == "state").expect("a kind");
    let sent = |searched_grain| {
        let settings = TdsSettings { searched_grain, ..TdsSettings::paper(1) };
        let run =
            sim::run(&tds("das2", 16, Profile::DarkSight, settings), &root_search(&position, 4));
        run.expect("it ends").accounts.iter().map(|account| account.sent[states]).sum::<u64>()
    };
    let counts = [1, 2, 3].map(sent);
    // A further ply has many times the states; windows and tables make it less.
    assert!(counts.is_sorted_by(|a, b| 2 * a < *b), "{counts:?}");
    // One ply is the root's children: at most once for each iteration and attempt.
    let moves = position.legal_moves().len() as u64;
    assert!(0 < counts[0] && counts[0] < 4 * 3 * moves, "{counts:?}");
}

/// The first child of the initial position, to be searched to a depth.
fn first_child(walk: &mut dyn Walker, depth: i32) -> Job {
    let Opened::Open(mut root) = walk.open_root(&root_search(&Position::startpos(), 4)) else {
        panic!("it has moves")
    };
    let plan = walk.plan(&mut root).expect("twenty moves");
    let mut job = walk.child(&mut root, &plan, true);
    job.depth = depth;
    job
}

fn state(path: Dewey, job: &Job) -> Message {
    Message::State { path, job: Box::new(job.clone()) }
}

#[test]
fn d90_messages_wait_for_the_end_of_a_piece_of_work() {
    for main_loop in [true, false] {
        let table = AnyTable::new(PolicyKind::TwoDeep, 1).expect("a megabyte is there");
        let mut table = &table;
        let rules = ChosenRules(Profile::DarkSight.switches());
        let mut walk = Walk::new(rules, Profile::DarkSight.evaluator());
        let mut walk = walk.session(&mut table, None);
        let job = first_child(&mut walk, 3);
        let state = |number| state(Dewey::root(1).child(number, 0), &job);
        // Small enough that one processor searches it alone.
        let settings = TdsSettings { main_loop, ..TdsSettings::paper(4) };
        let mut strategy = Tds::new(Peer(1), 4, settings);
        let mut actions = Vec::new();
        let mut handle = |walk: &mut dyn Walker, message| {
            strategy.handle(Peer(0), message, &mut Context::new(0, walk, &mut actions));
        };
        handle(&mut walk, state(1));
        assert!(!walk.is_idle());
        handle(&mut walk, Message::Abort { path: Dewey::root(1), below: true });
        assert_eq!(walk.is_idle(), !main_loop, "the abort is heard at once, or later");
        if main_loop {
            let Pause::Finished(task, found) = walk.run(u64::MAX, || false) else {
                panic!("it has no other work")
            };
            strategy.finished(task, found, &mut Context::new(0, &mut walk, &mut actions));
        }
        strategy.handle(Peer(0), state(2), &mut Context::new(0, &mut walk, &mut actions));
        assert!(walk.is_idle(), "what lies below the aborted state is dropped (D88)");
    }
}

#[test]
fn d88_what_is_left_of_an_earlier_search_of_the_root_is_dropped() {
    let table = AnyTable::new(PolicyKind::TwoDeep, 1).expect("a megabyte is there");
    let mut table = &table;
    let profile = Profile::DarkSight;
    let mut walk = Walk::new(ChosenRules(profile.switches()), profile.evaluator());
    let mut walk = walk.session(&mut table, None);
    let job = first_child(&mut walk, 4);
    let mut strategy = Tds::new(Peer(1), 64, TdsSettings::paper(1));
    let mut sent = |search| {
        let (path, mut actions) = (Dewey::root(search).child(1, 0), Vec::new());
        strategy.handle(Peer(0), state(path, &job), &mut Context::new(0, &mut walk, &mut actions));
        actions.len()
    };
    // It is held, and its first child goes to its home; what comes late is dropped.
    let counts = [1, 2, 1].map(&mut sent);
    assert!(counts[0] > 0 && counts == [counts[0], counts[0], 0], "{counts:?}");
}

/// Nodes, time, and the most nodes of a processor over the mean, less one, of a few searches.
fn measured(peers: u32, settings: TdsSettings, depth: i32) -> (u64, u64, f64) {
    let mut balance = Balance::default();
    let (mut nodes, mut time) = (0, 0);
    for position in positions().iter().step_by(5) {
        let mut setup = tds("das2", peers, Profile::DarkSight, settings);
        setup.table = TableSettings { kind: TableKind::Local, kilobytes: 16384, ..setup.table };
        let run = sim::run(&setup, &root_search(position, depth)).expect("it ends");
        balance.add(&run.accounts, run.time, run.nodes(), run.time);
        (nodes, time) = (nodes + run.nodes(), time + run.time);
    }
    (nodes, time, balance.imbalance())
}

#[test]
fn d97_the_cured_rules_search_fewer_nodes_than_the_theses() {
    let alone = measured(1, TdsSettings::paper(2), 5).0;
    let overhead = |settings| measured(16, settings, 5).0 as f64 / alone as f64 - 1.0;
    let (paper, cured) = (overhead(TdsSettings::paper(2)), overhead(TdsSettings::cured(2)));
    assert!(cured < 0.8 * paper, "{cured} {paper}");
}

#[test]
fn d112_a_finer_grain_expands_more_nodes_in_the_same_time() {
    let rate = |grain| {
        let (nodes, time, _) = measured(16, TdsSettings::paper(grain), 5);
        nodes as f64 / time as f64
    };
    let rates = [1, 2, 3].map(rate);
    assert!(rates.is_sorted_by(|a, b| a > b), "{rates:?}");
}

#[test]
fn d111_the_imbalance_falls_with_depth_and_grows_with_the_number_of_processors() {
    let imbalance = |peers, depth| measured(peers, TdsSettings::paper(1), depth).2;
    let [shallow, deep, many] = [(4, 4), (4, 5), (32, 5)].map(|(n, depth)| imbalance(n, depth));
    assert!(deep < shallow && deep < many, "{shallow} {deep} {many}");
}
