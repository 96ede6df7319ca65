//! The main evaluation: all terms, put together.

use crate::attack_map::AttackMap;
use crate::endgame;
use crate::numbers::Numbers;
use crate::pawn_cache::PawnCache;
use crate::processor;
use crate::side::{Black, Side, White};
use crate::terms::danger::{cost, danger};
use crate::terms::pawns::Pawns;
use crate::terms::shelter::Shelter;
use crate::terms::winnability::{stretched, winnability};
use crate::terms::{
    material::material,
    passed::passed,
    pieces::pieces,
    space::{self, space},
    threats::threats,
};
use crate::tracer::{Silent, Tracer, count};
use crate::{Evaluate, Score};
use tabiya_core::{Board, Color, MATE_IN_MAX_PLY, VALUE_DRAW, Value};
use tabiya_movegen::Position;

/// The main evaluation, from the point of view of the side to move, in centipawns.
///
/// Each term gives points for the middle game and for the end game; the [`Phase`](crate::Phase) blends the two sums.
/// Danger to a king counts by its square, what little can be won with is scaled down, and the simplest end
/// games are known.
///
/// The value is always strictly between `-MATE_IN_MAX_PLY` and `MATE_IN_MAX_PLY`. It says nothing of
/// mate, stalemate, repetition or the fifty-move rule: those are the search's to see.
///
/// This looks at the pawns anew each time; a [`HandcraftedEvaluator`] remembers them and gives the same values.
///
/// ```
/// use tabiya_eval::evaluate;
/// use tabiya_movegen::Position;
///
/// let start = Position::startpos();
/// assert!(evaluate(&start) > 0, "the side to move has a little more");
/// let a_rook_up = Position::from_fen("4k3/8/8/8/8/8/8/R3K3 b - - 0 1")?;
/// assert!(evaluate(&a_rook_up) < -300, "and Black is to move");
/// # Ok::<(), tabiya_core::FenError>(())
/// ```
pub fn evaluate(position: &Position) -> Value {
    seen_by(position.side_to_move(), processor::value(position, &mut PawnCache::for_one()))
}

/// The main evaluation with a memory for pawns.
///
/// ```
/// use tabiya_eval::{Evaluate, HandcraftedEvaluator, evaluate};
/// use tabiya_movegen::Position;
///
/// let mut evaluator = HandcraftedEvaluator::new();
/// let position = Position::startpos();
/// assert_eq!(evaluator.evaluate(&position), evaluate(&position));
/// ```
pub struct HandcraftedEvaluator {
    pawns: PawnCache,
}

impl HandcraftedEvaluator {
    /// An evaluator that remembers nothing yet. Its memory takes less than a megabyte.
    pub fn new() -> HandcraftedEvaluator {
        endgame::prepare();
        HandcraftedEvaluator { pawns: PawnCache::new() }
    }
}

impl Default for HandcraftedEvaluator {
    fn default() -> HandcraftedEvaluator {
        HandcraftedEvaluator::new()
    }
}

impl Evaluate for HandcraftedEvaluator {
    fn evaluate(&mut self, position: &Position) -> Value {
        seen_by(position.side_to_move(), processor::value(position, &mut self.pawns))
    }

    fn clear(&mut self) {
        self.pawns.clear();
    }
}

fn seen_by(color: Color, white_value: Value) -> Value {
    match color {
        Color::White => white_value,
        Color::Black => -white_value,
    }
}

/// What the terms add up to, before it is made one number.
pub(crate) struct Sums {
    /// White's points less Black's, the danger to the kings among them.
    pub(crate) score: Score,
    /// By how many per cent the end game's half grows.
    pub(crate) winnable: Score,
}

impl Sums {
    /// Both halves, that of the end game stretched, and the part of it that can be won.
    #[inline(always)]
    pub(crate) fn halves(&self, board: &Board, numbers: &Numbers) -> (Value, Value, Value) {
        let middle_game = self.score.middle_game();
        let end_game = stretched(self.score.end_game(), self.winnable.end_game());
        let stronger = if end_game > VALUE_DRAW { Color::White } else { Color::Black };
        let scale = endgame::scale(board, numbers, stronger);
        (middle_game, end_game, scale)
    }

    /// One number for this phase, White's point of view.
    #[inline(always)]
    pub(crate) fn value(&self, board: &Board, numbers: &Numbers) -> Value {
        let (middle_game, end_game, scale) = self.halves(board, numbers);
        numbers
            .phase()
            .blend(middle_game, end_game * scale / endgame::FULL)
            .clamp(1 - MATE_IN_MAX_PLY, MATE_IN_MAX_PLY - 1)
    }
}

/// The value for White. [`processor::value`] is this, compiled for the processor that it runs on.
#[inline(always)]
pub(crate) fn white_value(position: &Position, cache: &mut PawnCache) -> Value {
    if let Some(value) = endgame::known(position) {
        return value;
    }
    let board = position.board();
    let numbers = Numbers::of(board);
    let shelters = [cache.shelter::<White>(board), cache.shelter::<Black>(board)];
    add_up(board, &numbers, cache.pawns(board), &shelters, &mut Silent).value(board, &numbers)
}

/// Every term of both sides. A tracer that listens must bring pawns and shelters that it has heard of itself.
#[inline(always)]
pub(crate) fn add_up<T: Tracer>(
    board: &Board,
    numbers: &Numbers,
    pawns: &Pawns,
    shelters: &[Shelter; 2],
    tracer: &mut T,
) -> Sums {
    let mut map = AttackMap::new(board);
    let mut score = pawns.score;
    score += material::<White, T>(board, numbers, tracer) - material::<Black, T>(board, numbers, tracer);
    score += pieces::<White, T>(board, pawns, &mut map, tracer);
    score -= pieces::<Black, T>(board, pawns, &mut map, tracer);
    let [white, black] = shelters;
    score += king::<White, T>(board, white, &map, tracer) - king::<Black, T>(board, black, &map, tracer);
    score += threats::<White, T>(board, &map, tracer) - threats::<Black, T>(board, &map, tracer);
    let runners = pawns.passed;
    score +=
        passed::<White, T>(board, runners, &map, tracer) - passed::<Black, T>(board, runners, &map, tracer);
    if numbers.pieces() >= space::FEWEST_PIECES {
        score +=
            space::<White, T>(board, numbers, &map, tracer) - space::<Black, T>(board, numbers, &map, tracer);
    }
    score += tempo::<White, T>(board, tracer) - tempo::<Black, T>(board, tracer);
    Sums { score, winnable: winnability(board, numbers, runners, tracer) }
}

/// The king's shelter less the danger to him.
#[inline(always)]
fn king<S: Side, T: Tracer>(board: &Board, shelter: &Shelter, map: &AttackMap, tracer: &mut T) -> Score {
    shelter.score - cost(danger::<S, T>(board, map, shelter, tracer))
}

/// The right to move.
#[inline(always)]
fn tempo<S: Side, T: Tracer>(board: &Board, tracer: &mut T) -> Score {
    let mut score = Score::ZERO;
    if board.side_to_move() == S::US {
        count!(tracer, S, score, tempo);
    }
    score
}
