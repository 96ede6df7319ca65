//! Search reports: principal variations, root moves in progress and the best move.

use crate::answer::{BestMove, Line};
use crate::report::{Info, SearchEvent};
use crate::root_moves::RootMove;
use crate::score::Score;
use crate::searcher::Searcher;
use crate::wdl::Wdl;
use std::time::Duration;
use tabiya_core::{Bound, INFINITE, MATE_IN_MAX_PLY, Move, VALUE_DRAW, Value, mated_in};
use tabiya_movegen::Position;

/// The time after which bounds and current moves are reported; earlier they change too fast to be read.
const VERBOSE_AFTER: Duration = Duration::from_secs(3);

impl Searcher<'_> {
    /// Reports all lines, best first.
    pub(crate) fn report_lines(&self, root: &Position, lines: usize) {
        let Some(report) = self.report else { return };
        let lines = self.lines(root, lines);
        report.lines(&lines);
        for (index, line) in lines.into_iter().enumerate() {
            self.send(SearchEvent::Info(self.info(index, line)));
        }
    }

    /// Reports the current line while its value is a bound, once the search takes long enough.
    pub(crate) fn report_bound(&self, root: &Position) {
        if self.is_verbose() {
            let line = self.line(root, self.root_moves.current(), INFINITE).1;
            self.send(SearchEvent::Info(self.info(self.root_moves.line(), line)));
        }
    }

    /// Reports the best move of another thread, and returns its line.
    pub(crate) fn report_best(&self, root: &Position, root_move: &RootMove) -> Line {
        let line = self.line(root, root_move, INFINITE).1;
        self.send(SearchEvent::Info(self.info(0, line.clone())));
        line
    }

    /// Returns up to `count` lines, but at least one, best first. Except for the first, those that have never been finished are left
    /// out.
    pub(crate) fn lines(&self, root: &Position, count: usize) -> Vec<Line> {
        let mut highest = INFINITE;
        let mut lines = Vec::new();
        for (index, root_move) in self.root_moves.moves().iter().take(count.max(1)).enumerate() {
            if index == 0 || root_move.latest_value() > -INFINITE {
                let (value, line) = self.line(root, root_move, highest);
                highest = value;
                lines.push(line);
            }
        }
        if lines.is_empty() {
            // The game is over, so its result is certain: the model has some wins and losses at the value of a draw.
            let (value, wdl) =
                if root.in_check() { (mated_in(0), Wdl::LOSS) } else { (VALUE_DRAW, Wdl::DRAW) };
            lines.push(Line { wdl, ..self.line_of_value(root, value) });
        }
        lines
    }

    /// Returns the value and the line of a root move; the value is at most `highest`.
    fn line(&self, root: &Position, root_move: &RootMove, highest: Value) -> (Value, Line) {
        let value = self.root_move_value(root_move);
        let bound = match root_move.value {
            // The tablebases prefer a move that wins, but the search has found a mate after this one.
            _ if value > highest => Bound::Lower,
            // A value from the previous iteration is exact, whatever this iteration's bound is.
            value if value == -INFINITE => Bound::Exact,
            _ if self.exact_tb_value(root_move).is_some() => Bound::Exact,
            _ => root_move.bound,
        };
        let value = value.min(highest);
        let line = Line {
            bound,
            depth: root_move.depth.max(1),
            seldepth: (root_move.seldepth as u32).max(1),
            pv: root_move.pv().to_vec(),
            ..self.line_of_value(root, value)
        };
        (value, line)
    }

    /// Returns a line without moves.
    fn line_of_value(&self, root: &Position, value: Value) -> Line {
        Line {
            score: Score::from_value(value),
            bound: Bound::Exact,
            wdl: Wdl::of(self.wdl_model, value, root.board()),
            depth: 0,
            seldepth: 0,
            pv: Vec::new(),
        }
    }

    /// Returns the value to report for a root move, from the root's point of view.
    fn root_move_value(&self, root_move: &RootMove) -> Value {
        self.exact_tb_value(root_move).unwrap_or_else(|| self.search_value(root_move))
    }

    /// Returns the tablebase value of a root move. `None` if there is none, or if the search has found a mate.
    fn exact_tb_value(&self, root_move: &RootMove) -> Option<Value> {
        root_move.tb_value.filter(|_| self.search_value(root_move).abs() < MATE_IN_MAX_PLY)
    }

    /// Returns the latest value of a root move or, if the search was stopped before the first move was finished, the static evaluation
    /// of the root.
    fn search_value(&self, root_move: &RootMove) -> Value {
        let latest = root_move.latest_value();
        if latest > -INFINITE { latest } else { self.root_static_eval }
    }

    /// Returns the report of a line, with the statistics of the search so far. These take time: sampling the TT costs as much as some
    /// tens of nodes.
    fn info(&self, index: usize, line: Line) -> Info {
        Info {
            depth: line.depth,
            seldepth: line.seldepth,
            multipv: index as u32 + 1,
            score: line.score,
            bound: line.bound,
            wdl: line.wdl,
            nodes: self.limits.all_nodes(),
            time: self.limits.elapsed(),
            hashfull: self.tt.hashfull(),
            tb_hits: self.limits.tb_hits(),
            pv: line.pv,
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
        if let Some(&reply) = best.pv().get(1) {
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
            report.event(event);
        }
    }
}
