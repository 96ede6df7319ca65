//! The events of a search.

use crate::answer::{BestMove, Line};
use crate::score::Score;
use crate::wdl::Wdl;
use std::time::Duration;
use tabiya_core::{Bound, Move};

/// A report of a running search.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum SearchEvent {
    /// The state of the search: sent after each iteration and at the end, once per line, best first. After
    /// three seconds also sent when a line fails high or low, with the corresponding `bound`.
    Info(Info),
    /// The root move that is being searched; sent after three seconds.
    CurrentMove {
        /// The depth of the iteration, in plies.
        depth: u32,
        /// The move.
        mv: Move,
        /// The number of the move in move order, from 1.
        number: u32,
    },
    /// The best move: sent exactly once, as the last event.
    BestMove(BestMove),
}

/// The state of a search, for one of its lines.
///
/// ```
/// use tabiya_search::{Info, Score};
///
/// let info = Info::new(12, Score::Centipawns(35)).with_nodes(100_000);
/// assert_eq!((info.depth, info.multipv, info.nodes), (12, 1, 100_000));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Info {
    /// The depth of the iteration, in plies; 0 if the root has no legal move.
    pub depth: u32,
    /// The selective depth: the longest line searched, in plies.
    pub seldepth: u32,
    /// The number of the line, from 1 (the best).
    pub multipv: u32,
    /// The score from the point of view of the side to move at the root.
    pub score: Score,
    /// The bound type of the score.
    pub bound: Bound,
    /// The win, draw and loss probabilities that go with the score.
    pub wdl: Wdl,
    /// The number of nodes (moves made on the board) searched so far.
    pub nodes: u64,
    /// The time since the start of the search.
    pub time: Duration,
    /// The share of the transposition table that this search has filled, in thousandths.
    pub hashfull: u32,
    /// The number of successful tablebase probes so far.
    pub tb_hits: u64,
    /// The principal variation: legal moves from the root. Empty only if the root has none.
    pub pv: Vec<Move>,
}

impl Info {
    /// Creates the report of an exact score on the first line, with no statistics, no PV and the WDL of a
    /// certain draw.
    pub fn new(depth: u32, score: Score) -> Info {
        Info {
            depth,
            seldepth: 0,
            multipv: 1,
            score,
            bound: Bound::Exact,
            wdl: Wdl::DRAW,
            nodes: 0,
            time: Duration::ZERO,
            hashfull: 0,
            tb_hits: 0,
            pv: Vec::new(),
        }
    }

    /// Sets [`seldepth`](Info::seldepth).
    #[must_use]
    pub fn with_seldepth(self, seldepth: u32) -> Info {
        Info { seldepth, ..self }
    }

    /// Sets [`multipv`](Info::multipv).
    #[must_use]
    pub fn with_multipv(self, multipv: u32) -> Info {
        Info { multipv, ..self }
    }

    /// Sets [`bound`](Info::bound).
    #[must_use]
    pub fn with_bound(self, bound: Bound) -> Info {
        Info { bound, ..self }
    }

    /// Sets [`wdl`](Info::wdl).
    #[must_use]
    pub fn with_wdl(self, wdl: Wdl) -> Info {
        Info { wdl, ..self }
    }

    /// Sets [`nodes`](Info::nodes).
    #[must_use]
    pub fn with_nodes(self, nodes: u64) -> Info {
        Info { nodes, ..self }
    }

    /// Sets [`time`](Info::time).
    #[must_use]
    pub fn with_time(self, time: Duration) -> Info {
        Info { time, ..self }
    }

    /// Sets [`hashfull`](Info::hashfull).
    #[must_use]
    pub fn with_hashfull(self, hashfull: u32) -> Info {
        Info { hashfull, ..self }
    }

    /// Sets [`tb_hits`](Info::tb_hits).
    #[must_use]
    pub fn with_tb_hits(self, tb_hits: u64) -> Info {
        Info { tb_hits, ..self }
    }

    /// Sets [`pv`](Info::pv).
    #[must_use]
    pub fn with_pv(self, pv: Vec<Move>) -> Info {
        Info { pv, ..self }
    }

    /// Returns the line without the statistics.
    pub fn line(&self) -> Line {
        let Info { score, bound, wdl, depth, seldepth, .. } = *self;
        Line { score, bound, wdl, depth, seldepth, pv: self.pv.clone() }
    }

    /// Returns the search speed in nodes per second.
    pub fn nps(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }
}

/// A receiver of a search's reports.
pub(crate) trait Reporter {
    /// Receives an event.
    fn event(&self, event: SearchEvent);

    /// Receives all lines, best first, before they are sent as events.
    fn lines(&self, lines: &[Line]);
}

/// Returns the speed in nodes per second, saturating; a time of zero counts as a nanosecond.
pub(crate) fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    let nanos = time.as_nanos().max(1);
    u64::try_from(u128::from(nodes) * 1_000_000_000 / nanos).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_per_second_never_overflows() {
        assert_eq!(nodes_per_second(5, Duration::ZERO), 5_000_000_000);
        assert_eq!(nodes_per_second(u64::MAX, Duration::ZERO), u64::MAX);
        assert_eq!(nodes_per_second(3000, Duration::from_secs(2)), 1500);
    }
}
