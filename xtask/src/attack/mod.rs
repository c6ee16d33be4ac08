//! `cargo xtask attack`: what a hostile world does to the program, repeated in minutes.
//!
//! Each attack is a function in a file of its own. It gets a [`Ground`] (a folder, the program, random
//! numbers from the seed), counts what it tries, and reports what should not have happened together
//! with what reproduces it. docs/design/testing.md lists what is attacked and what must hold.
//!
//! As root the program is started as an unprivileged user in a folder of its own: some attacks let it
//! write to pipes, links and sockets, and an error there must not cost the machine.

mod clock;
mod damage;
mod damaged_files;
mod dialogue;
mod floods;
mod garbage;
mod ground;
mod interrupts;
mod kills;
mod load;
mod orders;
mod process;
mod queued;
mod ready;
mod referee;
mod report;
mod special;
mod special_cases;
mod stand_in;
mod threads;

use crate::run::Cargo;
use ground::{Ground, Outcome, Sandbox, Scale};
use report::{Finding, Line};
use std::path::{Path, PathBuf};
use std::time::Instant;

pub use stand_in::{Manner, play as play_stand_in};

/// An attack.
struct Attack {
    name: &'static str,
    /// What must hold, for the table.
    holds: &'static str,
    run: fn(&mut Ground) -> Result<(), String>,
}

/// All of them: what is quick comes first.
const ATTACKS: [Attack; 14] = [
    Attack { name: "garbage", holds: "no crash, isready answered", run: garbage::run },
    Attack { name: "orders", holds: "one legal bestmove for each go", run: orders::run },
    Attack { name: "ready", holds: "readyok after all that was said before", run: ready::run },
    Attack { name: "queued", holds: "every go answered at the end of input", run: queued::run },
    Attack { name: "threads", holds: "stop answered by 1024 threads", run: threads::run },
    Attack { name: "damage", holds: "one clear line, no crash", run: damage::run },
    Attack { name: "special", holds: "nothing replaced, no hang", run: special::run },
    Attack { name: "floods", holds: "the match goes on in bounded memory", run: floods::run },
    Attack { name: "interrupts", holds: "the standings, then exit 130", run: interrupts::run },
    Attack { name: "kills-analyse", holds: "as if undisturbed", run: kills::analyse },
    Attack { name: "kills-match", holds: "as if undisturbed", run: kills::matches },
    Attack { name: "kills-endgame", holds: "as if undisturbed", run: kills::endgame },
    Attack { name: "clock-hash", holds: "no time lost to a large Hash", run: clock::large_hash },
    Attack { name: "clock-load", holds: "no game lost on time", run: clock::busy_machine },
];

/// The arguments of `cargo xtask attack`.
#[derive(clap::Args)]
pub struct Arguments {
    /// About a minute
    #[arg(long, conflicts_with = "full")]
    quick: bool,

    /// Everything as often as docs/design/testing.md says, most of an hour
    #[arg(long)]
    full: bool,

    /// Only the attacks whose names begin so; may be given several times
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,

    /// The program to attack [default: a release build]
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,

    /// Where the random numbers begin: another seed, other attacks
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Attacks, prints the table; whether everything held.
pub fn run(root: &Path, arguments: &Arguments) -> bool {
    let result = chosen(&arguments.only)
        .and_then(|attacks| Ok((attacks, sandbox(root, arguments)?)))
        .map(|(attacks, sandbox)| attack(&attacks, &sandbox));
    result.unwrap_or_else(|reason| {
        eprintln!("xtask: {reason}");
        false
    })
}

fn chosen(only: &[String]) -> Result<Vec<&'static Attack>, String> {
    let wanted = |attack: &&Attack| {
        only.is_empty() || only.iter().any(|name| attack.name.starts_with(name.as_str()))
    };
    let attacks: Vec<_> = ATTACKS.iter().filter(wanted).collect();
    match attacks.is_empty() {
        false => Ok(attacks),
        true => Err(format!("--only: the attacks are {}", ATTACKS.map(|one| one.name).join(", "))),
    }
}

fn sandbox(root: &Path, arguments: &Arguments) -> Result<Sandbox, String> {
    let program = match &arguments.binary {
        Some(path) => path.clone(),
        None => {
            let build = Cargo::new("build --release --package rookery");
            println!("{build}");
            if !build.run(root) {
                return Err(format!("the program cannot be built: `{build}`"));
            }
            crate::run::target(root).join("release/rookery")
        }
    };
    let scale = match (arguments.quick, arguments.full) {
        (true, _) => Scale::Quick,
        (_, true) => Scale::Full,
        _ => Scale::Usual,
    };
    Sandbox::new(root, &program, scale, arguments.seed)
}

fn attack(attacks: &[&Attack], sandbox: &Sandbox) -> bool {
    let mut lines = Vec::new();
    for attack in attacks {
        eprintln!("xtask: attack {} (seed {}) …", attack.name, sandbox.seed);
        let begun = Instant::now();
        let (mut outcome, broken) = match sandbox.ground(attack.name) {
            Ok(mut ground) => {
                let broken = (attack.run)(&mut ground).err();
                (ground.leave(), broken)
            }
            Err(reason) => (Outcome::default(), Some(reason)),
        };
        outcome.findings.extend(broken.map(|reason| Finding::broken(attack.name, reason)));
        for finding in &mut outcome.findings {
            finding.again = sandbox.again(attack.name);
            eprintln!("{finding}");
        }
        if outcome.untold > 0 {
            eprintln!("FOUND {}: and {} more", attack.name, outcome.untold);
        }
        let (name, holds, time) = (attack.name, attack.holds, begun.elapsed());
        let Outcome { attempts, notes, findings, untold } = outcome;
        let findings = findings.len() + untold;
        let line = Line { name, holds, attempts, notes, findings, time };
        // A run that is ended early has shown what came of it so far.
        eprintln!("xtask: {line}");
        lines.push(line);
    }
    print!("{}", report::table(&lines, &sandbox.describe()));
    lines.iter().all(|line| line.findings == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attacks_are_chosen_by_the_beginning_of_their_names() {
        let names = |only: &[&str]| {
            let only: Vec<String> = only.iter().map(|&name| name.to_owned()).collect();
            chosen(&only)
                .map(|attacks| attacks.iter().map(|attack| attack.name).collect::<Vec<_>>())
        };
        assert_eq!(names(&["clock"]), Ok(vec!["clock-hash", "clock-load"]));
        assert_eq!(names(&[]).map(|all| all.len()), Ok(ATTACKS.len()));
        assert!(names(&["nothing"]).is_err_and(|reason| reason.contains("garbage, orders")));
    }

    #[test]
    fn every_attack_stands_in_the_page() {
        let page = std::fs::read_to_string(crate::root().join("docs/design/testing.md"));
        let page = page.expect("the page is there");
        for attack in &ATTACKS {
            assert!(page.contains(&format!("`{}`", attack.name)), "{}", attack.name);
        }
    }
}
