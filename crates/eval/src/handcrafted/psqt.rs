//! Piece-square tables (PSQT), with the piece values added at compile time.

use super::declaration::WEIGHT_SIZE;
use super::score::Score;
use super::side::Side;
use super::tracer::Tracer;
use super::weights::{WEIGHTS, Weights};
use tabiya_core::{File, PieceType, Square};

/// The mirroring of a side's tables for knights, bishops, rooks and queens, which are drawn for a king on the
/// files e to h.
#[derive(Clone, Copy)]
pub(super) struct Mirror {
    /// XORed with a square: 7 exchanges left and right, 0 does nothing.
    mask: usize,
}

impl Mirror {
    /// No mirroring: for pawns and kings, whose tables are symmetric.
    pub(super) const NONE: Mirror = Mirror { mask: 0 };

    /// The mirroring for a side with its king on `square`.
    #[inline(always)]
    pub(super) fn for_king(square: Square) -> Mirror {
        Mirror { mask: if square.file() < File::E { 7 } else { 0 } }
    }
}

/// Adds the value of a piece of `S` on a square, including its material value.
#[inline(always)]
pub(super) fn add_piece<S: Side, T: Tracer>(
    piece_type: PieceType,
    square: Square,
    mirror: Mirror,
    score: &mut Score,
    tracer: &mut T,
) {
    static PSQT: [[Score; Square::COUNT]; PieceType::COUNT] = with_piece_values();
    let square = square.relative_to(S::US).index() ^ mirror.mask;
    *score += PSQT[piece_type.index()][square];
    if T::ON {
        if piece_type != PieceType::King {
            let values = core::mem::offset_of!(Weights, piece_value) / WEIGHT_SIZE;
            tracer.add(S::US, values + piece_type.index(), 1);
        }
        let (offset, files) = TABLES[piece_type.index()];
        tracer.add(S::US, offset / WEIGHT_SIZE + drawn_index(files, square), 1);
    }
}

/// The byte offset of each piece type's table in the weights, and the number of files it is drawn with.
const TABLES: [(usize, usize); PieceType::COUNT] = [
    (core::mem::offset_of!(Weights, pawn_psqt), 4),
    (core::mem::offset_of!(Weights, knight_psqt), 8),
    (core::mem::offset_of!(Weights, bishop_psqt), 8),
    (core::mem::offset_of!(Weights, rook_psqt), 8),
    (core::mem::offset_of!(Weights, queen_psqt), 8),
    (core::mem::offset_of!(Weights, king_psqt), 4),
];

/// The index of a square in a table as drawn, a8 first. With 4 files, the files e to h mirror the files a to
/// d.
const fn drawn_index(files: usize, square: usize) -> usize {
    let (file, rank) = (square % 8, square / 8);
    (7 - rank) * files + if file < files { file } else { 7 - file }
}

const fn with_piece_values() -> [[Score; Square::COUNT]; PieceType::COUNT] {
    let weights = &WEIGHTS;
    let drawn: [&[Score]; PieceType::COUNT] = [
        &weights.pawn_psqt, &weights.knight_psqt, &weights.bishop_psqt, &weights.rook_psqt,
        &weights.queen_psqt, &weights.king_psqt,
    ];
    let mut psqt = [[Score::ZERO; Square::COUNT]; PieceType::COUNT];
    let mut kind = 0;
    while kind < PieceType::COUNT {
        let value = if kind < 5 { WEIGHTS.piece_value[kind] } else { Score::ZERO };
        let mut index = 0;
        while index < Square::COUNT {
            psqt[kind][index] = value.plus(&drawn[kind][drawn_index(TABLES[kind].1, index)]);
            index += 1;
        }
        kind += 1;
    }
    psqt
}

#[cfg(test)]
mod tests {
    use super::super::side::{Black, White};
    use super::super::tracer::Silent;
    use super::*;

    fn value<S: Side>(piece_type: PieceType, square: Square, mirror: Mirror) -> Score {
        let mut score = Score::ZERO;
        add_piece::<S, Silent>(piece_type, square, mirror, &mut score, &mut Silent);
        score
    }

    #[test]
    fn tables_are_mirrored_by_rank_and_file() {
        for piece_type in PieceType::ALL {
            for square in Square::ALL {
                let (right, left) = match piece_type {
                    PieceType::Pawn | PieceType::King => (Mirror::NONE, Mirror::NONE),
                    _ => (Mirror::for_king(Square::G1), Mirror::for_king(Square::B1)),
                };
                let expected = value::<White>(piece_type, square, right);
                let flipped = value::<Black>(piece_type, square.flip_rank(), right);
                assert_eq!(expected, flipped, "{piece_type} {square}");
                let mirrored = value::<White>(piece_type, square.flip_file(), left);
                assert_eq!(expected, mirrored, "{piece_type} {square}");
            }
        }
    }

    #[test]
    fn tables_are_drawn_from_a8() {
        assert_eq!((drawn_index(4, Square::A8.index()), drawn_index(8, Square::A8.index())), (0, 0));
        assert_eq!((drawn_index(4, Square::E1.index()), drawn_index(8, Square::E1.index())), (31, 60));
        let on_a8 = value::<White>(PieceType::Knight, Square::A8, Mirror::NONE);
        assert_eq!(on_a8, WEIGHTS.piece_value[1] + WEIGHTS.knight_psqt[0]);
        let on_e1 = value::<White>(PieceType::King, Square::E1, Mirror::NONE);
        assert_eq!(on_e1, WEIGHTS.king_psqt[31]);
    }
}
