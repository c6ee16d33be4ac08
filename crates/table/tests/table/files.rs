//! Tables survive a restart; a file that is not whole is refused and changes nothing.

use crate::common::{SplitMix, entry_of};
use std::fs;
use std::path::{Path, PathBuf};
use table::{AnyTable, Bucketed, Entry, Policy, PolicyKind, Table, TwoDeep};

const STAMP: u64 = 0x5eed;

/// A fresh folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn keys(seed: u64) -> impl Iterator<Item = u64> {
    let mut random = SplitMix(seed);
    (0..2000).map(move |_| random.next())
}

fn filled<P: Policy>(megabytes: u64, seed: u64) -> Table<P> {
    let table = Table::new(megabytes).unwrap();
    table.new_search();
    for key in keys(seed) {
        table.store(table.slot(key), entry_of(key, 3, (key % 50) as i16));
    }
    table
}

/// What the table knows about the keys that it was filled with.
fn content<P: Policy>(table: &Table<P>, seed: u64) -> Vec<Option<Entry>> {
    keys(seed).map(|key| table.probe(key).entry()).collect()
}

/// Tries to load a file into a table and makes sure that the table stays as it is.
#[track_caller]
fn refusal<P: Policy>(table: &mut Table<P>, path: &Path) -> String {
    let before = (table.bytes(), table.hashfull(), content(table, 2));
    let message = table.load(path, STAMP, |_, _| {}).unwrap_err().to_string();
    assert!((table.bytes(), table.hashfull(), content(table, 2)) == before);
    assert_eq!(message.lines().count(), 1);
    assert!(message.starts_with("table file \""), "{message}");
    message
}

#[test]
fn a_saved_table_comes_back() {
    fn check<P: Policy>(folder: &Path) {
        for megabytes in [1, 3] {
            let path = folder.join("saved");
            let table = filled::<P>(megabytes, 1);
            let mut steps = Vec::new();
            table.save(&path, STAMP, |done, all| steps.push((done, all))).unwrap();
            assert_eq!(steps.last(), Some(&(table.bytes(), table.bytes())));

            // Into a table of another content and size.
            let mut loaded = filled::<P>(2, 2);
            steps.clear();
            loaded.load(&path, STAMP, |done, all| steps.push((done, all))).unwrap();
            assert!(steps.is_sorted());
            assert_eq!(steps.last(), Some(&(2 * table.bytes(), 2 * table.bytes())));
            assert_eq!(loaded.bytes(), table.bytes());
            assert_eq!(loaded.hashfull(), table.hashfull());
            assert!(content(&loaded, 1) == content(&table, 1));

            let again = folder.join("again");
            loaded.save(&again, STAMP, |_, _| {}).unwrap();
            assert!(fs::read(&again).unwrap() == fs::read(&path).unwrap());
        }
        assert_eq!(fs::read_dir(folder).unwrap().count(), 2, "nothing temporary is left");
    }
    check::<Bucketed>(&folder("come-back-bucketed"));
    check::<TwoDeep>(&folder("come-back-two-deep"));
}

#[test]
fn a_new_file_takes_the_place_of_an_old_one() {
    let path = folder("replace").join("file");
    fs::write(&path, "something else").unwrap();
    filled::<Bucketed>(1, 1).save(&path, STAMP, |_, _| {}).unwrap();
    let mut table = Table::<Bucketed>::new(1).unwrap();
    table.load(&path, STAMP, |_, _| {}).unwrap();
    assert!(content(&table, 1).iter().all(Option::is_some));
}

#[test]
fn one_wrong_bit_anywhere_is_noticed() {
    let path = folder("flip").join("file");
    filled::<Bucketed>(1, 1).save(&path, STAMP, |_, _| {}).unwrap();
    let good = fs::read(&path).unwrap();
    let mut table = filled::<Bucketed>(1, 2);
    let mut random = SplitMix(5);
    let header = 0..64;
    let lines = (0..100).map(|_| 64 + random.below(good.len() as u64 - 72) as usize);
    let checksum = good.len() - 8..good.len();
    for offset in header.chain(lines).chain(checksum) {
        let mut bad = good.clone();
        bad[offset] ^= 1 << (offset % 8);
        fs::write(&path, bad).unwrap();
        refusal(&mut table, &path);
    }
    fs::write(&path, good).unwrap();
    table.load(&path, STAMP, |_, _| {}).unwrap();
}

