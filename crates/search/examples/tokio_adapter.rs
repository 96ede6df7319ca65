//! Searches in an asynchronous program: an adapter for tokio, with deadlines, and cancellation by dropping the future.
//!
//! `cargo run --release -p tabiya-search --example tokio_adapter`
//!
//! The engine searches on its own threads and calls a function for each event. This function forwards the events to a channel, so that no
//! thread of the runtime blocks.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tabiya_movegen::{Game, Position};
use tabiya_search::{Answer, Engine, EngineError, Info, Limits, Options, SearchEvent};
use tokio::sync::{Semaphore, mpsc};

/// Engines of one thread each, for asynchronous tasks.
#[derive(Clone)]
struct AsyncEngines {
    idle: Arc<Mutex<Vec<Engine>>>,
    /// Has a permit for each idle engine.
    permits: Arc<Semaphore>,
}

/// An engine of the pool, which goes back there when it is dropped: at the end of a search, or when its future is cancelled.
struct Lease<'a> {
    /// `None` only while it is dropped.
    engine: Option<Engine>,
    idle: &'a Mutex<Vec<Engine>>,
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).extend(self.engine.take());
    }
}

impl AsyncEngines {
    fn new(count: usize, options: &Options) -> Result<AsyncEngines, EngineError> {
        let engines = (0..count).map(|_| Engine::new(options.clone())).collect::<Result<Vec<_>, _>>()?;
        Ok(AsyncEngines { idle: Arc::new(Mutex::new(engines)), permits: Arc::new(Semaphore::new(count)) })
    }

    /// Searches a position, and passes the reports on. Waits for an engine first. Dropping the future stops the search.
    async fn search(&self, game: &Game, limits: Limits, mut on_info: impl FnMut(Info)) -> Option<Answer> {
        // The permit is declared before the lease, and so returned after the engine.
        let _permit = self.permits.acquire().await.ok()?;
        let engine = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut lease = Lease { engine, idle: &self.idle };
        let (sender, mut events) = mpsc::unbounded_channel();
        // An error means that nobody is interested in the search any more.
        let on_event = move |event| drop(sender.send(event));
        let search = lease.engine.as_mut()?.go_with(game, limits, on_event);
        while let Some(event) = events.recv().await {
            match event {
                SearchEvent::Info(info) => on_info(info),
                SearchEvent::BestMove(_) => break,
                _ => {}
            }
        }
        // The best move was the last event, so this does not wait.
        Some(search.answer())
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engines = AsyncEngines::new(2, &Options::default().with_hash_mb(8))?;

    // More requests than engines: the others wait for their turn without a thread.
    let mut tasks = Vec::new();
    for number in [518, 0, 959, 100] {
        let engines = engines.clone();
        let game = Game::from_position(Position::chess960(number).ok_or("there are 960 start positions")?);
        tasks.push(tokio::spawn(async move {
            let mut reports = 0;
            let answer = engines.search(&game, Limits::nodes(20_000), |_| reports += 1).await?;
            Some((number, game.position().san(answer.best?).to_string(), answer.depth(), reports))
        }));
    }
    for task in tasks {
        let (number, best, depth, reports) = task.await?.ok_or("the pool has been closed")?;
        println!("start position {number}: {best} at depth {depth} after {reports} reports");
    }

    // A deadline for a search without a limit: the future is dropped, which stops the search and returns the engine.
    let deadline = Duration::from_millis(100);
    let game = Game::new();
    let mut deepest = 0;
    let endless = engines.search(&game, Limits::infinite(), |info| deepest = info.depth);
    assert!(tokio::time::timeout(deadline, endless).await.is_err(), "a search without a limit has no answer");
    println!("stopped at depth {deepest}");
    let answer = engines.search(&game, Limits::depth(4), drop).await.ok_or("the pool has been closed")?;
    println!("both engines are free again: depth {}", answer.depth());
    Ok(())
}
