//! History heuristics: statistics about moves and about errors of the evaluation, kept by each thread from
//! one search to the next.
//!
//! All scores are updated with *gravity*: a bonus counts less the closer the score is to that end of its
//! range, so that scores stay in range and recent results outweigh old ones. Histories order moves and shift
//! the margins of pruning and reductions.
//!
//! | history | index |
//! |---|---|
//! | butterfly | side, origin, target, whether each of them is attacked |
//! | continuation | piece and target of the move 1, 2, 4 or 6 plies before; piece and target |
//! | pawn | pawn structure; piece and target |
//! | capture | piece and target; captured piece |
//! | [correction](CorrectionHistory) | keys of parts of the position; the last two moves |

mod correction;
mod quiet_scores;
mod table;

pub(crate) use correction::CorrectionHistory;
pub(crate) use quiet_scores::QuietScores;

use crate::memory::OutOfMemory;
use crate::params;
use crate::stack::{PIECE_TO_COUNT, PieceTo, Stack, piece_to};
use crate::threat_bonus::ThreatBonus;
use std::cell::OnceCell;
use tabiya_core::{Color, Move, PieceType, Square};
use tabiya_movegen::{CheckInfo, Position, Threats};
use table::HistoryTable;

/// The maximum absolute score of a history table.
const HISTORY_MAX: i32 = 16_384;
/// The number of pawn structures that are distinguished.
const PAWN_STRUCTURES: usize = 512;
/// The distances, in plies, of the earlier moves that the continuation history is indexed by.
const CONTINUATION_PLIES: [usize; 4] = [1, 2, 4, 6];

/// The history tables of a thread.
#[derive(Debug)]
pub(crate) struct Histories {
    /// Butterfly history of quiet moves: a move that causes a cutoff in one line often does so in similar
    /// ones. Whether origin and target are attacked distinguishes escapes from other moves. Source: Schaeffer,
    /// *The History Heuristic and Alpha-Beta Search Enhancements in Practice*, 1989.
    butterfly: HistoryTable<{ Square::COUNT * Square::COUNT * 4 }>,
    /// Continuation history of quiet moves: many moves reply to an earlier move or continue its plan.
    /// Generalises the counter moves of Uiterwijk, *The Countermove Heuristic*, 1992.
    continuation: HistoryTable<PIECE_TO_COUNT>,
    /// Pawn history of quiet moves: the best square of a piece depends above all on the pawn structure.
    pawn: HistoryTable<PIECE_TO_COUNT>,
    /// Capture history, for captures and promotions.
    capture: HistoryTable<{ PieceType::COUNT + 1 }>,
    pub(crate) correction: CorrectionHistory,
}

/// The inputs of one node's move ordering, besides the histories.
#[derive(Clone, Debug)]
pub(crate) struct MoveContext {
    side: Color,
    /// The opponent's attacks.
    threats: Threats,
    pawn_structure: usize,
    killer: Option<Move>,
    /// The earlier moves of the line, as in [`CONTINUATION_PLIES`].
    previous: [PieceTo; CONTINUATION_PLIES.len()],
    /// Computed on first use, as many nodes never look at a quiet move.
    check_info: OnceCell<CheckInfo>,
    threat_bonus: OnceCell<ThreatBonus>,
}

impl MoveContext {
    pub(crate) fn new(position: &Position, stack: &Stack, ply: usize, threats: Threats) -> MoveContext {
        MoveContext {
            side: position.side_to_move(),
            threats,
            pawn_structure: position.pawn_key() as usize % PAWN_STRUCTURES,
            killer: stack[ply].killer,
            previous: CONTINUATION_PLIES.map(|back| stack.before(ply, back).moved),
            check_info: OnceCell::new(),
            threat_bonus: OnceCell::new(),
        }
    }

    /// The context of a node of the quiescence search, which orders quiet moves only in check.
    ///
    /// It has no killer move: the one of its ply is cleared only by the main search and comes from another part of the tree.
    pub(crate) fn for_quiescence(position: &Position, stack: &Stack, ply: usize) -> MoveContext {
        let threats = if position.in_check() {
            Threats::of(position, !position.side_to_move())
        } else {
            Threats::default()
        };
        MoveContext { killer: None, ..MoveContext::new(position, stack, ply, threats) }
    }

