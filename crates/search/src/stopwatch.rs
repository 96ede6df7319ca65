//! The clock of a search.

use std::time::{Duration, Instant};

/// The clock by which a [`BlockingEngine`](crate::BlockingEngine) measures its searches.
///
/// ```
/// use std::time::Duration;
/// use tabiya_search::{BlockingEngine, Options, TimeSource};
///
/// /// The time since the program's start, from a clock of the platform.
/// fn now() -> Duration {
///     Duration::from_millis(1234)
/// }
///
/// let mut engine = BlockingEngine::with_options(Options::default())?;
/// engine.set_time_source(TimeSource::Function(now));
/// # Ok::<(), tabiya_search::EngineError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub enum TimeSource {
    /// The system's monotonic clock, [`Instant`]. `wasm32-unknown-unknown` has none: there, a search panics.
    #[default]
    System,
    /// A function that returns the time since a fixed point. It is called every few hundred nodes. If it goes back,
    /// the search takes it as the time at which it started.
    Function(fn() -> Duration),
}

/// A running stopwatch.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stopwatch {
    System(Instant),
    Function { now: fn() -> Duration, start: Duration },
}

impl Stopwatch {
    /// Starts a stopwatch.
    pub(crate) fn start(source: TimeSource) -> Stopwatch {
        match source {
            TimeSource::System => Stopwatch::System(Instant::now()),
            TimeSource::Function(now) => Stopwatch::Function { now, start: now() },
        }
    }

    /// Returns the time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        match self {
            Stopwatch::System(start) => start.elapsed(),
            Stopwatch::Function { now, start } => now().saturating_sub(*start),
        }
    }
}
