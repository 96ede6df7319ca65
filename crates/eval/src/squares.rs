//! Material and piece-square values, joined into one table when the crate is compiled.

use crate::Score;
use crate::side::Side;
use crate::tracer::Tracer;
use crate::weights::{WEIGHTS, Weights};
use tabiya_core::{PieceType, Square};

/// Adds what a piece of `S` on its square is worth, material included.
#[inline(always)]
pub(crate) fn on_square<S: Side, T: Tracer>(
    piece_type: PieceType,
    square: Square,
    score: &mut Score,
    tracer: &mut T,
) {
    static VALUES: [[Score; Square::COUNT]; PieceType::COUNT] = joined();
    let square = square.relative_to(S::US);
    *score += VALUES[piece_type.index()][square.index()];
    if T::ON {
        if piece_type != PieceType::King {
            let values = core::mem::offset_of!(Weights, piece_value) / size_of::<Score>();
            tracer.add(S::US, values + piece_type.index(), 1);
        }
        let boards = core::mem::offset_of!(Weights, pawn_squares) / size_of::<Score>();
        tracer.add(S::US, boards + 32 * piece_type.index() + on_half_board(square), 1);
    }
}

/// Where a square lies on a drawn half board: a8 first, files a to d, the others mirrored.
const fn on_half_board(square: Square) -> usize {
    let file = square.file().index();
    (7 - square.rank().index()) * 4 + if file < 4 { file } else { 7 - file }
}

const fn joined() -> [[Score; Square::COUNT]; PieceType::COUNT] {
    let boards = &WEIGHTS;
    let boards = [
        &boards.pawn_squares,
        &boards.knight_squares,
        &boards.bishop_squares,
        &boards.rook_squares,
        &boards.queen_squares,
        &boards.king_squares,
    ];
    let mut values = [[Score::ZERO; Square::COUNT]; PieceType::COUNT];
    let mut kind = 0;
    while kind < PieceType::COUNT {
        let worth = if kind < 5 { WEIGHTS.piece_value[kind] } else { Score::ZERO };
        let mut index = 0;
        while index < Square::COUNT {
            values[kind][index] = worth.plus(boards[kind][on_half_board(Square::wrapping(index as u8))]);
            index += 1;
        }
        kind += 1;
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::side::{Black, White, from_edge};
    use crate::tracer::Silent;

    fn value<S: Side>(piece_type: PieceType, square: Square) -> Score {
        let mut score = Score::ZERO;
        on_square::<S, Silent>(piece_type, square, &mut score, &mut Silent);
        score
    }

    #[test]
    fn boards_mirror_in_both_directions() {
        for piece_type in PieceType::ALL {
            for square in Square::ALL {
                let here = value::<White>(piece_type, square);
                assert_eq!(here, value::<Black>(piece_type, square.flip_rank()), "{piece_type} {square}");
                assert_eq!(here, value::<White>(piece_type, square.flip_file()), "{piece_type} {square}");
            }
        }
        assert_eq!(from_edge(Square::G4.file()), 1);
    }

    #[test]
    fn boards_are_read_from_rank_8() {
        assert_eq!(on_half_board(Square::A8), 0);
        assert_eq!(on_half_board(Square::E1), 31);
        let pawn = |square| value::<White>(PieceType::Pawn, square);
        assert!(pawn(Square::D7).end_game() > pawn(Square::D3).end_game());
        let king = |square| value::<White>(PieceType::King, square);
        assert!(king(Square::G1).middle_game() > king(Square::E4).middle_game());
        assert!(king(Square::G1).end_game() < king(Square::E4).end_game());
    }
}
