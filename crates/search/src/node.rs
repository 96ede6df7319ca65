//! One node of the search, above the horizon.

mod evals;
mod moves;
mod prune;

use crate::history::{self, Context};
use crate::searcher::Searcher;
use crate::stack::{NO_PIECE_TO, piece_to};
use crate::tablebase;
use crate::threats::Threats;
use crate::tt::Entry;
use evals::StaticEvals;
use tabiya_core::{
    Bound, Color, INFINITE, MAX_PLY, Move, MoveList, PieceType, VALUE_DRAW, Value, mate_in, mated_in,
};
use tabiya_movegen::Position;

/// Values from the table are not trusted from this half-move clock on: they come from searches that
/// saw the fifty-move draw further away, or not at all.
const FIFTY_MOVES_NEAR: u16 = 90;
/// Nodes of this depth or more that know no move to begin with are searched a ply less deep.
const INTERNAL_REDUCTION_DEPTH: i32 = 4;

/// What kind of node the search is at. A type, so that the compiler leaves out of each kind what the
/// others need.
pub(crate) trait NodeKind {
    /// Is the window open?
    const PV: bool;
    /// Is this the root?
    const ROOT: bool;
}

/// The root.
pub(crate) struct Root;
/// A node with an open window: one on the line of best play, or that might be.
pub(crate) struct Pv;
/// A node with a window of a single point: one that only has to prove to be better or worse.
pub(crate) struct NonPv;

impl NodeKind for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl NodeKind for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl NodeKind for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// What is known of a node before its moves are tried.
struct Node<'a> {
    position: &'a Position,
    ply: usize,
    depth: i32,
    beta: Value,
    /// Is this node expected to fail high?
    cut_node: bool,
    /// Is it on a principal variation, or was it in an earlier iteration?
    on_pv: bool,
    /// Is the evaluation better than at the side's move before?
    improving: bool,
    /// What the table knows; nothing while a move is left out.
    known: Option<Entry>,
    /// The move to try first.
    table_move: Option<Move>,
    /// The move left out, if there is one.
    excluded: Option<Move>,
    context: Context,
}

