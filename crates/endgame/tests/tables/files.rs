//! Files: the same bytes whoever builds them and however often he is interrupted; damage is found.

use crate::common::{Folder, build};
use endgame::build::{Machine, Options, Phase};
use endgame::file::TableFile;
use endgame::{Ending, Metric, Tables};
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

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
    whole.build(&["KPK"], &[Metric::Mate, Metric::Outcome], 2);
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
        let options = Options {
            dir: &folder.0,
            metrics: &[Metric::Mate, Metric::Outcome],
            threads: 2,
            machine: Machine::Shared,
            memory: 1 << 30,
            checkpoint: Some(Duration::ZERO),
            progress: &progress,
            stop: &|| false,
        };
        let run = || endgame::build::build(&endings, &options, &mut |_, _, _| (), &mut |_| ());
        let _ = panic::catch_unwind(AssertUnwindSafe(run));
    }
    panic::set_hook(quiet);
    build(&folder.0, &["KPK"], &[Metric::Mate, Metric::Outcome], 2, Some(Duration::ZERO))
        .expect("the build goes on");
    assert!(whole.contents() == folder.contents());
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
    let options = Options {
        dir: &folder.0,
        metrics: &[Metric::Mate],
        threads: 1,
        machine: Machine::Shared,
        memory: 1 << 20,
        checkpoint: None,
        progress: &|_| (),
        stop: &|| false,
    };
    let endings = [Ending::parse("KRBKR").expect("an ending")];
    let refusal = endgame::build::build(&endings, &options, &mut |_, _, _| (), &mut |_| ());
    let line = refusal.expect_err("one megabyte is not enough");
    assert!(line.contains("needs") && line.contains("only 1 MB"), "{line}");
    assert!(folder.contents().is_empty());
}