    /// Returns the squares from which each type of piece gives check, and the discoverers.
    #[inline]
    pub(crate) fn check_info(&self, position: &Position) -> &CheckInfo {
        self.check_info.get_or_init(|| position.check_info())
    }

    #[inline]
    fn threat_bonus(&self, position: &Position) -> &ThreatBonus {
        self.threat_bonus.get_or_init(|| ThreatBonus::new(position, &self.threats))
    }

    /// Returns the row and column of a move in the butterfly history.
    #[inline]
    fn butterfly(&self, mv: Move) -> (usize, usize) {
        let attacked = |square| usize::from(self.threats.all.contains(square));
        let squares = mv.from().index() * Square::COUNT + mv.to().index();
        (self.side.index(), squares * 4 + attacked(mv.from()) * 2 + attacked(mv.to()))
    }
}

impl Histories {
    /// Allocates the tables, in memory that the system provides on first use.
    pub(crate) fn allocate() -> Result<Histories, OutOfMemory> {
        Ok(Histories {
            butterfly: HistoryTable::new(2)?,
            continuation: HistoryTable::new(PIECE_TO_COUNT + 1)?,
            pawn: HistoryTable::new(PAWN_STRUCTURES)?,
            capture: HistoryTable::new(PIECE_TO_COUNT)?,
            correction: CorrectionHistory::new()?,
        })
    }

    #[cfg(test)]
    pub(crate) fn new() -> Histories {
        Histories::allocate().expect("enough memory")
    }

    /// Sets all scores to 0.
    pub(crate) fn clear(&mut self) {
        self.butterfly.clear();
        self.continuation.clear();
        self.pawn.clear();
        self.capture.clear();
        self.correction.clear();
    }

    /// Returns the score of a quiet move for pruning: the weighted sum of its pawn history and of its
    /// continuation history for the moves 1 and 2 plies before.
    #[inline]
    pub(crate) fn quiet_for_pruning(&self, context: &MoveContext, position: &Position, mv: Move) -> i32 {
        let mover = piece_to_index(position, mv);
        let [previous_1, previous_2, ..] = context.previous;
        let [ply_1, ply_2] =
            [previous_1, previous_2].map(|previous| self.continuation.get(usize::from(previous), mover));
        let history = params::prune_cont_1() * ply_1
            + params::prune_cont_2() * ply_2
            + params::prune_pawn() * self.pawn.get(context.pawn_structure, mover);
        history / 64
    }

    /// Returns the capture history of a capture or promotion.
    #[inline]
    pub(crate) fn capture(&self, position: &Position, mv: Move) -> i32 {
        self.capture.get(piece_to_index(position, mv), captured_index(position, mv))
    }

    /// Adds a bonus, which may be negative, to all histories of a quiet move.
    pub(crate) fn update_quiet(&mut self, context: &MoveContext, position: &Position, mv: Move, bonus: i32) {
        let mover = piece_to_index(position, mv);
        let (side, squares) = context.butterfly(mv);
        self.butterfly.update(side, squares, bonus);
        self.pawn.update(context.pawn_structure, mover, bonus);
        self.update_continuations(context, mover, bonus);
    }

    /// Adds a bonus to the continuation history of a quiet move.
    pub(crate) fn update_continuation(
        &mut self,
        context: &MoveContext,
        position: &Position,
        mv: Move,
        bonus: i32,
    ) {
        self.update_continuations(context, piece_to_index(position, mv), bonus);
    }

    fn update_continuations(&mut self, context: &MoveContext, mover: usize, bonus: i32) {
        for previous in context.previous {
            self.continuation.update(usize::from(previous), mover, bonus);
        }
    }

    /// Adds a bonus to the continuation history of the quiet move that led to the node at `ply`.
    pub(crate) fn update_previous_move(&mut self, stack: &Stack, ply: usize, bonus: i32) {
        let mover = usize::from(stack.before(ply, 1).moved);
        if mover < PIECE_TO_COUNT {
            for back in CONTINUATION_PLIES {
                let previous = usize::from(stack.before(ply - 1, back).moved);
                self.continuation.update(previous, mover, bonus);
            }
        }
    }

