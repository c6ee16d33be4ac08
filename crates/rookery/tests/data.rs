//! `rookery datagen` and `rookery data` with the real program.

mod support;

use support::{Folder, errors, json, rookery, session, text, well};

/// The one line that it says where something is wrong.
fn refused(arguments: &[&str]) -> String {
    let output = rookery(arguments);
    let line = errors(&output);
    assert!(!output.status.success() && line.lines().count() == 1, "{arguments:?}: {line}");
    line
}

fn datagen(file: &str, games: &str, threads: &str) -> String {
    let limits = ["--nodes", "20", "--hash", "1", "--threads", threads];
    well(&[&["datagen", "-o", file, "--games", games], &limits[..]].concat())
}

#[test]
fn the_file_depends_neither_on_threads_nor_on_interruptions() {
    let folder = Folder::new("same");
    let (one, many) = (folder.file("one.rkg"), folder.file("many.rkg"));
    assert!(datagen(&one, "48", "1").contains(": 48 games, 48 of them new"));
    datagen(&many, "20", "3");
    assert!(folder.read("one.rkg").starts_with(&folder.read("many.rkg")));
    // Killed while it wrote a block.
    let whole = folder.read("many.rkg");
    folder.write("many.rkg", &whole[..whole.len() - 100]);
    assert!(datagen(&many, "48", "2").contains(": 48 games, 32 of them new"));
    assert_eq!(folder.read("one.rkg"), folder.read("many.rkg"));
    // Killed while it wrote the header.
    for cut in [8, 20] {
        folder.write("many.rkg", &whole[..cut]);
        datagen(&many, "48", "2");
        assert_eq!(folder.read("one.rkg"), folder.read("many.rkg"));
    }
    assert!(datagen(&many, "1", "2").contains(": 48 games, 0 of them new"));
}

#[test]
fn games_of_other_settings_and_damaged_ones_are_not_continued() {
    let folder = Folder::new("others");
    let file = folder.file("games.rkg");
    datagen(&file, "32", "2");
    let line = refused(&["datagen", "-o", &file, "--games", "32", "--nodes", "21"]);
    assert!(line.contains("holds other games") && line.contains("20 soft nodes"), "{line}");
    let mut damaged = folder.read("games.rkg");
    damaged[400] ^= 1;
    folder.write("games.rkg", &damaged);
    let words = ["datagen", "-o", &file, "--games", "48", "--nodes", "20", "--hash", "1"];
    assert!(refused(&words).contains("is damaged: block 1, at byte "));
    assert_eq!(folder.read("games.rkg"), damaged);
    // Less than the magic may be the beginning of anything.
    for content in ["not ours", "R", "ROOKGAM"] {
        let foreign = folder.write("foreign", content);
        let line = refused(&["datagen", "-o", &foreign, "--games", "1"]);
        assert!(line.contains("is no file of Rookery's games"), "{content}: {line}");
        assert_eq!(folder.read("foreign"), content.as_bytes());
    }
}

