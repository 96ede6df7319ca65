//! Passed pawns: what helps them on and what stands in their way.

use crate::Score;
use crate::attack_map::AttackMap;
use crate::distance::distance;
use crate::side::Side;
use crate::tracer::{Tracer, count};
use tabiya_core::{Bitboard, Board, Color, PieceType, Square};

/// The part that changes with every move; the standing part is in the pawn structure.
#[inline(always)]
pub(crate) fn passed<S: Side, T: Tracer>(
    board: &Board,
    passed: Bitboard,
    map: &AttackMap,
    tracer: &mut T,
) -> Score {
    let mut score = Score::ZERO;
    let (ours, theirs) = (map.of(S::US), map.of(S::THEM));
    let bare = (board.by_color(S::THEM) - board.by_type(PieceType::Pawn) - board.by_type(PieceType::King))
        .is_empty();
    for square in passed & board.by_color(S::US) {
        let rank = S::rank_of(square) - 1;
        let pawn = square.bitboard();
        let stop = pawn.forward(S::US);
        let path = S::ahead(pawn);
        let behind = S::Them::ahead(pawn);
        let Some(stop_square) = stop.first() else { continue };
        let steps = |king: Square| distance(king, stop_square).min(5);
        count!(tracer, S, score, passed_own_king[rank] * steps(board.king(S::US)));
        count!(tracer, S, score, passed_their_king[rank] * steps(board.king(S::THEM)));

        // Sliders behind the pawn see along the whole of its path.
        let sliders = behind & board.orthogonal_sliders(S::THEM) & sees_pawn::<S>(board, square, behind);
        let helpers = behind & board.orthogonal_sliders(S::US) & sees_pawn::<S>(board, square, behind);
        let attacked = if sliders.any() { path } else { theirs.all & path };
        if !stop.is_disjoint(board.occupied()) {
            count!(tracer, S, score, passed_blocked[rank]);
        } else if (attacked & stop).is_empty() {
            count!(tracer, S, score, passed_safe_step[rank]);
        }
        if attacked.is_empty() && path.is_disjoint(board.by_color(S::THEM)) {
            count!(tracer, S, score, passed_safe_path[rank]);
        }
        if helpers.any() || !stop.is_disjoint(ours.all) {
            count!(tracer, S, score, passed_defended_step[rank]);
        }
        if helpers.any() {
            count!(tracer, S, score, passed_rook_behind);
        } else if sliders.any() {
            count!(tracer, S, score, passed_enemy_behind);
        }
        if bare && is_unstoppable::<S>(board, square, path) {
            count!(tracer, S, score, passed_unstoppable);
        }
    }
    score
}

/// The squares behind a pawn from which a rook sees it.
#[inline(always)]
fn sees_pawn<S: Side>(board: &Board, square: Square, behind: Bitboard) -> Bitboard {
    let pieces = behind & board.occupied();
    let nearest = match S::US {
        Color::White => pieces.last(),
        Color::Black => pieces.first(),
    };
    debug_assert!(nearest.is_none_or(|piece| piece.file() == square.file()));
    nearest.map_or(Bitboard::EMPTY, Square::bitboard)
}

/// Does the pawn queen before the enemy king is there, with nobody in its way?
#[inline(always)]
fn is_unstoppable<S: Side>(board: &Board, square: Square, path: Bitboard) -> bool {
    if !path.is_disjoint(board.occupied()) {
        return false;
    }
    let Some(goal) = (path & S::rank(7)).first() else { return false };
    let first_step_is_double = S::rank_of(square) == 1;
    let pawn_moves = 7 - S::rank_of(square) as i32 - i32::from(first_step_is_double);
    let head_start = i32::from(board.side_to_move() == S::THEM);
    distance(board.king(S::THEM), goal) - head_start > pawn_moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::side::White;

    fn runs(fen: &str) -> bool {
        let board: Board = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        let pawn =
            board.pieces(Color::White, PieceType::Pawn).first().unwrap_or_else(|| panic!("{fen}: no pawn"));
        is_unstoppable::<White>(&board, pawn, White::ahead(pawn.bitboard()))
    }

    #[test]
    fn the_rule_of_the_square() {
        assert!(runs("8/8/8/8/P4k2/8/8/K7 w - - 0 1"));
        assert!(!runs("8/8/8/8/P4k2/8/8/K7 b - - 0 1"));
        assert!(!runs("8/8/8/8/P3k3/8/8/K7 b - - 0 1"));
        assert!(runs("8/8/8/8/6k1/8/P7/7K w - - 0 1"));
        assert!(!runs("8/8/8/8/6k1/8/P7/7K b - - 0 1"));
    }
}
