//! The limits of a search.

use std::time::Duration;
use tabiya_core::{INFINITE, MATE, MATE_IN_MAX_PLY, Move, Value};

/// The limits of a search and the root moves it may consider.
///
/// All limits that are set apply; the first one reached ends the search. Without any, the search runs until
/// it is stopped or has reached the maximum depth.
///
/// ```
/// use std::time::Duration;
/// use tabiya_search::{Clock, Limits};
///
/// let limits = Limits::depth(20).with_movetime(Duration::from_secs(5)).with_multipv(3);
/// assert_eq!((limits.depth, limits.multipv), (Some(20), 3));
/// let clock = Clock::new(Duration::from_secs(60), Duration::from_secs(1)).with_moves_to_go(40);
/// assert!(Limits::clock(clock).is_finite());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
#[non_exhaustive]
pub struct Limits {
    /// The maximum depth in plies, from 1 to 249; other values are clamped.
    pub depth: Option<u32>,
    /// The number of nodes (moves made on the board), at least 1. Exact with one thread; several threads
    /// exceed it by some hundreds of nodes each, because they check it at intervals.
    pub nodes: Option<u64>,
    /// The number of nodes from which no further iteration is started, so that the last one is complete unless `nodes`
    /// ends it. Counts the nodes of the main thread.
    pub soft_nodes: Option<u64>,
    /// The time for this move. The search stops earlier by the
    /// [move overhead](crate::Options::move_overhead), but by at most a tenth of the time.
    pub movetime: Option<Duration>,
    /// The search ends when it has found a mate for the side to move in this many moves or fewer, or has
    /// proven that there is none.
    pub mate: Option<u32>,
    /// The game clock, from which the search allots the time for this move.
    pub clock: Option<Clock>,
    /// The time before which the best move is not sent, unless the search is stopped. The search does not go on for it. A
    /// [`BlockingEngine`](crate::BlockingEngine) ignores it.
    pub min_time: Option<Duration>,
    /// If true, the best move is not sent until the search is stopped.
    pub infinite: bool,
    /// If true, the position is the one expected after the opponent's reply: until ponderhit or stop, neither
    /// `clock` nor `movetime` ends the search, and the best move is not sent. The time spent pondering counts for the decision to start
    /// another iteration, so the answer may come at once after ponderhit.
    pub ponder: bool,
    /// The root moves to search; empty for all. Illegal moves are ignored, and if no legal one is left, all
    /// moves are searched.
    pub search_moves: Vec<Move>,
    /// The number of lines with different first moves (MultiPV), at least 1; 0 counts as 1.
    pub multipv: usize,
}

impl Limits {
    /// Limits the depth only, in plies.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// Limits the number of nodes only.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Limits the time for the move only.
    pub fn movetime(movetime: Duration) -> Limits {
        Limits { movetime: Some(movetime), ..Limits::default() }
    }

    /// Limits the time by the game clock only.
    pub fn clock(clock: Clock) -> Limits {
        Limits { clock: Some(clock), ..Limits::default() }
    }

    /// Searches until stopped.
    pub fn infinite() -> Limits {
        Limits { infinite: true, ..Limits::default() }
    }

    /// Sets [`depth`](Limits::depth); `None` for no limit.
    #[must_use]
    pub fn with_depth(self, depth: impl Into<Option<u32>>) -> Limits {
        Limits { depth: depth.into(), ..self }
    }

    /// Sets [`nodes`](Limits::nodes); `None` for no limit.
    #[must_use]
    pub fn with_nodes(self, nodes: impl Into<Option<u64>>) -> Limits {
        Limits { nodes: nodes.into(), ..self }
    }

    /// Sets [`soft_nodes`](Limits::soft_nodes); `None` for no limit.
    #[must_use]
    pub fn with_soft_nodes(self, soft_nodes: impl Into<Option<u64>>) -> Limits {
        Limits { soft_nodes: soft_nodes.into(), ..self }
    }

    /// Sets [`movetime`](Limits::movetime); `None` for no limit.
    #[must_use]
    pub fn with_movetime(self, movetime: impl Into<Option<Duration>>) -> Limits {
        Limits { movetime: movetime.into(), ..self }
    }

    /// Sets [`mate`](Limits::mate), in moves; `None` for no limit.
    #[must_use]
    pub fn with_mate(self, mate: impl Into<Option<u32>>) -> Limits {
        Limits { mate: mate.into(), ..self }
    }

