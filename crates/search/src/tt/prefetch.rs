//! Asking for memory before it is needed.
//!
//! The table is larger than the caches, so that nearly every probe waits for memory. The key is known as
//! soon as a move is to be tried, and there is work to do before the probe.
#![allow(unsafe_code)]

/// Starts to fetch the cache line at `place`, where the processor is known to understand that.
#[inline(always)]
pub(super) fn read<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing and cannot fault; SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast::<i8>()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
