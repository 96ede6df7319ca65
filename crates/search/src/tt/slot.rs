//! The memory of one entry.
//!
//! The derive macros of bytemuck would be five more crates to build (syn and its dependencies) in every program that
//! uses the library, for one line of `unsafe` here.

#![allow(unsafe_code)]

use super::Packed;
use bytemuck::Zeroable;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tabiya_core::Key;

/// The memory of one entry.
#[derive(Default, Debug)]
#[repr(align(16))]
pub(super) struct Slot {
    /// The position's key XOR `data`.
    check: AtomicU64,
    data: AtomicU64,
}

// SAFETY: both fields are atomic integers, which may be zero.
unsafe impl Zeroable for Slot {}

impl Slot {
    #[inline]
    pub(super) fn load(&self) -> (Key, Packed) {
        let data = self.data.load(Relaxed);
        (self.check.load(Relaxed) ^ data, Packed(data))
    }

    #[inline]
    pub(super) fn store(&self, key: Key, packed: Packed) {
        self.check.store(key ^ packed.0, Relaxed);
        self.data.store(packed.0, Relaxed);
    }
}
