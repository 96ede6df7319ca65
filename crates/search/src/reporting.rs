//! Search reports: principal variations, root moves in progress and the best move.

use crate::report::{BestMove, Info, Score, SearchEvent};
use crate::root_moves::RootMove;
use crate::searcher::Searcher;
use crate::wdl::Wdl;
use std::time::Duration;
use tabiya_core::{Bound, INFINITE, MATE_IN_MAX_PLY, Move, VALUE_DRAW, Value, mated_in};
use tabiya_movegen::Position;

/// The time after which bounds and current moves are reported; earlier they change too fast to be read.
const VERBOSE_AFTER: Duration = Duration::from_secs(3);

impl Searcher<'_> {
    /// Reports all lines, best first, but of lines that have never been finished only the first.
    pub(crate) fn report_lines(&self, root: &Position, lines: usize) {
        // The statistics take time: sampling the TT costs as much as some tens of nodes.
        if self.report.is_none() {
            return;
        }
        let mut highest = INFINITE;
        for (line, root_move) in self.root_moves.moves().iter().take(lines).enumerate() {
            if line == 0 || root_move.latest_value() > -INFINITE {
                highest = self.report_line(root, line, root_move, highest);
            }
        }
    }

    /// Reports the current line while its value is a bound, once the search takes long enough.
    pub(crate) fn report_bound(&self, root: &Position) {
        if self.is_verbose() {
            self.report_line(root, self.root_moves.line(), self.root_moves.current(), INFINITE);
        }
    }

    /// Reports the best move of another thread.
    pub(crate) fn report_best(&self, root: &Position, root_move: &RootMove) {
        self.report_line(root, 0, root_move, INFINITE);
    }

    /// Reports a line, whose value is at most `highest`, and returns the reported value.
    fn report_line(&self, root: &Position, line: usize, root_move: &RootMove, highest: Value) -> Value {
        let value = self.root_move_value(root_move);
        let bound = match root_move.value {
            // The tablebases prefer a move that wins, but the search has found a mate after this one.
            _ if value > highest => Bound::Lower,
            // A value from the previous iteration is exact, whatever this iteration's bound is.
            value if value == -INFINITE => Bound::Exact,
            _ => root_move.bound,
        };
        let value = value.min(highest);
        let info = self.info(root, root_move.depth.max(1), value);
        self.send(SearchEvent::Info(Info {
            seldepth: (root_move.seldepth as u32).max(1),
            multipv: line as u32 + 1,
            bound,
            pv: root_move.pv.clone(),
            ..info
        }));
        value
    }

    /// Returns the value to report for a root move, from the root's point of view.
    pub(crate) fn root_move_value(&self, root_move: &RootMove) -> Value {
        let latest = root_move.latest_value();
        // If the search was stopped before the first move was finished, there is only the static evaluation.
        let value = if latest > -INFINITE { latest } else { self.root_static_eval };
        // The tablebase value is exact, unless the search has found a mate.
        root_move.tb_value.filter(|_| value.abs() < MATE_IN_MAX_PLY).unwrap_or(value)
    }

    /// Reports a root without legal moves.
    pub(crate) fn report_no_moves(&self, root: &Position) {
        let value = if root.in_check() { mated_in(0) } else { VALUE_DRAW };
        self.send(SearchEvent::Info(self.info(root, 0, value)));
    }

    /// Returns a report with the statistics of the search so far.
    fn info(&self, root: &Position, depth: u32, value: Value) -> Info {
        Info {
            wdl: Wdl::of(self.wdl_model, value, root.board()),
            nodes: self.limits.all_nodes(),
            time: self.limits.elapsed(),
            hashfull: self.tt.hashfull(),
            tb_hits: self.limits.tb_hits(),
            ..Info::new(depth, Score::from_value(value))
        }
    }

    /// Reports the root move that is about to be searched, once the search takes long enough. `number` is its
    /// number on the current line, from 1.
    pub(crate) fn report_current_move(&self, mv: Move, number: i32) {
        if self.is_verbose() {
            let number = number as u32 + self.root_moves.line() as u32;
            self.send(SearchEvent::CurrentMove { depth: self.root_depth, mv, number });
        }
    }

    /// Returns the best move and the move to ponder on. `best` is `None` if there is no legal move.
    pub(crate) fn best_move(&self, root: &Position, best: Option<&RootMove>) -> BestMove {
        BestMove {
            best: best.map(|best| best.mv),
            ponder: best.and_then(|best| self.ponder_move(root, best)),
        }
    }

    /// Returns the expected reply: the second move of the line, or the TT move after the first.
    fn ponder_move(&self, root: &Position, best: &RootMove) -> Option<Move> {
        if let Some(&reply) = best.pv.get(1) {
            return Some(reply);
        }
        let mut child = root.clone();
        child.play_unchecked(best.mv);
        self.tt_probe(&child, 1).and_then(|entry| entry.mv).filter(|&mv| child.is_legal(mv))
    }

    fn is_verbose(&self) -> bool {
        self.report.is_some() && self.limits.elapsed() > VERBOSE_AFTER
    }

    fn send(&self, event: SearchEvent) {
        if let Some(report) = self.report {
            report(event);
        }
    }
}
