//! Adjudication, openings, tables and tests of whole matches.

use super::support::{data, text};
use super::{Folder, arguments, engines, games, output, play};

fn engine(name: &str, script: &str) -> Vec<String> {
    super::engine(name, script, &[])
}

#[test]
fn the_opening_is_played_with_both_colours() {
    let scratch = Folder::new("colours");
    let book = scratch.write("book.pgn", "1. e4 c5 2. Nf3 *\n\n1. d4 d5 *\n");
    let pgn = scratch.file("out.pgn");
    let engines = [engine("A", "seed=1,score=10"), engine("B", "seed=2,score=-10")];
    let rest = format!("--openings {book} order=sequential --games 4 --max-moves 6 --pgn {pgn}");
    let answer = play(&engines, &rest);
    assert_eq!(answer["endings"]["maximum-length"], 4);
    let games = games(&pgn);
    let tag = |game: &board::pgn::Game, name| game.tags.get(name).unwrap_or_default().to_owned();
    let whites: Vec<String> = games.iter().map(|game| tag(game, "White")).collect();
    assert_eq!(whites, ["A", "B", "A", "B"]);
    let rounds: Vec<String> = games.iter().map(|game| tag(game, "Round")).collect();
    assert_eq!(rounds, ["1.1", "1.2", "2.1", "2.2"]);
    for (game, first) in games.iter().zip(["e2e4", "e2e4", "d2d4", "d2d4"]) {
        let mv = game.main_line().next().expect("a move");
        assert_eq!(mv.uci(board::CastlingStyle::Standard), first);
        assert_eq!(tag(game, "Termination"), "adjudication");
        assert_eq!(tag(game, "TimeControl"), "depth 1");
        assert_eq!(game.result, board::pgn::Outcome::Draw);
    }
    let text = games[0].to_string().replace('\n', " ");
    assert!(text.contains("1. e4 {book} 1... c5 {book} 2. Nf3 {book}"), "{text}");
    assert!(text.contains("{-0.10/3 ") && text.contains("draw: maximum length}"), "{text}");
}

#[test]
fn scores_end_games_early() {
    let lost = [engine("A", "seed=1,score=-700"), engine("B", "seed=2,score=700")];
    let answer = play(&lost, "--games 2 --resign count=3 score=600 twosided=true");
    assert_eq!(answer["endings"]["win-adjudicated"], 2);
    assert_eq!(answer["engines"][1]["wins"], 2);
    let level = [engine("A", "seed=1,score=3"), engine("B", "seed=2,score=-3")];
    let answer = play(&level, "--games 2 --draw number=5 count=2 score=5");
    assert_eq!(answer["endings"]["draw-adjudicated"], 2);
}

#[test]
fn a_test_stops_the_match_when_it_is_decided() {
    let engines = [engine("A", "seed=1,score=700"), engine("B", "seed=2,score=-700")];
    let rest = "--resign count=1 score=600 --sprt elo0=0 elo1=200 --games 2000 --concurrency 2";
    let answer = play(&engines, rest);
    assert_eq!(answer["sprt"]["decision"], "passed");
    assert!(answer["games"].as_u64() < Some(200), "{}", answer["games"]);
    assert!(answer["sprt"]["llr"].as_f64() >= answer["sprt"]["upper_bound"].as_f64());
}

#[test]
fn three_engines_meet_each_other_or_the_first_meets_all() {
    let engines = ["A", "B", "C"].map(|name| engine(name, "seed=4,score=0"));
    let short = "--games 2 --max-moves 3";
    let answer = play(&engines, short);
    assert_eq!((&answer["games"], &answer["pairings"][2]["first"]), (&6.into(), &"B".into()));
    let answer = play(&engines, &format!("{short} --gauntlet"));
    assert_eq!((&answer["games"], &answer["engines"][0]["draws"]), (&4.into(), &4.into()));
    let text = text(&output(&engines, short));
    assert!(text.contains("  1 A           4      2.0   50.0"), "{text}");
    assert!(text.contains("Ends   6 maximum length"), "{text}");
}

#[test]
fn without_a_file_games_begin_from_openings_that_are_built_in() {
    let scratch = Folder::new("built-in");
    let pgn = scratch.file("out.pgn");
    let answer = play(&engines(""), &format!("--games 6 --max-moves 7 --pgn {pgn}"));
    assert_eq!((&answer["copies"], &answer["openings"]), (&0.into(), &"built-in openings".into()));
    let openings: Vec<Vec<_>> =
        games(&pgn).iter().map(|game| game.main_line().take(8).collect()).collect();
    for pair in openings.chunks(2) {
        assert_eq!(pair[0], pair[1]);
    }
    assert!(openings[0] != openings[2] && openings[2] != openings[4]);
}

#[test]
fn copies_of_games_are_counted_and_told() {
    let scratch = Folder::new("copies");
    let state = scratch.file("state.json");
    let engines = engines("");
    let rest = format!("--openings none --max-moves 5 --state {state}");
    assert_eq!(play(&engines, &format!("{rest} --games 2"))["copies"], 0);
    // What the first part of the match knew is not forgotten.
    let text = text(&output(&engines, &format!("{rest} --games 6")));
    assert!(text.contains("Copies 4 of 6 games repeat another move by move"), "{text}");
    assert!(text.contains("Elo    too few games"), "{text}");
}

#[test]
fn tables_end_games_that_they_know() {
    let scratch = Folder::new("tables");
    let book = scratch.write("book.epd", "8/8/3k4/8/8/8/8/NN2K3 w - -\n");
    let (tables, pgn) = (data("syzygy"), scratch.file("out.pgn"));
    let engines = engines("");
    let rest = format!("--games 2 --openings {book} --syzygy {tables} --pgn {pgn}");
    let answer = play(&engines, &rest);
    assert_eq!(answer["endings"]["tablebase-draw"], 2, "{answer}");
    let text = games(&pgn)[0].to_string().replace('\n', " ");
    assert!(text.contains("draw by the tables}") && text.contains("\"adjudication\""), "{text}");
    let answer = play(&engines, &format!("{rest} --syzygy-men 3 --max-moves 4"));
    assert_eq!(answer["endings"]["maximum-length"], 2, "{answer}");
}

#[test]
fn a_fresh_process_for_every_game() {
    let scratch = Folder::new("restart");
    let farewells = scratch.file("farewells");
    let fresh = super::engine("A", "seed=1", &["restart=on"]);
    let words = arguments(&[fresh, engine("B", "seed=2")], "--games 4 --max-moves 9");
    let child = super::start(&words, &[(super::stand_in::FAREWELLS, &farewells)]);
    assert!(super::finish(child).status.success());
    let farewells = std::fs::read_to_string(farewells).expect("the file is there");
    let count = |seed| farewells.lines().filter(|&line| line == seed).count();
    // Once to see that it starts, and then for every game, or for all.
    assert_eq!((count("1"), count("2")), (5, 2));
}

#[test]
fn more_games_at_a_time_than_processors_are_warned_of() {
    let engines = ["A", "B"].map(|name| super::engine(name, "seed=1", &["option.Threads=1000"]));
    let answer = play(&engines, "--games 2 --max-moves 2 --concurrency 2");
    let warning = answer["warnings"][0].as_str().expect("a warning");
    assert!(warning.contains("--concurrency 2 × 1000 threads is more than"), "{warning}");
}
