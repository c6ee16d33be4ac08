//! `rookery analyse` and the files that are given to it: several, packed, tables, outputs of any kind.

mod support;

use flate2::Compression;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::fs;
use std::io::Write;
use support::{Folder, data, errors, good, objects, refused, rookery, text};

const LIMITS: [&str; 4] = ["--nodes", "50", "--hash", "1"];

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(text).expect("memory takes all");
    packed.finish().expect("memory takes all")
}

fn analyse(arguments: &[&str]) -> std::process::Output {
    rookery(&[&["analyse"], arguments, &LIMITS].concat())
}

#[test]
fn several_files_are_analysed_one_after_the_other_packed_or_not() {
    let folder = Folder::new("several");
    let (one, two, three) = (&b"1. e4 e5 *\n"[..], &b"1. d4 *\n\n1. c4 *\n"[..], &b"1. a3 *\n"[..]);
    let whole = folder.write("whole.pgn", [one, b"\n", two, b"\n", three].concat());
    let names = [
        folder.write("one.pgn", one),
        folder.write("two.pgn", gzip(two)),
        folder.write("three", compress_to_vec(three, CompressionLevel::Fastest)),
    ];
    let names = names.each_ref().map(String::as_str);
    let together = analyse(&names);
    assert_eq!(good(&together), text(&analyse(&[&whole])));
    let values = objects(&text(&analyse(&[&names[..], &["--json"]].concat())));
    assert_eq!((&values[0]["file"], &values[0]["game"]), (&names[0].into(), &1.into()));
    let last = values.last().expect("a position");
    assert_eq!((&last["file"], &last["game"]), (&names[2].into(), &4.into()));

    let missing = analyse(&[names[0], "no-such-file.pgn"]);
    assert_eq!((missing.status.code(), text(&missing).as_str()), (Some(1), ""));
    assert!(errors(&missing).starts_with("rookery: cannot read no-such-file.pgn: "));
    let positions = folder.write("x.epd", b"4k3/8/8/8/8/8/8/4K2R w K -\n");
    let mixed = analyse(&[names[0], &positions]);
    assert_eq!(mixed.status.code(), Some(1));
    let reason = "x.epd holds positions, not games: analyse it by itself\n";
    assert!(errors(&mixed).ends_with(reason), "{}", errors(&mixed));
}

#[test]
fn of_a_packed_file_that_was_cut_off_the_games_before_the_cut_are_used() {
    let folder = Folder::new("cut");
    let game = |number| format!("[Event \"{number}\"]\n\n1. e4 {{{number:01000}}} e5 *\n\n");
    // More than three blocks of zstd, but not more than it keeps for what follows.
    let games: String = (0..500).map(game).collect();
    let packed =
        [gzip(games.as_bytes()), compress_to_vec(games.as_bytes(), CompressionLevel::Fastest)];
    for (name, packed) in ["cut.gz", "cut.zst"].into_iter().zip(packed) {
        let cut = &folder.write(name, &packed[..packed.len() * 2 / 3]);
        let words = ["analyse", cut, "--nodes", "1", "--hash", "1"];
        let output = &folder.file(&format!("{name}.pgn"));
        let to_file = [&words[..], &["--output", output]].concat();
        let said = refused(&to_file, 1, &format!("rookery: {cut} is cut off: "));
        let kept = said.strip_prefix(&format!("rookery: {cut} is cut off: ")).expect("told");
        let count: usize =
            kept.split(' ').next().and_then(|word| word.parse().ok()).expect("a number");
        let rest = format!(
            " games are in {output}.part; when that is mended, the same command goes on behind them\n"
        );
        assert!(kept.ends_with(&rest) && said.lines().count() == 1, "{said}");
        let done = fs::read_to_string(format!("{output}.part")).expect("it is there");
        assert_eq!(done.matches("[Event ").count(), count);
        assert!((100..450).contains(&count), "{name}: {count}");
        // With the whole file it goes on.
        folder.write(name, &packed);
        let went_on = rookery(&to_file);
        assert!(good(&went_on).starts_with(&format!("{count} games are done already\n")));
        let done = fs::read_to_string(output).expect("it is there");
        assert_eq!(done.matches("[Event ").count(), 500);

        folder.write(name, &packed[..packed.len() * 2 / 3]);
        let book = &folder.file("book.bin");
        for command in [
            &["book", "build", cut, "-o", book][..],
            &["data", "import", cut, "-o", book],
            &["regret", "make", cut, "-o", book],
            &["sim", "--positions", cut],
        ] {
            let said = refused(command, 1, &format!("rookery: {cut} is cut off"));
            let is_plain = !said.contains("stream") && !said.contains("Error");
            assert!(is_plain && said.lines().count() == 1, "{said}");
            assert!(!fs::exists(book).expect("the folder can be read"), "{command:?}");
        }
    }
}

#[test]
fn a_position_can_be_given_by_an_option_and_the_command_is_spelt_in_two_ways() {
    let fen = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1";
    let limits = ["--depth", "3", "--hash", "1"];
    let plain = rookery(&[&["analyse", fen], &limits[..]].concat());
    let option = rookery(&[&["analyze", "--fen", fen], &limits[..]].concat());
    let untimed = |output| text(output).lines().next().map(str::to_owned);
    assert!(option.status.success() && text(&option).contains("Best move:  Rd8#"));
    assert_eq!(untimed(&plain), untimed(&option));
    assert_eq!(analyse(&["--fen", "8/8 w"]).status.code(), Some(2));
    assert_eq!(analyse(&["--fen", fen, fen]).status.code(), Some(2));
}