#[test]
fn games_go_from_pgn_to_samples_and_back() {
    let folder = Folder::new("round");
    let pgn = "[FEN \"4k3/8/8/8/8/8/4P3/4K2R w K - 0 30\"]\n[Result \"1-0\"]\n\n30. e4 {+5.00/9 1s} Ke7 \
        {-5.10/9} 31. O-O {+M7/9} Ke6 {-M6/9} 32. Re1 Ke5 {-9.00/9} 1-0\n\n1. e4 e9 *\n";
    let source = folder.write("games.pgn", pgn);
    let (packed, train, valid) =
        (folder.file("games.rkg"), folder.file("train.rks"), folder.file("valid.rks"));
    let output = rookery(&["data", "import", &source, "-o", &packed]);
    assert!(text(&output).contains("1 game, 6 half-moves, 5 with a score; 1 broken game\n"));
    assert!(errors(&output).contains("games.pgn, game 2, "), "{}", errors(&output));
    assert_eq!(output.status.code(), Some(1), "a game was skipped");
    let shown = well(&["data", "show", &packed]);
    assert!(shown.contains("31. O-O {+M7/0} 31... Ke6 {-M6/0} 32. Re1"), "{shown}");
    let again = folder.write("again.pgn", &shown);
    let second = folder.file("games.pgn.rkg");
    well(&["data", "import", &again, "-o", &second]);
    // Behind the headers, which name their sources.
    let blocks = |name: &str| folder.read(name).split_off(16 + "imported from games.pgn".len() + 4);
    assert_eq!(blocks("games.rkg"), blocks("games.pgn.rkg"));
    assert!(refused(&["data", "show", &packed, "--from", "2"]).contains("has only 1 game\n"));

    // The start, the reply, and the last move: the others have no score that is a guess.
    well(&["data", "unpack", &packed, "-o", &train]);
    let checked = well(&["data", "check", &packed, &train]);
    assert!(
        checked.contains("train.rks: 3 samples\n  won 1, drawn 0, lost 2, unknown 0"),
        "{checked}"
    );
    assert!(checked.contains("6 half-moves, 5 with a score"), "{checked}");
    let json = json(&["data", "check", "--json", &train]);
    assert_eq!((&json["positions"], &json["by_men"][0]), (&3.into(), &3.into()));
    // The only game is held out: nothing is left to learn from.
    let line = refused(&["data", "unpack", &packed, "-o", &train, "--held-out", &valid]);
    assert!(line.contains("no samples"), "{line}");
    // One file by two names would hold only what was written last.
    let same = train.replace(".rks", "").rsplit_once('/').map(|(folder, _)| folder.to_owned());
    let other = format!("{}/./train.rks", same.expect("it is in a folder"));
    let line = refused(&["data", "unpack", &packed, "-o", &train, "--held-out", &other]);
    assert!(line.contains("the same file"), "{line}");
}

#[test]
fn held_out_games_lie_apart_and_the_seed_decides_the_order() {
    let folder = Folder::new("unpack");
    let games = folder.file("games.rkg");
    datagen(&games, "32", "2");
    let unpack = |name: &str, threads: &str, seed: &str| {
        let (train, valid) = (folder.file(name), folder.file("valid.rks"));
        let words = ["data", "unpack", &games, "-o", &train, "--held-out", &valid, "--one-in", "8"];
        well(&[&words[..], &["--threads", threads, "--seed", seed]].concat());
        (folder.read(name), folder.read("valid.rks"))
    };
    let one = unpack("a.rks", "1", "1");
    assert_eq!(one, unpack("b.rks", "3", "1"));
    assert_ne!(one, unpack("c.rks", "1", "2"));
    assert!(one.1.len() > 32 && one.0.len() > one.1.len());
}

#[test]
fn files_of_samples_are_joined_filtered_and_shuffled() {
    let folder = Folder::new("shuffle");
    let games = folder.file("games.rkg");
    datagen(&games, "32", "2");
    let [train, valid] = ["train.rks", "valid.rks"].map(|name| folder.file(name));
    well(&["data", "unpack", &games, "-o", &train, "--held-out", &valid, "--one-in", "4"]);
    let samples = |name: &str| -> Vec<Vec<u8>> {
        folder.read(name)[32..].chunks(32).map(<[u8]>::to_vec).collect()
    };
    let shuffle = |name: &str, options: &[&str]| {
        let output = folder.file(name);
        well(&[&["data", "shuffle", &train, &valid, "-o", &output], options].concat());
        samples(name)
    };
    let one = shuffle("a.rks", &[]);
    assert!(one == shuffle("b.rks", &[]) && one != shuffle("c.rks", &["--seed", "2"]));
    let sorted = |mut all: Vec<Vec<u8>>| {
        all.sort();
        all
    };
    let both = [samples("train.rks"), samples("valid.rks")].concat();
    assert_eq!(sorted(one), sorted(both.clone()));
    let wanted = |sample: &Vec<u8>| {
        let men: u32 = sample[..8].iter().map(|byte| byte.count_ones()).sum();
        i16::from_le_bytes([sample[24], sample[25]]).unsigned_abs() <= 200
            && (8..=30).contains(&men)
    };
    let some = shuffle("d.rks", &["--max-score", "200", "--min-men", "8", "--max-men", "30"]);
    assert!(!some.is_empty() && some.len() < both.len());
    assert_eq!(sorted(some), sorted(both.into_iter().filter(wanted).collect()));
    let line = refused(&["data", "filter", &train, "-o", &valid, "--max-men", "2"]);
    assert!(line.contains("no samples: none to keep of"), "{line}");
    assert!(refused(&["data", "shuffle", &train, "-o", &train]).contains("is what is read"));
    assert!(refused(&["data", "shuffle", &games, "-o", &valid]).contains("is no file of"));
    assert!(well(&["data", "verify", &train]).contains("samples"));
}

