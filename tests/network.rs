//! Network files with random parameters.

use tabiya_eval::nnue::{Architecture, KingBuckets, Network, Parameters};

/// The file of a network with random parameters, 64 sums and two output buckets.
pub(crate) fn random_network(seed: u64) -> Vec<u8> {
    let architecture = Architecture::new(64, KingBuckets::single(), 2, 400).unwrap();
    let parameters = Parameters::random(&architecture, seed);
    let network = Network::new(architecture, &format!("random, seed {seed}"), &parameters).unwrap();
    let mut file = Vec::new();
    network.write(&mut file).unwrap();
    file
}
