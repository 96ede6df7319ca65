//! Random networks and positions for tests.

use super::architecture::Architecture;
use super::network::{Network, Parameters};
use tabiya_core::SplitMix64;
use tabiya_movegen::Position;

/// A network with random parameters.
pub(super) fn random_network(architecture: Architecture, seed: u64) -> Network {
    let parameters = Parameters::random(&architecture, seed);
    Network::new(architecture, &format!("random, seed {seed}"), &parameters)
        .expect("weights within the limits")
}

/// The positions of random games from Chess960 start positions, `plies` of each.
pub(super) fn random_positions(games: usize, plies: usize) -> Vec<Position> {
    let mut random = SplitMix64::new(3);
    let mut positions = Vec::new();
    for game in 0..games {
        let mut position = Position::chess960((game * 37 % 960) as u16).expect("a number below 960");
        for _ in 0..plies {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[random.below(moves.len())]);
            positions.push(position.clone());
        }
    }
    positions
}
