//! The equal-strength time.

use super::support::{errors, text};
use super::{Folder, games, output, play, stand_in, sum};

fn own(name: &str, nodes: u32) -> Vec<String> {
    let own = format!("--engine cmd=self name={name} nodes={nodes} option.Hash=1");
    own.split(' ').map(str::to_owned).collect()
}

#[test]
fn the_factor_is_bisected_and_the_second_engine_gets_it() {
    let scratch = Folder::new("odds");
    let pgn = scratch.file("odds.pgn");
    let engines = [own("many", 300), own("few", 33)];
    let rest = "--odds to=16 steps=3 --games 20 --max-moves 40 --resign count=2 score=300";
    let picture = scratch.file("odds.svg");
    let rest = format!("{rest} --pgn {pgn} --plot {picture}");
    let answer = play(&engines, &rest);
    let steps = answer["steps"].as_array().expect("steps");
    assert_eq!(steps.len(), 3, "{answer}");
    let (mut low, mut high) = (1.0_f64, 16.0);
    let tag = |game: &board::pgn::Game, name| game.tags.get(name).unwrap_or_default().to_owned();
    let games = games(&pgn);
    assert_eq!(games.len(), 60);
    for (step, games) in steps.iter().zip(games.chunks(20)) {
        let odds = step["odds"].as_f64().expect("a number");
        assert!((odds - (low * high).sqrt()).abs() < 1e-9, "{answer}");
        let limit = format!("{} nodes", (33.0 * odds).round());
        for game in games {
            let white = tag(game, "White") == "few";
            let control = if white { "WhiteTimeControl" } else { "BlackTimeControl" };
            assert_eq!(tag(game, control), limit);
        }
        let count = |name: &str| step[name].as_u64().expect("a number");
        assert_eq!(count("wins") + count("draws") + count("losses"), 20);
        let wins = count("wins") > count("losses");
        (low, high) = if wins { (odds, high) } else { (low, odds) };
    }
    // Every step has openings of its own.
    let rounds: Vec<String> = games.iter().map(|game| tag(game, "Round")).collect();
    assert!(rounds.iter().any(|round| round.starts_with("30.")), "{rounds:?}");
    let equal = &answer["equal_strength"];
    let of = |name: &str| equal[name].as_f64().expect("a number");
    assert!(of("low") < of("odds") && of("odds") < of("high"), "{answer}");
    assert!(of("odds") > 1.0, "nine times the nodes are worth something: {answer}");
    let picture = std::fs::read_to_string(picture).expect("the picture is there");
    for text in ["Elo of many", "95 % confidence", "many against few with k times the time"] {
        assert!(picture.contains(text), "{text}: {picture}");
    }
}

#[test]
fn a_pair_is_no_answer_and_says_what_is_missing() {
    let engines = [own("a", 30), own("b", 30)];
    let rest = "--odds steps=2 --games 2 --max-moves 10";
    let answer = play(&engines, rest);
    assert_eq!(answer["answer"], "too-few-pairs", "{answer}");
    assert!(answer["equal_strength"].is_null(), "{answer}");
    assert_eq!(answer["steps"][0]["enough_pairs"], false);
    let text = text(&output(&engines, rest));
    assert!(text.contains("Warning: --odds with 1 pair a step"), "{text}");
    assert!(text.contains("too few for Elo (1 pair)"), "{text}");
    assert!(text.contains("No answer yet: no step has more than 1 pair, and 10 "), "{text}");
    assert!(!text.contains("is as strong as"), "{text}");
}

#[test]
fn what_engines_do_wrong_is_told() {
    let mut broken = stand_in("broken", "faults=crash");
    broken.push(String::from("st=60"));
    let mut honest = stand_in("honest", "");
    honest.push(String::from("nodes=10"));
    let engines = [broken, honest];
    let rest = "--odds steps=2 --games 2";
    let answer = play(&engines, rest);
    assert_eq!(answer["engines"][0]["failures"]["crash"], 4, "{answer}");
    assert_eq!(sum(&answer["endings"]), 4);
    for step in answer["steps"].as_array().expect("steps") {
        assert_eq!(step["incidents"].as_array().map(Vec::len), Some(2), "{step}");
    }
    let text = text(&output(&engines, rest));
    assert!(text.contains("  broken: crash: it ended: exit status: 3\n"), "{text}");
    assert!(text.contains("\nFaults of broken: 4 crash\n"), "{text}");
}

#[test]
fn odds_that_cannot_be_given_are_refused() {
    let depth = |name: &str| {
        let words = format!("--engine cmd=self name={name} depth=2");
        words.split(' ').map(str::to_owned).collect::<Vec<_>>()
    };
    for (engines, rest, reason) in [
        (vec![own("a", 9), depth("b")], "--odds", "b: a depth cannot be multiplied"),
        (vec![own("a", 9), own("b", 9), own("c", 9)], "--odds", "--odds compares two engines"),
        (vec![own("a", 9), own("b", 9)], "--odds from=3 to=2", "0.001 <= from < to <= 1000"),
        (vec![own("a", 9), own("b", 9)], "--odds --sprt", "cannot be used with"),
    ] {
        let output = output(&engines, rest);
        assert_eq!(output.status.code(), Some(2), "{rest}");
        assert!(errors(&output).contains(reason), "{}", errors(&output));
    }
}
