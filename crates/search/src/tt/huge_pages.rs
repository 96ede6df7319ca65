//! Huge pages for the transposition table.
//!
//! Probes go to random addresses, and the processor caches a limited number of page translations (TLB entries).
//! With pages of 2 MiB instead of 4 KiB these cover a table of common size. A large table is also mapped
//! faster.
#![allow(unsafe_code)]

use super::Slot;

/// Advises the system to back these slots, which have not been touched yet, with huge pages. Does nothing if
/// the system does not support them.
pub(super) fn advise(slots: &[Slot]) {
    #[cfg(all(target_os = "linux", not(miri)))]
    {
        use rustix::mm::{Advice, madvise};
        let page = rustix::param::page_size();
        let range = slots.as_ptr_range();
        let start = range.start.addr().next_multiple_of(page);
        let size = range.end.addr().saturating_sub(start) / page * page;
        if size > 0 {
            let start = range.start.cast_mut().map_addr(|_| start).cast();
            // SAFETY: the range is whole pages within the slots' own memory; the advice changes how the
            // memory is provided, never its contents.
            let _ = unsafe { madvise(start, size, Advice::LinuxHugepage) };
        }
    }
    #[cfg(not(all(target_os = "linux", not(miri))))]
    let _ = slots;
}
