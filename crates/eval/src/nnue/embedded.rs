//! The network that the program carries. Where it comes from stands in the file beside it.

use super::network::Network;
use ruzstd::decoding::StreamingDecoder;
use std::io::Read;
use std::sync::{Arc, LazyLock};

/// Its file, packed by `zstd --ultra -22`: a little more than half, unpacked in two milliseconds. A constant would be
/// in the program once for each crate that uses it.
static PACKED: &[u8] = include_bytes!("../../nets/g2-256-0.15.net.zst");

static NETWORK: LazyLock<Arc<Network>> = LazyLock::new(|| {
    let network = Network::read(&embedded_file());
    Arc::new(network.expect("a test has read the network that is compiled in"))
});

/// Its file.
pub fn embedded_file() -> Vec<u8> {
    let mut file = Vec::new();
    let unpacked = StreamingDecoder::new(PACKED).map(|mut packed| packed.read_to_end(&mut file));
    unpacked.map_or(Vec::new(), |_| file)
}

/// The network, read once: all who ask share it.
pub fn embedded() -> &'static Arc<Network> {
    &NETWORK
}
