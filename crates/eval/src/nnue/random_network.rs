//! Random networks and positions for tests.

use super::architecture::Architecture;
use super::network::{Network, Parameters};
use tabiya_core::SplitMix64;
use tabiya_movegen::Position;

/// A network with random weights, of a size as training gives them: about half of the activations are clipped.
pub(super) fn random_network(architecture: Architecture, seed: u64) -> Network {
    let mut random = SplitMix64::new(seed);
    let mut number = |limit: i32| random.below(2 * limit as usize + 1) as i32 - limit;
    let mut parameters = Parameters::zero(&architecture);
    parameters.feature_weights.fill_with(|| number(120) as i16);
    parameters.feature_bias.fill_with(|| number(300) as i16);
    let limit = (50_000 / (2 * architecture.hidden() as i32)).min(127);
    parameters.output_weights.fill_with(|| number(limit) as i16);
    parameters.output_bias.fill_with(|| number(3000));
    let description = format!("random weights, seed {seed}");
    Network::new(architecture, &description, &parameters).expect("weights within the limits")
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
