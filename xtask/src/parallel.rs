//! Work divided among threads in a fixed way, so that sums come out the same each time.

/// Gives each of `threads` threads an equal stretch of the items, and returns what they make of them in
/// the order of the stretches. The division depends on nothing but the two numbers.
pub(crate) fn map_stretches<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&[T]) -> R + Sync,
) -> Vec<R> {
    let length = items.len().div_ceil(threads.max(1)).max(1);
    let work = &work;
    std::thread::scope(|scope| {
        let mut stretches = items.chunks(length);
        // This thread is one of them.
        let own = stretches.next();
        let others: Vec<_> = stretches.map(|stretch| scope.spawn(move || work(stretch))).collect();
        let own = own.map(work);
        let joined = others.into_iter().map(|thread| match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        own.into_iter().chain(joined).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_cover_everything_in_order() {
        let items: Vec<u32> = (0..10).collect();
        for threads in [0, 1, 3, 10, 64] {
            let parts = map_stretches(&items, threads, <[u32]>::to_vec);
            assert!(parts.len() <= threads.max(1), "{threads}");
            assert_eq!(parts.concat(), items, "{threads}");
        }
        assert!(map_stretches(&[] as &[u32], 4, <[u32]>::len).is_empty());
    }
}
