//! `rookery book` with the real program.

mod support;

use serde_json::Value;
use support::{Folder, data, errors, json, refused, rookery, session, text, well};

/// Name and weight of the moves that `book show` lists.
fn moves(arguments: &[&str]) -> Vec<(String, u64)> {
    let shown = json(&[&["book", "show"], arguments, &["--json"]].concat());
    let moves = shown["moves"].as_array().expect("a list");
    let pair = |one: &Value| {
        let san = one["san"].as_str().expect("a move").to_owned();
        (san, one["weight"].as_u64().expect("a weight"))
    };
    moves.iter().map(pair).collect()
}

const GAMES: &str = "\
1. d4 d5 2. c4 e6 3. Nc3 1-0\n\n\
1. c4 e6 2. d4 d5 3. Nc3 1/2-1/2\n\n\
1. d4 d5 2. c4 e6 3. Nf3 0-1\n\n\
1. e4 e5 *\n";

#[test]
fn m19_moves_are_counted_by_position_and_weighed_by_result() {
    let folder = Folder::new("weights");
    let broken = GAMES.replace("1. e4", "1. d4 d5 2. Ke3 1-0\n\n1. e4");
    let (games, book) = (folder.write("games.pgn", broken), folder.file("book.bin"));
    let output = rookery(&["book", "build", &games, "-o", &book, "--min-games", "1"]);
    let fault = "game 4, line 7, \"Ke3\": no man can make this move; passed over";
    assert_eq!(errors(&output), format!("rookery: {games}, {fault}\n"));
    assert_eq!(output.status.code(), Some(1), "the book is there, but a game is not in it");
    let shown = text(&output);
    assert!(shown.contains("4 games, 1 without a result, 1 broken\n"), "{shown}");
    assert!(shown.starts_with(&format!("{book}: ")), "{shown}");
    // White won once from two games with 1. d4, drew 1. c4, and 1. e4 counts as a draw.
    let pair = |name: &str, weight: u64| (name.to_owned(), weight);
    assert_eq!(moves(&[&book]), [pair("d4", 2), pair("c4", 1), pair("e4", 1)]);
    // Three games met here, one by another order of moves; 3. Nf3 only lost.
    let other_order = ["--moves", "1. c4 e6 2. d4 d5"];
    assert_eq!(moves(&[&[book.as_str()], &other_order[..]].concat()), [pair("Nc3", 3)]);
    let fen = "rnbqkbnr/ppp2ppp/4p3/3p4/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3";
    assert_eq!(moves(&[&book, fen]), [pair("Nc3", 3)]);
    assert_eq!(folder.names().len(), 2, "nothing else is left behind: {:?}", folder.names());
}

#[test]
fn what_does_not_count_is_left_out() {
    let folder = Folder::new("filters");
    let (games, book) = (folder.write("games.pgn", GAMES), folder.file("book.bin"));
    let build = |options: &[&str]| {
        json(&[&["book", "build", &games, "-o", &book, "--json"], options].concat())
    };
    let positions = |options: &[&str]| build(options)["positions"].as_u64().expect("a number");
    assert_eq!(positions(&["--min-games", "1", "--depth", "1"]), 1);
    assert_eq!(positions(&["--min-games", "1", "--depth", "2", "--black-only"]), 3);
    build(&["--min-games", "2"]);
    assert_eq!(moves(&[&book]), [("d4".to_owned(), 2)]);
    build(&["--min-games", "1", "--min-score", "75", "--white-only"]);
    assert_eq!(moves(&[&book]), []);
    assert_eq!(moves(&[&book, "--moves", "d4 d5 c4 e6"]), [("Nc3".to_owned(), 3)]);
    let nothing = ["book", "build", &games, "-o", &folder.file("none"), "--min-games", "9"];
    refused(&nothing, 1, "no book: of 4 games (0 broken) no move was played 9 times");
    assert_eq!(folder.names().len(), 2, "{:?}", folder.names());
}

