//! The kernel in plain code. Compilers vectorise its loops over blocks. Not inlined, like those of the other kernels.

use super::FeatureLayer;
use crate::nnue::active_pieces::FeatureChanges;
use crate::nnue::block::Block;
use crate::nnue::limits::QA;

#[inline(never)]
pub(super) fn update(
    layer: FeatureLayer<'_>,
    source: &[Block],
    target: &mut [Block],
    changes: FeatureChanges<'_>,
) {
    let length = target.len();
    for (index, (target, source)) in target.iter_mut().zip(source).enumerate() {
        let block = |feature: u16| &layer.weights[usize::from(feature) * length + index];
        let threat_block =
            |feature: u16| layer.threat_weights[usize::from(feature) * length + index].widened();
        let mut sums = *source;
        changes.added.iter().for_each(|&feature| add(&mut sums, block(feature)));
        changes.removed.iter().for_each(|&feature| subtract(&mut sums, block(feature)));
        changes.threats_added.iter().for_each(|&feature| add(&mut sums, &threat_block(feature)));
        changes.threats_removed.iter().for_each(|&feature| subtract(&mut sums, &threat_block(feature)));
        *target = sums;
    }
}

#[inline(never)]
pub(super) fn output(own: &[Block], enemy: &[Block], weights: &[Block]) -> i32 {
    let (own_weights, enemy_weights) = weights.split_at(own.len());
    half_output(own, own_weights) + half_output(enemy, enemy_weights)
}

#[inline(always)]
fn add(sums: &mut Block, weights: &Block) {
    for (sum, weight) in sums.0.iter_mut().zip(weights.0) {
        *sum = sum.wrapping_add(weight);
    }
}

#[inline(always)]
fn subtract(sums: &mut Block, weights: &Block) {
    for (sum, weight) in sums.0.iter_mut().zip(weights.0) {
        *sum = sum.wrapping_sub(weight);
    }
}

#[inline(always)]
fn half_output(sums: &[Block], weights: &[Block]) -> i32 {
    let mut total = 0;
    for (sums, weights) in sums.iter().zip(weights) {
        for (&sum, &weight) in sums.0.iter().zip(&weights.0) {
            let activation = sum.clamp(0, QA as i16);
            // Fits, because weights are limited.
            total += i32::from(activation.wrapping_mul(weight)) * i32::from(activation);
        }
    }
    total
}
