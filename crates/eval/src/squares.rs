//! Material and piece-square values, joined into one table when the crate is compiled.

use crate::Score;
use crate::side::Side;
use crate::tracer::Tracer;
use crate::weights::{WEIGHTS, Weights};
use tabiya_core::{File, PieceType, Square};

/// Which way the boards of a side's knights, bishops, rooks and queens lie: its king is always on the files e to h.
#[derive(Clone, Copy)]
pub(crate) struct Facing(usize);

impl Facing {
    /// The way for a side whose king is here.
    #[inline(always)]
    pub(crate) fn king(square: Square) -> Facing {
        Facing(if square.file() < File::E { 7 } else { 0 })
    }

    /// The way of boards that are the same on both wings: those of pawns and kings.
    pub(crate) const EITHER: Facing = Facing(0);
}

/// Adds what a piece of `S` on its square is worth, material included.
#[inline(always)]
pub(crate) fn on_square<S: Side, T: Tracer>(
    piece_type: PieceType,
    square: Square,
    facing: Facing,
    score: &mut Score,
    tracer: &mut T,
) {
    static VALUES: [[Score; Square::COUNT]; PieceType::COUNT] = joined();
    let square = square.relative_to(S::US).index() ^ facing.0;
    *score += VALUES[piece_type.index()][square];
    if T::ON {
        if piece_type != PieceType::King {
            let values = core::mem::offset_of!(Weights, piece_value) / size_of::<Score>();
            tracer.add(S::US, values + piece_type.index(), 1);
        }
        let (place, files) = BOARDS[piece_type.index()];
        tracer.add(S::US, place / size_of::<Score>() + on_board(files, square), 1);
    }
}

/// Where each kind's board lies in the weights, and how many files are drawn.
const BOARDS: [(usize, usize); PieceType::COUNT] = [
    (core::mem::offset_of!(Weights, pawn_squares), 4),
    (core::mem::offset_of!(Weights, knight_squares), 8),
    (core::mem::offset_of!(Weights, bishop_squares), 8),
    (core::mem::offset_of!(Weights, rook_squares), 8),
    (core::mem::offset_of!(Weights, queen_squares), 8),
    (core::mem::offset_of!(Weights, king_squares), 4),
];

/// Where a square lies on a drawn board: a8 first. If only the files a to d are drawn, the others mirror them.
const fn on_board(files: usize, square: usize) -> usize {
    let (file, rank) = (square % 8, square / 8);
    (7 - rank) * files + if file < files { file } else { 7 - file }
}

const fn joined() -> [[Score; Square::COUNT]; PieceType::COUNT] {
    let boards = &WEIGHTS;
    let boards: [&[Score]; PieceType::COUNT] = [
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
            values[kind][index] = worth.plus(boards[kind][on_board(BOARDS[kind].1, index)]);
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

    fn value<S: Side>(piece_type: PieceType, square: Square, facing: Facing) -> Score {
        let mut score = Score::ZERO;
        on_square::<S, Silent>(piece_type, square, facing, &mut score, &mut Silent);
        score
    }

    #[test]
    fn boards_mirror_in_both_directions() {
        for piece_type in PieceType::ALL {
            for square in Square::ALL {
                let (right, left) = match piece_type {
                    PieceType::Pawn | PieceType::King => (Facing::EITHER, Facing::EITHER),
                    _ => (Facing::king(Square::G1), Facing::king(Square::B1)),
                };
                let here = value::<White>(piece_type, square, right);
                assert_eq!(
                    here,
                    value::<Black>(piece_type, square.flip_rank(), right),
                    "{piece_type} {square}"
                );
                assert_eq!(
                    here,
                    value::<White>(piece_type, square.flip_file(), left),
                    "{piece_type} {square}"
                );
            }
        }
        assert_eq!(from_edge(Square::G4.file()), 1);
    }

    #[test]
    fn boards_are_read_from_rank_8() {
        assert_eq!((on_board(4, Square::A8.index()), on_board(8, Square::A8.index())), (0, 0));
        assert_eq!((on_board(4, Square::E1.index()), on_board(8, Square::E1.index())), (31, 60));
        let pawn = |square| value::<White>(PieceType::Pawn, square, Facing::EITHER);
        assert!(pawn(Square::D7).end_game() > pawn(Square::D3).end_game());
        let king = |square| value::<White>(PieceType::King, square, Facing::EITHER);
        assert!(king(Square::G1).middle_game() > king(Square::E4).middle_game());
        assert!(king(Square::G1).end_game() < king(Square::E4).end_game());
    }
}
