//! Quiescence search: captures and promotions until the position is quiet.
//!
//! The evaluation counts the pieces on the board and ignores that one may be captured next. In the middle of
//! an exchange it would be wrong by a piece, and the search would prefer lines that end after a capture and
//! before the recapture (*horizon effect*).
//!
//! The side to move need not capture: it may *stand pat*, that is, take the static evaluation as a lower
//! bound. That assumes that some quiet move is at least as good as passing, and is wrong in zugzwang. In check
//! there is no standing pat: all evasions are searched until one does not lose by force. From then on those
//! that lose material by static exchange evaluation (SEE) are skipped, and all quiet ones after the second.
//!
//! On the first ply, quiet checks that do not lose material are searched as well: they are as forcing as
//! captures, and mates and forks begin with them. Unlike captures they can go on forever, hence only one ply.
//!
//! Sources: Harris, *The Heuristic Search and the Game of Chess*, 1975 (quiescence, standing pat); Beal, *A
//! Generalised Quiescence Search Algorithm*, 1990 (checks).

use crate::draw::rule_draw;
use crate::history::MoveContext;
use crate::mate_distance;
use crate::node_type::NodeType;
use crate::params;
use crate::picker::Picker;
use crate::searcher::Searcher;
use crate::see;
use crate::tt::TtEntry;
use crate::window::bound_of;
use tabiya_core::{INFINITE, KNOWN_WIN, MAX_PLY, Move, VALUE_DRAW, Value, is_loss, mated_in};
use tabiya_movegen::Position;

/// The depth of a quiescence search's TT entries.
const QS_DEPTH: i32 = 0;
/// The number of quiet evasions after which the others are skipped, once an evasion does not lose by force.
const MAX_QUIET_EVASIONS: i32 = 2;

impl Searcher<'_> {
    /// Returns the value of a position after all worthwhile captures, or a bound on it as
    /// [`node`](Searcher::node) does. Quiet checks are searched as well if `checks` is true.
    pub(crate) fn quiescence<K: NodeType>(
        &mut self,
        position: &Position,
        ply: usize,
        checks: bool,
        mut alpha: Value,
        mut beta: Value,
    ) -> Value {
        let selective = self.features.selective;
        if K::PV {
            self.pv.clear(ply);
        }
        self.seldepth = self.seldepth.max(ply);

        // Step 1. Draws by rule, the maximum ply, and mate distance pruning.
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

        // Step 2. Transposition table.
        let tt_entry = self.tt_probe(position, ply);
        if let Some(entry) = &tt_entry
            && !K::PV
            && self.is_tt_cutoff(entry, position, QS_DEPTH, alpha, beta)
        {
            return entry.value;
        }
        let tt_pv = K::PV || tt_entry.is_some_and(|entry| entry.is_pv);
        let tt_move = tt_entry.and_then(|entry| entry.mv);

        // Step 3. Stand pat.
        let in_check = position.in_check();
        let original_alpha = alpha;
        let mut best_value = -INFINITE;
        let mut raw_eval = None;
        if !in_check {
            let (raw, corrected) = self.corrected_eval(position, ply, tt_entry.as_ref());
            raw_eval = Some(raw);
            best_value = self.tt_adjusted_eval(corrected, tt_entry.as_ref());
            alpha = alpha.max(best_value);
        }

        // Step 4. Captures and promotions, possibly checks; in check, evasions.
        let mut best_move = None;
        if alpha < beta {
            let mut picker = if in_check {
                Picker::new(position, tt_move)
            } else if checks && selective {
                Picker::captures_and_checks(position, tt_move)
            } else {
                Picker::captures(position, tt_move)
            };
            let futility_base = best_value + params::qs_futility();
            let context = MoveContext::for_quiescence(position, self.stack, ply);
            let mut quiets = 0;
            while let Some(mv) = picker.next(position, self.histories, &context, self.picker_memory, ply) {
                if !in_check && self.overlooks(position, mv, ply) {
                    continue;
                }
                self.tt.prefetch(position.likely_key_after(mv));
                if selective && !is_loss(best_value) {
                    // Futility (delta) pruning. Not in an ending known to be lost: a capture may leave a known draw.
                    if !in_check
                        && best_value > -KNOWN_WIN
                        && !mv.is_quiet()
                        && is_futile(position, mv, futility_base, alpha)
                    {
                        best_value =
                            best_value.max(futility_base + see::captured_value(position, mv)).min(alpha);
                        continue;
                    }
                    if in_check && quiets >= MAX_QUIET_EVASIONS && mv.is_quiet() {
                        picker.skip_quiets();
                        continue;
                    }
                    // SEE pruning. The picker yields only quiet checks that lose nothing.
                    if (in_check || !mv.is_quiet()) && !see::see_ge(position, mv, -params::qs_see()) {
                        continue;
                    }
                }
                quiets += i32::from(mv.is_quiet());
                let mut child = position.clone();
                if !self.make_move(position, mv, ply, &mut child) {
                    return VALUE_DRAW;
                }
                let value = -self.quiescence::<K>(&child, ply + 1, false, -beta, -alpha);
                self.unmake_move();
                if self.limits.is_stopped() {
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

        // Step 5. Store the result in the TT.
        let entry = TtEntry {
            mv: best_move,
            value: best_value,
            eval: raw_eval,
            depth: QS_DEPTH,
            bound: bound_of(best_value, original_alpha, beta),
            is_pv: tt_pv,
        };
        self.tt_store(position.key(), ply, &entry);
        best_value
    }
}

/// Returns true if a capture cannot reach alpha even if it wins the captured piece and a margin on top
/// (*delta pruning*).
fn is_futile(position: &Position, mv: Move, futility_base: Value, alpha: Value) -> bool {
    mv.promotion().is_none()
        && futility_base + see::captured_value(position, mv) <= alpha
        && !position.gives_check(mv)
}
