//! The numbers of the main evaluation, in one place.
//!
//! Values are centipawns, middle game first (`s(middle game, end game)`), from the point of view of the
//! side that owns the piece. Boards are drawn as White sees them, rank 8 on top. The start values followed simple
//! principles, named beside each; the numbers below were then tuned by gradient descent on quiet positions with known
//! results, of games of the Top Chess Engine Championship (TCEC, CC BY-SA 3.0), of people and of Tabiya with itself.
//! A trainer rewrites them, and nothing else in this file, through `tuning::render`.

use crate::Score;
use crate::declaration::{boards, declare_weights, half_boards, s};

#[rustfmt::skip]
declare_weights! {
/// What the pieces are worth by themselves and in company.
Material {
    /// Pawn, knight, bishop, rook, queen. Kings are never traded and count nothing.
    piece_value: [Score; 5] = [s(50, 80), s(317, 327), s(327, 332), s(447, 524), s(917, 963)];
    /// Two bishops cover both colours of square, the more so the emptier the board.
    bishop_pair: Score = s(30, 47);
    /// For each knight and each own pawn above five (below: less): closed positions suit the jumper (Kaufman).
    knight_pawns: Score = s(4, 3);
    /// The same for rooks, which want open files.
    rook_pawns: Score = s(-3, -4);
    /// The second rook finds the open files taken.
    rook_pair: Score = s(-21, -38);
}
/// Where the pieces stand: boards a8 first. Of pawns and kings files a to d, which files e to h mirror; of the others all files,
/// turned so that the own king is on the files e to h.
Squares {
    /// Centre pawns are pulled off their first square; wing pawns stay before their king.
    pawn_squares: [Score; 32] = half_boards(
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
    /// As many moves as it has on an empty board, and forward.
    knight_squares: [Score; 64] = boards(
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
    /// The length of its diagonals, and the fianchetto.
    bishop_squares: [Score; 64] = boards(
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
    /// The centre files and the seventh rank.
    rook_squares: [Score; 64] = boards(
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
    /// Little in the middle game; the centre in the end game.
    queen_squares: [Score; 64] = boards(
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
    /// Behind its pawns while there are pieces to fear, in the centre once there are not.
    king_squares: [Score; 32] = half_boards(
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
/// How many squares a piece can go to and not be lost to a pawn.
Mobility {
    /// By number of squares. The first few count most.
    knight_mobility: [Score; 9] = [
        s(-24, -16), s(-16, -36), s(-12, -6), s(-7, 1), s(0, 8), s(6, 12),
        s(10, 14), s(16, 14), s(20, 11),
    ];
    /// By number of squares, through the own queen.
    bishop_mobility: [Score; 14] = [
        s(-16, -19), s(-9, -15), s(5, -2), s(9, 6), s(12, 15), s(15, 19),
        s(16, 24), s(18, 25), s(16, 27), s(14, 30), s(20, 28), s(24, 24),
        s(35, 30), s(34, 29),
    ];
    /// By number of squares, through own rooks and queen.
    rook_mobility: [Score; 15] = [
        s(-27, -40), s(-17, -6), s(-5, 7), s(1, 13), s(0, 23), s(4, 28),
        s(5, 32), s(9, 36), s(14, 38), s(17, 42), s(16, 45), s(20, 47),
        s(26, 49), s(26, 51), s(45, 51),
    ];
    /// By number of squares.
    queen_mobility: [Score; 28] = [
        s(-39, -48), s(-3, -23), s(-8, -18), s(-1, -15), s(5, -14), s(7, -5),
        s(9, 9), s(11, 14), s(12, 23), s(13, 33), s(13, 38), s(16, 42),
        s(15, 48), s(17, 51), s(17, 54), s(17, 58), s(12, 63), s(18, 63),
        s(24, 60), s(22, 64), s(23, 61), s(24, 64), s(28, 68), s(28, 67),
        s(33, 75), s(32, 77), s(37, 84), s(38, 88),
    ];
}
/// The structure of the pawns alone; remembered by the pawn cache.
Pawns {
    /// Side by side with another, by rank (second to seventh).
    phalanx: [Score; 6] = [s(8, 1), s(14, 4), s(12, 6), s(17, 15), s(44, 44), s(58, 68)];
    /// Defended by a pawn, for each that defends it, by rank.
    supported: [Score; 6] = [s(8, 4), s(20, 11), s(18, 9), s(16, 14), s(36, 32), s(47, 15)];
    /// Supported or in a phalanx, but an enemy pawn stands on the file ahead.
    connected_opposed: Score = s(-3, 0);
    /// No own pawn on the files beside it; by file from the edge. First: no enemy pawn ahead, so that rooks get at it.
    isolated: [[Score; 4]; 2] = [
        [s(2, -9), s(-9, -14), s(-1, -12), s(-1, -15)],
        [s(10, -4), s(0, -14), s(-3, -8), s(2, -7)],
    ];
    /// Behind its neighbours and unable to advance. First: on a half-open file.
    backward: [Score; 2] = [s(-10, -10), s(-1, -8)];
    /// Behind an own pawn on its file. Second: supported.
    doubled: [Score; 2] = [s(4, -8), s(-4, -10)];
    /// Can take a pawn, by rank.
    lever: [Score; 6] = [s(-9, 0), s(6, 0), s(12, 3), s(10, 12), s(23, 15), s(10, 10)];
    /// Attacked by two pawns and supported by none.
    weak_lever: Score = s(-5, -28);
    /// Stopped by an enemy pawn on the fifth, sixth, seventh rank.
    blocked: [Score; 3] = [s(-8, -9), s(-5, -12), s(0, 0)];
    /// Free of pawns ahead on its file, and helped by as many as watch its way: it can become passed; by rank.
    candidate: [Score; 6] = [s(2, 0), s(3, 0), s(1, 11), s(4, 13), s(10, 32), s(30, 64)];
    /// For each group of pawns on neighbouring files: each must be defended by itself.
    island: Score = s(-8, 6);
}
/// Pawns that no pawn can stop.
Passed {
    /// By rank.
    passed_rank: [Score; 6] = [s(7, 22), s(5, 20), s(7, 48), s(30, 52), s(61, 68), s(97, 130)];
    /// By file from the edge: outer ones draw the king away.
    passed_file: [Score; 4] = [s(-1, -7), s(0, -4), s(-5, -10), s(-5, -17)];
    /// With another passed pawn beside it or one rank off, by rank.
    passed_connected: [Score; 6] = [s(9, -8), s(-8, 1), s(-5, -1), s(8, 10), s(12, 0), s(35, 42)];
    /// Three files or more from every other pawn.
    passed_outside: Score = s(8, 8);
    /// For each step from the own king to the square ahead (five at most), by rank.
    passed_own_king: [Score; 6] = [s(-6, 1), s(2, -4), s(-1, -10), s(-4, -13), s(-11, -17), s(-9, -27)];
    /// For each step of the enemy king to it.
    passed_their_king: [Score; 6] = [s(2, -1), s(-2, 2), s(-1, 7), s(0, 15), s(5, 25), s(21, 30)];
    /// A piece stands in its way, by rank.
    passed_blocked: [Score; 6] = [s(-1, -3), s(-1, 7), s(3, -4), s(2, -3), s(4, -9), s(-36, -50)];
    /// The square ahead is free and not attacked, by rank.
    passed_safe_step: [Score; 6] = [s(-2, 0), s(-5, 7), s(2, 6), s(0, 14), s(22, 21), s(24, 52)];
    /// The whole path is not attacked, by rank.
    passed_safe_path: [Score; 6] = [s(-7, 7), s(-5, 7), s(-8, 14), s(9, 20), s(24, 41), s(25, 48)];
    /// The square ahead is defended, by rank.
    passed_defended_step: [Score; 6] = [s(7, 0), s(9, 7), s(16, 4), s(15, 9), s(29, 22), s(19, 34)];
    /// Own rook or queen behind it (Tarrasch).
    passed_rook_behind: Score = s(-2, 5);
    /// Enemy rook or queen behind it.
    passed_enemy_behind: Score = s(-6, -7);
    /// The enemy has only pawns and his king is outside the square.
    passed_unstoppable: Score = s(0, 228);
}
/// The pawns before the king; remembered with the pawns.
Shelter {
    /// By file from the edge and rank of the rearmost own pawn not behind the king (first: none), on the king's file and both beside it.
    shelter: [[Score; 7]; 4] = [
        [s(-17, 9), s(2, -14), s(20, -9), s(13, -2), s(10, 4), s(20, 10), s(-1, 13)],
        [s(-16, 6), s(26, -5), s(19, -5), s(0, 3), s(2, 3), s(-15, 6), s(-3, 11)],
        [s(-11, 0), s(18, -2), s(-2, -2), s(-3, -3), s(6, 1), s(2, 4), s(-1, 0)],
        [s(-12, -1), s(-1, -5), s(5, -7), s(-9, -2), s(-5, -5), s(-19, -5), s(-9, -6)],
    ];
    /// By file and rank of the nearest enemy pawn, seen from the king's side.
    storm: [[Score; 7]; 4] = [
        [s(-10, -12), s(-31, 12), s(-34, 8), s(-28, 10), s(-19, 3), s(-4, -9), s(-9, -6)],
        [s(3, -1), s(-35, 9), s(-41, 25), s(-10, 15), s(-20, 6), s(2, -2), s(0, -6)],
        [s(8, -9), s(-42, 16), s(-47, 11), s(-8, 2), s(-6, -7), s(-8, -8), s(3, -12)],
        [s(-5, 0), s(-41, 8), s(-31, 8), s(-11, -5), s(-19, -6), s(-6, -6), s(-17, 3)],
    ];
    /// Instead, if the own pawn blocks it.
    storm_blocked: [Score; 7] = [
        s(0, 0), s(0, 0), s(-25, -31), s(-5, -10), s(-4, -10), s(7, -12),
        s(6, -5),
    ];
    /// No own pawn on the king's file; second: none at all.
    king_open_file: [Score; 2] = [s(-6, 3), s(-19, -6)];
    /// For each step from the king to his nearest own pawn beyond the first.
    king_pawn_distance: Score = s(1, -3);
    /// For each own pawn, by ranks ahead of the king (six behind to six ahead) and files beside him.
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
    /// The same for the enemy's.
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
/// Units of danger to a king. Middle game: their square counts; end game: they count as they are.
Danger {
    /// Each king starts here.
    danger_base: Score = s(-31, -11);
    /// Knight, bishop, rook, queen that attacks the ring round the king, each.
    danger_attacker: [Score; 4] = [s(56, 11), s(42, 17), s(20, -12), s(20, 18)];
    /// For each attack on a square beside the king.
    danger_attacks: Score = s(13, -8);
    /// For each attacked square of the ring that only king or queen defends, or nobody.
    danger_weak_ring: Score = s(21, -10);
    /// Knight, bishop, rook, queen can give a check unharmed; second: on more than one square.
    danger_safe_check: [[Score; 2]; 4] = [
        [s(98, 25), s(125, 30)],
        [s(63, 34), s(88, 22)],
        [s(113, 34), s(152, 41)],
        [s(81, 31), s(139, 32)],
    ];
    /// For each other square from which a knight, bishop or rook could check.
    danger_unsafe_check: Score = s(24, 15);
    /// The attacker has no queen.
    danger_no_queen: Score = s(-151, -23);
    /// For each square of the king's flank and own half that the enemy attacks; twice, if attacked twice.
    danger_flank_attack: Score = s(15, -11);
    /// For each of them that is defended.
    danger_flank_defence: Score = s(-8, 10);
    /// An own knight stands by.
    danger_knight_defender: Score = s(-21, 7);
    /// For each piece, of whichever side, alone between king and a slider of the enemy.
    danger_pinned: Score = s(7, -8);
    /// By rank of the own pawn before the king (first: none), for each of three files.
    danger_shelter: [Score; 7] = [
        s(26, 25), s(-3, 0), s(14, 1), s(28, 1), s(43, -1), s(14, 0),
        s(-3, 0),
    ];
    /// By rank of the nearest enemy pawn on it.
    danger_storm: [Score; 7] = [
        s(29, 19), s(10, -1), s(27, 0), s(37, -2), s(-1, -2), s(-17, 6),
        s(8, 3),
    ];
}
/// What is attacked and might be won.
Threats {
    /// Pawn attacks knight, bishop, rook, queen.
    threat_by_pawn: [Score; 4] = [s(62, 26), s(44, 36), s(71, 21), s(52, 27)];
    /// Knight or bishop attacks a pawn, knight, bishop, rook, queen that is weak or worth more.
    threat_by_minor: [Score; 5] = [s(2, 14), s(20, 22), s(40, 18), s(54, 15), s(41, 49)];
    /// Rook attacks a weak pawn, knight, bishop, rook; or a queen.
    threat_by_rook: [Score; 5] = [s(2, 13), s(18, 17), s(22, 16), s(0, 9), s(46, 29)];
    /// King attacks something weak.
    threat_by_king: Score = s(18, 12);
    /// For each enemy piece that is attacked and not defended, or attacked twice and no pawn.
    hanging: Score = s(12, 14);
    /// For each weak enemy piece that only the queen defends.
    weak_queen_defended: Score = s(5, 8);
    /// For each square that both attack and the enemy does not hold.
    restricted: Score = s(4, 0);
    /// For each enemy piece that a safe pawn move would attack.
    push_threat: Score = s(16, 9);
    /// For each safe square from which a knight would attack the queen.
    knight_on_queen: Score = s(8, 4);
    /// The same for bishops and rooks, supported.
    slider_on_queen: Score = s(14, 5);
}
/// What else makes a piece good or bad where it stands.
Pieces {
    /// Knight, bishop on a square of rank four to six that a pawn defends and no enemy pawn can attack.
    outpost: [Score; 2] = [s(25, 6), s(27, 8)];
    /// Knight that can go to one.
    reachable_outpost: Score = s(22, 9);
    /// Knight, bishop right behind a pawn.
    behind_pawn: [Score; 2] = [s(5, 10), s(5, 6)];
    /// For each step between knight, bishop and own king.
    minor_king_distance: [Score; 2] = [s(-6, -2), s(-2, -1)];
    /// For each own pawn on squares of the bishop's colour.
    bishop_pawns: Score = s(-3, -4);
    /// For each of these that cannot move, on the files c to f.
    bishop_blocked_centre: Score = s(-6, -8);
    /// Sees both centre squares of a long diagonal, pieces aside.
    bishop_long_diagonal: Score = s(22, 12);
    /// For each enemy pawn on its diagonals.
    bishop_xray_pawns: Score = s(-5, -3);
    /// On the enemy's a7, h7 (or eighth rank) shut in by a pawn.
    bishop_trapped: Score = s(-88, -59);
    /// No own pawn on its file; second: none at all.
    rook_open_file: [Score; 2] = [s(6, 3), s(20, 7)];
    /// The own pawn on its file is blocked.
    rook_closed_file: Score = s(-7, -2);
    /// On the seventh with the enemy king on the eighth or pawns on the seventh.
    rook_seventh: Score = s(-6, 13);
    /// On a half-open file to or beside the enemy king.
    rook_king_file: Score = s(8, -11);
    /// Shut in by the own king: three squares at most. Second: castling may help yet.
    rook_trapped: [Score; 2] = [s(-48, -7), s(-1, 5)];
    /// Only an own piece stands between it and an enemy rook or bishop.
    queen_pin: Score = s(-23, -7);
    /// Only a piece of the enemy's does, which may move off with tempo.
    queen_discovery: Score = s(-15, 4);
    /// On the enemy's half where no pawn can attack it.
    queen_infiltration: Score = s(-2, 25);
}
/// Room behind the own pawns.
Space {
    /// For each safe square on c2 to f4 (those behind an own pawn twice), times pieces squared over 32.
    space: Score = s(4, 1);
}
/// The right to move.
Tempo {
    /// For the side to move.
    tempo: Score = s(20, 9);
}
/// By how many per cent an advantage in the end game grows or shrinks, whoever has it. The middle game's halves count nothing.
Winnability {
    /// Always.
    winnable_base: Score = s(0, -45);
    /// For each pawn on the board.
    winnable_pawn: Score = s(0, 22);
    /// For each passed pawn.
    winnable_passed: Score = s(0, 34);
    /// Pawns on both flanks.
    winnable_flanks: Score = s(0, 8);
    /// A king stands beyond the middle.
    winnable_infiltration: Score = s(0, 1);
    /// Kings and pawns alone.
    winnable_pawn_ending: Score = s(0, 43);
    /// Pawns on one flank only, and the kings further behind each other than beside.
    winnable_stuck: Score = s(0, -15);
}
}
