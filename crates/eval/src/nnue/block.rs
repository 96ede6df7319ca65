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
