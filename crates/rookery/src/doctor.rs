//! `rookery doctor`: what this machine offers, what of it is used, and what would make the engine faster.
//!
//! What the system tells is read from its files; where it tells nothing, that is said.

use crate::analyse::Knowledge;
use crate::arguments::DoctorArguments;
use crate::counted::counted;
use crate::failure::Failure;
use crate::numa::Nodes;
use crate::uci::Options;
use crate::{json, memory, network, version};
use serde::Serialize;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// How a part of the machine does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    /// It is used as well as can be.
    Good,
    /// It works; more is possible.
    Better,
    /// It cannot be used.
    Broken,
}

/// What was found out about a part.
#[derive(Debug, Serialize)]
struct Finding {
    part: &'static str,
    state: State,
    found: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

#[derive(Serialize)]
struct Report {
    version: &'static str,
    commit: &'static str,
    features: &'static str,
    target: &'static str,
    findings: Vec<Finding>,
}

impl Finding {
    fn new(part: &'static str, found: impl Into<String>, advice: Option<&str>) -> Finding {
        let state = if advice.is_some() { State::Better } else { State::Good };
        Finding { part, state, found: found.into(), advice: advice.map(str::to_owned) }
    }

    fn broken(part: &'static str, found: String) -> Finding {
        Finding { part, state: State::Broken, found, advice: None }
    }
}

/// Runs the command.
pub fn run(arguments: &DoctorArguments, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let system = System::look();
    let mut findings = vec![
        build(),
        instructions(&system),
        processors(&system),
        nodes(&Nodes::here()),
        load(&system),
        free_memory(memory::free_megabytes()),
        huge_pages(system.huge_pages.as_deref()),
        evaluation(arguments),
    ];
    findings.extend(tables(arguments));
    findings.extend([mpi(has_program("mpirun")), page()]);
    let report = Report {
        version: env!("CARGO_PKG_VERSION"),
        commit: env!("ROOKERY_COMMIT"),
        features: env!("ROOKERY_FEATURES"),
        target: env!("ROOKERY_TARGET"),
        findings,
    };
    match arguments.json {
        true => json::write(&report, out)?,
        false => write(&report, out)?,
    }
    let is_broken = report.findings.iter().any(|finding| finding.state == State::Broken);
    Ok(if is_broken { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn write(report: &Report, out: &mut impl Write) -> Result<(), Failure> {
    let Report { features, target, findings, .. } = report;
    writeln!(out, "rookery {}, features {features}, {target}\n", version::SHORT)?;
    for Finding { part, state, found, advice } in findings {
        let mark = match state {
            State::Good => "ok",
            State::Better => "hint",
            State::Broken => "broken",
        };
        writeln!(out, "{mark:<7} {part:<12} {found}")?;
        if let Some(advice) = advice {
            writeln!(out, "{:21}{advice}", "")?;
        }
    }
    let count = |state| findings.iter().filter(|finding| finding.state == state).count();
    let (broken, hints) = (count(State::Broken), count(State::Better));
    writeln!(out)?;
    if broken > 0 {
        writeln!(out, "{} cannot be used.", counted(broken, "part"))?;
    }
    match hints {
        0 if broken == 0 => writeln!(out, "Nothing to improve.")?,
        0 => (),
        1 => writeln!(out, "One hint.")?,
        hints => writeln!(out, "{hints} hints.")?,
    }
    Ok(())
}

/// What the system tells about itself.
#[derive(Default)]
struct System {
    cpu: Option<String>,
    /// Processors of the machine, and those that this process may use.
    all: usize,
    usable: usize,
    /// Whether two of them share a core.
    has_siblings: bool,
    governor: Option<String>,
    /// Processes that want to run, on the mean of the last minute.
    load: Option<f64>,
    huge_pages: Option<String>,
}

impl System {
    fn look() -> System {
        let read = |path: &str| fs::read_to_string(path).ok().map(|text| text.trim().to_owned());
        let cpus = read("/proc/cpuinfo").unwrap_or_default();
        let usable = std::thread::available_parallelism().map_or(1, usize::from);
        let load = read("/proc/loadavg");
        System {
            cpu: value_of(&cpus, "model name"),
            all: cpus.lines().filter(|line| line.starts_with("processor")).count().max(usable),
            usable,
            has_siblings: read("/sys/devices/system/cpu/smt/active").as_deref() == Some("1"),
            governor: read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
            load: load.and_then(|text| text.split(' ').next()?.parse().ok()),
            huge_pages: read("/sys/kernel/mm/transparent_hugepage/enabled"),
        }
    }
}

/// The value of the first line `name : value`.
fn value_of(text: &str, name: &str) -> Option<String> {
    let pairs = text.lines().filter_map(|line| line.split_once(':'));
    let mut values = pairs.filter(|(key, _)| key.trim() == name);
    values.next().map(|(_, value)| value.trim().to_owned())
}

fn build() -> Finding {
    match cfg!(debug_assertions) {
        true => Finding::new(
            "build",
            "for debugging, with checks",
            Some("build with --release: it is many times faster"),
        ),
        false => Finding::new("build", "for speed", None),
    }
}

fn instructions(system: &System) -> Finding {
    let (moves, sums) = (board::attacks::cpu_path(), eval::nnue::Path::best().name());
    let name = system.cpu.as_deref().unwrap_or(std::env::consts::ARCH);
    let found = format!("{name}: attacks by {moves}, network by {sums}");
    let old = "this CPU has no AVX2, BMI2 or quick PEXT: a newer one searches more nodes a second";
    let is_old = cfg!(target_arch = "x86_64") && (moves == "magic" || sums == "portable");
    Finding::new("CPU", found, is_old.then_some(old))
}

fn processors(system: &System) -> Finding {
    let System { all, usable, has_siblings, .. } = system;
    let mut found = format!("{usable} usable");
    if all > usable {
        found += &format!(" of {all}: a container or an affinity sets the limit");
    }
    if *has_siblings {
        found += ", two to a core";
    }
    let advice = match system.governor.as_deref() {
        Some("powersave") => {
            Some("the CPU saves power: set its governor to performance".to_owned())
        }
        _ if *usable > 1 => Some(format!(
            "one thread is the default: setoption name Threads value {usable}, or --threads {usable}"
        )),
        _ => None,
    };
    Finding::new("processors", found, advice.as_deref())
}

fn nodes(nodes: &Nodes) -> Finding {
    let sizes: Vec<String> = nodes.0.iter().map(|node| node.len().to_string()).collect();
    match &sizes[..] {
        [] | [_] => {
            Finding::new("memory nodes", "one: threads and tables are near each other", None)
        }
        sizes => {
            let (count, sizes) = (sizes.len(), sizes.join(" + "));
            let found = format!(
                "{count}, with {sizes} processors: tables are spread, and the threads bound to their \
                 nodes where one is not enough (option NUMA)"
            );
            Finding::new("memory nodes", found, None)
        }
    }
}

fn load(system: &System) -> Finding {
    let Some(load) = system.load else {
        return Finding::new("load", "the system does not tell", None);
    };
    let is_busy = load > 0.5 * system.usable as f64;
    let busy = "others compute too: the engine gets only what they leave";
    Finding::new("load", format!("{load:.1} over the last minute"), is_busy.then_some(busy))
}

fn free_memory(megabytes: Option<u64>) -> Finding {
    let Some(megabytes) = megabytes else {
        return Finding::new("memory", "the system does not tell what is free", None);
    };
    // A power of two that leaves half of the memory to others.
    let hash = (megabytes / 2).checked_ilog2().map_or(1, |power| 1u64 << power.min(25));
    let found = format!("{megabytes} MB free for this process");
    let advice = match megabytes {
        0..256 => "little: keep the table small (setoption name Hash value 16)".to_owned(),
        _ => format!("for long analyses give the table more: setoption name Hash value {hash}"),
    };
    Finding::new("memory", found, Some(&advice))
}

/// The file has all choices, and the one that is taken in brackets.
fn huge_pages(choices: Option<&str>) -> Finding {
    let chosen = choices.and_then(|text| text.split(['[', ']']).nth(1));
    let advice = "tables in huge pages are read faster: \
                  echo madvise > /sys/kernel/mm/transparent_hugepage/enabled, as root";
    match chosen {
        Some(taken @ ("always" | "madvise")) => {
            Finding::new("huge pages", format!("{taken}: the table asks for them"), None)
        }
        Some(taken) => Finding::new("huge pages", taken, Some(advice)),
        None => Finding::new("huge pages", "the system does not tell", None),
    }
}

/// Whether the network or the terms evaluate is an option of the engine.
fn evaluation(arguments: &DoctorArguments) -> Finding {
    let found = match network::Chosen::open(arguments.net.as_deref()) {
        Ok(chosen) => network::text(&chosen.network),
        Err(reason) => return Finding::broken("network", reason),
    };
    let advice = "it was stronger than the classical terms: setoption name Evaluation value net";
    let is_default = Options::default().uses_network();
    Finding::new("network", found, (!is_default).then_some(advice))
}

fn tables(arguments: &DoctorArguments) -> Vec<Finding> {
    let (own, syzygy) = (arguments.tables.as_deref(), arguments.syzygy.as_deref());
    if own.is_none() && syzygy.is_none() {
        let advice = "endings are played better with tables: rookery endgame build --men 4 makes some, \
                      Syzygy's are read; name them with --tables DIR, --syzygy PATH";
        return vec![Finding::new("tables", "none named", Some(advice))];
    }
    // One finding for each, so that what is wrong with one hides nothing of the other.
    let own = own.map(|own| named_tables(Some(own), None));
    own.into_iter().chain(syzygy.map(|syzygy| named_tables(None, Some(syzygy)))).collect()
}

fn named_tables(own: Option<&Path>, syzygy: Option<&str>) -> Finding {
    match Knowledge::of_folders(own, syzygy) {
        Ok(Knowledge { words, faults, .. }) => match words.trim_start_matches(", ") {
            words if faults.is_empty() => Finding::new("tables", words, None),
            words => Finding::broken("tables", format!("{words}; not used: {}", faults.join("; "))),
        },
        Err(reason) => Finding::broken("tables", reason),
    }
}

fn mpi(has_mpirun: bool) -> Finding {
    match (cfg!(feature = "mpi"), has_mpirun) {
        (true, true) => Finding::new("MPI", "built in, and mpirun is there", None),
        (true, false) => {
            Finding::new("MPI", "built in", Some("mpirun is not in the PATH: install Open MPI"))
        }
        (false, _) => Finding::new(
            "MPI",
            "not built in: one host only",
            Some("to search with several hosts build with --features mpi"),
        ),
    }
}

fn page() -> Finding {
    match cfg!(feature = "web") {
        true => Finding::new("browser", "built in: rookery serve --open", None),
        false => Finding::new(
            "browser",
            "not built in",
            Some("for the board in a browser build with --features web"),
        ),
    }
}

/// Whether a program of this name lies where programs are looked for.
fn has_program(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_choice_of_huge_pages_is_understood() {
        for (text, state) in [
            (Some("always [madvise] never"), State::Good),
            (Some("[always] madvise never"), State::Good),
            (Some("always madvise [never]"), State::Better),
            (None, State::Good),
            (Some(""), State::Good),
        ] {
            assert_eq!(huge_pages(text).state, state, "{text:?}");
        }
    }

    #[test]
    fn limits_load_and_power_saving_are_told() {
        let mut system = System { all: 8, usable: 2, load: Some(1.5), ..System::default() };
        assert!(processors(&system).found.contains("2 usable of 8"));
        assert_eq!(load(&system).state, State::Better);
        system.load = Some(0.2);
        assert_eq!(load(&system).state, State::Good);
        system.governor = Some("powersave".to_owned());
        assert!(processors(&system).advice.is_some_and(|advice| advice.contains("governor")));
    }

    #[test]
    fn memory_nodes_are_told() {
        assert!(nodes(&Nodes(vec![vec![0, 1]])).found.starts_with("one: "));
        let two = nodes(&Nodes(vec![vec![0, 1, 2], vec![3, 4]]));
        assert!(two.found.starts_with("2, with 3 + 2 processors"), "{}", two.found);
    }

    #[test]
    fn half_of_the_memory_is_advised_for_the_table() {
        let advice = |megabytes| free_memory(Some(megabytes)).advice.unwrap_or_default();
        assert!(advice(9000).ends_with("Hash value 4096"), "{}", advice(9000));
        assert!(advice(100).ends_with("Hash value 16)"));
        assert_eq!(free_memory(None).state, State::Good);
    }

    #[test]
    fn the_name_of_a_cpu_is_found() {
        let text = "processor\t: 0\nmodel name\t: A: fast one\nprocessor\t: 1\n";
        assert_eq!(value_of(text, "model name").as_deref(), Some("A: fast one"));
        assert_eq!(value_of("", "model name"), None);
    }
}