#[test]
fn a_file_of_any_other_length_is_refused() {
    let path = folder("cut").join("file");
    filled::<TwoDeep>(1, 1).save(&path, STAMP, |_, _| {}).unwrap();
    let good = fs::read(&path).unwrap();
    let mut table = filled::<TwoDeep>(1, 2);
    let length = good.len();
    for shorter in (0..80).chain((80..length).step_by(50_021)).chain(length - 70..length) {
        fs::write(&path, &good[..shorter]).unwrap();
        let message = refusal(&mut table, &path);
        let wanted = if shorter < 64 { "too short" } else { "is cut off" };
        assert!(message.contains(wanted), "{shorter}: {message}");
    }
    for more in [1, 8, 64, 1 << 20] {
        fs::write(&path, [&good[..], &vec![0; more]].concat()).unwrap();
        assert!(refusal(&mut table, &path).contains("is damaged"));
    }
}

#[test]
fn a_foreign_file_is_refused_and_told_what_it_is() {
    let folder = folder("foreign");
    let path = folder.join("file");
    let mut table = filled::<Bucketed>(1, 2);
    filled::<Bucketed>(1, 1).save(&path, STAMP, |_, _| {}).unwrap();
    let good = fs::read(&path).unwrap();
    let mut with_word = |index: usize, word: u64| {
        let mut bad = good.clone();
        bad[8 * index..8 * index + 8].copy_from_slice(&word.to_le_bytes());
        fs::write(&path, bad).unwrap();
        refusal(&mut table, &path)
    };
    assert!(with_word(0, 0x1234).ends_with("is not a table file"));
    assert!(with_word(1, 2).ends_with("has version 2, not 1"));
    assert!(with_word(2, 2).ends_with("holds a table of policy two-deep, not bucketed"));
    assert!(with_word(2, 99).ends_with("holds a table of policy unknown, not bucketed"));
    assert!(with_word(3, 0).ends_with("has a damaged header"));
    assert!(with_word(3, u64::MAX).ends_with("has a damaged header"));
    assert!(with_word(3, 1 << 50).contains("is cut off"));
    assert!(with_word(4, 1).ends_with("was made with another evaluation or search"));
    assert!(with_word(5, 1).ends_with("was made with other keys of positions"));
    assert!(with_word(6, 32).ends_with("has a damaged header"));
    assert!(with_word(7, 1).ends_with("has a damaged header"));

    fs::write(&path, "[Event \"A game\"]\n".repeat(10_000)).unwrap();
    assert!(refusal(&mut table, &path).ends_with("is not a table file"));
    assert!(refusal(&mut table, &folder).ends_with(": it is a folder, not a plain file"));
    assert!(refusal(&mut table, &folder.join("nothing")).contains("cannot be read"));
    assert!(refusal(&mut table, Path::new("")).contains("cannot be read"));
    assert!(refusal(&mut table, Path::new("two\nlines")).contains("two\\nlines"));
}

/// Only plain files are replaced, and pipes are not waited for.
#[cfg(unix)]
#[test]
fn links_pipes_and_sockets_stay_what_they_are() {
    use std::os::unix::fs::FileTypeExt;
    let folder = tempfile::tempdir().unwrap();
    let [file, link, pipe, socket] =
        ["file", "link", "pipe", "socket"].map(|name| folder.path().join(name));
    fs::write(&file, "precious").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let mut table = filled::<Bucketed>(1, 2);
    for (path, what) in [(&link, "a symbolic link"), (&pipe, "a pipe"), (&socket, "a socket")] {
        let message = table.save(path, STAMP, |_, _| {}).unwrap_err().to_string();
        assert!(message.ends_with(&format!("it is {what}, not a plain file")), "{message}");
    }
    for (path, what) in [(&pipe, "a pipe"), (&socket, "a socket")] {
        assert!(refusal(&mut table, path).ends_with(&format!("it is {what}, not a plain file")));
    }
    let kind = |path| fs::symlink_metadata(path).unwrap().file_type();
    assert!(kind(&link).is_symlink() && kind(&pipe).is_fifo() && kind(&socket).is_socket());
    assert_eq!(fs::read_to_string(&file).unwrap(), "precious");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4, "nothing temporary is left");
}

#[test]
fn what_a_killed_program_has_left_is_swept_away() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(".file.killed.rookery-part"), "half a table").unwrap();
    filled::<Bucketed>(1, 1).save(&folder.path().join("file"), STAMP, |_, _| {}).unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_table_that_cannot_be_saved_leaves_nothing_behind() {
    let folder = folder("cannot-save");
    fs::create_dir(folder.join("taken")).unwrap();
    for policy in PolicyKind::ALL {
        let table = AnyTable::new(policy, 1).unwrap();
        for path in [folder.join("taken"), folder.join("missing/file"), folder.join("..")] {
            let message = table.save(&path, STAMP, |_, _| {}).unwrap_err().to_string();
            assert_eq!(message.lines().count(), 1);
        }
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
}
