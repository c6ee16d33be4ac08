//! `cargo xtask dist`: archives of the program for each system that can be built for here.
//!
//! An archive holds the program with the page of the browser, completions for shells, manual pages and the
//! texts that belong to it. Nothing is packed that has not shown the signature of `rookery bench`, the same
//! for all: natively, under qemu or under wine. What is missing for a system is named, and the system is
//! left out.

#[cfg(test)]
mod packaging;

use crate::run::{Cargo, succeeds, target};
use crate::tools;
use clap::Args;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What is built for whom, with which linker, and what runs it where it is not at home.
struct System {
    target: &'static str,
    /// The variable that tells cargo of the linker, and the linker.
    linker: Option<(&'static str, &'static str)>,
    runner: &'static [&'static str],
    /// How linker and runner are installed on Debian.
    packages: &'static str,
}

const SYSTEMS: [System; 3] = [
    System { target: "x86_64-unknown-linux-gnu", linker: None, runner: &[], packages: "" },
    System {
        target: "aarch64-unknown-linux-gnu",
        linker: Some(("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", "aarch64-linux-gnu-gcc")),
        runner: &["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"],
        packages: "gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user",
    },
    System {
        target: WINDOWS,
        linker: Some(("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER", MINGW)),
        runner: &["wine"],
        packages: "gcc-mingw-w64-x86-64 wine64",
    },
];
const MINGW: &str = "x86_64-w64-mingw32-gcc";
const WINDOWS: &str = "x86_64-pc-windows-gnu";
/// What cannot be linked here is at least compiled.
const CHECKED: &str = "aarch64-apple-darwin";
const FEATURES: &str = "web,manual";
const SHELLS: [(&str, &str); 5] = [
    ("bash", "rookery.bash"),
    ("elvish", "rookery.elv"),
    ("fish", "rookery.fish"),
    ("powershell", "_rookery.ps1"),
    ("zsh", "_rookery"),
];
/// Where they lie under the archives.
const MANUAL: &str = "manual";
const TEXTS: [&str; 3] = ["README.md", "CHANGELOG.md", "LICENSE"];
/// Where debian's wine64 package has its program, which it does not put into the PATH.
const WINES: [&str; 4] = ["wine", "wine64", "/usr/lib/wine/wine64", "/usr/bin/wine64-stable"];

#[derive(Args)]
pub struct Arguments {
    /// Only for these targets of rustc [default: all that can be built here]
    #[arg(long, value_name = "TARGET")]
    target: Vec<String>,
    /// The profile of the build: `release` is built much faster
    #[arg(long, default_value = "dist")]
    profile: String,
    /// Where the archives go [default: target/archives]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// What is done for all systems alike.
struct Chore<'a> {
    root: &'a Path,
    profile: &'a str,
    out: PathBuf,
    /// The signature that all must have: that of the first.
    signature: Option<String>,
}

/// Builds and packs; whether everything that could be tried is right.
pub fn run(root: &Path, arguments: &Arguments) -> bool {
    let out = arguments.out.clone().unwrap_or_else(|| target(root).join("archives"));
    let mut chore = Chore { root, profile: &arguments.profile, out, signature: None };
    let is_wanted = |name: &str| {
        arguments.target.is_empty() || arguments.target.iter().any(|wanted| wanted == name)
    };
    if let Some(name) = arguments.target.iter().find(|name| !is_known(name)) {
        let all: Vec<&str> = SYSTEMS.iter().map(|system| system.target).collect();
        eprintln!("xtask: {name} is none of {}", all.join(", "));
        return false;
    }
    let mut is_good = true;
    let mut archives = Vec::new();
    for system in SYSTEMS.iter().filter(|system| is_wanted(system.target)) {
        match chore.prepare(system).map(|()| chore.pack(system)) {
            Err(missing) => println!("dist: {} SKIPPED: {missing}", system.target),
            Ok(Ok(archive)) => archives.push(archive),
            Ok(Err(reason)) => {
                eprintln!("xtask: {}: {reason}", system.target);
                is_good = false;
            }
        }
    }
    if arguments.target.is_empty() {
        is_good &= chore.check_other();
    }
    match chore.sums(&archives) {
        Ok(()) => is_good && !archives.is_empty(),
        Err(error) => {
            eprintln!("xtask: {}: {error}", chore.out.display());
            false
        }
    }
}

fn is_known(name: &str) -> bool {
    SYSTEMS.iter().any(|system| system.target == name)
}

/// Whether rustc can build for a target.
fn has_target(name: &str) -> bool {
    let list = Command::new("rustup").args(["target", "list", "--installed"]).output();
    let list = list.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    list.is_ok_and(|text| text.lines().any(|line| line.trim() == name))
}

