//! The search behind the horizon: captures and promotions until the position is quiet.

use crate::node::{bound_of, rule_draw, settles};
use crate::picker::Picker;
use crate::searcher::Searcher;
use crate::tt::Entry;
use tabiya_eval::{INFINITE, MAX_PLY, VALUE_DRAW, Value, mate_in, mated_in};
use tabiya_movegen::Position;

/// The depth under which quiescence searches stand in the table.
const DEPTH: i32 = 0;

impl Searcher<'_> {
    /// The value of a position once the captures have been played out; see
    /// [`node`](Searcher::node) for the window.
    ///
    /// Why: the evaluation counts what stands on the board and knows nothing of what is about to be
    /// taken. Asked in the middle of an exchange it would be wrong by a piece; and the search would walk
    /// into every exchange whose second half lies behind the horizon.
    ///
    /// The side to move need not capture: it may *stand pat* and take the evaluation instead. That
    /// assumes that some quiet move is at least as good as none, which fails in zugzwang. In check there
    /// is no standing pat, and every evasion is searched. (Larry Harris, *The Heuristic Search and the Game
    /// of Chess*, 1975, and the guide.)
    pub(crate) fn quiescence<const PV: bool>(
        &mut self,
        position: &Position,
        ply: usize,
        mut alpha: Value,
        mut beta: Value,
    ) -> Value {
        if PV {
            self.pv.clear(ply);
        }
        self.seldepth = self.seldepth.max(ply);

        // 1. Draws, the end of the arrays, and mates nearer by.
        if let Some(value) = rule_draw(position, ply) {
            return value;
        }
        let in_check = position.in_check();
        if ply >= MAX_PLY as usize - 1 {
            return if in_check { VALUE_DRAW } else { self.evaluation.evaluate(position) };
        }
        alpha = alpha.max(mated_in(ply as Value));
        beta = beta.min(mate_in(ply as Value + 1));
        if alpha >= beta {
            return alpha;
        }

        // 2. What is known already?
        let known = self.probe(position.key(), ply);
        if let Some(entry) = &known
            && !PV
            && self.is_deep_enough(entry.depth, DEPTH)
            && settles(entry, alpha, beta)
        {
            return entry.value;
        }

        // 3. Stand pat.
        let original_alpha = alpha;
        let mut best_value = -INFINITE;
        let mut eval = None;
        if !in_check {
            let stand_pat =
                known.and_then(|entry| entry.eval).unwrap_or_else(|| self.evaluation.evaluate(position));
            eval = Some(stand_pat);
            best_value = stand_pat;
            alpha = alpha.max(stand_pat);
        }

        // 4. Captures and promotions; in check, every move.
        let mut best_move = None;
        if alpha < beta {
            let table_move = known.and_then(|entry| entry.mv);
            let mut picker = if in_check {
                Picker::new(position, table_move, self.killers.at(ply))
            } else {
                Picker::tactical(position, table_move)
            };
            while let Some(mv) = picker.next(position, self.history) {
                let Some(child) = self.make(position, mv) else { return VALUE_DRAW };
                let value = -self.quiescence::<PV>(&child, ply + 1, -beta, -alpha);
                self.unmake();
                if self.monitor.is_stopped() {
                    return VALUE_DRAW;
                }
                if value > best_value {
                    best_value = value;
                    if value > alpha {
                        best_move = Some(mv);
                        if PV {
                            self.pv.update(ply, mv);
                        }
                        if value >= beta {
                            break;
                        }
                        alpha = value;
                    }
                }
            }
            if best_value == -INFINITE {
                return mated_in(ply as Value);
            }
        }

        // 5. Keep what has been found.
        let bound = bound_of(best_value, original_alpha, beta);
        self.store(
            position.key(),
            ply,
            &Entry { mv: best_move, value: best_value, eval, depth: DEPTH, bound },
        );
        best_value
    }
}
