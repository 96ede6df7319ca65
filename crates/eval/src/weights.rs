//! The numbers of the main evaluation, in one place.
//!
//! They follow from simple principles, named beside each, and are rounded by hand; nothing here
//! is tuned yet. Values are centipawns, middle game first, and always from the point of view of
//! the piece's own side; boards are read as White sees them, rank 8 on top.

use crate::Score;
use crate::picture;
use tabiya_core::{PieceType, Square};

/// A piece of each kind by itself. Minor pieces lead pawns more while there is much to attack;
/// pawns and rooks gain as the board empties. Kings are never traded and count nothing.
pub(crate) const MATERIAL: [Score; PieceType::COUNT] = [
    Score::new(88, 108),
    Score::new(330, 305),
    Score::new(345, 325),
    Score::new(470, 530),
    Score::new(960, 980),
    Score::ZERO,
];

/// Two bishops cover both colours of square, the more so the emptier the board.
pub(crate) const BISHOP_PAIR: Score = Score::new(25, 45);

/// The right to move: about half a developing move, less when there is little to do with it.
pub(crate) const TEMPO: Score = Score::new(18, 8);

/// What a square adds to a piece of each kind, from White's side, by square index.
pub(crate) const fn square_weights(piece_type: PieceType) -> [Score; Square::COUNT] {
    let boards = match piece_type {
        PieceType::Pawn => PAWN_SQUARES,
        PieceType::Knight => KNIGHT_SQUARES,
        PieceType::Bishop => BISHOP_SQUARES,
        PieceType::Rook => ROOK_SQUARES,
        PieceType::Queen => QUEEN_SQUARES,
        PieceType::King => KING_SQUARES,
    };
    let (middle_game, end_game) =
        (picture::by_square(boards.middle_game), picture::by_square(boards.end_game));
    let mut weights = [Score::ZERO; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        weights[index] = Score::new(middle_game[index], end_game[index]);
        index += 1;
    }
    weights
}

/// One board for each phase.
struct Boards {
    middle_game: [i16; Square::COUNT],
    end_game: [i16; Square::COUNT],
}

/// Centre pawns are pulled off their first square and pay for staying there; wing pawns stay in front
/// of their king. In the end game a pawn is worth what it lacks to its queen.
#[rustfmt::skip]
const PAWN_SQUARES: Boards = Boards {
    middle_game: [
          0,   0,   0,   0,   0,   0,   0,   0,
         34,  36,  38,  40,  40,  38,  36,  34,
         20,  22,  26,  29,  29,  26,  22,  20,
          8,  11,  17,  23,  23,  17,  11,   8,
          1,   2,  11,  23,  23,  11,   2,   1,
          1,   2,   3,   5,   5,   3,   2,   1,
          2,   6,   0, -16, -16,   0,   6,   2,
          0,   0,   0,   0,   0,   0,   0,   0,
    ],
    end_game: [
          0,   0,   0,   0,   0,   0,   0,   0,
         70,  72,  72,  74,  74,  72,  72,  70,
         36,  38,  38,  40,  40,  38,  38,  36,
         16,  14,  14,  12,  12,  14,  14,  16,
          4,   2,   2,   0,   0,   2,   2,   4,
         -2,  -4,  -4,  -6,  -6,  -4,  -4,  -2,
         -4,  -6,  -6,  -8,  -8,  -6,  -6,  -4,
          0,   0,   0,   0,   0,   0,   0,   0,
    ],
};

/// A knight is worth the squares it can reach (two in a corner, eight in the middle), and more on the
/// fourth to sixth rank, where pawns can support it.
#[rustfmt::skip]
const KNIGHT_SQUARES: Boards = Boards {
    middle_game: [
        -38, -32, -26, -26, -26, -26, -32, -38,
        -16, -10,   2,   2,   2,   2, -10, -16,
          0,  12,  24,  24,  24,  24,  12,   0,
          0,  12,  24,  24,  24,  24,  12,   0,
         -6,   6,  18,  18,  18,  18,   6,  -6,
        -10,   2,  14,  14,  14,  14,   2, -10,
        -22, -16,  -4,  -4,  -4,  -4, -16, -22,
        -32, -26, -20, -20, -20, -20, -26, -32,
    ],
    end_game: [
        -26, -21, -16, -16, -16, -16, -21, -26,
        -17, -12,  -2,  -2,  -2,  -2, -12, -17,
        -10,   0,  10,  10,  10,  10,   0, -10,
         -6,   4,  14,  14,  14,  14,   4,  -6,
         -6,   4,  14,  14,  14,  14,   4,  -6,
        -10,   0,  10,  10,  10,  10,   0, -10,
        -17, -12,  -2,  -2,  -2,  -2, -12, -17,
        -24, -19, -14, -14, -14, -14, -19, -24,
    ],
};

