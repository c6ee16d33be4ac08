//! Tables that are spread over processes (Z33 to Z36, F13), on a fabric inside one program.

mod common;

use cluster::TABLES;
use common::{Cluster, Plan, positions, to_depth};
use parallel::threads::ThreadReport;
use parallel::{StrategyKind, TableKind};
use search::Quiet;
use std::time::{Duration, Instant};

/// A guard against waiting for ever, not a measurement.
const PATIENCE: Duration = Duration::from_secs(120);

/// Searches some positions; what all threads of all processes did.
fn search(kind: TableKind, strategy: StrategyKind) -> ThreadReport {
    let mut cluster = Cluster::new(&Plan::new(strategy, 3, 1));
    // As on one host, however busy this one is.
    cluster.link.set_round_trip(Duration::from_micros(5));
    cluster.link.share_table(kind);
    assert_eq!(cluster.link.table(), kind);
    let mut sum = ThreadReport::default();
    for position in positions().iter().step_by(12) {
        let found = cluster.search(position, &to_depth(10), &mut Quiet);
        let best = found.best().expect("there is a move");
        assert!(position.legal_moves().contains(&best), "{kind} {strategy} {}", position.fen());
        assert_eq!(found.depth, 10);
        for report in cluster.pool.reports() {
            sum.table_reads += report.table_reads;
            sum.table_answers += report.table_answers;
            sum.restarts += report.restarts;
            sum.reading += report.reading;
        }
    }
    let traffic = cluster.link.traffic_of_all();
    assert!(traffic.messages > 0 && traffic.bytes > traffic.messages, "{traffic:?}");
    assert_eq!((traffic.damaged, cluster.pool.failures()), (0, 0));
    assert!(cluster.end());
    sum
}

#[test]
fn a_table_that_is_spread_out_is_asked_and_answers() {
    for strategy in [StrategyKind::Lazy, StrategyKind::Ybw] {
        for kind in TABLES {
            let begun = Instant::now();
            loop {
                let did = search(kind, strategy);
                let asked = did.table_reads > 0 && did.table_answers > 0;
                let waited = did.reading > Duration::ZERO;
                assert!(kind.is_apart() || did.table_reads == 0, "{kind} {strategy}: {did:?}");
                assert!(kind == TableKind::Blocking || !waited, "{kind} {strategy}: {did:?}");
                assert!(kind == TableKind::Asynchronous || did.restarts == 0, "{did:?}");
                // On a busy machine all answers may come too late: then once more.
                if asked == kind.is_apart() && waited == (kind == TableKind::Blocking) {
                    break;
                }
                assert!(begun.elapsed() < PATIENCE, "{kind} {strategy}: {did:?}");
            }
        }
    }
}

#[test]
fn a_home_that_is_lost_knows_nothing_and_no_thread_waits_for_it() {
    for kind in [TableKind::Blocking, TableKind::Asynchronous] {
        let mut cluster = Cluster::new(&Plan::new(StrategyKind::Lazy, 2, 1));
        cluster.link.set_deadline(Duration::from_millis(500));
        cluster.link.share_table(kind);
        cluster.killer.silence(1);
        let found = cluster.search(&positions()[3], &to_depth(9), &mut Quiet);
        assert_eq!(found.depth, 9, "{kind}");
        assert!(!cluster.end(), "one has said nothing");
    }
}
