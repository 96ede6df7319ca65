//! Adds up the terms of both sides and turns the sums into one value.

use super::attack_map::AttackMap;
use super::endgame;
use super::material_counts::MaterialCounts;
use super::pawn_cache::PawnCache;
use super::score::{EndgamePercent, Score};
use super::side::{Black, Side, White};
use super::terms::complexity::{adjusted, complexity};
use super::terms::king_safety::{king_danger, penalty};
use super::terms::material::material;
use super::terms::passed::passed;
use super::terms::pawns::Pawns;
use super::terms::pieces::pieces;
use super::terms::shelter::{Shelter, shelter};
use super::terms::space::{self, space};
use super::terms::threats::threats;
use super::tracer::{Count, Recorder, Silent, Tracer, count};
use tabiya_core::{Board, Color, TB_WIN_IN_MAX_PLY, VALUE_DRAW, Value};
use tabiya_movegen::Position;

/// The sums of all terms.
pub(super) struct Sums {
    /// White's terms minus Black's, king safety included.
    pub(super) score: Score,
    /// The adjustment of the endgame half.
    pub(super) complexity: EndgamePercent,
}

/// A position's value for each phase of the game, in centipawns from White's point of view.
pub(super) struct Halves {
    /// The middlegame half.
    pub(super) mg: Value,
    /// The endgame half, adjusted by the complexity of the position but not scaled.
    pub(super) eg: Value,
    /// The scale factor of the endgame half, in 64ths.
    pub(super) scale_factor: Value,
}

impl Sums {
    /// Adjusts the endgame half and determines its scale factor.
    #[inline(always)]
    pub(super) fn halves(&self, board: &Board, counts: &MaterialCounts) -> Halves {
        let eg = adjusted(self.score.eg(), self.complexity);
        let stronger = if eg > VALUE_DRAW { Color::White } else { Color::Black };
        Halves { mg: self.score.mg(), eg, scale_factor: endgame::scale_factor(board, counts, stronger) }
    }

    /// The blended value in centipawns, from White's point of view.
    #[inline(always)]
    pub(super) fn value(&self, board: &Board, counts: &MaterialCounts) -> Value {
        let Halves { mg, eg, scale_factor } = self.halves(board, counts);
        counts
            .phase()
            .blend(mg, eg * scale_factor / endgame::FULL_SCALE)
            .clamp(1 - TB_WIN_IN_MAX_PLY, TB_WIN_IN_MAX_PLY - 1)
    }
}

/// The value in centipawns, from White's point of view.
///
/// Only `processor` calls it, which compiles it for the processors it may run on.
#[inline(always)]
pub(super) fn white_value(position: &Position, cache: &mut PawnCache) -> Value {
    if let Some(value) = endgame::known_value(position) {
        return value;
    }
    let board = position.board();
    let counts = MaterialCounts::of(board);
    let shelters = [cache.shelter::<White>(board), cache.shelter::<Black>(board)];
    add_up(board, &counts, cache.pawns(board), &shelters, &mut Silent).value(board, &counts)
}

/// Returns how often each weight counts in a position, and the sums.
pub(super) fn record(board: &Board, counts: &MaterialCounts) -> (Vec<Count>, Sums) {
    let mut recorder = Recorder::default();
    // Not from the cache, which stores sums without the weights in them.
    let pawns = Pawns::of(board, &mut recorder);
    let shelters = [
        shelter::<White, _>(board, board.king(Color::White), &mut recorder),
        shelter::<Black, _>(board, board.king(Color::Black), &mut recorder),
    ];
    let sums = add_up(board, counts, &pawns, &shelters, &mut recorder);
    (recorder.counts, sums)
}

/// Adds up all terms of both sides. The tracer does not see the weights in `pawns` and `shelters`.
#[inline(always)]
fn add_up<T: Tracer>(
    board: &Board,
    counts: &MaterialCounts,
    pawns: &Pawns,
    shelters: &[Shelter; 2],
    tracer: &mut T,
) -> Sums {
    let mut map = AttackMap::new(board);
    let mut score = pawns.score;
    score += material::<White, T>(board, counts, tracer) - material::<Black, T>(board, counts, tracer);
    score += pieces::<White, T>(board, pawns, &mut map, tracer);
    score -= pieces::<Black, T>(board, pawns, &mut map, tracer);
    let [white, black] = shelters;
    score += king::<White, T>(board, white, &map, tracer) - king::<Black, T>(board, black, &map, tracer);
    score += threats::<White, T>(board, &map, tracer) - threats::<Black, T>(board, &map, tracer);
    let passers = pawns.passed;
    score +=
        passed::<White, T>(board, passers, &map, tracer) - passed::<Black, T>(board, passers, &map, tracer);
    if counts.pieces() >= space::MIN_PIECES {
        score +=
            space::<White, T>(board, counts, &map, tracer) - space::<Black, T>(board, counts, &map, tracer);
    }
    score += tempo::<White, T>(board, tracer) - tempo::<Black, T>(board, tracer);
    Sums { score, complexity: complexity(board, counts, passers, tracer) }
}

/// The king's shelter minus the penalty for the danger to the king.
#[inline(always)]
fn king<S: Side, T: Tracer>(board: &Board, shelter: &Shelter, map: &AttackMap, tracer: &mut T) -> Score {
    shelter.score - penalty(king_danger::<S, T>(board, map, shelter, tracer))
}

/// The bonus for the side to move.
#[inline(always)]
fn tempo<S: Side, T: Tracer>(board: &Board, tracer: &mut T) -> Score {
    let mut score = Score::ZERO;
    if board.side_to_move() == S::US {
        count!(tracer, S, score, tempo);
    }
    score
}
