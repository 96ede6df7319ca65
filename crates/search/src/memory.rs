//! Memory that is available for large allocations.

use std::hint::black_box;

/// The error of an allocation that does not fit into memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OutOfMemory;

/// The memory that has to be left after a large allocation, in bytes. Rust's standard collections abort the process
/// when they cannot grow.
const RESERVE: usize = 32 << 20;

/// Checks that the process can still allocate some memory: its address space may be limited (`ulimit -v`).
pub(crate) fn check_reserve() -> Result<(), OutOfMemory> {
    let mut memory = Vec::<u8>::new();
    let allocated = memory.try_reserve_exact(RESERVE);
    // Otherwise the compiler may remove the allocation, which is not used.
    black_box(&memory);
    allocated.map_err(|_| OutOfMemory)
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
    fn parses_meminfo() {
        let text = "MemTotal:       16384 kB\nMemFree:  1 kB\nMemAvailable:    2048 kB\nBuffers: 3 kB\n";
        assert_eq!(mem_available(text), Some(2 << 20));
        assert_eq!(mem_available("MemTotal: 16384 kB\n"), None);
        assert_eq!(mem_available("MemAvailable: lots"), None);
    }
}