    /// Adds a bonus to the capture history of a capture or promotion.
    pub(crate) fn update_capture(&mut self, position: &Position, mv: Move, bonus: i32) {
        self.capture.update(piece_to_index(position, mv), captured_index(position, mv), bonus);
    }
}

/// Returns the bonus for the best move of a node of this depth.
pub(crate) fn bonus(depth: i32) -> i32 {
    (params::history_bonus_slope() * depth - 60).clamp(0, params::history_bonus_max())
}

/// Returns the malus for the other moves searched in a node of this depth.
pub(crate) fn malus(depth: i32) -> i32 {
    (params::history_malus_slope() * depth - 40).clamp(0, params::history_malus_max())
}

/// Returns the piece-to index of a move.
#[inline]
fn piece_to_index(position: &Position, mv: Move) -> usize {
    position.piece_on(mv.from()).map_or(0, |piece| usize::from(piece_to(piece, mv)))
}

/// Returns the index of the captured piece type; the last index for a promotion without capture.
#[inline]
fn captured_index(position: &Position, mv: Move) -> usize {
    match position.piece_on(mv.to()) {
        Some(piece) if mv.is_capture() => piece.piece_type().index(),
        None if mv.is_en_passant() => PieceType::Pawn.index(),
        _ => PieceType::COUNT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn context(position: &Position) -> MoveContext {
        let mut stack = Stack::new();
        stack.reset(position.board());
        MoveContext::new(position, &stack, 0, Threats::default())
    }

    #[test]
    fn scores_follow_the_updates() {
        let position = Position::startpos();
        let context = context(&position);
        let [good, bad, other] =
            ["e2e4", "a2a3", "g1f3"].map(|text| position.parse_uci(text).expect("a legal move"));
        let mut histories = Histories::new();
        for _ in 0..1000 {
            histories.update_quiet(&context, &position, good, 1500);
            histories.update_quiet(&context, &position, bad, -1500);
        }
        let score = |histories: &Histories, mv| histories.quiets(&context, &position).score(mv);
        assert!(score(&histories, good) > 0 && score(&histories, bad) < 0);
        assert_eq!(score(&histories, other), 0);
        assert!(histories.quiet_for_pruning(&context, &position, good) > 0);
        for _ in 0..20 {
            histories.update_quiet(&context, &position, good, -1500);
        }
        assert!(score(&histories, good) < 0, "recent results outweigh old ones");
        histories.clear();
        assert_eq!(score(&histories, good), 0);
    }

    #[test]
    fn attacked_origin_has_its_own_butterfly_entry() {
        let position = Position::startpos();
        let mv = position.parse_uci("g1f3").expect("a legal move");
        let unattacked = context(&position);
        let threats = Threats { all: mv.from().bitboard(), ..Threats::default() };
        let attacked = MoveContext { threats, ..unattacked.clone() };
        let mut histories = Histories::new();
        histories.update_quiet(&attacked, &position, mv, 1000);
        let score = |context: &MoveContext| histories.quiets(context, &position).score(mv);
        assert!(score(&attacked) > score(&unattacked));
    }

    #[test]
    fn capture_history_distinguishes_captured_pieces() {
        let position: Position = "4k3/8/8/3q1r2/4P3/8/8/4K3 w - - 0 1".parse().expect("a legal position");
        let [queen, rook] = ["e4d5", "e4f5"].map(|text| position.parse_uci(text).expect("a legal move"));
        let mut histories = Histories::new();
        histories.update_capture(&position, rook, 500);
        assert_eq!((histories.capture(&position, queen), histories.capture(&position, rook)), (0, 500));
    }

    #[test]
    fn bonus_and_malus_grow_with_depth_up_to_a_maximum() {
        assert!(bonus(1) < bonus(5) && bonus(100) == params::history_bonus_max());
        assert!(malus(1) < malus(5) && malus(100) == params::history_malus_max());
    }
}
