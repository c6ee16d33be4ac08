//! Two hosts on one machine: network namespaces, which see nothing of each other but the cable between them.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The addresses of the hosts.
pub const ADDRESSES: [&str; 2] = ["10.77.0.1", "10.77.0.2"];
/// The network they are in.
pub const NETWORK: &str = "10.77.0.0/24";
/// How the device is called in each.
const DEVICE: &str = "cable";
/// How all names begin; the process that has made them follows.
const PREFIX: &str = "rookery";

/// What can stand in the way, as one line.
pub fn check() -> Result<(), String> {
    // The files of a process belong to its user.
    if fs::metadata("/proc/self").map_or(true, |process| process.uid() != 0) {
        return Err("network namespaces need root: run it as root".to_owned());
    }
    match ip(&["-V"]) {
        Ok(_) => Ok(()),
        Err(_) => Err("the program `ip` is missing: install iproute2".to_owned()),
    }
}

/// Two hosts; they are gone when this is dropped.
pub struct Hosts {
    names: [String; 2],
    /// Where files can be put that are gone with the hosts.
    folder: PathBuf,
}

impl Hosts {
    /// Sets them up, after removing those of a process that was killed.
    pub fn new() -> Result<Hosts, String> {
        for process in left_behind() {
            eprintln!("xtask: removing the hosts that process {process} has left behind");
            remove(process);
        }
        let process = std::process::id();
        let hosts = Hosts { names: names(process), folder: folder(process) };
        for name in &hosts.names {
            ip(&["netns", "add", name])?;
            ip(&["-n", name, "link", "set", "lo", "up"])?;
        }
        let failed = |error| format!("{}: {error}", hosts.folder.display());
        fs::create_dir_all(&hosts.folder).map_err(failed)?;
        Ok(hosts)
    }

    /// Their names.
    pub fn names(&self) -> [&str; 2] {
        self.names.each_ref().map(String::as_str)
    }

    /// A folder for files, gone with the hosts.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        remove(std::process::id());
    }
}

fn names(process: u32) -> [String; 2] {
    [1, 2].map(|number| format!("{PREFIX}-{process}-{number}"))
}

fn folder(process: u32) -> PathBuf {
    std::env::temp_dir().join(format!("{PREFIX}-network-{process}"))
}

/// Removes the hosts of a process, with all that still runs on them.
fn remove(process: u32) {
    let present = ip(&["netns", "list"]).unwrap_or_default();
    for name in names(process) {
        if !namespaces(&present).any(|one| one == name) {
            continue;
        }
        for inhabitant in ip(&["netns", "pids", &name]).unwrap_or_default().split_whitespace() {
            // One that has just ended is as good as killed.
            let _ = Command::new("kill").args(["-KILL", inhabitant]).stderr(Stdio::null()).status();
        }
        if let Err(error) = ip(&["netns", "del", &name]) {
            eprintln!("xtask: {error}");
        }
    }
    // There is none where the beginning has failed.
    let _ = fs::remove_dir_all(folder(process));
}

/// Processes whose hosts are there, though they themselves are not.
fn left_behind() -> Vec<u32> {
    let called = |process: &str| fs::read_to_string(format!("/proc/{process}/comm")).ok();
    let ours = called("self");
    let present = ip(&["netns", "list"]).unwrap_or_default();
    let mut makers: Vec<u32> = namespaces(&present).filter_map(maker).collect();
    makers.dedup();
    // Another process may have got the number since.
    makers.retain(|&maker| maker == std::process::id() || called(&maker.to_string()) != ours);
    makers
}

/// The names in what `ip netns list` says.
fn namespaces(list: &str) -> impl Iterator<Item = &str> {
    list.lines().filter_map(|line| line.split_whitespace().next())
}

/// The process that has made a namespace, if it is one of ours.
fn maker(name: &str) -> Option<u32> {
    let mut words = name.split('-');
    let (prefix, process, number) = (words.next()?, words.next()?, words.next()?);
    let ours = prefix == PREFIX && matches!(number, "1" | "2") && words.next().is_none();
    process.parse().ok().filter(|_| ours)
}

/// Joins the hosts by a pair of virtual devices.
pub fn join(hosts: &Hosts) -> Result<(), String> {
    let [first, second] = hosts.names();
    let pair = ["type", "veth", "peer", "name", DEVICE, "netns", second];
    ip(&[&["-n", first, "link", "add", DEVICE], &pair[..]].concat())?;
    for (name, address) in hosts.names().into_iter().zip(ADDRESSES) {
        ip(&["-n", name, "address", "add", &format!("{address}/24"), "dev", DEVICE])?;
        ip(&["-n", name, "link", "set", DEVICE, "up"])?;
    }
    Ok(())
}

/// Lets the kernel (netem) delay each frame in both directions.
pub fn set_delay(hosts: &Hosts, delay_us: u64) -> Result<(), String> {
    let delay = format!("{delay_us}us");
    for name in hosts.names() {
        let tc = ["netns", "exec", name, "tc", "qdisc", "replace", "dev", DEVICE];
        let netem = ["root", "netem", "limit", "10000", "delay", &delay];
        ip(&[&tc[..], &netem[..]].concat())?;
    }
    Ok(())
}

/// Runs `ip`; what it says. Ctrl-C does not reach it, as what is begun must be ended.
fn ip(arguments: &[&str]) -> Result<String, String> {
    let call = format!("`ip {}`", arguments.join(" "));
    let output = Command::new("ip")
        .args(arguments)
        .process_group(0)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{call} cannot be started: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    Err(format!("{call}: {}", complaint.lines().next().unwrap_or("failed")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_known_by_their_names() {
        assert_eq!(names(4_194_304).each_ref().map(|name| maker(name)), [Some(4_194_304); 2]);
        for other in
            ["rookery", "rookery-7", "rookery-x-1", "rookery-7-3", "rookery-7-1-1", "a-7-1"]
        {
            assert_eq!(maker(other), None, "{other}");
        }
        let list = "rookery-7-2 (id: 1)\nrookery-7-1\n";
        assert_eq!(namespaces(list).collect::<Vec<_>>(), ["rookery-7-2", "rookery-7-1"]);
    }

    #[test]
    fn a_call_that_fails_says_which() {
        let said = ip(&["no-such-object"]).unwrap_err();
        assert!(said.starts_with("`ip no-such-object`"), "{said}");
    }
}
