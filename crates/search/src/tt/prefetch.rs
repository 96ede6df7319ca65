//! Prefetching of transposition table entries.
//!
//! The table is larger than the caches, so that nearly every probe is a cache miss. The key is known before the
//! move is made, so that the miss overlaps with the work before the probe.
#![allow(unsafe_code)]

/// Prefetches the cache line at the start of `target` on x86-64; does nothing on other processors.
#[inline(always)]
pub(super) fn prefetch<T>(target: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing and cannot fault; SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(target).cast::<i8>()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = target;
}
