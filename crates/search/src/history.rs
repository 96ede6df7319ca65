//! What the search has learnt about moves and about its evaluation: statistics of each thread, kept
//! from one search to the next.
//!
//! Every table holds small numbers that are moved towards what has just been seen, the less the closer
//! they are to the end of their scale ("gravity"): they stay in range, and what is recent outweighs what
//! is old. They only order moves and shift margins, so nothing they say can be unsound by itself.

mod correction;
mod table;

pub(crate) use correction::Corrections;

use crate::params;
use crate::stack::{PIECE_TO_COUNT, PieceTo, Stack, piece_to};
use crate::threats::{Stakes, Threats};
use std::cell::OnceCell;
use tabiya_core::{Color, Move, PieceType, Square};
use tabiya_movegen::{CheckInfo, Position};
use table::Table;

/// The largest history score of a single table, either way.
pub(crate) const HISTORY_MAX: i32 = 16_384;
/// How many pawn structures are told apart.
const PAWN_STRUCTURES: usize = 512;
/// How many plies back the moves are that others are seen to follow on.
const CONTINUATION_PLIES: [usize; 4] = [1, 2, 4, 6];

/// The history of moves.
#[derive(Debug)]
pub(crate) struct Histories {
    /// How often a quiet move has caused a cut-off, by side, origin, target, and by whether the origin and
    /// the target are attacked: the *butterfly* boards. Why: a move that refutes one line often
    /// refutes its neighbours too. After Jonathan Schaeffer, *The History Heuristic and Alpha-Beta
    /// Search Enhancements in Practice* (1989); the attacks tell an escape from a stroll.
    butterfly: Table<{ Square::COUNT * Square::COUNT * 4 }>,
    /// The same for a piece and a square, by the piece and square of the move 1, 2, 4 and 6 plies before.
    /// Why: many moves are the answer to one, or the second half of a plan. After the counter moves of Jos
    /// Uiterwijk, *The Countermove Heuristic* (1992), which remembered one answer only.
    continuation: Table<PIECE_TO_COUNT>,
    /// The same by pawn structure: what a piece should do depends on the pawns most of all.
    pawn: Table<PIECE_TO_COUNT>,
    /// How often a capture or promotion has caused a cut-off, by piece and square, and what was taken.
    capture: Table<{ PieceType::COUNT + 1 }>,
    /// How far the evaluation was off.
    pub(crate) corrections: Corrections,
}

/// What the order of the moves of one node depends on.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    side: Color,
    /// What the other side attacks.
    threats: Threats,
    pawn_structure: usize,
    /// The quiet move that has just refuted a sibling.
    killer: Option<Move>,
    /// The moves that led here, as in [`CONTINUATION_PLIES`].
    previous: [PieceTo; CONTINUATION_PLIES.len()],
    /// What is only needed once quiet moves are looked at, found out then.
    checks: OnceCell<CheckInfo>,
    stakes: OnceCell<Stakes>,
}

impl Context {
    pub(crate) fn new(position: &Position, stack: &Stack, ply: usize, threats: Threats) -> Context {
        Context {
            side: position.side_to_move(),
            threats,
            pawn_structure: position.pawn_key() as usize % PAWN_STRUCTURES,
            killer: stack[ply].killer,
            previous: CONTINUATION_PLIES.map(|back| stack.before(ply, back).moved),
            checks: OnceCell::new(),
            stakes: OnceCell::new(),
        }
    }

    /// Which moves give check.
    #[inline]
    pub(crate) fn checks(&self, position: &Position) -> &CheckInfo {
        self.checks.get_or_init(|| position.check_info())
    }

    #[inline]
    fn stakes(&self, position: &Position) -> &Stakes {
        self.stakes.get_or_init(|| Stakes::of(position, &self.threats))
    }

    /// Where the butterfly board keeps a move.
    #[inline]
    fn butterfly(&self, mv: Move) -> (usize, usize) {
        let attacked = |square| usize::from(self.threats.all.contains(square));
        let squares = mv.from().index() * Square::COUNT + mv.to().index();
        (self.side.index(), squares * 4 + attacked(mv.from()) * 2 + attacked(mv.to()))
    }
}