impl Chore<'_> {
    /// What is missing to build for a system and to try it.
    fn prepare(&self, system: &System) -> Result<(), String> {
        if !has_target(system.target) {
            return Err(format!("run `rustup target add {}`", system.target));
        }
        let has_linker =
            system.linker.is_none_or(|(_, linker)| tools::answers(linker, "--version"));
        let has_runner = match system.runner {
            [] => cfg!(all(target_os = "linux", target_arch = "x86_64")),
            ["wine"] => wine().is_some(),
            [program, ..] => tools::answers(program, "--version"),
        };
        match has_linker && has_runner {
            true => Ok(()),
            false => Err(format!("run `apt-get install {}`", system.packages)),
        }
    }

    fn program(&self, system: &System) -> PathBuf {
        let name = if system.target == WINDOWS { "rookery.exe" } else { "rookery" };
        target(self.root).join(system.target).join(self.profile).join(name)
    }

    /// Builds, tries and packs the program of a system.
    fn pack(&mut self, system: &System) -> Result<PathBuf, String> {
        let mut build = Cargo::new("build --locked --package rookery --features")
            .argument(FEATURES)
            .argument("--profile")
            .argument(self.profile)
            .argument("--target")
            .argument(system.target);
        if let Some((variable, linker)) = system.linker {
            build = build.variable(variable, linker.to_owned());
        }
        println!("{build}");
        if !build.run(self.root) {
            return Err(format!("`{build}` failed"));
        }
        let signature = self.bench(system)?;
        println!("dist: {}: signature {signature}", system.target);
        match &self.signature {
            Some(expected) if *expected != signature => {
                return Err(format!("its signature is {signature}, that of the first {expected}"));
            }
            _ => self.signature = Some(signature),
        }
        self.archive(system).map_err(|error| error.to_string())
    }

    /// The signature of the program, natively or under what runs it here.
    fn bench(&self, system: &System) -> Result<String, String> {
        let program = self.program(system);
        let output = match system.runner {
            [] => Command::new(&program).arg("bench").output(),
            ["wine"] => self.under_wine(&program),
            [runner, arguments @ ..] => {
                Command::new(runner).args(arguments).arg(&program).arg("bench").output()
            }
        };
        let output = output.map_err(|error| format!("it cannot be run: {error}"))?;
        let text = String::from_utf8_lossy(&output.stdout);
        signature(&text).ok_or_else(|| {
            let errors = String::from_utf8_lossy(&output.stderr);
            format!("`rookery bench` ended with {}: {text}{errors}", output.status)
        })
    }

    /// Runs the bench with a folder of its own as the user's Windows.
    fn under_wine(&self, program: &Path) -> io::Result<std::process::Output> {
        let folder = target(self.root).join("wine");
        fs::create_dir_all(&folder)?;
        // Wine 8 has no bcryptprimitives.dll, which Rust asks for random numbers.
        let (source, library) = (folder.join("random.c"), folder.join("bcryptprimitives.dll"));
        fs::write(&source, include_str!("../dist/random.c"))?;
        let mut compiler = Command::new(MINGW);
        compiler.args(["-shared", "-O1", "-o"]).arg(&library).arg(&source).arg("-ladvapi32");
        if !succeeds(&mut compiler) {
            return Err(io::Error::other("the stand-in for bcryptprimitives.dll is not compiled"));
        }
        let own = folder.join("rookery.exe");
        fs::copy(program, &own)?;
        let wine = wine().unwrap_or("wine");
        let mut command = Command::new(wine);
        command.arg(&own).arg("bench").env("WINEPREFIX", folder.join("prefix"));
        command
            .env("WINEDEBUG", "-all")
            .env("WINEDLLOVERRIDES", "bcryptprimitives=n,b;mscoree,mshtml=");
        command.stdin(Stdio::null()).output()
    }

    /// Puts together what is handed out.
    fn archive(&self, system: &System) -> io::Result<PathBuf> {
        let name = format!("rookery-{}-{}", env!("CARGO_PKG_VERSION"), system.target);
        let folder = self.out.join(&name);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        let program = self.program(system);
        fs::copy(&program, folder.join(program.file_name().unwrap_or_default()))?;
        for text in TEXTS {
            fs::copy(self.root.join(text), folder.join(text))?;
        }
        self.describe()?;
        for part in ["completions", "man"] {
            let own = self.out.join(MANUAL).join(part);
            fs::create_dir_all(folder.join(part))?;
            for file in fs::read_dir(own).into_iter().flatten() {
                let file = file?;
                fs::copy(file.path(), folder.join(part).join(file.file_name()))?;
            }
        }
        let archive = match system.target {
            WINDOWS if tools::answers("zip", "-v") => {
                let archive = self.out.join(format!("{name}.zip"));
                let mut zip = Command::new("zip");
                zip.args(["-q", "-X", "-r"]).arg(&archive).arg(&name).current_dir(&self.out);
                (archive, zip)
            }
            _ => {
                let archive = self.out.join(format!("{name}.tar.gz"));
                let mut tar = Command::new("tar");
                // The same files give the same archive but for the time of packing.
                tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "-czf"]);
                tar.arg(&archive).arg("-C").arg(&self.out).arg(&name);
                (archive, tar)
            }
        };
        let (archive, mut command) = archive;
        let _ = fs::remove_file(&archive);
        match succeeds(&mut command) {
            true => Ok(archive),
            false => Err(io::Error::other(format!("{command:?} failed"))),
        }
    }

    /// Completions and manual pages, by the program that runs here; the Debian package takes them too.
    fn describe(&self) -> io::Result<()> {
        let folder = self.out.join(MANUAL);
        fs::create_dir_all(folder.join("completions"))?;
        fs::create_dir_all(folder.join("man"))?;
        let own = self.program(&SYSTEMS[0]);
        if !own.exists() {
            println!(
                "dist: without completions and manual pages: build for {} too",
                SYSTEMS[0].target
            );
            return Ok(());
        }
        let output = |arguments: &[&str]| -> io::Result<Vec<u8>> {
            let output = Command::new(&own).args(arguments).output()?;
            match output.status.success() {
                true => Ok(output.stdout),
                false => Err(io::Error::other(format!("`rookery {}` failed", arguments.join(" ")))),
            }
        };
        for (shell, file) in SHELLS {
            fs::write(folder.join("completions").join(file), output(&["completions", shell])?)?;
        }
        fs::write(folder.join("man/rookery.1"), output(&["man"])?)?;
        let help = String::from_utf8_lossy(&output(&["help"])?).into_owned();
        for command in commands(&help) {
            fs::write(folder.join(format!("man/rookery-{command}.1")), output(&["man", command])?)?;
        }
        Ok(())
    }

    /// Compiles for a system whose linker cannot be had, where its library is there.
    fn check_other(&self) -> bool {
        if !has_target(CHECKED) {
            println!("dist: {CHECKED} SKIPPED: run `rustup target add {CHECKED}`");
            return true;
        }
        let check = Cargo::new("check --locked --package rookery --features");
        let check = check.argument(FEATURES).argument("--target").argument(CHECKED);
        println!("{check}");
        check.run(self.root)
    }

    /// The sums by which an archive is known to be whole.
    fn sums(&self, archives: &[PathBuf]) -> io::Result<()> {
        let names: Vec<_> = archives.iter().filter_map(|path| path.file_name()).collect();
        if names.is_empty() {
            return Ok(());
        }
        let output = Command::new("sha256sum").args(&names).current_dir(&self.out).output()?;
        let mut file = fs::File::create(self.out.join("SHA256SUMS"))?;
        file.write_all(&output.stdout)?;
        print!("{}", String::from_utf8_lossy(&output.stdout));
        println!("dist: {} archives in {}", names.len(), self.out.display());
        Ok(())
    }
}

