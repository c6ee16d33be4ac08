//! Files of networks.

use eval::nnue::Network;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

/// No network is larger, in bytes.
const LARGEST: u64 = 16 << 20;

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
