//! The network that is part of the program.

use super::network::Network;
use std::sync::{Arc, LazyLock};

/// The file of the embedded network, in the folder `networks` of this crate; `None` if there is none.
#[cfg(feature = "embedded-network")]
const FILE: Option<&[u8]> = Some(include_bytes!("../../networks/tabiya-14.nnue"));
#[cfg(not(feature = "embedded-network"))]
const FILE: Option<&[u8]> = None;

/// The largest size of the embedded network, in bytes: the program must stay small.
const MAX_EMBEDDED_BYTES: usize = 2 << 20;

const _: () = assert!(match FILE {
    Some(file) => file.len() <= MAX_EMBEDDED_BYTES,
    None => true,
});

/// Returns the embedded network, or `None` if the crate was built without the feature `embedded-network`.
///
/// All callers share one network, which the first call reads.
pub fn embedded() -> Option<Arc<Network>> {
    static NETWORK: LazyLock<Option<Arc<Network>>> =
        LazyLock::new(|| FILE.map(|file| Arc::new(Network::read(file).expect("a test reads the network"))));
    NETWORK.clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_network_is_valid() {
        assert_eq!(embedded().is_some(), FILE.is_some());
    }
}