/// The wine that is installed.
fn wine() -> Option<&'static str> {
    WINES.into_iter().find(|program| tools::answers(program, "--version"))
}

/// The nodes of the last line of a bench, `1234567 nodes 987654 nps`.
fn signature(text: &str) -> Option<String> {
    let last = text.lines().rev().find(|line| line.trim_end().ends_with("nps"))?;
    let mut words = last.split_whitespace();
    let nodes = words.next().filter(|word| word.parse::<u64>().is_ok())?;
    (words.next() == Some("nodes")).then(|| nodes.to_owned())
}

/// The commands that a help text lists.
fn commands(help: &str) -> Vec<&str> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let lines = lines.take_while(|line| line.starts_with("  "));
    let names = lines.filter(|line| !line.starts_with("   "));
    names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_is_the_number_of_nodes() {
        let text = "position 50\r\n\r\n4283179 nodes 1500000 nps\r\n";
        assert_eq!(signature(text).as_deref(), Some("4283179"));
        assert_eq!((signature(""), signature("wine: cannot find it")), (None, None));
    }

    #[test]
    fn commands_are_read_from_the_help() {
        let help = "About\n\nCommands:\n  perft  Count\n  match  Play\n         on\n  help   Print\n\nOptions:\n  -h\n";
        assert_eq!(commands(help), ["perft", "match"]);
    }
}
