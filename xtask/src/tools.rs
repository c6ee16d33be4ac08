//! The tools that the tests need: found, or installed, or named.

use crate::run::{Cargo, succeeds};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Makes sure that a component of the toolchain (rustfmt, clippy) is there; the error says what to do.
pub fn component(root: &Path, component: &str, subcommand: &str) -> Result<(), String> {
    let present = || Cargo::new(subcommand).argument("--version").probe(root);
    if present() {
        return Ok(());
    }
    let by_hand = format!("rustup component add {component}");
    eprintln!("xtask: {component} is missing; trying `{by_hand}`");
    let added = Command::new("rustup").args(["component", "add", component]).status();
    if added.is_ok_and(|status| status.success()) && present() {
        return Ok(());
    }
    Err(format!("{component} is missing and could not be installed: run `{by_hand}`"))
}

/// Whether nextest is there, after an attempt to install it.
pub fn nextest(root: &Path) -> bool {
    let present = || Cargo::new("nextest --version").probe(root);
    if present() {
        return true;
    }
    let install = Cargo::new("install --locked cargo-nextest");
    eprintln!("xtask: cargo-nextest is missing; trying `{install}` (some minutes)");
    install.run(root) && present()
}

/// What MPI needs from a Debian-like system.
const MPI_PACKAGES: [&str; 3] = ["libopenmpi-dev", "openmpi-bin", "libclang-dev"];

/// Makes sure that an MPI library and what its bindings are built with are there; the error says what to do.
pub fn mpi() -> Result<(), String> {
    if has_mpi().is_ok() {
        return Ok(());
    }
    installed("MPI or libclang", &MPI_PACKAGES, || has_mpi().is_ok())
}

/// Makes sure that valgrind is there; the error says what to do.
pub fn valgrind() -> Result<(), String> {
    let present = || answers("valgrind", "--version");
    if present() { Ok(()) } else { installed("valgrind", &["valgrind"], present) }
}

/// Where browsers are looked for.
const BROWSERS: [&str; 4] = [
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
    "/snap/bin/chromium",
];

/// A browser for the tests of the page, that of `CHROMIUM` first; the error says what to do.
pub fn browser() -> Result<PathBuf, String> {
    if let Some(chosen) = std::env::var_os("CHROMIUM") {
        return Ok(chosen.into());
    }
    let found = || BROWSERS.iter().map(PathBuf::from).find(|path| path.exists());
    if found().is_none() {
        installed("Chromium", &["chromium"], || found().is_some())?;
    }
    found().ok_or_else(|| "Chromium is missing".to_owned())
}

/// Tries to install packages of a Debian-like system; the error says what to do.
fn installed(what: &str, packages: &[&str], present: impl Fn() -> bool) -> Result<(), String> {
    let names = packages.join(" ");
    eprintln!("xtask: {what} is missing; trying `apt-get install -y {names}`");
    let apt = |arguments: &[&str]| {
        let status = Command::new("apt-get").args(arguments).stdout(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    let install = [&["install", "-y"], packages].concat();
    // An index that cannot be renewed may still do.
    if (apt(&install) || apt(&["update"]) && apt(&install)) && present() {
        return Ok(());
    }
    Err(format!(
        "{what} is missing and could not be installed: run `apt-get install {names}` as root"
    ))
}

/// Whether a program can be started.
pub fn answers(program: &str, argument: &str) -> bool {
    let mut command = Command::new(program);
    succeeds(command.arg(argument).stdout(Stdio::null()).stderr(Stdio::null()))
}

/// Whether it is there; the error says what to do.
pub fn has_mpi() -> Result<(), String> {
    match answers("mpirun", "--version") && answers("mpicc", "--version") && has_libclang() {
        true => Ok(()),
        false => Err(format!("MPI is missing: run `apt-get install {}`", MPI_PACKAGES.join(" "))),
    }
}

/// Whether the library that generates bindings is where it is looked for.
fn has_libclang() -> bool {
    if std::env::var_os("LIBCLANG_PATH").is_some() {
        return true;
    }
    let known = Command::new("ldconfig").arg("-p").output();
    let known = known.is_ok_and(|out| names_libclang(&String::from_utf8_lossy(&out.stdout)));
    let folders = std::fs::read_dir("/usr/lib").into_iter().flatten().filter_map(Result::ok);
    let mut folders = folders.filter(|one| one.file_name().to_string_lossy().starts_with("llvm"));
    known || folders.any(|folder| folder.path().join("lib").join("libclang.so").exists())
}

/// Whether a list of libraries has `libclang` itself: `libclang-cpp` comes with other packages and does not serve.
fn names_libclang(list: &str) -> bool {
    let mut names = list.lines().filter_map(|line| line.trim_start().strip_prefix("libclang"));
    names.any(|rest| {
        let version = rest.strip_prefix('-').unwrap_or_default();
        rest.starts_with(".so") || version.starts_with(|first: char| first.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::names_libclang;

    #[test]
    fn the_library_for_bindings_is_not_taken_for_its_sibling() {
        assert!(!names_libclang("\tlibclang-cpp.so.14 (libc6,x86-64) => /lib/libclang-cpp.so.14"));
        assert!(names_libclang("\tlibclang-14.so.14 (libc6,x86-64) => /lib/libclang-14.so.14"));
        assert!(names_libclang("\tlibclang.so.1 (libc6,x86-64) => /lib/libclang.so.1"));
        assert!(!names_libclang("\tlibc.so.6 (libc6,x86-64) => /lib/libc.so.6"));
    }
}