impl Histories {
    pub(crate) fn new() -> Histories {
        Histories {
            butterfly: Table::new(2),
            continuation: Table::new(PIECE_TO_COUNT + 1),
            pawn: Table::new(PAWN_STRUCTURES),
            capture: Table::new(PIECE_TO_COUNT),
            corrections: Corrections::new(),
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.butterfly.clear();
        self.continuation.clear();
        self.pawn.clear();
        self.capture.clear();
        self.corrections.clear();
    }

    /// How promising the quiet moves of a node are, for the order of moves.
    #[inline]
    pub(crate) fn quiets<'a>(&'a self, context: &'a Context, position: &'a Position) -> QuietScores<'a> {
        QuietScores {
            butterfly: self.butterfly.row(context.side.index()),
            pawn: self.pawn.row(context.pawn_structure),
            continuations: context.previous.map(|previous| self.continuation.row(usize::from(previous))),
            stakes: context.stakes(position),
            context,
            position,
        }
    }

    /// How a quiet move has done where the same moves led: what pruning goes by.
    #[inline]
    pub(crate) fn quiet_for_pruning(&self, context: &Context, position: &Position, mv: Move) -> i32 {
        let mover = moved_index(position, mv);
        let [after_1, after_2, ..] = context.previous;
        let [ply_1, ply_2] =
            [after_1, after_2].map(|previous| self.continuation.get(usize::from(previous), mover));
        let history = params::prune_ply_1() * ply_1
            + params::prune_ply_2() * ply_2
            + params::prune_pawn() * self.pawn.get(context.pawn_structure, mover);
        history / 64
    }

    /// How promising a capture or promotion is, besides what it takes.
    #[inline]
    pub(crate) fn capture(&self, position: &Position, mv: Move) -> i32 {
        self.capture.get(moved_index(position, mv), taken_index(position, mv))
    }

    /// A quiet move has done better or worse than expected.
    pub(crate) fn update_quiet(&mut self, context: &Context, position: &Position, mv: Move, bonus: i32) {
        let mover = moved_index(position, mv);
        let (side, squares) = context.butterfly(mv);
        self.butterfly.update(side, squares, bonus);
        self.pawn.update(context.pawn_structure, mover, bonus);
        self.update_continuations(context, mover, bonus);
    }

    /// The same for what concerns the moves before only.
    pub(crate) fn update_continuation(
        &mut self,
        context: &Context,
        position: &Position,
        mv: Move,
        bonus: i32,
    ) {
        self.update_continuations(context, moved_index(position, mv), bonus);
    }

    fn update_continuations(&mut self, context: &Context, mover: usize, bonus: i32) {
        for previous in context.previous {
            self.continuation.update(usize::from(previous), mover, bonus);
        }
    }

    /// The quiet move `mover`, which led to the node at `ply`, could not be refuted there.
    pub(crate) fn update_last(&mut self, stack: &Stack, ply: usize, bonus: i32) {
        let mover = usize::from(stack.before(ply, 1).moved);
        if mover < PIECE_TO_COUNT {
            for back in CONTINUATION_PLIES {
                let previous = usize::from(stack.before(ply - 1, back).moved);
                self.continuation.update(previous, mover, bonus);
            }
        }
    }

    /// A capture or promotion has done better or worse than expected.
    pub(crate) fn update_capture(&mut self, position: &Position, mv: Move, bonus: i32) {
        self.capture.update(moved_index(position, mv), taken_index(position, mv), bonus);
    }
}

/// The scores of the quiet moves of one node.
pub(crate) struct QuietScores<'a> {
    butterfly: &'a [i16; Square::COUNT * Square::COUNT * 4],
    pawn: &'a [i16; PIECE_TO_COUNT],
    continuations: [&'a [i16; PIECE_TO_COUNT]; CONTINUATION_PLIES.len()],
    stakes: &'a Stakes,
    context: &'a Context,
    position: &'a Position,
}

