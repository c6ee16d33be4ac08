//! `rookery analyse` of the real program: positions, games, pipes, and what cannot be read.

mod support;

use board::pgn::{Game, Games, NodeId};
use support::{Folder, data, errors, noise, objects, refused, rookery, session, text, well};

const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1";

#[test]
fn nothing_at_all_is_the_start_position() {
    let shown = well(&["analyse", "--depth", "4", "--hash", "1"]);
    assert!(shown.starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\nWhite"));
    let depths: Vec<&str> = shown
        .lines()
        .skip_while(|line| !line.starts_with("depth"))
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(depths, ["1", "2", "3", "4"], "{shown}");
    for title in ["Best move: ", "Line: ", "Depth: ", "Nodes: "] {
        assert_eq!(shown.lines().filter(|line| line.starts_with(title)).count(), 1, "{shown}");
    }
}

#[test]
fn a_position_is_taken_in_one_argument_or_several_or_from_a_pipe() {
    let limits = ["--depth", "5", "--hash", "1"];
    let words: Vec<&str> = BACK_RANK.split(' ').collect();
    for position in [vec![BACK_RANK], words] {
        let shown = well(&[&["analyse"][..], &position, &limits].concat());
        assert!(
            shown.contains("Best move:  Rd8# (d1d8), #1: White mates in one move\n"),
            "{shown}"
        );
    }
    for arguments in [&["analyse", "-"][..], &["analyse"]] {
        let output = session(&[arguments, &limits].concat(), format!("{BACK_RANK}\n").as_bytes());
        let shown = text(&output);
        assert!(shown.starts_with("line 1: Rd8# #1, depth 5: 1. Rd8#"), "{shown}");
    }
    let mated = text(&rookery(&["analyse", "7k/6Q1/6K1/8/8/8/8/8 b - -"]));
    assert!(mated.ends_with("The game is over: White mates.\n"), "{mated}");
}

#[test]
fn a_mate_stands_in_one_row() {
    let table = well(&["analyse", BACK_RANK, "--depth", "40"]);
    let rows = table.lines().filter(|line| line.contains("#1 ") && line.contains("Rd8#"));
    assert_eq!(rows.count(), 1, "{table}");
}

#[test]
fn json_has_white_scores_lines_in_both_notations_and_as_many_as_are_asked_for() {
    let black = "k2r4/8/8/8/8/8/5PPP/6K1 b - - 0 1";
    let output =
        rookery(&["analyse", black, "--depth", "4", "--hash", "1", "--json", "--multipv", "2"]);
    let value = &objects(&text(&output))[0];
    assert_eq!((&value["fen"], &value["best"]), (&black.into(), &"Rd1#".into()));
    assert_eq!(value["score"], serde_json::json!({"mate": -1}));
    assert_eq!(value["lines"].as_array().map(Vec::len), Some(2));
    assert_eq!(value["lines"][0]["uci"], serde_json::json!(["d8d1"]));
    assert!(value["seconds"].is_f64() && value["nodes"].is_u64());
}

#[test]
fn a_file_of_positions_gets_a_line_each_in_its_order() {
    let arguments = ["analyse", &data("epd/bk.epd"), "--nodes", "500", "--hash", "1"];
    let shown = text(&rookery(&[&arguments[..], &["--threads", "3"]].concat()));
    let names: Vec<&str> = shown.lines().filter_map(|line| line.split(':').next()).collect();
    let expected: Vec<String> = (1..=24).map(|number| format!("BK.{number:03}")).collect();
    assert_eq!(names, expected);
    assert_eq!(shown, text(&rookery(&[&arguments[..], &["--threads", "1"]].concat())));
    let values = objects(&text(&rookery(&[&arguments[..], &["--json"]].concat())));
    assert_eq!(
        (values.len(), &values[23]["id"], &values[23]["line"]),
        (24, &"BK.024".into(), &24.into())
    );
}

fn first_game(text: &str) -> Game {
    Games::new(text.as_bytes()).next().expect("a game").expect("a whole one")
}

#[test]
fn a_blunder_is_marked_refuted_and_evaluated() {
    let folder = Folder::new("blunder");
    let file = folder.write(
        "blunder.pgn",
        "[White \"Fool\"]\n\n1. f3 {[%clk 0:01:00]} e5 2. g4 $18 (2. a3) Qh4# 0-1\n",
    );
    let game = first_game(&well(&["analyse", &file, "--nodes", "5000", "--hash", "1"]));
    let nodes: Vec<NodeId> =
        std::iter::successors(Some(NodeId::ROOT), |&at| game.children(at).next()).skip(1).collect();
    let notes = |ply: usize| game.notes(nodes[ply]).cloned().unwrap_or_default();
    assert!(
        notes(0).comments[0].starts_with("[%eval ")
            && notes(0).comments[0].ends_with("[%clk 0:01:00]")
    );
    assert_eq!(notes(2).nags, [4, 18], "a blunder, and what was there");
    assert_eq!(notes(2).comments, ["[%eval #-1]"]);
    assert!(game.children(nodes[1]).count() >= 3, "the move, the old variation, and a better one");
    assert!(notes(3).comments.is_empty(), "mate needs no evaluation");
    assert!(game.tags.get("Annotator").is_some_and(|name| name.starts_with("Rookery ")));
    let accuracy = |tag| game.tags.get(tag).and_then(|text| text.parse::<f64>().ok());
    let (white, black) = (accuracy("WhiteAccuracy"), accuracy("BlackAccuracy"));
    assert!(white.is_some() && white < black, "{white:?} {black:?}");
}

#[test]
fn an_annotated_game_is_annotated_again_without_repetitions() {
    let arguments = ["--nodes", "300", "--hash", "1", "--threads", "2"];
    let once = rookery(&[&["analyse", &data("pgn/hayes.pgn")][..], &arguments].concat());
    let folder = Folder::new("again");
    let file = folder.write("again.pgn", text(&once));
    let twice = rookery(&[&["analyse", &file][..], &arguments].concat());
    assert_eq!(text(&once), text(&twice));
}

#[test]
fn the_positions_of_a_game_as_json() {
    let folder = Folder::new("json");
    let file = folder.write("json.pgn", "1. e4 -- 2. d4 *\n");
    let values = objects(&well(&["analyse", &file, "--nodes", "200", "--json"]));
    assert_eq!(values.len(), 4);
    assert_eq!(values[0]["played"]["uci"], "e2e4");
    assert_eq!(values[1]["played"], serde_json::json!({"san": "--", "uci": "0000"}));
    assert_eq!((&values[2]["game"], &values[2]["ply"]), (&1.into(), &2.into()));
    assert_eq!(values[3].get("played"), None);
}

#[test]
fn broken_games_are_named_and_kept_as_far_as_they_are_good() {
    let output = rookery(&["analyse", &data("pgn/hayes.pgn"), "--nodes", "1", "--hash", "1"]);
    assert_eq!(output.status.code(), Some(1));
    let games: Vec<Game> = Games::new(&output.stdout[..]).filter_map(Result::ok).collect();
    assert_eq!(games.len(), 9);
    let said = errors(&output);
    let fault = "game 1, line 14, \"Kg6\": no man can make this move; kept as far as it is good";
    assert!(said.contains(&format!("hayes.pgn, {fault}")), "{said}");
    assert!(said.contains("hayes.pgn, game 3, line 44, "), "{said}");
    let last = "; 2 broken and kept as far as good";
    assert!(said.lines().last().is_some_and(|line| line.ends_with(last)), "{said}");
    let end = std::iter::successors(Some(NodeId::ROOT), |&at| games[0].children(at).next()).last();
    let notes = end.and_then(|end| games[0].notes(end)).expect("the last move has notes");
    let comment = "the game stops here: line 14, \"Kg6\": no man can make this move";
    assert!(
        notes.comments[0].starts_with("[%eval ")
            && notes.comments.last().is_some_and(|last| last == comment),
        "{notes:?}"
    );
}

#[test]
fn what_has_neither_tags_nor_moves_is_passed_over() {
    let text = b"Ke9 *\n\n[FEN \"8/8 w\"]\n\n1. e4 *\n\n[White \"x\"]\n\n1. Ke2 *\n\n1. e4 e5 *\n";
    let output = session(&["analyse", "--format", "pgn", "--nodes", "1", "--json"], text);
    assert_eq!(output.status.code(), Some(1));
    let said = errors(&output);
    assert_eq!(said.matches("; passed over\n").count(), 2, "{said}");
    assert!(
        said.contains("; 1 broken and kept as far as good; 2 broken and passed over"),
        "{said}"
    );
    let values = objects(&self::text(&output));
    assert_eq!(values.len(), 4);
    let broken = "the standard input, game 3, line 9, \"Ke2\": no man can make this move";
    assert_eq!((&values[0]["game"], &values[0]["broken"]), (&3.into(), &broken.into()));
    assert_eq!((&values[3]["game"], values[3].get("broken")), (&4.into(), None));
}

#[test]
fn content_decides_and_can_be_overruled() {
    let positions = format!("{BACK_RANK}\n");
    let wrong = session(&["analyse", "--format", "pgn", "--nodes", "1"], positions.as_bytes());
    assert_eq!(wrong.status.code(), Some(1));
    let said = errors(&wrong);
    assert!(said.contains("the standard input does not look like a file of games"), "{said}");
    assert!(said.contains("game 1, line 1"), "{said}");
    let noise = noise(20_000, 7);
    for format in ["auto", "pgn", "epd"] {
        let output = session(&["analyse", "--format", format, "--nodes", "1"], &noise);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{}", errors(&output));
    }
}

#[test]
fn an_output_is_not_replaced_unless_asked_and_nothing_is_left_beside_it() {
    let folder = Folder::new("kept");
    let name = folder.file("kept.pgn");
    let arguments = ["analyse", "--nodes", "1", "--hash", "1", "--output", &name];
    let run = |more: &[&str]| session(&[&arguments[..], more].concat(), b"1. e4 e5 *\n");
    assert!(run(&[]).status.success());
    let whole = folder.read("kept.pgn");
    let refused = run(&[]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(errors(&refused).ends_with(" is there already: --overwrite replaces it\n"));
    assert!(run(&["--overwrite"]).status.success());
    assert_eq!((folder.read("kept.pgn"), folder.names()), (whole, vec!["kept.pgn".to_owned()]));
}

#[test]
fn wrong_usage_is_one_clear_line() {
    let cases: [(&[&str], i32, &str); 7] = [
        (&["8/8 w"], 2, "rookery: EPD: FEN, piece placement: 2 ranks instead of 8\n"),
        (&["one.pgn", "two.pgn"], 1, "rookery: cannot read one.pgn: "),
        (&["none.pgn"], 1, "rookery: cannot read none.pgn: "),
        (&["-"], 1, "rookery: the standard input holds no games\n"),
        (&["--depth", "0"], 2, "'0'"),
        (&["--overwrite"], 2, "--output"),
        (&["--hash", "99999999999"], 2, "rookery: --hash: "),
    ];
    for (arguments, status, named) in cases {
        refused(&[&["analyse"], arguments].concat(), status, named);
    }
}
