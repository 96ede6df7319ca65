//! How much of an end game's advantage the material on the board can win with.

use crate::numbers::Numbers;
use crate::side::{Black, White};
use crate::terms::pawns::passed;
use tabiya_core::{Bitboard, Board, Color, File, PieceType, Square, Value};

/// A scale of "all of it".
pub(crate) const FULL: Value = 64;

/// Round numbers to compare material by.
const MINOR: Value = 3;
const ROOK: Value = 5;
const QUEEN: Value = 9;

/// The part, in 64ths, that is left of `stronger`'s advantage in the end game.
///
/// - Without pawns, an edge of a minor piece or less rarely wins, and with nothing but a minor piece it
///   never does.
/// - A rook's pawn whose corner the enemy king holds does not win, alone or with the wrong bishop.
/// - Bishops of opposite colours hold against a pawn or two, alone more than with other pieces.
/// - One pawn more in a rook ending, all of them on one side, is often not enough.
/// - Else, the fewer pawns there are the harder it is.
#[inline(always)]
pub(crate) fn scale(board: &Board, numbers: &Numbers, stronger: Color) -> Value {
    let own_pawns = numbers.get(stronger, PieceType::Pawn);
    if own_pawns == 0 || numbers.pieces_of(stronger) <= 1 {
        return with_little(board, numbers, stronger);
    }
    if opposite_bishops(board, numbers) {
        return in_company(own_pawns);
    }
    usual(own_pawns)
}

/// The part that is left if there are no pawns, or hardly anything else.
#[cold]
fn with_little(board: &Board, numbers: &Numbers, stronger: Color) -> Value {
    let pawns = board.pieces(stronger, PieceType::Pawn);
    let (ours, theirs) = (pieces(numbers, stronger), pieces(numbers, !stronger));
    let own_pawns = numbers.get(stronger, PieceType::Pawn);
    if pawns.is_empty() && (ours - theirs <= MINOR || is_two_knights(numbers, stronger, ours)) {
        return without_pawns(numbers, stronger, ours, theirs);
    }
    if ours <= MINOR && is_wrong_corner(board, stronger, pawns) {
        return 0;
    }
    if opposite_bishops(board, numbers) {
        return if ours == MINOR && theirs == MINOR {
            let runners = match stronger {
                Color::White => passed::<White>(board),
                Color::Black => passed::<Black>(board),
            };
            (16 + 6 * runners.count() as Value).min(FULL)
        } else {
            in_company(own_pawns)
        };
    }
    let enemy_pawns = board.pieces(!stronger, PieceType::Pawn);
    if ours == ROOK
        && theirs == ROOK
        && Color::ALL.into_iter().all(|color| numbers.get(color, PieceType::Rook) == 1)
        && own_pawns <= numbers.get(!stronger, PieceType::Pawn) + 1
        && on_one_side(pawns)
        && king_defends(board, stronger, enemy_pawns)
    {
        return 36;
    }
    usual(own_pawns)
}

/// Where nothing special is on the board.
#[inline(always)]
fn usual(own_pawns: Value) -> Value {
    (42 + 6 * own_pawns).min(FULL)
}

/// With bishops of opposite colours and other pieces.
#[inline(always)]
fn in_company(own_pawns: Value) -> Value {
    (34 + 3 * own_pawns).min(FULL)
}

/// What a side has besides pawns, in the old round numbers.
#[inline]
fn pieces(numbers: &Numbers, color: Color) -> Value {
    let number = |piece_type| numbers.get(color, piece_type);
    MINOR * (number(PieceType::Knight) + number(PieceType::Bishop))
        + ROOK * number(PieceType::Rook)
        + QUEEN * number(PieceType::Queen)
}

fn without_pawns(numbers: &Numbers, stronger: Color, ours: Value, theirs: Value) -> Value {
    if ours < ROOK {
        0
    } else if is_two_knights(numbers, stronger, ours) {
        4 // Only a pawn of the other side's, stopped far enough back, lets them mate.
    } else if theirs <= MINOR {
        10 // Rook against a minor piece and the like.
    } else {
        14
    }
}