/// The length of its diagonals on an empty board; off the first rank, not deep in the enemy camp, and
/// at home in a fianchetto.
#[rustfmt::skip]
const BISHOP_SQUARES: Boards = Boards {
    middle_game: [
        -15, -15, -15, -15, -15, -15, -15, -15,
        -13,  -8,  -8,  -8,  -8,  -8,  -8, -13,
         -7,  -2,   3,   3,   3,   3,  -2,  -7,
         -3,   2,   7,  12,  12,   7,   2,  -3,
         -1,   4,   9,  14,  14,   9,   4,  -1,
         -1,   4,   9,   9,   9,   9,   4,  -1,
         -1,  10,   4,   4,   4,   4,  10,  -1,
        -15, -15, -15, -15, -15, -15, -15, -15,
    ],
    end_game: [
         -6,  -6,  -6,  -6,  -6,  -6,  -6,  -6,
         -4,   0,   0,   0,   0,   0,   0,  -4,
         -4,   0,   4,   4,   4,   4,   0,  -4,
         -2,   2,   6,  10,  10,   6,   2,  -2,
         -2,   2,   6,  10,  10,   6,   2,  -2,
         -4,   0,   4,   4,   4,   4,   0,  -4,
         -4,   0,   0,   0,   0,   0,   0,  -4,
         -6,  -6,  -6,  -6,  -6,  -6,  -6,  -6,
    ],
};

/// A rook looks for the centre files from its first rank, for the seventh rank, and for nothing in
/// between.
#[rustfmt::skip]
const ROOK_SQUARES: Boards = Boards {
    middle_game: [
          5,   6,   9,  11,  11,   9,   6,   5,
         11,  12,  15,  17,  17,  15,  12,  11,
         -3,  -2,   1,   3,   3,   1,  -2,  -3,
         -7,  -6,  -3,  -1,  -1,  -3,  -6,  -7,
        -11, -10,  -7,  -5,  -5,  -7, -10, -11,
        -11, -10,  -7,  -5,  -5,  -7, -10, -11,
        -12,  -9,  -4,   0,   0,  -4,  -9, -12,
         -4,  -1,   4,   8,   8,   4,  -1,  -4,
    ],
    end_game: [
          8,   8,   8,   7,   7,   8,   8,   8,
         10,  10,  10,   9,   9,  10,  10,  10,
          6,   6,   6,   5,   5,   6,   6,   6,
          4,   4,   4,   3,   3,   4,   4,   4,
          0,   0,   0,  -1,  -1,   0,   0,   0,
         -4,  -4,  -4,  -5,  -5,  -4,  -4,  -4,
         -8,  -8,  -8,  -9,  -9,  -8,  -8,  -8,
         -6,  -6,  -6,  -7,  -7,  -6,  -6,  -6,
    ],
};

/// Little in the middle game, where a queen that goes far out is chased; the centre in the end game.
#[rustfmt::skip]
const QUEEN_SQUARES: Boards = Boards {
    middle_game: [
        -10,  -8,  -6,  -4,  -4,  -6,  -8, -10,
         -6,  -4,  -2,   0,   0,  -2,  -4,  -6,
         -6,  -4,  -2,   0,   0,  -2,  -4,  -6,
         -4,  -2,   0,   2,   2,   0,  -2,  -4,
         -2,   0,   2,   4,   4,   2,   0,  -2,
          0,   2,   4,   6,   6,   4,   2,   0,
          0,   2,   4,   6,   6,   4,   2,   0,
         -3,  -2,  -1,   0,   0,  -1,  -2,  -3,
    ],
    end_game: [
        -15, -10,  -5,   0,   0,  -5, -10, -15,
         -8,  -3,   2,   7,   7,   2,  -3,  -8,
         -1,   4,   9,  14,  14,   9,   4,  -1,
          6,  11,  16,  21,  21,  16,  11,   6,
          4,   9,  14,  19,  19,  14,   9,   4,
         -5,   0,   5,  10,  10,   5,   0,  -5,
        -14,  -9,  -4,   1,   1,  -4,  -9, -14,
        -23, -18, -13,  -8,  -8, -13, -18, -23,
    ],
};

/// Behind its wing pawns while there are pieces to fear, in the centre once there are not.
#[rustfmt::skip]
const KING_SQUARES: Boards = Boards {
    middle_game: [
        -50, -46, -66, -92, -92, -78, -46, -50,
        -48, -44, -64, -90, -90, -76, -44, -48,
        -44, -40, -60, -86, -86, -72, -40, -44,
        -38, -34, -54, -80, -80, -66, -34, -38,
        -28, -24, -44, -70, -70, -56, -24, -28,
        -12,  -8, -28, -54, -54, -40,  -8, -12,
          8,  12,  -8, -34, -34, -20,  12,   8,
         22,  30,  14,  -8,  -8,   2,  30,  22,
    ],
    end_game: [
        -34, -26, -18, -10, -10, -18, -26, -34,
        -20,  -8,   0,   8,   8,   0,  -8, -20,
         -8,   4,  16,  24,  24,  16,   4,  -8,
          0,  12,  24,  36,  36,  24,  12,   0,
         -2,  10,  22,  34,  34,  22,  10,  -2,
        -12,   0,  12,  20,  20,  12,   0, -12,
        -22, -10,  -2,   6,   6,  -2, -10, -22,
        -34, -26, -18, -10, -10, -18, -26, -34,
    ],
};
