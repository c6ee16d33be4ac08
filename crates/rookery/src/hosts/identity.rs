//! Who this process is, and in what all must agree.

use crate::bench;
use crate::memory;
use board::Position;
use cluster::Hello;
use std::ffi::OsString;
use std::fs;
use std::thread;

/// The form of the messages: it changes when they do.
const WIRE: u32 = 7;

/// What this process says of itself.
pub fn hello(fabric: String) -> Hello {
    let shared = [
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("form of messages", WIRE.to_string()),
        ("evaluation", format!("{:016x}", evaluation())),
        ("command", command(std::env::args_os().skip(1))),
    ];
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
    Hello {
        shared: shared.map(|(name, value)| (name.to_owned(), value)).to_vec(),
        host: host(),
        memory_domain: memory_domain(),
        pid: std::process::id(),
        cores,
        host_cores: host_cores().unwrap_or(cores).max(cores),
        memory_mb: memory::free_megabytes().unwrap_or(0),
        fabric,
    }
}

/// The program with its arguments, each of which can be told from the next: one with spaces or other signs
/// stands in quotes.
fn command(arguments: impl Iterator<Item = OsString>) -> String {
    arguments.fold("rookery".to_owned(), |command, argument| {
        let is_plain = |sign: char| sign.is_alphanumeric() || "-_+=./,:@%".contains(sign);
        match argument.to_str() {
            Some(word) if !word.is_empty() && word.chars().all(is_plain) => {
                format!("{command} {word}")
            }
            _ => format!("{command} {argument:?}"),
        }
    })
}

/// The host's name.
fn host() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let name = name.trim();
    if name.is_empty() { "a host without a name".to_owned() } else { name.to_owned() }
}

/// Where processes see each other's open files: one start of one system, and in it the same numbering of
/// processes, which containers do not share. Those with different networks are different hosts too: a way to
/// have several on one machine. Empty where the system does not tell.
fn memory_domain() -> String {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok();
    let spaces = ["pid", "net"].map(|space| fs::read_link(format!("/proc/self/ns/{space}")).ok());
    match (boot, spaces) {
        (Some(boot), [Some(numbering), Some(network)]) => {
            format!("{} {} {}", boot.trim(), numbering.display(), network.display())
        }
        _ => String::new(),
    }
}

/// Processors of the host, those included that we may not use.
fn host_cores() -> Option<u32> {
    let processors = fs::read_to_string("/proc/cpuinfo").ok()?;
    let count = processors.lines().filter(|line| line.starts_with("processor")).count();
    u32::try_from(count).ok()
}

/// A number that follows from what positions are worth: another evaluation has another.
fn evaluation() -> u64 {
    let positions = bench::positions().filter_map(|fen| Position::from_fen(fen).ok());
    let mut hash = files::Digest::default();
    positions.for_each(|position| hash.add(&eval::explain(&position).white.to_le_bytes()));
    hash.add(&eval::nnue::embedded().checksum().to_le_bytes());
    hash.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(arguments: &[&str]) -> String {
        command(arguments.iter().map(OsString::from))
    }

    #[test]
    fn commands_are_told_apart_by_their_arguments() {
        assert_eq!(of(&[]), "rookery");
        assert_eq!(of(&["bench", "--depth=5"]), "rookery bench --depth=5");
        assert_eq!(of(&["suite", "two  spaces.epd"]), "rookery suite \"two  spaces.epd\"");
        let different =
            [&["a b"][..], &["a", "b"], &["a", "b", ""], &["a  b"], &["\"a", "b\""], &["a\nb"]];
        for (place, one) in different.iter().enumerate() {
            assert!(different[..place].iter().all(|other| of(other) != of(one)), "{one:?}");
        }
    }
}
