use tabiya_core::{Bitboard, Color, PieceType};
use tabiya_movegen::{Position, attacks};

/// Every square that a side's pieces attack, pinned ones included.
pub(crate) fn attacked_by(position: &Position, color: Color) -> Bitboard {
    let occupied = position.occupied();
    let pawns = position.pieces(color, PieceType::Pawn).forward(color);
    let mut attacked = pawns.east() | pawns.west() | attacks::king_attacks(position.king(color));
    for knight in position.pieces(color, PieceType::Knight) {
        attacked |= attacks::knight_attacks(knight);
    }
    for slider in position.diagonal_sliders(color) {
        attacked |= attacks::bishop_attacks(slider, occupied);
    }
    for slider in position.orthogonal_sliders(color) {
        attacked |= attacks::rook_attacks(slider, occupied);
    }
    attacked
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::BENCH_POSITIONS;
    use tabiya_core::Square;

    #[test]
    fn agrees_with_asking_square_by_square() {
        for bench_position in BENCH_POSITIONS {
            let position: Position = bench_position.fen.parse().expect("a legal position");
            for color in [Color::White, Color::Black] {
                let attacked = attacked_by(&position, color);
                for square in (0..64).filter_map(Square::from_index) {
                    assert_eq!(attacked.contains(square), position.is_attacked(square, color), "{square}");
                }
            }
        }
    }
}
