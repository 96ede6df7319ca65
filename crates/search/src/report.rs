//! The events of a search.

use crate::wdl::Wdl;
use std::fmt;
use std::time::Duration;
use tabiya_core::{Bound, MATE, MATE_IN_MAX_PLY, Move, Value};

/// A report of a running search.
#[derive(Clone, PartialEq, Eq, Debug)]
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

/// The best move of a search and the expected reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BestMove {
    /// The move to play; `None` only if there is no legal move.
    pub best: Option<Move>,
    /// The expected reply, to ponder on; legal after `best`.
    pub ponder: Option<Move>,
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
            wdl: Wdl { win: 0, draw: 1000, loss: 0 },
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

    /// Returns the search speed in nodes per second.
    pub fn nps(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }
}

/// Returns the speed in nodes per second, saturating; a time of zero counts as a nanosecond.
pub(crate) fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    let nanos = time.as_nanos().max(1);
    u64::try_from(u128::from(nodes) * 1_000_000_000 / nanos).unwrap_or(u64::MAX)
}

/// A score as users and protocols read it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// Hundredths of a pawn; positive if the side to move at the root is better.
    Centipawns(i32),
    /// Mate in this many moves: positive if the side to move mates, negative if it is mated, 0 if it is
    /// checkmated now.
    Mate(i32),
}

impl Score {
    /// Converts a value of the search, in which a mate counts plies.
    ///
    /// ```
    /// use tabiya_core::{mate_in, mated_in};
    /// use tabiya_search::Score;
    ///
    /// assert_eq!(Score::from_value(-35), Score::Centipawns(-35));
    /// assert_eq!(Score::from_value(mate_in(3)), Score::Mate(2)); // move, reply, mate
    /// assert_eq!(Score::from_value(mated_in(4)), Score::Mate(-2));
    /// ```
    pub const fn from_value(value: Value) -> Score {
        if value >= MATE_IN_MAX_PLY {
            Score::Mate((MATE - value + 1) / 2)
        } else if value <= -MATE_IN_MAX_PLY {
            Score::Mate(-(MATE + value) / 2)
        } else {
            Score::Centipawns(value)
        }
    }
}

/// `+0.35`, `-1.20`, `#3` (mate in three), `#-2`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match *self {
            Score::Centipawns(value) => {
                let sign = if value < 0 { '-' } else { '+' };
                let value = value.unsigned_abs();
                format!("{sign}{}.{:02}", value / 100, value % 100)
            }
            Score::Mate(moves) => format!("#{moves}"),
        };
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_core::{mate_in, mated_in};

    #[test]
    fn formats_scores() {
        assert_eq!(Score::from_value(0).to_string(), "+0.00");
        assert_eq!(Score::from_value(-7).to_string(), "-0.07");
        assert_eq!(Score::from_value(1234).to_string(), "+12.34");
        assert_eq!(Score::from_value(mate_in(1)).to_string(), "#1");
        assert_eq!(Score::from_value(mate_in(5)).to_string(), "#3");
        assert_eq!(Score::from_value(mated_in(0)), Score::Mate(0));
        assert_eq!(Score::from_value(mated_in(2)).to_string(), "#-1");
        assert_eq!(format!("{:>6}|", Score::Mate(3)), "    #3|");
    }

    #[test]
    fn nodes_per_second_never_overflows() {
        assert_eq!(nodes_per_second(5, Duration::ZERO), 5_000_000_000);
        assert_eq!(nodes_per_second(u64::MAX, Duration::ZERO), u64::MAX);
        assert_eq!(nodes_per_second(3000, Duration::from_secs(2)), 1500);
    }
}
