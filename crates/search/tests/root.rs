//! The search of the root by a walk among others: iterations that are left out or given up, a fail high that
//! another has found, and a deep recursion that asks whether to stop.

use board::{History, Move, Position};
use search::switches::ModernRules;
use search::walk::{FailHigh, Pause, RootSearch, Session, TaskId, Walk, Walker};
use search::{
    Iteration, Limits, Lookup, Observer, Outcome, Profile, Progress, Quiet, Report, Worker,
};
use table::AnyTable;

const DEPTH: i32 = 9;

fn position() -> Position {
    let fen = "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P1B2/2NBPN2/PP3PPP/R2Q1RK1 w - - 0 10";
    Position::from_fen(fen).expect("a sound position")
}

fn root_search() -> RootSearch {
    let limits = Limits { depth: Some(DEPTH), ..Limits::default() };
    RootSearch { position: position(), game: History::new(), limits }
}

type Modern = Walk<ModernRules, eval::MainEvaluator>;

fn walk() -> Modern {
    Walk::new(ModernRules, eval::MainEvaluator::new(None))
}

fn table() -> AnyTable {
    let table = AnyTable::new(Profile::Modern.policy(), 1).expect("a megabyte is there");
    table.new_search();
    table
}

fn bucketed(table: &AnyTable) -> &table::Table {
    match table {
        AnyTable::Bucketed(table) => table,
        _ => panic!("modern has buckets"),
    }
}

type ModernSession<'a, T> = Session<'a, ModernRules, eval::MainEvaluator, T>;

/// Goes on until something holds, or to the end.
fn run_until<T: Lookup>(
    session: &mut ModernSession<'_, T>,
    holds: impl Fn(&ModernSession<'_, T>) -> bool,
) {
    while !holds(session) {
        if matches!(session.run(1, || false), Pause::Finished(TaskId::ROOT, _) | Pause::Idle) {
            return;
        }
    }
}

fn finish<T: Lookup>(session: &mut ModernSession<'_, T>) -> Outcome {
    run_until(session, |_| false);
    let outcome = session.walk.outcome();
    assert_eq!(outcome.depth, DEPTH);
    assert!(outcome.best().is_some_and(|mv| position().is_legal(mv)));
    outcome
}

#[test]
fn an_iteration_that_others_have_finished_is_given_up() {
    let (mut walk, table) = (walk(), table());
    let mut table = bucketed(&table);
    let mut session = walk.session(&mut table, None);
    assert!(!session.leap(5), "there is no search");
    session.start_root(&root_search(), 0);
    run_until(&mut session, |session| session.walk.reached() == 3);
    let before = session.nodes();
    run_until(&mut session, |session| session.nodes() >= before + 50);
    assert!(!session.leap(4), "it is there already");
    assert!(session.leap(6));
    assert_eq!((session.walk.progress().depth, session.walk.reached()), (6, 3));
    run_until(&mut session, |session| session.walk.reached() == 6);
    // The next one is at least this deep, and never deeper than what was asked for.
    session.walk.set_ahead(DEPTH + 5);
    run_until(&mut session, |session| session.walk.reached() > 7);
    assert_eq!(session.walk.reached(), DEPTH);
    finish(&mut session);
    let iterations = walk.take_statistics().iterations.len();
    assert_eq!(iterations, 6, "one to three, six, seven, nine");
}

#[test]
fn a_fail_high_of_another_search_is_looked_into_at_once() {
    let (mut walk, table) = (walk(), table());
    let mut table = bucketed(&table);
    let mut session = walk.session(&mut table, None);
    session.start_root(&root_search(), 0);
    run_until(&mut session, |session| session.walk.reached() == 6);
    let best = session.walk.outcome();
    let before = session.nodes();
    run_until(&mut session, |session| session.nodes() >= before + 100);
    let current = session.walk.progress().root_move.map(|(mv, _)| mv);
    let moves = position().legal_moves();
    let is_other = |mv: &Move| Some(*mv) != current && Some(*mv) != best.best();
    let mv = moves.iter().copied().find(is_other).expect("there are many moves");
    let heard = FailHigh { depth: 7, mv, value: best.lines[0].score + 200 };
    assert!(!session.hear_fail_high(&FailHigh { depth: 6, ..heard }), "ours is deeper");
    let worse = best.lines[0].score;
    assert!(!session.hear_fail_high(&FailHigh { value: worse, ..heard }), "ours is as good");
    assert!(!session.hear_fail_high(&FailHigh { mv: Move::NONE, ..heard }), "no such move");
    assert!(session.hear_fail_high(&heard));
    run_until(&mut session, |session| session.walk.progress().root_move.is_some());
    assert_eq!(session.walk.progress().root_move, Some((mv, 1)));
    assert!(!session.hear_fail_high(&heard), "it is under search");
    finish(&mut session);
}

#[test]
fn helpers_leave_out_iterations_and_come_to_the_same_depth() {
    let mut seen = Vec::new();
    for helper in 0..8 {
        let (mut walk, table) = (walk(), table());
        let mut table = bucketed(&table);
        walk.set_skipping(true);
        let mut session = walk.session(&mut table, None);
        session.start_root(&root_search(), helper);
        let mut depths = Vec::new();
        while session.walk.reached() < DEPTH {
            let before = session.walk.reached();
            run_until(&mut session, |session| session.walk.reached() > before);
            depths.push(session.walk.reached());
        }
        seen.push(depths);
    }
    assert_eq!(seen[0], (1..=DEPTH).collect::<Vec<_>>(), "the first leaves out none");
    for (helper, depths) in seen.iter().enumerate().skip(1) {
        assert!(depths.len() < DEPTH as usize, "{helper}: {depths:?}");
        assert!(depths.ends_with(&[DEPTH - 1, DEPTH]), "{helper}: {depths:?}");
        assert!(seen[..helper].iter().all(|other| other != depths), "{helper}: {depths:?}");
    }
}

/// Is asked often, and wants to stop at every third question in the beginning.
#[derive(Default)]
struct Hesitant(u32);

impl Observer for Hesitant {
    fn should_stop(&mut self, _: &Progress) -> bool {
        self.0 += 1;
        self.0 < 100 && self.0.is_multiple_of(3)
    }

    fn report(&mut self, _: &Report<'_>) {}

    fn go_on(&mut self, _: &Iteration) -> bool {
        true
    }
}

#[test]
fn law_1_a_deep_recursion_visits_the_same_nodes_and_can_be_stopped_inside() {
    let (ours, theirs) = (table(), table());
    let RootSearch { position, game, limits } = root_search();
    let mut worker = Worker::new(Profile::Modern);
    let expected = worker.search(&theirs, &position, &game, &limits, &mut Quiet);
    let mut walk = walk();
    walk.set_recursion(6);
    let mut shared = bucketed(&ours);
    let mut session = walk.session(&mut shared, None);
    session.start_root(&root_search(), 0);
    let found = finish(&mut session);
    assert_eq!((found.nodes, found.lines), (expected.nodes, expected.lines));
    // What was stopped is entered again, be it the root or a node above it.
    for recursion in [DEPTH - 1, DEPTH] {
        let mut hesitant = Hesitant::default();
        walk.set_recursion(recursion);
        ours.clear(1);
        let mut session = walk.session(&mut shared, Some(&mut hesitant));
        session.start_root(&root_search(), 0);
        finish(&mut session);
        assert!(hesitant.0 >= 3, "it was asked {} times", hesitant.0);
    }
}
