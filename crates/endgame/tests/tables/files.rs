//! Files: the same bytes however they are built and however often that is interrupted; damage is found.

use crate::common::{Folder, build, options, testdata};
use endgame::build::{Completion, Options, Phase};
use endgame::file::TableFile;
use endgame::{Ending, Metric, Tables};
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

const BOTH: [Metric; 2] = [Metric::Mate, Metric::Outcome];

#[test]
fn the_bytes_do_not_depend_on_the_number_of_threads() {
    let folders = [1, 2, 5].map(|threads| {
        let folder = Folder::new(&format!("threads-{threads}"));
        folder.build(&["KPK", "KNNK"], &Metric::ALL, threads);
        folder
    });
    let [one, two, five] = folders.each_ref().map(Folder::contents);
    assert!(one == two && one == five);
}

#[test]
fn twenty_interruptions_leave_the_same_bytes() {
    let whole = Folder::new("whole");
    whole.build(&["KPK"], &BOTH, 2);
    let folder = Folder::new("interrupted");
    let endings = [Ending::parse("KPK").expect("an ending")];
    let quiet = panic::take_hook();
    panic::set_hook(Box::new(|_| ()));
    for kill in 1..=20 {
        let count = AtomicU64::new(0);
        let progress = |progress: endgame::build::Progress| {
            // Somewhere in the first look, at a level, or before a file is written.
            let now = count.fetch_add(1, Relaxed);
            let writing = progress.phase == Phase::Writing && kill % 7 == 0;
            assert!(now < kill * 9 && !writing, "interrupted");
        };
        let checkpoint = Some(Duration::ZERO);
        let options = Options { checkpoint, progress: &progress, ..options(&folder.0, &BOTH) };
        let run = || endgame::build::build(&endings, &options, &mut |_, _, _| (), &mut |_| ());
        let _ = panic::catch_unwind(AssertUnwindSafe(run));
    }
    panic::set_hook(quiet);
    build(&folder.0, &["KPK"], &BOTH, 2, Some(Duration::ZERO)).expect("the build goes on");
    assert!(whole.contents() == folder.contents());
}

/// Stopped at a step of its own each time; what is left is whole tables and the state of one.
#[test]
fn a_build_that_is_stopped_goes_on_to_the_same_bytes() {
    let whole = Folder::new("stopped-whole");
    whole.build(&["KPK"], &BOTH, 2);
    let folder = Folder::new("stopped");
    let endings = [Ending::parse("KPK").expect("an ending")];
    let mut interruptions = 0;
    for steps in (1..).step_by(7) {
        let count = AtomicU64::new(0);
        let options = Options {
            // Only because it is stopped the state is saved.
            checkpoint: Some(Duration::from_secs(3600)),
            progress: &|_| {
                count.fetch_add(1, Relaxed);
            },
            stop: &|| count.load(Relaxed) >= steps,
            ..options(&folder.0, &BOTH)
        };
        let ended = endgame::build::build(&endings, &options, &mut |_, _, _| (), &mut |_| ());
        if ended == Ok(Completion::Whole) {
            break;
        }
        assert_eq!(ended, Ok(Completion::Interrupted));
        interruptions += 1;
        let names = folder.contents().into_iter().map(|(name, _)| name);
        for name in names {
            let known = [".dtm", ".wdl", ".part"].iter().any(|end| name.ends_with(end));
            assert!(known && !name.starts_with('.'), "{name}");
        }
    }
    assert!(interruptions > 3, "{interruptions}");
    assert!(whole.contents() == folder.contents());
}

#[test]
fn what_killed_builds_have_left_is_swept_away() {
    let folder = Folder::new("leftovers");
    folder.build(&["KQK"], &[Metric::Mate], 1);
    for name in [".KQK.dtm.x1.rookery-part", ".KRK.dtm.part.x2.rookery-part", "KQK.dtm.part"] {
        std::fs::write(folder.0.join(name), "half").expect("the folder can be written");
    }
    folder.build(&["KQK"], &[Metric::Mate], 1);
    let names: Vec<String> = folder.contents().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["KQK.dtm"]);
}

#[test]
fn a_folder_belongs_to_one_build_at_a_time() {
    let folder = Folder::new("locked");
    folder.build(&["KQK"], &[Metric::Mate], 1);
    let lock = files::Lock::inside(&folder.0).expect("it is free");
    let refusal = build(&folder.0, &["KRK"], &[Metric::Mate], 1, None).expect_err("it is held");
    let holder = format!("in use by process {} (", std::process::id());
    assert!(refusal.contains(&holder), "{refusal}");
    // Where nothing has to be built the lock does not matter.
    build(&folder.0, &["KQK"], &[Metric::Mate], 1, None).expect("all is there");
    drop(lock);
    build(&folder.0, &["KRK"], &[Metric::Mate], 1, None).expect("it is free");
}

