//! Iterative deepening.
//!
//! The root is searched to depth 1, 2, 3 and so on. An iteration costs little compared with the next one, and
//! the move ordering that it provides (TT entries, sorted root moves) makes all iterations together faster
//! than the last one alone. It also means that there is a best move at any time. Source: Slate and Atkin,
//! *Chess 4.5*, 1977; the ChessBin tutorial also sorts its root moves between iterations.

use crate::limits::Limits;
use crate::searcher::Searcher;
use crate::time::TimeScale;
use tabiya_core::{MATE, MAX_PLY, Value};
use tabiya_movegen::Position;

/// The maximum depth, in plies: the root and this many plies fit into the per-ply arrays.
pub(super) const MAX_DEPTH: u32 = MAX_PLY as u32 - 1;
/// The depth from which a search on the clock ends if there is only one move.
const FORCED_MOVE_DEPTH: u32 = 4;

/// The end of an iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Iteration {
    /// All lines have been searched and reported.
    Completed,
    /// A limit has been reached, or the last depth was completed before.
    Stopped,
}

/// The progress of iterative deepening.
pub(super) struct Deepening<'a> {
    root: &'a Position,
    /// The number of lines to search.
    lines: usize,
    move_count: usize,
    /// The depth of the next iteration, in plies.
    depth: u32,
    max_depth: u32,
    time_scale: TimeScale,
    /// The node count at the last report.
    reported_nodes: Option<u64>,
}

impl<'a> Deepening<'a> {
    /// Prepares the iterations of a search of `root`, of which `move_count` moves are searched.
    pub(super) fn new(root: &'a Position, limits: &'a Limits, move_count: usize) -> Deepening<'a> {
        Deepening {
            root,
            lines: limits.multipv.clamp(1, move_count),
            move_count,
            depth: 1,
            max_depth: max_depth(limits),
            time_scale: TimeScale::default(),
            reported_nodes: None,
        }
    }

    /// Returns the number of lines to search.
    pub(super) fn lines(&self) -> usize {
        self.lines
    }

    /// Returns true if there is no deeper iteration.
    pub(super) fn is_finished(&self) -> bool {
        self.depth > self.max_depth
    }

    /// Searches and reports one iteration. After one that was stopped the next call searches the same depth again.
    pub(super) fn iterate(&mut self, searcher: &mut Searcher<'_>) -> Iteration {
        if self.is_finished() {
            return Iteration::Stopped;
        }
        if self.depth > 1 {
            // Short iterations may end between two checks within the tree.
            searcher.limits.check();
            if searcher.limits.is_stopped() {
                return Iteration::Stopped;
            }
        }
        searcher.root_depth = self.depth;
        // The lines that remain if this iteration is stopped. The results of a single line stay comparable.
        let previous = (self.lines > 1).then(|| searcher.root_moves.clone());
        // The number of lines that were finished before a stop.
        let mut finished = 0;
        searcher.root_moves.start_iteration(self.depth);
        for line in 0..self.lines {
            searcher.root_moves.start_line(line);
            searcher.aspiration_search(self.root, self.depth);
            if searcher.limits.is_stopped() {
                break;
            }
            searcher.root_moves.finish_line();
            finished += 1;
        }
        if searcher.limits.is_stopped() {
            if let Some(previous) = previous {
                searcher.root_moves.abort_iteration(previous, finished);
            }
            return Iteration::Stopped;
        }
        let best = &searcher.root_moves.moves()[0];
        self.time_scale.update(best.mv, best.value, searcher.root_moves.best_move_effort());
        self.report(searcher);
        self.depth += 1;
        Iteration::Completed
    }

    /// Returns true if the clock allows no further iteration after the completed one.
    pub(super) fn is_soft_limit_reached(&self, searcher: &mut Searcher<'_>) -> bool {
        let best_value = searcher.root_moves.moves()[0].value;
        let settled = is_settled(self.move_count, best_value, self.depth - 1);
        searcher.limits.is_soft_limit_reached(settled, self.time_scale.permille())
    }

    /// Reports the lines unless that has been done since the last node.
    pub(super) fn report_last(&mut self, searcher: &mut Searcher<'_>) {
        if self.reported_nodes != Some(searcher.limits.nodes()) {
            self.report(searcher);
        }
    }

    fn report(&mut self, searcher: &mut Searcher<'_>) {
        searcher.report_lines(self.root, self.lines);
        self.reported_nodes = Some(searcher.limits.nodes());
    }
}

/// Returns the depth of the last iteration.
fn max_depth(limits: &Limits) -> u32 {
    limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH)
}

/// Returns true if deeper iterations are unlikely to change the best move: there is only one move, or the mate
/// is no longer than the completed depth, so that a shorter one is unlikely.
fn is_settled(move_count: usize, value: Value, depth: u32) -> bool {
    let distance = MATE - value.abs();
    (move_count == 1 && depth >= FORCED_MOVE_DEPTH) || (distance <= MAX_PLY && distance <= depth as Value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_core::{mate_in, mated_in};

    #[test]
    fn forced_moves_and_short_mates_are_settled() {
        assert!(is_settled(1, 0, FORCED_MOVE_DEPTH) && !is_settled(1, 0, FORCED_MOVE_DEPTH - 1));
        assert!(is_settled(30, mate_in(5), 5) && is_settled(30, mated_in(4), 5));
        assert!(!is_settled(30, mate_in(7), 5) && !is_settled(30, 900, 50));
    }

    #[test]
    fn depth_is_limited() {
        assert_eq!(max_depth(&Limits::depth(0)), 1);
        assert_eq!(max_depth(&Limits::depth(u32::MAX)), MAX_DEPTH);
        assert_eq!(max_depth(&Limits::default()), MAX_DEPTH);
    }
}
