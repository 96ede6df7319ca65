//! Prefetching of transposition table entries.
//!
//! The table is larger than the caches, so that nearly every probe is a cache miss. The key is known as soon
//! as a move is chosen, and there is work to do before the probe.
#![allow(unsafe_code)]

/// Prefetches the cache line of `place`, on processors for which this is implemented.
#[inline(always)]
pub(super) fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing and cannot fault; SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast::<i8>()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
