//! Division of work among threads.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Divides the items into one contiguous chunk per thread, applies `work` to each chunk in parallel, and
/// returns the results in order. The division depends only on the numbers of items and threads, so that floating-point sums are
/// reproducible.
pub(crate) fn map_chunks<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&[T]) -> R + Sync,
) -> Vec<R> {
    map_ranges(items.len(), threads, |range| work(&items[range]))
}

/// [`map_chunks`] for the indices below `count`.
pub(crate) fn map_ranges<R: Send>(
    count: usize,
    threads: usize,
    work: impl Fn(Range<usize>) -> R + Sync,
) -> Vec<R> {
    let length = count.div_ceil(threads.max(1)).max(1);
    let work = &work;
    std::thread::scope(|scope| {
        let mut ranges = (0..count).step_by(length).map(|start| start..count.min(start + length));
        // The calling thread processes the first range.
        let first = ranges.next();
        let handles: Vec<_> = ranges.map(|range| scope.spawn(move || work(range))).collect();
        let first = first.map(work);
        let others = handles.into_iter().map(|handle| match handle.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        first.into_iter().chain(others).collect()
    })
}

/// Runs each task once, on several threads that take the next one when they are free.
pub(crate) fn for_each_parallel<T: Send>(tasks: Vec<T>, threads: usize, work: impl Fn(T) + Sync) {
    let threads = threads.min(tasks.len());
    if threads <= 1 {
        return tasks.into_iter().for_each(work);
    }
    let queue = Mutex::new(tasks.into_iter());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = || {
        while let Some(task) = next() {
            work(task);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(run);
        }
        run();
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_cover_all_items_in_order() {
        let items: Vec<u32> = (0..10).collect();
        for threads in [0, 1, 3, 10, 64] {
            let parts = map_chunks(&items, threads, <[u32]>::to_vec);
            assert!(parts.len() <= threads.max(1), "{threads}");
            assert_eq!(parts.concat(), items, "{threads}");
        }
        assert!(map_chunks(&[] as &[u32], 4, <[u32]>::len).is_empty());
    }

    #[test]
    fn every_task_is_done_once() {
        for threads in [1, 3, 64] {
            let mut done = vec![0; 10];
            for_each_parallel(done.iter_mut().collect(), threads, |count| *count += 1);
            assert_eq!(done, [1; 10]);
        }
    }
}
