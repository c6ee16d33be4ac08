//! Files of the user's choice, with the real program: what is replaced, what is refused, what is never
//! waited for, and what is left when the program is ended.
#![cfg(unix)]

mod support;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::{FileTypeExt, symlink};
use std::os::unix::net::UnixListener;
use std::process::{Child, Output};
use support::{Folder, data, errors, finish, good, interrupt, limited, program, text, wait_until};

fn start(arguments: &[&str]) -> Child {
    program(arguments).spawn().expect("the program starts")
}

/// The program with some arguments and some lines to read. It may not hang.
fn run(arguments: &[&str], lines: &str) -> Output {
    let mut child = start(arguments);
    // It may have left already.
    let _ = child.stdin.take().expect("stdin is piped").write_all(lines.as_bytes());
    finish(child)
}

/// Every command that writes a file, and what it says. Pictures want a name that ends in `.svg`.
fn write_in_every_way(folder: &Folder, name: &str) -> Vec<(&'static str, String)> {
    let path = folder.file(name);
    let games = folder.write("games.pgn", "1. e4 e5 1-0\n");
    let book = data("polyglot/lasker-trap.bin");
    let said = |output: Output| format!("{}{}", text(&output), errors(&output));
    let sim = ["sim", "--processors", "2", "--depth", "2", "--first", "1"];
    let table = format!("setoption name Hash value 1\nsavetable {path}\nquit\n");
    let said = vec![
        ("savetable", said(run(&[], &table))),
        ("build", said(run(&["book", "build", &games, "-o", &path, "--min-games", "1"], ""))),
        ("merge", said(run(&["book", "merge", &book, &book, "-o", &path], ""))),
        ("plot", said(run(&[&sim[..], &["--plot", &path]].concat(), ""))),
        ("trace", said(run(&[&sim[..], &["--trace", &path]].concat(), ""))),
        ("chart", said(run(&[&sim[..], &["--compare", "--plot", &path]].concat(), ""))),
    ];
    fs::remove_file(games).expect("it is there");
    said
}

#[test]
fn only_plain_files_are_replaced() {
    let folder = Folder::new("replaced");
    let target = folder.write("target", "precious");
    symlink(&target, folder.file("link.svg")).expect("a link");
    folder.pipe("pipe.svg");
    let _listener = UnixListener::bind(folder.file("socket.svg")).expect("a socket");
    fs::create_dir(folder.file("folder.svg")).expect("a folder");
    for (name, what) in [
        ("link.svg", "a symbolic link"),
        ("pipe.svg", "a pipe"),
        ("socket.svg", "a socket"),
        ("folder.svg", "a folder"),
    ] {
        for (command, said) in write_in_every_way(&folder, name) {
            assert!(said.contains(&format!("it is {what}, not a plain file")), "{command}: {said}");
        }
    }
    let kind = |name| fs::symlink_metadata(folder.file(name)).expect("it is there").file_type();
    assert!(
        kind("link.svg").is_symlink()
            && kind("pipe.svg").is_fifo()
            && kind("socket.svg").is_socket()
    );
    assert_eq!(fs::read_to_string(target).expect("it is there"), "precious");
    assert_eq!(
        folder.names(),
        ["folder.svg", "link.svg", "pipe.svg", "socket.svg", "target"],
        "nothing is left"
    );
}

#[test]
fn a_plain_file_is_replaced_and_what_a_killed_run_left_is_swept() {
    let folder = Folder::new("plain");
    folder.write(".output.svg.killed.rookery-part", "half a file");
    let path = folder.write("output.svg", "old");
    for (command, said) in write_in_every_way(&folder, "output.svg") {
        assert!(!said.contains("error") && !said.contains("cannot"), "{command}: {said}");
    }
    assert_ne!(fs::read(path).expect("it is there"), b"old");
    assert_eq!(folder.names(), ["output.svg"]);
}

