//! What is read, by the real program: packed files, files of another kind, devices, and positions in all
//! the ways in which they may be given.

mod support;

use flate2::Compression;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::io::Write;
use support::{Folder, errors, refused, rookery, session, text, well};

/// A file as it is, packed by gzip, and packed by zstd.
fn packed(folder: &Folder, name: &str, content: &[u8]) -> [String; 3] {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(content).expect("memory takes all");
    let gzip = gzip.finish().expect("memory takes all");
    [
        folder.write(name, content),
        folder.write(&format!("{name}.gz"), &gzip),
        folder.write(&format!("{name}.zst"), compress_to_vec(content, CompressionLevel::Fastest)),
    ]
}

const POSITIONS: &[u8] = b"6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#; id \"one\";\n";

#[test]
fn every_reader_of_positions_and_games_unpacks_them() {
    let folder = Folder::new("packed");
    for name in packed(&folder, "positions.epd", POSITIONS) {
        let suite = rookery(&["suite", &name, "--depth", "2", "--hash", "1"]);
        assert!(text(&suite).ends_with("solved 1 of 1\n"), "{name}: {}", errors(&suite));
        let sim = rookery(&["sim", "--positions", &name, "--processors", "2", "--depth", "2"]);
        assert!(sim.status.success(), "{name}: {}", errors(&sim));
        let limits = ["--depth", "1", "--repetitions", "1", "--hash", "1", "--strategies", "lazy"];
        let speedup = rookery(&[&["speedup", "--positions", &name], &limits[..]].concat());
        assert!(speedup.status.success(), "{name}: {}", errors(&speedup));
        let engines = ["--engine", "cmd=self", "--engine", "cmd=self", "--each", "nodes=5"];
        let games = ["--games", "1", "--max-moves", "1", "--openings", &name, "--json"];
        let played = rookery(&[&["match"], &engines[..], &games].concat());
        assert!(played.status.success(), "{name}: {}", errors(&played));
    }
    for name in packed(&folder, "counts.epd", b"4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5 ;D2 25\n") {
        let perft = rookery(&["perft", "--suite", &name]);
        assert!(text(&perft).ends_with("2 counts, all exact\n"), "{name}: {}", errors(&perft));
    }
    let book = &folder.file("book.bin");
    for name in packed(&folder, "games.pgn", b"1. e4 e5 1-0\n\n1. d4 1-0\n") {
        let built = rookery(&["book", "build", &name, "-o", book, "--min-games", "1"]);
        assert!(text(&built).contains("2 games, "), "{name}: {}", errors(&built));
        let imported = rookery(&["data", "import", &name, "-o", book]);
        assert!(text(&imported).contains(": 2 games, "), "{name}: {}", errors(&imported));
    }
}

#[test]
fn text_of_other_systems_is_read_or_named() {
    let folder = Folder::new("systems");
    let marked = folder.write("marked.epd", [&b"\xef\xbb\xbf"[..], POSITIONS].concat());
    let limits = ["--depth", "1", "--repetitions", "1", "--hash", "1", "--strategies", "lazy"];
    for arguments in [
        &["suite", &marked, "--depth", "2"][..],
        &["sim", "--positions", &marked, "--processors", "2", "--depth", "2"],
        &[&["speedup", "--positions", &marked], &limits[..]].concat(),
    ] {
        well(arguments);
    }
    assert!(text(&session(&[], b"\xef\xbb\xbfuci\nquit\n")).contains("uciok\n"));
    let wide = |byte: &u8| [*byte, 0];
    let wide: Vec<u8> = [0xff, 0xfe].into_iter().chain(POSITIONS.iter().flat_map(wide)).collect();
    let wide = folder.write("wide.epd", wide);
    let returns = [POSITIONS, POSITIONS].concat();
    let returns: Vec<u8> =
        returns.iter().map(|&byte| if byte == b'\n' { b'\r' } else { byte }).collect();
    let returns = folder.write("returns.epd", returns);
    let made = &folder.file("made");
    for (arguments, reason) in [
        (&["suite", &wide][..], "it is text in UTF-16: save it as UTF-8"),
        (&["analyse", &wide], "it is text in UTF-16: save it as UTF-8"),
        (&["book", "build", &wide, "-o", made], "it is text in UTF-16: save it as UTF-8"),
        (&["suite", &returns], "its lines end with carriage returns alone"),
        (&["regret", "make", &returns, "-o", made], "its lines end with carriage returns alone"),
        (&["eval", &marked], "is a file; a position stands here"),
        (&["sim", "--first", "0"], "expected a number, 1 or more"),
        (&["speedup", "--first", "0"], "expected a number, 1 or more"),
    ] {
        let output = rookery(arguments);
        assert!(!output.status.success(), "{arguments:?}: {}", text(&output));
        assert!(errors(&output).contains(reason), "{arguments:?}: {}", errors(&output));
    }
}

