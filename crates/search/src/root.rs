//! The root of the search: iterative deepening, and the reports.

use crate::limits::Limits;
use crate::node::bound_of;
use crate::picker::Picker;
use crate::report::{BestMove, Bound, Info, Score, SearchEvent};
use crate::searcher::Searcher;
use crate::tt::Entry;
use crossbeam_channel::Sender;
use tabiya_core::Move;
use tabiya_eval::{INFINITE, MATE, MATE_IN_MAX_PLY, MAX_PLY, VALUE_DRAW, Value, mated_in};
use tabiya_movegen::Position;

/// The last iteration: the root and this many plies fit into the arrays.
const MAX_DEPTH: u32 = MAX_PLY as u32 - 1;
/// Iterations after which the only legal move is played without further thought.
const FORCED_MOVE_DEPTH: u32 = 4;

/// A move at the root, and what has been found out about it.
struct RootMove {
    mv: Move,
    /// The value from the last iteration that found it better than the moves before it.
    value: Value,
    /// The line that goes with `value`, the move first.
    pv: Vec<Move>,
}

/// Iterations as they are reported.
#[derive(Clone, Copy)]
struct Iteration {
    depth: u32,
    seldepth: usize,
}

impl Searcher<'_> {
    /// Searches the root, deeper and deeper, until a limit is reached; then waits until it may answer.
    ///
    /// Why again and again: each iteration costs little against the next one, fills the table, and
    /// brings the moves into an order with which the next prunes so much more that the whole is
    /// faster than the last iteration alone would be. And there is an answer at any time. (David Slate
    /// and Larry Atkin, *Chess 4.5*, 1977; the guide sorts its root moves like this.)
    pub(crate) fn think(
        &mut self,
        root: &Position,
        limits: &Limits,
        reports: &Sender<SearchEvent>,
    ) -> BestMove {
        let mut moves = self.root_moves(root, &limits.search_moves);
        if moves.is_empty() {
            let value = if root.in_check() { mated_in(0) } else { VALUE_DRAW };
            self.report(reports, Iteration { depth: 0, seldepth: 0 }, value, &[]);
            self.monitor.hold();
            return BestMove::default();
        }

        // Should not even one move be finished, this is the answer.
        moves[0].value = self.evaluation.evaluate(root);
        let mut reported = None;
        let mut last = Iteration { depth: 1, seldepth: 1 };
        for depth in 1..=max_depth(limits) {
            if depth > 1 {
                // Iterations can be shorter than the interval at which nodes look for orders.
                self.monitor.poll();
                if self.monitor.is_stopped() {
                    break;
                }
            }
            self.seldepth = 0;
            let finished = self.search_root(root, &mut moves, depth);
            if finished > 0 {
                last = Iteration { depth, seldepth: self.seldepth };
            }
            if self.monitor.is_stopped() {
                break;
            }
            self.report(reports, last, moves[0].value, &moves[0].pv);
            reported = Some(self.monitor.nodes());
            if finds_mate(limits, moves[0].value) || self.monitor.is_time_up(is_settled(&moves, depth)) {
                break;
            }
        }
        if reported != Some(self.monitor.nodes()) {
            self.report(reports, last, moves[0].value, &moves[0].pv);
        }
        self.monitor.hold();
        BestMove { best: Some(moves[0].mv), ponder: self.expected_answer(root, &moves[0]) }
    }

    /// The moves to search, in the order in which any node would try them.
    fn root_moves(&mut self, root: &Position, wanted: &[Move]) -> Vec<RootMove> {
        let known = self.probe(root.key(), 0).and_then(|entry| entry.mv);
        let mut picker = Picker::new(root, known, [None; 2]);
        let mut moves = Vec::new();
        while let Some(mv) = picker.next(root, self.history) {
            moves.push(RootMove { mv, value: -INFINITE, pv: vec![mv] });
        }
        if moves.iter().any(|root_move| wanted.contains(&root_move.mv)) {
            moves.retain(|root_move| wanted.contains(&root_move.mv));
        }
        moves
    }

    /// One iteration. Returns how many moves it has finished, all of them unless it was stopped; the
    /// moves are sorted then, the best one first, the others in their former order.
    fn search_root(&mut self, root: &Position, moves: &mut [RootMove], depth: u32) -> usize {
        // As in any other node: the check extension, then the moves, the first one with the open window.
        let depth = depth as i32 + i32::from(root.in_check());
        let (mut alpha, beta) = (-INFINITE, INFINITE);
        let mut finished = 0;
        for (index, root_move) in moves.iter_mut().enumerate() {
            let Some(child) = self.make(root, root_move.mv) else { break };
            self.pv.clear(1);
            let mut value = INFINITE;
            if index > 0 {
                value = -self.node::<false>(&child, 1, depth - 1, -alpha - 1, -alpha);
            }
            if value > alpha && !self.monitor.is_stopped() {
                value = -self.node::<true>(&child, 1, depth - 1, -beta, -alpha);
            }
            self.unmake();
            if self.monitor.is_stopped() {
                break;
            }
            finished += 1;
            root_move.value = -INFINITE;
            if value > alpha {
                alpha = value;
                root_move.value = value;
                root_move.pv.truncate(1);
                root_move.pv.extend_from_slice(self.pv.line(1));
            }
        }
        if finished > 0 {
            moves[finished..].iter_mut().for_each(|root_move| root_move.value = -INFINITE);
            moves.sort_by_key(|root_move| std::cmp::Reverse(root_move.value));
        }
        // What the best of some moves is worth says nothing about the position.
        if finished == moves.len() && finished == root.count_legal_moves() {
            let RootMove { mv, value, .. } = moves[0];
            let bound = bound_of(value, -INFINITE, beta);
            self.store(root.key(), 0, &Entry { mv: Some(mv), value, eval: None, depth, bound });
        }
        finished
    }

    /// What the opponent is expected to answer: the second move of the line, or what the table has.
    fn expected_answer(&self, root: &Position, best: &RootMove) -> Option<Move> {
        if let Some(&answer) = best.pv.get(1) {
            return Some(answer);
        }
        let mut child = root.clone();
        child.play_unchecked(best.mv);
        self.probe(child.key(), 1).and_then(|entry| entry.mv).filter(|&mv| child.is_legal(mv))
    }

    fn report(&self, reports: &Sender<SearchEvent>, iteration: Iteration, value: Value, pv: &[Move]) {
        let info = Info {
            depth: iteration.depth,
            seldepth: iteration.seldepth as u32,
            multipv: 1,
            score: Score::from_value(value),
            bound: Bound::Exact,
            nodes: self.monitor.nodes(),
            time: self.monitor.elapsed(),
            hashfull: self.table.hashfull(),
            pv: pv.to_vec(),
        };
        // Nobody may be listening any more.
        let _ = reports.send(SearchEvent::Info(info));
    }
}

/// The last iteration to search.
fn max_depth(limits: &Limits) -> u32 {
    let depth = limits.depth.unwrap_or(MAX_DEPTH);
    // A mate in n moves is 2n - 1 plies deep. Nothing is pruned, so none deeper than that is missed
    // above, and there is none if none is found.
    let mate = limits.mate.map_or(MAX_DEPTH, |moves| moves.saturating_mul(2).saturating_sub(1));
    depth.min(mate).clamp(1, MAX_DEPTH)
}

/// Is this the mate that was asked for?
fn finds_mate(limits: &Limits, value: Value) -> bool {
    let Some(moves) = limits.mate else { return false };
    let plies = i64::from(moves) * 2 - 1;
    value >= MATE_IN_MAX_PLY && i64::from(MATE - value) <= plies
}

/// Would deeper iterations find the same? So it is where there is only one move, and where a mate has
/// been found that cannot be shorter, as everything up to its depth has been searched.
fn is_settled(moves: &[RootMove], depth: u32) -> bool {
    let distance = MATE - moves[0].value.abs();
    (moves.len() == 1 && depth >= FORCED_MOVE_DEPTH) || (distance <= MAX_PLY && distance <= depth as Value)
}
