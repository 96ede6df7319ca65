//! The numbers of the main evaluation, in one place.
//!
//! Values are centipawns, middle game first (`s(middle game, end game)`), from the point of view of the
//! side that owns the piece. Boards are drawn as White sees them, rank 8 on top, files a to d; the files e to h
//! mirror them. The start values followed simple principles, named beside each; the numbers below were then
//! tuned on positions with known results by `cargo xtask tune`, which rewrites them and nothing else in this
//! file.

use crate::Score;
use crate::declaration::{declare_weights, half_boards, s};

#[rustfmt::skip]
declare_weights! {
/// What the pieces are worth by themselves and in company.
Material {
    /// Pawn, knight, bishop, rook, queen. Kings are never traded and count nothing.
    piece_value: [Score; 5] = [s(56, 128), s(363, 434), s(382, 448), s(488, 733), s(1070, 1264)];
    /// Two bishops cover both colours of square, the more so the emptier the board.
    bishop_pair: Score = s(30, 81);
    /// For each knight and each own pawn above five (below: less): closed positions suit the jumper (Kaufman).
    knight_pawns: Score = s(-2, 6);
    /// The same for rooks, which want open files.
    rook_pawns: Score = s(-3, -9);
    /// The second rook finds the open files taken.
    rook_pair: Score = s(-5, -32);
}
/// Where the pieces stand: boards a8 first, files a to d; files e to h mirror them.
Squares {
    /// Centre pawns are pulled off their first square; wing pawns stay before their king.
    pawn_squares: [Score; 32] = half_boards(
        [
               0,    0,    0,    0,
              15,   33,   48,   54,
              12,   36,   37,   59,
              33,   33,   18,   45,
               3,    7,    0,    7,
             -22,  -15,  -25,  -14,
              -1,    6,    2,    6,
               0,    0,    0,    0,
        ],
        [
               0,    0,    0,    0,
              68,   60,   73,   78,
              41,   42,   30,   32,
              16,   10,   11,   -1,
               0,    5,   -6,  -10,
             -10,    0,    6,    4,
              -2,    7,   12,   22,
               0,    0,    0,    0,
        ],
    );
    /// As many moves as it has on an empty board, and forward.
    knight_squares: [Score; 32] = half_boards(
        [
             -72,  -33,  -13,   -7,
              11,   13,   30,   61,
              13,   25,   29,   45,
              21,   14,   20,   17,
               9,   17,   21,    5,
              -3,   -6,  -11,    0,
             -21,  -18,  -12,  -18,
             -61,  -15,  -32,  -20,
        ],
        [
             -47,  -13,    7,   13,
               6,    5,   13,   22,
               3,   13,   20,   21,
               7,    7,   26,   33,
              -2,   17,   12,   27,
             -25,  -19,   -8,   14,
              -5,   -6,  -10,   -9,
             -37,  -26,  -11,   -2,
        ],
    );
    /// The length of its diagonals, and the fianchetto.
    bishop_squares: [Score; 32] = half_boards(
        [
             -23,   -7,   -5,  -13,
               3,   -5,   22,   20,
              19,   19,   -1,   14,
             -13,   -1,   21,   -9,
               8,    0,    8,  -10,
               6,   18,  -25,    5,
               9,   -4,   16,  -18,
              -5,   15,  -10,  -18,
        ],
        [
             -13,   14,   10,   15,
              14,    5,   16,   24,
               7,   18,   12,   12,
              12,   22,   17,    7,
               2,   10,   26,    3,
               1,    2,   -5,   20,
             -12,  -32,   -5,   12,
             -43,  -16,    8,    8,
        ],
    );
    /// The centre files and the seventh rank.
    rook_squares: [Score; 32] = half_boards(
        [
              14,   25,   24,   19,
               7,   10,   19,   23,
              11,   17,   22,   36,
               5,   26,   -2,   30,
             -17,   -4,  -22,   -9,
             -15,   -1,   -4,    8,
             -29,  -11,   -7,   -5,
             -37,  -22,  -22,  -14,
        ],
        [
              16,   29,   28,   21,
               9,   17,    7,   -4,
              23,   33,   25,   20,
              25,   19,   31,   19,
               5,   13,   21,   18,
              -4,    4,    3,   -8,
             -11,  -15,   -7,  -15,
               0,  -10,  -12,  -18,
        ],
    );
    /// Little in the middle game; the centre in the end game.
    queen_squares: [Score; 32] = half_boards(
        [
             -10,    7,   -7,    3,
               2,   -1,    9,    3,
               8,    1,    0,   -4,
              10,    4,   -6,   -2,
               5,   20,   -4,  -11,
              10,    2,    9,    3,
             -18,    6,   10,   12,
               2,    5,    4,    1,
        ],
        [
              -8,    1,    2,   -2,
               4,    7,    9,   18,
              -7,   12,   16,   18,
               4,   31,   33,   29,
              21,   17,   42,   56,
               6,   17,   21,   34,
              -6,  -16,   -1,    3,
              -6,  -26,  -14,   -5,
        ],
    );
    /// Behind its pawns while there are pieces to fear, in the centre once there are not.
    king_squares: [Score; 32] = half_boards(
        [
             -52,  -43,  -68,  -88,
             -46,  -34,  -60,  -83,
             -31,  -31,  -56,  -77,
             -37,  -24,  -52,  -81,
             -36,  -23,  -46,  -68,
             -21,   -9,  -49,  -73,
              26,    2,  -37,  -42,
              23,   19,   -6,   -2,
        ],
        [
             -40,  -17,  -12,   -2,
             -21,   31,   25,   30,
              16,   34,   55,   47,
               4,   25,   43,   54,
             -13,    2,   15,   26,
             -27,   -6,   -2,   11,
             -47,  -16,  -16,  -12,
             -80,  -39,  -38,  -41,
        ],
    );
}
/// How many squares a piece can go to and not be lost to a pawn.
Mobility {
    /// By number of squares. The first few count most.
    knight_mobility: [Score; 9] = [
        s(-17, -20), s(-22, -54), s(-15, 11), s(-2, 27), s(8, 37), s(17, 39),
        s(21, 46), s(34, 42), s(45, 38),
    ];
    /// By number of squares, through the own queen.
    bishop_mobility: [Score; 14] = [
        s(-33, -24), s(-17, -26), s(8, -2), s(11, 14), s(14, 29), s(20, 36),
        s(20, 43), s(23, 45), s(18, 56), s(22, 52), s(29, 49), s(46, 43),
        s(43, 48), s(39, 36),
    ];
    /// By number of squares, through own rooks and queen.
    rook_mobility: [Score; 15] = [
        s(-26, -58), s(-21, -30), s(-2, 8), s(-1, 21), s(-1, 43), s(3, 47),
        s(7, 52), s(12, 60), s(19, 63), s(24, 68), s(23, 72), s(25, 77),
        s(32, 76), s(36, 81), s(48, 77),
    ];
    /// By number of squares.
    queen_mobility: [Score; 28] = [
        s(-56, -45), s(-45, -15), s(-15, -12), s(-1, -21), s(10, -20), s(10, -3),
        s(13, 14), s(15, 17), s(16, 30), s(18, 47), s(19, 63), s(25, 52),
        s(19, 74), s(26, 69), s(28, 74), s(30, 77), s(24, 86), s(35, 79),
        s(39, 81), s(36, 87), s(33, 78), s(31, 82), s(31, 80), s(38, 81),
        s(35, 80), s(38, 81), s(37, 85), s(39, 90),
    ];
}
/// The structure of the pawns alone; remembered by the pawn cache.
Pawns {
    /// Side by side with another, by rank (second to seventh).
    phalanx: [Score; 6] = [s(6, 4), s(17, 8), s(15, 10), s(22, 28), s(54, 50), s(58, 67)];
    /// Defended by a pawn, for each that defends it, by rank.
    supported: [Score; 6] = [s(8, 4), s(25, 14), s(19, 12), s(19, 24), s(27, 46), s(51, 43)];
    /// Supported or in a phalanx, but an enemy pawn stands on the file ahead.
    connected_opposed: Score = s(-4, -4);
    /// No own pawn on the files beside it; by file from the edge. First: no enemy pawn ahead, so that rooks get at it.
    isolated: [[Score; 4]; 2] = [
        [s(8, -17), s(-7, -22), s(-8, -17), s(-6, -21)],
        [s(20, -16), s(3, -14), s(-4, -8), s(5, -15)],
    ];
    /// Behind its neighbours and unable to advance. First: on a half-open file.
    backward: [Score; 2] = [s(-18, -13), s(-6, -8)];
    /// Behind an own pawn on its file. Second: supported.
    doubled: [Score; 2] = [s(7, -20), s(-21, -17)];
    /// Can take a pawn, by rank.
    lever: [Score; 6] = [s(-13, 1), s(-4, -3), s(5, 6), s(6, 15), s(25, 14), s(10, 10)];
    /// Attacked by two pawns and supported by none.
    weak_lever: Score = s(5, -28);
    /// Stopped by an enemy pawn on the fifth, sixth, seventh rank.
    blocked: [Score; 3] = [s(-13, -12), s(12, -5), s(0, 0)];
    /// Free of pawns ahead on its file, and helped by as many as watch its way: it can become passed; by rank.
    candidate: [Score; 6] = [s(5, -12), s(1, 1), s(0, 16), s(1, 21), s(17, 42), s(30, 64)];
    /// For each group of pawns on neighbouring files: each must be defended by itself.
    island: Score = s(-15, 14);
}
/// Pawns that no pawn can stop.
Passed {
    /// By rank.
    passed_rank: [Score; 6] = [s(11, 22), s(-14, 16), s(4, 47), s(24, 57), s(53, 86), s(101, 170)];
    /// By file from the edge: outer ones draw the king away.
    passed_file: [Score; 4] = [s(-11, 17), s(-5, 11), s(-9, 1), s(-14, -9)];
    /// With another passed pawn beside it or one rank off, by rank.
    passed_connected: [Score; 6] = [s(7, -12), s(-8, 9), s(-7, 8), s(23, 9), s(12, 13), s(27, 52)];
    /// Three files or more from every other pawn.
    passed_outside: Score = s(20, 10);
    /// For each step from the own king to the square ahead (five at most), by rank.
    passed_own_king: [Score; 6] = [s(-5, 1), s(2, -6), s(-4, -14), s(-9, -17), s(-13, -22), s(-7, -31)];
    /// For each step of the enemy king to it.
    passed_their_king: [Score; 6] = [s(4, -6), s(6, -2), s(4, 8), s(11, 17), s(15, 31), s(28, 33)];
    /// A piece stands in its way, by rank.
    passed_blocked: [Score; 6] = [s(-12, 5), s(-5, 15), s(5, -1), s(-3, 2), s(0, -13), s(-49, -51)];
    /// The square ahead is free and not attacked, by rank.
    passed_safe_step: [Score; 6] = [s(-8, 2), s(-11, 11), s(5, 6), s(1, 18), s(33, 19), s(25, 46)];
    /// The whole path is not attacked, by rank.
    passed_safe_path: [Score; 6] = [s(-9, 12), s(-7, 12), s(-7, 20), s(17, 21), s(22, 24), s(27, 45)];
    /// The square ahead is defended, by rank.
    passed_defended_step: [Score; 6] = [s(4, 3), s(8, 9), s(22, 10), s(17, 17), s(38, 27), s(28, 40)];
    /// Own rook or queen behind it (Tarrasch).
    passed_rook_behind: Score = s(-4, 8);
    /// Enemy rook or queen behind it.
    passed_enemy_behind: Score = s(-5, -24);
    /// The enemy has only pawns and his king is outside the square.
    passed_unstoppable: Score = s(0, 237);
}
/// The pawns before the king; remembered with the pawns.
Shelter {
    /// By file from the edge and rank of the rearmost own pawn not behind the king (first: none), on the king's file and both beside it.
    shelter: [[Score; 7]; 4] = [
        [s(-30, 15), s(7, -24), s(22, -17), s(5, -4), s(11, -5), s(22, 7), s(4, 4)],
        [s(-23, 8), s(38, -14), s(19, -11), s(-11, 6), s(-5, 1), s(-23, 15), s(-3, 0)],
        [s(-10, 2), s(23, -4), s(-4, 1), s(-2, 4), s(4, -1), s(5, -2), s(6, -1)],
        [s(4, 6), s(-7, -1), s(5, -4), s(0, 9), s(1, 6), s(-11, 0), s(0, 5)],
    ];
    /// By file and rank of the nearest enemy pawn, seen from the king's side.
    storm: [[Score; 7]; 4] = [
        [s(-9, -10), s(-19, 5), s(-32, 16), s(-37, 10), s(-36, 14), s(-9, -12), s(-7, -5)],
        [s(8, 4), s(-25, 10), s(-29, 13), s(-10, 19), s(-24, 10), s(4, 2), s(-3, 1)],
        [s(27, -5), s(-46, 15), s(-50, 8), s(-20, 13), s(0, -2), s(-3, -3), s(15, -11)],
        [s(2, 2), s(-45, 3), s(-55, 8), s(-11, -10), s(-18, -11), s(3, -11), s(-15, 8)],
    ];
    /// Instead, if the own pawn blocks it.
    storm_blocked: [Score; 7] = [
        s(0, 0), s(0, 0), s(-37, -65), s(-24, -9), s(-5, -14), s(7, -7),
        s(11, -1),
    ];
    /// No own pawn on the king's file; second: none at all.
    king_open_file: [Score; 2] = [s(-6, 1), s(-26, -6)];
    /// For each step from the king to his nearest own pawn beyond the first.
    king_pawn_distance: Score = s(1, -5);
}
/// Units of danger to a king. Middle game: their square counts; end game: they count as they are.
Danger {
    /// Each king starts here.
    danger_base: Score = s(-6, -14);
    /// Knight, bishop, rook, queen that attacks the ring round the king, each.
    danger_attacker: [Score; 4] = [s(62, 6), s(44, 12), s(7, -11), s(13, 28)];
    /// For each attack on a square beside the king.
    danger_attacks: Score = s(17, -12);
    /// For each attacked square of the ring that only king or queen defends, or nobody.
    danger_weak_ring: Score = s(25, -15);
    /// Knight, bishop, rook, queen can give a check unharmed; second: on more than one square.
    danger_safe_check: [[Score; 2]; 4] = [
        [s(86, 24), s(122, 31)],
        [s(67, 29), s(93, 21)],
        [s(109, 30), s(157, 36)],
        [s(87, 34), s(153, 31)],
    ];
    /// For each other square from which a knight, bishop or rook could check.
    danger_unsafe_check: Score = s(28, 12);
    /// The attacker has no queen.
    danger_no_queen: Score = s(-184, -49);
    /// For each square of the king's flank and own half that the enemy attacks; twice, if attacked twice.
    danger_flank_attack: Score = s(16, -16);
    /// For each of them that is defended.
    danger_flank_defence: Score = s(-13, 14);
    /// An own knight stands by.
    danger_knight_defender: Score = s(-23, 6);
    /// For each piece, of whichever side, alone between king and a slider of the enemy.
    danger_pinned: Score = s(6, -9);
    /// By rank of the own pawn before the king (first: none), for each of three files.
    danger_shelter: [Score; 7] = [
        s(59, 24), s(3, 0), s(27, -5), s(50, -1), s(61, 1), s(28, -2),
        s(-6, 0),
    ];
    /// By rank of the nearest enemy pawn on it.
    danger_storm: [Score; 7] = [
        s(54, 26), s(8, -2), s(35, -1), s(65, -5), s(6, -12), s(-10, 6),
        s(25, 7),
    ];
}
/// What is attacked and might be won.
Threats {
    /// Pawn attacks knight, bishop, rook, queen.
    threat_by_pawn: [Score; 4] = [s(64, 39), s(41, 42), s(71, 30), s(59, 25)];
    /// Knight or bishop attacks a pawn, knight, bishop, rook, queen that is weak or worth more.
    threat_by_minor: [Score; 5] = [s(3, 24), s(30, 35), s(52, 19), s(65, 20), s(38, 56)];
    /// Rook attacks a weak pawn, knight, bishop, rook; or a queen.
    threat_by_rook: [Score; 5] = [s(-2, 25), s(19, 30), s(24, 24), s(-5, 16), s(45, 33)];
    /// King attacks something weak.
    threat_by_king: Score = s(24, 31);
    /// For each enemy piece that is attacked and not defended, or attacked twice and no pawn.
    hanging: Score = s(10, 20);
    /// For each weak enemy piece that only the queen defends.
    weak_queen_defended: Score = s(4, 11);
    /// For each square that both attack and the enemy does not hold.
    restricted: Score = s(6, -1);
    /// For each enemy piece that a safe pawn move would attack.
    push_threat: Score = s(15, 16);
    /// For each safe square from which a knight would attack the queen.
    knight_on_queen: Score = s(10, -7);
    /// The same for bishops and rooks, supported.
    slider_on_queen: Score = s(19, 1);
}
/// What else makes a piece good or bad where it stands.
Pieces {
    /// Knight, bishop on a square of rank four to six that a pawn defends and no enemy pawn can attack.
    outpost: [Score; 2] = [s(28, 6), s(34, 8)];
    /// Knight that can go to one.
    reachable_outpost: Score = s(29, 14);
    /// Knight, bishop right behind a pawn.
    behind_pawn: [Score; 2] = [s(13, 18), s(10, 11)];
    /// For each step between knight, bishop and own king.
    minor_king_distance: [Score; 2] = [s(-9, -1), s(-2, 0)];
    /// For each own pawn on squares of the bishop's colour.
    bishop_pawns: Score = s(-8, -4);
    /// For each of these that cannot move, on the files c to f.
    bishop_blocked_centre: Score = s(-6, -14);
    /// Sees both centre squares of a long diagonal, pieces aside.
    bishop_long_diagonal: Score = s(33, 17);
    /// For each enemy pawn on its diagonals.
    bishop_xray_pawns: Score = s(-8, -3);
    /// On the enemy's a7, h7 (or eighth rank) shut in by a pawn.
    bishop_trapped: Score = s(-89, -63);
    /// No own pawn on its file; second: none at all.
    rook_open_file: [Score; 2] = [s(2, 7), s(16, 16)];
    /// The own pawn on its file is blocked.
    rook_closed_file: Score = s(-11, -2);
    /// On the seventh with the enemy king on the eighth or pawns on the seventh.
    rook_seventh: Score = s(-10, 22);
    /// On a half-open file to or beside the enemy king.
    rook_king_file: Score = s(13, -19);
    /// Shut in by the own king: three squares at most. Second: castling may help yet.
    rook_trapped: [Score; 2] = [s(-69, -12), s(6, -1)];
    /// Only one piece stands between it and an enemy slider.
    queen_target: Score = s(-22, 1);
    /// On the enemy's half where no pawn can attack it.
    queen_infiltration: Score = s(4, 58);
}
/// Room behind the own pawns.
Space {
    /// For each safe square on c2 to f4 (those behind an own pawn twice), times pieces squared over 32.
    space: Score = s(7, 1);
}
/// The right to move.
Tempo {
    /// For the side to move.
    tempo: Score = s(22, 5);
}
/// How much of an advantage can be made to count: added to its amount, never beyond nothing.
Winnability {
    /// Always.
    winnable_base: Score = s(30, -29);
    /// For each pawn on the board.
    winnable_pawn: Score = s(-3, 3);
    /// For each passed pawn.
    winnable_passed: Score = s(11, 13);
    /// Pawns on both flanks.
    winnable_flanks: Score = s(35, 50);
    /// Distance of the kings' files, plus how far they have come past each other.
    winnable_outflanking: Score = s(4, 3);
    /// A king stands beyond the middle.
    winnable_infiltration: Score = s(-30, -2);
    /// Kings and pawns alone.
    winnable_pawn_ending: Score = s(0, -12);
    /// No outflanking, and pawns on one flank only.
    winnable_stuck: Score = s(-18, -36);
}
}
