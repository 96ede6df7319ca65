//! The clock of a search.

use std::num::NonZero;
use std::time::{Duration, Instant};

/// The clock by which an engine measures its searches.
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
#[non_exhaustive]
pub enum TimeSource {
    /// The system's monotonic clock, [`Instant`]. `wasm32-unknown-unknown` has none: there, a search panics.
    #[default]
    System,
    /// A function that returns the time since a fixed point. It is called every few hundred nodes. A time before
    /// the start of the search counts as its start.
    Function(fn() -> Duration),
    /// The nodes searched by all threads, this many to a millisecond. With one thread, games at a clock then depend on neither
    /// the speed nor the load of the machine.
    Nodes(NonZero<u32>),
}

/// A running stopwatch.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stopwatch {
    System(Instant),
    Function { now: fn() -> Duration, start: Duration },
    Nodes { per_ms: NonZero<u32> },
}

impl Stopwatch {
    /// Starts a stopwatch.
    pub(crate) fn start(source: TimeSource) -> Stopwatch {
        match source {
            TimeSource::System => Stopwatch::System(Instant::now()),
            TimeSource::Function(now) => Stopwatch::Function { now, start: now() },
            TimeSource::Nodes(per_ms) => Stopwatch::Nodes { per_ms },
        }
    }

    /// Returns the time since the start. `nodes` returns the number of nodes searched.
    pub(crate) fn elapsed(&self, nodes: impl FnOnce() -> u64) -> Duration {
        match self {
            Stopwatch::System(start) => start.elapsed(),
            Stopwatch::Function { now, start } => now().saturating_sub(*start),
            Stopwatch::Nodes { per_ms } => {
                Duration::from_micros(nodes().saturating_mul(1000) / u64::from(per_ms.get()))
            }
        }
    }
}