impl Searcher<'_> {
    /// The value of a position for its side to move, as far as it lies between `alpha` and `beta`;
    /// otherwise a bound on it on the same side (*fail-soft* alpha-beta).
    ///
    /// This is Principal Variation Search: the nodes along the line of best play have an open window;
    /// for all others the window is a single point, and the search only proves that they are better or
    /// worse. The first move is searched with the open window and expected to be the best; a later one
    /// has to prove that it is better before it gets one, too. (Tony Marsland and Murray Campbell,
    /// *Parallel Search of Strongly Ordered Game Trees*, 1982.)
    ///
    /// `cut_node` says that the node is expected to fail high: its parent's first move did not.
    ///
    /// The value means nothing once the search [is stopped](crate::control::Monitor::is_stopped).
    pub(crate) fn node<K: NodeKind>(
        &mut self,
        position: &Position,
        ply: usize,
        depth: i32,
        mut alpha: Value,
        mut beta: Value,
        cut_node: bool,
    ) -> Value {
        debug_assert!(-INFINITE <= alpha && alpha < beta && beta <= INFINITE);
        debug_assert!(K::PV || alpha == beta - 1);
        debug_assert!(!(K::PV && cut_node));

        // 1. A repetition is a draw.
        if K::PV {
            self.pv.clear(ply);
        }
        if !K::ROOT
            && let Some(value) = self.repetition(position, &mut alpha, beta)
        {
            return value;
        }

        // 2. Behind the horizon only captures count. Without selectivity a position in check is searched
        //    one ply deeper, as in the guide.
        let in_check = position.in_check();
        let mut depth = if in_check && !self.features.selective { depth + 1 } else { depth };
        if depth <= 0 {
            return self.quiescence::<K>(position, ply, true, alpha, beta);
        }
        self.seldepth = self.seldepth.max(ply);

        // 3. Does the line end here? The root's does not: it has to have a move.
        if !K::ROOT
            && let Some(value) = self.end_of_line(position, ply, in_check, &mut alpha, &mut beta)
        {
            return value;
        }

        // 4. What is known already? On the principal variation it only helps to order the moves, since a
        //    cut-off would end the line that is to be shown.
        let excluded = self.stack[ply].excluded;
        let known = if excluded.is_some() { None } else { self.probe(position, ply) };
        if let Some(entry) = &known
            && self.cuts_off::<K>(entry, position, depth, alpha, beta)
        {
            return entry.value;
        }
        let on_pv = K::PV || known.is_some_and(|entry| entry.on_pv);

        // 5. And by the tablebases? A win may be a mate, which is better still: with an open window the
        //    search goes on, within what they say.
        let looked_up =
            if K::ROOT || excluded.is_some() { None } else { self.probe_tables(position, ply, depth) };
        if let Some(found) = &looked_up
            && found.settles(alpha, beta)
        {
            return found.value;
        }
        let (least, most) = tablebase::limits(looked_up.as_ref());

        // 6. What is it worth at first sight?
        let evals = (!in_check).then(|| self.static_evals(position, ply, known.as_ref(), on_pv));
        self.stack[ply].static_eval = evals.map(|evals| evals.corrected);
        let improving = evals.is_some_and(|evals| self.is_improving(ply, evals.corrected));
        self.stack.begin_node(ply);

        // 7. Is that so clear that no move has to be tried?
        if let Some(evals) = evals
            && !K::PV
            && self.features.selective
            && excluded.is_none()
            && let Some(value) =
                self.prune_node(position, ply, depth, alpha, beta, cut_node, evals, improving)
        {
            return value;
        }

        // The move to try first. The root has an order of its own, by what its moves were worth: the table
        // knows neither what the further lines begin with nor which moves are asked for.
        let table_move =
            if K::ROOT { Some(self.root_moves.current().mv) } else { known.and_then(|entry| entry.mv) };

        // 8. Internal iterative reduction: where no move is known to begin with, ordering is poor and the
        //    search dear. The next iteration will know one. (Ed Schröder, 2021.)
        if self.features.selective
            && (K::PV || cut_node)
            && depth >= INTERNAL_REDUCTION_DEPTH
            && table_move.is_none()
            && excluded.is_none()
        {
            depth -= 1;
        }

        let threats = Threats::of(position, !position.side_to_move());
        let context = Context::new(position, self.stack, ply, threats);
        let node = Node {
            position,
            ply,
            depth,
            beta,
            cut_node,
            on_pv,
            improving,
            known,
            table_move,
            excluded,
            context,
        };

        // 9. Does a capture refute?
        if let Some(evals) = evals
            && !K::PV
            && self.features.selective
            && excluded.is_none()
            && let Some(value) = self.probcut(&node, evals)
        {
            return value;
        }

        // 10. The moves, one by one.
        let mut tried = moves::Tried::new(least);
        if let Some(value) = self.try_moves::<K>(&node, alpha, &mut tried) {
            return value;
        }

        // 15. No legal move: mate or stalemate, or the move left out was the only one.
        if tried.move_count == 0 {
            return match excluded {
                Some(_) => alpha,
                None if in_check => mated_in(ply as Value),
                None => VALUE_DRAW,
            };
        }

        let best_value = tried.best_value.min(most);

        // 16. Learn from it.
        let bound = bound_of(best_value, alpha, beta);
        self.learn(&node, &tried, evals, best_value, bound);

        // 17. Keep what has been found.
        if excluded.is_none() && (!K::ROOT || self.root_moves.is_complete()) {
            let eval = evals.map(|evals| evals.raw);
            let entry = Entry { mv: tried.best_move, value: best_value, eval, depth, bound, on_pv };
            self.store(position.key(), ply, &entry);
        }
        best_value
    }

    /// The value of a position that has been there before; or `beta` or more, because the side to move can bring
    /// such a one about. If that is worth less, it still has that much at least: `alpha` is raised.
    #[inline(always)]
    fn repetition(&self, position: &Position, alpha: &mut Value, beta: Value) -> Option<Value> {
        let clock = position.halfmove_clock();
        if self.features.repetitions && self.path.is_repetition(clock) {
            return Some(VALUE_DRAW);
        }
        if self.features.selective && *alpha < VALUE_DRAW && self.path.can_repeat(clock, position.occupied())
        {
            *alpha = VALUE_DRAW;
        }
        (*alpha >= beta).then_some(*alpha)
    }

    /// The value of a position behind which nothing is looked at: a draw by rule, the last place in the arrays,
    /// or one where nothing can matter. Otherwise the window loses what cannot be.
    ///
    /// That is *mate distance pruning*: being mated here is the worst that can happen, and mating with the next
    /// move the best. If a shorter mate has been found elsewhere, nothing here matters.
    #[inline(always)]
    pub(crate) fn end_of_line(
        &mut self,
        position: &Position,
        ply: usize,
        in_check: bool,
        alpha: &mut Value,
        beta: &mut Value,
    ) -> Option<Value> {
        if let Some(value) = rule_draw(position, ply) {
            return Some(value);
        }
        if ply >= MAX_PLY as usize - 1 {
            return Some(if in_check { VALUE_DRAW } else { self.evaluator.evaluate(position) });
        }
        *alpha = (*alpha).max(mated_in(ply as Value));
        *beta = (*beta).min(mate_in(ply as Value + 1));
        (*alpha >= *beta).then_some(*alpha)
    }

    /// May what the table knows stand for a search of this depth with this window?
    #[inline(always)]
    pub(crate) fn cuts_off<K: NodeKind>(
        &self,
        entry: &Entry,
        position: &Position,
        depth: i32,
        alpha: Value,
        beta: Value,
    ) -> bool {
        let is_deep_enough =
            if self.features.deeper_entries { entry.depth >= depth } else { entry.depth == depth };
        !K::PV
            && is_deep_enough
            && settles(entry, alpha, beta)
            && position.halfmove_clock() < FIFTY_MOVES_NEAR
    }

    /// What a finished node teaches: the order of its moves, and how far its evaluation was off.
    #[inline(always)]
    fn learn(
        &mut self,
        node: &Node<'_>,
        tried: &moves::Tried,
        evals: Option<StaticEvals>,
        best_value: Value,
        bound: Bound,
    ) {
        let &Node { position, ply, depth, excluded, .. } = node;
        if let Some(mv) = tried.best_move {
            self.learn_order(node, mv, &tried.quiets, &tried.tactical);
        } else if self.stack.before(ply, 1).moved_quiet {
            self.histories.update_last(self.stack, ply, history::bonus(depth) / 2);
        }
        if let Some(evals) = evals
            && excluded.is_none()
            && tried.best_move.is_none_or(Move::is_quiet)
            && !(bound == Bound::Lower && best_value <= evals.corrected)
            && !(bound == Bound::Upper && best_value >= evals.corrected)
        {
            let difference = best_value - evals.corrected;
            self.histories.corrections.learn(difference, depth, position, self.stack, ply);
        }
    }

    /// Raises the history of the best move, and lowers that of those tried in vain before it.
    fn learn_order(&mut self, node: &Node<'_>, best: Move, quiets: &MoveList, tactical: &MoveList) {
        let (position, context) = (node.position, &node.context);
        let (bonus, malus) = (history::bonus(node.depth), history::malus(node.depth));
        if best.is_quiet() {
            self.histories.update_quiet(context, position, best, bonus);
            for &mv in quiets.iter().filter(|&&mv| mv != best) {
                self.histories.update_quiet(context, position, mv, -malus);
            }
        } else {
            self.histories.update_capture(position, best, bonus);
        }
        for &mv in tactical.iter().filter(|&&mv| mv != best) {
            self.histories.update_capture(position, mv, -malus);
        }
    }

    /// Makes a move on a copy of the position; `None` if the search is over.
    #[inline]
    pub(crate) fn make(&mut self, position: &Position, mv: Move, ply: usize) -> Option<Position> {
        if !self.monitor.visit() {
            return None;
        }
        let mut child = position.clone();
        let mut keys = self.stack[ply].keys;
        child.play_observed(mv, &mut keys);
        let frame = &mut self.stack[ply];
        frame.moved = position.piece_on(mv.from()).map_or(NO_PIECE_TO, |piece| piece_to(piece, mv));
        frame.moved_quiet = mv.is_quiet();
        self.stack[ply + 1].keys = keys;
        self.path.push(child.key());
        if self.incremental_eval {
            self.evaluator.make_move(position, mv, &child);
        }
        Some(child)
    }

    /// Takes back the last move made.
    #[inline]
    pub(crate) fn unmake(&mut self) {
        self.path.pop();
        if self.incremental_eval {
            self.evaluator.unmake_move();
        }
    }
}