#[cfg(unix)]
#[test]
fn pipes_and_links_in_place_of_tables_are_named_and_stay_what_they_are() {
    let folder = Folder::new("special");
    folder.build(&["KQK"], &[Metric::Mate], 1);
    let pipe = folder.0.join("KRK.dtm");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("a pipe").success());
    let tables = Tables::open(&folder.0).expect("the folder is there");
    let fault = "KRK.dtm: it is a pipe, not a plain file";
    assert!(
        tables.faults().len() == 1 && tables.faults()[0].ends_with(fault),
        "{:?}",
        tables.faults()
    );
    assert_eq!(tables.files().len(), 1);
    let refusal = build(&folder.0, &["KRK"], &[Metric::Mate], 1, None).expect_err("a pipe");
    assert!(refusal.ends_with(fault), "{refusal}");
    std::os::unix::fs::symlink("nowhere", folder.0.join("KPK.dtm.part")).expect("a link");
    let refusal = build(&folder.0, &["KPK"], &[Metric::Mate], 1, None).expect_err("a pipe");
    assert!(refusal.contains("not a plain file"), "{refusal}");
    std::fs::remove_file(&pipe).expect("it is there");
    let refusal = build(&folder.0, &["KPK"], &[Metric::Mate], 1, None).expect_err("a link");
    assert!(
        refusal.ends_with("KPK.dtm.part: it is a symbolic link, not a plain file"),
        "{refusal}"
    );
}

#[cfg(unix)]
#[test]
fn one_bad_syzygy_table_costs_no_other() {
    let folder = Folder::new("bad-syzygy");
    for name in ["KBvK.rtbw", "KQvK.rtbw", "KRvK.rtbw"] {
        std::fs::copy(testdata("syzygy").join(name), folder.0.join(name)).expect("a copy");
    }
    std::fs::write(folder.0.join("KBvK.rtbw"), "cut off").expect("the folder can be written");
    let pipe = folder.0.join("KNvK.rtbw");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("a pipe").success());
    let syzygy = endgame::syzygy::Syzygy::open(&folder.0.to_string_lossy());
    let faults = syzygy.faults();
    assert!(faults.len() == 2, "{faults:?}");
    assert!(faults[0].contains("KBvK.rtbw: ") && faults[1].ends_with("a pipe, not a plain file"));
    for fen in ["8/8/8/4k3/8/8/8/K6Q w - -", "8/8/8/4k3/8/8/8/K6R w - -"] {
        let position = board::Position::from_fen(fen).expect("a position");
        assert_eq!(syzygy.probe(&position), Some(endgame::syzygy::Wdl::Win), "{fen}");
    }
    // A table may become a pipe after it was found.
    let late = folder.0.join("KQvK.rtbw");
    let syzygy = endgame::syzygy::Syzygy::open(&folder.0.to_string_lossy());
    std::fs::remove_file(&late).expect("it is there");
    assert!(std::process::Command::new("mkfifo").arg(&late).status().expect("a pipe").success());
    let position = board::Position::from_fen("8/8/8/4k3/8/8/8/K6Q w - -").expect("a position");
    assert_eq!(syzygy.probe(&position), None);
}

#[test]
fn damaged_files_are_named_and_not_used() {
    let folder = Folder::new("damaged");
    folder.build(&["KQK"], &[Metric::Mate], 1);
    let path = folder.0.join("KQK.dtm");
    let good = std::fs::read(&path).expect("the file is there");
    for length in [0, 5, 12, 40, good.len() / 2, good.len() - 1] {
        std::fs::write(&path, &good[..length]).expect("the folder can be written");
        let tables = Tables::open(&folder.0).expect("the folder is there");
        assert_eq!(tables.files().len(), 0, "{length}");
        assert!(tables.faults()[0].contains("KQK.dtm"), "{:?}", tables.faults());
    }
    for place in (0..good.len()).step_by(61) {
        let mut bad = good.clone();
        bad[place] ^= 0x10;
        std::fs::write(&path, &bad).expect("the folder can be written");
        let fault = TableFile::open(&path).and_then(|file| file.load(1).map(|_| ()));
        assert!(fault.is_err_and(|line| line.contains("KQK.dtm")), "{place}");
    }
}

#[test]
fn a_damaged_checkpoint_is_not_believed() {
    let whole = Folder::new("checkpoint-whole");
    whole.build(&["KRK"], &[Metric::Mate], 1);
    let folder = Folder::new("checkpoint");
    std::fs::write(folder.0.join("KRK.dtm.part"), b"RKPART1\nrubbish").expect("written");
    folder.build(&["KRK"], &[Metric::Mate], 1);
    assert!(whole.contents() == folder.contents());
}

#[test]
fn a_build_without_the_memory_says_so_before_it_begins() {
    let folder = Folder::new("memory");
    let options = Options { memory: 1 << 20, ..options(&folder.0, &[Metric::Mate]) };
    let endings = [Ending::parse("KRBKR").expect("an ending")];
    let refusal = endgame::build::build(&endings, &options, &mut |_, _, _| (), &mut |_| ());
    let line = refusal.expect_err("one megabyte is not enough");
    assert!(line.contains("needs") && line.contains("only 1 MB"), "{line}");
    assert!(folder.contents().is_empty());
}
