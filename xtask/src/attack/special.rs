//! Pipes, sockets, links and folders in place of files, as outputs and as inputs. Nothing that is no
//! plain file is replaced, what a link points to loses nothing, and no command waits for the other end
//! of a pipe.

use super::dialogue::Dialogue;
use super::ground::Ground;
use super::process::{self, typed};
use super::special_cases::{Case, INPUTS, OUTPUTS, Way};
use rustix::fs::OFlags;
use std::fs::{self, OpenOptions};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

/// Each case takes milliseconds.
const TIME_LIMIT: Duration = Duration::from_secs(30);
/// What the victim of a link holds.
const VICTIM: &[u8] = b"a diary\n";

/// What stands where a file should be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Thing {
    Pipe,
    Socket,
    Link,
    DanglingLink,
    LinkToPipe,
    Folder,
    Unreadable,
}

const FOR_OUTPUT: [Thing; 6] = [
    Thing::Pipe,
    Thing::Socket,
    Thing::Link,
    Thing::DanglingLink,
    Thing::LinkToPipe,
    Thing::Folder,
];
const FOR_INPUT: [Thing; 6] = [
    Thing::Pipe,
    Thing::Socket,
    Thing::DanglingLink,
    Thing::LinkToPipe,
    Thing::Folder,
    Thing::Unreadable,
];

/// Names that a writer may take for a temporary file: a link that waits there must not be followed.
const PLANTED: [&str; 7] = [".tmp", ".new", ".part", ".partial", "~", ".temp", ".journal"];

pub fn run(ground: &mut Ground) -> Result<(), String> {
    for round in 0..ground.times(1, 2, 5) {
        for case in OUTPUTS {
            for thing in FOR_OUTPUT {
                attack(ground, case, thing, true)?;
            }
            planted(ground, case)?;
        }
        for case in INPUTS {
            for thing in FOR_INPUT {
                attack(ground, case, thing, false)?;
            }
        }
        if ground.is_lost() && round == 0 {
            break;
        }
    }
    ground.note(format!("{} writers, {} readers", OUTPUTS.len(), INPUTS.len()));
    Ok(())
}

/// A fresh folder: the place of the case's file, and a file to which links lead.
fn prepare(ground: &Ground, case: &Case) -> Result<(PathBuf, PathBuf), String> {
    let folder = ground.fresh("case")?;
    let victim = ground.write("case/victim", VICTIM)?;
    let place = folder.join(case.file);
    if let Some(parent) = place.parent().filter(|parent| *parent != folder) {
        fs::create_dir_all(parent).map_err(|error| error.to_string())?;
        ground.give(parent)?;
    }
    Ok((place, victim))
}

/// Lets one command work with one thing in place of its file.
fn attack(ground: &mut Ground, case: &Case, thing: Thing, is_output: bool) -> Result<(), String> {
    let (place, victim) = prepare(ground, case)?;
    let _held = put(ground, thing, &place, &victim)?;
    let before = identity(&place);
    ground.attempted(1);
    let is_pipe = matches!(thing, Thing::Pipe | Thing::LinkToPipe);
    let _writer = (case.streams && is_pipe).then(|| Writer::start(&place));
    let result = follow(ground, case, &place)?;
    let kind = if is_output { "as output" } else { "as input" };
    let mut told = |what: String| {
        let case = format!("{}, {thing:?} {kind}", describe(ground, case, &place));
        ground.found(what, case);
    };
    if let Some(what) = result {
        told(what);
    }
    if identity(&place) != before {
        told("it was replaced".to_owned());
    }
    if !fs::read(&victim).is_ok_and(|bytes| bytes.starts_with(VICTIM)) {
        told("what the link points to was changed".to_owned());
    }
    Ok(())
}

/// Links lie where temporary files may be made.
fn planted(ground: &mut Ground, case: &Case) -> Result<(), String> {
    let (place, victim) = prepare(ground, case)?;
    for suffix in PLANTED {
        let mut name = place.as_os_str().to_owned();
        name.push(suffix);
        symlink(&victim, &name).map_err(|error| error.to_string())?;
        ground.give(Path::new(&name))?;
    }
    ground.attempted(1);
    let result = follow(ground, case, &place)?;
    let unchanged = fs::read(&victim).is_ok_and(|bytes| bytes == VICTIM);
    let planted = if unchanged { None } else { Some("a planted link was followed".to_owned()) };
    if let Some(what) = result.or(planted) {
        let case = format!("{}, links beside it", describe(ground, case, &place));
        ground.found(what, case);
    }
    Ok(())
}