    /// Sets [`clock`](Limits::clock); `None` for no limit.
    #[must_use]
    pub fn with_clock(self, clock: impl Into<Option<Clock>>) -> Limits {
        Limits { clock: clock.into(), ..self }
    }

    /// Sets [`min_time`](Limits::min_time); `None` for none.
    #[must_use]
    pub fn with_min_time(self, min_time: impl Into<Option<Duration>>) -> Limits {
        Limits { min_time: min_time.into(), ..self }
    }

    /// Sets [`infinite`](Limits::infinite).
    #[must_use]
    pub fn with_infinite(self, infinite: bool) -> Limits {
        Limits { infinite, ..self }
    }

    /// Sets [`ponder`](Limits::ponder).
    #[must_use]
    pub fn with_ponder(self, ponder: bool) -> Limits {
        Limits { ponder, ..self }
    }

    /// Sets [`search_moves`](Limits::search_moves). Illegal moves are ignored; if no legal one is left, all moves are searched.
    #[must_use]
    pub fn with_search_moves(self, search_moves: impl IntoIterator<Item = Move>) -> Limits {
        Limits { search_moves: search_moves.into_iter().collect(), ..self }
    }

    /// Sets [`multipv`](Limits::multipv).
    #[must_use]
    pub fn with_multipv(self, multipv: usize) -> Limits {
        Limits { multipv, ..self }
    }

    /// Returns true if a limit ends the search, even if late. Without one it ends only at the maximum depth.
    ///
    /// ```
    /// use tabiya_search::Limits;
    ///
    /// assert!(Limits::depth(10).is_finite() && Limits::default().with_soft_nodes(1000).is_finite());
    /// assert!(!Limits::infinite().is_finite() && !Limits::default().is_finite());
    /// ```
    pub fn is_finite(&self) -> bool {
        let has_limit = self.depth.is_some()
            || self.nodes.is_some()
            || self.soft_nodes.is_some()
            || self.movetime.is_some()
            || self.mate.is_some()
            || self.clock.is_some();
        has_limit && !self.infinite && !self.ponder
    }

    /// Returns true if a value is a mate as short as [`mate`](Limits::mate) requires.
    pub(crate) fn is_mate_found(&self, value: Value) -> bool {
        value >= self.mate_value()
    }

    /// The value of the longest mate that [`mate`](Limits::mate) accepts; no value reaches it if no mate is requested.
    pub(crate) fn mate_value(&self) -> Value {
        let Some(moves) = self.mate else { return INFINITE };
        let value = i64::from(MATE) + 1 - 2 * i64::from(moves);
        value.max(MATE_IN_MAX_PLY.into()) as Value
    }
}

/// The clock of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Clock {
    /// The remaining time. If it is zero, as after the clock has run out, the search answers at once.
    pub remaining: Duration,
    /// The increment per move.
    pub increment: Duration,
    /// The number of moves to the next time control; `None` if the remaining time is for the rest of the
    /// game.
    pub moves_to_go: Option<u32>,
}

impl Clock {
    /// Creates a clock whose remaining time is for the rest of the game.
    pub const fn new(remaining: Duration, increment: Duration) -> Clock {
        Clock { remaining, increment, moves_to_go: None }
    }

    /// Creates a clock as GUIs send it, in milliseconds. A negative time, which some send after the clock has run out,
    /// counts as zero.
    pub const fn from_millis(remaining: i64, increment: i64) -> Clock {
        const fn duration(time: i64) -> Duration {
            Duration::from_millis(if time < 0 { 0 } else { time.unsigned_abs() })
        }
        Clock::new(duration(remaining), duration(increment))
    }

    /// Sets [`moves_to_go`](Clock::moves_to_go).
    #[must_use]
    pub fn with_moves_to_go(self, moves_to_go: impl Into<Option<u32>>) -> Clock {
        Clock { moves_to_go: moves_to_go.into(), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_core::{mate_in, mated_in};

    #[test]
    fn negative_time_counts_as_zero() {
        let clock = Clock::from_millis(-20, 1000);
        assert_eq!(clock, Clock::new(Duration::ZERO, Duration::from_secs(1)));
    }

    #[test]
    fn mate_is_found_if_it_is_short_enough() {
        let limits = Limits { mate: Some(2), ..Limits::default() };
        assert!(limits.is_mate_found(mate_in(1)) && limits.is_mate_found(mate_in(3)));
        assert!(!limits.is_mate_found(mate_in(5)) && !limits.is_mate_found(mated_in(2)));
        assert!(!Limits::default().is_mate_found(mate_in(1)));
    }
}
