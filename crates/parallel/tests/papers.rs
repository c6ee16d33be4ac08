//! What the papers say of messages, tables and hierarchies, seen in simulated runs: each rule at work, and
//! what changes without it.

use board::{History, Position};
use parallel::accounting::Account;
use parallel::sim::{
    self, Model, Run, Sent, Setup, TableKind, TableMessage, TableSettings, Topology,
};
use parallel::strategy::{SiblingWait, TdsSettings, Waiting};
use parallel::{Dewey, Message, Peer, RootSearch, StateResult, StrategyKind};
use search::switches::ChosenRules;
use search::walk::{JobResult, Opened, Walk, Walker};
use search::{Asker, Limits, Profile};
use table::{AnyTable, PolicyKind};

/// The Bratko-Kopec positions.
fn positions() -> Vec<Position> {
    let records = board::epd::records(include_str!("../../../testdata/epd/bk.epd"));
    records.map(|(_, epd)| *epd.expect("the suite is sound").position()).collect()
}

fn root_search(position: &Position, depth: i32) -> RootSearch {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    RootSearch { position: *position, game: History::new(), limits }
}

fn setup(strategy: StrategyKind, machine: &str, peers: u32, profile: Profile) -> Setup {
    Setup::new(strategy, Model::named(machine).expect("a built-in model"), peers, profile)
}

/// A run of the fifth Bratko-Kopec position with its messages recorded.
fn run(setup: &Setup, depth: i32) -> Run {
    let setup = Setup { record: true, ..setup.clone() };
    sim::run(&setup, &root_search(&positions()[4], depth)).expect("it ends")
}

/// Young brothers on transputers.
fn zugzwang(peers: u32) -> Setup {
    setup(StrategyKind::Ybw, "t805", peers, Profile::Negascout)
}

/// Young brothers with a table that is shared in this way.
fn with_table(peers: u32, kind: TableKind) -> Setup {
    let usual = zugzwang(peers);
    Setup { table: TableSettings { kind, kilobytes: 4096, ..usual.table }, ..usual }
}

/// Transposition-driven scheduling.
fn tds(settings: TdsSettings) -> Setup {
    let mut setup = setup(StrategyKind::Tds, "das2", 16, Profile::DarkSight);
    setup.table = TableSettings { kind: TableKind::Local, kilobytes: 16384, ..setup.table };
    Setup { tds: settings, ..setup }
}

/// How many messages of a kind a processor sent.
fn sent_by(account: &Account, kind: &str) -> u64 {
    let place = Message::KINDS.iter().position(|&name| name == kind).expect("there is such a kind");
    account.sent[place]
}

/// How many messages of a kind all sent.
fn sent(run: &Run, kind: &str) -> u64 {
    run.accounts.iter().map(|account| sent_by(account, kind)).sum()
}

/// How many table messages of a kind all sent.
fn table_sent(run: &Run, kind: &str) -> u64 {
    let place = TableMessage::KINDS.iter().position(|&name| name == kind).expect("a kind");
    run.accounts.iter().map(|account| account.table_sent[place]).sum()
}

#[test]
fn z23_to_z27_idle_processors_ask_and_every_one_may_be_owner_and_helper() {
    let run = run(&zugzwang(16), 5);
    let messages = &run.timeline.as_ref().expect("it was recorded").messages;
    let first_of = |peer| messages.iter().find(|sent| sent.from == peer).expect("it speaks");
    // All but the one that has the root begin by asking (Z23, Z24).
    assert!((1..16).all(|peer| first_of(peer).kind == "request"));
    // Work comes back to where it came from (Z25); bounds and cut-offs reach those who use them (Z26).
    let count = |kind, from: u32, to: u32| {
        let these =
            messages.iter().filter(|sent| (sent.kind, sent.from, sent.to) == (kind, from, to));
        these.count()
    };
    for (owner, helper) in (0..16).flat_map(|owner| (0..16).map(move |helper| (owner, helper))) {
        let (given, returned) = (count("work", owner, helper), count("return", helper, owner));
        let refused = count("declined", helper, owner);
        assert!(returned + refused <= given, "{owner} {helper}: {returned} of {given}");
    }
    assert!(sent(&run, "return") > 100 && sent(&run, "cancel") > 0);
    let open_windows = setup(StrategyKind::Ybw, "t805", 16, Profile::Hypercube);
    assert!(sent(&self::run(&open_windows, 4), "narrow") > 0);
    // The relation lasts for one job: most processors have been both (Z27).
    let both = |account: &&Account| sent_by(account, "work") > 0 && sent_by(account, "return") > 0;
    assert!(run.accounts.iter().filter(both).count() > 8);
}

