//! Memory that is available for large allocations.

use std::hint::black_box;

/// The error of an allocation that does not fit into memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OutOfMemory;

/// The memory to leave free after a large allocation, in bytes. Rust's standard collections abort the process
/// when they cannot grow.
pub(crate) const RESERVE: usize = 32 << 20;

/// The memory that a new thread may need in addition to its stack, in bytes: the data of a search thread, and its heap, for
/// which glibc reserves 64 MiB and, to align them, temporarily maps twice as much.
const THREAD_HEAP: usize = 160 << 20;

/// Checks that the process can start this many threads at the same time.
///
/// Rust's standard library allocates memory in a new thread before it calls our code. If the system refuses it, the
/// library panics, and the panic handler, which also allocates, aborts the process or waits forever for a lock that it
/// already holds. So all memory that the threads may need must be available before they are started.
pub(crate) fn check_threads(count: usize, stack_size: usize) -> Result<(), OutOfMemory> {
    check_blocks(count, stack_size + THREAD_HEAP)
}

/// Checks that the process can still allocate some memory: its address space may be limited (`ulimit -v`).
pub(crate) fn check_reserve() -> Result<(), OutOfMemory> {
    check_blocks(1, RESERVE)
}

/// Checks that the process can allocate this many blocks of `size` bytes at the same time. The blocks are separate
/// allocations, because Linux refuses a single one that is larger than the machine's memory, even if it is never touched.
pub(crate) fn check_blocks(count: usize, size: usize) -> Result<(), OutOfMemory> {
    let mut blocks = Vec::new();
    for _ in 0..count {
        let mut block = Vec::<u8>::new();
        block.try_reserve_exact(size).map_err(|_| OutOfMemory)?;
        blocks.push(block);
    }
    // Keeps the compiler from removing the unused allocations.
    black_box(&blocks);
    Ok(())
}

/// Returns the number of bytes that can be allocated without running the system, or the process's control
/// group, out of memory; `None` if it is unknown, as on all systems but Linux.
pub(crate) fn available() -> Option<u64> {
    let system = system()?;
    Some(control_group().map_or(system, |group| group.min(system)))
}

/// Returns the kernel's estimate of the system's available memory, in bytes.
fn system() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    mem_available(&text)
}

/// Parses the line `MemAvailable:   12345 kB` of `/proc/meminfo` to bytes.
fn mem_available(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// Returns the memory limit of the process's container, in bytes (control groups version 2, as seen from
/// inside). Memory in use is not subtracted, since most of it may be file cache, which the kernel reclaims.
fn control_group() -> Option<u64> {
    std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_blocks() {
        assert_eq!(check_blocks(3, 1 << 20), Ok(()));
        assert_eq!(check_blocks(1, usize::MAX / 2), Err(OutOfMemory));
        assert_eq!(check_reserve(), Ok(()));
    }

    #[test]
    fn parses_meminfo() {
        let text = "MemTotal:       16384 kB\nMemFree:  1 kB\nMemAvailable:    2048 kB\nBuffers: 3 kB\n";
        assert_eq!(mem_available(text), Some(2 << 20));
        assert_eq!(mem_available("MemTotal: 16384 kB\n"), None);
        assert_eq!(mem_available("MemAvailable: lots"), None);
    }
}
