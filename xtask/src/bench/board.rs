//! The board's speed: builds the crate `board-bench` in two ways and runs it.

use super::has_pext;
use crate::run::{Cargo, target};
use std::path::{Path, PathBuf};

/// The arguments of `cargo xtask bench board`.
#[derive(clap::Args)]
pub struct Arguments {
    /// How often each library runs each case; the median counts.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,

    /// Print one JSON object with the figures of both builds instead of tables.
    #[arg(long)]
    json: bool,

    /// Only one of the builds.
    #[arg(long, value_enum)]
    build: Option<Build>,
}

/// The CPU that the program is compiled for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Build {
    /// For the CPU at hand.
    Native,
    /// For every CPU of its kind.
    Plain,
}

/// Builds and runs the benchmark.
pub fn run(root: &Path, arguments: &Arguments) -> Result<(), String> {
    let mut figures = Vec::new();
    for build in [Build::Native, Build::Plain] {
        if arguments.build.is_some_and(|only| only != build) {
            continue;
        }
        let compile = build.cargo(root, "build --release --package board-bench --features chess");
        eprintln!("{compile}");
        if !compile.run(root) {
            return Err(format!("the benchmark cannot be built: `{compile}`"));
        }
        let mut measure = build
            .cargo(root, "run --quiet --release --package board-bench --features chess")
            .argument("--")
            .argument(format!("--rounds={}", arguments.rounds));
        if arguments.json {
            measure = measure.argument("--json");
            figures.push(format!("\"{}\": {}", build.name(), measure.output(root)?.trim_end()));
        } else {
            println!("\n== {} build: {} ==\n", build.name(), build.meaning());
            if !measure.run(root) {
                return Err(format!("the benchmark failed: `{measure}`"));
            }
        }
    }
    if arguments.json {
        println!("{{{}}}", figures.join(",\n"));
    }
    Ok(())
}

impl Build {
    fn name(self) -> &'static str {
        match self {
            Build::Native => "native",
            Build::Plain => "plain",
        }
    }

    fn meaning(self) -> &'static str {
        match self {
            Build::Native => "compiled for this CPU, every library at its best",
            Build::Plain => "compiled for any CPU, only rookery looks for PEXT at run time",
        }
    }

    /// A call of cargo for this build. The native one has a target folder of its own, so that the
    /// flags do not throw the other builds away.
    fn cargo(self, root: &Path, arguments: &str) -> Cargo {
        let cargo = Cargo::new(arguments);
        if self == Build::Plain {
            return cargo;
        }
        let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
        let flags = format!("{flags} -C target-cpu=native").trim_start().to_owned();
        let folder = native_target(root).to_string_lossy().into_owned();
        let cargo = cargo.argument("--target-dir").argument(folder).variable("RUSTFLAGS", flags);
        if has_pext() { cargo.argument("--features").argument("pext") } else { cargo }
    }
}

fn native_target(root: &Path) -> PathBuf {
    target(root).join("native")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_native_build_has_its_own_flags_and_its_own_folder() {
        let call = Build::Native.cargo(Path::new("."), "build").to_string();
        assert!(call.starts_with("RUSTFLAGS="), "{call}");
        assert!(call.contains("-C target-cpu=native' cargo build --target-dir"), "{call}");
    }

    #[test]
    fn the_plain_build_is_what_a_user_builds() {
        assert_eq!(Build::Plain.cargo(Path::new("."), "build").to_string(), "cargo build");
    }
}
