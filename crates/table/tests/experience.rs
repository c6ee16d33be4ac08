//! Results that survive the program: files that are whole, torn, damaged, foreign and too large.

use board::{Move, Position};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use table::{Experience, Learned};

const STAMP: u64 = 77;
const HEADER: usize = 32;
const RECORD: usize = 24;

/// A file of this test's own, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let name = format!("rookery-experience-{}-{name}", std::process::id());
        Scratch(std::env::temp_dir().join(name))
    }

    fn open(&self) -> Experience {
        Experience::open(&self.0, STAMP, 1).expect("a good file")
    }

    fn refusal(&self, stamp: u64) -> String {
        Experience::open(&self.0, stamp, 1).expect_err("a bad file").to_string()
    }

    fn bytes(&self) -> Vec<u8> {
        fs::read(&self.0).expect("the file is there")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn learned(score: i16, depth: i16) -> Learned {
    Learned { mv: Position::startpos().legal_moves()[3], score, depth }
}

/// A file with the keys 0 to `count` - 1.
fn filled(name: &str, count: u64) -> Scratch {
    let scratch = Scratch::new(name);
    let mut experience = scratch.open();
    for key in 0..count {
        experience.record(key, learned(key as i16, 10)).expect("writable");
    }
    scratch
}

#[test]
fn m18_results_are_there_again_after_a_restart() {
    let scratch = filled("restart", 20);
    let mut experience = scratch.open();
    assert_eq!((experience.len(), experience.damaged()), (20, 0));
    experience.record(5, learned(-300, 12)).expect("writable");
    experience.sync().expect("writable");
    drop(experience);
    let experience = scratch.open();
    assert_eq!(experience.get(5), Some(learned(-300, 12)));
    assert_eq!((experience.get(6), experience.get(99)), (Some(learned(6, 10)), None));
}

#[test]
fn a_torn_record_is_dropped_and_the_next_is_whole() {
    let whole = filled("torn", 3).bytes();
    for cut in 1..=RECORD {
        let scratch = Scratch::new(&format!("torn-{cut}"));
        fs::write(&scratch.0, &whole[..whole.len() - cut]).expect("writable");
        let mut experience = scratch.open();
        assert_eq!(experience.len(), 2, "{cut}");
        experience.record(9, learned(9, 9)).expect("writable");
        drop(experience);
        assert_eq!(scratch.bytes().len(), HEADER + 3 * RECORD);
        assert_eq!(scratch.open().get(9), Some(learned(9, 9)));
    }
}

#[test]
fn a_file_that_was_only_begun_is_begun_again() {
    let whole = filled("begun", 1).bytes();
    for length in 0..HEADER {
        let scratch = Scratch::new(&format!("begun-{length}"));
        fs::write(&scratch.0, &whole[..length]).expect("writable");
        assert!(scratch.open().is_empty());
        assert_eq!(scratch.bytes(), whole[..HEADER]);
    }
}

#[test]
fn a_damaged_record_costs_no_other() {
    let scratch = filled("damaged", 10);
    let whole = scratch.bytes();
    for at in HEADER + 4 * RECORD..HEADER + 5 * RECORD {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x40;
        fs::write(&scratch.0, &bytes).expect("writable");
        let experience = scratch.open();
        assert_eq!((experience.len(), experience.damaged()), (9, 1), "{at}");
        assert_eq!(experience.get(4), None);
    }
    let mut zeros = whole.clone();
    zeros.extend([0; 2 * RECORD]);
    fs::write(&scratch.0, &zeros).expect("writable");
    assert_eq!(scratch.open().damaged(), 2, "what a crash of the system may leave");
}

#[test]
fn foreign_files_are_refused_and_left_alone() {
    let scratch = filled("foreign", 2);
    let whole = scratch.bytes();
    let change = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        fs::write(&scratch.0, &bytes).expect("writable");
        let reason = scratch.refusal(STAMP);
        assert_eq!(scratch.bytes(), bytes, "it is not touched");
        reason
    };
    assert!(change(0).ends_with(" is not a learning file"));
    assert!(change(8).ends_with(" has version 0, this program reads version 1"));
    assert!(change(16).contains("other keys"));
    assert!(change(24).contains("another profile"));
    fs::write(&scratch.0, b"my diary").expect("writable");
    assert!(scratch.refusal(STAMP).ends_with(" is not a learning file"));
    let folder = Scratch(std::env::temp_dir());
    assert!(folder.refusal(STAMP).ends_with(": it is a folder, not a plain file"));
    std::mem::forget(folder);
}