#[test]
fn pipes_among_the_files_of_a_session_are_refused_and_quit_is_heard() {
    let folder = Folder::new("pipes");
    let pipe = folder.pipe("pipe");
    folder.pipe("KQK.dtm");
    folder.pipe("KQvK.rtbw");
    let all = folder.0.display();
    for (lines, said) in [
        (format!("loadtable {pipe}"), "error loadtable: table file "),
        (format!("setoption name BookFile value {pipe}"), "error setoption: BookFile: book "),
        (
            format!("setoption name LearningFile value {pipe}\nsetoption name Learning value true"),
            "error setoption: learning file ",
        ),
        (format!("setoption name EndgamePath value {all}"), "KQK.dtm"),
        (format!("setoption name SyzygyPath value {all}"), "KQvK.rtbw"),
    ] {
        let answer = text(&run(&[], &format!("{lines}\nisready\nquit\n")));
        assert!(answer.contains(said) && answer.contains("readyok"), "{lines}: {answer}");
        assert!(answer.contains("it is a pipe, not a plain file"), "{lines}: {answer}");
    }
    for arguments in [["book", "show", &pipe], ["book", "check", &pipe]] {
        assert!(errors(&run(&arguments, "")).contains("it is a pipe"), "{arguments:?}");
    }
}

#[test]
fn a_pipe_among_kept_results_is_named_and_not_waited_for() {
    let folder = Folder::new("kept");
    let keep = folder.file("keep");
    let sim = ["sim", "--processors", "2", "--depth", "2", "--first", "1", "--keep", &keep];
    assert!(run(&sim, "").status.success());
    let kept = Folder(keep.clone().into());
    for name in kept.names() {
        fs::remove_file(kept.file(&name)).expect("it is there");
        kept.pipe(&name);
    }
    let again = run(&sim, "");
    assert_eq!(again.status.code(), Some(1));
    assert!(errors(&again).contains("it is a pipe, not a plain file"), "{}", errors(&again));
}

#[test]
fn games_may_come_from_a_pipe_with_a_name() {
    let folder = Folder::new("games");
    let (pipe, book) = (folder.pipe("pipe"), folder.file("book.bin"));
    let child = start(&["book", "build", &pipe, "-o", &book, "--min-games", "1"]);
    fs::write(&pipe, "1. e4 e5 1-0\n").expect("it is read");
    let said = good(&finish(child));
    assert!(said.contains("1 game, "), "{said}");
}

#[test]
fn ctrl_c_ends_a_book_that_waits_for_games_and_leaves_nothing() {
    let folder = Folder::new("interrupted-book");
    let (pipe, book) = (folder.pipe("pipe"), folder.file("book.bin"));
    for games in ["-", &pipe] {
        let child = start(&["book", "build", games, "-o", &book]);
        wait_until("its files", || folder.names().len() == 2);
        interrupt(child.id());
        let output = finish(child);
        assert_eq!(output.status.code(), Some(130), "{}", errors(&output));
        assert!(errors(&output).contains("was not written"), "{}", errors(&output));
        assert_eq!(folder.names(), ["pipe"]);
    }
}

#[test]
fn ctrl_c_shows_the_tables_so_far_and_the_build_goes_on() {
    let folder = Folder::new("interrupted-build");
    let dir = folder.name();
    // Minutes of work: it cannot end before it is interrupted.
    let mut child = start(&["endgame", "build", "--men", "4", "--threads", "1", "--dir", dir]);
    let mut out = BufReader::new(child.stdout.take().expect("stdout is piped"));
    let mut first = String::new();
    out.read_line(&mut first).expect("a line");
    assert!(first.contains(" bytes "), "{first}");
    interrupt(child.id());
    let output = finish(child);
    let mut rest = String::new();
    out.read_to_string(&mut rest).expect("text");
    assert_eq!(output.status.code(), Some(130), "{rest}{}", errors(&output));
    let count = rest.lines().count();
    let last = rest.lines().last().expect("a sum");
    assert!(last.starts_with(&format!("{count} files, ")), "{rest}");
    assert!(errors(&output).contains("interrupted; the same command goes on"), "{rest}");
    let names = folder.names();
    assert!(names.iter().all(|name| !name.starts_with('.')), "{names:?}");
    // What there is is not built again.
    let ending = first.split(' ').next().expect("a name");
    let metrics = ["--metrics", "dtm"];
    good(&run(&[&["endgame", "build", ending, "--dir", dir], &metrics[..]].concat(), ""));
}

