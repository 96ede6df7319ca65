//! Giving up a node without trying all of its moves.

use super::evals::StaticEvals;
use super::{Node, NonPv, has_pieces};
use crate::picker::Picker;
use crate::pruning;
use crate::searcher::Searcher;
use crate::stack::NO_PIECE_TO;
use crate::tt::Entry;
use tabiya_core::{Bound, TB_WIN_IN_MAX_PLY, Value, is_decisive};
use tabiya_movegen::Position;

/// Depths from here on are deep enough for ProbCut.
const PROBCUT_DEPTH: i32 = 5;

impl Searcher<'_> {
    /// The value of a node that need not be searched, judged by its evaluation. Not in check, nor on the
    /// principal variation.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn prune_node(
        &mut self,
        position: &Position,
        ply: usize,
        depth: i32,
        alpha: Value,
        beta: Value,
        cut_node: bool,
        evals: StaticEvals,
        improving: bool,
    ) -> Option<Value> {
        let eval = evals.refined;

        // Razoring: so bad that only captures could help.
        if !is_decisive(alpha) && eval + pruning::razoring_margin(depth) < alpha {
            let value = self.quiescence::<NonPv>(position, ply, true, alpha, beta);
            if value <= alpha {
                return Some(value);
            }
        }

        // Reverse futility: so good that the opponent cannot come back.
        if depth < pruning::REVERSE_FUTILITY_DEPTH
            && !is_decisive(beta)
            && !is_decisive(eval)
            && eval - pruning::reverse_futility_margin(depth, improving) >= beta
        {
            return Some((eval + beta) / 2);
        }

        // Null move: good enough even if the opponent moves twice.
        if cut_node
            && eval >= beta
            && evals.corrected >= beta + pruning::null_move_margin(depth)
            && beta > -TB_WIN_IN_MAX_PLY
            && ply >= self.null_moves_from
            && self.stack.before(ply, 1).moved != NO_PIECE_TO
            && has_pieces(position, position.side_to_move())
        {
            return self.null_move(position, ply, depth, beta, eval - beta);
        }
        None
    }

    /// Lets the opponent move twice. Is it still at least `beta`?
    fn null_move(
        &mut self,
        position: &Position,
        ply: usize,
        depth: i32,
        beta: Value,
        above_beta: Value,
    ) -> Option<Value> {
        let reduced = depth - pruning::null_move_reduction(depth, above_beta);
        let mut child = position.clone();
        child.play_null();
        self.table.prefetch(child.key());
        self.stack[ply].moved = NO_PIECE_TO;
        self.stack[ply].moved_quiet = false;
        self.stack[ply + 1].keys = self.stack[ply].keys;
        let barrier = self.path.push_null(child.key());
        if self.incremental_eval {
            self.evaluator.make_null_move(&child);
        }
        let value = -self.node::<NonPv>(&child, ply + 1, reduced, -beta, -beta + 1, false);
        self.path.pop_null(barrier);
        if self.incremental_eval {
            self.evaluator.unmake_move();
        }
        if self.monitor.is_stopped() || value < beta {
            return None;
        }
        // What is proven by moving twice is not proven.
        let value = if value >= TB_WIN_IN_MAX_PLY { beta } else { value };
        if depth < pruning::NULL_MOVE_VERIFICATION_DEPTH || self.null_moves_from > 0 {
            return Some(value);
        }
        // Zugzwang is rare but not rare enough: search on without the right to pass.
        self.null_moves_from = ply + (3 * reduced.max(0) / 4) as usize;
        let verified = self.node::<NonPv>(position, ply, reduced, beta - 1, beta, false);
        self.null_moves_from = 0;
        (verified >= beta && !self.monitor.is_stopped()).then_some(value)
    }

    /// ProbCut: a capture that is far above beta in a shallow search is taken for one that refutes.
    pub(super) fn probcut(&mut self, node: &Node<'_>, evals: StaticEvals) -> Option<Value> {
        let &Node { position, ply, depth, beta, known, .. } = node;
        let goal = pruning::probcut_beta(beta, node.improving);
        if depth < PROBCUT_DEPTH
            || is_decisive(beta)
            || is_decisive(goal)
            || known.is_some_and(|entry| entry.depth > depth - PROBCUT_DEPTH + 1 && entry.value < goal)
        {
            return None;
        }
        let mut picker = Picker::winning(position, node.table_move, goal - evals.corrected);
        while let Some(mv) = picker.next(position, self.histories, &node.context) {
            if picker.is_at_losing_moves() {
                break;
            }
            self.table.prefetch(position.likely_key_after(mv));
            let child = self.make(position, mv, ply)?;
            let mut value = -self.quiescence::<NonPv>(&child, ply + 1, true, -goal, -goal + 1);
            let reduced = depth - pruning::PROBCUT_REDUCTION;
            if value >= goal && reduced > 1 {
                value = -self.node::<NonPv>(&child, ply + 1, reduced, -goal, -goal + 1, !node.cut_node);
            }
            self.unmake();
            if self.monitor.is_stopped() {
                return None;
            }
            if value >= goal {
                let entry = Entry {
                    mv: Some(mv),
                    value,
                    eval: Some(evals.raw),
                    depth: reduced + 1,
                    bound: Bound::Lower,
                    on_pv: node.on_pv,
                };
                self.store(position.key(), ply, &entry);
                return Some(value);
            }
        }
        None
    }
}
