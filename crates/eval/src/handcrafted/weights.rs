//! The weights of the handcrafted evaluation.
//!
//! Each weight is written as `s(middlegame, endgame)`: in centipawns from the point of view of the side that
//! owns the piece, unless its type says otherwise. Boards are drawn from White's point of view, a8 first. The
//! weights are tuned by gradient descent on quiet positions with known results, from games of the Top Chess
//! Engine Championship (TCEC, CC BY-SA 3.0), of humans and of self-play. `tuning::render` rewrites the
//! numbers, and nothing else in this file.

use super::declaration::{boards, declare_weights, half_boards, s};
use super::score::{EndgamePercent, KingDanger, Score};

#[rustfmt::skip]
declare_weights! {
// Material: piece values and imbalances.
Material {
    /// Pawn, knight, bishop, rook and queen. The king has no value.
    piece_value: [Score; 5] = [s(50, 80), s(317, 327), s(327, 332), s(447, 524), s(917, 963)];
    /// Two or more bishops.
    bishop_pair: Score = s(30, 47);
    /// For each knight, times the number of own pawns minus five: knights like closed positions
    /// (Kaufman 1999).
    knight_pawns: Score = s(4, 3);
    /// For each rook, times the number of own pawns minus five: rooks like open positions
    /// (Kaufman 1999).
    rook_pawns: Score = s(-3, -4);
    /// Two or more rooks: they compete for the open files.
    rook_pair: Score = s(-21, -38);
}
// Piece-square tables, a8 first. Those of pawns and kings have only the files a to d: the files e to h are their mirror image.
// The others have all files and are written for a king of the own side on the files e to h; if it is on the files a to d, they are
// mirrored.
PieceSquares {
    /// Pawns.
    pawn_psqt: [Score; 32] = half_boards(
        [
               0,    0,    0,    0,
              24,   35,   38,   48,
              19,   24,   28,   37,
              25,   25,   11,   27,
               2,    0,    2,    4,
              -9,   -8,  -18,  -18,
               3,   15,    1,   -9,
               0,    0,    0,    0,
        ],
        [
               0,    0,    0,    0,
              46,   59,   66,   67,
              27,   29,   24,   28,
              15,   15,   10,    4,
               3,    9,    2,   -2,
              -6,    3,    6,    5,
              -1,    4,    8,   13,
               0,    0,    0,    0,
        ],
    );
    /// Knights.
    knight_psqt: [Score; 64] = boards(
        [
             -59,  -32,  -24,  -20,  -21,  -25,  -32,  -54,
             -11,   -4,   12,   15,   16,   15,   -2,   -9,
               5,   17,   20,   28,   30,   24,   16,    7,
              11,    9,   15,   19,   18,   19,   13,   19,
               3,   10,   16,   11,    7,   22,   17,    9,
              -5,   -3,   -7,    2,    8,    1,    5,   -8,
             -21,  -23,  -10,  -15,  -10,   -8,  -21,  -21,
             -43,  -20,  -27,  -22,  -23,  -28,  -23,  -49,
        ],
        [
             -50,  -14,   -2,    0,    3,   -2,  -15,  -49,
              -9,    1,    2,   11,   11,    6,    3,   -5,
              -2,    1,    4,   11,   12,    7,    2,    1,
               3,    2,   11,   16,   18,   11,    7,    3,
              -5,    6,    7,   12,   11,    5,    9,   -4,
             -16,  -10,   -7,    6,    3,   -7,   -9,  -11,
             -12,  -11,   -8,   -8,   -6,  -12,   -6,  -11,
             -35,  -30,  -13,   -3,   -6,  -13,  -27,  -35,
        ],
    );
    /// Bishops.
    bishop_psqt: [Score; 64] = boards(
        [
             -17,  -14,  -18,  -15,  -15,  -18,  -13,  -20,
              -6,  -15,   -6,   -4,   -6,   -9,  -14,  -10,
              10,    2,   -7,    6,    7,   -7,    4,   14,
              -8,   -2,   10,   -7,   -6,   15,    3,   -7,
              -2,    2,    6,    1,   -2,   10,    5,    7,
               3,   15,  -12,    8,    4,  -10,   10,    0,
              13,   -1,   13,  -10,  -10,    8,    1,    3,
               0,    8,   -9,  -17,  -16,  -21,   -5,  -18,
        ],
        [
              -7,    8,    4,    4,    2,   -1,    7,  -11,
               3,    0,   14,   11,    8,    7,    0,   -2,
               2,    7,    2,    5,    9,    8,    8,   -2,
               3,    6,    7,    1,    3,    6,    6,   -1,
              -1,   -4,   11,   -5,   -1,   10,    2,   -9,
              -8,    0,   -6,    4,   11,   -6,   -1,   -6,
              -2,  -19,   -6,    1,    0,   -5,  -17,   -6,
             -24,   -9,   -3,   -4,   -4,   -4,   -3,  -28,
        ],
    );
    /// Rooks.
    rook_psqt: [Score; 64] = boards(
        [
               4,    9,    9,   16,   19,   12,   12,    1,
               3,    4,   12,   12,   14,   14,    8,   11,
               0,   10,    4,   17,   18,    6,   14,    1,
              -9,    7,   -2,   15,   14,   -3,    5,   -8,
             -20,   -9,  -18,  -13,   -7,  -18,   -4,  -16,
             -19,   -7,   -9,   -7,    2,   -2,    7,  -12,
             -29,  -10,   -8,    0,   -3,    3,   -7,  -32,
             -21,  -14,   -9,   -5,    0,   -8,  -13,   -9,
        ],
        [
               9,    9,    8,    8,   13,   14,   12,    9,
              -3,    1,   -3,   -4,   -2,    3,    8,   -4,
              11,    9,    9,    4,    9,   15,   10,    6,
              14,   10,   13,   10,    9,   18,   12,    9,
               0,    6,    9,    8,   10,   10,    4,    0,
              -5,   -5,    0,   -4,   -3,    1,   -6,  -14,
             -10,  -14,   -8,  -13,  -11,  -11,  -12,  -15,
              -9,  -11,  -12,  -15,  -16,  -12,  -12,  -22,
        ],
    );
    /// Queens.
    queen_psqt: [Score; 64] = boards(
        [
             -19,   -6,   -5,   -3,   -2,   -5,   -6,  -10,
              -7,   -6,    3,    0,    1,    4,    3,    6,
              -3,   -1,   -6,    2,    2,   -2,   -3,    1,
               5,   -5,  -11,  -12,  -15,   -4,   -2,    6,
              -1,    5,  -10,  -13,  -10,   -5,   14,    2,
               0,    3,    3,    2,    0,    2,    8,    4,
             -11,    6,    7,    7,    9,    6,   -4,  -18,
              -4,    0,   -1,    2,    0,   -7,   -8,  -22,
        ],
        [
             -12,   -3,    0,   -1,    0,    0,   -3,   -7,
              -3,    0,    6,   10,   11,    8,    4,   -1,
              -3,    3,    6,   13,   14,   12,    7,    1,
              -1,   13,   10,   17,   19,   16,   18,    6,
               3,    9,   16,   27,   26,   21,   14,    5,
              -3,    4,    1,   10,   14,   10,    1,   -2,
             -16,  -18,  -15,  -12,  -12,  -16,  -23,  -21,
             -17,  -18,  -19,  -28,  -29,  -22,  -21,  -23,
        ],
    );
    /// Kings.
    king_psqt: [Score; 32] = half_boards(
        [
             -57,  -41,  -66,  -88,
             -46,  -38,  -65,  -87,
             -38,  -37,  -65,  -89,
             -37,  -34,  -62,  -86,
             -31,  -30,  -55,  -72,
             -12,  -10,  -47,  -55,
              29,   12,  -35,  -45,
              30,   41,    4,   -1,
        ],
        [
             -70,  -15,   -8,   -2,
             -22,   14,   20,   20,
              -2,   23,   29,   29,
              -1,   12,   16,   23,
              -5,   -1,    7,   16,
             -13,   -6,    3,   11,
             -14,   -7,   -2,    5,
             -37,  -22,  -18,  -14,
        ],
    );
}
// Mobility: by the number of squares in the mobility area that a piece attacks. The area leaves out squares
// that enemy pawns attack, and those of the side's king, queens, and pawns that are blocked or on the second or
// third rank.
Mobility {
    /// Knight, by the number of squares.
    knight_mobility: [Score; 9] = [
        s(-24, -16), s(-16, -36), s(-12, -6), s(-7, 1), s(0, 8), s(6, 12),
        s(10, 14), s(16, 14), s(20, 11),
    ];
    /// Bishop, by the number of squares; own queens do not block it.
    bishop_mobility: [Score; 14] = [
        s(-16, -19), s(-9, -15), s(5, -2), s(9, 6), s(12, 15), s(15, 19),
        s(16, 24), s(18, 25), s(16, 27), s(14, 30), s(20, 28), s(24, 24),
        s(35, 30), s(34, 29),
    ];
    /// Rook, by the number of squares; own rooks and queens do not block it.
    rook_mobility: [Score; 15] = [
        s(-27, -40), s(-17, -6), s(-5, 7), s(1, 13), s(0, 23), s(4, 28),
        s(5, 32), s(9, 36), s(14, 38), s(17, 42), s(16, 45), s(20, 47),
        s(26, 49), s(26, 51), s(45, 51),
    ];
    /// Queen, by the number of squares.
    queen_mobility: [Score; 28] = [
        s(-39, -48), s(-3, -23), s(-8, -18), s(-1, -15), s(5, -14), s(7, -5),
        s(9, 9), s(11, 14), s(12, 23), s(13, 33), s(13, 38), s(16, 42),
        s(15, 48), s(17, 51), s(17, 54), s(17, 58), s(12, 63), s(18, 63),
        s(24, 60), s(22, 64), s(23, 61), s(24, 64), s(28, 68), s(28, 67),
        s(33, 75), s(32, 77), s(37, 84), s(38, 88),
    ];
}
// Pawn structure, which the pawn cache stores.
PawnStructure {
    /// A pawn beside another own pawn, by rank (second to seventh).
    phalanx: [Score; 6] = [s(8, 1), s(14, 4), s(12, 6), s(17, 15), s(44, 44), s(58, 68)];
    /// For each own pawn that defends the pawn, by rank.
    supported: [Score; 6] = [s(8, 4), s(20, 11), s(18, 9), s(16, 14), s(36, 32), s(47, 15)];
    /// A supported pawn or phalanx pawn with an enemy pawn ahead on its file.
    connected_opposed: Score = s(-3, 0);
    /// A pawn without own pawns on adjacent files, by file from the edge. First row: no enemy pawn ahead on
    /// its file, so that rooks can attack it; second row: opposed.
    isolated: [[Score; 4]; 2] = [
        [s(2, -9), s(-9, -14), s(-1, -12), s(-1, -15)],
        [s(10, -4), s(0, -14), s(-3, -8), s(2, -7)],
    ];
    /// A pawn behind its neighbours that cannot advance safely. First: not opposed; second: opposed.
    backward: [Score; 2] = [s(-10, -10), s(-1, -8)];
    /// A pawn behind another own pawn on its file. First: not defended by a pawn; second: defended.
    doubled: [Score; 2] = [s(4, -8), s(-4, -10)];
    /// A pawn that attacks an enemy pawn, by rank.
    lever: [Score; 6] = [s(-9, 0), s(6, 0), s(12, 3), s(10, 12), s(23, 15), s(10, 10)];
    /// A pawn attacked by two enemy pawns and not defended by a pawn.
    weak_lever: Score = s(-5, -28);
    /// A pawn with an enemy pawn on its stop square, on the fifth, sixth and seventh rank.
    blocked: [Score; 3] = [s(-8, -9), s(-5, -12), s(0, 0)];
    /// A candidate passed pawn: no pawn ahead on its file, enemy pawns ahead on the adjacent files, and at least as
    /// many own pawns there beside or behind it; by rank.
    candidate: [Score; 6] = [s(2, 0), s(3, 0), s(1, 11), s(4, 13), s(10, 32), s(30, 64)];
    /// For each pawn island.
    island: Score = s(-8, 6);
}
// Passed pawns. Those by rank go from the second to the seventh rank.
PassedPawns {
    /// By rank.
    passed_rank: [Score; 6] = [s(7, 22), s(5, 20), s(7, 48), s(30, 52), s(61, 68), s(97, 130)];
    /// By file from the edge.
    passed_file: [Score; 4] = [s(-1, -7), s(0, -4), s(-5, -10), s(-5, -17)];
    /// With another passed pawn on an adjacent file, at most one rank away; by rank.
    passed_connected: [Score; 6] = [s(9, -8), s(-8, 1), s(-5, -1), s(8, 10), s(12, 0), s(35, 42)];
    /// At least three files away from all other pawns.
    passed_outside: Score = s(8, 8);
    /// For each king move from the own king to the stop square, at most five; by rank.
    passed_own_king: [Score; 6] = [s(-6, 1), s(2, -4), s(-1, -10), s(-4, -13), s(-11, -17), s(-9, -27)];
    /// For each king move from the enemy king to the stop square, at most five; by rank.
    passed_their_king: [Score; 6] = [s(2, -1), s(-2, 2), s(-1, 7), s(0, 15), s(5, 25), s(21, 30)];
    /// The stop square is occupied, by rank.
    passed_blocked: [Score; 6] = [s(-1, -3), s(-1, 7), s(3, -4), s(2, -3), s(4, -9), s(-36, -50)];
    /// The stop square is empty and not attacked, by rank.
    passed_safe_step: [Score; 6] = [s(-2, 0), s(-5, 7), s(2, 6), s(0, 14), s(22, 21), s(24, 52)];
    /// No square of the path to promotion is attacked or occupied by the enemy, by rank.
    passed_safe_path: [Score; 6] = [s(-7, 7), s(-5, 7), s(-8, 14), s(9, 20), s(24, 41), s(25, 48)];
    /// The stop square is defended, by rank.
    passed_defended_step: [Score; 6] = [s(7, 0), s(9, 7), s(16, 4), s(15, 9), s(29, 22), s(19, 34)];
    /// An own rook or queen is behind the pawn (Tarrasch).
    passed_rook_behind: Score = s(-2, 5);
    /// An enemy rook or queen is behind the pawn.
    passed_enemy_behind: Score = s(-6, -7);
    /// The enemy has only pawns, the path to promotion is empty, and the enemy king is outside the pawn's square.
    passed_unstoppable: Score = s(0, 228);
}
// King shelter, which the pawn cache stores.
KingShelter {
    /// For the king's file and the two adjacent ones (the three nearest files for a king at the edge): by file from the
    /// edge, and by rank of the rearmost own pawn that is not behind the king (first: no pawn).
    shelter: [[Score; 7]; 4] = [
        [s(-17, 9), s(2, -14), s(20, -9), s(13, -2), s(10, 4), s(20, 10), s(-1, 13)],
        [s(-16, 6), s(26, -5), s(19, -5), s(0, 3), s(2, 3), s(-15, 6), s(-3, 11)],
        [s(-11, 0), s(18, -2), s(-2, -2), s(-3, -3), s(6, 1), s(2, 4), s(-1, 0)],
        [s(-12, -1), s(-1, -5), s(5, -7), s(-9, -2), s(-5, -5), s(-19, -5), s(-9, -6)],
    ];
    /// On the same files: by file from the edge, and by rank of the nearest enemy pawn that is not behind the
    /// king (first: no pawn), unless the rearmost own pawn blocks it.
    storm: [[Score; 7]; 4] = [
        [s(-10, -12), s(-31, 12), s(-34, 8), s(-28, 10), s(-19, 3), s(-4, -9), s(-9, -6)],
        [s(3, -1), s(-35, 9), s(-41, 25), s(-10, 15), s(-20, 6), s(2, -2), s(0, -6)],
        [s(8, -9), s(-42, 16), s(-47, 11), s(-8, 2), s(-6, -7), s(-8, -8), s(3, -12)],
        [s(-5, 0), s(-41, 8), s(-31, 8), s(-11, -5), s(-19, -6), s(-6, -6), s(-17, 3)],
    ];
    /// By rank of that enemy pawn if the rearmost own pawn blocks it.
    storm_blocked: [Score; 7] = [
        s(0, 0), s(0, 0), s(-25, -31), s(-5, -10), s(-4, -10), s(7, -12),
        s(6, -5),
    ];
    /// No own pawn on the king's file. First: half-open; second: open.
    king_open_file: [Score; 2] = [s(-6, 3), s(-19, -6)];
    /// For each king move from the king to the nearest own pawn, minus one.
    king_pawn_distance: Score = s(1, -3);
    /// For each own pawn: by rank relative to the king (six behind to six ahead), and by files beside it.
    king_own_pawn: [[Score; 8]; 13] = [
        [s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 1), s(0, 1), s(0, 0), s(0, 0)],
        [s(0, 2), s(0, 0), s(1, 4), s(1, 2), s(0, 1), s(0, 1), s(0, 0), s(0, -1)],
        [s(1, 5), s(2, 10), s(1, 5), s(1, 2), s(0, 0), s(0, -2), s(0, -1), s(0, 1)],
        [s(2, 11), s(2, 14), s(1, 7), s(1, 6), s(0, -1), s(-1, -1), s(-1, -2), s(0, 0)],
        [s(0, 9), s(2, 14), s(0, 8), s(1, 6), s(-1, 2), s(-4, -4), s(-2, -2), s(-1, -1)],
        [s(6, 6), s(1, 11), s(2, 4), s(-4, 4), s(-4, 0), s(-3, 0), s(-6, -5), s(-2, -3)],
        [s(0, 0), s(13, 6), s(8, 0), s(3, 0), s(-11, 0), s(-11, -5), s(-9, -7), s(-6, -5)],
        [s(15, 4), s(9, 3), s(13, 0), s(7, 0), s(-4, -2), s(-14, 0), s(-8, -4), s(2, -8)],
        [s(11, 1), s(2, 5), s(13, -3), s(5, -3), s(-1, -4), s(-8, -4), s(-9, -4), s(-1, -9)],
        [s(6, -1), s(2, 1), s(4, -3), s(3, -5), s(-2, -8), s(-3, -5), s(-5, -7), s(-2, -8)],
        [s(0, 0), s(-2, 1), s(3, 0), s(4, -4), s(-3, -6), s(-1, -9), s(-1, -6), s(-3, -4)],
        [s(-5, -1), s(-5, 2), s(1, 1), s(4, 2), s(2, -4), s(-6, -7), s(-2, -3), s(-2, -2)],
        [s(-1, 0), s(1, 3), s(-4, -3), s(1, 3), s(-6, -4), s(-1, -3), s(-1, -1), s(1, 3)],
    ];
    /// For each enemy pawn, likewise.
    king_enemy_pawn: [[Score; 8]; 13] = [
        [s(0, 0), s(0, -1), s(0, 0), s(0, 0), s(0, 0), s(0, -1), s(0, 0), s(0, 0)],
        [s(0, 0), s(0, 0), s(0, -1), s(0, -1), s(0, -1), s(0, -2), s(0, -1), s(0, -1)],
        [s(0, 1), s(0, -1), s(0, -2), s(0, 0), s(-1, -3), s(0, -2), s(0, -1), s(0, 0)],
        [s(0, 0), s(1, 4), s(0, 0), s(0, -3), s(-1, -7), s(-1, -4), s(0, -3), s(0, 0)],
        [s(1, 6), s(1, 10), s(1, 5), s(-1, -8), s(-1, -6), s(-1, -1), s(0, -2), s(-1, -2)],
        [s(2, 16), s(2, 16), s(-2, 6), s(-1, -3), s(0, -6), s(-1, -4), s(-1, 0), s(0, -2)],
        [s(0, 0), s(-3, 4), s(-2, 8), s(-3, 4), s(-1, -3), s(0, -2), s(0, -3), s(-1, 0)],
        [s(7, -6), s(0, 0), s(-1, 8), s(3, 3), s(3, 1), s(-1, 1), s(3, -3), s(-1, -1)],
        [s(0, -5), s(-4, -3), s(-5, -1), s(4, 3), s(7, -1), s(6, -4), s(-2, -2), s(0, -2)],
        [s(4, -1), s(-6, 1), s(-1, 1), s(2, 2), s(1, 1), s(0, -2), s(-1, -4), s(1, -2)],
        [s(6, 1), s(-4, 2), s(-3, 4), s(2, 1), s(0, 2), s(-5, 0), s(-4, 0), s(-2, -1)],
        [s(5, 0), s(-2, 2), s(-2, 1), s(0, 1), s(-1, 0), s(-3, 2), s(-1, -3), s(2, 2)],
        [s(8, 0), s(1, 1), s(1, 0), s(4, -1), s(2, 1), s(0, -1), s(-2, 0), s(7, -1)],
    ];
}
// King safety, in king-danger units against the side's own king: quadratic in the middlegame, linear in the endgame.
KingSafety {
    /// Constant part.
    king_danger_base: KingDanger = s(-31, -11);
    /// For each knight, bishop, rook and queen that attacks the king ring.
    king_danger_attacker: [KingDanger; 4] = [s(56, 11), s(42, 17), s(20, -12), s(20, 18)];
    /// For each attack on a square next to the king.
    king_danger_attacks: KingDanger = s(13, -8);
    /// For each square of the king ring that is attacked and defended by nothing but king or queen.
    king_danger_weak_ring: KingDanger = s(21, -10);
    /// A safe check by knight, bishop, rook and queen. First: from one square; second: from several.
    king_danger_safe_check: [[KingDanger; 2]; 4] = [
        [s(98, 25), s(125, 30)],
        [s(63, 34), s(88, 22)],
        [s(113, 34), s(152, 41)],
        [s(81, 31), s(139, 32)],
    ];
    /// For each square from which a knight, bishop or rook can only give an unsafe check.
    king_danger_unsafe_check: KingDanger = s(24, 15);
    /// The enemy has no queen.
    king_danger_no_queen: KingDanger = s(-151, -23);
    /// For each square of the king's flank, on the side's first five ranks, that the enemy attacks; twice if it
    /// is attacked twice.
    king_danger_flank_attack: KingDanger = s(15, -11);
    /// For each square of the king's flank, on the same ranks, that the king's side attacks.
    king_danger_flank_defence: KingDanger = s(-8, 10);
    /// An own knight is in the king ring.
    king_danger_knight_defender: KingDanger = s(-21, 7);
    /// For each piece of either colour that alone stands between the king and an enemy slider.
    king_danger_pinned: KingDanger = s(7, -8);
    /// For the king's file and the two adjacent ones: by rank of the rearmost own pawn that is not behind the
    /// king (first: no pawn).
    king_danger_shelter: [KingDanger; 7] = [
        s(26, 25), s(-3, 0), s(14, 1), s(28, 1), s(43, -1), s(14, 0),
        s(-3, 0),
    ];
    /// On the same files: by rank of the nearest enemy pawn that is not behind the king, unless the rearmost
    /// own pawn blocks it.
    king_danger_storm: [KingDanger; 7] = [
        s(29, 19), s(10, -1), s(27, 0), s(37, -2), s(-1, -2), s(-17, 6),
        s(8, 3),
    ];
}
// Threats against enemy pieces. A weak piece is attacked and not strongly protected: neither defended by a
// pawn, nor defended twice without being attacked twice.
Threats {
    /// A pawn attacks a knight, bishop, rook or queen.
    threat_by_pawn: [Score; 4] = [s(62, 26), s(44, 36), s(71, 21), s(52, 27)];
    /// A knight or bishop attacks a weak pawn, or a knight, bishop, rook or queen.
    threat_by_minor: [Score; 5] = [s(2, 14), s(20, 22), s(40, 18), s(54, 15), s(41, 49)];
    /// A rook attacks a weak pawn, knight, bishop or rook, or a queen.
    threat_by_rook: [Score; 5] = [s(2, 13), s(18, 17), s(22, 16), s(0, 9), s(46, 29)];
    /// The king attacks a weak pawn or piece.
    threat_by_king: Score = s(18, 12);
    /// For each weak enemy pawn or piece that is undefended, and each weak piece that is attacked twice.
    hanging: Score = s(12, 14);
    /// For each weak enemy pawn or piece that only the queen defends.
    weak_queen_defended: Score = s(5, 8);
    /// For each square that both sides attack and the enemy does not strongly protect.
    restricted: Score = s(4, 0);
    /// For each enemy piece that a safe pawn push would attack.
    push_threat: Score = s(16, 9);
    /// For each safe square from which a knight could attack the enemy's only queen.
    knight_on_queen: Score = s(8, 4);
    /// For each safe, supported square from which a bishop or rook could attack the enemy's only queen.
    slider_on_queen: Score = s(14, 5);
}
// Features of individual pieces.
Pieces {
    /// A knight or bishop on an outpost: on the fourth to sixth rank, defended by a pawn and never attackable
    /// by enemy pawns.
    outpost: [Score; 2] = [s(25, 6), s(27, 8)];
    /// A knight not on an outpost that attacks one without an own piece.
    reachable_outpost: Score = s(22, 9);
    /// A knight or bishop directly behind a pawn of either colour.
    behind_pawn: [Score; 2] = [s(5, 10), s(5, 6)];
    /// For each king move between a knight or bishop and its own king.
    minor_king_distance: [Score; 2] = [s(-6, -2), s(-2, -1)];
    /// For each own pawn on a square of the bishop's colour.
    bishop_pawns: Score = s(-3, -4);
    /// For each of these pawns that is blocked, on the files c to f.
    bishop_blocked_centre: Score = s(-6, -8);
    /// A bishop that attacks or occupies two of the four central squares, looking through pieces other than pawns.
    bishop_long_diagonal: Score = s(22, 12);
    /// For each enemy pawn on the bishop's diagonals.
    bishop_xray_pawns: Score = s(-5, -3);
    /// A bishop on a7, h7, a8 or h8 (relative) whose retreat an enemy pawn cuts off.
    bishop_trapped: Score = s(-88, -59);
    /// A rook on a file without own pawns. First: half-open; second: open.
    rook_open_file: [Score; 2] = [s(6, 3), s(20, 7)];
    /// A rook on a file where an own pawn is blocked.
    rook_closed_file: Score = s(-7, -2);
    /// A rook on the seventh rank with the enemy king on the eighth or enemy pawns on the seventh.
    rook_seventh: Score = s(-6, 13);
    /// A rook on a file without own pawns, next to or on the enemy king's file.
    rook_king_file: Score = s(8, -11);
    /// A rook on a file with own pawns, between its own king on the first rank and the edge, whose mobility is at most
    /// three. First: without castling rights; second: with castling rights.
    rook_trapped: [Score; 2] = [s(-48, -7), s(-1, 5)];
    /// Only an own piece stands between the queen and an enemy rook or bishop.
    queen_pin: Score = s(-23, -7);
    /// Only an enemy piece stands between the queen and an enemy rook or bishop.
    queen_discovery: Score = s(-15, 4);
    /// A queen in the enemy half on a square that enemy pawns can never attack.
    queen_infiltration: Score = s(-2, 25);
}
// Space behind own pawns.
Space {
    /// For each safe square on the files c to f and the second to fourth rank (twice if behind an own pawn
    /// and not attacked), times the square of the number of own pieces, divided by 32.
    space: Score = s(4, 1);
}
// Tempo.
Tempo {
    /// The bonus of the side to move.
    tempo: Score = s(20, 9);
}
// Complexity: the change of an endgame advantage of either side, in per cent. The middlegame half is unused.
Complexity {
    /// Constant part.
    complexity_base: EndgamePercent = s(0, -45);
    /// For each pawn on the board.
    complexity_pawn: EndgamePercent = s(0, 22);
    /// For each passed pawn.
    complexity_passed: EndgamePercent = s(0, 34);
    /// Pawns on both wings.
    complexity_both_wings: EndgamePercent = s(0, 8);
    /// A king is in the enemy half.
    complexity_infiltration: EndgamePercent = s(0, 1);
    /// Pawn ending.
    complexity_pawn_ending: EndgamePercent = s(0, 43);
    /// Pawns on one wing at most, and neither king can outflank the other.
    complexity_almost_unwinnable: EndgamePercent = s(0, -15);
}
}