#[test]
fn a_file_of_another_kind_is_told_once() {
    let folder = Folder::new("kind");
    let prose: String = (0..200).map(|number| format!("This is line {number}.\n")).collect();
    let prose = folder.write("prose.txt", prose.as_bytes());
    // Something like a broken game here and there.
    let bytes: Vec<u8> =
        (0..100_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let binary = folder.write("binary", bytes);
    let book = &folder.file("book.bin");
    for arguments in [
        &["suite", &prose][..],
        &["analyse", &prose, "--format", "epd"],
        &["analyse", &prose],
        &["book", "build", &prose, "-o", book],
        &["perft", "--suite", &prose],
        &["analyse", &binary],
        &["book", "build", &binary, "-o", book],
        &["data", "import", &binary, "-o", book],
        &["regret", "make", &binary, "-o", book],
    ] {
        let said = refused(arguments, 1, " does not look like ");
        assert_eq!(said.lines().count(), 1, "{arguments:?}: {said}");
    }
    rookery(&["analyse", &prose, "--format", "epd", "--output", &folder.file("out.txt")]);
    assert_eq!(folder.names(), ["binary", "prose.txt"], "nothing is left but what is read");
}

#[cfg(unix)]
#[test]
fn devices_are_refused_and_pipes_of_settings_are_not_waited_for() {
    let folder = Folder::new("devices");
    let (pipe, tables) = (&folder.pipe("pipe"), &folder.file("tables"));
    well(&["endgame", "build", "KQK", "--metrics", "dtm", "--dir", tables]);
    let zero = "/dev/zero";
    for (arguments, what) in [
        (&["sim", "--positions", zero][..], "a device"),
        (&["sim", "--machine", zero], "a device"),
        (&["sim", "--faults", zero], "a device"),
        (&["sim", "--machine", pipe], "a pipe"),
        (&["sim", "--faults", pipe], "a pipe"),
        (&["speedup", "--positions", zero], "a device"),
        (&["endgame", "check", "--epd", zero, "--dir", tables], "a device"),
        (&["suite", zero], "a device"),
        (&["perft", "--suite", zero], "a device"),
        (&["analyse", zero], "a device"),
        (&["book", "build", zero, "-o", "no-book.bin"], "a device"),
    ] {
        let output = rookery(arguments);
        let said = errors(&output);
        assert!(matches!(output.status.code(), Some(1 | 2)), "{arguments:?}: {said}");
        assert!(said.contains(&format!("it is {what}, not a plain file")), "{arguments:?}: {said}");
    }
}

#[test]
fn a_position_is_given_in_the_same_ways_to_every_command() {
    let after = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let with_fen = format!("fen {start} moves e2e4 e7e5");
    let bare = format!("{start} moves e2e4 e7e5");
    let ways = ["startpos moves e2e4 e7e5", &with_fen, &bare, after];
    for command in
        [&["perft", "2", "--json"][..], &["eval", "--json"], &["analyse", "--depth", "1"]]
    {
        for way in ways {
            let words: Vec<&str> = way.split(' ').collect();
            for given in [&[way][..], &words, &["--fen", way]] {
                let output = rookery(&[command, given].concat());
                assert!(
                    text(&output).contains(after),
                    "{command:?} {given:?}: {}",
                    errors(&output)
                );
            }
        }
        refused(&[command, &["startpos", "moves", "e2e5"]].concat(), 2, "move 1: ");
    }
}

#[test]
fn what_can_be_repaired_in_a_position_is_repaired_and_told_by_every_command() {
    let folder = Folder::new("repaired");
    for (fen, note) in [
        ("4k3/8/8/8/8/N7/PPPPPPPP/RNBQKBNR w KQ - 0 1", "White has 17 men, more than sixteen"),
        ("4k3/8/8/8/8/P7/PPPPPPPP/RNBQKBNR w - - 0 1", "White has 9 pawns, more than eight"),
        ("4k3/8/8/8/8/8/4P3/4K3 w K - 0 1", "castling rights K dropped: no king and rook in place"),
    ] {
        let record = folder.write("one.epd", format!("{fen} dm 1;\n"));
        let counted = well(&["perft", "1", fen]);
        let count = counted.split_whitespace().nth(2).expect("a count");
        let counts = folder.write("counts.epd", format!("{fen} ;D1 {count}\n"));
        let reference = folder.file("reference.epd");
        let _ = std::fs::remove_file(&reference);
        let sim = ["sim", "--positions", &record, "--processors", "2", "--depth", "1"];
        let limits = ["--depth", "1", "--repetitions", "1", "--hash", "1", "--strategies", "lazy"];
        let speedup = [&["speedup", "--positions", &record], &limits[..]].concat();
        let make =
            ["regret", "make", &record, "-o", &reference, "--nodes", "50", "--at-stake", "0"];
        let few = ["--positions", "1", "--max-score", "10000", "--hash", "1"];
        for command in [
            &["perft", "1", fen][..],
            &["eval", fen],
            &["moves", fen],
            &["timeline", fen, "--depth", "2", "--threads", "2", "--hash", "1"],
            &["analyse", fen, "--depth", "1"],
            &["analyse", "--fen", fen, "--depth", "1"],
            &["analyse", &record, "--depth", "1", "--hash", "1"],
            &["perft", "--suite", &counts],
            &["suite", &record, "--depth", "1", "--hash", "1"],
            &sim,
            &speedup,
            &[&make[..], &few].concat(),
        ] {
            let output = rookery(command);
            let said = errors(&output);
            assert_eq!(said.matches(note).count(), 1, "{command:?}: {said}");
            assert!(output.status.success(), "{command:?}: {said}{}", text(&output));
        }
        let probed = session(&["endgame", "probe", "-"], fen.as_bytes());
        assert!(errors(&probed).contains(&format!("line 1: {note}")), "{}", errors(&probed));
        let console = format!("position fen {fen}\ngo depth 1\n");
        let said = text(&session(&[], console.as_bytes()));
        assert!(said.contains(&format!("info string position: {note}\n")), "{said}");
    }
}

#[test]
fn a_long_name_is_not_told_whole() {
    let long = "x".repeat(500_000);
    let lines =
        format!("savetable {long}\nloadtable {long}\nsetoption name BookFile value {long}\nquit\n");
    let said = text(&session(&[], lines.as_bytes()));
    assert_eq!(said.lines().count(), 3, "{}", said.len());
    assert!(said.lines().all(|line| line.starts_with("info string error ") && line.len() < 1000));
    let long = "x".repeat(100_000);
    for arguments in [&["suite", &long][..], &["analyse", &long], &["sim", "--depth", &long]] {
        let said = errors(&rookery(arguments));
        assert!(!said.is_empty() && said.len() < 5000, "{}", said.len());
    }
}

/// What would change the title of a terminal, its colour, and its colour in one character.
const HOSTILE: &str = "a\u{1b}]0;owned\u{7}b\u{1b}[31mc\u{9b}31md";

#[cfg(unix)]
#[test]
fn names_from_files_and_engines_give_a_terminal_no_commands() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("hostile");
    let games = folder.write("games.pgn", format!("[White \"{HOSTILE}\"]\n\n1. e4 e5 1-0\n"));
    let suite = "4k3/8/8/8/8/8/3Q4/4K3 w - - bm Qd7; id \"".to_owned() + HOSTILE + "\";\n";
    let suite = folder.write("suite.epd", &suite);
    let machine = folder.write("machine", format!("name = {HOSTILE}\nnode_us = 5\n"));
    let script = format!(
        "#!/bin/sh\nwhile read line; do case $line in uci) echo 'id name {HOSTILE}'; echo uciok;; \
         isready) echo readyok;; go*) echo bestmove {HOSTILE};; quit) exit;; esac; done\n"
    );
    let engine = folder.write("engine", &script);
    let all = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&engine, all).expect("it can be run");
    let (rival, annotated) = (format!("cmd={engine}"), folder.file("annotated.pgn"));
    let missing = folder.file(HOSTILE);
    let match_head = ["match", "--engine", "cmd=self", "--engine", &rival, "--each", "nodes=5"];
    for (arguments, named) in [
        (&["analyse", &games, "--nodes", "10", "--output", &annotated][..], "a\\u001b]0;"),
        (&["suite", &suite, "--depth", "1"], "a\\u001b]0;"),
        (
            &["sim", "--machine", &machine, "--processors", "2", "--depth", "1", "--first", "1"],
            "\\u001b",
        ),
        (&[&match_head[..], &["--games", "1"]].concat(), "a\\u001b]0;"),
        (&["analyse", &missing], "a\\u001b]0;"),
        (&["data", "check", &missing], "a\\u001b]0;"),
    ] {
        let output = rookery(arguments);
        let said = text(&output) + &errors(&output);
        assert!(said.contains(named), "{arguments:?}: {said:?}");
        let is_command = |character: char| character.is_control() && character != '\n';
        assert!(!said.contains(is_command), "{arguments:?}: {said:?}");
    }
    let data = text(&rookery(&["analyse", &games, "--nodes", "10"]));
    assert!(data.contains(HOSTILE), "the game stays what it is: {data:?}");
}