#[test]
fn static_samples_depend_on_the_seed_alone() {
    let folder = Folder::new("static");
    let samples = |name: &str, threads: &str, seed: &str| {
        let file = folder.file(name);
        let words =
            ["data", "static", "-o", &file, "--samples", "3000", "--nodes", "20", "--hash", "1"];
        well(&[&words[..], &["--threads", threads, "--seed", seed]].concat());
        folder.read(name)
    };
    let one = samples("a.rks", "1", "1");
    assert_eq!(one.len(), 32 * 3001);
    assert!(one == samples("b.rks", "3", "1") && one != samples("c.rks", "2", "2"));
    let checked = well(&["data", "check", &folder.file("a.rks")]);
    assert!(
        checked.contains("a.rks: 3000 samples") && checked.contains("unknown 3000"),
        "{checked}"
    );
}

#[test]
fn damaged_empty_and_foreign_files_end_in_one_line() {
    let folder = Folder::new("damage");
    let games = folder.file("games.rkg");
    datagen(&games, "16", "1");
    let samples = folder.file("samples.rks");
    well(&["data", "unpack", &games, "-o", &samples]);
    for (name, wanted) in [("games.rkg", "block 1, at byte"), ("samples.rks", "is damaged")] {
        let mut bytes = folder.read(name);
        let middle = bytes.len() / 2;
        bytes[middle] ^= 8;
        let bad = folder.write("bad", &bytes);
        assert!(refused(&["data", "check", &bad]).contains(wanted));
        let verb = if name == "games.rkg" { "unpack" } else { "shuffle" };
        let line = refused(&["data", verb, &bad, "-o", &folder.file("out")]);
        assert!(line.contains(wanted) && line.matches("damaged").count() == 1, "{line}");
        let cut = folder.write("cut", &bytes[..bytes.len() - 5]);
        assert!(refused(&["data", "check", &cut]).contains("cut off"), "{name}");
    }
    let bad = folder.write("bad", b"");
    let output = folder.file("out");
    assert!(refused(&["data", "check", &bad]).ends_with("bad is empty\n"));
    for content in ["R", "not ours at all"] {
        let line = refused(&["data", "check", &folder.write("foreign", content)]);
        assert!(line.ends_with("is no file of Rookery's games, samples or networks\n"), "{line}");
    }
    assert!(refused(&["data", "show", &samples]).contains("is no file of Rookery's games"));
    assert!(refused(&["data", "unpack", &samples, "-o", &output]).contains("is no file"));
    assert!(refused(&["data", "check", &folder.file("none")]).contains("cannot be read"));
    assert!(refused(&["data", "import", &bad, "-o", &output]).contains("no games"));
    assert!(
        refused(&["data", "unpack", &games, "-o", &games]).contains("games.rkg is what is read")
    );
    assert!(!std::path::Path::new(&output).exists());
    let piped = session(&["data", "import", "-", "-o", &output], b"1. e4 {+0.30/9} *\n");
    assert!(text(&piped).contains("1 game, 1 half-move, 1 with a score"));
}

#[test]
fn the_embedded_network_is_written_to_a_new_file_and_used_from_there() {
    let folder = Folder::new("export");
    let file = folder.file("own.net");
    let told = well(&["export_net", &file]);
    assert!(told.contains("network 256 wide") && told.contains(&file), "{told}");
    assert!(folder.read("own.net") == eval::nnue::embedded_file());
    assert!(well(&["data", "check", &file]).contains(": a network, 256 wide"));
    let nodes = |arguments: &[&str]| {
        let shown = well(&[&["bench", "3"], arguments].concat());
        shown.lines().last().and_then(|line| line.split(' ').next()).map(str::to_owned)
    };
    assert_eq!(nodes(&["--net", &file]), nodes(&["--evaluation", "net"]));
    // Nothing that is there is written over.
    folder.write("mine.txt", "mine");
    let line = refused(&["export_net", &folder.file("mine.txt")]);
    assert!(line.contains("exists already") && folder.read("mine.txt") == b"mine", "{line}");
    let gone = folder.file("no/such/folder.net");
    assert!(refused(&["export_net", &gone]).contains("cannot be written"));
    assert!(refused(&["export_net"]).contains("name a file"));
}
