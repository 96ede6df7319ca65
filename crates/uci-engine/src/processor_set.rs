//! Processor affinity: engines of parallel games on processors of their own.

use std::{fmt, io};

/// Processors on which a program may run. Only Linux can restrict a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProcessorSet(Vec<usize>);

/// The reason why processors cannot be divided.
#[derive(Debug)]
#[non_exhaustive]
pub enum ProcessorSetError {
    /// There are not enough.
    TooFew {
        /// The number needed for all sets.
        needed: usize,
        /// The number that this process may use.
        available: usize,
    },
    /// The operating system does not say which processors there are.
    System(io::Error),
}

impl ProcessorSet {
    /// Divides the processors of this machine that the process may use into sets of a size. Threads of one core come last, so
    /// that sets share no core as long as there are enough.
    ///
    /// # Errors
    /// If there are not enough, or the operating system is not Linux.
    pub fn divide(sets: usize, size: usize) -> Result<Vec<ProcessorSet>, ProcessorSetError> {
        let processors = system::processors().map_err(ProcessorSetError::System)?;
        divide(&processors, sets, size)
    }

    /// Calls `start`, which starts a program; the program and all that it starts run on these processors.
    ///
    /// # Errors
    /// If the affinity cannot be set, or as `start`.
    pub fn start<R>(&self, start: impl FnOnce() -> io::Result<R>) -> io::Result<R> {
        system::with_affinity(&self.0, start)
    }
}

fn divide(processors: &[usize], sets: usize, size: usize) -> Result<Vec<ProcessorSet>, ProcessorSetError> {
    let (needed, available) = (sets.saturating_mul(size), processors.len());
    if size == 0 || available < needed {
        return Err(ProcessorSetError::TooFew { needed: needed.max(1), available });
    }
    Ok(processors.chunks_exact(size).take(sets).map(|set| ProcessorSet(set.to_vec())).collect())
}

impl fmt::Display for ProcessorSetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProcessorSetError::TooFew { needed, available } => {
                write!(f, "needs {needed} processors ({available} available)")
            }
            ProcessorSetError::System(error) => write!(f, "cannot restrict programs to processors: {error}"),
        }
    }
}

impl std::error::Error for ProcessorSetError {}

#[cfg(target_os = "linux")]
mod system {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    use std::io;

    /// Returns the processors that this process may use, the first of each core before the others.
    pub(super) fn processors() -> io::Result<Vec<usize>> {
        let allowed = sched_getaffinity(None)?;
        let mut processors: Vec<usize> =
            (0..CpuSet::MAX_CPU).filter(|&processor| allowed.is_set(processor)).collect();
        processors.sort_by_key(|&processor| (!is_first_of_core(processor), processor));
        Ok(processors)
    }

    /// Returns true unless the processor is known to share its core with one of a lower number.
    fn is_first_of_core(processor: usize) -> bool {
        let file = format!("/sys/devices/system/cpu/cpu{processor}/topology/thread_siblings_list");
        let Ok(siblings) = std::fs::read_to_string(file) else { return true };
        let first = siblings.trim().split([',', '-']).next();
        first.and_then(|first| first.parse().ok()).is_none_or(|first: usize| first == processor)
    }

    /// Calls a function in this thread while its affinity is restricted; processes inherit it when they are started.
    pub(super) fn with_affinity<R>(
        processors: &[usize],
        start: impl FnOnce() -> io::Result<R>,
    ) -> io::Result<R> {
        let previous = sched_getaffinity(None)?;
        let mut set = CpuSet::new();
        processors.iter().for_each(|&processor| set.set(processor));
        sched_setaffinity(None, &set)?;
        let result = start();
        sched_setaffinity(None, &previous)?;
        result
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::io;

    fn unsupported() -> io::Error {
        io::Error::new(io::ErrorKind::Unsupported, "this needs Linux")
    }

    pub(super) fn processors() -> io::Result<Vec<usize>> {
        Err(unsupported())
    }

    pub(super) fn with_affinity<R>(_: &[usize], _: impl FnOnce() -> io::Result<R>) -> io::Result<R> {
        Err(unsupported())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_have_no_processor_in_common() {
        let processors = [0, 2, 4, 1, 3];
        let sets = divide(&processors, 2, 2).unwrap();
        assert_eq!(sets, [ProcessorSet(vec![0, 2]), ProcessorSet(vec![4, 1])]);
        let error = divide(&processors, 3, 2).unwrap_err().to_string();
        assert_eq!(error, "needs 6 processors (5 available)");
        assert!(divide(&processors, 1, 0).is_err());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn programs_inherit_the_affinity() {
        let all = system::processors().unwrap();
        let set = ProcessorSet(vec![*all.last().unwrap()]);
        let output =
            set.start(|| std::process::Command::new("cat").arg("/proc/self/status").output()).unwrap();
        let status = String::from_utf8(output.stdout).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap();
        assert_eq!(line.trim(), set.0[0].to_string());
        assert_eq!(system::processors().unwrap(), all, "this thread has its own again");
    }
}
