//! What the papers say of whole searches, seen from outside.

use board::{History, Position};
use search::switches::{BARE, Quiescence, Switches, TableUse, Window};
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
fn m6_a_sliding_window_moves_by_a_piece_until_the_value_lies_inside() {
    let sliding = Switches { iterate: true, window: Window::Sliding(2), ..BARE };
    let full = Switches { window: Window::Full, ..sliding };
    let mut failed = 0;
    for position in positions() {
        let [expected, told] = [full, sliding].map(|switches| {
            let mut listener = Listener::default();
            let mut worker = Worker::new(Profile::Plain).with_switches(switches);
            let table = table(Profile::Plain);
            worker.search(&table, &position, &History::new(), &limits(3), &mut listener);
            listener.told
        });
        failed += told.iter().filter(|(_, bound, _)| *bound != Bound::Exact).count();
        let exact: Vec<_> =
            told.into_iter().filter(|(_, bound, _)| *bound == Bound::Exact).collect();
        assert_eq!(exact, expected, "{position:?}");
    }
    assert!(failed > 0, "windows fail");
}

#[test]
fn m6_the_first_window_lies_around_the_value_of_the_move_before() {
    // Direct searches, so that the window is all that the second can have from the first.
    let narrow = Switches { window: Window::Static(2), ..BARE };
    let position = positions()[0];
    let search = |worker: &mut Worker, position: &Position| {
        let (table, mut listener) = (table(Profile::Plain), Listener::default());
        let outcome = worker.search(&table, position, &History::new(), &limits(3), &mut listener);
        (outcome.nodes, outcome.lines[0].score, listener.told.len())
    };
    let mut worker = Worker::new(Profile::Plain).with_switches(narrow);
    let (first, score, told) = search(&mut worker, &position);
    assert_eq!(told, 1, "nothing was expected, and nothing failed");
    let (second, same, told) = search(&mut worker, &position);
    assert_eq!((same, told), (score, 1));
    assert!(second < first, "{second} nodes with a narrow window, {first} with a full one");
    // What was found for the other side says nothing, and a new game nothing of the last.
    let other = position.make(position.legal_moves()[0]);
    let fresh = search(&mut Worker::new(Profile::Plain).with_switches(narrow), &other);
    assert_eq!(search(&mut worker, &other), fresh);
    worker.new_game();
    assert_eq!(search(&mut worker, &other), fresh);
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
fn m10_without_a_quiescence_search_a_loss_hides_behind_the_horizon() {
    // The rook is protected: the queen is lost on the second ply.
    let position = Position::from_fen("4k3/8/4p3/3r4/8/8/8/3QK3 w - - 0 1").expect("sound");
    let best = |quiescence, depth| {
        let switches = Switches { quiescence, ..BARE };
        let mut worker = Worker::new(Profile::Plain).with_switches(switches);
        let table = table(Profile::Plain);
        let limits = limits(depth);
        let outcome = worker.search(&table, &position, &History::new(), &limits, &mut Quiet);
        position.san(outcome.best().expect("there are legal moves"))
    };
    assert_eq!(best(Quiescence::Off, 1), "Qxd5");
    assert_ne!(best(Quiescence::Off, 2), "Qxd5", "a ply more shows it");
    assert_ne!(best(Quiescence::Captures, 1), "Qxd5", "and so does the quiescence search");
}

/// Marsland's Figure 4 in small: Black's queen is lost for a bishop. A pawn that is thrown in its way puts that off
/// by two plies, which is beyond a near horizon whatever captures are looked at there.
#[test]
fn m10_delaying_moves_push_the_loss_of_the_queen_beyond_the_horizon() {
    let fen = "6kq/7p/4p3/3p4/8/1PB5/1Q6/6K1 b - - 0 1";
    let position = Position::from_fen(fen).expect("a sound position");
    let search = |depth| {
        let switches = Switches { quiescence: Quiescence::Captures, ..BARE };
        let mut worker = Worker::new(Profile::Plain).with_switches(switches);
        let table = table(Profile::Plain);
        let limits = limits(depth);
        let outcome = worker.search(&table, &position, &History::new(), &limits, &mut Quiet);
        (position.san(outcome.best().expect("there are moves")), outcome.lines[0].score)
    };
    let throws_a_pawn = |san: &str| ["d4", "e5"].contains(&san);
    let (deep, lost) = search(5);
    assert!(!throws_a_pawn(&deep), "{deep}");
    for depth in 1..5 {
        let (san, value) = search(depth);
        assert!(throws_a_pawn(&san) && value > lost + 250, "{depth}: {san} {value}, {lost}");
    }
}

#[test]
fn d33_in_about_nine_of_ten_cut_nodes_the_first_move_cuts() {
    let mut sum = search::Statistics::default();
    for position in positions() {
        let mut worker = Worker::new(Profile::DarkSight);
        let table = table(Profile::DarkSight);
        worker.search(&table, &position, &History::new(), &limits(5), &mut Quiet);
        sum.add(worker.statistics());
    }
    let share = sum.expected_first_share();
    assert!((0.88..0.96).contains(&share), "{share}");
}

/// Fine's position 70, Marsland's Figure 10: only Kb1 wins, and only the table makes the search deep enough.
#[test]
fn m20_the_table_makes_trees_of_pawn_endings_five_times_smaller_and_finds_kb1() {
    let fen = "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1";
    let position = Position::from_fen(fen).expect("a sound position");
    for (profile, depth) in [(Profile::Plain, 20), (Profile::Negascout, 20), (Profile::Modern, 21)]
    {
        let table = AnyTable::new(profile.policy(), 16).expect("16 megabytes are there");
        let mut worker = Worker::new(profile);
        let outcome = worker.search(&table, &position, &History::new(), &limits(depth), &mut Quiet);
        assert_eq!(position.san(outcome.best().expect("there are moves")), "Kb1", "{profile}");
    }
    let depth = 12;
    let plain = Profile::Plain.switches();
    let mut worker = Worker::new(Profile::Plain);
    let with = worker.search(
        &table(Profile::Plain),
        &position,
        &History::new(),
        &limits(depth),
        &mut Quiet,
    );
    let mut worker = worker.with_switches(Switches { table: false, ..plain });
    let most = Limits { nodes: Some(5 * with.nodes), ..limits(depth) };
    let without =
        worker.search(&table(Profile::Plain), &position, &History::new(), &most, &mut Quiet);
    assert_eq!((with.depth, without.depth < depth), (depth, true), "{with:?} {without:?}");
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

/// The value of a position by a direct search to a depth, with a table of its own, and the nodes.
fn direct(position: &Position, switches: Switches, depth: i32) -> (i32, u64) {
    let mut worker = Worker::new(Profile::Plain).with_switches(switches);
    let table = table(Profile::Plain);
    let outcome = worker.search(&table, position, &History::new(), &limits(depth), &mut Quiet);
    (outcome.lines[0].score, outcome.nodes)
}

/// Graph-history interaction: a position's value belongs to the line that led to it, and a table brings values of
/// other lines (one of these positions is a draw by repetition for it, one is none). With the past in its keys a
/// direct search with a table says what a search without one says.
#[test]
fn d30_a_table_that_knows_the_past_brings_nothing_from_another_line() {
    let with = Switches { table: true, ..BARE };
    let past = Switches { history_keys: true, ..with };
    for (fen, without, by_table) in [
        ("8/5k2/1p6/1P2p3/4Pp1p/2p2PpP/2P2KP1/8 w - - 0 1", -33, 0),
        ("5K2/8/3k4/1p1p1p2/pP1PpP1p/P1p1P1pP/2P3P1/8 b - - 0 1", 0, -87),
        ("8/k7/2p5/2P5/3p1p2/1K1PpP2/4P3/8 b - - 0 1", -32, -83),
        ("6K1/8/2p2k2/2P2p2/5P1p/1p1p3P/1P1P4/8 w - - 0 1", 44, 92),
    ] {
        let position = Position::from_fen(fen).expect("a sound position");
        let values = [BARE, past, with].map(|switches| direct(&position, switches, 7).0);
        assert_eq!(values[0], values[1], "{fen}");
        assert_eq!(
            (values[0] == 0, values[2] == 0),
            (without == 0, by_table == 0),
            "{fen} {values:?}"
        );
        assert_ne!(values[0], values[2], "{fen}");
    }
}

/// 3.6 (e) of the survey: what the table contributes by its moves, its bounds and its cut-offs.
#[test]
fn m35_each_use_of_the_table_saves_nodes_and_changes_no_value() {
    let none = TableUse { ordering: false, bounds: false, cuts: false };
    let nodes = |table_use| {
        let deepening = Switches { iterate: true, table: true, table_use, ..BARE };
        positions().iter().map(|position| direct(position, deepening, 4).1).sum::<u64>()
    };
    let useless = nodes(none);
    let without = Switches { iterate: true, ..BARE };
    assert_eq!(useless, positions().iter().map(|p| direct(p, without, 4).1).sum::<u64>());
    let ordering = nodes(TableUse { ordering: true, ..none });
    let bounds = nodes(TableUse { bounds: true, ..none });
    let cuts = nodes(TableUse { cuts: true, ..none });
    let all = nodes(TableUse::ALL);
    for part in [ordering, bounds, cuts] {
        assert!(all < part && part < useless, "{all} {ordering} {bounds} {cuts} {useless}");
    }
}

/// 4.4 of the survey: in endings the table makes trees smaller than the minimal tree.
#[test]
fn m20_with_a_table_the_tree_of_an_ending_is_smaller_than_the_minimal_tree() {
    let position = Position::from_fen("8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1").expect("sound");
    let depth = 15;
    let table = AnyTable::new(Profile::Plain.policy(), 16).expect("16 megabytes are there");
    let outcome = Worker::new(Profile::Plain).search(
        &table,
        &position,
        &History::new(),
        &limits(depth),
        &mut Quiet,
    );
    // A king in a corner has three moves, as few as any here; of the leaves alone the minimal tree of width 4
    // has more than all nodes of all iterations.
    let minimal = 4u64.pow(8) + 4u64.pow(7) - 1;
    assert!(outcome.depth == depth && outcome.nodes < minimal, "{} {minimal}", outcome.nodes);
}

/// 2.5 of the survey: at the least, the outcome of a single exchange is taken into account.
#[test]
fn m25_exchanges_at_the_horizon_see_what_hangs_with_fewer_nodes_than_a_quiescence_search() {
    let exchanges = Switches { quiescence: Quiescence::Exchanges, ..BARE };
    let captures = Switches { quiescence: Quiescence::Captures, ..BARE };
    // After Qxd5 exd5 the queen is gone: the exchange says so a ply earlier.
    let position = Position::from_fen("4k3/8/4p3/3r4/8/8/8/3QK3 w - - 0 1").expect("sound");
    let (value, _) = direct(&position, exchanges, 1);
    let (deeper, _) = direct(&position, captures, 1);
    assert!((value - deeper).abs() < 150, "{value} {deeper}");
    let nodes = |switches| positions().iter().map(|p| direct(p, switches, 3).1).sum::<u64>();
    assert!(nodes(exchanges) < nodes(captures));
}

/// The survey's frontier nodes are of two types; of CUT nodes only as many moves are looked at as are needed.
#[test]
fn m35_nodes_at_the_horizon_that_fail_low_cost_more_than_those_that_cut() {
    let mut sum = search::Statistics::default();
    for position in positions() {
        let mut worker = Worker::new(Profile::Plain);
        let table = table(Profile::Plain);
        worker.search(&table, &position, &History::new(), &limits(4), &mut Quiet);
        sum.add(worker.statistics());
    }
    let [all, cut] = sum.frontier;
    assert!(all.nodes > 0 && cut.nodes > 0 && all.cost + cut.cost <= sum.nodes, "{sum:?}");
    assert!(all.cost * cut.nodes > cut.cost * all.nodes, "{all:?} {cut:?}");
}

/// Figure 11 of the survey. The diagram is lost; these are the men that its moves name, with Black's king
/// where it stops the pawn. Taking on g6 lets the pawn on a7 run.
#[test]
fn m25_figure_11_a_pawn_on_its_first_square_is_seen_to_run() {
    let fen = "2n3r1/p2k4/3P1Rp1/2P3K1/8/8/8/8 w - - 0 1";
    let position = Position::from_fen(fen).expect("a sound position");
    for (profile, depth) in [(Profile::Modern, 5), (Profile::Plain, 5), (Profile::DarkSight, 5)] {
        let table = table(profile);
        let mut worker = Worker::new(profile);
        let outcome = worker.search(&table, &position, &History::new(), &limits(depth), &mut Quiet);
        let best = position.san(outcome.best().expect("there are legal moves"));
        assert_ne!(best, "Rxg6", "{profile}");
    }
}
