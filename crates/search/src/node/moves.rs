//! What becomes of the moves: passed over, extended, reduced, searched.

use super::{Node, NodeKind, NonPv, Pv, has_pieces};
use crate::params;
use crate::picker::Picker;
use crate::pruning;
use crate::reduction::{self, PLY};
use crate::searcher::Searcher;
use tabiya_core::{Bound, Move, MoveList, TB_WIN_IN_MAX_PLY, VALUE_DRAW, Value};
use tabiya_movegen::{Position, see};

/// A line is extended by more than a ply at most so many times.
const DOUBLE_EXTENSIONS: i32 = 8;
/// A node below that cut off more often than this is likely to do so again.
const MANY_CUTOFFS: u32 = 3;

/// What the search without the table's move says about that move.
pub(super) enum Singular {
    /// Search it so many plies deeper (less deep, if negative).
    Extend(i32),
    /// It does not matter: another one is good enough, too, and the node worth so much.
    Refuted(Value),
}

/// What the moves of a node that have been tried came to.
pub(super) struct Tried {
    pub(super) best_value: Value,
    pub(super) best_move: Option<Move>,
    pub(super) move_count: i32,
    /// Those that were searched and were not the last: by them the order is learnt.
    pub(super) quiets: MoveList,
    pub(super) tactical: MoveList,
}

impl Tried {
    /// None yet; the node is worth `least` whatever they come to.
    #[inline(always)]
    pub(super) fn new(least: Value) -> Tried {
        Tried {
            best_value: least,
            best_move: None,
            move_count: 0,
            quiets: MoveList::new(),
            tactical: MoveList::new(),
        }
    }
}