#[test]
fn z30_z31_a_local_request_goes_from_neighbour_to_neighbour() {
    let mut setup = zugzwang(32);
    (setup.ybw.local, setup.ybw.helpful) = (true, false);
    setup.ybw.return_requests = false;
    let run = run(&setup, 4);
    let topology = Topology::new(Model::named("t805").expect("built in").shape_of(32), 32);
    let messages = &run.timeline.as_ref().expect("it was recorded").messages;
    let requests = || messages.iter().filter(|sent| sent.kind == "request");
    assert!(requests().count() > 100);
    for request in requests() {
        assert_eq!(topology.distance(Peer(request.from), Peer(request.to)), 1, "{request:?}");
    }
    assert!(sent(&run, "refused") > 0, "too many hops lead back to the origin");
}

#[test]
fn z32_a_return_that_is_a_request_saves_a_message() {
    let mut setup = zugzwang(16);
    setup.ybw.helpful = false;
    let requests = |returns| {
        setup.ybw.return_requests = returns;
        let run = run(&setup, 5);
        sent(&run, "request") as f64 / sent(&run, "work") as f64
    };
    let [with, without] = [true, false].map(requests);
    assert!(with < without, "{with} requests for each job, {without} without");
}

#[test]
fn z34_f13_a_reader_goes_on_and_begins_anew_or_waits() {
    let [asynchronous, blocking] =
        [TableKind::Asynchronous, TableKind::Blocking].map(|kind| run(&with_table(16, kind), 5));
    let sums = |run: &Run| {
        let of = |what: fn(&Account) -> u64| run.accounts.iter().map(what).sum::<u64>();
        (of(|one| one.restarts), of(|one| one.table))
    };
    let ((restarts, waited), (no_restarts, waits)) = (sums(&asynchronous), sums(&blocking));
    assert!(restarts > 0 && waited == 0, "{restarts} {waited}");
    assert!(no_restarts == 0 && waits > 0, "{no_restarts} {waits}");
    for run in [&asynchronous, &blocking] {
        assert!(table_sent(run, "read") > 0 && table_sent(run, "write") > 0);
        assert!(table_sent(run, "answer") <= table_sent(run, "read"));
    }
}

#[test]
fn z35_to_z37_each_filter_asks_or_tells_less() {
    let settings = TableSettings { read_below_known: true, ..TableSettings::default() };
    let asker = |ply, parent_known| Asker { ply, depth: 4, parent_known, cut: false };
    assert!(settings.asks(asker(0, false)), "the root is asked for");
    assert!(settings.asks(asker(3, true)) && !settings.asks(asker(3, false)));
    let messages = |read_below_known, read_from, write_from| {
        let mut setup = with_table(16, TableKind::Asynchronous);
        let table = TableSettings { read_below_known, read_from, write_from, ..setup.table };
        setup.table = table;
        let run = run(&setup, 5);
        [table_sent(&run, "read"), table_sent(&run, "write")]
            .map(|count| count * 1000 / run.nodes())
    };
    let usual = messages(false, 2, 2);
    assert!(messages(true, 2, 2)[0] < usual[0], "Z35: only below what is known");
    assert!(usual[1] < messages(false, 2, 1)[1], "Z36: nothing of one ply is written");
    assert!(messages(false, 3, 3).iter().sum::<u64>() < usual.iter().sum(), "Z37: fewer accesses");
}

#[test]
fn d72_local_tables_say_nothing_replicated_ones_tell_all_and_partitioned_ones_ask() {
    let counts = |kind| {
        let run = run(&with_table(8, kind), 4);
        ["read", "answer", "write"].map(|name| table_sent(&run, name))
    };
    assert_eq!(counts(TableKind::Local), [0; 3]);
    let [read, answer, write] = counts(TableKind::Replicated);
    assert!(
        read + answer == 0 && write > 0 && write % 7 == 0,
        "all seven others are told: {write}"
    );
    let [read, answer, write] = counts(TableKind::Blocking);
    assert!(read > 0 && answer == read && write > 0, "{read} {answer} {write}");
}

