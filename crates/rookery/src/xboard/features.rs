//! What the engine says of itself: `feature …`, and its options under the names of this protocol.

use crate::engine::DEFAULT_STRATEGY;
use crate::numa::Numa;
use crate::uci::{Kind, OPTIONS, Options, Setting};
use cluster::TABLES;
use parallel::threads::STRATEGIES;
use search::Profile;
use std::io::{self, Write};

/// Options that have commands of their own here (`cores`, `memory`, `hard`, `nps`, `variant`), or that
/// mean nothing in this protocol.
const LEFT_OUT: [Setting; 8] = [
    Setting::Threads,
    Setting::Hash,
    Setting::Ponder,
    Setting::NodesTime,
    Setting::Chess960,
    Setting::ShowWdl,
    Setting::AnalyseMode,
    Setting::Opponent,
];

/// Answers `protover`.
pub fn write(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "feature done=0")?;
    writeln!(out, "feature ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1")?;
    writeln!(out, "feature sigint=0 sigterm=0 reuse=1 analyze=1 colors=0 ics=1 name=1")?;
    writeln!(out, "feature pause=1 nps=1 debug=1 memory=1 smp=1 exclude=1 setscore=0")?;
    writeln!(out, "feature myname=\"Rookery {}\"", env!("CARGO_PKG_VERSION"))?;
    writeln!(out, "feature variants=\"normal,fischerandom\"")?;
    for (name, setting, kind) in OPTIONS {
        if !LEFT_OUT.contains(&setting) {
            writeln!(out, "feature option=\"{} {}\"", short(name), describe(kind))?;
        }
    }
    writeln!(out, "feature done=1")
}

/// Where an option can be set by its name, the name that UCI has for it, and how its values are read.
pub fn find(name: &str) -> Option<(&'static str, Kind)> {
    let offered = OPTIONS.into_iter().filter(|(_, setting, _)| !LEFT_OUT.contains(setting));
    let wanted = short(name);
    offered
        .map(|(known, _, kind)| (known, kind))
        .find(|(known, _)| short(known).eq_ignore_ascii_case(&wanted))
}

/// The name without blanks, which not every program takes in a name, and without `UCI_`.
fn short(name: &str) -> String {
    name.strip_prefix("UCI_").unwrap_or(name).split_whitespace().collect()
}

fn describe(kind: Kind) -> String {
    match kind {
        Kind::Spin(default, least, most) => format!("-spin {default} {least} {most}"),
        Kind::Check(default) => format!("-check {}", u8::from(default)),
        Kind::Text => "-string ".to_owned(),
        Kind::Profile => {
            let mark = |profile| if profile == Profile::Modern { "*" } else { "" };
            let names = Profile::ALL.map(|profile| format!("{}{profile}", mark(profile)));
            format!("-combo {}", names.join(" /// "))
        }
        Kind::Evaluation => {
            let by_network = Options::default().uses_network();
            let mark = |marked| if marked { "*" } else { "" };
            format!("-combo {}classical /// {}net", mark(!by_network), mark(by_network))
        }
        Kind::Strategy => {
            let mark = |strategy| if strategy == DEFAULT_STRATEGY { "*" } else { "" };
            let names = STRATEGIES.map(|strategy| format!("{}{strategy}", mark(strategy)));
            format!("-combo {}", names.join(" /// "))
        }
        Kind::Table => {
            let mark = |kind| if kind == TABLES[0] { "*" } else { "" };
            format!("-combo {}", TABLES.map(|kind| format!("{}{kind}", mark(kind))).join(" /// "))
        }
        Kind::Numa => {
            let mark = |numa| if numa == Numa::default() { "*" } else { "" };
            format!("-combo {}", Numa::ALL.map(|it| format!("{}{it}", mark(it))).join(" /// "))
        }
        Kind::Button => "-button".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::write_list;

    #[test]
    fn the_choice_that_is_marked_is_the_one_in_force() {
        let mut uci = Vec::new();
        write_list(&mut uci).expect("memory takes it");
        let uci = String::from_utf8(uci).expect("text");
        let mut combos = 0;
        for (name, _, kind) in OPTIONS {
            let described = describe(kind);
            let Some(choices) = described.strip_prefix("-combo ") else { continue };
            let mut marked = choices.split(" /// ").filter_map(|choice| choice.strip_prefix('*'));
            let default =
                format!("option name {name} type combo default {} ", marked.next().expect(name));
            assert!(uci.contains(&default) && marked.next().is_none(), "{name} {described}: {uci}");
            combos += 1;
        }
        assert_eq!(combos, 5);
        assert_eq!(describe(Kind::Evaluation), "-combo classical /// *net");
    }

    #[test]
    fn every_option_that_is_offered_is_found_under_its_name() {
        let mut out = Vec::new();
        write(&mut out).expect("memory takes it");
        let text = String::from_utf8(out).expect("text");
        let names: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("feature option=\"")?.split(' ').next())
            .collect();
        assert!(names.contains(&"MultiPV") && names.contains(&"MoveOverhead"));
        assert!(names.iter().all(|name| find(name).is_some()), "{names:?}");
        assert_eq!(names.len(), OPTIONS.len() - LEFT_OUT.len());
        assert_eq!(find("skill level").map(|(name, _)| name), Some("Skill Level"));
        assert!(find("Hash").is_none() && find("").is_none());
        assert!(text.starts_with("feature done=0\n") && text.ends_with("\nfeature done=1\n"));
    }
}
