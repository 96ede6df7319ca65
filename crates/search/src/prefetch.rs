//! Prefetching: cache misses that overlap with the work before the data are needed.
//!
//! The transposition table is larger than the caches, so that nearly every probe is a miss, and the tables of the correction
//! history, indexed by keys, are larger than the caches of one core. The keys are known long before.
#![allow(unsafe_code)]

/// Prefetches the cache line at the start of `target` on x86-64; does nothing on other processors.
#[inline(always)]
pub(crate) fn prefetch<T>(target: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing and cannot fault; SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(target).cast::<i8>()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = target;
}
