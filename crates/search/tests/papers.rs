//! What the papers say of whole searches, seen from outside.

use board::{History, Position};
use search::switches::{BARE, Switches, Window};
use search::{Bound, Iteration, Limits, Observer, Profile, Progress, Quiet, Report, Worker};
use table::AnyTable;

/// Some of the Bratko-Kopec positions.
fn positions() -> Vec<Position> {
    let records = board::epd::records(include_str!("../../../testdata/epd/bk.epd"));
    records.map(|(_, epd)| *epd.expect("the suite is sound").position()).step_by(2).collect()
}

fn table(profile: Profile) -> AnyTable {
    AnyTable::new(profile.policy(), 1).expect("a megabyte is there")
}

fn limits(depth: i32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

/// Notes every value that is told.
#[derive(Default)]
struct Listener {
    told: Vec<(i32, Bound, i32)>,
}

impl Observer for Listener {
    fn should_stop(&mut self, _: &Progress) -> bool {
        false
    }

    fn report(&mut self, report: &Report<'_>) {
        self.told.push((report.depth, report.line.bound, report.line.score));
    }

    fn go_on(&mut self, _: &Iteration) -> bool {
        true
    }
}

#[test]
fn m3_z12_a_window_that_fails_gives_a_bound_and_is_opened() {
    let narrow = Switches { iterate: true, window: Window::Static(2), ..BARE };
    let (mut low, mut high) = (0, 0);
    for position in positions() {
        let mut listener = Listener::default();
        let mut worker = Worker::new(Profile::Plain).with_switches(narrow);
        let table = table(Profile::Plain);
        worker.search(&table, &position, &History::new(), &limits(3), &mut listener);
        for depth in 1..=3 {
            let told = || listener.told.iter().filter(move |(iteration, ..)| *iteration == depth);
            let (_, bound, value) = *told().next_back().expect("every iteration ends");
            assert_eq!(bound, Bound::Exact);
            for &(_, bound, failed) in told() {
                low += u32::from(bound == Bound::Upper);
                high += u32::from(bound == Bound::Lower);
                assert!(bound != Bound::Upper || value <= failed, "{position:?} {depth}");
                assert!(bound != Bound::Lower || value >= failed, "{position:?} {depth}");
            }
        }
    }
    assert!(low > 0 && high > 0, "windows fail on both sides: {low} and {high}");
}

#[test]
fn z10_m4_null_windows_give_the_same_value_with_fewer_nodes() {
    let alpha_beta = Switches { iterate: true, history: true, killers: true, ..BARE };
    let pvs = Switches { scout: true, ..alpha_beta };
    let mut nodes = [0; 2];
    for position in positions() {
        let outcomes = [alpha_beta, pvs].map(|switches| {
            let mut worker = Worker::new(Profile::Plain).with_switches(switches);
            let table = table(Profile::Plain);
            worker.search(&table, &position, &History::new(), &limits(4), &mut Quiet)
        });
        assert_eq!(outcomes[0].lines[0].score, outcomes[1].lines[0].score, "{position:?}");
        nodes[0] += outcomes[0].nodes;
        nodes[1] += outcomes[1].nodes;
    }
    assert!(nodes[1] < nodes[0], "{nodes:?}");
}

#[test]
fn f3_the_table_keeps_the_first_moves_for_the_next_iteration() {
    for position in positions() {
        let AnyTable::TwoDeep(table) = table(Profile::Hypercube) else {
            panic!("the papers' tables are two deep");
        };
        let table = AnyTable::TwoDeep(table);
        let mut worker = Worker::new(Profile::Hypercube);
        let outcome = worker.search(&table, &position, &History::new(), &limits(4), &mut Quiet);
        let AnyTable::TwoDeep(table) = &table else { continue };
        let mut current = position;
        for &mv in outcome.lines[0].moves.iter().take(3) {
            let entry = table.probe(current.key()).entry();
            assert_eq!(entry.map(|entry| entry.mv), Some(mv), "{current:?}");
            current = current.make(mv);
        }
    }
}
