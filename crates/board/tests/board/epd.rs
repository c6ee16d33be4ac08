//! EPD records: the suites of the field, every opcode of the standard, and records that are broken.

use board::epd::{Operand, Value, records};
use board::{Epd, Position};
use proptest::prelude::*;

const SUITES: [(&str, &str, usize); 5] = [
    ("bk", include_str!("../../../../testdata/epd/bk.epd"), 24),
    ("lct2", include_str!("../../../../testdata/epd/lct2.epd"), 35),
    ("nullmove", include_str!("../../../../testdata/epd/nullmove.epd"), 5),
    ("wacnew", include_str!("../../../../testdata/epd/wacnew.epd"), 300),
    ("zugzwang", include_str!("../../../../testdata/epd/zugzwang.epd"), 30),
];

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

fn parse(operations: &str) -> Epd {
    Epd::parse(&format!("{START} {operations}")).unwrap()
}

fn message(operations: &str) -> String {
    Epd::parse(&format!("{START} {operations}")).unwrap_err().to_string()
}

#[test]
fn the_suites_are_read_and_written_back() {
    for (name, text, count) in SUITES {
        let mut read = 0;
        for (line, record) in records(text) {
            let record = record.unwrap_or_else(|error| panic!("{name}, line {line}: {error}"));
            let moves = [record.best_moves(), record.avoid_moves()].concat();
            assert!(!moves.is_empty(), "{name}, line {line}");
            assert!(moves.iter().all(|&mv| record.position().is_legal(mv)));
            assert!(record.id().is_some());
            assert_eq!(Epd::parse(&record.to_string()).as_ref(), Ok(&record));
            read += 1;
        }
        assert_eq!(read, count, "{name}");
    }
}

#[test]
fn every_opcode_of_the_standard_is_typed_and_written_in_order() {
    let canonical = "acd 12; acn 5000; acs 3; am f3 g4; bm Nf3 d4 e4; c0 \"first; and only\"; \
        c1; c9 \"last\"; ce -25; dc 4; dm 3; draw_accept; draw_claim; draw_offer; draw_reject; \
        eco \"A00\"; fmvn 7; hmvc 3; id \"all of them\"; nic \"VO 1\"; \
        noop 1 \"two\" three; pm e4; pv e4 e5 Nf3 Nc6 Bb5; rc 2; resign; sm e4; tcgs 1; \
        tcri \"a@b.c\" \"A\"; tcsi \"d@e.f\" \"D\"; v0 \"Spanish\"; v9;";
    let record = parse(canonical);
    assert_eq!(record.to_string(), format!("{START} {canonical}"));
    let mut shuffled: Vec<&str> = canonical.split_inclusive("; ").collect();
    // The comment of c0 holds a semicolon and must stay in one piece.
    let comment = shuffled.iter().position(|part| part.starts_with("c0")).unwrap();
    let joined = shuffled[comment..comment + 2].concat();
    shuffled.splice(comment..comment + 2, [joined.as_str()]);
    shuffled.reverse();
    assert_eq!(parse(&shuffled.join(" ")), record);

    assert_eq!(record.number("acn"), Some(5000));
    assert_eq!(record.number("ce"), Some(-25));
    assert_eq!((record.number("hmvc"), record.number("fmvn")), (Some(3), Some(7)));
    assert_eq!(record.position().halfmove_clock(), 3);
    assert_eq!(record.position().fullmove_number(), 7);
    assert_eq!(record.text("c0"), Some("first; and only"));
    assert_eq!(record.get("c1"), Some(&Value::Nothing));
    assert_eq!(record.get("resign"), Some(&Value::Nothing));
    assert_eq!(record.best_moves().len(), 3);
    assert_eq!(record.variation().len(), 5);
    assert_eq!(record.get("v1"), None);
}

#[test]
fn habits_of_test_suites_are_forgiven() {
    let plain = parse("bm e4; id \"x\";");
    for odd in [
        "bm e4; id \"x\"",
        "0 1 bm e4; id \"x\";",
        "0 1; bm e4; id x",
        "; bm e4 ;;  id\t\"x\" ; \0",
        "bm e2e4;id \"x\";",
        "bm e2-e4 id \"x\";",
        "bm e4 ! ; id x;",
        "hmvc 0; fmvn 1; bm e4, e2e4; id \"x\";\r\n",
    ] {
        assert_eq!(parse(odd), plain, "{odd}");
    }
    assert_eq!(parse("17 43 bm e4;").to_string(), format!("{START} bm e4; fmvn 43; hmvc 17;"));
    assert_eq!(parse("bm c4 c3;").best_moves().len(), 2, "moves that look like comments");
    let own = parse("Ae \"Stockfish 15\" x=1; fmvc 1;");
    let expected = [Operand::Quoted("Stockfish 15".into()), Operand::Word("x=1".into())];
    assert_eq!(own.get("Ae"), Some(&Value::Operands(expected.into())));
    assert_eq!(own.to_string(), format!("{START} Ae \"Stockfish 15\" x=1; fmvc 1;"));
}