#[test]
fn f14_with_local_tables_more_nodes_are_searched() {
    let nodes = |kind| -> u64 {
        let mut setup = setup(StrategyKind::Teams, "ncube", 16, Profile::Hypercube);
        setup.table = TableSettings { kind, kilobytes: 16384, ..setup.table };
        let all = positions();
        let run = |position| sim::run(&setup, &root_search(position, 4)).expect("it ends").nodes();
        all.iter().step_by(6).map(run).sum()
    };
    let (local, shared) = (nodes(TableKind::Local), nodes(TableKind::Shared));
    assert!(local * 10 > shared * 11, "{local} nodes with local tables, {shared} with one for all");
}

#[test]
fn f7_to_f11_teams_divide_themselves_again_and_know_their_own_members_only() {
    let mut setup = setup(StrategyKind::Teams, "ncube", 32, Profile::Hypercube);
    setup.teams = setup.teams.paper();
    setup.teams.branching = 6;
    let run = run(&setup, 5);
    let messages = &run.timeline.as_ref().expect("it was recorded").messages;
    let given = || messages.iter().filter(|sent| sent.kind == "team");
    // The first gives work to its captains, who give it on to theirs (F8, F11).
    let captains: std::collections::BTreeSet<u32> = given().map(|sent| sent.from).collect();
    assert!(captains.contains(&0) && captains.len() > 4, "{captains:?}");
    // A free team gets the next subtree (F10): far more of them than there are teams.
    assert!(given().filter(|sent| sent.from == 0).count() > 6);
    // Bounds and aborts reach the captains at once (F7, F12).
    assert!(sent(&run, "narrow") > 0 && sent(&run, "cancel") > 0);
    // Results go back to those who gave the work, to no other (F8: no central control).
    for result in messages.iter().filter(|sent| sent.kind == "return") {
        assert!(given().any(|work| (work.from, work.to) == (result.to, result.from)));
    }
}

#[test]
fn d78_messages_are_no_larger_than_the_theses_but_for_the_line_of_a_result() {
    // A state six plies below the root, where a grain of 4 ends a tree of depth 10, and its value. Positions that
    // can be repeated add eight bytes each to a job, moves of the line two to a result.
    let table = AnyTable::new(PolicyKind::TwoDeep, 1).expect("a megabyte is there");
    let mut table = &table;
    let rules = ChosenRules(Profile::Negascout.switches());
    let mut walk = Walk::new(rules, Profile::Negascout.evaluator());
    let mut walk = walk.session(&mut table, None);
    let Opened::Open(mut node) = walk.open_root(&root_search(&Position::startpos(), 10)) else {
        panic!("it has moves")
    };
    let mut path = Dewey::root(1);
    for depth in (4..10).rev() {
        let plan = walk.plan(&mut node).expect("there are legal moves");
        let mut job = walk.child(&mut node, &plan, true).without_killers();
        (job.alpha, job.beta, job.depth) = (-500, 500, depth);
        path = path.child(0, 0);
        let state = Message::State { path: path.clone(), job: Box::new(job.clone()) };
        assert!(state.bytes() <= 296, "New Job: {} bytes", state.bytes());
        let Opened::Open(child) = walk.open(&job) else { panic!("it is deep enough") };
        node = child;
    }
    let moves = node.position().legal_moves();
    let line: Vec<_> = moves.iter().copied().take(4).collect();
    let for_the_line = 2 * line.len();
    let job_result = JobResult { value: 0, line, nodes: 1 };
    let (alpha, beta, killers, entry) = (0, 1, Vec::new(), None);
    let state_result = Box::new(StateResult { job_result, alpha, beta, killers, entry });
    let value = Message::Value { path: path.clone(), state_result };
    assert!(value.bytes() <= 48 + for_the_line, "Result: {} bytes", value.bytes());
    let abort = Message::Abort { path, below: false };
    assert!(abort.bytes() <= 40, "Abort: {} bytes", abort.bytes());
    let run = run(&tds(TdsSettings::paper(2)), 5);
    let sums = |of: fn(&Account) -> u64| run.accounts.iter().map(of).sum::<u64>();
    let mean = sums(|one| one.bytes) / sums(|one| one.sent.iter().chain(&one.table_sent).sum());
    assert!(mean <= (296 + 48) / 2, "a job and its result take {mean} bytes each");
}

