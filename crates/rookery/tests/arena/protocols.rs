//! Both languages, and what only one of them has.

use super::{Folder, engine, games, play, stand_in};

fn xboard(script: &str, settings: &[&str]) -> Vec<String> {
    let mut engine = stand_in("xboard", &format!("proto=xboard,{script}"));
    engine.push(String::from("proto=xboard"));
    engine.extend(settings.iter().map(|&setting| setting.to_owned()));
    engine
}

fn uci() -> Vec<String> {
    engine("uci", "seed=3", &[])
}

#[test]
fn an_xboard_engine_plays_a_uci_engine_from_any_position() {
    let scratch = Folder::new("xboard");
    let pgn = scratch.file("out.pgn");
    let openings = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq -\n\
                    rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n";
    let book = scratch.write("book.epd", openings);
    let engine = xboard("seed=8,score=25", &["tc=100+1", "option.Hash=8"]);
    let rest = format!("--games 8 --openings {book} --max-moves 30 --pgn {pgn}");
    let answer = play(&[engine, uci()], &rest);
    assert_eq!((&answer["games"], &answer["incidents"]), (&8.into(), &serde_json::json!([])));
    let games = games(&pgn);
    assert!(games.iter().all(|game| game.main_line().count() > 20));
    assert!(games[0].to_string().contains("{+0.25/7 "));
}

#[test]
fn resigning_is_a_loss_and_so_is_a_false_claim() {
    let engine = xboard("faults=resign", &["st=60"]);
    let answer = play(&[engine, uci()], "--games 2");
    assert_eq!(
        (&answer["endings"]["resigned"], &answer["engines"][1]["wins"]),
        (&2.into(), &2.into())
    );
    let engine = xboard("faults=claim", &["depth=3"]);
    let answer = play(&[engine, uci()], "--games 2");
    assert_eq!(
        (&answer["endings"]["forfeit"], &answer["engines"][1]["wins"]),
        (&2.into(), &2.into())
    );
    let what = answer["incidents"][0]["what"].as_str().expect("a text");
    assert_eq!(what, "forfeit: claims wrongly \"1-0 {I win}\"");
}

#[test]
fn an_xboard_engine_that_fails_loses() {
    for (fault, kind) in [("crash", "crash"), ("illegal", "illegal-move")] {
        let engine = xboard(&format!("faults={fault}"), &["st=60"]);
        let answer = play(&[engine, uci()], "--games 2");
        assert_eq!(answer["engines"][0]["failures"][kind], 2, "{answer}");
    }
}

#[test]
fn chess960_is_not_played_by_engines_that_do_not_know_it() {
    let scratch = Folder::new("chess960");
    let position = board::Position::chess960(77);
    let book = scratch.write("book.epd", format!("{}\n", position.epd()));
    let answer = play(&[xboard("", &["st=60"]), uci()], &format!("--games 2 --openings {book}"));
    assert_eq!(answer["endings"]["forfeit"], 2);
    let other = engine("other", "seed=3", &[]);
    let rest = format!("--games 2 --openings {book} --max-moves 40");
    let answer = play(&[uci(), other], &rest);
    assert_eq!((&answer["games"], &answer["incidents"]), (&2.into(), &serde_json::json!([])));
}

#[test]
fn options_that_an_engine_does_not_take_are_told_and_the_match_goes_on() {
    let own = |settings: &[&str]| {
        let words = ["--engine", "name=own", "cmd=self", "nodes=5"].into_iter();
        words.chain(settings.iter().copied()).map(str::to_owned).collect::<Vec<_>>()
    };
    for (settings, warning) in [
        (&["option.Hash=0"][..], "own does not take Hash=0: its values are 1 to "),
        (
            &["option.Ponder=perhaps"],
            "own does not take Ponder=perhaps: its values are true and false",
        ),
        (&["option.Profile=wild"], "own does not take Profile=wild: its values are modern, "),
        (&["option.Hush=1"], "own has no option \"Hush\""),
        // Only the engine knows what is wrong with a text.
        (&["option.BookFile=/no/such/book"], "own says info string error setoption: BookFile: "),
    ] {
        let answer = play(&[own(settings), uci()], "--games 1 --max-moves 2");
        let warnings = answer["warnings"].as_array().expect("a list");
        let told =
            |line: &serde_json::Value| line.as_str().is_some_and(|line| line.starts_with(warning));
        assert!(warnings.iter().any(told), "{warning}: {warnings:?}");
        assert_eq!(answer["games"], 1);
    }
    let answer =
        play(&[own(&["option.Hash=1", "option.Ponder=true"]), uci()], "--games 1 --max-moves 2");
    let warnings = answer["warnings"].to_string();
    assert!(!warnings.contains("does not take") && !warnings.contains("own says"), "{warnings}");
}
