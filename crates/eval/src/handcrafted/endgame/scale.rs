//! Scale factors: the share of an endgame advantage that the material on the board can win with.

use super::super::material_counts::MaterialCounts;
use super::super::side::{Black, White, on_one_wing};
use super::super::terms::pawns::passed_pawns;
use tabiya_core::{Bitboard, Board, Color, File, PieceType, Rank, Square, Value};
use tabiya_movegen::attacks::king_attacks;

/// The scale factor of a normal position: the advantage counts in full.
pub(crate) const FULL_SCALE: Value = 64;

/// Conventional piece values, in pawns, to compare material by.
const MINOR: Value = 3;
const ROOK: Value = 5;
const QUEEN: Value = 9;

/// The scale factor of `stronger`'s endgame advantage, in 64ths.
///
/// - Without pawns, an advantage of a minor piece or less rarely wins, and a lone minor piece never does.
/// - A rook pawn does not win if the enemy king holds the queening corner, alone or with a bishop of the
///   wrong colour.
/// - Bishops of opposite colours draw a pawn or two down, without other pieces more often than with them.
/// - A rook ending with an extra pawn and all own pawns on one wing is often drawn.
/// - Otherwise, fewer pawns make it harder to win.
#[inline(always)]
pub(crate) fn scale_factor(board: &Board, counts: &MaterialCounts, stronger: Color) -> Value {
    let own_pawns = counts.get(stronger, PieceType::Pawn);
    if own_pawns == 0 || counts.pieces_of(stronger) <= 1 {
        return with_few_pieces(board, counts, stronger);
    }
    if opposite_bishops(board, counts) {
        return opposite_bishops_with_pieces(own_pawns);
    }
    by_pawns(own_pawns)
}

/// The scale factor of a side that has no pawns, or at most one piece besides them.
#[cold]
fn with_few_pieces(board: &Board, counts: &MaterialCounts, stronger: Color) -> Value {
    let pawns = board.pieces(stronger, PieceType::Pawn);
    let (ours, theirs) = (non_pawn_material(counts, stronger), non_pawn_material(counts, !stronger));
    let own_pawns = counts.get(stronger, PieceType::Pawn);
    if pawns.is_empty() && (ours - theirs <= MINOR || is_two_knights(counts, stronger, ours)) {
        return without_pawns(counts, stronger, ours, theirs);
    }
    if ours <= MINOR && is_wrong_corner(board, stronger, pawns) {
        return 0;
    }
    if opposite_bishops(board, counts) {
        return if ours == MINOR && theirs == MINOR {
            let passers = match stronger {
                Color::White => passed_pawns::<White>(board),
                Color::Black => passed_pawns::<Black>(board),
            };
            (16 + 6 * passers.count() as Value).min(FULL_SCALE)
        } else {
            opposite_bishops_with_pieces(own_pawns)
        };
    }
    let enemy_pawns = board.pieces(!stronger, PieceType::Pawn);
    if ours == ROOK
        && theirs == ROOK
        && Color::ALL.into_iter().all(|color| counts.get(color, PieceType::Rook) == 1)
        && own_pawns <= counts.get(!stronger, PieceType::Pawn) + 1
        && on_one_wing(pawns)
        && !king_attacks(board.king(!stronger)).is_disjoint(enemy_pawns)
    {
        return 36;
    }
    by_pawns(own_pawns)
}

/// The scale factor of an ordinary ending.
#[inline(always)]
fn by_pawns(own_pawns: Value) -> Value {
    (42 + 6 * own_pawns).min(FULL_SCALE)
}

/// The scale factor with bishops of opposite colours and other pieces.
#[inline(always)]
fn opposite_bishops_with_pieces(own_pawns: Value) -> Value {
    (34 + 3 * own_pawns).min(FULL_SCALE)
}

/// The material of a side besides pawns, in conventional piece values.
#[inline]
fn non_pawn_material(counts: &MaterialCounts, color: Color) -> Value {
    let count = |piece_type| counts.get(color, piece_type);
    MINOR * (count(PieceType::Knight) + count(PieceType::Bishop))
        + ROOK * count(PieceType::Rook)
        + QUEEN * count(PieceType::Queen)
}

fn without_pawns(counts: &MaterialCounts, stronger: Color, ours: Value, theirs: Value) -> Value {
    if ours < ROOK {
        0
    } else if is_two_knights(counts, stronger, ours) {
        4 // They can only force mate if the other side has a pawn that is blockaded far enough back.
    } else if theirs <= MINOR {
        10 // Rook against minor piece and the like.
    } else {
        14
    }
}

