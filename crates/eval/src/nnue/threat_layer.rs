//! The neurons with threats as inputs, the first of the hidden layer.
//!
//! A move changes the threat states of several pieces besides the one that moves, so the rows of threat features are not kept in
//! accumulators. They are added at each evaluation, to a copy of the part of an accumulator that has threats.

use super::block::Block;
use super::features::Perspective;
use super::kernel::Kernel;
use super::network::Network;
use super::row_list::RowList;
use super::threat_states::ThreatStates;
use tabiya_core::Board;

/// Computes the sums of the neurons with threats.
pub(super) struct ThreatLayer {
    /// The sums of both perspectives.
    sums: Vec<Block>,
}

impl ThreatLayer {
    pub(super) fn new(network: &Network) -> ThreatLayer {
        ThreatLayer { sums: vec![Block::ZERO; 2 * network.threat_blocks()] }
    }

    /// Returns the sums of both perspectives. `accumulators` have those without threats; their first neurons are used.
    #[inline]
    pub(super) fn compute(
        &mut self,
        network: &Network,
        kernel: Kernel,
        board: &Board,
        perspectives: [Perspective; 2],
        accumulators: [&[Block]; 2],
    ) -> [&[Block]; 2] {
        let states = ThreatStates::new(|color, piece_type| board.pieces(color, piece_type));
        let [mut own_rows, mut enemy_rows] = [RowList::new(), RowList::new()];
        let [own, enemy] = perspectives;
        for square in states.attacked() {
            let Some(piece) = board.piece_on(square) else { continue };
            let state = states.state(square);
            own_rows.push(own.threat_feature(piece, square, state));
            enemy_rows.push(enemy.threat_feature(piece, square, state));
        }
        let blocks = network.threat_blocks();
        let (first, second) = self.sums.split_at_mut(blocks);
        for (sums, rows, accumulator) in
            [(&mut *first, own_rows, accumulators[0]), (&mut *second, enemy_rows, accumulators[1])]
        {
            sums.copy_from_slice(&accumulator[..blocks]);
            kernel.update_many(network.threat_weights(), sums, rows.as_slice(), &[]);
        }
        [first, second]
    }
}
