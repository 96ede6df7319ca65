//! The numbers of the main evaluation, in one place.
//!
//! Values are centipawns, middle game first (`s(middle game, end game)`), from the point of view of the
//! side that owns the piece. Boards are drawn as White sees them, rank 8 on top, files a to d; the files e to h
//! mirror them. The start values followed simple principles, named beside each; the numbers below were then
//! tuned by gradient descent on quiet positions with known results, of games of the Top Chess Engine Championship
//! (TCEC, CC BY-SA 3.0) and of people. A trainer rewrites them, and nothing else in this file, through
//! `tuning::render`.

use crate::Score;
use crate::declaration::{declare_weights, half_boards, s};

#[rustfmt::skip]
declare_weights! {
/// What the pieces are worth by themselves and in company.
Material {
    /// Pawn, knight, bishop, rook, queen. Kings are never traded and count nothing.
    piece_value: [Score; 5] = [s(50, 115), s(360, 438), s(382, 450), s(476, 723), s(1061, 1285)];
    /// Two bishops cover both colours of square, the more so the emptier the board.
    bishop_pair: Score = s(26, 72);
    /// For each knight and each own pawn above five (below: less): closed positions suit the jumper (Kaufman).
    knight_pawns: Score = s(-2, 6);
    /// The same for rooks, which want open files.
    rook_pawns: Score = s(-3, -8);
    /// The second rook finds the open files taken.
    rook_pair: Score = s(-6, -49);
}
/// Where the pieces stand: boards a8 first, files a to d; files e to h mirror them.
Squares {
    /// Centre pawns are pulled off their first square; wing pawns stay before their king.
    pawn_squares: [Score; 32] = half_boards(
        [
               0,    0,    0,    0,
              11,   34,   50,   56,
              11,   37,   39,   65,
              37,   37,   17,   47,
               4,    7,    0,    5,
             -25,  -17,  -28,  -16,
              -1,    6,    3,    7,
               0,    0,    0,    0,
        ],
        [
               0,    0,    0,    0,
              66,   58,   73,   77,
              38,   39,   29,   30,
              13,    8,   10,    1,
              -1,    3,   -6,   -6,
             -10,   -1,    4,    4,
              -3,    5,   10,   22,
               0,    0,    0,    0,
        ],
    );
    /// As many moves as it has on an empty board, and forward.
    knight_squares: [Score; 32] = half_boards(
        [
             -78,  -33,  -12,   -4,
              14,   16,   35,   70,
              15,   27,   29,   48,
              23,   14,   20,   16,
              10,   18,   22,    4,
              -2,   -5,  -14,   -2,
             -24,  -20,  -14,  -19,
             -67,  -16,  -35,  -24,
        ],
        [
             -55,  -11,   13,   20,
              10,    9,   15,   26,
               4,   14,   20,   21,
               9,    7,   24,   30,
               1,   18,   11,   23,
             -24,  -18,  -10,   10,
              -4,   -5,  -10,  -11,
             -39,  -22,  -12,   -1,
        ],
    );
    /// The length of its diagonals, and the fianchetto.
    bishop_squares: [Score; 32] = half_boards(
        [
             -24,   -6,   -3,  -13,
               5,   -6,   29,   23,
              23,   22,   -4,   15,
             -17,   -1,   24,  -12,
               8,   -1,    8,  -13,
               7,   21,  -29,    5,
               9,   -4,   18,  -23,
              -1,   20,  -13,  -22,
        ],
        [
             -14,   18,   14,   19,
              17,    3,   17,   27,
              10,   18,   12,   13,
              12,   21,   17,    5,
               5,    9,   23,    0,
               2,    3,   -7,   16,
             -11,  -28,   -4,    9,
             -45,  -15,    7,    7,
        ],
    );
    /// The centre files and the seventh rank.
    rook_squares: [Score; 32] = half_boards(
        [
              14,   26,   24,   19,
               6,    8,   20,   27,
              10,   16,   23,   39,
               5,   30,   -6,   33,
             -18,   -5,  -27,  -12,
             -17,   -1,   -3,   10,
             -32,  -11,   -8,   -3,
             -41,  -23,  -24,  -14,
        ],
        [
              17,   29,   29,   23,
               7,   15,    7,   -5,
              21,   30,   25,   19,
              23,   17,   29,   20,
               3,   11,   19,   17,
              -5,    4,    2,   -6,
             -11,  -14,   -5,  -11,
              -5,  -11,  -11,  -16,
        ],
    );
    /// Little in the middle game; the centre in the end game.
    queen_squares: [Score; 32] = half_boards(
        [
             -10,    9,   -7,    5,
               3,   -1,   10,    2,
              13,    2,    0,   -4,
              13,    3,  -10,   -4,
               4,   22,  -10,  -17,
              10,    1,    8,    0,
             -20,    8,   11,   13,
               2,    9,    5,    1,
        ],
        [
              -6,    4,    3,   -2,
               5,    8,    9,   19,
              -7,   12,   16,   17,
               4,   34,   34,   28,
              23,   18,   41,   54,
               8,   19,   21,   32,
              -4,  -15,    0,    4,
               0,  -25,  -11,   -5,
        ],
    );
    /// Behind its pawns while there are pieces to fear, in the centre once there are not.
    king_squares: [Score; 32] = half_boards(
        [
             -53,  -42,  -68,  -87,
             -46,  -33,  -58,  -82,
             -29,  -30,  -56,  -77,
             -37,  -23,  -52,  -83,
             -38,  -25,  -48,  -70,
             -22,  -12,  -55,  -80,
              31,    1,  -43,  -47,
              29,   22,   -5,    1,
        ],
        [
             -41,  -15,  -10,    1,
             -21,   40,   31,   35,
              21,   39,   61,   50,
               6,   26,   43,   52,
             -15,   -2,   10,   20,
             -29,   -9,   -6,    6,
             -48,  -21,  -19,  -13,
             -75,  -39,  -38,  -39,
        ],
    );
}
/// How many squares a piece can go to and not be lost to a pawn.
Mobility {
    /// By number of squares. The first few count most.
    knight_mobility: [Score; 9] = [
        s(-16, -14), s(-24, -45), s(-20, 16), s(-5, 28), s(7, 35), s(17, 37),
        s(22, 43), s(37, 41), s(47, 39),
    ];
    /// By number of squares, through the own queen.
    bishop_mobility: [Score; 14] = [
        s(-35, -19), s(-19, -16), s(8, 5), s(12, 18), s(15, 29), s(21, 35),
        s(20, 40), s(24, 42), s(17, 51), s(22, 49), s(27, 47), s(47, 43),
        s(43, 48), s(38, 33),
    ];
    /// By number of squares, through own rooks and queen.
    rook_mobility: [Score; 15] = [
        s(-22, -54), s(-23, -20), s(-4, 17), s(-3, 28), s(-3, 45), s(2, 47),
        s(5, 52), s(13, 56), s(19, 58), s(25, 63), s(23, 66), s(25, 71),
        s(31, 73), s(34, 77), s(50, 74),
    ];
    /// By number of squares.
    queen_mobility: [Score; 28] = [
        s(-60, -43), s(-49, -9), s(-16, -8), s(1, -21), s(14, -20), s(12, 3),
        s(14, 23), s(16, 26), s(17, 35), s(19, 50), s(18, 64), s(27, 53),
        s(17, 72), s(26, 67), s(27, 73), s(30, 74), s(20, 84), s(34, 78),
        s(38, 79), s(35, 86), s(32, 76), s(30, 81), s(30, 79), s(38, 80),
        s(35, 79), s(38, 80), s(36, 84), s(39, 90),
    ];
}
/// The structure of the pawns alone; remembered by the pawn cache.
Pawns {
    /// Side by side with another, by rank (second to seventh).
    phalanx: [Score; 6] = [s(6, 3), s(18, 8), s(16, 10), s(23, 25), s(57, 52), s(58, 68)];
    /// Defended by a pawn, for each that defends it, by rank.
    supported: [Score; 6] = [s(8, 4), s(28, 12), s(20, 13), s(21, 20), s(24, 45), s(53, 45)];
    /// Supported or in a phalanx, but an enemy pawn stands on the file ahead.
    connected_opposed: Score = s(-4, -4);
    /// No own pawn on the files beside it; by file from the edge. First: no enemy pawn ahead, so that rooks get at it.
    isolated: [[Score; 4]; 2] = [
        [s(12, -17), s(-4, -21), s(-6, -18), s(-4, -19)],
        [s(23, -13), s(6, -13), s(-3, -7), s(9, -14)],
    ];
    /// Behind its neighbours and unable to advance. First: on a half-open file.
    backward: [Score; 2] = [s(-19, -12), s(-6, -7)];
    /// Behind an own pawn on its file. Second: supported.
    doubled: [Score; 2] = [s(11, -16), s(-23, -14)];
    /// Can take a pawn, by rank.
    lever: [Score; 6] = [s(-16, 3), s(-6, -1), s(5, 7), s(7, 14), s(28, 12), s(10, 10)];
    /// Attacked by two pawns and supported by none.
    weak_lever: Score = s(7, -27);
    /// Stopped by an enemy pawn on the fifth, sixth, seventh rank.
    blocked: [Score; 3] = [s(-15, -12), s(14, -13), s(0, 0)];
    /// Free of pawns ahead on its file, and helped by as many as watch its way: it can become passed; by rank.
    candidate: [Score; 6] = [s(8, -12), s(1, 0), s(-2, 12), s(-1, 17), s(16, 40), s(30, 64)];
    /// For each group of pawns on neighbouring files: each must be defended by itself.
    island: Score = s(-20, 13);
}
/// Pawns that no pawn can stop.
Passed {
    /// By rank.
    passed_rank: [Score; 6] = [s(13, 25), s(-16, 18), s(2, 48), s(22, 56), s(53, 82), s(101, 166)];
    /// By file from the edge: outer ones draw the king away.
    passed_file: [Score; 4] = [s(-14, 16), s(-6, 11), s(-10, 0), s(-14, -8)];
    /// With another passed pawn beside it or one rank off, by rank.
    passed_connected: [Score; 6] = [s(10, -12), s(-11, 9), s(-9, 8), s(26, 11), s(11, 9), s(26, 46)];
    /// Three files or more from every other pawn.
    passed_outside: Score = s(23, 9);
    /// For each step from the own king to the square ahead (five at most), by rank.
    passed_own_king: [Score; 6] = [s(-6, 0), s(2, -5), s(-4, -13), s(-9, -15), s(-12, -21), s(-5, -32)];
    /// For each step of the enemy king to it.
    passed_their_king: [Score; 6] = [s(5, -6), s(7, -2), s(3, 6), s(11, 14), s(14, 25), s(28, 29)];
    /// A piece stands in its way, by rank.
    passed_blocked: [Score; 6] = [s(-15, 4), s(-7, 15), s(7, -2), s(-5, 1), s(0, -9), s(-52, -47)];
    /// The square ahead is free and not attacked, by rank.
    passed_safe_step: [Score; 6] = [s(-9, 1), s(-14, 10), s(3, 4), s(-1, 16), s(37, 16), s(26, 45)];
    /// The whole path is not attacked, by rank.
    passed_safe_path: [Score; 6] = [s(-12, 12), s(-10, 9), s(-11, 17), s(18, 18), s(24, 22), s(28, 44)];
    /// The square ahead is defended, by rank.
    passed_defended_step: [Score; 6] = [s(4, 2), s(8, 6), s(23, 6), s(17, 13), s(40, 23), s(29, 39)];
    /// Own rook or queen behind it (Tarrasch).
    passed_rook_behind: Score = s(-2, 2);
    /// Enemy rook or queen behind it.
    passed_enemy_behind: Score = s(-3, -21);
    /// The enemy has only pawns and his king is outside the square.
    passed_unstoppable: Score = s(0, 233);
}
/// The pawns before the king; remembered with the pawns.
Shelter {
    /// By file from the edge and rank of the rearmost own pawn not behind the king (first: none), on the king's file and both beside it.
    shelter: [[Score; 7]; 4] = [
        [s(-35, 9), s(8, -18), s(27, -15), s(7, -2), s(16, -5), s(26, 8), s(6, 4)],
        [s(-27, 3), s(44, -11), s(21, -8), s(-14, 6), s(-4, 1), s(-27, 16), s(-2, -1)],
        [s(-13, -1), s(26, -3), s(-7, 3), s(-3, 3), s(4, 0), s(7, -2), s(8, -2)],
        [s(1, 5), s(-11, -1), s(3, -4), s(-3, 6), s(2, 2), s(-13, -1), s(1, 6)],
    ];
    /// By file and rank of the nearest enemy pawn, seen from the king's side.
    storm: [[Score; 7]; 4] = [
        [s(-8, -10), s(-15, 7), s(-29, 18), s(-39, 9), s(-40, 12), s(-9, -10), s(-7, -2)],
        [s(8, 5), s(-23, 12), s(-26, 16), s(-9, 19), s(-27, 9), s(5, 3), s(-2, 2)],
        [s(32, -5), s(-48, 17), s(-51, 8), s(-22, 11), s(0, -4), s(-4, -4), s(18, -9)],
        [s(0, 0), s(-46, 3), s(-59, 8), s(-10, -10), s(-20, -12), s(4, -12), s(-18, 5)],
    ];
    /// Instead, if the own pawn blocks it.
    storm_blocked: [Score; 7] = [
        s(0, 0), s(0, 0), s(-36, -65), s(-25, -8), s(-6, -13), s(8, -8),
        s(11, -4),
    ];
    /// No own pawn on the king's file; second: none at all.
    king_open_file: [Score; 2] = [s(-6, -1), s(-30, -4)];
    /// For each step from the king to his nearest own pawn beyond the first.
    king_pawn_distance: Score = s(1, -3);
}
/// Units of danger to a king. Middle game: their square counts; end game: they count as they are.
Danger {
    /// Each king starts here.
    danger_base: Score = s(1, -12);
    /// Knight, bishop, rook, queen that attacks the ring round the king, each.
    danger_attacker: [Score; 4] = [s(66, 4), s(45, 13), s(5, -18), s(13, 29)];
    /// For each attack on a square beside the king.
    danger_attacks: Score = s(19, -16);
    /// For each attacked square of the ring that only king or queen defends, or nobody.
    danger_weak_ring: Score = s(24, -22);
    /// Knight, bishop, rook, queen can give a check unharmed; second: on more than one square.
    danger_safe_check: [[Score; 2]; 4] = [
        [s(87, 25), s(120, 31)],
        [s(69, 33), s(94, 21)],
        [s(112, 33), s(160, 37)],
        [s(92, 38), s(159, 32)],
    ];
    /// For each other square from which a knight, bishop or rook could check.
    danger_unsafe_check: Score = s(30, 14);
    /// The attacker has no queen.
    danger_no_queen: Score = s(-196, -49);
    /// For each square of the king's flank and own half that the enemy attacks; twice, if attacked twice.
    danger_flank_attack: Score = s(17, -26);
    /// For each of them that is defended.
    danger_flank_defence: Score = s(-13, 21);
    /// An own knight stands by.
    danger_knight_defender: Score = s(-23, 10);
    /// For each piece, of whichever side, alone between king and a slider of the enemy.
    danger_pinned: Score = s(5, -14);
    /// By rank of the own pawn before the king (first: none), for each of three files.
    danger_shelter: [Score; 7] = [
        s(64, 35), s(3, -2), s(30, -8), s(56, -1), s(69, 2), s(33, -2),
        s(-9, 0),
    ];
    /// By rank of the nearest enemy pawn on it.
    danger_storm: [Score; 7] = [
        s(54, 35), s(9, -3), s(39, -1), s(73, -6), s(8, -14), s(-11, 7),
        s(28, 8),
    ];
}
/// What is attacked and might be won.
Threats {
    /// Pawn attacks knight, bishop, rook, queen.
    threat_by_pawn: [Score; 4] = [s(69, 38), s(42, 40), s(72, 30), s(59, 21)];
    /// Knight or bishop attacks a pawn, knight, bishop, rook, queen that is weak or worth more.
    threat_by_minor: [Score; 5] = [s(2, 18), s(33, 30), s(58, 17), s(71, 18), s(38, 51)];
    /// Rook attacks a weak pawn, knight, bishop, rook; or a queen.
    threat_by_rook: [Score; 5] = [s(-4, 19), s(20, 26), s(26, 21), s(-7, 12), s(45, 33)];
    /// King attacks something weak.
    threat_by_king: Score = s(23, 25);
    /// For each enemy piece that is attacked and not defended, or attacked twice and no pawn.
    hanging: Score = s(10, 15);
    /// For each weak enemy piece that only the queen defends.
    weak_queen_defended: Score = s(4, 11);
    /// For each square that both attack and the enemy does not hold.
    restricted: Score = s(7, 0);
    /// For each enemy piece that a safe pawn move would attack.
    push_threat: Score = s(16, 13);
    /// For each safe square from which a knight would attack the queen.
    knight_on_queen: Score = s(11, -1);
    /// The same for bishops and rooks, supported.
    slider_on_queen: Score = s(20, 5);
}
/// What else makes a piece good or bad where it stands.
Pieces {
    /// Knight, bishop on a square of rank four to six that a pawn defends and no enemy pawn can attack.
    outpost: [Score; 2] = [s(32, 3), s(37, 7)];
    /// Knight that can go to one.
    reachable_outpost: Score = s(33, 10);
    /// Knight, bishop right behind a pawn.
    behind_pawn: [Score; 2] = [s(14, 14), s(12, 8)];
    /// For each step between knight, bishop and own king.
    minor_king_distance: [Score; 2] = [s(-10, -2), s(-2, -2)];
    /// For each own pawn on squares of the bishop's colour.
    bishop_pawns: Score = s(-7, -5);
    /// For each of these that cannot move, on the files c to f.
    bishop_blocked_centre: Score = s(-7, -11);
    /// Sees both centre squares of a long diagonal, pieces aside.
    bishop_long_diagonal: Score = s(37, 19);
    /// For each enemy pawn on its diagonals.
    bishop_xray_pawns: Score = s(-9, -2);
    /// On the enemy's a7, h7 (or eighth rank) shut in by a pawn.
    bishop_trapped: Score = s(-89, -64);
    /// No own pawn on its file; second: none at all.
    rook_open_file: [Score; 2] = [s(1, 6), s(19, 9)];
    /// The own pawn on its file is blocked.
    rook_closed_file: Score = s(-12, -4);
    /// On the seventh with the enemy king on the eighth or pawns on the seventh.
    rook_seventh: Score = s(-12, 19);
    /// On a half-open file to or beside the enemy king.
    rook_king_file: Score = s(17, -14);
    /// Shut in by the own king: three squares at most. Second: castling may help yet.
    rook_trapped: [Score; 2] = [s(-76, -12), s(10, -2)];
    /// Only one piece stands between it and an enemy slider.
    queen_target: Score = s(-26, -1);
    /// On the enemy's half where no pawn can attack it.
    queen_infiltration: Score = s(-1, 45);
}
/// Room behind the own pawns.
Space {
    /// For each safe square on c2 to f4 (those behind an own pawn twice), times pieces squared over 32.
    space: Score = s(8, 0);
}
/// The right to move.
Tempo {
    /// For the side to move.
    tempo: Score = s(25, 4);
}
/// By how many per cent an advantage grows or shrinks, whoever has it.
Winnability {
    /// Always.
    winnable_base: Score = s(-1, -25);
    /// For each pawn on the board.
    winnable_pawn: Score = s(-2, 6);
    /// For each passed pawn.
    winnable_passed: Score = s(6, 6);
    /// Pawns on both flanks.
    winnable_flanks: Score = s(4, 27);
    /// Distance of the kings' files, plus how far they have come past each other.
    winnable_outflanking: Score = s(2, 1);
    /// A king stands beyond the middle.
    winnable_infiltration: Score = s(-25, -9);
    /// Kings and pawns alone.
    winnable_pawn_ending: Score = s(0, 7);
    /// No outflanking, and pawns on one flank only.
    winnable_stuck: Score = s(-17, -18);
}
}
