//! Playing from an opening book, with the real program.

use crate::support::{Dialogue, Folder, count, data};
use std::collections::BTreeSet;

/// The answers to `go` after each of the positions.
fn answers(options: &str, positions: &[&str]) -> (Vec<String>, String) {
    let mut dialogue = Dialogue::start();
    dialogue.send(options);
    let (mut answers, mut shown) = (Vec::new(), String::new());
    for position in positions {
        let lines = dialogue.search(position, "go depth 1");
        answers.extend(lines.last().map(|line| line.replacen("bestmove ", "", 1)));
        shown.push_str(&(lines.join("\n") + "\n"));
    }
    (answers, shown)
}

#[test]
fn m33_the_engine_plays_from_its_book_while_it_knows_the_position() {
    let book = data("polyglot/lasker-trap.bin");
    let options =
        format!("setoption name BookFile value {book}\nsetoption name OwnBook value true");
    let line = "startpos moves d2d4 d7d5 c2c4 e7e5 d4e5 d5d4 e2e3 f8b4 c1d2 d4e3 d2b4 e3f2 e1e2";
    let (moves, shown) = answers(&options, &["startpos moves d2d4", line]);
    assert_eq!(moves, ["d7d5", "f2g1n"], "{shown}");
    assert!(shown.contains("entries\ninfo string book move d7d5, 100.0 %\n"), "{shown}");
    // Out of the book it searches; so it does for analysis, and beyond the depth of the book.
    let (_, shown) = answers(&options, &["startpos"]);
    assert!(!shown.contains("book move") && shown.contains("info depth 1 "), "{shown}");
    let (_, shown) = answers(&format!("{options}\nsetoption name BookDepth value 1"), &[line]);
    assert!(!shown.contains("book move"), "{shown}");
    let (_, shown) = answers(&options.replace("true", "false"), &["startpos moves d2d4"]);
    assert!(!shown.contains("book move"), "{shown}");
    let mut dialogue = Dialogue::start();
    dialogue.send(&format!("{options}\nposition startpos moves d2d4\ngo infinite"));
    dialogue.until("info depth 1 ");
    dialogue.send("stop");
    assert_eq!(count(&dialogue.until("bestmove "), "info string book move"), 0);
}

#[test]
fn moves_are_chosen_by_weight_and_a_seed_repeats_them() {
    let book = data("polyglot/rodent_micro.bin");
    let options = |seed: u64| {
        format!(
            "setoption name BookFile value {book}\nsetoption name OwnBook value true\n\
             setoption name BookSeed value {seed}"
        )
    };
    let (first, _) = answers(&options(5), &["startpos"; 40]);
    let (again, _) = answers(&options(5), &["startpos"; 40]);
    assert_eq!((first.len(), &first), (40, &again));
    let played: BTreeSet<&str> = first.iter().filter_map(|line| line.get(..4)).collect();
    assert_eq!(played, BTreeSet::from(["c2c4", "d2d4", "e2e4", "g1f3"]));
    let best = format!("{}\nsetoption name Best Book Move value true", options(5));
    let (best, _) = answers(&best, &["startpos"; 10]);
    assert!(best.iter().all(|line| *line == best[0]), "{best:?}");
}

#[test]
fn a_bad_book_is_refused_and_the_old_one_stays() {
    let folder = Folder::new("bad-book");
    let bad = folder.write("bad book.bin", "not a book");
    let good = data("polyglot/lasker-trap.bin");
    let options = format!(
        "setoption name OwnBook value true\nsetoption name BookFile value {good}\n\
         setoption name BookFile value {bad}\nsetoption name BookFile value no such file"
    );
    let (moves, shown) = answers(&options, &["startpos moves d2d4"]);
    assert_eq!(moves, ["d7d5"]);
    let errors: Vec<&str> =
        shown.lines().filter(|line| line.starts_with("info string error ")).collect();
    assert_eq!(errors.len(), 2, "{shown}");
    assert!(errors[0].contains("bad book.bin\" is no Polyglot book: 10 bytes"), "{shown}");
    assert!(errors[1].contains("book \"no such file\" cannot be read: "), "{shown}");
}

#[test]
fn m32_a_book_move_waits_for_ponderhit() {
    let mut dialogue = Dialogue::start();
    let book = data("polyglot/lasker-trap.bin");
    dialogue.send(&format!(
        "setoption name BookFile value {book}\nsetoption name OwnBook value true\n\
         position startpos moves d2d4\ngo ponder wtime 1000 btime 1000"
    ));
    dialogue.until("info string book move d7d5");
    dialogue.send("isready");
    assert_eq!(count(&dialogue.until("readyok"), "bestmove"), 0);
    dialogue.send("ponderhit");
    dialogue.until("bestmove d7d5");
}
