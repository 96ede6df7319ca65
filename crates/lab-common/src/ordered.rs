//! Work on a stream of items by several threads, with the results in the order of the items.

use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use tabiya_search::SEARCH_STACK_SIZE;

/// Items per thread that may be in work or waiting for an earlier one, which bounds the memory.
const WINDOW: u64 = 64;

/// The position in the stream.
struct State<I> {
    items: I,
    /// Number of items taken.
    taken: u64,
    /// Number of results delivered.
    delivered: u64,
    stopped: bool,
}

/// The items, taken by one thread at a time.
struct Source<I> {
    state: Mutex<State<I>>,
    delivered: Condvar,
    window: u64,
}

impl<I> Source<I> {
    fn lock(&self) -> MutexGuard<'_, State<I>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the next item with its number, or `None` at the end or after [`stop`](Source::stop). An error ends the
    /// stream.
    fn next<T>(&self) -> Option<(u64, Result<T>)>
    where
        I: FnMut() -> Result<Option<T>>,
    {
        let mut state = self.lock();
        while !state.stopped && state.taken >= state.delivered + self.window {
            state = self.delivered.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.stopped {
            return None;
        }
        let item = (state.items)().transpose();
        state.stopped = !matches!(item, Some(Ok(_)));
        let number = state.taken;
        state.taken += 1;
        item.map(|item| (number, item))
    }

    fn deliver(&self) {
        self.lock().delivered += 1;
        self.delivered.notify_all();
    }

    fn stop(&self) {
        self.lock().stopped = true;
        self.delivered.notify_all();
    }
}

/// Takes items until there are no more, applies a worker to each on `threads` threads, whose stacks suffice for a
/// search, and passes the results to `sink` in the order of the items.
///
/// # Errors
/// The first error of `items`, of creating a worker, of a worker or of `sink`. Later items are not delivered.
pub fn map_in_order<T: Send, R: Send, W: FnMut(T) -> Result<R>>(
    threads: usize,
    items: impl FnMut() -> Result<Option<T>> + Send,
    new_worker: impl Fn() -> Result<W> + Sync,
    mut sink: impl FnMut(R) -> Result<()>,
) -> Result<()> {
    let threads = threads.max(1);
    let state = State { items, taken: 0, delivered: 0, stopped: false };
    let source =
        Source { state: Mutex::new(state), delivered: Condvar::new(), window: WINDOW * threads as u64 };
    let (sender, results) = crossbeam_channel::bounded::<(u64, Result<R>)>(threads);
    std::thread::scope(|scope| {
        for number in 0..threads {
            let (sender, source, new_worker) = (sender.clone(), &source, &new_worker);
            let run = move || {
                let mut worker = match new_worker() {
                    Ok(worker) => worker,
                    // Every number up to this one is delivered or fails as well.
                    Err(error) => {
                        return drop(source.next().map(|(number, _)| sender.send((number, Err(error)))));
                    }
                };
                while let Some((number, item)) = source.next() {
                    if sender.send((number, item.and_then(&mut worker))).is_err() {
                        break;
                    }
                }
            };
            let builder = std::thread::Builder::new().name(format!("worker {number}"));
            let spawned = builder.stack_size(SEARCH_STACK_SIZE).spawn_scoped(scope, run);
            if let Err(error) = spawned {
                source.stop();
                return Err(error).context("cannot start a thread");
            }
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        let mut outcome = Ok(());
        // After an error, too, the channel is drained: otherwise workers would block on a full one.
        for (number, result) in results {
            waiting.insert(number, result);
            while let Some(result) = waiting.remove(&next) {
                next += 1;
                outcome = outcome.and_then(|()| result.and_then(&mut sink));
                source.deliver();
            }
            if outcome.is_err() {
                source.stop();
            }
        }
        outcome
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;

    /// Runs over the numbers below `count`, with an error at `bad`.
    fn run(threads: usize, count: u64, bad: Option<u64>) -> (Vec<u64>, Result<()>) {
        let mut numbers = 0..count;
        let mut results = Vec::new();
        let new_worker = || {
            Ok(|number: u64| {
                if bad == Some(number) {
                    bail!("bad {number}");
                }
                // Some items take longer than others.
                std::thread::sleep(std::time::Duration::from_micros(number % 7 * 50));
                Ok(2 * number)
            })
        };
        let outcome = map_in_order(
            threads,
            || Ok(numbers.next()),
            new_worker,
            |result| {
                results.push(result);
                Ok(())
            },
        );
        (results, outcome)
    }

    #[test]
    fn results_are_in_order() {
        let expected: Vec<u64> = (0..1000).map(|number| 2 * number).collect();
        for threads in [0, 1, 3, 8] {
            let (results, outcome) = run(threads, 1000, None);
            assert_eq!(results, expected);
            outcome.unwrap();
        }
        assert!(run(3, 0, None).0.is_empty());
    }

    #[test]
    fn results_before_an_error_are_delivered() {
        for threads in [1, 4] {
            let (results, outcome) = run(threads, 5000, Some(700));
            assert_eq!(results.len(), 700);
            assert_eq!(outcome.unwrap_err().to_string(), "bad 700");
        }
    }

    #[test]
    fn errors_of_items_workers_and_sink_end_the_run() {
        let mut numbers = 0..10;
        let items = || {
            let number = numbers.next().unwrap();
            if number == 5 { bail!("unreadable") } else { Ok(Some(number)) }
        };
        let mut count = 0;
        let outcome = map_in_order(
            2,
            items,
            || Ok(Ok::<i32, anyhow::Error>),
            |_| {
                count += 1;
                Ok(())
            },
        );
        assert_eq!((count, outcome.unwrap_err().to_string().as_str()), (5, "unreadable"));

        let mut numbers = 0..10;
        let no_worker = || -> Result<fn(i32) -> Result<i32>> { bail!("no worker") };
        let outcome = map_in_order(3, || Ok(numbers.next()), no_worker, |_| Ok(()));
        assert_eq!(outcome.unwrap_err().to_string(), "no worker");

        let mut numbers = 0..10_000;
        let outcome = map_in_order(3, || Ok(numbers.next()), || Ok(Ok), |_: i32| bail!("full"));
        assert_eq!(outcome.unwrap_err().to_string(), "full");
    }
}
