//! How much memory there is to take, where the system tells.

/// The bytes that can be allocated without driving the system, or the control group the process runs
/// in, out of memory. `None` where that cannot be found out (anywhere but Linux).
pub(super) fn available() -> Option<u64> {
    let machine = machine()?;
    Some(control_group().map_or(machine, |group| group.min(machine)))
}

/// What the kernel estimates to be available on the machine.
fn machine() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    mem_available(&text)
}

/// The line `MemAvailable:   12345 kB` in bytes.
fn mem_available(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// A container's limit, if there is one (control groups, version 2, as seen from inside). What is used
/// already is not taken off, since most of that may be file cache, which gives way.
fn control_group() -> Option<u64> {
    std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_figures_are_read() {
        let text = "MemTotal:       16384 kB\nMemFree:  1 kB\nMemAvailable:    2048 kB\nBuffers: 3 kB\n";
        assert_eq!(mem_available(text), Some(2 << 20));
        assert_eq!(mem_available("MemTotal: 16384 kB\n"), None);
        assert_eq!(mem_available("MemAvailable: lots"), None);
    }
}
