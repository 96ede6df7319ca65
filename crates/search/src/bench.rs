//! The benchmark, whose node count identifies the version of the search: for the authors of the engine.
//!
//! ```
//! use tabiya_search::bench;
//!
//! let result = bench::run(1)?;
//! assert_eq!(result.positions.len(), bench::POSITIONS.len());
//! # Ok::<(), tabiya_search::EngineError>(())
//! ```

mod positions;

use crate::engine::Engine;
use crate::events::NoEvent;
use crate::limits::Limits;
use crate::options::{EngineError, Options};
use crate::report::{SearchEvent, nodes_per_second};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tabiya_eval::Evaluation;
use tabiya_eval::nnue::Kernel;
use tabiya_movegen::{Game, Position};

pub use positions::{BenchPosition, POSITIONS, Phase};

/// The interval at which a benchmark checks whether it has been stopped.
const STOP_INTERVAL: Duration = Duration::from_millis(5);

/// The depth of [`run`] whose node count is the signature of the search, in plies.
pub const DEPTH: u32 = 15;

/// The benchmark result of one position.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct BenchRun {
    /// The position.
    pub position: BenchPosition,
    /// The number of nodes searched.
    pub nodes: u64,
    /// The search time.
    pub time: Duration,
}

impl BenchRun {
    /// Returns the search speed in nodes per second.
    pub fn nps(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }
}

/// The result of [`run`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct BenchResult {
    /// The total number of nodes searched.
    pub nodes: u64,
    /// The total search time.
    pub time: Duration,
    /// The results of the positions, in the order of [`POSITIONS`].
    pub positions: Vec<BenchRun>,
}

impl BenchResult {
    /// Returns the search speed in nodes per second.
    pub fn nps(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }
}

/// Searches [`POSITIONS`] to a fixed depth with one thread and a table of 16 MiB, cleared before each
/// position.
///
/// The node count is the same on every machine and in every build, and changes when the search does. Use
/// [`DEPTH`] to compare versions.
///
/// # Errors
/// [`EngineError`] if there is not enough memory for the table.
pub fn run(depth: u32) -> Result<BenchResult, EngineError> {
    run_with(depth, Evaluation::default(), Kernel::best(), &AtomicBool::new(false))
}

/// Runs [`run`] with any evaluation, and any kernel for networks, until `stop` is set: the search of the current position is then
/// stopped and the remaining positions are skipped. The node count does not depend on the kernel.
///
/// # Errors
/// [`EngineError`] if there is not enough memory for the table.
pub fn run_with(
    depth: u32,
    evaluation: Evaluation,
    kernel: Kernel,
    stop: &AtomicBool,
) -> Result<BenchResult, EngineError> {
    let mut engine = Engine::new(Options { evaluation: evaluation.clone(), ..Options::default() })?;
    engine.set_evaluator(move || evaluation.evaluator_with_kernel(kernel));
    let mut result = BenchResult { nodes: 0, time: Duration::ZERO, positions: Vec::new() };
    for &position in POSITIONS {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        engine.clear();
        let root = Position::from_fen(position.fen).expect("a test parses every bench position");
        let search = engine.go(&Game::from_position(root), Limits::depth(depth));
        let events = search.events();
        let (mut nodes, mut time) = (0, Duration::ZERO);
        loop {
            match events.next_timeout(STOP_INTERVAL) {
                Ok(SearchEvent::Info(info)) => (nodes, time) = (info.nodes, info.time),
                Ok(SearchEvent::CurrentMove { .. }) => {}
                Err(NoEvent::Pending) => {
                    if stop.load(Ordering::Relaxed) {
                        search.stop();
                    }
                }
                Ok(SearchEvent::BestMove(_)) | Err(NoEvent::Ended) => break,
            }
        }
        result.nodes += nodes;
        result.time += time;
        result.positions.push(BenchRun { position, nodes, time });
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_count_is_reproducible() {
        let nodes =
            |result: BenchResult| result.positions.into_iter().map(|run| run.nodes).collect::<Vec<_>>();
        let first = run(4).expect("enough memory");
        assert_eq!(first.positions.len(), POSITIONS.len());
        assert_eq!(first.nodes, first.positions.iter().map(|run| run.nodes).sum::<u64>());
        assert_eq!(nodes(first), nodes(run(4).expect("enough memory")));
    }

    #[test]
    fn node_count_does_not_depend_on_the_kernel() {
        let nodes = Kernel::available().into_iter().map(|kernel| {
            run_with(4, Evaluation::default(), kernel, &AtomicBool::new(false)).expect("enough memory").nodes
        });
        let nodes: Vec<_> = nodes.collect();
        assert!(nodes.iter().all(|count| *count == nodes[0]), "{nodes:?}");
    }
}
