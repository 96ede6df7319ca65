//! Asking for memory in large pages.
//!
//! A probe goes to a random place, and the processor remembers where only so many pages lie. With pages
//! of 2 MiB instead of 4 KiB it remembers a whole table of common size, and a large one is there sooner.
#![allow(unsafe_code)]

use super::Slot;

/// Asks the system to provide these slots, which have not been touched yet, in large pages. Where it
/// cannot or will not, nothing changes.
pub(super) fn ask_for(slots: &[Slot]) {
    #[cfg(all(target_os = "linux", not(miri)))]
    {
        use rustix::mm::{Advice, madvise};
        let page = rustix::param::page_size();
        let range = slots.as_ptr_range();
        let start = range.start.addr().next_multiple_of(page);
        let size = range.end.addr().saturating_sub(start) / page * page;
        if size > 0 {
            let start = range.start.cast_mut().map_addr(|_| start).cast();
            // SAFETY: whole pages, all of them in the slots' own memory; the advice changes how the memory is
            // provided, never what it holds.
            let _ = unsafe { madvise(start, size, Advice::LinuxHugepage) };
        }
    }
    #[cfg(not(all(target_os = "linux", not(miri))))]
    let _ = slots;
}
