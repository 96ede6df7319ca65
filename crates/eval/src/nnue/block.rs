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

/// A part of a row of threat weights: a byte for each number of a [`Block`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(32))]
pub(super) struct ByteBlock(pub(super) [i8; HIDDEN_STEP]);

// As above.
const _: () = assert!(size_of::<ByteBlock>() == size_of::<[i8; HIDDEN_STEP]>());

// SAFETY: an array of `i8` may be zero.
unsafe impl Zeroable for ByteBlock {}

// SAFETY: as for `Block`.
unsafe impl Pod for ByteBlock {}

impl Block {
    pub(super) const ZERO: Block = Block([0; HIDDEN_STEP]);
}

/// Copies numbers, a multiple of [`HIDDEN_STEP`], to aligned memory.
pub(super) fn to_blocks(numbers: &[i16]) -> Box<[Block]> {
    numbers.as_chunks().0.iter().map(|&chunk| Block(chunk)).collect()
}

/// Copies numbers that fit in bytes, a multiple of [`HIDDEN_STEP`], to aligned memory.
pub(super) fn to_byte_blocks(numbers: &[i16]) -> Box<[ByteBlock]> {
    numbers.as_chunks().0.iter().map(|chunk| ByteBlock(chunk.map(|number| number as i8))).collect()
}

/// The numbers of a row.
pub(super) fn numbers(blocks: &[Block]) -> &[i16] {
    bytemuck::must_cast_slice(blocks)
}

/// The numbers of a row of bytes.
pub(super) fn byte_numbers(blocks: &[ByteBlock]) -> impl Iterator<Item = i16> {
    bytemuck::must_cast_slice::<ByteBlock, i8>(blocks).iter().map(|&number| number.into())
}