#[test]
fn little_memory_makes_the_same_book() {
    let folder = Folder::new("memory");
    let games = data("pgn/twic1599.pgn");
    let build = |name: &str, memory: &str| {
        let path = folder.file(name);
        let options = ["--memory", memory, "--depth", "300", "--min-games", "1", "--json"];
        let report = json(&[&["book", "build", &games, "-o", &path], &options[..]].concat());
        (folder.read(name), report["sorted_runs"].clone())
    };
    let ((small, runs), (large, none)) = (build("small.bin", "1"), build("large.bin", "64"));
    assert!(runs.as_u64().is_some_and(|runs| runs > 0), "{runs}");
    assert_eq!(none, 0);
    assert!(small == large);
    assert_eq!(folder.names().len(), 2, "{:?}", folder.names());
}

#[test]
fn games_come_from_a_pipe_too_and_files_that_are_missing_are_named() {
    let folder = Folder::new("pipe");
    let book = folder.file("book.bin");
    let options = ["book", "build", "-", "-o", &book, "--min-games", "1"];
    assert!(session(&options, GAMES.as_bytes()).status.success());
    assert_eq!(moves(&[&book]).len(), 3);
    let before = folder.read("book.bin");
    let missing = ["book", "build", "no such file.pgn", "-o", &book];
    refused(&missing, 1, "rookery: cannot read no such file.pgn: ");
    assert_eq!(folder.read("book.bin"), before);
    let games = folder.write("games.pgn", GAMES);
    refused(&["book", "build", &games, "-o", &games], 2, "games.pgn is what is read");
    assert_eq!(folder.read("games.pgn"), GAMES.as_bytes());
    let nowhere = ["book", "build", &book, "-o", "no such folder/book.bin"];
    refused(&nowhere, 1, "rookery: book \"no such folder/book.bin\" cannot be written");
}

#[test]
fn a_tree_is_shown_and_transpositions_are_marked() {
    let book = data("polyglot/rodent_micro.bin");
    let shown = well(&["book", "show", &book, "--depth", "5"]);
    assert!(shown.contains("\n1. d4                     65520   25.0 %\n"), "{shown}");
    assert!(shown.contains("\n  1... Nf6 ") && shown.contains("\n    2. c4 "), "{shown}");
    assert!(shown.contains("(see above)"), "{shown}");
    let after = well(&["book", "show", &book, "--moves", "a3 a6"]);
    assert!(after.ends_with("the position is not in the book\n"), "{after}");
    refused(&["book", "show", &book, "--moves", "e4 Ke3"], 2, "--moves: word 2, \"Ke3\": ");
}

#[test]
fn sound_books_pass_the_check_and_damaged_ones_are_named() {
    let report = json(&["book", "check", &data("polyglot/rodent_micro.bin"), "--json"]);
    assert_eq!((&report["entries"], &report["positions"]), (&4775.into(), &4146.into()));
    assert_eq!((&report["weightless"], &report["illegal"]), (&1.into(), &0.into()));
    let trap = json(&["book", "check", &data("polyglot/lasker-trap.bin"), "--json"]);
    assert_eq!(trap["entries"], 7);
    let folder = Folder::new("check");
    let damaged = folder.write("damaged.bin", [7; 40]);
    for command in ["show", "check"] {
        let said = refused(&["book", command, &damaged], 1, "is no Polyglot book: 40 bytes");
        assert_eq!(said.lines().count(), 1);
    }
}

#[test]
fn books_are_merged() {
    let folder = Folder::new("merge");
    let book = |name: &str, games: &str| {
        let (games, book) = (folder.write("games.pgn", games), folder.file(name));
        json(&["book", "build", &games, "-o", &book, "--min-games", "1", "--json"]);
        book
    };
    let (one, two) = (book("one.bin", "1. e4 e5 1-0"), book("two.bin", "1. e4 *\n\n1. d4 1-0"));
    let both = folder.file("both.bin");
    json(&["book", "merge", &one, &two, "-o", &both, "--json"]);
    let expected = [("e4".to_owned(), 3), ("d4".to_owned(), 2)];
    assert_eq!(moves(&[&both]), expected);
}
