//! What the simulated machine charges: bytes for those who copy them, histories for those who scan them,
//! links for those who share them.

mod common;

use common::{COUNTS, minimax, positions, root_search, setup, small_positions};
use parallel::StrategyKind;
use parallel::sim::{self, Run, Setup, TableKind, TableSettings};
use search::Profile;

fn run(setup: &Setup) -> Run {
    sim::run(setup, &root_search(&positions()[4], 5)).expect("it ends")
}

/// Time of all processors spent on messages.
fn messages(run: &Run) -> u64 {
    run.accounts.iter().map(|account| account.messages).sum()
}

#[test]
fn every_byte_costs_its_sender_and_its_receiver() {
    // Two processors that share the root: one message each way, whose bytes are known.
    let mut usual = setup(StrategyKind::Lazy, "t805", 2, Profile::Negascout);
    usual.table.kind = TableKind::Local;
    let spent = |copy_ps| {
        let mut setup = usual.clone();
        setup.model.copy_ps = copy_ps;
        let run = sim::run(&setup, &root_search(&positions()[4], 3)).expect("it ends");
        let bytes: u64 = run.accounts.iter().map(|account| account.bytes).sum();
        (messages(&run), bytes)
    };
    let ((free, bytes), (paid, same)) = (spent(0), spent(1_000_000));
    assert_eq!(bytes, same);
    // What is sent last arrives after the end.
    assert!(paid > free + 1000 * bytes && paid <= free + 2000 * bytes, "{free} {paid} {bytes}");
}

#[test]
fn histories_that_travel_cost_more_than_requests() {
    let mut usual = setup(StrategyKind::Ybw, "ncube", 8, Profile::Negascout);
    let mut share = |from| {
        usual.history_from = from;
        let run = run(&usual);
        let sent: u64 =
            run.accounts.iter().flat_map(|it| it.sent.iter().chain(&it.table_sent)).sum();
        messages(&run) as f64 / sent as f64
    };
    let [with, without] = [3, 99].map(&mut share);
    assert!(with > 1.2 * without, "{with} {without}");
}

#[test]
fn a_scan_of_the_history_is_paid_even_if_nothing_is_told() {
    let mut setup = setup(StrategyKind::Tds, "das2", 4, Profile::Negascout);
    setup.table.kind = TableKind::Local;
    setup.tds.delta_least = i32::MAX;
    let mut spent = |copy_ps| {
        setup.model.copy_ps = copy_ps;
        let run = run(&setup);
        (messages(&run), run.accounts.iter().map(|account| account.bytes).sum::<u64>())
    };
    let ((_, _), (paid, bytes)) = (spent(0), spent(3000));
    // Both ends of every message are paid by the byte; what is beyond that was scanned.
    let copied = 2 * 3 * bytes;
    assert!(paid > 2 * copied, "{paid} {copied}");
}

#[test]
fn law_2_where_links_are_contended_the_value_is_still_that_of_minimax() {
    for (position, depth) in small_positions() {
        let expected = minimax(&position, depth);
        for strategy in StrategyKind::ALL {
            for (machine, peers) in ["t805", "wan"].into_iter().zip(COUNTS.into_iter().skip(4)) {
                let mut setup = setup(strategy, machine, peers, Profile::Plain);
                setup.switches = search::switches::BARE;
                setup.contention = true;
                let kind = TableKind::Asynchronous;
                setup.table = TableSettings { kind, kilobytes: 1024, ..setup.table };
                let run = sim::run(&setup, &root_search(&position, depth)).expect("it ends");
                assert_eq!(run.answer.value, expected, "{strategy} {machine} {}", position.fen());
            }
        }
    }
}

#[test]
fn links_that_are_shared_make_a_search_with_large_messages_slower() {
    let time = |contention| {
        let mut setup = setup(StrategyKind::Ybw, "t805", 16, Profile::Negascout);
        (setup.history_from, setup.contention) = (2, contention);
        // One search may be faster by chance.
        let run = |position| sim::run(&setup, &root_search(position, 4)).expect("it ends").time;
        positions().iter().step_by(4).map(run).sum::<u64>()
    };
    let (free, contended) = (time(false), time(true));
    assert!(contended > free, "{free} {contended}");
}

#[test]
fn a_search_that_is_stopped_answers_with_its_deepest_finished_iteration() {
    for (strategy, peers) in
        [(StrategyKind::Ybw, 1), (StrategyKind::Ybw, 5), (StrategyKind::Lazy, 3)]
    {
        let mut setup = setup(strategy, "threads", peers, Profile::Modern);
        let position = &positions()[3];
        setup.stop = Some(3_000_000);
        let stopped = sim::run(&setup, &root_search(position, 60)).expect("it ends");
        assert!(stopped.depth > 2 && !stopped.answer.line.is_empty(), "{strategy}");
        assert!((3_000_000..3_100_000).contains(&stopped.time), "{strategy}: {}", stopped.time);
        if peers == 1 {
            setup.stop = None;
            let whole = sim::run(&setup, &root_search(position, stopped.depth)).expect("it ends");
            assert_eq!(stopped.answer, whole.answer);
        }
        // However short the time, there is a move.
        setup.stop = Some(1);
        let hurried = sim::run(&setup, &root_search(position, 60)).expect("it ends");
        assert!(hurried.depth >= 1 && hurried.time < stopped.time, "{strategy}");
    }
}