#[cfg(unix)]
#[test]
fn a_pipe_is_refused_and_not_waited_for() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo is there").success());
    let reason = Experience::open(&pipe, STAMP, 1).expect_err("a pipe").to_string();
    assert!(reason.ends_with(": it is a pipe, not a plain file"), "{reason}");
}

#[cfg(unix)]
#[test]
fn a_file_behind_a_link_is_written_anew_where_it_lies() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, link) = (folder.path().join("file"), folder.path().join("link"));
    std::os::unix::fs::symlink("file", &link).expect("a link");
    let mut experience = Experience::open(&link, STAMP, 1).expect("a new file");
    for round in 0..2000 {
        experience.record(round % 5, learned(round as i16, 10)).expect("writable");
    }
    drop(experience);
    fs::write(folder.path().join(".file.killed.rookery-part"), "half").expect("writable");
    assert!(fs::symlink_metadata(&link).expect("it is there").is_symlink());
    assert!(fs::metadata(&file).expect("it is there").len() < (HEADER + 600 * RECORD) as u64);
    let known = Experience::open(&file, STAMP, 1).expect("a good file");
    assert_eq!(known.get(4), Some(learned(1999, 10)));
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2, "nothing else is left");
}

#[test]
fn one_process_has_the_file() {
    let scratch = Scratch::new("lock");
    let first = scratch.open();
    assert!(scratch.refusal(STAMP).ends_with(" is in use by another process"));
    drop(first);
    scratch.open();
}

#[test]
fn dead_records_go_and_the_file_stays_within_its_size() {
    let scratch = Scratch::new("size");
    let mut experience = scratch.open();
    for round in 0..2000 {
        experience.record(round % 5, learned(round as i16, 10)).expect("writable");
    }
    assert!(scratch.bytes().len() < HEADER + 600 * RECORD);
    assert_eq!((experience.len(), experience.get(4)), (5, Some(learned(1999, 10))));
    assert!(scratch_is_locked(&scratch), "also after it was written anew");
    // A megabyte holds 43,690 records, and half as many positions.
    for key in 0..60_000_u64 {
        let depth = if key % 10 == 0 { 20 } else { 8 };
        experience.record(key, learned(1, depth)).expect("writable");
        assert!(experience.len() <= 21_845);
    }
    let deep = (0..60_000).step_by(10).filter(|&key| experience.get(key).is_some()).count();
    assert_eq!(deep, 6000, "the deepest stay");
    assert!(experience.get(11).is_none() && experience.get(59_999).is_some(), "old ones go first");
    drop(experience);
    assert!(scratch.bytes().len() <= 1 << 20);
    let smaller = Experience::open(&scratch.0, STAMP, 1).expect("a good file");
    assert!(smaller.get(59_999).is_some());
}

fn scratch_is_locked(scratch: &Scratch) -> bool {
    scratch.refusal(STAMP).contains("in use")
}

#[test]
fn any_bytes_are_results_or_an_error() {
    let start = filled("noise", 1).bytes();
    let mut state = 3_u64;
    for length in 0..300 {
        let scratch = Scratch::new(&format!("noise-{length}"));
        let noise: Vec<u8> = (0..length)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 56) as u8
            })
            .collect();
        fs::write(&scratch.0, &start[..HEADER]).expect("writable");
        let mut file = OpenOptions::new().append(true).open(&scratch.0).expect("writable");
        file.write_all(&noise).expect("writable");
        drop(file);
        assert!(scratch.open().get(Move::NONE.bits().into()).is_none());
        fs::write(&scratch.0, &noise).expect("writable");
        let _ = Experience::open(&scratch.0, STAMP, 1);
    }
}
