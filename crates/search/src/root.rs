//! The root of the search: iterative deepening, aspiration windows, and the reports.

use crate::limits::Limits;
use crate::node::Root;
use crate::params;
use crate::report::{BestMove, Info, Score, SearchEvent};
use crate::root_moves::{RootMove, RootMoves};
use crate::searcher::Searcher;
use crate::threats::Threats;
use crate::time;
use crate::wdl::Wdl;
use crossbeam_channel::Sender;
use std::time::Duration;
use tabiya_core::{
    Bound, INFINITE, Key, MATE, MATE_IN_MAX_PLY, MAX_PLY, Move, TB_WIN_IN_MAX_PLY, VALUE_DRAW, Value,
    mate_in, mated_in,
};
use tabiya_movegen::Position;

/// The last iteration: the root and this many plies fit into the arrays.
const MAX_DEPTH: u32 = MAX_PLY as u32 - 1;
/// Iterations after which the only legal move is played without further thought.
const FORCED_MOVE_DEPTH: u32 = 4;
/// Iterations from here on are searched with a window around the value of the last one.
const ASPIRATION_DEPTH: u32 = 4;
/// Bounds and current moves are reported only once a search takes this long: before, nobody could read
/// them.
const CHATTY_AFTER: Duration = Duration::from_secs(3);

/// How many plies deeper than a mate is long it is looked for by the ordinary search.
const MATE_MARGIN: u32 = 4;
/// Tells the table's entries of the search for mates from others.
const MATE_SALT: Key = 0x6d61_7465_6d61_7465;

/// What a thread has found.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    /// The last iteration that has come to anything.
    pub(crate) depth: u32,
    /// The best move; `None` if there is no legal one.
    pub(crate) best: Option<RootMove>,
}

