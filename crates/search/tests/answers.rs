//! Answers of a distributed table that come while the search goes on (Z34, Z35).

use board::{History, Move, Position};
use search::switches::{ChosenRules, NEGASCOUT, Switches};
use search::walk::{Opened, Pause, RootSearch, Session, TaskId, Walk, Walker};
use search::{Asker, Limits, Lookup, Profile};
use table::{AnyTable, Bound, Entry, Probe, Slot};

/// A table that knows nothing itself and notes what it is asked.
struct Asked<'a> {
    table: &'a AnyTable,
    probes: Vec<(u64, Asker)>,
    late: Vec<u64>,
    /// What it knows about one position.
    known: Option<(u64, Entry)>,
    /// It has something to send from this number of probes on.
    mail_from: usize,
}

impl Lookup for Asked<'_> {
    fn probe(&mut self, key: u64, asker: Asker) -> Probe {
        self.probes.push((key, asker));
        let slot = self.table.probe(key).slot();
        match self.known {
            Some((known, entry)) if known == key => Probe::Hit(entry, slot),
            _ => Probe::Miss(slot),
        }
    }

    fn store(&mut self, _: Slot, _: Entry) {}

    fn prefetch(&self, _: u64) {}

    fn peek(&self, _: u64) -> Option<Entry> {
        None
    }

    fn hashfull(&self) -> u16 {
        0
    }

    fn has_mail(&self) -> bool {
        self.probes.len() >= self.mail_from
    }

    fn ask_late(&mut self, key: u64, asker: Asker) {
        assert!(asker.parent_known);
        self.late.push(key);
    }
}

type Search<'a> = Session<'a, ChosenRules, eval::AnyEvaluator, Asked<'a>>;

fn entry(mv: Move, depth: i16) -> Entry {
    Entry { mv, score: 0, eval: None, depth, bound: Bound::None, pv: false }
}