#[test]
fn two_builds_over_one_folder_are_told_of_each_other() {
    let folder = Folder::new("locked-build");
    let dir = folder.name();
    let lock = files::Lock::inside(&folder.0).expect("the folder is free");
    let build = ["endgame", "build", "KQK", "--metrics", "dtm", "--dir", dir];
    let refused = run(&build, "");
    assert_eq!(refused.status.code(), Some(1));
    let holder = format!("{dir}: in use by process {} (", std::process::id());
    assert!(errors(&refused).contains(&holder), "{}", errors(&refused));
    drop(lock);
    assert!(text(&run(&build, "")).contains("\n1 file, "));
    let again = run(&build, "");
    assert!(again.status.success() && text(&again).starts_with("nothing to build: "));
    assert_eq!(folder.names(), ["KQK.dtm"]);
}

#[test]
fn no_output_replaces_what_is_read() {
    let folder = Folder::new("inputs");
    let content = "1. e4 e5 1-0\n";
    let games = folder.write("games.pgn", content);
    fs::hard_link(&games, folder.file("hard.pgn")).expect("a link");
    symlink(&games, folder.file("soft.pgn")).expect("a link");
    let part = folder.write("other.pgn.part", content);
    let limits = ["--nodes", "1", "--hash", "1", "--overwrite", "--output"];
    for (input, output) in [
        (&games, &games),
        (&folder.file("hard.pgn"), &games),
        (&folder.file("soft.pgn"), &games),
        (&part, &folder.file("other.pgn")),
    ] {
        let refused = run(&[&["analyse", input], &limits[..], &[output]].concat(), "");
        assert_eq!(refused.status.code(), Some(2), "{input} {output}");
        assert!(errors(&refused).contains(" is what is read"), "{}", errors(&refused));
        assert_eq!(fs::read_to_string(input).expect("it is there"), content, "{input}");
    }
    let mut piped = program(&[&["analyse", "-"], &limits[..], &[&games]].concat());
    let piped = piped.stdin(fs::File::open(&games).expect("it is there")).output();
    let piped = piped.expect("the program starts");
    assert!(errors(&piped).contains(" is what is read"), "{}", errors(&piped));
    let engines = ["--engine", "cmd=self", "--engine", "cmd=self", "--each", "nodes=5"];
    let openings = ["--openings", &games, "--pgn", &games, "--games", "1"];
    let refused = run(&[&["match"], &engines[..], &openings].concat(), "");
    assert!(errors(&refused).contains("this is the file of the openings"), "{}", errors(&refused));
    assert_eq!(fs::read_to_string(&games).expect("it is there"), content);
    assert_eq!(folder.names(), ["games.pgn", "hard.pgn", "other.pgn.part", "soft.pgn"]);
}

#[test]
fn every_command_refuses_to_write_over_what_it_reads() {
    let folder = Folder::new("read-and-written");
    let copy = |from: &str, to: &str| {
        fs::copy(data(from), folder.file(to)).expect("it is copied");
        folder.file(to)
    };
    let book = &copy("polyglot/lasker-trap.bin", "book.bin");
    let (games, net) = (&folder.write("a.pgn", "1. e4 *\n"), &copy("net/tiny.net", "tiny.net"));
    let table = &copy("syzygy/KQvK.rtbw", "KQvK.rtbw");
    let tables = folder.name();
    let (packed, drawn) = (&folder.file("a.rkg"), &folder.write("a.svg", ""));
    good(&run(&["data", "import", games, "-o", packed], ""));
    let before: Vec<_> = folder.names().iter().map(|name| folder.read(name)).collect();
    for command in [
        &["book", "merge", book, "-o", book][..],
        &["book", "merge", book, book, "-o", &folder.file("./book.bin")],
        &["book", "build", games, "-o", games],
        &["book", "build", "-", "-o", games],
        &["data", "import", games, "-o", games],
        &["data", "import", "-", "-o", games],
        &["data", "unpack", packed, "-o", packed],
        &["data", "unpack", packed, "-o", "new", "--held-out", packed],
        &["datagen", "--games", "1", "--net", net, "-o", net],
        &["regret", "make", "-", "-o", games],
        &["timeline", "--machine", games, "--csv", games],
        &["analyse", games, "--plot", drawn, "-o", drawn],
        &["analyse", games, "--syzygy", tables, "--overwrite", "-o", table],
        &[
            "match", "--engine", "cmd=self", "--engine", "cmd=self", "--each", "nodes=5",
            "--games", "1", "--syzygy", tables, "--pgn", table,
        ],
    ] {
        let input = fs::File::open(games).expect("it is there");
        let refused = program(command).stdin(input).output().expect("the program starts");
        assert_eq!(refused.status.code(), Some(2), "{command:?}: {}", errors(&refused));
        let reasons = [" is what is read\n", " are the same file\n"];
        let is_told = reasons.iter().any(|reason| errors(&refused).ends_with(reason));
        assert!(is_told, "{command:?}: {}", errors(&refused));
    }
    let after: Vec<_> = folder.names().iter().map(|name| folder.read(name)).collect();
    assert!(after == before, "{:?}", folder.names());
    let lines = format!("setoption name EvalFile value {net}\nsavetable {net}\nquit\n");
    let said = text(&run(&[], &lines));
    assert!(said.contains("is the network that is open"), "{said}");
    assert_eq!(folder.read("tiny.net"), fs::read(data("net/tiny.net")).expect("it is there"));
}

