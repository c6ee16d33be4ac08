//! The endings of three men, whole: counts, distances, lines.

use crate::common::{Folder, testdata};
use board::{Color, Position};
use endgame::{Ending, Metric, Tables, Value};
use std::collections::BTreeMap;
use std::sync::LazyLock;

const NAMES: [&str; 5] = ["KQK", "KRK", "KBK", "KNK", "KPK"];

struct Built {
    _folder: Folder,
    tables: Tables,
}

static BUILT: LazyLock<Built> = LazyLock::new(|| {
    let folder = Folder::new("three-men");
    let tables = folder.build(&NAMES, &Metric::ALL, 2);
    Built { _folder: folder, tables }
});

/// Every position once among its mirror images.
fn positions(ending: &Ending, side: Color) -> impl Iterator<Item = Position> {
    let layout = endgame::Layout::new(ending);
    (0..layout.size()).filter_map(move |index| {
        let position = layout.position(index, side)?;
        (layout.index(&layout.squares(index)) == index).then_some(position)
    })
}

#[test]
fn m27_the_counts_are_the_published_ones() {
    let expected = [
        ("KQK", [18_081, 0, 0], [0, 2_896, 25_160]),
        ("KRK", [21_959, 0, 0], [0, 2_796, 25_260]),
        ("KBK", [0, 24_178, 0], [0, 28_056, 0]),
        ("KNK", [0, 25_750, 0], [0, 28_056, 0]),
        ("KPK", [62_480, 19_184, 0], [0, 35_210, 48_802]),
    ];
    for (name, white, black) in expected {
        let ending = Ending::parse(name).expect("an ending");
        for metric in Metric::ALL {
            let file = BUILT.tables.file(&ending, metric).expect("the table was built");
            let counts = file
                .header
                .sides
                .each_ref()
                .map(|side| [side.summary.wins, side.summary.draws, side.summary.losses]);
            assert_eq!(counts, [white, black], "{name} {}", metric.name());
        }
    }
}

#[test]
fn every_distance_to_mate_is_as_often_as_in_gaviotas_tables() {
    let file = std::fs::read_to_string(testdata("endgame/dtm_3men_histogram.tsv"));
    let file = file.expect("the histogram is there");
    let mut expected: BTreeMap<(String, String, String), u64> = BTreeMap::new();
    for line in file.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [table, side, plies, count] = fields[..] else { panic!("{line}") };
        let key = (table.replace('v', ""), side.to_owned(), plies.to_owned());
        expected.insert(key, count.parse().expect("a number"));
    }
    let mut found = BTreeMap::new();
    for name in ["KQK", "KRK", "KPK"] {
        let ending = Ending::parse(name).expect("an ending");
        for (color, side) in [(Color::White, "wtm"), (Color::Black, "btm")] {
            for position in positions(&ending, color) {
                let plies = match BUILT.tables.probe(&position, Metric::Mate) {
                    Ok(Value::Win(plies)) => plies.to_string(),
                    Ok(Value::Loss(0)) => "mated".to_owned(),
                    Ok(Value::Loss(plies)) => format!("-{plies}"),
                    Ok(Value::Draw) => "0".to_owned(),
                    Err(error) => panic!("{error}"),
                };
                *found.entry((name.to_owned(), side.to_owned(), plies)).or_insert(0) += 1;
            }
        }
    }
    expected.retain(|(name, ..), _| ["KQK", "KRK", "KPK"].contains(&name.as_str()));
    assert_eq!(found, expected);
}

#[test]
fn the_longest_mates_are_the_published_ones() {
    for (fen, moves) in [
        ("8/8/8/1k6/8/8/K5P1/8 w - -", 28),
        ("8/8/8/8/8/2k5/1R6/K7 w - -", 16),
        ("8/8/8/5k2/8/8/1Q6/K7 w - -", 10),
    ] {
        let position = Position::from_fen(fen).expect("a position");
        let value = BUILT.tables.probe(&position, Metric::Mate).expect("a value");
        assert_eq!(value.moves(), Some(moves), "{fen}");
        let line = BUILT.tables.line(&position).expect("a line");
        assert_eq!(line.len(), usize::from(2 * moves - 1));
        let end = line.into_iter().fold(position, |position, mv| position.make(mv));
        assert!(end.in_check() && end.legal_moves().is_empty());
    }
}

#[test]
fn a_value_follows_from_the_values_after_each_move() {
    let ending = Ending::parse("KPK").expect("an ending");
    for metric in Metric::ALL {
        for position in positions(&ending, Color::White).step_by(37) {
            let evaluated =
                BUILT.tables.evaluate_moves(&position, metric).expect("all tables are there");
            let value = BUILT.tables.probe(&position, metric).expect("a value");
            let best = evaluated.first().map_or(Value::Draw, |(_, value)| *value);
            match metric {
                Metric::Outcome => assert_eq!(best.sign(), value.sign(), "{}", position.fen()),
                _ => assert_eq!(best, value, "{} {}", metric.name(), position.fen()),
            }
        }
    }
}

#[test]
fn colours_may_be_exchanged() {
    let one = Position::from_fen("8/8/8/1k6/8/8/K5P1/8 w - -").expect("a position");
    let other = Position::from_fen("8/k5p1/8/8/1K6/8/8/8 b - -").expect("a position");
    let probe = |position| BUILT.tables.probe(position, Metric::Mate);
    assert_eq!(probe(&one), probe(&other));
}

#[test]
fn what_no_table_knows_is_said() {
    for (fen, words) in [
        ("4k3/8/8/8/8/8/8/4K2R w K -", "castle"),
        ("4k3/8/8/8/8/8/8/3QK2R w - -", "KQRK.dtm is missing"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", "32 men"),
    ] {
        let position = Position::from_fen(fen).expect("a position");
        let error = BUILT.tables.probe(&position, Metric::Mate).expect_err(fen);
        assert!(error.to_string().contains(words), "{error}");
    }
    let bare = Position::from_fen("4k3/8/8/8/8/8/8/4K3 w - -").expect("a position");
    assert_eq!(BUILT.tables.probe(&bare, Metric::Mate), Ok(Value::Draw));
}
