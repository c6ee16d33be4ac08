//! What each technique of `modern` saves: nodes to a depth without it, beside those with all of them.
//!
//! `cargo run --release -p rookery-search --features tune --example ablation -- 10 testdata/epd/bk.epd`
//!
//! A technique is switched off by a parameter beyond its range. The nodes say what it saves, not what it is
//! worth: only games tell whether what was saved was missed.

use board::{Epd, History};
use search::{Limits, Profile, Quiet, Worker, parameters};
use table::AnyTable;

/// Beyond every depth and every margin.
const FAR: i32 = 100_000;

const TECHNIQUES: [(&str, &[(&str, i32)]); 13] = [
    ("everything", &[]),
    ("reverse futility", &[("reverse_futility_depth", 0)]),
    ("razoring", &[("razoring_depth", 0)]),
    ("captures first at the horizon", &[("scout_depth", 0)]),
    ("a ply less without a table move", &[("no_table_move_depth", FAR)]),
    ("null move", &[("null_margin", FAR)]),
    ("probcut", &[("probcut_depth", FAR)]),
    ("late moves left out", &[("late_moves_base", FAR)]),
    ("pruning by history", &[("history_pruning_depth", 0)]),
    ("futility", &[("futility_depth", -1)]),
    ("pruning by exchanges", &[("see_quiet_margin", FAR), ("see_capture_margin", FAR)]),
    ("singular extensions", &[("singular_depth", FAR)]),
    ("late move reductions, and pruning by reduced depth", &[("reduction_base", -FAR)]),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [depth, file] = &arguments[..] else { panic!("usage: ablation DEPTH FILE.epd") };
    let limits = Limits { depth: depth.parse().ok(), ..Limits::default() };
    let text = std::fs::read_to_string(file).expect("a file of positions");
    let records: Vec<Epd> = text.lines().map(|line| line.parse().expect(line)).collect();
    let usual: Vec<(&str, i32)> =
        parameters::all().iter().map(|one| (one.name, one.value)).collect();
    let mut all = 0;
    for (name, off) in TECHNIQUES {
        let value = |&(name, usual): &(&str, i32)| {
            off.iter().find(|(other, _)| *other == name).map_or(usual, |&(_, value)| value)
        };
        parameters::adopt(&usual.iter().map(value).collect::<Vec<i32>>());
        let nodes = |record: &Epd| {
            let table = AnyTable::new(Profile::Modern.policy(), 16).expect("16 MB are there");
            let mut worker = Worker::new(Profile::Modern);
            worker.search(&table, record.position(), &History::new(), &limits, &mut Quiet).nodes
        };
        let nodes: u64 = records.iter().map(nodes).sum();
        all = if off.is_empty() { nodes } else { all };
        println!("{nodes:>12} {:>+8.1} %  {name}", 100.0 * (nodes as f64 / all as f64 - 1.0));
    }
}