impl Searcher<'_> {
    /// Steps 11 to 14 of a [node](Searcher::node), for each move. A value if the node is settled whatever
    /// the moves left are worth, or the search has been stopped.
    #[inline(always)]
    pub(super) fn try_moves<K: NodeKind>(
        &mut self,
        node: &Node<'_>,
        original_alpha: Value,
        tried: &mut Tried,
    ) -> Option<Value> {
        let &Node { position, ply, depth, beta, table_move, excluded, .. } = node;
        let mut picker = Picker::new(position, table_move);
        let mut alpha = original_alpha.max(tried.best_value);
        while let Some(mv) = picker.next(position, self.histories, &node.context) {
            if Some(mv) == excluded || (K::ROOT && !self.root_moves.is_wanted(mv)) {
                continue;
            }
            // At once: the trip to memory takes longer than all there is to decide and do before the probe.
            self.table.prefetch(position.likely_key_after(mv));
            tried.move_count += 1;
            if K::ROOT {
                self.report_current_move(mv, tried.move_count);
            }

            // 11. Is it worth trying at all?
            if self.features.selective
                && !K::ROOT
                && tried.best_value > -TB_WIN_IN_MAX_PLY
                && has_pieces(position, position.side_to_move())
                && self.is_hopeless(node, mv, tried.move_count, alpha, &mut picker)
            {
                continue;
            }

            // 12. Is it the only good one? Then it is searched deeper.
            let mut extension = 0;
            if self.features.selective && !K::ROOT && Some(mv) == table_move {
                match self.singular_extension::<K>(node, mv) {
                    Singular::Extend(plies) => extension = plies,
                    Singular::Refuted(value) => return Some(value),
                }
                if self.monitor.is_stopped() {
                    return Some(VALUE_DRAW);
                }
            }

            // 13. Search it.
            let nodes_before = self.monitor.nodes();
            let Some(child) = self.make(position, mv, ply) else { return Some(VALUE_DRAW) };
            let new_depth = depth - 1 + extension;
            self.stack[ply + 1].double_extensions =
                self.stack[ply].double_extensions + i32::from(extension > 1);
            let value = self.search_move::<K>(node, mv, &child, new_depth, tried.move_count, alpha);
            self.unmake();
            if self.monitor.is_stopped() {
                return Some(VALUE_DRAW);
            }
            if K::ROOT {
                let nodes = self.monitor.nodes() - nodes_before;
                let found = (tried.move_count == 1 || value > alpha).then_some((value, self.seldepth));
                self.root_moves.update(mv, found, original_alpha, beta, nodes, self.pv.line(1));
            }

            // 14. Better than the moves before? Too good for the opponent to allow?
            if value > tried.best_value {
                tried.best_value = value;
                if value > alpha {
                    tried.best_move = Some(mv);
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
                tried.quiets.push(mv);
            } else {
                tried.tactical.push(mv);
            }
        }
        None
    }

    /// May the move be passed over? May also tell the picker to pass over all quiet moves.
    pub(super) fn is_hopeless(
        &mut self,
        node: &Node<'_>,
        mv: Move,
        number: i32,
        alpha: Value,
        picker: &mut Picker,
    ) -> bool {
        let &Node { position, depth, .. } = node;
        if number >= pruning::late_move_count(depth, node.improving) {
            picker.skip_quiets();
        }
        // Checks force matters: sacrifices that mate begin with them, and there are few.
        if node.context.checks(position).gives_check(position, mv) {
            return false;
        }
        let reduced = (depth - reduction::late_move(depth, number) / PLY).max(0);
        let eval = self.stack[node.ply].static_eval;
        if mv.is_quiet() {
            let history = self.histories.quiet_for_pruning(&node.context, position, mv);
            if depth < pruning::HISTORY_DEPTH && history < pruning::history_needed(depth) {
                return true;
            }
            if let Some(eval) = eval
                && reduced < pruning::FUTILITY_DEPTH
                && eval + pruning::futility_margin(reduced, history) <= alpha
            {
                return true;
            }
            !see::see_ge(position, mv, pruning::quiet_exchange_margin(reduced))
        } else {
            let history = self.histories.capture(position, mv);
            if let Some(eval) = eval
                && reduced < pruning::FUTILITY_DEPTH
                && mv.promotion().is_none()
                && eval
                    + pruning::capture_futility_margin(reduced)
                    + see::captured_value(position, mv)
                    + history / params::futility_history_divisor()
                    <= alpha
            {
                return true;
            }
            !see::see_ge(position, mv, pruning::capture_exchange_margin(depth, history))
        }
    }

    /// Is the table's move the only good one? Looks at all others with half the depth.
    pub(super) fn singular_extension<K: NodeKind>(&mut self, node: &Node<'_>, mv: Move) -> Singular {
        let &Node { position, ply, depth, .. } = node;
        let Some(entry) = node.known else { return Singular::Extend(0) };
        if depth < pruning::SINGULAR_DEPTH
            || node.excluded.is_some()
            || entry.depth < depth - 3
            || entry.bound == Bound::Upper
            || entry.value.abs() >= TB_WIN_IN_MAX_PLY
            || ply >= 2 * self.iteration as usize
        {
            return Singular::Extend(0);
        }
        let goal = pruning::singular_beta(entry.value, depth);
        self.stack[ply].excluded = Some(mv);
        let value = self.node::<NonPv>(position, ply, (depth - 1) / 2, goal - 1, goal, node.cut_node);
        self.stack[ply].excluded = None;
        if value < goal {
            let mut plies = 1;
            if !K::PV
                && value < goal - params::singular_double_margin()
                && self.stack[ply].double_extensions < DOUBLE_EXTENSIONS
            {
                plies = if value < goal - params::singular_triple_margin() && mv.is_quiet() { 3 } else { 2 };
            }
            Singular::Extend(plies)
        } else if goal >= node.beta && !K::PV {
            // Multi-cut: another move refutes as well, even less deep. (Yngvi Björnsson and Tony
            // Marsland, *Multi-Cut Pruning in Alpha-Beta Search*, 1999.)
            Singular::Refuted(goal)
        } else if entry.value >= node.beta {
            Singular::Extend(-2)
        } else if node.cut_node {
            Singular::Extend(-1)
        } else {
            Singular::Extend(0)
        }
    }

    /// The value of a move that has been made: less deep first if it comes late, and with the window
    /// closed unless it comes first on the principal variation.
    pub(super) fn search_move<K: NodeKind>(
        &mut self,
        node: &Node<'_>,
        mv: Move,
        child: &Position,
        mut new_depth: i32,
        number: i32,
        alpha: Value,
    ) -> Value {
        let &Node { ply, depth, beta, cut_node, .. } = node;
        let mut value = alpha + 1;
        if self.features.selective && depth >= 2 && number > 1 + i32::from(K::ROOT) {
            let reduced = self.reduced_depth::<K>(node, mv, child, new_depth, number);
            value = -self.node::<NonPv>(child, ply + 1, reduced, -alpha - 1, -alpha, true);
            if value > alpha && reduced < new_depth && !self.monitor.is_stopped() {
                // Better than expected: look again in full, or even a ply deeper.
                new_depth += i32::from(value > alpha + params::deeper_margin() + 2 * new_depth);
                value = -self.node::<NonPv>(child, ply + 1, new_depth, -alpha - 1, -alpha, !cut_node);
                if mv.is_quiet() && !self.monitor.is_stopped() {
                    let bonus = crate::history::bonus(new_depth);
                    let bonus = if value <= alpha {
                        -bonus
                    } else if value >= beta {
                        bonus
                    } else {
                        0
                    };
                    self.histories.update_continuation(&node.context, node.position, mv, bonus);
                }
            }
        } else if !K::PV || number > 1 {
            value = -self.node::<NonPv>(child, ply + 1, new_depth, -alpha - 1, -alpha, !cut_node);
        }
        if K::PV && (number == 1 || (value > alpha && (K::ROOT || value < beta))) {
            value = -self.node::<Pv>(child, ply + 1, new_depth, -beta, -alpha, false);
        } else if K::PV {
            // The line below is that of an earlier move.
            self.pv.clear(ply + 1);
        }
        value
    }

    /// How deep a late move is searched at first.
    fn reduced_depth<K: NodeKind>(
        &self,
        node: &Node<'_>,
        mv: Move,
        child: &Position,
        new_depth: i32,
        number: i32,
    ) -> i32 {
        let mut reduction = reduction::late_move(node.depth, number);
        if node.on_pv {
            reduction -= params::reduction_pv();
        }
        if node.cut_node {
            reduction += params::reduction_cut_node();
        }
        if !node.improving {
            reduction += params::reduction_not_improving();
        }
        if node.known.is_some_and(|entry| entry.mv.is_some_and(|mv| !mv.is_quiet())) {
            reduction += params::reduction_table_capture();
        }
        if self.stack[node.ply + 1].cutoffs > MANY_CUTOFFS {
            reduction += params::reduction_cutoffs();
        }
        if child.in_check() {
            reduction -= params::reduction_check();
        }
        let history = if mv.is_quiet() {
            self.histories.quiets(&node.context, node.position).of(mv) / 2
        } else {
            reduction -= params::reduction_tactical();
            self.histories.capture(node.position, mv)
        };
        reduction -= history * 64 / params::reduction_history_divisor();
        (new_depth - reduction / PLY).clamp(1, (new_depth + i32::from(K::PV)).max(1))
    }
}
