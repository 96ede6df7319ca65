//! History updates of a node.
//!
//! Before the moves are searched, the continuation history of the opponent's last move is updated by the change of the evaluation, if it
//! was quiet. So moves into nodes that are pruned at once have a history, too.
//!
//! When the node is finished: if a move beat alpha, the history of the best move is raised and that of the other captures and promotions
//! searched is lowered, and that of the other quiet moves too if the best move is quiet. If no move beat
//! alpha, the opponent's last move was good, and its continuation history is raised if it was quiet. See
//! `history` for the tables and sources.

use super::Node;
use crate::history::{self, MoveContext};
use crate::params;
use crate::searcher::Searcher;
use tabiya_core::{Move, MoveList, Value};

/// The moves of a node that were searched and did not cut off.
pub(super) struct SearchedMoves {
    pub(super) quiets: MoveList,
    /// Captures and promotions.
    pub(super) tactical: MoveList,
}

impl Searcher<'_> {
    /// Updates the histories with the result of a node. `best_move` is `None` if the node failed low.
    #[inline(always)]
    pub(super) fn update_histories(
        &mut self,
        node: &Node<'_>,
        context: &MoveContext,
        best_move: Option<Move>,
        searched: &SearchedMoves,
    ) {
        if let Some(best) = best_move {
            self.update_move_histories(node, context, best, searched);
        } else if self.stack.before(node.ply, 1).moved_quiet {
            self.histories.update_previous_move(self.stack, node.ply, history::bonus(node.depth) / 2);
        }
    }

    /// Updates the continuation history of the opponent's last move, if it was quiet, by what it lost by the evaluation.
    #[inline(always)]
    pub(super) fn update_history_of_last_move(&mut self, ply: usize, lost: Value) {
        if self.stack.before(ply, 1).moved_quiet {
            let limit = params::eval_history_max();
            let bonus = (-params::eval_history_slope() * lost).clamp(-limit, limit);
            self.histories.update_previous_move(self.stack, ply, bonus);
        }
    }

    /// Raises the history of the best move and lowers that of the others.
    fn update_move_histories(
        &mut self,
        node: &Node<'_>,
        context: &MoveContext,
        best: Move,
        searched: &SearchedMoves,
    ) {
        let position = node.position;
        let (bonus, malus) = (history::bonus(node.depth), history::malus(node.depth));
        if best.is_quiet() {
            self.histories.update_quiet(context, position, best, bonus);
            for &mv in searched.quiets.iter().filter(|&&mv| mv != best) {
                self.histories.update_quiet(context, position, mv, -malus);
            }
        } else {
            self.histories.update_capture(position, best, bonus);
        }
        for &mv in searched.tactical.iter().filter(|&&mv| mv != best) {
            self.histories.update_capture(position, mv, -malus);
        }
    }
}