impl Searcher<'_> {
    /// Searches the root, deeper and deeper, until a limit is reached.
    ///
    /// Why again and again: each iteration costs little against the next one, fills the table, and
    /// brings the moves into an order with which the next prunes so much more that the whole is
    /// faster than the last iteration alone would be. And there is an answer at any time. (David Slate
    /// and Larry Atkin, *Chess 4.5*, 1977; the guide sorts its root moves like this.)
    pub(crate) fn think(&mut self, root: &Position, limits: &Limits) -> Finding {
        self.stack.reset(root.board());
        self.evaluator.set_root(root);
        self.root_moves = self.find_root_moves(root, &limits.search_moves);
        // Where the outcome is kept at the root, the search is left to find the way.
        self.probes_in_tree = !self.rank_root(root);
        let count = self.root_moves.moves().len();
        if count == 0 {
            self.report_no_moves(root);
            return Finding { depth: 0, best: None };
        }
        self.first_sight = if root.in_check() { VALUE_DRAW } else { self.evaluator.evaluate(root) };
        let lines = limits.multipv.clamp(1, count);
        let mut finding = Finding { depth: 1, best: None };
        let mut progress = time::Progress::default();
        let mut reported = None;
        for depth in 1..=max_depth(limits) {
            if depth > 1 {
                // Iterations can be shorter than the interval at which nodes look for orders.
                self.monitor.poll();
                if self.monitor.is_stopped() {
                    break;
                }
            }
            self.iteration = depth;
            self.root_moves.start_iteration();
            for line in 0..lines {
                self.root_moves.start_line(line);
                self.search_line(root, depth);
                self.root_moves.finish_line();
                if self.monitor.is_stopped() {
                    break;
                }
            }
            let best = &self.root_moves.moves()[0];
            if best.value > -INFINITE {
                finding.depth = depth;
            }
            if self.monitor.is_stopped() {
                break;
            }
            progress.iteration(best.mv, best.value, self.root_moves.share_of_best());
            self.report_lines(root, depth, lines);
            reported = Some(self.monitor.nodes());
            let settled = is_settled(count, self.root_moves.moves()[0].value, depth);
            if finds_mate(limits, self.root_moves.moves()[0].value)
                || self.monitor.is_time_up(settled, progress.share())
            {
                break;
            }
        }
        if let Some(plies) = self.prove_mate(root, limits) {
            finding.depth = finding.depth.max(plies);
        }
        if reported != Some(self.monitor.nodes()) {
            self.report_lines(root, finding.depth, lines);
        }
        finding.best = self.root_moves.moves().first().cloned();
        finding
    }

    /// Looks for the mate that was asked for without leaving anything out, should it not have been found yet:
    /// the shortest one, or the certainty that there is none. Returns the plies to it.
    ///
    /// Only mates are looked for, so that *mate distance pruning* ends every line that takes longer. What
    /// the table holds from this search is kept apart: to the ordinary one it would be worth little, and
    /// what that one left out must not count here.
    fn prove_mate(&mut self, root: &Position, limits: &Limits) -> Option<u32> {
        let moves = limits.mate?.min(limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH).div_ceil(2));
        if self.monitor.is_stopped() || finds_mate(limits, self.root_moves.moves()[0].value) {
            return None;
        }
        let former = self.root_moves.clone();
        self.features.selective = false;
        self.table_salt = MATE_SALT;
        for plies in (1..=moves).map(|moves| 2 * moves - 1) {
            self.iteration = plies;
            self.root_moves.start_iteration();
            let floor = mate_in(plies as Value) - 1;
            let value = self.node::<Root>(root, 0, plies as i32, floor, INFINITE, false);
            if self.monitor.is_stopped() {
                break;
            }
            if value > floor {
                self.root_moves.sort();
                return Some(plies);
            }
        }
        self.root_moves = former;
        None
    }

    /// The moves to search, in the order in which any node would try them.
    fn find_root_moves(&mut self, root: &Position, wanted: &[Move]) -> RootMoves {
        let known = self.probe(root, 0).and_then(|entry| entry.mv);
        let mut picker = crate::picker::Picker::new(root, known);
        let context = crate::history::Context::new(root, self.stack, 0, Threats::default());
        let mut moves = Vec::new();
        while let Some(mv) = picker.next(root, self.histories, &context) {
            moves.push(mv);
        }
        let all = moves.len();
        if moves.iter().any(|mv| wanted.contains(mv)) {
            moves.retain(|mv| wanted.contains(mv));
        }
        let complete = moves.len() == all;
        RootMoves::new(moves, complete)
    }

    /// Searches one line of an iteration, with a window around the value expected that grows until the
    /// value lies in it.
    ///
    /// Why: a small window cuts off more. The cost of a second search is less than what all the others
    /// save. (Murray Campbell and Tony Marsland, *A
    /// Comparison of Minimax Tree Search Algorithms*, 1983.)
    fn search_line(&mut self, root: &Position, depth: u32) {
        self.seldepth = 0;
        let expected = self.root_moves.current().previous;
        let mut width = params::aspiration_width();
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= ASPIRATION_DEPTH && self.features.selective && expected.abs() < TB_WIN_IN_MAX_PLY {
            (alpha, beta) = (expected - width, expected + width);
        }
        // How much less deep the search is made again.
        let mut less = 0;
        loop {
            let reduced = (depth as i32 - less).max(1);
            let value = self.node::<Root>(root, 0, reduced, alpha.max(-INFINITE), beta.min(INFINITE), false);
            if value > -INFINITE || !self.monitor.is_stopped() {
                self.root_moves.sort();
            }
            if self.monitor.is_stopped() {
                return;
            }
            if value <= alpha {
                beta = (alpha + beta) / 2;
                alpha = value - width;
                less = 0;
            } else if value >= beta {
                beta = value + width;
                // The value is known to be good; how good exactly, a little less deep will tell.
                less = (less + 1).min(3);
            } else {
                return;
            }
            if self.monitor.leads() && self.monitor.elapsed() > CHATTY_AFTER {
                self.report_line(root, depth, self.root_moves.line());
            }
            width += width * params::aspiration_growth() / 64;
            if width > 500 || value.abs() >= TB_WIN_IN_MAX_PLY {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// The end of the search for the leading thread: the answer.
    pub(crate) fn answer(&self, root: &Position, best: Option<&RootMove>) -> BestMove {
        BestMove {
            best: best.map(|best| best.mv),
            ponder: best.and_then(|best| self.expected_answer(root, best)),
        }
    }

    /// What the opponent is expected to answer: the second move of the line, or what the table has.
    fn expected_answer(&self, root: &Position, best: &RootMove) -> Option<Move> {
        if let Some(&answer) = best.pv.get(1) {
            return Some(answer);
        }
        let mut child = root.clone();
        child.play_unchecked(best.mv);
        self.probe(&child, 1).and_then(|entry| entry.mv).filter(|&mv| child.is_legal(mv))
    }

    /// Reports every line, the best first.
    fn report_lines(&self, root: &Position, depth: u32, lines: usize) {
        (0..lines).for_each(|line| self.report_line(root, depth, line));
    }

    fn report_line(&self, root: &Position, depth: u32, line: usize) {
        let Some(root_move) = self.root_moves.moves().get(line) else { return };
        self.report_root_move(root, depth, line, root_move);
    }

    /// Reports a move that another thread may have found.
    pub(crate) fn report_root_move(&self, root: &Position, depth: u32, line: usize, root_move: &RootMove) {
        // Not even one move may have been finished.
        let value = if root_move.latest() > -INFINITE { root_move.latest() } else { self.first_sight };
        // What the tablebases know is shown, unless a mate has been found.
        let value = root_move.outcome.filter(|_| value.abs() < MATE_IN_MAX_PLY).unwrap_or(value);
        let exact = root_move.value == -INFINITE;
        self.report(Info {
            depth,
            seldepth: (root_move.seldepth as u32).max(1),
            multipv: line as u32 + 1,
            score: Score::from_value(value),
            bound: if exact { Bound::Exact } else { root_move.bound },
            wdl: Wdl::of(value, root.board()),
            nodes: self.monitor.all_nodes(),
            time: self.monitor.elapsed(),
            hashfull: self.table.hashfull(),
            tb_hits: self.monitor.table_hits(),
            pv: root_move.pv.clone(),
        });
    }

    fn report_no_moves(&self, root: &Position) {
        let value = if root.in_check() { mated_in(0) } else { VALUE_DRAW };
        self.report(Info {
            depth: 0,
            seldepth: 0,
            multipv: 1,
            score: Score::from_value(value),
            bound: Bound::Exact,
            wdl: Wdl::of(value, root.board()),
            nodes: self.monitor.all_nodes(),
            time: self.monitor.elapsed(),
            hashfull: self.table.hashfull(),
            tb_hits: self.monitor.table_hits(),
            pv: Vec::new(),
        });
    }

    /// Reports the root move that is about to be searched.
    pub(crate) fn report_current_move(&self, mv: Move, number: i32) {
        if self.monitor.leads() && self.monitor.elapsed() > CHATTY_AFTER {
            let number = number as u32 + self.root_moves.line() as u32;
            self.send(SearchEvent::CurrentMove { depth: self.iteration, mv, number });
        }
    }

    fn report(&self, info: Info) {
        if self.monitor.leads() {
            self.send(SearchEvent::Info(info));
        }
    }

    fn send(&self, event: SearchEvent) {
        // Nobody may be listening any more.
        let _ = self.reports.map(|reports: &Sender<SearchEvent>| reports.send(event));
    }
}

/// The last iteration to search.
fn max_depth(limits: &Limits) -> u32 {
    let depth = limits.depth.unwrap_or(MAX_DEPTH);
    // A search that leaves something out finds long mates fast and misses short ones now and then. Those
    // are left to the one that leaves out nothing.
    let mate = limits.mate.map_or(MAX_DEPTH, |moves| moves.saturating_mul(2).saturating_add(MATE_MARGIN));
    depth.min(mate).clamp(1, MAX_DEPTH)
}

/// Is this the mate that was asked for?
fn finds_mate(limits: &Limits, value: Value) -> bool {
    let Some(moves) = limits.mate else { return false };
    let plies = i64::from(moves) * 2 - 1;
    value >= MATE_IN_MAX_PLY && i64::from(MATE - value) <= plies
}

/// Would deeper iterations find the same? So it is where there is only one move, and where a mate has
/// been found that a search as deep as this would hardly miss a shorter one of.
fn is_settled(moves: usize, value: Value, depth: u32) -> bool {
    let distance = MATE - value.abs();
    (moves == 1 && depth >= FORCED_MOVE_DEPTH) || (distance <= MAX_PLY && distance <= depth as Value)
}
