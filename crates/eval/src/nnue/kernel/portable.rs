//! The kernel in plain code. Compilers vectorise its loops over blocks. Not inlined, like those of the other kernels.

use crate::nnue::block::{Block, ByteBlock};
use crate::nnue::limits::QA;

#[inline(never)]
pub(super) fn update<const A: usize, const R: usize>(
    weights: &[Block],
    source: &[Block],
    target: &mut [Block],
    added: [usize; A],
    removed: [usize; R],
) {
    let length = target.len();
    let row = |feature: usize| &weights[feature * length..][..length];
    let (added, removed) = (added.map(row), removed.map(row));
    for (index, (target, source)) in target.iter_mut().zip(source).enumerate() {
        let mut sums = *source;
        added.iter().for_each(|row| add(&mut sums, &row[index]));
        removed.iter().for_each(|row| subtract(&mut sums, &row[index]));
        *target = sums;
    }
}

#[inline(never)]
pub(super) fn update_many(weights: &[Block], sums: &mut [Block], added: &[u16], removed: &[u16]) {
    let length = sums.len();
    for (index, sums) in sums.iter_mut().enumerate() {
        let block = |feature: u16| &weights[usize::from(feature) * length + index];
        added.iter().for_each(|&feature| add(sums, block(feature)));
        removed.iter().for_each(|&feature| subtract(sums, block(feature)));
    }
}

#[inline(never)]
pub(super) fn output(sums: [&[Block]; 2], weights: [&[Block]; 2]) -> i32 {
    half_output(sums[0], weights[0]) + half_output(sums[1], weights[1])
}

#[inline(never)]
pub(super) fn threat_output(
    sums: [&[Block]; 2],
    weights: [&[Block]; 2],
    rows: &[ByteBlock],
    features: [&[u16]; 2],
) -> i32 {
    let length = sums[0].len();
    let mut total = 0;
    for ((sums, weights), features) in sums.into_iter().zip(weights).zip(features) {
        for (index, (sums, weights)) in sums.iter().zip(weights).enumerate() {
            let mut sums = *sums;
            for &feature in features {
                let row = &rows[usize::from(feature) * length + index];
                for (sum, &weight) in sums.0.iter_mut().zip(&row.0) {
                    *sum = sum.wrapping_add(weight.into());
                }
            }
            total += half_output(&[sums], std::slice::from_ref(weights));
        }
    }
    total
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
