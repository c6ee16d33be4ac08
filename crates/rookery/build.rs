//! Tells the program what it is built from, for `--version`: the commit, the features, the target,
//! the compiler.
//!
//! The commit is read from the repository's files, without git; a source archive has none. Only files
//! that are there are watched: a missing one would make every build run this anew.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Letters of the commit that are shown.
const SHOWN: usize = 12;
/// The features of this package, by the names of cargo's variables.
const FEATURES: [(&str, &str); 4] = [
    ("CARGO_FEATURE_MANUAL", "manual"),
    ("CARGO_FEATURE_MPI", "mpi"),
    ("CARGO_FEATURE_TUNE", "tune"),
    ("CARGO_FEATURE_WEB", "web"),
];

/// The only target whose compiler brings a linker of its own that it takes by default.
const OWN_LINKER: &str = "x86_64-unknown-linux-gnu";
/// The first glibc that reads packed relocations.
const PACKED_RELOCATIONS: (u32, u32) = (2, 36);

fn main() {
    watch(Path::new("build.rs"));
    shrink();
    let commit = commit(Path::new("../../.git"));
    let commit = commit.unwrap_or_else(|| "unknown".to_owned());
    let features = FEATURES.iter().filter(|(variable, _)| env::var_os(variable).is_some());
    let features: Vec<&str> = features.map(|&(_, name)| name).collect();
    let features = if features.is_empty() { "none".to_owned() } else { features.join(", ") };
    let target = env::var("TARGET").unwrap_or_default();
    let rustc = rustc().unwrap_or_else(|| "unknown".to_owned());
    for (name, value) in
        [("COMMIT", commit), ("FEATURES", features), ("TARGET", target), ("RUSTC", rustc)]
    {
        println!("cargo::rustc-env=ROOKERY_{name}={value}");
    }
}

/// Has the linker fold equal functions and pack relocations: half a megabyte. Only where its options are known and
/// the system that builds understands the result; not in the profile `dist`, which is for other systems too.
fn shrink() -> Option<()> {
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let out = PathBuf::from(env::var_os("OUT_DIR")?);
    let profile = out.ancestors().nth(3)?.file_name()?;
    let native = [variable("TARGET"), variable("HOST")].iter().all(|name| name == OWN_LINKER);
    let chosen = env::var_os("RUSTC_LINKER").is_some();
    let chosen = chosen || variable("CARGO_ENCODED_RUSTFLAGS").contains("link");
    if !(profile == "release" || profile == "profiling") || !native || chosen {
        return None;
    }
    let compiler = env::var_os("RUSTC")?;
    let root = told(Command::new(compiler).args(["--print", "sysroot"]))?;
    let linker = format!("lib/rustlib/{OWN_LINKER}/bin/gcc-ld/ld.lld");
    Path::new(root.trim()).join(linker).exists().then_some(())?;
    println!("cargo::rustc-link-arg-bins=-Wl,--icf=all");
    let library = told(Command::new("getconf").arg("GNU_LIBC_VERSION"))?;
    let (major, minor) = library.trim().strip_prefix("glibc ")?.split_once('.')?;
    if (major.parse().ok()?, minor.parse().ok()?) >= PACKED_RELOCATIONS {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
    Some(())
}

/// What a command prints.
fn told(command: &mut Command) -> Option<String> {
    String::from_utf8(command.output().ok()?.stdout).ok()
}

/// The compiler's version: `1.95.0 (abcdef123 2026-04-14)`. Cargo runs this anew when it changes.
fn rustc() -> Option<String> {
    let told = told(Command::new(env::var_os("RUSTC")?).arg("--version"))?;
    Some(told.lines().next()?.strip_prefix("rustc ")?.to_owned())
}

/// Asks for another run when a file or a folder changes, if it is there.
fn watch(path: &Path) -> bool {
    let is_there = path.exists();
    if is_there {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    is_there
}

/// The beginning of the commit that is checked out.
fn commit(git: &Path) -> Option<String> {
    let (own, common) = folders(git)?;
    watch(&own.join("HEAD"));
    let head = fs::read_to_string(own.join("HEAD")).ok()?;
    let commit = match head.trim().strip_prefix("ref: ") {
        None => head.trim().to_owned(),
        Some(name) => branch(&common, name)?,
    };
    let is_commit = commit.len() > SHOWN && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_commit.then(|| commit[..SHOWN].to_owned())
}

/// The folder of this checkout and the one that all checkouts of the repository share.
fn folders(git: &Path) -> Option<(PathBuf, PathBuf)> {
    if git.is_dir() {
        return Some((git.to_owned(), git.to_owned()));
    }
    // In a second checkout it is a file that says where the folder is.
    let text = fs::read_to_string(git).ok()?;
    let own = git.parent()?.join(text.trim().strip_prefix("gitdir: ")?);
    let common = match fs::read_to_string(own.join("commondir")) {
        Ok(text) => own.join(text.trim()),
        Err(_) => own.clone(),
    };
    Some((own, common))
}

/// The commit of a branch: in a file of its own, or in the list of packed ones until it moves.
fn branch(common: &Path, name: &str) -> Option<String> {
    let own = common.join(name);
    if watch(&own) {
        return Some(fs::read_to_string(own).ok()?.trim().to_owned());
    }
    watch(&common.join("refs"));
    watch(&common.join("packed-refs"));
    let list = fs::read_to_string(common.join("packed-refs")).ok()?;
    let mut pairs = list.lines().filter_map(|line| line.split_once(' '));
    pairs.find(|&(_, branch)| branch == name).map(|(commit, _)| commit.to_owned())
}