/// Puts a thing into its place. What is returned keeps it alive.
fn put(
    ground: &Ground,
    thing: Thing,
    place: &Path,
    victim: &Path,
) -> Result<Option<UnixListener>, String> {
    let told = |error: std::io::Error| format!("{}: {error}", place.display());
    let mut held = None;
    match thing {
        Thing::Pipe => pipe(place)?,
        Thing::Socket => {
            // A socket's name may have a hundred characters: it is made elsewhere and moved.
            let short = std::env::temp_dir().join(format!("rk{}", std::process::id()));
            held = Some(UnixListener::bind(&short).map_err(told)?);
            fs::rename(&short, place).map_err(told)?;
        }
        Thing::Link => symlink(victim, place).map_err(told)?,
        Thing::DanglingLink => symlink(victim.with_file_name("nowhere"), place).map_err(told)?,
        Thing::LinkToPipe => {
            let other = victim.with_file_name("pipe");
            pipe(&other)?;
            ground.give(&other)?;
            symlink(&other, place).map_err(told)?;
        }
        Thing::Folder => fs::create_dir(place).map_err(told)?,
        Thing::Unreadable => {
            fs::write(place, VICTIM).map_err(told)?;
            fs::set_permissions(place, fs::Permissions::from_mode(0o000)).map_err(told)?;
        }
    }
    ground.give(place)?;
    Ok(held)
}

fn pipe(path: &Path) -> Result<(), String> {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    mknodat(CWD, path, FileType::Fifo, Mode::from_raw_mode(0o644), 0)
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// The other end of a pipe: says nothing and hangs up, whenever the pipe is read, until this is dropped.
struct Writer {
    over: Arc<AtomicBool>,
}

impl Writer {
    fn start(pipe: &Path) -> Writer {
        let over = Arc::new(AtomicBool::new(false));
        let (until, pipe) = (Arc::clone(&over), pipe.to_path_buf());
        thread::spawn(move || {
            // Without a reader this fails at once, instead of waiting for one.
            let without_waiting = OFlags::NONBLOCK.bits() as i32;
            while !until.load(Relaxed) {
                drop(OpenOptions::new().write(true).custom_flags(without_waiting).open(&pipe));
                thread::sleep(Duration::from_millis(2));
            }
        });
        Writer { over }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.over.store(true, Relaxed);
    }
}

/// What a thing is, without what is in it.
fn identity(path: &Path) -> Option<(u64, u32)> {
    let metadata = fs::symlink_metadata(path).ok()?;
    Some((metadata.ino(), metadata.mode() & 0o170_000))
}

/// Lets the program do it; what was wrong.
fn follow(ground: &Ground, case: &Case, place: &Path) -> Result<Option<String>, String> {
    match case.way {
        Way::Command(command) => {
            let ended = process::run(&mut command(ground, place), b"", TIME_LIMIT)?;
            let no_reason = ended.code() != Some(0) && ended.err.is_empty() && ended.out.is_empty();
            let no_reason = no_reason.then(|| "it fails without a word".to_owned());
            Ok(ended.fault().or(no_reason))
        }
        Way::Console(lines) => {
            let mut dialogue = Dialogue::start(ground, &["uci"])?;
            let lines = lines(place);
            // Something to be saved.
            dialogue.say("setoption name Hash value 1\nposition startpos\ngo depth 3");
            dialogue.until("bestmove")?;
            dialogue.say(&format!("{lines}\nisready\ngo depth 4"));
            let heard = dialogue.timed_within("bestmove", TIME_LIMIT);
            Ok(heard.and_then(|_| dialogue.close()).err())
        }
    }
}

fn describe(ground: &Ground, case: &Case, place: &Path) -> String {
    match case.way {
        Way::Command(command) => typed(&command(ground, place)),
        Way::Console(lines) => format!("rookery uci: {:?}", lines(place)),
    }
}