/// Has the side a piece besides king and pawns? Without one it may be glad not to have to move.
fn has_pieces(position: &Position, color: Color) -> bool {
    let others = position.by_type(PieceType::Pawn) | position.by_type(PieceType::King);
    (position.by_color(color) - others).any()
}

/// The value of a position that is drawn by the rules, whatever was before it: a dead position, or fifty
/// moves each without capture or pawn move. A mate that the fiftieth move gives takes precedence.
#[inline]
fn rule_draw(position: &Position, ply: usize) -> Option<Value> {
    if position.halfmove_clock() >= 100 {
        let mated = position.is_checkmate();
        return Some(if mated { mated_in(ply as Value) } else { VALUE_DRAW });
    }
    position.is_dead().then_some(VALUE_DRAW)
}

/// Does the entry's value decide on which side of the window the node is, or where in it?
#[inline]
pub(crate) fn settles(entry: &Entry, alpha: Value, beta: Value) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.value >= beta,
        Bound::Upper => entry.value <= alpha,
    }
}

/// What the value of a finished node says, after a search with this window.
#[inline]
pub(crate) fn bound_of(value: Value, alpha: Value, beta: Value) -> Bound {
    if value >= beta {
        Bound::Lower
    } else if value > alpha {
        Bound::Exact
    } else {
        Bound::Upper
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_entry_decides() {
        let entry = |value, bound| Entry { mv: None, value, eval: None, depth: 1, bound, on_pv: false };
        for (value, decides_lower, decides_upper) in
            [(-50, false, true), (9, false, true), (10, false, true), (11, true, false), (50, true, false)]
        {
            assert!(settles(&entry(value, Bound::Exact), 10, 11));
            assert_eq!(settles(&entry(value, Bound::Lower), 10, 11), decides_lower, "{value}");
            assert_eq!(settles(&entry(value, Bound::Upper), 10, 11), decides_upper, "{value}");
        }
    }

    #[test]
    fn what_a_value_says() {
        let bounds = [-5, -4, 0, 6, 7].map(|value| bound_of(value, -4, 6));
        assert_eq!(bounds, [Bound::Upper, Bound::Upper, Bound::Exact, Bound::Lower, Bound::Lower]);
    }

    #[test]
    fn kings_and_pawns_are_no_pieces() {
        let position: Position = "4k3/pp6/8/8/8/8/PP6/R3K3 w - - 0 1".parse().expect("a legal position");
        assert!(has_pieces(&position, Color::White) && !has_pieces(&position, Color::Black));
    }
}