#[test]
fn tables_are_asked_and_what_holds_none_is_refused() {
    let (syzygy, folder) = (data("syzygy"), Folder::new("tables"));
    let own = folder.name();
    let fen = "8/8/8/8/8/2k5/8/K5Q1 w - - 0 1";
    let empty = analyse(&["--fen", fen, "--tables", own]);
    assert_eq!(empty.status.code(), Some(2));
    assert!(errors(&empty).contains("holds no tables; `rookery endgame build` makes them"));
    let none = analyse(&["--fen", fen, "--syzygy", "no/such/folder"]);
    assert_eq!(none.status.code(), Some(2));
    assert!(errors(&none).starts_with("rookery: --syzygy: no/such/folder: "));
    let known = analyse(&["--fen", fen, "--syzygy", &syzygy]);
    assert!(text(&known).contains(", Syzygy tables of up to 4 men.\n"), "{}", text(&known));
    good(&rookery(&["endgame", "build", "KQK", "--dir", own]));
    // Fifty nodes find no mate in eight; the table knows it.
    let fen = "8/8/8/3k4/8/8/8/K5Q1 w - - 0 1";
    let found = text(&analyse(&["--fen", fen, "--tables", own]));
    assert!(found.contains(", own tables of up to 3 men.\n"), "{found}");
    assert!(found.contains(": White mates in "), "{found}");
    let games = folder.write("game.pgn", format!("[FEN \"{fen}\"]\n\n1. Qd1+ *\n").as_bytes());
    let annotated = text(&analyse(&[&games, "--tables", own]));
    assert!(annotated.contains("[%eval #"), "{annotated}");
    let other = analyse(&["--fen", fen, "--tables", own, "--profile", "plain"]);
    assert_eq!(other.status.code(), Some(2), "{}", errors(&other));
}

#[cfg(unix)]
#[test]
fn links_and_pipes_are_neither_replaced_nor_waited_for() {
    let folder = Folder::new("special");
    let games = folder.write("games.pgn", b"1. e4 *\n");
    let precious = folder.write("precious", b"precious");
    let link = |name: &str| {
        std::os::unix::fs::symlink(&precious, folder.file(name)).expect("links can be made");
        folder.file(name)
    };
    let (output, planted) = (link("link.pgn"), folder.file("planted.pgn"));
    link("planted.pgn.part");
    link("planted.pgn.journal");
    let pipe = folder.pipe("pipe");
    for input in [&games[..], "startpos"] {
        for (name, reason) in
            [(&output[..], "it is a symbolic link"), (&pipe, "no process reads the pipe")]
        {
            let refused = analyse(&[input, "--output", name, "--overwrite"]);
            assert!(matches!(refused.status.code(), Some(1 | 2)), "{name}");
            assert!(errors(&refused).contains(reason), "{}", errors(&refused));
        }
    }
    let refused = analyse(&[&games, "--output", &planted]);
    assert!(errors(&refused).contains("it is a symbolic link"), "{}", errors(&refused));
    assert_eq!(fs::read(&precious).expect("it is there"), b"precious");
    assert!(fs::symlink_metadata(&output).is_ok_and(|found| found.file_type().is_symlink()));
    assert_eq!(analyse(&[&games, "--output", folder.name()]).status.code(), Some(2));
}

#[test]
fn the_evaluation_over_games_is_drawn() {
    let folder = Folder::new("plot");
    let game = "[White \"Ann & Bob\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n";
    let games = folder.write("games.pgn", game.repeat(14).as_bytes());
    let [svg, png] = ["games.svg", "games.PNG"].map(|name| folder.write(name, b""));
    for picture in [&svg, &png] {
        let output = analyse(&[&games, "--plot", picture]);
        good(&output);
        assert!(errors(&output).contains("; the first 12 are drawn"), "{}", errors(&output));
    }
    let picture = fs::read_to_string(&svg).expect("the picture is there");
    assert_eq!(picture.matches("Ann &amp; Bob – ? 0-1</text>").count(), 12, "{picture}");
    for text in [">move</text>", ">evaluation for White, pawns</text>", ">blunder</text>"] {
        assert!(picture.contains(text), "{text}: {picture}");
    }
    assert!(fs::read(&png).expect("the picture is there").starts_with(b"\x89PNG"));
}

#[test]
fn a_picture_of_no_games_or_over_what_is_read_is_refused() {
    let folder = Folder::new("no-plot");
    let game = folder.write("game.svg", b"1. e4 e5 *\n");
    let positions = folder.write("positions.epd", b"8/8/8/8/8/8/k1K5/7Q w - -\n");
    let new = folder.file("new.svg");
    let new = new.as_str();
    for (arguments, why) in [
        (vec!["startpos", "--plot", new], "--plot draws the evaluation over a game"),
        (vec![&positions, "--plot", new], "--plot draws the evaluation over a game"),
        (vec![&game, "--plot", &game], "game.svg is what is read"),
        (vec![&game, "--plot", "game.gif"], "must end in .svg or .png"),
    ] {
        refused(&[&["analyse"], &arguments[..], &LIMITS].concat(), 2, why);
    }
    assert_eq!(fs::read(&game).expect("it is as it was"), b"1. e4 e5 *\n");
    assert!(!std::path::Path::new(new).exists());
}