#[test]
fn errors_name_the_place_and_the_reason() {
    for (operations, expected) in [
        ("bm Nf4;", "EPD, column 57, bm: \"Nf4\": no man can make this move"),
        ("bm e4 x9;", "EPD, column 60, bm: \"x9\": not a move in algebraic notation"),
        ("pv e4 e4;", "EPD, column 60, pv: \"e4\": no man can make this move"),
        ("pm e4 d4;", "EPD, column 57, pm: 2 moves instead of one"),
        ("sm;", "EPD, column 54, sm: 0 moves instead of one"),
        ("acd x;", "EPD, column 58, acd: \"x\" is not a whole number"),
        ("acd;", "EPD, column 54, acd: needs one whole number"),
        ("acd 1 2;", "EPD, column 60, acd: \"2\" is one operand too many"),
        ("rc 0;", "EPD, column 57, rc: 0 is less than 1"),
        ("ce 40000;", "EPD, column 57, ce: 40000 is not from -32767 to 32766"),
        ("hmvc 70000;", "EPD, column 59, hmvc: 70000 is not from 0 to 65535"),
        ("id;", "EPD, column 54, id: needs one string"),
        ("id \"x;", "EPD, column 57, id: a quotation mark is not closed"),
        ("id \"x\"; id \"y\";", "EPD, column 62, id: the opcode stands twice"),
        ("resign now;", "EPD, column 61, resign: needs no operand"),
        ("tcri \"x\";", "EPD, column 59, tcri: 1 strings instead of two"),
        ("?? 1;", "EPD, column 54: \"??\" is not an opcode"),
    ] {
        assert_eq!(message(operations), expected);
    }
    let error = Epd::parse("8/8/8/8/8/8/8/8 w - - bm e4;").unwrap_err();
    assert_eq!(error.to_string(), "EPD: FEN, piece placement: White has no king");
}

#[test]
fn what_is_set_can_be_written_and_nothing_else_can_be_set() {
    let mut record = Epd::new(Position::startpos());
    let e4 = record.position().parse_san(b"e4").unwrap();
    let e5 = record.position().make(e4).parse_san(b"e5").unwrap();
    record.set("pv", Value::Moves(vec![e4, e5])).unwrap();
    record.set("hmvc", Value::Number(9)).unwrap();
    record.set("Rookery", Value::Operands(vec![Operand::Word("1.0".into())])).unwrap();
    assert_eq!(record.to_string(), format!("{START} Rookery 1.0; hmvc 9; pv e4 e5;"));
    let before = record.clone();
    for (opcode, value) in [
        ("bm", Value::Moves(vec![e5])),
        ("pv", Value::Moves(vec![e4, e4])),
        ("id", Value::Text("a \"b\"".into())),
        ("id", Value::Number(1)),
        ("two words", Value::Nothing),
        ("x", Value::Operands(vec![Operand::Word("a;b".into())])),
        ("x", Value::Operands(vec![Operand::Quoted("a\nb".into())])),
        ("ce", Value::Number(32767)),
    ] {
        assert!(record.set(opcode, value.clone()).is_err(), "{opcode} {value:?}");
    }
    assert_eq!(record, before);
    assert_eq!(record.remove("Rookery"), before.get("Rookery").cloned());
}

fn round_trips_or_fails(line: &str) {
    match Epd::parse(line) {
        Ok(record) => {
            let text = record.to_string();
            assert_eq!(Epd::parse(&text), Ok(record), "{line:?} as {text:?}");
        }
        Err(error) => assert!(!error.to_string().contains('\n'), "{line:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_text_is_a_record_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..120)) {
        round_trips_or_fails(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_operations_are_a_record_or_an_error(operations in "([a-z]{1,3}[0-9]?|bm|pv|c[0-9]|hmvc|noop|[ ;\"\t]|[a-h][1-8]|Nf3|-?[0-9]{1,6}|\\PC){0,24}") {
        round_trips_or_fails(&format!("{START} {operations}"));
    }

    #[test]
    fn damaged_records_are_records_or_errors(
        suite in 0..SUITES.len(),
        line in any::<prop::sample::Index>(),
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3u8), 1..6),
    ) {
        let lines: Vec<&str> = SUITES[suite].1.lines().collect();
        let mut bytes = lines[line.index(lines.len())].as_bytes().to_vec();
        for (place, byte, how) in damage {
            let at = place.index(bytes.len());
            match how {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => drop(bytes.remove(at)),
            }
        }
        round_trips_or_fails(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn a_scan_keeps_what_it_does_not_understand() {
    let line = "4k3/8/8/8/8/8/8/4K2R w K - 3 9 bm #3 dm 3; c0 \"one; two\"; c0; x! Ke9 \"open";
    let (position, operations) = Epd::scan(line).expect("a position");
    assert_eq!((position.halfmove_clock(), position.fullmove_number()), (3, 9));
    let operations: Vec<(&str, Vec<&str>)> = operations
        .iter()
        .map(|(opcode, operands)| (*opcode, operands.iter().map(|one| one.text()).collect()))
        .collect();
    let expected = [
        ("bm", vec!["#3"]),
        ("dm", vec!["3"]),
        ("c0", vec!["one; two"]),
        ("c0", vec![]),
        ("x!", vec!["open"]),
    ];
    assert_eq!(operations, expected);
    assert!(Epd::scan("nonsense").is_err());
}
