//! The search of one node, step by step.
//!
//! To learn the search, read [`Searcher::node`] top to bottom and follow each step to its file:
//!
//! | step | technique | file |
//! |---|---|---|
//! | - | iterative deepening, MultiPV | `root/deepening` |
//! | - | aspiration windows | `root/aspiration` |
//! | - | mate search (proof-number search) | `root/mate_search` |
//! | - | principal variation search (PVS) | `node` |
//! | 1, 3 | repetitions, draws by rule | `repetition`, `draw` |
//! | 2 | quiescence search | `quiescence` |
//! | 3 | mate distance pruning | `mate_distance` |
//! | 4, 23 | transposition table (TT) | `tt`, `searcher` |
//! | 5 | tablebase probes | `node/tablebase` |
//! | 6 | static evaluation, improving | `static_eval` |
//! | 7 | depth in hindsight of a reduction | `node/hindsight` |
//! | 8 | razoring | `node/razoring` |
//! | 9 | reverse futility pruning (RFP) | `node/reverse_futility` |
//! | 10 | null-move pruning (NMP) | `node/null_move` |
//! | 11 | internal iterative reduction (IIR) | `node/internal_reduction` |
//! | 12 | ProbCut | `node/probcut` |
//! | 13 | move ordering: stages, histories, threats | `picker`, `history`, `threat_bonus` |
//! | 14 | late move pruning (LMP) | `node/late_move_pruning` |
//! | 14 | history pruning | `node/history_pruning` |
//! | 14 | futility pruning | `node/futility` |
//! | 14 | pruning by static exchange evaluation (SEE) | `node/see_pruning` |
//! | 15 | singular extensions, multi-cut | `node/singular` |
//! | 17 | late move reductions (LMR) | `node/late_move_reduction` |
//! | 7, 21 | history updates | `node/history_update` |
//! | 22 | correction history | `history/correction` |
//!
//! Pruning, reductions and extensions, except for mate distance pruning, run only if `Features::selective` is on: tests switch it off and compare the search with negamax.
//!
//! Threads and the vote among their results are in `worker` and `vote`, time management and limits in `time`
//! and `limit_checker`.

mod futility;
mod hindsight;
mod history_pruning;
mod history_update;
mod internal_reduction;
mod late_move_pruning;
mod late_move_reduction;
mod null_move;
mod probcut;
mod razoring;
mod reverse_futility;
mod see_pruning;
mod singular;
mod tablebase;

use crate::draw::rule_draw;
use crate::history::MoveContext;
use crate::mate_distance;
use crate::node_type::{NodeType, NonPv, Pv};
use crate::picker::Picker;
use crate::searcher::Searcher;
use crate::static_eval::Evals;
use crate::tablebase::value_range;
use crate::tt::TtEntry;
use crate::window::bound_of;
use history_update::SearchedMoves;
use late_move_reduction::LateMove;
use singular::Singular;
use tabiya_core::{
    Bound, INFINITE, KNOWN_WIN, MAX_PLY, Move, MoveList, PieceType, VALUE_DRAW, Value, is_loss, mated_in,
};
use tabiya_movegen::{Position, Threats};

/// The properties of a node that pruning, reductions and extensions depend on.
struct Node<'a> {
    position: &'a Position,
    ply: usize,
    /// The remaining depth, in plies.
    depth: i32,
    beta: Value,
    /// True if the node is expected to fail high.
    cut_node: bool,
    /// True in a PV node, and if the TT entry says that the position has been on a PV; a singular search has no entry.
    tt_pv: bool,
    /// True if the static evaluation reaches beta, or is higher than at the side's previous move, or the one before that if it was in
    /// check then; false in check.
    improving: bool,
    /// The TT entry of the position; `None` in a singular search.
    tt_entry: Option<TtEntry>,
    /// The move to try first: from the TT, at the root from the previous iteration.
    tt_move: Option<Move>,
    /// The move that a singular search excludes.
    excluded: Option<Move>,
    /// `None` in check.
    evals: Option<Evals>,
}

impl Node<'_> {
    /// Returns true if the side to move has a piece besides king and pawns, so that zugzwang is unlikely.
    #[inline]
    fn has_non_pawn_material(&self) -> bool {
        let position = self.position;
        let pawns_and_kings = position.by_type(PieceType::Pawn) | position.by_type(PieceType::King);
        (position.by_color(position.side_to_move()) - pawns_and_kings).any()
    }
}

