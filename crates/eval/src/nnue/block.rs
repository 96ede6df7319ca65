//! Rows of the hidden layer in aligned memory.

use super::limits::HIDDEN_STEP;
use bytemuck::{Pod, Zeroable};

/// A part of a row of the hidden layer, aligned for vector instructions: a cache line on most processors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub(super) struct Block(pub(super) [i16; HIDDEN_STEP]);

impl Block {
    pub(super) const ZERO: Block = Block([0; HIDDEN_STEP]);
}

/// Copies numbers, a multiple of [`HIDDEN_STEP`], to aligned memory.
pub(super) fn to_blocks(numbers: &[i16]) -> Box<[Block]> {
    numbers.as_chunks().0.iter().map(|&chunk| Block(chunk)).collect()
}

/// The numbers of a row.
pub(super) fn numbers(blocks: &[Block]) -> &[i16] {
    bytemuck::must_cast_slice(blocks)
}