/// Searches the start position to four plies at once, and calls the test with the search.
fn searching(restart_late: bool, known: Option<(u64, Entry)>, test: impl FnOnce(Search<'_>)) {
    let switches = Switches { iterate: false, ..NEGASCOUT };
    let mut walk = Walk::new(ChosenRules(switches), Profile::Negascout.evaluator());
    walk.set_restart_late(restart_late);
    let table = AnyTable::new(Profile::Negascout.policy(), 1).expect("a megabyte is there");
    let (probes, late, mail_from) = (Vec::new(), Vec::new(), usize::MAX);
    let mut asked = Asked { table: &table, probes, late, known, mail_from };
    let limits = Limits { depth: Some(4), lines: 1, ..Limits::default() };
    let root = RootSearch { position: Position::startpos(), game: History::new(), limits };
    let mut search = walk.session(&mut asked, None);
    search.start_root(&root, 0);
    test(search);
}

/// Goes on until this many nodes of a ply were entered; their keys.
fn keys(search: &mut Search<'_>, ply: i32, count: usize) -> Vec<u64> {
    loop {
        let of_ply = search.table.probes.iter().filter(|(_, asker)| asker.ply == ply);
        let keys: Vec<u64> = of_ply.map(|&(key, _)| key).collect();
        if keys.len() >= count {
            return keys;
        }
        search.run(1, || false);
    }
}

/// The move that leads from a position to a key.
fn move_to(position: &Position, key: u64) -> Move {
    let moves = position.legal_moves();
    *moves.iter().find(|&&mv| position.make(mv).key() == key).expect("a child")
}

/// The first child of the root: its position, and its first move.
fn first_child(search: &mut Search<'_>) -> (Position, Move) {
    let child = keys(search, 1, 1)[0];
    let root = Position::startpos();
    let position = root.make(move_to(&root, child));
    let first = move_to(&position, keys(search, 2, 1)[0]);
    (position, first)
}

/// A move of a position that leads to none of these keys.
fn another(position: &Position, keys: &[u64]) -> Move {
    let moves = position.legal_moves();
    *moves.iter().rev().find(|&&mv| !keys.contains(&position.make(mv).key())).expect("a move")
}

#[test]
fn z34_a_node_begins_anew_if_another_move_than_the_first_is_proposed() {
    searching(false, None, |mut search| {
        let (position, first) = first_child(&mut search);
        let key = position.key();
        assert!(!search.answer(key, entry(first, 1)), "the proposed move is being searched");
    });
    for restart_late in [false, true] {
        searching(restart_late, None, |mut search| {
            let (position, first) = first_child(&mut search);
            let other = another(&position, &[position.make(first).key()]);
            assert!(search.answer(position.key(), entry(other, 1)));
            assert_eq!(search.entering(), Some(position.key()), "it is entered again");
        });
    }
}

#[test]
fn z34_when_the_first_move_is_done_the_proposed_one_is_next_or_the_node_begins_anew() {
    for restart_late in [false, true] {
        searching(restart_late, None, |mut search| {
            let (position, _) = first_child(&mut search);
            let before = keys(&mut search, 2, 2);
            let other = another(&position, &before);
            let restarts = search.answer(position.key(), entry(other, 1));
            assert_eq!(restarts, restart_late, "as the paper prints it, the node always restarts");
            if !restarts {
                // The move under search may be searched again first.
                let next = (before.len() + 1..).find_map(|count| {
                    keys(&mut search, 2, count).last().copied().filter(|key| !before.contains(key))
                });
                assert_eq!(next, Some(position.make(other).key()));
            }
        });
    }
}

#[test]
fn z34_an_answer_that_decides_a_node_ends_it() {
    searching(false, None, |mut search| {
        let (position, first) = first_child(&mut search);
        let exact = Entry { bound: Bound::Exact, ..entry(first, 3) };
        assert!(search.answer(position.key(), exact));
    });
}

#[test]
fn an_answer_counts_where_less_was_known() {
    let root = Position::startpos();
    for mv in root.legal_moves().iter() {
        let position = root.make(*mv);
        let shallow = entry(another(&position, &[]), 1);
        searching(false, Some((position.key(), shallow)), |mut search| {
            if keys(&mut search, 1, 1)[0] != position.key() {
                return;
            }
            keys(&mut search, 2, 1);
            let exact = |depth| Entry { bound: Bound::Exact, ..entry(shallow.mv, depth) };
            assert!(!search.answer(position.key(), exact(1)), "nothing new");
            assert!(search.answer(position.key(), exact(3)));
        });
    }
}

#[test]
fn z35_a_child_is_asked_for_when_the_answer_for_its_parent_comes_late() {
    searching(false, None, |mut search| {
        let (position, first) = first_child(&mut search);
        let child = position.make(first).key();
        assert!(search.table.late.is_empty());
        search.answer(position.key(), entry(first, 1));
        assert_eq!(search.table.late, [child]);
        search.answer(position.key(), entry(first, 2));
        assert_eq!(search.table.late, [child], "once is enough");
    });
}

#[test]
fn z34_what_is_to_be_sent_ends_a_run_at_the_end_of_the_node() {
    // Where the walk stops when it is told to stop at every node.
    let mut stops = Vec::new();
    searching(false, None, |mut search| {
        while search.table.probes.len() < 6 {
            search.run(1, || false);
            stops.push((search.table.probes.len(), search.nodes()));
        }
    });
    for wanted in 2..6 {
        searching(false, None, |mut search| {
            search.table.mail_from = wanted;
            assert_eq!(search.run(u64::MAX, || false), Pause::Budget);
            let expected = stops.iter().find(|(probes, _)| *probes >= wanted);
            assert_eq!(Some(&(search.table.probes.len(), search.nodes())), expected);
        });
    }
}

/// Where the table's upper bound lies below what the parent wants by now, nothing is left of a node's window before
/// any child is done: its value must say no more than that.
#[test]
fn a_node_that_closes_before_a_child_is_done_has_a_value_inside_its_bounds() {
    let switches = Switches { iterate: false, ..NEGASCOUT };
    let mut walk = Walk::new(ChosenRules(switches), Profile::Negascout.evaluator());
    let table = AnyTable::new(Profile::Negascout.policy(), 1).expect("a megabyte is there");
    let (probes, late, known) = (Vec::new(), Vec::new(), None);
    let mut asked = Asked { table: &table, probes, late, known, mail_from: usize::MAX };
    let limits = Limits { depth: Some(4), lines: 1, ..Limits::default() };
    let order = RootSearch { position: Position::startpos(), game: History::new(), limits };
    let mut search = walk.session(&mut asked, None);
    let Opened::Open(mut root) = search.open_root(&order) else { panic!("it has moves") };
    let plan = search.plan(&mut root).expect("twenty moves");
    let mut job = search.child(&mut root, &plan, true);
    (job.alpha, job.beta) = (-100, 100);
    let upper = Entry { score: 10, depth: 9, bound: Bound::Upper, ..entry(Move::NONE, 9) };
    search.table.known = Some((job.position().key(), upper));
    let values = 10..=50;
    // As a node apart from the stack.
    let Opened::Open(mut node) = search.open(&job) else { panic!("it is deep enough") };
    assert!(node.narrow(50, 100));
    let (closed, _) = search.close(node);
    assert!(values.contains(&closed.value), "{}", closed.value);
    // On the stack.
    let task = TaskId { issuer: 1, number: 7 };
    assert!(search.start_job(task, Box::new(job)));
    search.run(1, || false);
    assert!(search.narrow(task, 50, 100));
    let Pause::Finished(_, found) = search.run(u64::MAX, || false) else { panic!("it is decided") };
    assert!(values.contains(&found.value), "{}", found.value);
}