#[test]
fn a_session_does_not_write_over_what_it_works_with() {
    let folder = Folder::new("session");
    let copy = |from: &str, to: &str| {
        fs::copy(data(from), folder.file(to)).expect("it is copied");
        folder.file(to)
    };
    let book = copy("polyglot/lasker-trap.bin", "book.bin");
    fs::create_dir(folder.file("syzygy")).expect("a folder");
    let table = copy("syzygy/KQvK.rtbw", "syzygy/KQvK.rtbw");
    let (learnt, saved, log) = (folder.file("learnt"), folder.file("saved"), folder.file("log"));
    let log_to = |path: &str| format!("setoption name Debug Log File value {path}\n");
    let lines = [
        "setoption name Hash value 1\n".to_owned(),
        format!("setoption name BookFile value {book}\n"),
        format!("setoption name LearningFile value {learnt}\nsetoption name Learning value true\n"),
        format!("setoption name SyzygyPath value {}\n", folder.file("syzygy")),
        format!("savetable {saved}\nloadtable {saved}\n"),
        log_to(&log),
        format!("savetable {book}\nsavetable {learnt}\nsavetable {table}\nsavetable {log}\n"),
        [&book, &learnt, &table, &saved].map(|path| log_to(path)).concat(),
        // These are as they should be.
        format!("savetable {saved}\n{}quit\n", log_to(&log)),
    ];
    let before = [&book, &table].map(|path| fs::read(path).expect("it is there"));
    let said = text(&run(&[], &lines.concat()));
    for (what, times) in [
        ("is the book that is open", 2),
        ("is the learning file", 2),
        ("is among the endgame tables that are open", 2),
        ("is the log", 1),
        ("is the file of a saved table", 1),
        ("info string error", 8),
        ("saved to", 2),
    ] {
        assert_eq!(said.matches(what).count(), times, "{what}: {said}");
    }
    assert_eq!([&book, &table].map(|path| fs::read(path).expect("it is there")), before);
    assert!(fs::read_to_string(&log).expect("it is there").contains("savetable"));
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error_as_a_full_disk_is() {
    let folder = Folder::new("limit");
    let (games, annotated) = (folder.file("games.txt"), folder.file("annotated.pgn"));
    fs::write(&games, "1. e4 e5 2. Nf3 Nc6 1-0\n\n".repeat(20)).expect("it is written");
    let run = |arguments: &[&str], lines: &str| {
        let mut child = limited("-f 1", arguments).spawn().expect("the shell starts");
        let _ = child.stdin.take().expect("stdin is piped").write_all(lines.as_bytes());
        finish(child)
    };
    let table = format!("savetable {}\nisready\ngo depth 3\nquit\n", folder.file("table"));
    let said = good(&run(&[], &table));
    for line in ["info string error savetable: ", "readyok", "bestmove "] {
        assert!(said.contains(line), "{said}");
    }
    let plot = folder.file("plot.svg");
    let engines = ["--engine", "cmd=self", "--engine", "cmd=self", "--each", "nodes=5"];
    let pgn = folder.file("match.pgn");
    for (what, arguments) in [
        ("analyse", vec!["analyse", &games, "--nodes", "50", "-o", &annotated]),
        ("timeline", vec!["timeline", "--depth", "3", "--threads", "2", "--plot", &plot]),
        ("match", [&["match"], &engines[..], &["--games", "4", "--pgn", &pgn]].concat()),
    ] {
        let output = run(&arguments, "");
        assert_eq!(output.status.code(), Some(1), "{what}: {:?}", output.status);
        assert!(errors(&output).contains("rookery: "), "{what}: {}", errors(&output));
    }
}
