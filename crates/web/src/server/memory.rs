//! Memory of ended sessions, returned to the system.
//!
//! The allocator of glibc keeps what has been freed: after 30 pages that searched and closed, a server that had 18 MiB kept 331 MiB. There
//! are two reasons. From the first large block that is freed, blocks as large come from the heaps of the threads and no longer from the
//! system, and heaps shrink only from their end. Other allocators return memory by themselves.

#![allow(unsafe_code, reason = "the settings of glibc's allocator have no safe wrapper")]

/// Size from which a block is mapped by itself, in bytes. It is glibc's initial value; setting it keeps glibc from raising it.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE_BLOCK: i32 = 128 << 10;

/// Makes the allocator return large blocks when they are freed, from now on.
pub(super) fn return_large_blocks() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: mallopt changes a setting under the allocator's lock, and any value is allowed.
    unsafe {
        // A failure leaves the setting as it is.
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE_BLOCK);
    }
}

/// Returns the unused pages of all heaps.
pub(super) fn return_unused() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: malloc_trim frees pages in which no block is allocated, each heap under its lock.
    unsafe {
        libc::malloc_trim(0);
    }
}