/// Are two knights all that it has?
#[inline]
fn is_two_knights(numbers: &Numbers, stronger: Color, ours: Value) -> bool {
    ours == 2 * MINOR && numbers.get(stronger, PieceType::Knight) == 2
}

/// All pawns on one rook's file, no bishop that covers the corner, and the enemy king in it?
fn is_wrong_corner(board: &Board, stronger: Color, pawns: Bitboard) -> bool {
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
    let corner = Square::new(file, tabiya_core::Rank::Eighth).relative_to(stronger);
    let bishops = board.pieces(stronger, PieceType::Bishop);
    let its_colour = if Bitboard::DARK.contains(corner) { Bitboard::DARK } else { Bitboard::LIGHT };
    bishops.is_disjoint(its_colour) && board.king(!stronger).distance(corner) <= 1
}

/// One bishop each, on squares of different colour?
#[inline]
fn opposite_bishops(board: &Board, numbers: &Numbers) -> bool {
    let bishops = board.by_type(PieceType::Bishop);
    Color::ALL.into_iter().all(|color| numbers.get(color, PieceType::Bishop) == 1)
        && !bishops.is_subset_of(Bitboard::DARK)
        && !bishops.is_subset_of(Bitboard::LIGHT)
}

fn on_one_side(pawns: Bitboard) -> bool {
    const QUEEN_SIDE: Bitboard = Bitboard(0x0f0f_0f0f_0f0f_0f0f);
    pawns.is_subset_of(QUEEN_SIDE) || pawns.is_disjoint(QUEEN_SIDE)
}

/// Does the weaker king stand by one of his pawns?
fn king_defends(board: &Board, stronger: Color, enemy_pawns: Bitboard) -> bool {
    let king = board.king(!stronger);
    !tabiya_movegen::attacks::king_attacks(king).is_disjoint(enemy_pawns)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(fen: &str) -> Value {
        let board: Board = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        scale(&board, &Numbers::of(&board), Color::White)
    }

    #[test]
    fn what_can_be_won() {
        assert_eq!(of("8/8/4k3/8/3p4/3KN3/8/8 w - - 0 1"), 0, "a lone knight");
        assert!(of("8/8/3bk3/8/8/3K3R/8/8 w - - 0 1") < FULL / 4);
        assert!(of("8/5p2/4k3/8/8/3KNN2/8/8 w - - 0 1") < FULL / 4);
        assert!(of("8/4k3/8/3r4/8/4K2Q/8/8 w - - 0 1") > FULL / 2);
        assert!(of("8/2pp4/3k4/8/8/3KRR2/8/8 b - - 0 1") > FULL / 2);
        assert_eq!(of("4k3/pppp4/8/8/8/8/PPPP4/RN2K3 w - - 0 1"), FULL);
    }

    #[test]
    fn the_wrong_corner() {
        assert_eq!(of("k7/8/8/P7/8/3KB3/8/8 w - - 0 1"), 0, "a dark bishop does not cover a8");
        assert!(of("k7/8/8/P7/8/3K4/4B3/8 w - - 0 1") > 0, "a light one does");
        assert!(of("8/8/4k3/P7/8/3KB3/8/8 w - - 0 1") > 0, "the king is not there");
        assert_eq!(of("7k/8/8/7P/7P/3K4/8/8 w - - 0 1"), 0);
        assert!(of("7k/8/8/7P/6P1/3K4/8/8 w - - 0 1") > 0);
    }

    #[test]
    fn bishops_of_opposite_colours() {
        let alone = of("4k3/p7/3b4/8/8/3B4/PP6/4K3 w - - 0 1");
        assert!(alone < FULL / 2);
        let in_company = of("r3k3/p7/3b4/8/8/3B4/PP6/R3K3 w - - 0 1");
        assert!(alone < in_company && in_company < FULL);
        assert!(of("4k3/p7/4b3/8/8/3B4/PP6/4K3 w - - 0 1") > in_company, "of the same colour");
    }

    #[test]
    fn rook_endings_on_one_side() {
        let drawish = of("8/5pk1/6p1/8/r5P1/5PKP/8/R7 w - - 0 1");
        assert!(drawish < of("8/5pk1/6p1/8/r5P1/5PK1/P7/R7 w - - 0 1"));
    }
}