#[cfg(test)]
impl<'a> Node<'a> {
    /// Creates a node with beta 0, without a TT entry or evaluation.
    fn for_test(position: &'a Position, depth: i32) -> Node<'a> {
        Node {
            position,
            ply: 1,
            depth,
            beta: 0,
            cut_node: false,
            tt_pv: false,
            improving: false,
            tt_entry: None,
            tt_move: None,
            excluded: None,
            evals: None,
        }
    }
}

impl Searcher<'_> {
    /// Searches a position and returns its value for the side to move if that lies between `alpha` and
    /// `beta`. Otherwise returns a lower bound of at least `beta` (fail high) or an upper bound of at most
    /// `alpha` (fail low); a bound may lie outside the window (*fail-soft* alpha-beta).
    ///
    /// This is principal variation search: PV nodes have an open window, and all others a zero window, in
    /// which they can only fail high or low. The first move of a PV node is searched with the open window;
    /// each later one must first beat alpha with a zero window. Source: Marsland and Campbell, *Parallel
    /// Search of Strongly Ordered Game Trees*, 1982.
    ///
    /// `cut_node` is true if the node is expected to fail high.
    ///
    /// The value is meaningless once the search [has been
    /// stopped](crate::limit_checker::LimitChecker::is_stopped).
    pub(crate) fn node<K: NodeType>(
        &mut self,
        position: &Position,
        ply: usize,
        mut depth: i32,
        mut alpha: Value,
        mut beta: Value,
        cut_node: bool,
    ) -> Value {
        debug_assert!(-INFINITE <= alpha && alpha < beta && beta <= INFINITE);
        debug_assert!(K::PV || alpha == beta - 1);
        debug_assert!(!(K::PV && cut_node));
        let selective = self.features.selective;
        if K::PV {
            self.pv.clear(ply);
        }

        // Step 1. Repetitions. If the side to move can repeat a position, the value is at least a draw.
        if !K::ROOT {
            let clock = position.halfmove_clock();
            if self.features.repetitions && self.key_history.is_repetition(clock) {
                return VALUE_DRAW;
            }
            if selective
                && alpha < VALUE_DRAW
                && self.key_history.has_upcoming_repetition(clock, position.occupied())
            {
                alpha = VALUE_DRAW;
                if alpha >= beta {
                    return alpha;
                }
            }
        }

        // Step 2. Quiescence search at depth 0. The non-selective search extends checks by a ply, as the
        // ChessBin tutorial does.
        let in_check = position.in_check();
        if in_check && !selective {
            depth += 1;
        }
        if depth <= 0 {
            return self.quiescence::<K>(position, ply, true, alpha, beta);
        }
        self.seldepth = self.seldepth.max(ply);

        // Step 3. Draws by rule, the maximum ply, and mate distance pruning. Skipped at the root, which needs
        // a move.
        if !K::ROOT {
            if let Some(value) = rule_draw(position, ply) {
                return value;
            }
            if ply >= MAX_PLY as usize - 1 {
                return self.value_at_max_ply(position);
            }
            (alpha, beta) = mate_distance::narrow_window(ply, alpha, beta);
            if alpha >= beta {
                return alpha;
            }
        }

        // Step 4. Transposition table. No cutoff in PV nodes: it would cut the PV short.
        let excluded = self.stack[ply].excluded;
        let tt_entry = if excluded.is_some() { None } else { self.tt_probe(position, ply) };
        if let Some(entry) = &tt_entry
            && !K::PV
            && self.is_tt_cutoff(entry, position, depth, alpha, beta)
        {
            return entry.value;
        }
        let tt_pv = K::PV || tt_entry.is_some_and(|entry| entry.is_pv);
        // At the root the previous iteration's best move: the TT move may belong to another MultiPV line or
        // be excluded by `searchmoves`.
        let tt_move =
            if K::ROOT { Some(self.root_moves.current().mv) } else { tt_entry.and_then(|entry| entry.mv) };

        // Step 5. Tablebases.
        let tb_result = if K::ROOT || excluded.is_some() {
            None
        } else {
            self.probe_tablebases(position, ply, depth, tt_pv)
        };
        if let Some(tb) = tb_result
            && tb.is_cutoff(alpha, beta)
        {
            return tb.value;
        }
        let (tb_min, tb_max) = value_range(tb_result);

        // Step 6. Static evaluation.
        let evals = (!in_check).then(|| self.evals(position, ply, tt_entry.as_ref(), tt_pv));
        self.stack[ply].static_eval = evals.map(|evals| evals.corrected);
        let improving = evals.is_some_and(|evals| self.is_improving(ply, evals.corrected, beta));
        self.stack.begin_node(ply);
        let mut node = Node {
            position,
            ply,
            depth,
            beta,
            cut_node,
            tt_pv,
            improving,
            tt_entry,
            tt_move,
            excluded,
            evals,
        };

        // Step 7. Hindsight. The evaluation shows what the last move has lost: whether its reduction was right, and its history.
        if selective
            && !K::ROOT
            && excluded.is_none()
            && let Some(lost) = evals.and_then(|evals| self.lost_by_last_move(ply, evals.corrected))
        {
            node.depth += hindsight::depth_in_hindsight(&node, self.stack.before(ply, 1).reduction, lost);
            self.update_history_of_last_move(ply, lost);
        }

        // Steps 8 to 10 and 12 prune the whole node. They are skipped in check, in PV nodes and in singular
        // searches.
        let prunable = if selective && !K::PV && excluded.is_none() { evals } else { None };
        if let Some(evals) = prunable {
            // Step 8. Razoring.
            if let Some(value) = self.razoring(&node, evals) {
                return value;
            }
            // Step 9. Reverse futility pruning.
            if let Some(value) = reverse_futility::reverse_futility_pruning(&node, evals) {
                return value;
            }
            // Step 10. Null-move pruning.
            if let Some(value) = self.null_move_pruning(&node, evals) {
                return value;
            }
        }

        // Step 11. Internal iterative reduction.
        if selective {
            node.depth -= internal_reduction::internal_iterative_reduction(&node, K::PV);
        }
        let depth = node.depth;

        // Step 12. ProbCut.
        let threats = Threats::of(position, !position.side_to_move());
        let context = MoveContext::new(position, self.stack, ply, threats);
        if let Some(evals) = prunable
            && let Some(value) = self.probcut(&node, &context, evals)
        {
            return value;
        }

        // Step 13. Loop over the moves in the picker's order.
        let original_alpha = alpha;
        let mut best_value = tb_min;
        alpha = alpha.max(best_value);
        let mut best_move = None;
        let mut move_count = 0;
        let mut has_overlooked = false;
        let mut searched = SearchedMoves { quiets: MoveList::new(), tactical: MoveList::new() };
        let mut picker = Picker::new(position, tt_move);
        while let Some(mv) = picker.next(position, self.histories, &context, self.picker_memory, ply) {
            if Some(mv) == excluded || (K::ROOT && !self.root_moves.is_searchable(mv)) {
                continue;
            }
            if !K::ROOT && !in_check && self.overlooks(position, mv, ply) {
                has_overlooked = true;
                continue;
            }
            // As early as possible: a cache miss takes longer than all the work before the child's probe.
            self.tt.prefetch(position.likely_key_after(mv));
            move_count += 1;
            if K::ROOT {
                self.report_current_move(mv, move_count);
            }

            // Step 14. Shallow-depth pruning, once a move has been found that does not lose by force: LMP,
            // history pruning, futility pruning and SEE pruning. Also in PV nodes and, except for futility
            // pruning, in check. All but LMP exempt moves that give check: there are few, and sacrifices that
            // mate begin with them.
            let prunes = selective && !K::ROOT && (!K::PV || self.features.pv_pruning);
            if prunes && !is_loss(best_value) && node.has_non_pawn_material() {
                if move_count >= late_move_pruning::move_limit(depth, improving) {
                    picker.skip_quiets();
                }
                if !context.check_info(position).gives_check(position, mv) {
                    let lmr_depth = late_move_reduction::lmr_depth(depth, move_count);
                    let history = if mv.is_quiet() {
                        self.histories.quiet_for_pruning(&context, position, mv)
                    } else {
                        self.histories.capture(position, mv)
                    };
                    if history_pruning::history_pruning(&node, mv, history)
                        || futility::futility_pruning(&node, mv, history, lmr_depth, alpha)
                        || see_pruning::see_pruning(&node, mv, history, lmr_depth)
                    {
                        continue;
                    }
                }
            }

            // Step 15. Singular extension of the TT move.
            let mut extension = 0;
            if selective && !K::ROOT && Some(mv) == tt_move {
                match self.singular_extension::<K>(&node, mv) {
                    Singular::Extend(plies) => extension = plies,
                    Singular::MultiCut(value) => return value,
                }
            }

            // Step 16. Make the move.
            let nodes_before = self.limits.nodes();
            let mut child = position.clone();
            if !self.make_move(position, mv, ply, &mut child) {
                return VALUE_DRAW;
            }
            let mut new_depth = depth - 1 + extension;
            self.stack[ply + 1].double_extensions =
                self.stack[ply].double_extensions + i32::from(extension > 1);

            // Step 17. Search the move: with a zero window, and with reduced depth if it comes late. In a PV
            // node the first move, and any later one that beats alpha, is searched with the open window.
            let mut value = alpha + 1;
            if selective && depth >= 2 && move_count > 1 + i32::from(K::ROOT) {
                let late_move = LateMove { mv, child: &child, number: move_count, depth: new_depth };
                (value, new_depth) = self.late_move_reduction::<K>(&node, &context, late_move, alpha);
            } else if !K::PV || move_count > 1 {
                value = -self.node::<NonPv>(&child, ply + 1, new_depth, -alpha - 1, -alpha, !cut_node);
            }
            if K::PV && (move_count == 1 || (value > alpha && (K::ROOT || value < beta))) {
                value = -self.node::<Pv>(&child, ply + 1, new_depth, -beta, -alpha, false);
            } else if K::PV {
                // The child's PV is still that of an earlier move.
                self.pv.clear(ply + 1);
            }
            self.unmake_move();
            if self.limits.is_stopped() {
                return VALUE_DRAW;
            }

            // Step 18. Root move values.
            if K::ROOT {
                let bound = bound_of(value, original_alpha, beta);
                let is_best = move_count == 1 || value > alpha;
                self.update_root_move(mv, value, bound, is_best, self.limits.nodes() - nodes_before);
            }

            // Step 19. Best move and cutoff.
            if value > best_value {
                best_value = value;
                if value > alpha {
                    best_move = Some(mv);
                    if K::PV {
                        self.pv.update(ply, mv);
                    }
                    if value >= beta {
                        self.stack[ply].cutoffs += 1;
                        if mv.is_quiet() {
                            self.stack[ply].killer = Some(mv);
                        }
                        break;
                    }
                    alpha = value;
                }
            }
            if mv.is_quiet() {
                searched.quiets.push(mv);
            } else {
                searched.tactical.push(mv);
            }
        }

        // Step 20. Checkmate and stalemate. In a singular search the excluded move was the only legal one. The value of a node
        // where every move is overlooked is its evaluation.
        if move_count == 0 {
            return match excluded {
                Some(_) => original_alpha,
                None if has_overlooked => evals.map_or(VALUE_DRAW, |evals| evals.corrected),
                None if in_check => mated_in(ply as Value),
                None => VALUE_DRAW,
            };
        }
        let best_value = best_value.min(tb_max);
        let bound = bound_of(best_value, original_alpha, beta);

        // Step 21. Histories.
        self.update_histories(&node, &context, best_move, &searched);

        // Step 22. Correction history: unless the best move is a capture or promotion, the bound is
        // consistent with the evaluation, the evaluation is a known win or draw, which is never corrected, or legal moves were excluded.
        let is_complete = excluded.is_none() && (!K::ROOT || self.root_moves.covers_position());
        if let Some(Evals { raw, corrected: eval, .. }) = evals
            && is_complete
            && raw.abs() < KNOWN_WIN
            && raw != VALUE_DRAW
            && best_move.is_none_or(Move::is_quiet)
            && !(bound == Bound::Lower && best_value <= eval)
            && !(bound == Bound::Upper && best_value >= eval)
        {
            self.histories.correction.update(best_value - eval, depth, position, self.stack, ply);
        }

        // Step 23. Store the result in the TT, unless legal moves were excluded (singular search, MultiPV,
        // `searchmoves`).
        if is_complete {
            let eval = evals.map(|evals| evals.raw);
            let entry = TtEntry { mv: best_move, value: best_value, eval, depth, bound, is_pv: tt_pv };
            self.tt_store(position.key(), ply, &entry);
        }
        best_value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kings_and_pawns_are_not_non_pawn_material() {
        let has = |side| {
            let fen = format!("4k3/pp6/8/8/8/8/PP6/R3K3 {side} - - 0 1");
            let position: Position = fen.parse().expect("a legal position");
            Node::for_test(&position, 1).has_non_pawn_material()
        };
        assert!(has('w') && !has('b'));
    }
}
