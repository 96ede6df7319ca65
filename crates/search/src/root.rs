//! The root of the search: iterative deepening.
//!
//! The root is searched to depth 1, 2, 3 and so on. An iteration costs little compared with the next one, and
//! the move ordering that it provides (TT entries, sorted root moves) makes all iterations together faster
//! than the last one alone. It also means that there is a best move at any time. Source: Slate and Atkin,
//! *Chess 4.5*, 1977; the ChessBin tutorial also sorts its root moves between iterations.

mod aspiration;
mod mate_search;

use crate::history::MoveContext;
use crate::limits::Limits;
use crate::picker::Picker;
use crate::root_moves::{RootMove, RootMoves};
use crate::searcher::Searcher;
use crate::tablebase;
use crate::threats::Threats;
use crate::time::TimeScale;
use mate_search::MateSearch;
use tabiya_core::{Bound, INFINITE, MATE, MAX_PLY, Move, VALUE_DRAW, Value};
use tabiya_movegen::Position;
use tabiya_syzygy::FiftyMoves;

/// The maximum depth, in plies: the root and this many plies fit into the per-ply arrays.
const MAX_DEPTH: u32 = MAX_PLY as u32 - 1;
/// The depth from which a search on the clock ends if there is only one move.
const FORCED_MOVE_DEPTH: u32 = 4;

impl Searcher<'_> {
    /// Searches the root with increasing depth until a limit is reached. Returns the best move, or `None` if
    /// there is no legal move.
    pub(crate) fn iterative_deepening(&mut self, root: &Position, limits: &Limits) -> Option<RootMove> {
        self.stack.reset(root.board());
        self.evaluator.set_root(root);
        self.root_moves = self.find_root_moves(root, &limits.search_moves);
        self.tb_probe_in_tree = !self.rank_root_moves(root);
        let move_count = self.root_moves.moves().len();
        if move_count == 0 {
            self.report_lines(root, 1);
            return None;
        }
        self.root_static_eval = if root.in_check() { VALUE_DRAW } else { self.evaluator.evaluate(root) };
        let lines = limits.multipv.clamp(1, move_count);
        // Several lines are compared with each other.
        self.mate_value = if lines == 1 { limits.mate_value() } else { INFINITE };
        let mut time_scale = TimeScale::default();
        // The node count at the last report.
        let mut reported_nodes = None;
        let mut mate_search = MateSearch::new(limits);
        let max_depth = max_depth(limits);
        'deepening: for depth in 1..=max_depth {
            if depth > 1 {
                // Short iterations may end between two checks within the tree.
                self.limits.check();
                if self.limits.is_stopped() {
                    break;
                }
            }
            self.root_depth = depth;
            // The lines that remain if this iteration is stopped or paused.
            let previous = (lines > 1 || mate_search.is_some()).then(|| self.root_moves.clone());
            let finished = loop {
                if let Some(state) = &mate_search {
                    self.limits.pause_after(state.next_turn(self.limits.nodes()));
                }
                let finished = self.search_lines(root, depth, lines);
                if !self.limits.resume() {
                    break finished;
                }
                if let Some(previous) = &previous {
                    self.root_moves = previous.clone();
                }
                if let Some(state) = &mut mate_search
                    && self.search_mate(root, state, false)
                {
                    self.stop_others(lines);
                    break 'deepening;
                }
            };
            if self.limits.is_stopped() {
                if let Some(previous) = previous.filter(|_| lines > 1) {
                    self.root_moves.abort_iteration(previous, finished);
                }
                break;
            }
            let best = &self.root_moves.moves()[0];
            let best_value = best.value;
            time_scale.update(best.mv, best_value, self.root_moves.best_move_effort());
            self.report_lines(root, lines);
            reported_nodes = Some(self.limits.nodes());
            let settled = is_settled(move_count, best_value, depth);
            if limits.is_mate_found(best_value) {
                self.stop_others(lines);
                break;
            }
            if self.limits.is_soft_limit_reached(settled, time_scale.permille()) {
                break;
            }
            if let Some(state) = &mut mate_search
                && self.search_mate(root, state, depth == max_depth)
            {
                self.stop_others(lines);
                break;
            }
        }
        if reported_nodes != Some(self.limits.nodes()) {
            self.report_lines(root, lines);
        }
        self.root_moves.moves().first().cloned()
    }

    /// Stops the other threads, because this one has found or refuted the mate.
    fn stop_others(&self, lines: usize) {
        // The main thread's lines are all that a search with several lines reports.
        if self.limits.is_main_thread() || lines == 1 {
            self.limits.stop_all();
        }
    }

    /// Searches this many lines to a depth. Returns the number of those that were finished before a stop or a pause.
    fn search_lines(&mut self, root: &Position, depth: u32, lines: usize) -> usize {
        self.root_moves.start_iteration(depth);
        for line in 0..lines {
            self.root_moves.start_line(line);
            self.aspiration_search(root, depth);
            if self.limits.is_stopped() {
                return line;
            }
            self.root_moves.finish_line();
        }
        lines
    }

    /// Stores the result of a root move: the nodes spent on it and, if it is the best so far, its value and line.
    pub(crate) fn update_root_move(
        &mut self,
        mv: Move,
        value: Value,
        bound: Bound,
        is_best: bool,
        nodes: u64,
    ) {
        if is_best {
            self.root_moves.update(mv, value, bound, self.seldepth, self.pv.line(1));
            // A requested mate need not be compared with the other moves.
            if bound == Bound::Exact && value >= self.mate_value {
                self.limits.stop_all();
            }
        } else {
            self.root_moves.fail_low(mv);
        }
        self.root_moves.add_nodes(mv, nodes);
    }

    /// Returns the root moves in their initial order: the legal moves among `search_moves`, or all legal moves
    /// if there are none.
    fn find_root_moves(&self, root: &Position, search_moves: &[Move]) -> RootMoves {
        let tt_move = self.tt_probe(root, 0).and_then(|entry| entry.mv);
        let mut picker = Picker::new(root, tt_move);
        let context = MoveContext::new(root, self.stack, 0, Threats::default());
        let mut moves = Vec::new();
        while let Some(mv) = picker.next(root, self.histories, &context) {
            moves.push(mv);
        }
        let legal_count = moves.len();
        if moves.iter().any(|mv| search_moves.contains(mv)) {
            moves.retain(|mv| search_moves.contains(mv));
        }
        let complete = moves.len() == legal_count;
        RootMoves::new(moves, complete)
    }

    /// Ranks the root moves by the tablebases, so that no move is played that worsens the result. Returns true
    /// if the tablebases contain the root.
    fn rank_root_moves(&mut self, root: &Position) -> bool {
        let Some((tables, limit)) = self.tablebases.in_use() else { return false };
        if root.occupied().count() as usize > limit {
            return false;
        }
        let fifty_move_rule = self.tablebases.fifty_move_rule;
        let rule = if fifty_move_rule {
            let repeated = self.key_history.has_repeated_in_game(root.halfmove_clock());
            FiftyMoves::Counted { repeated }
        } else {
            FiftyMoves::Ignored
        };
        let Some(ranks) = tables.probe_root(root, rule) else { return false };
        if self.limits.is_main_thread() {
            self.limits.count_tb_hits(ranks.len() as u64);
        }
        self.root_moves.set_tb_ranks(|mv| {
            let rank = ranks.iter().find(|rank| rank.mv == mv)?;
            Some((rank.rank, tablebase::result(rank.wdl, fifty_move_rule, 0).value))
        });
        true
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
