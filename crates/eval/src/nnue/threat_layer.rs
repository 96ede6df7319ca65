//! The neurons with threats as inputs, the first of the hidden layer.
//!
//! A move changes the threat states of several pieces besides the one that moves, so the rows of threat features are not kept in
//! accumulators. They are added at each evaluation, on the way from those sums of an accumulator that have threats to the output.

use super::block::Block;
use super::features::Perspective;
use super::kernel::Kernel;
use super::network::Network;
use super::row_list::RowList;
use super::threat_states::ThreatStates;
use tabiya_core::Board;

/// Returns the part of an output's sum of products that comes from the neurons with threats. `accumulators` and `weights` are those of
/// these neurons, for both perspectives.
#[inline]
pub(super) fn output(
    network: &Network,
    kernel: Kernel,
    board: &Board,
    perspectives: [Perspective; 2],
    accumulators: [&[Block]; 2],
    weights: [&[Block]; 2],
) -> i32 {
    let states = ThreatStates::new(|color, piece_type| board.pieces(color, piece_type));
    let [mut own_rows, mut enemy_rows] = [RowList::new(), RowList::new()];
    let [own, enemy] = perspectives;
    for square in states.attacked() {
        let Some(piece) = board.piece_on(square) else { continue };
        let state = states.state(square);
        own_rows.push(own.threat_feature(piece, square, state));
        enemy_rows.push(enemy.threat_feature(piece, square, state));
    }
    let features = [own_rows.as_slice(), enemy_rows.as_slice()];
    kernel.threat_output(accumulators, weights, network.threat_weights(), features)
}
