//! Rows of the hidden layer in aligned memory.
//!
//! The derive macros of bytemuck would be five more crates to build (syn and its dependencies) in every program that
//! uses the library, for the two lines of `unsafe` here.

#![allow(unsafe_code)]

use super::limits::HIDDEN_STEP;
use bytemuck::{Pod, Zeroable};

/// A part of a row of the hidden layer, aligned for vector instructions: a cache line on most processors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(super) struct Block(pub(super) [i16; HIDDEN_STEP]);

// The size is a multiple of the alignment, so the type has no padding.
const _: () = assert!(size_of::<Block>() == size_of::<[i16; HIDDEN_STEP]>());

// SAFETY: an array of `i16` may be zero.
unsafe impl Zeroable for Block {}

// SAFETY: the only field is an array of `i16`, valid with any bits; by the assertion above there is no padding, and the
// layout is that of C.
unsafe impl Pod for Block {}

/// The threat weights of a part of a row of the hidden layer, aligned for vector instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(32))]
pub(super) struct ThreatBlock([i8; HIDDEN_STEP]);

const _: () = assert!(size_of::<ThreatBlock>() == size_of::<[i8; HIDDEN_STEP]>());

// SAFETY: as for `Block`.
unsafe impl Zeroable for ThreatBlock {}

// SAFETY: as for `Block`.
unsafe impl Pod for ThreatBlock {}

impl Block {
    pub(super) const ZERO: Block = Block([0; HIDDEN_STEP]);
}

impl ThreatBlock {
    /// The weights as those of a feature.
    #[inline]
    pub(super) fn widened(self) -> Block {
        Block(self.0.map(i16::from))
    }
}

/// Copies numbers, a multiple of [`HIDDEN_STEP`], to aligned memory.
pub(super) fn to_blocks(numbers: &[i16]) -> Box<[Block]> {
    numbers.as_chunks().0.iter().map(|&chunk| Block(chunk)).collect()
}

/// Copies threat weights, a multiple of [`HIDDEN_STEP`], to aligned memory.
pub(super) fn to_threat_blocks(numbers: &[i8]) -> Box<[ThreatBlock]> {
    numbers.as_chunks().0.iter().map(|&chunk| ThreatBlock(chunk)).collect()
}

/// The numbers of threat weights.
pub(super) fn threat_numbers(blocks: &[ThreatBlock]) -> &[i8] {
    bytemuck::must_cast_slice(blocks)
}

/// The numbers of a row.
pub(super) fn numbers(blocks: &[Block]) -> &[i16] {
    bytemuck::must_cast_slice(blocks)
}
