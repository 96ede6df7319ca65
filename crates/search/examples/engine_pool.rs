//! Many engines in one process, as in a server: a pool with a limit of memory, requests with deadlines, and cancellation.
//!
//! `cargo run --release -p tabiya-search --example engine_pool -- 2 64 8` answers eight requests with up to two engines in 64 MiB.
//!
//! Engines share nothing. Each has its own transposition table, so that a request gets the same answer whatever the others are,
//! and a panic or a full table concerns one engine only. The threads of one engine share a table instead
//! (`Options::with_threads`): one request is answered sooner, but only one at a time.

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tabiya_movegen::{Game, Position};
use tabiya_search::{Answer, Engine, EngineError, Limits, Options, StopHandle};

/// Memory of an engine besides its transposition table, rounded up, in MiB: its histories, stack and evaluation.
const ENGINE_MB: usize = 8;
/// Size of a transposition table, in MiB: enough for a few seconds of one thread.
const HASH_MB: usize = 8;
/// The time from the arrival of a request to its answer.
const DEADLINE: Duration = Duration::from_millis(400);

/// Engines with one thread each.
struct Pool {
    idle: Mutex<Vec<Engine>>,
    returned: Condvar,
    /// The running searches by the number of their request, for cancellation.
    running: Mutex<HashMap<usize, StopHandle>>,
}

/// The reason why a request has no answer.
#[derive(Debug)]
enum Refusal {
    /// No engine was free before the deadline.
    Busy,
}

impl Pool {
    /// Starts as many engines as fit into the memory, but at most `count`.
    fn new(count: usize, memory_mb: usize) -> Result<Pool, EngineError> {
        let count = count.min(memory_mb / (ENGINE_MB + HASH_MB)).max(1);
        let options = Options::default().with_hash_mb(HASH_MB).with_threads(1);
        let engines = (0..count).map(|_| Engine::new(options.clone())).collect::<Result<_, _>>()?;
        Ok(Pool { idle: Mutex::new(engines), returned: Condvar::new(), running: Mutex::default() })
    }

    /// Answers a request. The time that it waits for an engine counts.
    fn answer(&self, number: usize, game: &Game, deadline: Instant) -> Result<Answer, Refusal> {
        let mut engine = self.take(deadline).ok_or(Refusal::Busy)?;
        // For an answer that does not depend on the requests before.
        engine.clear();
        let left = deadline.saturating_duration_since(Instant::now());
        let search = engine.go(game, Limits::movetime(left));
        lock(&self.running).insert(number, search.stop_handle());
        let answer = search.answer();
        lock(&self.running).remove(&number);
        lock(&self.idle).push(engine);
        self.returned.notify_one();
        Ok(answer)
    }

    /// Waits for a free engine until the deadline.
    fn take(&self, deadline: Instant) -> Option<Engine> {
        let wait = deadline.saturating_duration_since(Instant::now());
        let idle = self.returned.wait_timeout_while(lock(&self.idle), wait, |idle| idle.is_empty());
        idle.unwrap_or_else(PoisonError::into_inner).0.pop()
    }

    /// Ends the search of a request early: it answers with what it has found.
    fn cancel(&self, number: usize) {
        if let Some(search) = lock(&self.running).get(&number) {
            search.stop();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<usize>());
    let mut argument = |default| arguments.next().unwrap_or(Ok(default));
    let (count, memory_mb, requests) = (argument(4)?, argument(256)?, argument(12)?);
    let pool = Pool::new(count, memory_mb)?;
    println!("{} engines", lock(&pool.idle).len());
    let games = (0..requests).map(|number| {
        let position = Position::chess960((number * 80 % 960) as u16);
        position.map(Game::from_position).ok_or("there are 960 start positions")
    });
    let games = games.collect::<Result<Vec<Game>, _>>()?;
    std::thread::scope(|scope| {
        for (number, game) in games.iter().enumerate() {
            let pool = &pool;
            scope.spawn(move || match pool.answer(number, game, Instant::now() + DEADLINE) {
                Ok(answer) => {
                    let best = answer.best.map(|best| game.position().san(best).to_string());
                    let (depth, ms) = (answer.depth(), answer.time.as_millis());
                    println!("{number:>3}: {} at depth {depth} in {ms} ms", best.unwrap_or_default());
                }
                Err(refusal) => println!("{number:>3}: {refusal:?}"),
            });
        }
        // The client of the first request has gone away.
        std::thread::sleep(DEADLINE / 4);
        pool.cancel(0);
    });
    Ok(())
}