impl QuietScores<'_> {
    /// The score of a quiet move.
    #[inline]
    pub(crate) fn of(&self, mv: Move) -> i32 {
        let Some(piece) = self.position.piece_on(mv.from()) else { return 0 };
        let mover = usize::from(piece_to(piece, mv));
        let killer = if self.context.killer == Some(mv) { params::killer_bonus() } else { 0 };
        let (_, squares) = self.context.butterfly(mv);
        let [ply_1, ply_2, ply_4, ply_6] = self.continuations.map(|row| i32::from(row[mover]));
        let history = params::order_butterfly() * i32::from(self.butterfly[squares])
            + params::order_pawn() * i32::from(self.pawn[mover])
            + params::order_ply_1() * ply_1
            + params::order_ply_2() * ply_2
            + params::order_ply_4() * ply_4
            + params::order_ply_6() * ply_6;
        history / 64
            + killer
            + self.stakes.bonus(&self.context.threats, self.position, piece.piece_type(), mv)
    }
}

/// What a cut-off at this depth adds to the history of the move that caused it.
pub(crate) fn bonus(depth: i32) -> i32 {
    (params::history_bonus_slope() * depth - 60).clamp(0, params::history_bonus_max())
}

/// What a cut-off at this depth takes from the history of the moves tried before.
pub(crate) fn malus(depth: i32) -> i32 {
    (params::history_malus_slope() * depth - 40).clamp(0, params::history_malus_max())
}

/// The index of the moving piece and its target.
#[inline]
fn moved_index(position: &Position, mv: Move) -> usize {
    position.piece_on(mv.from()).map_or(0, |piece| usize::from(piece_to(piece, mv)))
}

/// The index of what a move takes: nothing, where a pawn only promotes.
#[inline]
fn taken_index(position: &Position, mv: Move) -> usize {
    match position.piece_on(mv.to()) {
        Some(piece) if mv.is_capture() => piece.piece_type().index(),
        None if mv.is_en_passant() => PieceType::Pawn.index(),
        _ => PieceType::COUNT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn context(position: &Position) -> Context {
        let mut stack = Stack::new();
        stack.reset(position.board());
        Context::new(position, &stack, 0, Threats::default())
    }

    #[test]
    fn what_did_well_ranks_higher() {
        let position = Position::startpos();
        let context = context(&position);
        let [good, bad, other] =
            ["e2e4", "a2a3", "g1f3"].map(|text| position.parse_uci(text).expect("a legal move"));
        let mut histories = Histories::new();
        for _ in 0..1000 {
            histories.update_quiet(&context, &position, good, 1500);
            histories.update_quiet(&context, &position, bad, -1500);
        }
        let score = |histories: &Histories, mv| histories.quiets(&context, &position).of(mv);
        assert!(score(&histories, good) > 4 * HISTORY_MAX && score(&histories, bad) < -4 * HISTORY_MAX);
        assert_eq!(score(&histories, other), 0);
        assert!(histories.quiet_for_pruning(&context, &position, good) > HISTORY_MAX);
        for _ in 0..20 {
            histories.update_quiet(&context, &position, good, -1500);
        }
        assert!(score(&histories, good) < 0, "recent cut-offs outweigh old ones");
        histories.clear();
        assert_eq!(score(&histories, good), 0);
    }

    #[test]
    fn an_attacked_piece_has_a_history_of_its_own() {
        let position = Position::startpos();
        let mv = position.parse_uci("g1f3").expect("a legal move");
        let calm = context(&position);
        let mut threats = Threats::default();
        threats.all = mv.from().bitboard();
        let attacked = Context { threats, ..calm.clone() };
        let mut histories = Histories::new();
        histories.update_quiet(&attacked, &position, mv, 1000);
        let of = |context: &Context| histories.quiets(context, &position).of(mv);
        assert!(of(&attacked) > of(&calm));
    }

    #[test]
    fn captures_count_by_what_they_take() {
        let position: Position = "4k3/8/8/3q1r2/4P3/8/8/4K3 w - - 0 1".parse().expect("a legal position");
        let [queen, rook] = ["e4d5", "e4f5"].map(|text| position.parse_uci(text).expect("a legal move"));
        let mut histories = Histories::new();
        histories.update_capture(&position, rook, 500);
        assert_eq!((histories.capture(&position, queen), histories.capture(&position, rook)), (0, 500));
    }

    #[test]
    fn bonuses_grow_with_depth() {
        assert!(bonus(1) < bonus(5) && bonus(100) == params::history_bonus_max());
        assert!(malus(1) < malus(5) && malus(100) == params::history_malus_max());
    }
}
