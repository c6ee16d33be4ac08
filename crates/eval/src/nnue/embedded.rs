//! The network that the program carries. Where it comes from stands in the file beside it.

use super::network::Network;
use ruzstd::decoding::StreamingDecoder;
use std::io::Read;
use std::sync::{Arc, LazyLock};

/// Its file, packed by `training/embed.py`: a little more than half, unpacked in two milliseconds. A constant would
/// be in the program once for each crate that uses it.
static PACKED: &[u8] = include_bytes!("../../nets/g4-256-0.08.net.zst");

static NETWORK: LazyLock<Arc<Network>> = LazyLock::new(|| {
    let network = Network::read(&embedded_file());
    Arc::new(network.expect("a test has read the network that is compiled in"))
});

/// Its file.
pub fn embedded_file() -> Vec<u8> {
    let mut planes = Vec::new();
    let unpacked = StreamingDecoder::new(PACKED).map(|mut packed| packed.read_to_end(&mut planes));
    // The even bytes come before the odd ones.
    let (even, odd) = planes.split_at(planes.len().div_ceil(2));
    let byte =
        |place: usize| if place.is_multiple_of(2) { even[place / 2] } else { odd[place / 2] };
    unpacked.map_or(Vec::new(), |_| (0..planes.len()).map(byte).collect())
}

/// The network, read once: all who ask share it.
pub fn embedded() -> &'static Arc<Network> {
    &NETWORK
}
