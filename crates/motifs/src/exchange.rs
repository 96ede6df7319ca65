//! Attacked, undefended and trapped pieces.

use tabiya_core::{Bitboard, Color, PieceType, Square};
use tabiya_movegen::Position;

/// The value of a piece in pawns. The king counts more than all others together.
pub(crate) const fn value(piece: PieceType) -> i32 {
    match piece {
        PieceType::King => 99,
        _ => piece.pawns() as i32,
    }
}

/// The material of `side` minus that of its opponent, in pawns.
pub fn balance(position: &Position, side: Color) -> i32 {
    let material = |color| -> i32 {
        let count = |piece| position.pieces(color, piece).count() as i32;
        PieceType::ALL.iter().map(|&piece| value(piece) * count(piece)).sum()
    };
    material(side) - material(!side)
}

/// The value of the piece on a square in pawns, 0 if it is empty.
pub(crate) fn value_on(position: &Position, square: Square) -> i32 {
    position.piece_on(square).map_or(0, |piece| value(piece.piece_type()))
}

/// The pieces of `color` that would recapture on `square`, also those behind an attacker of either side on the same line.
pub fn defenders(position: &Position, square: Square, color: Color) -> Bitboard {
    let sliders = |color| position.diagonal_sliders(color) | position.orthogonal_sliders(color);
    let front = position.attackers_to(square, position.occupied()) & (sliders(color) | sliders(!color));
    let direct = position.attackers(square, color);
    let behind = position.attackers_to(square, position.occupied() - front) & position.by_color(color);
    direct | behind
}

/// Returns true if there is a piece on `square` without a defender.
pub(crate) fn is_undefended(position: &Position, square: Square) -> bool {
    position.piece_on(square).is_some_and(|piece| defenders(position, square, piece.color()).is_empty())
}

/// The lowest value among the enemies that attack the piece on `square`.
pub(crate) fn cheapest_attacker(position: &Position, square: Square) -> Option<i32> {
    let piece = position.piece_on(square)?;
    position.attackers(square, !piece.color()).into_iter().map(|from| value_on(position, from)).min()
}

/// Returns true if capturing the piece on `square` wins material: it is undefended, or worth more than an attacker.
pub fn is_en_prise(position: &Position, square: Square) -> bool {
    cheapest_attacker(position, square)
        .is_some_and(|attacker| attacker < value_on(position, square) || is_undefended(position, square))
}

/// Returns true if the piece of the side to move on `square` is en prise, and each of its moves loses it for less.
///
/// Pinned pieces, and all pieces during a check, are not free to move for another reason.
pub(crate) fn is_trapped(position: &Position, square: Square) -> bool {
    let Some(piece) = position.piece_on(square) else { return false };
    let worth = value(piece.piece_type());
    if position.in_check()
        || matches!(piece.piece_type(), PieceType::Pawn | PieceType::King)
        || position.pinned().contains(square)
        || !is_en_prise(position, square)
    {
        return false;
    }
    position.legal().filter(|mv| mv.from() == square).all(|mv| {
        let gained = mv.captured().map_or(0, |captured| value(captured.piece_type()));
        gained < worth && is_en_prise(&mv.play(), mv.destination())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_defended_through_attackers() {
        // The rook a8 defends a5 through the white rook a7.
        let position: Position = "r3k3/R7/8/n7/8/8/8/4K3 w - - 0 1".parse().unwrap();
        assert!(!is_undefended(&position, Square::A5));
        let position: Position = "4k3/R7/8/n7/8/8/8/4K3 w - - 0 1".parse().unwrap();
        assert!(is_undefended(&position, Square::A5) && is_en_prise(&position, Square::A5));
    }

    #[test]
    fn the_bishop_on_a7_is_trapped() {
        let position: Position = "4k3/B4p2/1p1r2p1/p1p5/8/8/8/1R2K3 w - - 0 1".parse().unwrap();
        assert!(!is_trapped(&position, Square::A7), "nothing attacks it");
        let position: Position = "3rk3/Br3p2/1p4p1/p1p5/8/8/8/4K3 w - - 0 1".parse().unwrap();
        assert!(is_trapped(&position, Square::A7));
        let position: Position = "4k3/1r3p2/B5p1/p1p5/8/8/8/4K3 w - - 0 1".parse().unwrap();
        assert!(!is_trapped(&position, Square::A6), "it captures the rook");
    }
}
