//! Networks: files of them, the embedded one, and the choice that all processes share.

use crate::hosts::ProcessCommand;
use cluster::Link;
use eval::nnue::{Network, embedded, embedded_file};
use serde::{Deserialize, Serialize};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// No network is larger, in bytes.
const LARGEST: u64 = 16 << 20;

/// How people write the embedded network where a file is expected.
pub const EMBEDDED_NAME: &str = "<embedded>";

/// Reads a network; or a line that names the file and says why not.
pub fn open(path: &Path) -> Result<Arc<Network>, String> {
    let wrong = |reason: String| format!("network {path:?} cannot be used: {reason}");
    let file = files::open(path).map_err(|error| wrong(error.to_string()))?;
    let mut bytes = Vec::new();
    file.take(LARGEST).read_to_end(&mut bytes).map_err(|error| wrong(error.to_string()))?;
    Network::read(&bytes).map(Arc::new).map_err(wrong)
}

/// A network in one line.
pub fn text(network: &Network) -> String {
    let (hidden, checksum) = (network.hidden(), network.checksum());
    format!("{hidden} wide, {checksum:08x}: {}", network.description())
}

/// Writes the embedded network to a file that is not there yet.
pub fn export(path: &Path) -> Result<(), String> {
    if path.symlink_metadata().is_ok() {
        return Err(format!("{path:?} exists already: nothing was written"));
    }
    files::write(path, &embedded_file())
        .map_err(|error| format!("{path:?} cannot be written: {error}"))
}

/// A network, and where another process finds it.
#[derive(Clone, Debug)]
pub struct Chosen {
    file: Option<PathBuf>,
    pub network: Arc<Network>,
}

/// The same on its way to another process.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SharedNetwork {
    /// Nothing: the embedded one.
    file: Option<PathBuf>,
    checksum: u32,
}

impl Default for Chosen {
    /// The embedded one.
    fn default() -> Chosen {
        Chosen { file: None, network: Arc::clone(embedded()) }
    }
}

impl Chosen {
    /// The network of a file, or the embedded one.
    pub fn open(file: Option<&Path>) -> Result<Chosen, String> {
        let of_file =
            |path: &Path| open(path).map(|it| Chosen { file: Some(path.into()), network: it });
        file.map_or_else(|| Ok(Chosen::default()), of_file)
    }

    /// The file, if it is not the embedded one.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }
}

impl SharedNetwork {
    /// What the first process evaluates by, as this process has it.
    pub fn open(&self) -> Result<Arc<Network>, String> {
        let network = Chosen::open(self.file.as_deref())?.network;
        match network.checksum() == self.checksum {
            true => Ok(network),
            false => {
                let (here, there) = (network.checksum(), self.checksum);
                let name = self.file.as_deref().unwrap_or(Path::new(EMBEDDED_NAME));
                Err(format!("network {name:?} is {here:08x} here, {there:08x} in process 0"))
            }
        }
    }
}

/// Has the other processes evaluate by the same network as this one, or by the classical terms, and waits
/// until they do; an error where one cannot. A process that follows tells no other.
pub fn share(chosen: Option<&Chosen>, link: Option<&Arc<Link>>) -> Result<(), String> {
    let Some(link) = link.filter(|link| link.is_first()) else { return Ok(()) };
    let shared = chosen.map(|Chosen { file, network }| SharedNetwork {
        file: file.clone(),
        checksum: network.checksum(),
    });
    link.command(&ProcessCommand::Network(shared));
    link.sync();
    match link.take_failures().into_iter().next() {
        Some((process, reason)) => Err(format!("process {process}: {reason}")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_refuses_a_network_that_is_not_the_first_ones() {
        let tiny = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/net/tiny.net");
        let own = |file: Option<&str>| Chosen::open(file.map(Path::new)).expect("it is there");
        for file in [None, Some(tiny)] {
            let checksum = own(file).network.checksum();
            let shared = SharedNetwork { file: file.map(PathBuf::from), checksum };
            assert_eq!(shared.open().map(|network| network.checksum()), Ok(checksum));
            let other = SharedNetwork { checksum: checksum ^ 1, ..shared };
            let reason = other.open().expect_err("it is another one");
            assert!(reason.lines().count() == 1 && reason.contains("in process 0"), "{reason}");
        }
    }
}
