//! Material and piece-square values, joined into one table when the crate is compiled.

use crate::Score;
use crate::weights;
use tabiya_core::{Piece, PieceType, Square};

/// What a piece on its square is worth, material included, from White's point of view: black
/// pieces count negative and see the boards upside down.
#[inline]
pub(crate) fn piece_on_square(piece: Piece, square: Square) -> Score {
    static VALUES: [[Score; Square::COUNT]; Piece::COUNT] = build();
    VALUES[piece.index()][square.index()]
}

const fn build() -> [[Score; Square::COUNT]; Piece::COUNT] {
    let mut values = [[Score::ZERO; Square::COUNT]; Piece::COUNT];
    let mut kind = 0;
    while kind < PieceType::COUNT {
        let piece_type = PieceType::ALL[kind];
        let weights = weights::square_weights(piece_type);
        let mut index = 0;
        while index < Square::COUNT {
            let value = weights::MATERIAL[kind].plus(weights[index]);
            let mirrored = Square::wrapping(index as u8).flip_rank().index();
            values[2 * kind][index] = value;
            values[2 * kind + 1][mirrored] = value.negated();
            index += 1;
        }
        kind += 1;
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Score;
    use tabiya_core::{Color, PieceType};

    #[test]
    fn colours_mirror_each_other() {
        for piece in Piece::ALL {
            let other = Piece::new(!piece.color(), piece.piece_type());
            for square in Square::ALL {
                assert_eq!(
                    piece_on_square(piece, square),
                    -piece_on_square(other, square.flip_rank()),
                    "{piece} on {square}"
                );
            }
        }
    }

    #[test]
    fn boards_are_read_from_rank_8() {
        let value = |square| piece_on_square(Piece::WhitePawn, square) - weights::MATERIAL[0];
        // A pawn about to promote is worth more than one at home, in both phases.
        let gain = value(Square::A7) - value(Square::A2);
        assert!(gain.middle_game() > 0 && gain.end_game() > 0, "{gain:?}");
        let king = |square| piece_on_square(Piece::WhiteKing, square);
        assert!(king(Square::G1).middle_game() > king(Square::E4).middle_game());
        assert!(king(Square::G1).end_game() < king(Square::E4).end_game());
        for square in [Rank::First, Rank::Eighth].into_iter().flat_map(|rank| rank.bitboard()) {
            assert_eq!(value(square), Score::ZERO, "no pawn ever stands on {square}");
        }
        assert_eq!(Piece::new(Color::White, PieceType::Pawn).index(), 0, "the table's first row");
    }

    use tabiya_core::Rank;
}
