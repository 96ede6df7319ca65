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
    piece_value: [Score; 5] = [s(44, 108), s(350, 432), s(370, 438), s(424, 707), s(924, 1293)];
    /// Two bishops cover both colours of square, the more so the emptier the board.
    bishop_pair: Score = s(30, 63);
    /// For each knight and each own pawn above five (below: less): closed positions suit the jumper (Kaufman).
    knight_pawns: Score = s(-1, 6);
    /// The same for rooks, which want open files.
    rook_pawns: Score = s(-2, -8);
    /// The second rook finds the open files taken.
    rook_pair: Score = s(44, -63);
}
/// Where the pieces stand: boards a8 first, files a to d; files e to h mirror them.
Squares {
    /// Centre pawns are pulled off their first square; wing pawns stay before their king.
    pawn_squares: [Score; 32] = half_boards(
        [
               0,    0,    0,    0,
               0,   41,   50,   61,
              13,   54,   44,   80,
              42,   46,   17,   50,
               2,    8,   -4,    0,
             -30,  -20,  -35,  -24,
               1,    7,    1,    7,
               0,    0,    0,    0,
        ],
        [
               0,    0,    0,    0,
              59,   49,   70,   66,
              44,   41,   34,   32,
              10,    4,   10,    5,
               0,   -1,   -3,   -1,
              -9,    0,    6,    8,
              -4,    1,   10,   20,
               0,    0,    0,    0,
        ],
    );
    /// As many moves as it has on an empty board, and forward.
    knight_squares: [Score; 32] = half_boards(
        [
            -104,  -36,   -4,    8,
              22,   24,   50,  107,
              20,   27,   29,   54,
              23,   12,   19,   16,
               3,   19,   22,    5,
              -4,   -8,  -18,   -4,
             -31,  -27,  -16,  -23,
             -81,  -22,  -40,  -27,
        ],
        [
             -81,    2,   29,   39,
              15,   11,   14,   21,
               8,   13,   20,   21,
              10,    8,   20,   28,
               0,   15,    7,   19,
             -21,  -16,  -10,    6,
              -4,   -5,  -13,  -16,
             -42,  -26,  -14,   -3,
        ],
    );
    /// The length of its diagonals, and the fianchetto.
    bishop_squares: [Score; 32] = half_boards(
        [
             -31,   -3,    3,  -22,
               5,   -6,   46,   33,
              24,   27,  -12,   13,
             -24,   -4,   25,  -17,
               5,   -3,    8,  -20,
               6,   21,  -35,    4,
              10,   -7,   18,  -26,
              -1,   20,  -14,  -26,
        ],
        [
             -17,   23,   19,   24,
              19,    0,    8,   25,
               9,   17,   11,   13,
              10,   18,   15,    8,
               5,   11,   24,    0,
               2,    1,   -8,   15,
              -8,  -28,   -8,    6,
             -45,  -17,    4,    3,
        ],
    );
    /// The centre files and the seventh rank.
    rook_squares: [Score; 32] = half_boards(
        [
              15,   38,   26,   15,
               8,    9,   29,   45,
               7,   16,   27,   48,
               2,   34,  -15,   32,
             -24,   -6,  -35,  -19,
             -17,   -7,   -8,   11,
             -38,  -14,  -11,   -9,
             -49,  -28,  -30,  -20,
        ],
        [
              16,   27,   27,   25,
               6,   16,    7,   -7,
              22,   29,   26,   16,
              16,   11,   31,   17,
               3,   13,   19,   19,
               0,    2,   -1,   -2,
              -9,  -10,   -4,   -9,
              -6,  -12,  -10,  -15,
        ],
    );
    /// Little in the middle game; the centre in the end game.
    queen_squares: [Score; 32] = half_boards(
        [
             -15,   19,   -8,   20,
               2,   -7,   17,   -1,
              24,    1,    1,   -4,
              13,   -9,  -23,  -12,
              -4,   20,  -22,  -31,
               1,   -6,    2,   -8,
             -38,    0,    6,   10,
              -6,    6,   -4,   -3,
        ],
        [
               8,   12,   16,   -1,
              12,   17,   12,   31,
             -11,   15,   20,   22,
               3,   36,   40,   26,
              17,   12,   35,   46,
               2,   16,   11,   24,
              -4,  -21,   -5,    0,
               6,  -29,  -17,  -10,
        ],
    );
    /// Behind its pawns while there are pieces to fear, in the centre once there are not.
    king_squares: [Score; 32] = half_boards(
        [
             -53,  -39,  -63,  -79,
             -40,  -34,  -56,  -80,
             -20,  -31,  -59,  -76,
             -44,  -19,  -61,  -96,
             -44,  -33,  -54,  -76,
             -17,  -17,  -72, -102,
              44,    2,  -45,  -45,
              37,   26,   -1,   13,
        ],
        [
             -50,   -1,    5,   17,
             -21,   69,   51,   54,
              31,   48,   66,   58,
               4,   23,   35,   49,
             -18,  -10,    5,   15,
             -35,  -16,  -11,    0,
             -54,  -30,  -28,  -21,
             -82,  -46,  -45,  -47,
        ],
    );
}
/// How many squares a piece can go to and not be lost to a pawn.
Mobility {
    /// By number of squares. The first few count most.
    knight_mobility: [Score; 9] = [
        s(-18, -10), s(-29, -34), s(-27, 12), s(-8, 25), s(7, 28), s(19, 37),
        s(22, 37), s(39, 37), s(50, 36),
    ];
    /// By number of squares, through the own queen.
    bishop_mobility: [Score; 14] = [
        s(-41, -15), s(-22, -12), s(7, 10), s(10, 16), s(16, 28), s(21, 33),
        s(21, 35), s(22, 39), s(17, 51), s(20, 45), s(28, 47), s(47, 39),
        s(43, 42), s(30, 25),
    ];
    /// By number of squares, through own rooks and queen.
    rook_mobility: [Score; 15] = [
        s(-22, -36), s(-33, -9), s(-8, 22), s(-7, 30), s(-7, 44), s(-4, 45),
        s(1, 47), s(11, 51), s(18, 57), s(23, 59), s(22, 61), s(27, 69),
        s(32, 67), s(34, 70), s(58, 66),
    ];
    /// By number of squares.
    queen_mobility: [Score; 28] = [
        s(-95, -26), s(-69, 34), s(-22, 22), s(-1, -20), s(14, -15), s(8, 19),
        s(6, 35), s(11, 33), s(16, 43), s(16, 53), s(15, 63), s(24, 50),
        s(12, 67), s(24, 64), s(25, 66), s(30, 65), s(15, 75), s(36, 69),
        s(44, 69), s(35, 76), s(37, 68), s(20, 74), s(22, 69), s(36, 71),
        s(34, 67), s(36, 70), s(33, 72), s(38, 88),
    ];
}
/// The structure of the pawns alone; remembered by the pawn cache.
Pawns {
    /// Side by side with another, by rank (second to seventh).
    phalanx: [Score; 6] = [s(6, 3), s(21, 7), s(21, 10), s(23, 23), s(71, 63), s(58, 75)];
    /// Defended by a pawn, for each that defends it, by rank.
    supported: [Score; 6] = [s(8, 4), s(33, 11), s(23, 11), s(23, 20), s(15, 47), s(70, 77)];
    /// Supported or in a phalanx, but an enemy pawn stands on the file ahead.
    connected_opposed: Score = s(-4, -5);
    /// No own pawn on the files beside it; by file from the edge. First: no enemy pawn ahead, so that rooks get at it.
    isolated: [[Score; 4]; 2] = [
        [s(18, -17), s(-4, -23), s(-4, -18), s(-1, -21)],
        [s(30, -15), s(9, -12), s(0, -7), s(14, -18)],
    ];
    /// Behind its neighbours and unable to advance. First: on a half-open file.
    backward: [Score; 2] = [s(-19, -9), s(-8, -9)];
    /// Behind an own pawn on its file. Second: supported.
    doubled: [Score; 2] = [s(14, -12), s(-26, -11)];
    /// Can take a pawn, by rank.
    lever: [Score; 6] = [s(-19, 13), s(-9, 4), s(4, 10), s(2, 14), s(33, 8), s(10, 10)];
    /// Attacked by two pawns and supported by none.
    weak_lever: Score = s(19, -18);
    /// Stopped by an enemy pawn on the fifth, sixth, seventh rank.
    blocked: [Score; 3] = [s(-19, -7), s(14, -26), s(0, 0)];
    /// Free of pawns ahead on its file, and helped by as many as watch its way: it can become passed; by rank.
    candidate: [Score; 6] = [s(9, -9), s(1, 0), s(-3, 11), s(-4, 14), s(3, 29), s(30, 64)];
    /// For each group of pawns on neighbouring files: each must be defended by itself.
    island: Score = s(-24, 11);
}
/// Pawns that no pawn can stop.
Passed {
    /// By rank.
    passed_rank: [Score; 6] = [s(19, 38), s(-37, 29), s(-6, 53), s(16, 54), s(48, 63), s(102, 139)];
    /// By file from the edge: outer ones draw the king away.
    passed_file: [Score; 4] = [s(-24, 13), s(-15, 6), s(-16, -3), s(-20, -8)];
    /// With another passed pawn beside it or one rank off, by rank.
    passed_connected: [Score; 6] = [s(16, -14), s(-18, 10), s(-12, 6), s(33, 13), s(11, 6), s(19, 16)];
    /// Three files or more from every other pawn.
    passed_outside: Score = s(31, 7);
    /// For each step from the own king to the square ahead (five at most), by rank.
    passed_own_king: [Score; 6] = [s(-6, -2), s(3, -5), s(-3, -12), s(-10, -13), s(-14, -14), s(4, -26)];
    /// For each step of the enemy king to it.
    passed_their_king: [Score; 6] = [s(5, -7), s(15, -3), s(7, 5), s(14, 11), s(17, 23), s(26, 27)];
    /// A piece stands in its way, by rank.
    passed_blocked: [Score; 6] = [s(-24, 2), s(-13, 15), s(14, -4), s(-6, 0), s(0, -8), s(-70, -36)];
    /// The square ahead is free and not attacked, by rank.
    passed_safe_step: [Score; 6] = [s(-9, 0), s(-19, 9), s(8, 5), s(-5, 15), s(55, 13), s(24, 42)];
    /// The whole path is not attacked, by rank.
    passed_safe_path: [Score; 6] = [s(-25, 16), s(-20, 7), s(-25, 19), s(28, 12), s(33, 19), s(28, 35)];
    /// The square ahead is defended, by rank.
    passed_defended_step: [Score; 6] = [s(3, 1), s(15, 5), s(29, 3), s(19, 12), s(46, 20), s(36, 35)];
    /// Own rook or queen behind it (Tarrasch).
    passed_rook_behind: Score = s(0, -3);
    /// Enemy rook or queen behind it.
    passed_enemy_behind: Score = s(-2, -22);
    /// The enemy has only pawns and his king is outside the square.
    passed_unstoppable: Score = s(0, 200);
}
/// The pawns before the king; remembered with the pawns.
Shelter {
    /// By file from the edge and rank of the rearmost own pawn not behind the king (first: none), on the king's file and both beside it.
    shelter: [[Score; 7]; 4] = [
        [s(-37, 6), s(7, -17), s(29, -15), s(7, -5), s(23, -4), s(44, 7), s(26, 1)],
        [s(-27, 3), s(47, -11), s(25, -8), s(-16, 6), s(3, 0), s(-36, 25), s(7, -5)],
        [s(-16, 2), s(23, -2), s(-14, 1), s(-5, 2), s(6, 2), s(14, -1), s(19, -7)],
        [s(-5, 5), s(-23, -1), s(-5, -4), s(-9, 3), s(1, 4), s(-24, 5), s(7, 9)],
    ];
    /// By file and rank of the nearest enemy pawn, seen from the king's side.
    storm: [[Score; 7]; 4] = [
        [s(-11, -6), s(8, 17), s(-21, 23), s(-46, 5), s(-52, 12), s(-12, -9), s(-15, -3)],
        [s(8, 5), s(-4, 27), s(-9, 21), s(-6, 15), s(-35, 10), s(4, 2), s(-5, 0)],
        [s(40, -5), s(-57, 32), s(-49, 13), s(-13, 6), s(2, -9), s(-2, -7), s(23, -12)],
        [s(1, -1), s(-61, 2), s(-71, 12), s(-6, -17), s(-24, -13), s(7, -15), s(-19, 0)],
    ];
    /// Instead, if the own pawn blocks it.
    storm_blocked: [Score; 7] = [
        s(0, 0), s(0, 0), s(-33, -65), s(-29, -10), s(-4, -13), s(8, -10),
        s(5, -15),
    ];
    /// No own pawn on the king's file; second: none at all.
    king_open_file: [Score; 2] = [s(-9, 1), s(-33, -4)];
    /// For each step from the king to his nearest own pawn beyond the first.
    king_pawn_distance: Score = s(1, -3);
}
/// Units of danger to a king. Middle game: their square counts; end game: they count as they are.
Danger {
    /// Each king starts here.
    danger_base: Score = s(27, -1);
    /// Knight, bishop, rook, queen that attacks the ring round the king, each.
    danger_attacker: [Score; 4] = [s(66, -15), s(47, 15), s(6, -50), s(7, 46)];
    /// For each attack on a square beside the king.
    danger_attacks: Score = s(20, -22);
    /// For each attacked square of the ring that only king or queen defends, or nobody.
    danger_weak_ring: Score = s(23, -37);
    /// Knight, bishop, rook, queen can give a check unharmed; second: on more than one square.
    danger_safe_check: [[Score; 2]; 4] = [
        [s(88, 32), s(110, 32)],
        [s(73, 73), s(100, 23)],
        [s(115, 49), s(179, 51)],
        [s(94, 68), s(165, 38)],
    ];
    /// For each other square from which a knight, bishop or rook could check.
    danger_unsafe_check: Score = s(31, 33);
    /// The attacker has no queen.
    danger_no_queen: Score = s(-220, -62);
    /// For each square of the king's flank and own half that the enemy attacks; twice, if attacked twice.
    danger_flank_attack: Score = s(17, -35);
    /// For each of them that is defended.
    danger_flank_defence: Score = s(-16, 22);
    /// An own knight stands by.
    danger_knight_defender: Score = s(-23, 42);
    /// For each piece, of whichever side, alone between king and a slider of the enemy.
    danger_pinned: Score = s(4, -54);
    /// By rank of the own pawn before the king (first: none), for each of three files.
    danger_shelter: [Score; 7] = [
        s(76, 71), s(14, 6), s(41, -14), s(68, -7), s(91, 6), s(64, -7),
        s(-17, 2),
    ];
    /// By rank of the nearest enemy pawn on it.
    danger_storm: [Score; 7] = [
        s(60, 74), s(12, -3), s(63, -5), s(85, -18), s(8, -38), s(-8, 19),
        s(33, 25),
    ];
}
/// What is attacked and might be won.
Threats {
    /// Pawn attacks knight, bishop, rook, queen.
    threat_by_pawn: [Score; 4] = [s(76, 33), s(49, 33), s(74, 26), s(70, 5)];
    /// Knight or bishop attacks a pawn, knight, bishop, rook, queen that is weak or worth more.
    threat_by_minor: [Score; 5] = [s(2, 16), s(35, 28), s(64, 14), s(81, 12), s(43, 29)];
    /// Rook attacks a weak pawn, knight, bishop, rook; or a queen.
    threat_by_rook: [Score; 5] = [s(-4, 20), s(21, 21), s(30, 19), s(-5, 10), s(48, 29)];
    /// King attacks something weak.
    threat_by_king: Score = s(28, 18);
    /// For each enemy piece that is attacked and not defended, or attacked twice and no pawn.
    hanging: Score = s(10, 15);
    /// For each weak enemy piece that only the queen defends.
    weak_queen_defended: Score = s(4, 12);
    /// For each square that both attack and the enemy does not hold.
    restricted: Score = s(8, 0);
    /// For each enemy piece that a safe pawn move would attack.
    push_threat: Score = s(17, 14);
    /// For each safe square from which a knight would attack the queen.
    knight_on_queen: Score = s(13, -1);
    /// The same for bishops and rooks, supported.
    slider_on_queen: Score = s(22, 6);
}
/// What else makes a piece good or bad where it stands.
Pieces {
    /// Knight, bishop on a square of rank four to six that a pawn defends and no enemy pawn can attack.
    outpost: [Score; 2] = [s(38, 5), s(42, 8)];
    /// Knight that can go to one.
    reachable_outpost: Score = s(36, 7);
    /// Knight, bishop right behind a pawn.
    behind_pawn: [Score; 2] = [s(16, 11), s(13, 6)];
    /// For each step between knight, bishop and own king.
    minor_king_distance: [Score; 2] = [s(-12, -4), s(-2, -2)];
    /// For each own pawn on squares of the bishop's colour.
    bishop_pawns: Score = s(-7, -4);
    /// For each of these that cannot move, on the files c to f.
    bishop_blocked_centre: Score = s(-8, -9);
    /// Sees both centre squares of a long diagonal, pieces aside.
    bishop_long_diagonal: Score = s(41, 22);
    /// For each enemy pawn on its diagonals.
    bishop_xray_pawns: Score = s(-10, -1);
    /// On the enemy's a7, h7 (or eighth rank) shut in by a pawn.
    bishop_trapped: Score = s(-88, -71);
    /// No own pawn on its file; second: none at all.
    rook_open_file: [Score; 2] = [s(3, 5), s(21, 8)];
    /// The own pawn on its file is blocked.
    rook_closed_file: Score = s(-13, -4);
    /// On the seventh with the enemy king on the eighth or pawns on the seventh.
    rook_seventh: Score = s(-25, 19);
    /// On a half-open file to or beside the enemy king.
    rook_king_file: Score = s(19, -9);
    /// Shut in by the own king: three squares at most. Second: castling may help yet.
    rook_trapped: [Score; 2] = [s(-85, -15), s(12, -9)];
    /// Only one piece stands between it and an enemy slider.
    queen_target: Score = s(-25, -2);
    /// On the enemy's half where no pawn can attack it.
    queen_infiltration: Score = s(0, 26);
}
/// Room behind the own pawns.
Space {
    /// For each safe square on c2 to f4 (those behind an own pawn twice), times pieces squared over 32.
    space: Score = s(10, 2);
}
/// The right to move.
Tempo {
    /// For the side to move.
    tempo: Score = s(28, 3);
}
/// By how many per cent an advantage grows or shrinks, whoever has it.
Winnability {
    /// Always.
    winnable_base: Score = s(-11, -28);
    /// For each pawn on the board.
    winnable_pawn: Score = s(-2, 6);
    /// For each passed pawn.
    winnable_passed: Score = s(5, 6);
    /// Pawns on both flanks.
    winnable_flanks: Score = s(2, 35);
    /// Distance of the kings' files, plus how far they have come past each other.
    winnable_outflanking: Score = s(2, 1);
    /// A king stands beyond the middle.
    winnable_infiltration: Score = s(-24, -13);
    /// Kings and pawns alone.
    winnable_pawn_ending: Score = s(0, -10);
    /// No outflanking, and pawns on one flank only.
    winnable_stuck: Score = s(-21, -10);
}
}
