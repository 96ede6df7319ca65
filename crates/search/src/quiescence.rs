//! The search behind the horizon: captures and promotions until the position is quiet.

use crate::history::Context;
use crate::node::{NodeKind, bound_of};
use crate::params;
use crate::picker::Picker;
use crate::searcher::Searcher;
use crate::threats::Threats;
use crate::tt::Entry;
use tabiya_core::{INFINITE, Move, TB_WIN_IN_MAX_PLY, VALUE_DRAW, Value, mated_in};
use tabiya_movegen::{Position, see};

/// The depth under which quiescence searches stand in the table.
const DEPTH: i32 = 0;
/// So many quiet evasions are enough, once a move is known that is not mated.
const QUIET_EVASIONS: i32 = 2;

impl Searcher<'_> {
    /// The value of a position once the captures have been played out; see
    /// [`node`](Searcher::node) for the window. With `checks`, quiet moves that give check without giving
    /// away material are tried, too: those of the first ply behind the horizon.
    ///
    /// Why: the evaluation counts what stands on the board and knows nothing of what is about to be
    /// taken. Asked in the middle of an exchange it would be wrong by a piece; and the search would walk
    /// into every exchange whose second half lies behind the horizon.
    ///
    /// The side to move need not capture: it may *stand pat* and take the evaluation instead. That
    /// assumes that some quiet move is at least as good as none, which fails in zugzwang. In check there
    /// is no standing pat: every evasion is searched until one is known that is not mated, and from then on
    /// only those that lose nothing by exchanges, the quiet ones until two have been searched. (Larry Harris,
    /// *The Heuristic Search and the Game of Chess*, 1975, and the guide.)
    ///
    /// Checks are forcing, as captures are, and mates, forks and decoys begin with them; but unlike captures
    /// they do not come to an end by themselves, and so only one is looked at. (Don Beal, *A Generalised
    /// Quiescence Search Algorithm*, 1990.)
    pub(crate) fn quiescence<K: NodeKind>(
        &mut self,
        position: &Position,
        ply: usize,
        checks: bool,
        mut alpha: Value,
        mut beta: Value,
    ) -> Value {
        if K::PV {
            self.pv.clear(ply);
        }
        self.seldepth = self.seldepth.max(ply);

        // 1. Draws, the end of the arrays, and mates nearer by.
        let in_check = position.in_check();
        if let Some(value) = self.end_of_line(position, ply, in_check, &mut alpha, &mut beta) {
            return value;
        }

        // 2. What is known already?
        let known = self.probe(position, ply);
        if let Some(entry) = &known
            && self.cuts_off::<K>(entry, position, DEPTH, alpha, beta)
        {
            return entry.value;
        }
        let on_pv = K::PV || known.is_some_and(|entry| entry.on_pv);

        // 3. Stand pat.
        let original_alpha = alpha;
        let mut best_value = -INFINITE;
        let mut eval = None;
        if !in_check {
            let (raw, corrected) = self.corrected_eval(position, ply, known.as_ref());
            eval = Some(raw);
            best_value = self.refined(corrected, known.as_ref());
            alpha = alpha.max(best_value);
        }

        // 4. Captures and promotions, perhaps checks; in check, evasions.
        let mut best_move = None;
        if alpha < beta {
            let table_move = known.and_then(|entry| entry.mv);
            let mut picker = if in_check {
                Picker::new(position, table_move)
            } else if checks && self.features.selective {
                Picker::tactical_and_checks(position, table_move)
            } else {
                Picker::tactical(position, table_move)
            };
            let futility = best_value + params::quiescence_futility();
            let context = Context::new(position, self.stack, ply, Threats::default());
            let mut quiets = 0;
            while let Some(mv) = picker.next(position, self.histories, &context) {
                self.table.prefetch(position.likely_key_after(mv));
                if self.features.selective && best_value > -TB_WIN_IN_MAX_PLY {
                    if !in_check && !mv.is_quiet() && is_futile(position, mv, futility, alpha) {
                        best_value = best_value.max(futility + see::captured_value(position, mv)).min(alpha);
                        continue;
                    }
                    if in_check && quiets >= QUIET_EVASIONS && mv.is_quiet() {
                        picker.skip_quiets();
                        continue;
                    }
                    if !see::see_ge(position, mv, -params::quiescence_see()) {
                        continue;
                    }
                }
                quiets += i32::from(mv.is_quiet());
                let Some(child) = self.make(position, mv, ply) else { return VALUE_DRAW };
                let value = -self.quiescence::<K>(&child, ply + 1, false, -beta, -alpha);
                self.unmake();
                if self.monitor.is_stopped() {
                    return VALUE_DRAW;
                }
                if value > best_value {
                    best_value = value;
                    if value > alpha {
                        best_move = Some(mv);
                        if K::PV {
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
        let entry = Entry { mv: best_move, value: best_value, eval, depth: DEPTH, bound, on_pv };
        self.store(position.key(), ply, &entry);
        best_value
    }
}

/// Would even what the move takes, and something on top, not be enough? (*Delta pruning*.)
fn is_futile(position: &Position, mv: Move, futility: Value, alpha: Value) -> bool {
    mv.promotion().is_none()
        && futility + see::captured_value(position, mv) <= alpha
        && !position.gives_check(mv)
}
