//! The network that the program carries. Where it comes from stands in the file beside it.

use super::network::Network;
use std::sync::{Arc, LazyLock};

/// Its file. A constant would be in the program once for each crate that uses it.
pub static EMBEDDED: &[u8] = include_bytes!("../../nets/g2-256-0.15.net");

static NETWORK: LazyLock<Arc<Network>> = LazyLock::new(|| {
    Arc::new(Network::read(EMBEDDED).expect("a test has read the network that is compiled in"))
});

/// The same, read once: all who ask share it.
pub fn embedded() -> &'static Arc<Network> {
    &NETWORK
}
