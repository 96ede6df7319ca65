//! One node of the search, above the horizon.

use crate::picker::Picker;
use crate::report::Bound;
use crate::searcher::Searcher;
use crate::tt::Entry;
use tabiya_core::{Move, MoveList};
use tabiya_eval::{INFINITE, MAX_PLY, VALUE_DRAW, Value, mate_in, mated_in};
use tabiya_movegen::Position;

/// Values from the table are not trusted from this half-move clock on: they come from searches that
/// saw the fifty-move draw further away, or not at all.
const FIFTY_MOVES_NEAR: u16 = 90;

impl Searcher<'_> {
    /// The value of a position for its side to move, as far as it lies between `alpha` and `beta`;
    /// otherwise a bound on it on the same side (*fail-soft* alpha-beta).
    ///
    /// This is Principal Variation Search: `PV` is true for the nodes whose window is open, along the
    /// line of best play; for all others the window is a single point, and the search only proves that
    /// they are better or worse. The first move is searched with the open window and expected to be the
    /// best; a later one has to prove that it is better before it gets one, too. (Tony Marsland and
    /// Murray Campbell, *Parallel Search of Strongly Ordered Game Trees*, 1982.)
    ///
    /// The value means nothing once the search [is stopped](crate::control::Monitor::is_stopped).
    pub(crate) fn node<const PV: bool>(
        &mut self,
        position: &Position,
        ply: usize,
        depth: i32,
        mut alpha: Value,
        mut beta: Value,
    ) -> Value {
        debug_assert!(-INFINITE <= alpha && alpha < beta && beta <= INFINITE);
        debug_assert!(PV || alpha == beta - 1);

        // 1. A repetition is a draw.
        if PV {
            self.pv.clear(ply);
        }
        if self.features.repetitions && self.path.is_repetition(position.halfmove_clock()) {
            return VALUE_DRAW;
        }

        // 2. Check extension: a position in check is searched one ply deeper.
        //    Why: checks push what follows behind the horizon, and the few answers to one make the
        //    extra ply cheap. It also sees to it that no node rests in check at the horizon. It makes the
        //    tree larger, never the result unsound; a long row of checks ends by repetition. From the
        //    guide, and about as old as chess programs are.
        let in_check = position.in_check();
        let depth = if in_check { depth + 1 } else { depth };

        // 3. Behind the horizon only captures count.
        if depth <= 0 {
            return self.quiescence::<PV>(position, ply, alpha, beta);
        }
        self.seldepth = self.seldepth.max(ply);

        // 4. Draws by rule, and the end of the arrays.
        if let Some(value) = rule_draw(position, ply) {
            return value;
        }
        if ply >= MAX_PLY as usize - 1 {
            return if in_check { VALUE_DRAW } else { self.evaluation.evaluate(position) };
        }

        // 5. Mate distance: being mated here is the worst that can happen, and mating with the next move
        //    the best. If a shorter mate has been found elsewhere, nothing here matters.
        alpha = alpha.max(mated_in(ply as Value));
        beta = beta.min(mate_in(ply as Value + 1));
        if alpha >= beta {
            return alpha;
        }

        // 6. What is known already? On the principal variation it only helps to order the moves, since a
        //    cut-off would end the line that is to be shown.
        let known = self.probe(position.key(), ply);
        if let Some(entry) = &known
            && !PV
            && self.is_deep_enough(entry.depth, depth)
            && settles(entry, alpha, beta)
            && position.halfmove_clock() < FIFTY_MOVES_NEAR
        {
            return entry.value;
        }

        // 7. The moves, one by one.
        let side = position.side_to_move();
        let mut picker = Picker::new(position, known.and_then(|entry| entry.mv), self.killers.at(ply));
        let mut quiets_tried = MoveList::new();
        let (original_alpha, mut best_value, mut best_move) = (alpha, -INFINITE, None);
        let mut move_count = 0;
        while let Some(mv) = picker.next(position, self.history) {
            let Some(child) = self.make(position, mv) else { return VALUE_DRAW };
            move_count += 1;

            // 8. The first move of a PV node gets the open window; every other move first has to show
            //    that it beats alpha, with the window closed.
            let value = if PV && move_count == 1 {
                -self.node::<true>(&child, ply + 1, depth - 1, -beta, -alpha)
            } else {
                if PV {
                    // The line below is that of an earlier move, and stays so if this one fails high.
                    self.pv.clear(ply + 1);
                }
                let value = -self.node::<false>(&child, ply + 1, depth - 1, -alpha - 1, -alpha);
                if PV && value > alpha && value < beta {
                    -self.node::<true>(&child, ply + 1, depth - 1, -beta, -alpha)
                } else {
                    value
                }
            };
            self.unmake();
            if self.monitor.is_stopped() {
                return VALUE_DRAW;
            }

            // 9. Better than the moves before? Too good for the opponent to allow?
            if value > best_value {
                best_value = value;
                if value > alpha {
                    best_move = Some(mv);
                    if PV {
                        self.pv.update(ply, mv);
                    }
                    if value >= beta {
                        if mv.is_quiet() {
                            self.killers.add(ply, mv);
                            self.history.reward(side, mv, &quiets_tried, depth);
                        }
                        break;
                    }
                    alpha = value;
                }
            }
            if mv.is_quiet() {
                quiets_tried.push(mv);
            }
        }

        // 10. No legal move: mate or stalemate.
        if move_count == 0 {
            return if in_check { mated_in(ply as Value) } else { VALUE_DRAW };
        }

        // 11. Keep what has been found.
        let bound = bound_of(best_value, original_alpha, beta);
        let entry = Entry { mv: best_move, value: best_value, eval: None, depth, bound };
        self.store(position.key(), ply, &entry);
        best_value
    }

    /// May an entry of this depth stand for a search of the depth asked for?
    pub(crate) fn is_deep_enough(&self, entry: i32, asked: i32) -> bool {
        if self.features.deeper_entries { entry >= asked } else { entry == asked }
    }

    /// Makes a move on a copy of the position; `None` if the search is over.
    #[inline]
    pub(crate) fn make(&mut self, position: &Position, mv: Move) -> Option<Position> {
        if !self.monitor.visit() {
            return None;
        }
        let mut child = position.clone();
        child.play_unchecked(mv);
        self.path.push(child.key());
        Some(child)
    }

    /// Takes back the last move made.
    #[inline]
    pub(crate) fn unmake(&mut self) {
        self.path.pop();
    }
}

/// The value of a position that is drawn by the rules, whatever was before it: a dead position, or fifty
/// moves each without capture or pawn move. A mate that the fiftieth move gives takes precedence.
#[inline]
pub(crate) fn rule_draw(position: &Position, ply: usize) -> Option<Value> {
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
        let entry = |value, bound| Entry { mv: None, value, eval: None, depth: 1, bound };
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
}