#[test]
fn d88_d89_an_abort_is_broadcast_or_follows_the_work() {
    let paper = TdsSettings::paper(2);
    let broadcast = sent(&run(&tds(paper), 5), "abort");
    assert!(
        broadcast > 0 && broadcast.is_multiple_of(15),
        "all fifteen others hear of it: {broadcast}"
    );
    let run = run(&tds(TdsSettings { broadcast: false, ..paper }), 5);
    let messages = &run.timeline.as_ref().expect("it was recorded").messages;
    for abort in messages.iter().filter(|sent| sent.kind == "abort") {
        let asked = |state: &&Sent| (state.from, state.to) == (abort.from, abort.to);
        let states =
            || messages.iter().filter(|sent| sent.kind == "state" && sent.time < abort.time);
        assert!(states().any(|state| asked(&state)), "{abort:?}: it had no state");
    }
}

#[test]
fn d83_d86_every_state_is_answered_to_the_home_of_its_parent_or_aborted() {
    let run = run(&tds(TdsSettings { broadcast: false, ..TdsSettings::paper(2) }), 5);
    let messages = &run.timeline.as_ref().expect("it was recorded").messages;
    let count = |kind, from, to| {
        messages.iter().filter(|sent| (sent.kind, sent.from, sent.to) == (kind, from, to)).count()
    };
    let mut answered = 0;
    for (parent, home) in (0..16).flat_map(|parent| (0..16).map(move |home| (parent, home))) {
        let (states, values) = (count("state", parent, home), count("value", home, parent));
        let aborts = count("abort", parent, home);
        assert!(values <= states && states <= values + aborts, "{states} {values} {aborts}");
        answered += values;
    }
    assert!(answered > 100, "{answered}");
}

/// What the tests of single rules cannot see: that the sets of rules called the papers' have them.
#[test]
fn the_rules_as_printed_are_these() {
    let printed = zugzwang(64).by_zugzwang();
    let ybw = printed.ybw;
    assert!(ybw.local && ybw.return_requests, "Z30, Z32");
    assert_eq!((ybw.wait_more, ybw.wait_hops, ybw.free_after), (0, 0, None), "Z39");
    assert!(!ybw.helpful && !ybw.killers && !ybw.expected_types, "not said");
    assert!(printed.history_from > 1000, "no histories travel");
    let table = printed.table;
    assert_eq!((table.kind, table.cache_kilobytes), (TableKind::Asynchronous, 0), "Z33, Z34");
    assert!(table.restart_late && table.read_below_known && table.late_reads, "Z34, Z35");
    assert_eq!((table.read_from, table.write_from, table.batch), (1, 2, 1), "Z36");
    let teams = setup(StrategyKind::Teams, "ncube", 64, Profile::Hypercube).teams.paper();
    assert!(teams.watch && teams.reorganise && !teams.elastic, "F12, F15, F16");
    assert!(teams.wait_more.is_none() && !teams.expected_types, "F9: the table alone");
    assert!((6..=15).contains(&teams.branching), "F8");
    assert!(teams.endgame_branching < teams.branching, "F8");
    let tds = TdsSettings::paper(4);
    assert_eq!((tds.grain, tds.open_grain), (4, 4), "D92");
    assert_eq!(
        (tds.sibling_wait, tds.waiting),
        (SiblingWait::Everywhere, Waiting::Any),
        "D84, D85"
    );
    assert!(tds.homes && tds.main_loop && tds.broadcast, "D73, D88, D90");
    assert_eq!(
        (tds.retry_ns, tds.delta_every_ns, tds.worth, tds.alone, tds.cluster),
        (0, 0, 0, 0, 0)
    );
    let cures = [tds.bounds, tds.preempt, tds.killers, tds.expected_type, tds.overlap];
    let more = [tds.eager, tds.split_on_demand, tds.aphid];
    assert!(!cures.iter().chain(&more).any(|&cure| cure), "{tds:?}");
}