/// Returns true if a side's only pieces are two knights.
#[inline]
fn is_two_knights(counts: &MaterialCounts, stronger: Color, ours: Value) -> bool {
    ours == 2 * MINOR && counts.get(stronger, PieceType::Knight) == 2
}

/// Returns true if all pawns are on one rook file, no bishop covers the queening corner and the enemy king
/// holds it.
pub(super) fn is_wrong_corner(board: &Board, stronger: Color, pawns: Bitboard) -> bool {
    let file = if pawns.is_subset_of(File::A.bitboard()) {
        File::A
    } else if pawns.is_subset_of(File::H.bitboard()) {
        File::H
    } else {
        return false;
    };
    if board.pieces(stronger, PieceType::Knight).any() {
        return false;
    }
    let corner = Square::new(file, Rank::Eighth).relative_to(stronger);
    let bishops = board.pieces(stronger, PieceType::Bishop);
    let corner_colour = if Bitboard::DARK.contains(corner) { Bitboard::DARK } else { Bitboard::LIGHT };
    bishops.is_disjoint(corner_colour) && board.king(!stronger).distance(corner) <= 1
}

/// Returns true if each side has one bishop, on squares of different colours.
#[inline]
fn opposite_bishops(board: &Board, counts: &MaterialCounts) -> bool {
    let bishops = board.by_type(PieceType::Bishop);
    Color::ALL.into_iter().all(|color| counts.get(color, PieceType::Bishop) == 1)
        && !bishops.is_subset_of(Bitboard::DARK)
        && !bishops.is_subset_of(Bitboard::LIGHT)
}

#[cfg(test)]
mod tests {
    use super::super::super::test_board::board;
    use super::*;

    fn white_scale(fen: &str) -> Value {
        let board = board(fen);
        scale_factor(&board, &MaterialCounts::of(&board), Color::White)
    }

    #[test]
    fn material_without_pawns() {
        assert_eq!(white_scale("8/8/4k3/8/3p4/3KN3/8/8 w - - 0 1"), 0, "a lone knight");
        assert!(white_scale("8/8/3bk3/8/8/3K3R/8/8 w - - 0 1") < FULL_SCALE / 4);
        assert!(white_scale("8/5p2/4k3/8/8/3KNN2/8/8 w - - 0 1") < FULL_SCALE / 4);
        assert!(white_scale("8/4k3/8/3r4/8/4K2Q/8/8 w - - 0 1") > FULL_SCALE / 2);
        assert!(white_scale("8/2pp4/3k4/8/8/3KRR2/8/8 b - - 0 1") > FULL_SCALE / 2);
        assert_eq!(white_scale("4k3/pppp4/8/8/8/8/PPPP4/RN2K3 w - - 0 1"), FULL_SCALE);
    }

    #[test]
    fn rook_pawn_with_the_wrong_corner() {
        assert_eq!(white_scale("k7/8/8/P7/8/3KB3/8/8 w - - 0 1"), 0, "a dark bishop does not cover a8");
        assert!(white_scale("k7/8/8/P7/8/3K4/4B3/8 w - - 0 1") > 0, "a light bishop does");
        assert!(white_scale("8/8/4k3/P7/8/3KB3/8/8 w - - 0 1") > 0, "the king is not in the corner");
        assert_eq!(white_scale("7k/8/8/7P/7P/3K4/8/8 w - - 0 1"), 0);
        assert!(white_scale("7k/8/8/7P/6P1/3K4/8/8 w - - 0 1") > 0);
    }

    #[test]
    fn bishops_of_opposite_colours() {
        let alone = white_scale("4k3/p7/3b4/8/8/3B4/PP6/4K3 w - - 0 1");
        assert!(alone < FULL_SCALE / 2);
        let with_rooks = white_scale("r3k3/p7/3b4/8/8/3B4/PP6/R3K3 w - - 0 1");
        assert!(alone < with_rooks && with_rooks < FULL_SCALE);
        assert!(white_scale("4k3/p7/4b3/8/8/3B4/PP6/4K3 w - - 0 1") > with_rooks, "of the same colour");
    }

    #[test]
    fn rook_ending_with_pawns_on_one_wing() {
        let one_wing = white_scale("8/5pk1/6p1/8/r5P1/5PKP/8/R7 w - - 0 1");
        assert!(one_wing < white_scale("8/5pk1/6p1/8/r5P1/5PK1/P7/R7 w - - 0 1"));
    }
}
