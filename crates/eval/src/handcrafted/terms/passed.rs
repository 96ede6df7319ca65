//! Passed pawns: the part that depends on other pieces. The part that depends on pawns alone is in `pawns`.

use super::super::attack_map::AttackMap;
use super::super::distance::distance;
use super::super::score::Score;
use super::super::side::Side;
use super::super::tracer::{Tracer, count};
use tabiya_core::{Bitboard, Board, Color, PieceType, Square};

/// The passed pawns of `S`. `passed` are those of both sides.
#[inline(always)]
pub(crate) fn passed<S: Side, T: Tracer>(
    board: &Board,
    passed: Bitboard,
    map: &AttackMap,
    tracer: &mut T,
) -> Score {
    let mut score = Score::ZERO;
    let (ours, theirs) = (map.of(S::US), map.of(S::THEM));
    let enemy_has_no_pieces =
        (board.by_color(S::THEM) - board.by_type(PieceType::Pawn) - board.by_type(PieceType::King))
            .is_empty();
    for square in passed & board.by_color(S::US) {
        let rank = S::rank_of(square) - 1;
        let pawn = square.bitboard();
        let stop = pawn.forward(S::US);
        let path = S::ahead(pawn);
        let behind = S::Them::ahead(pawn);
        let Some(stop_square) = stop.first() else { continue };
        let king_distance = |king: Square| distance(king, stop_square).min(5);
        count!(tracer, S, score, passed_own_king[rank] * king_distance(board.king(S::US)));
        count!(tracer, S, score, passed_their_king[rank] * king_distance(board.king(S::THEM)));

        // A rook or queen behind the pawn attacks or defends its whole path through it.
        let nearest = nearest_behind::<S>(board, square, behind);
        let attackers = behind & board.orthogonal_sliders(S::THEM) & nearest;
        let supporters = behind & board.orthogonal_sliders(S::US) & nearest;
        let attacked = if attackers.any() { path } else { theirs.all & path };
        if !stop.is_disjoint(board.occupied()) {
            count!(tracer, S, score, passed_blocked[rank]);
        } else if (attacked & stop).is_empty() {
            count!(tracer, S, score, passed_safe_step[rank]);
        }
        if attacked.is_empty() && path.is_disjoint(board.by_color(S::THEM)) {
            count!(tracer, S, score, passed_safe_path[rank]);
        }
        if supporters.any() || !stop.is_disjoint(ours.all) {
            count!(tracer, S, score, passed_defended_step[rank]);
        }
        if supporters.any() {
            count!(tracer, S, score, passed_rook_behind);
        } else if attackers.any() {
            count!(tracer, S, score, passed_enemy_behind);
        }
        if enemy_has_no_pieces && is_unstoppable::<S>(board, square, path) {
            count!(tracer, S, score, passed_unstoppable);
        }
    }
    score
}

/// The square of the nearest piece behind a pawn; empty if there is none.
#[inline(always)]
fn nearest_behind<S: Side>(board: &Board, square: Square, behind: Bitboard) -> Bitboard {
    let pieces = behind & board.occupied();
    let nearest = match S::US {
        Color::White => pieces.last(),
        Color::Black => pieces.first(),
    };
    debug_assert!(nearest.is_none_or(|piece| piece.file() == square.file()));
    nearest.map_or(Bitboard::EMPTY, Square::bitboard)
}

/// Returns true if nothing stands in the pawn's way and the enemy king is outside its square.
#[inline(always)]
fn is_unstoppable<S: Side>(board: &Board, square: Square, path: Bitboard) -> bool {
    if !path.is_disjoint(board.occupied()) {
        return false;
    }
    let Some(queening_square) = (path & S::rank(7)).first() else { return false };
    let first_step_is_double = S::rank_of(square) == 1;
    let pawn_moves = 7 - S::rank_of(square) as i32 - i32::from(first_step_is_double);
    let head_start = i32::from(board.side_to_move() == S::THEM);
    distance(board.king(S::THEM), queening_square) - head_start > pawn_moves
}

#[cfg(test)]
mod tests {
    use super::super::super::side::White;
    use super::super::super::test_board::board;
    use super::*;

    fn is_white_pawn_unstoppable(fen: &str) -> bool {
        let board = board(fen);
        let pawn =
            board.pieces(Color::White, PieceType::Pawn).first().unwrap_or_else(|| panic!("{fen}: no pawn"));
        is_unstoppable::<White>(&board, pawn, White::ahead(pawn.bitboard()))
    }

    #[test]
    fn follows_the_rule_of_the_square() {
        assert!(is_white_pawn_unstoppable("8/8/8/8/P4k2/8/8/K7 w - - 0 1"));
        assert!(!is_white_pawn_unstoppable("8/8/8/8/P4k2/8/8/K7 b - - 0 1"));
        assert!(!is_white_pawn_unstoppable("8/8/8/8/P3k3/8/8/K7 b - - 0 1"));
        assert!(is_white_pawn_unstoppable("8/8/8/8/6k1/8/P7/7K w - - 0 1"));
        assert!(!is_white_pawn_unstoppable("8/8/8/8/6k1/8/P7/7K b - - 0 1"));
    }
}
