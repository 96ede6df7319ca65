//! The numbers of the main evaluation, in one place.
//!
//! Values are centipawns, middle game first (`s(middle game, end game)`), from the point of view of the
//! side that owns the piece. Boards are drawn as White sees them, rank 8 on top, files a to d; the files e to h
//! mirror them. The start values followed simple principles, named beside each; the numbers below were then
//! tuned by gradient descent on quiet positions with known results, of games of the Top Chess Engine Championship
//! (TCEC, CC BY-SA 3.0), of people and of Tabiya with itself. A trainer rewrites them, and nothing else in this file,
//! through `tuning::render`.

use crate::Score;
use crate::declaration::{declare_weights, half_boards, s};

#[rustfmt::skip]
declare_weights! {
/// What the pieces are worth by themselves and in company.
Material {
    /// Pawn, knight, bishop, rook, queen. Kings are never traded and count nothing.
    piece_value: [Score; 5] = [s(57, 82), s(322, 327), s(333, 335), s(454, 523), s(937, 969)];
    /// Two bishops cover both colours of square, the more so the emptier the board.
    bishop_pair: Score = s(29, 48);
    /// For each knight and each own pawn above five (below: less): closed positions suit the jumper (Kaufman).
    knight_pawns: Score = s(3, 3);
    /// The same for rooks, which want open files.
    rook_pawns: Score = s(-4, -5);
    /// The second rook finds the open files taken.
    rook_pair: Score = s(-22, -35);
}
/// Where the pieces stand: boards a8 first, files a to d; files e to h mirror them.
Squares {
    /// Centre pawns are pulled off their first square; wing pawns stay before their king.
    pawn_squares: [Score; 32] = half_boards(
        [
               0,    0,    0,    0,
              28,   35,   39,   44,
              18,   24,   28,   34,
              22,   24,   11,   28,
               1,    1,    2,    7,
             -10,   -4,  -10,  -10,
              -3,   12,    0,   -5,
               0,    0,    0,    0,
        ],
        [
               0,    0,    0,    0,
              55,   65,   68,   69,
              30,   29,   26,   29,
              13,   12,    8,    3,
               1,    6,    0,   -5,
              -6,    0,    4,    2,
               1,    4,    9,   14,
               0,    0,    0,    0,
        ],
    );
    /// As many moves as it has on an empty board, and forward.
    knight_squares: [Score; 32] = half_boards(
        [
             -51,  -32,  -25,  -22,
             -11,   -4,   11,   12,
               5,   16,   22,   28,
              13,   11,   18,   19,
               6,   12,   20,   10,
              -5,    1,   -2,    6,
             -22,  -21,   -9,  -12,
             -43,  -21,  -26,  -21,
        ],
        [
             -43,  -16,   -6,   -3,
              -9,   -1,    4,    9,
              -2,    1,    6,   12,
               2,    5,   12,   16,
              -4,    8,    7,   12,
             -13,   -8,   -6,    6,
             -12,   -9,   -9,   -6,
             -32,  -27,  -12,   -5,
        ],
    );
    /// The length of its diagonals, and the fianchetto.
    bishop_squares: [Score; 32] = half_boards(
        [
             -17,  -14,  -17,  -15,
              -9,  -13,   -7,   -6,
               7,    2,   -5,    5,
              -5,    0,   11,   -5,
               4,    4,    8,    1,
               1,   12,  -11,    6,
               6,    1,   11,   -9,
              -8,    0,  -12,  -16,
        ],
        [
              -8,    4,    0,    1,
               0,    1,    9,    7,
               0,    7,    6,    6,
               1,    5,    6,    3,
              -4,   -1,   10,   -2,
              -7,    0,   -4,    7,
              -4,  -15,   -4,    1,
             -20,   -6,   -2,   -4,
        ],
    );
    /// The centre files and the seventh rank.
    rook_squares: [Score; 32] = half_boards(
        [
               3,    9,   10,   16,
               8,    7,   13,   14,
               0,    9,    4,   14,
              -7,    5,   -3,   11,
             -16,   -6,  -15,   -8,
             -15,   -1,   -5,   -1,
             -29,   -7,   -3,    0,
             -17,  -11,   -8,   -2,
        ],
        [
               7,   10,    9,   10,
              -2,    4,    0,   -1,
               9,    9,   12,    7,
              11,   11,   14,    9,
              -1,    5,    8,    7,
              -8,   -4,    1,   -4,
             -11,  -12,   -9,  -12,
             -13,  -11,  -12,  -17,
        ],
    );
    /// Little in the middle game; the centre in the end game.
    queen_squares: [Score; 32] = half_boards(
        [
             -13,   -6,   -5,   -3,
              -2,   -3,    3,    0,
              -2,   -3,   -4,    1,
               5,   -3,   -6,  -11,
               1,    9,   -6,  -11,
               4,    4,    3,    0,
             -11,    2,    7,    7,
              -9,   -2,   -3,    1,
        ],
        [
             -11,   -5,   -2,   -1,
              -3,    0,    6,    9,
               0,    5,    9,   13,
               4,   15,   14,   17,
               4,   11,   16,   23,
              -2,    3,    5,   10,
             -17,  -17,  -12,   -9,
             -20,  -18,  -18,  -24,
        ],
    );
    /// Behind its pawns while there are pieces to fear, in the centre once there are not.
    king_squares: [Score; 32] = half_boards(
        [
             -54,  -43,  -69,  -90,
             -47,  -40,  -67,  -89,
             -40,  -37,  -65,  -88,
             -37,  -33,  -61,  -85,
             -30,  -26,  -52,  -72,
             -12,   -7,  -40,  -54,
              20,   11,  -31,  -40,
              21,   31,    7,    6,
        ],
        [
             -53,  -20,  -12,   -6,
             -20,    8,   15,   16,
              -2,   21,   30,   30,
               0,   16,   22,   31,
              -6,    3,   13,   24,
             -16,   -5,    5,   14,
             -20,   -8,   -5,    4,
             -44,  -25,  -22,  -21,
        ],
    );
}
/// How many squares a piece can go to and not be lost to a pawn.
Mobility {
    /// By number of squares. The first few count most.
    knight_mobility: [Score; 9] = [
        s(-25, -22), s(-17, -34), s(-11, -6), s(-6, 2), s(1, 9), s(7, 12),
        s(11, 15), s(17, 15), s(22, 12),
    ];
    /// By number of squares, through the own queen.
    bishop_mobility: [Score; 14] = [
        s(-18, -26), s(-10, -18), s(3, -4), s(7, 5), s(10, 13), s(14, 19),
        s(15, 24), s(18, 25), s(16, 28), s(16, 31), s(24, 30), s(30, 27),
        s(38, 37), s(39, 36),
    ];
    /// By number of squares, through own rooks and queen.
    rook_mobility: [Score; 15] = [
        s(-30, -48), s(-16, -13), s(-3, 3), s(1, 11), s(2, 22), s(5, 27),
        s(6, 32), s(11, 37), s(16, 40), s(19, 44), s(18, 47), s(22, 50),
        s(26, 52), s(26, 56), s(39, 57),
    ];
    /// By number of squares.
    queen_mobility: [Score; 28] = [
        s(-35, -49), s(-5, -27), s(-9, -20), s(-3, -16), s(3, -13), s(5, -6),
        s(6, 5), s(10, 10), s(10, 23), s(12, 32), s(12, 38), s(16, 41),
        s(15, 47), s(17, 50), s(18, 53), s(19, 57), s(15, 60), s(21, 62),
        s(26, 61), s(25, 65), s(26, 65), s(27, 68), s(31, 73), s(32, 73),
        s(35, 79), s(35, 81), s(38, 86), s(39, 89),
    ];
}
/// The structure of the pawns alone; remembered by the pawn cache.
Pawns {
    /// Side by side with another, by rank (second to seventh).
    phalanx: [Score; 6] = [s(9, 1), s(13, 5), s(12, 7), s(19, 16), s(41, 41), s(58, 67)];
    /// Defended by a pawn, for each that defends it, by rank.
    supported: [Score; 6] = [s(8, 4), s(20, 11), s(17, 9), s(17, 12), s(36, 28), s(46, 23)];
    /// Supported or in a phalanx, but an enemy pawn stands on the file ahead.
    connected_opposed: Score = s(-3, 0);
    /// No own pawn on the files beside it; by file from the edge. First: no enemy pawn ahead, so that rooks get at it.
    isolated: [[Score; 4]; 2] = [
        [s(1, -8), s(-9, -12), s(-4, -11), s(-3, -14)],
        [s(12, -4), s(1, -12), s(-3, -7), s(2, -5)],
    ];
    /// Behind its neighbours and unable to advance. First: on a half-open file.
    backward: [Score; 2] = [s(-12, -9), s(-1, -8)];
    /// Behind an own pawn on its file. Second: supported.
    doubled: [Score; 2] = [s(2, -9), s(-6, -14)];
    /// Can take a pawn, by rank.
    lever: [Score; 6] = [s(-6, 0), s(5, 0), s(9, 3), s(9, 11), s(19, 15), s(10, 10)];
    /// Attacked by two pawns and supported by none.
    weak_lever: Score = s(-5, -29);
    /// Stopped by an enemy pawn on the fifth, sixth, seventh rank.
    blocked: [Score; 3] = [s(-6, -9), s(-3, -13), s(0, 0)];
    /// Free of pawns ahead on its file, and helped by as many as watch its way: it can become passed; by rank.
    candidate: [Score; 6] = [s(2, 0), s(1, -1), s(0, 10), s(3, 14), s(14, 36), s(30, 64)];
    /// For each group of pawns on neighbouring files: each must be defended by itself.
    island: Score = s(-10, 5);
}
/// Pawns that no pawn can stop.
Passed {
    /// By rank.
    passed_rank: [Score; 6] = [s(6, 18), s(7, 20), s(11, 45), s(30, 53), s(58, 79), s(98, 148)];
    /// By file from the edge: outer ones draw the king away.
    passed_file: [Score; 4] = [s(1, 0), s(0, 2), s(-5, -4), s(-4, -13)];
    /// With another passed pawn beside it or one rank off, by rank.
    passed_connected: [Score; 6] = [s(5, -5), s(-6, 0), s(-2, 1), s(10, 11), s(15, 7), s(35, 50)];
    /// Three files or more from every other pawn.
    passed_outside: Score = s(5, 8);
    /// For each step from the own king to the square ahead (five at most), by rank.
    passed_own_king: [Score; 6] = [s(-7, 1), s(-1, -4), s(0, -11), s(-2, -14), s(-8, -21), s(-7, -31)];
    /// For each step of the enemy king to it.
    passed_their_king: [Score; 6] = [s(2, -2), s(-2, 0), s(-5, 6), s(-4, 14), s(3, 24), s(16, 29)];
    /// A piece stands in its way, by rank.
    passed_blocked: [Score; 6] = [s(-1, -3), s(0, 5), s(1, -2), s(1, -3), s(-1, -10), s(-33, -55)];
    /// The square ahead is free and not attacked, by rank.
    passed_safe_step: [Score; 6] = [s(-2, 0), s(-3, 6), s(2, 6), s(2, 13), s(18, 22), s(23, 48)];
    /// The whole path is not attacked, by rank.
    passed_safe_path: [Score; 6] = [s(-3, 6), s(-2, 7), s(-3, 14), s(9, 21), s(20, 37), s(23, 46)];
    /// The square ahead is defended, by rank.
    passed_defended_step: [Score; 6] = [s(6, 1), s(7, 7), s(13, 6), s(12, 11), s(22, 21), s(18, 31)];
    /// Own rook or queen behind it (Tarrasch).
    passed_rook_behind: Score = s(-1, 6);
    /// Enemy rook or queen behind it.
    passed_enemy_behind: Score = s(-4, -9);
    /// The enemy has only pawns and his king is outside the square.
    passed_unstoppable: Score = s(0, 239);
}
/// The pawns before the king; remembered with the pawns.
Shelter {
    /// By file from the edge and rank of the rearmost own pawn not behind the king (first: none), on the king's file and both beside it.
    shelter: [[Score; 7]; 4] = [
        [s(-20, 7), s(6, -13), s(17, -6), s(10, -1), s(4, 3), s(9, 9), s(-4, 7)],
        [s(-19, 6), s(28, -1), s(17, -4), s(-2, 3), s(-4, 3), s(-13, 2), s(-5, 6)],
        [s(-11, -1), s(23, -1), s(-2, 0), s(0, -1), s(4, 2), s(-1, 1), s(-4, -1)],
        [s(-4, -2), s(7, -4), s(10, -4), s(-1, 1), s(-3, -3), s(-14, -5), s(-8, -3)],
    ];
    /// By file and rank of the nearest enemy pawn, seen from the king's side.
    storm: [[Score; 7]; 4] = [
        [s(-4, -11), s(-34, 8), s(-39, 6), s(-30, 6), s(-16, 3), s(-2, -7), s(-7, -4)],
        [s(2, 0), s(-37, 6), s(-42, 16), s(-15, 12), s(-19, 6), s(2, 0), s(0, -3)],
        [s(6, -5), s(-41, 10), s(-46, 9), s(-14, 3), s(-7, -3), s(-2, -6), s(4, -7)],
        [s(-6, 2), s(-40, 5), s(-36, 6), s(-13, -6), s(-15, -4), s(0, -5), s(-12, 2)],
    ];
    /// Instead, if the own pawn blocks it.
    storm_blocked: [Score; 7] = [
        s(0, 0), s(0, 0), s(-29, -30), s(-8, -12), s(-2, -11), s(8, -8),
        s(6, 0),
    ];
    /// No own pawn on the king's file; second: none at all.
    king_open_file: [Score; 2] = [s(-4, 0), s(-27, -7)];
    /// For each step from the king to his nearest own pawn beyond the first.
    king_pawn_distance: Score = s(-2, -3);
}
/// Units of danger to a king. Middle game: their square counts; end game: they count as they are.
Danger {
    /// Each king starts here.
    danger_base: Score = s(-42, -15);
    /// Knight, bishop, rook, queen that attacks the ring round the king, each.
    danger_attacker: [Score; 4] = [s(55, 11), s(37, 13), s(22, -3), s(21, 16)];
    /// For each attack on a square beside the king.
    danger_attacks: Score = s(14, -7);
    /// For each attacked square of the ring that only king or queen defends, or nobody.
    danger_weak_ring: Score = s(23, -5);
    /// Knight, bishop, rook, queen can give a check unharmed; second: on more than one square.
    danger_safe_check: [[Score; 2]; 4] = [
        [s(97, 23), s(128, 30)],
        [s(62, 25), s(89, 21)],
        [s(108, 28), s(146, 36)],
        [s(80, 26), s(133, 29)],
    ];
    /// For each other square from which a knight, bishop or rook could check.
    danger_unsafe_check: Score = s(25, 8);
    /// The attacker has no queen.
    danger_no_queen: Score = s(-144, -26);
    /// For each square of the king's flank and own half that the enemy attacks; twice, if attacked twice.
    danger_flank_attack: Score = s(16, -9);
    /// For each of them that is defended.
    danger_flank_defence: Score = s(-6, 8);
    /// An own knight stands by.
    danger_knight_defender: Score = s(-26, 3);
    /// For each piece, of whichever side, alone between king and a slider of the enemy.
    danger_pinned: Score = s(10, -2);
    /// By rank of the own pawn before the king (first: none), for each of three files.
    danger_shelter: [Score; 7] = [
        s(23, 15), s(-8, 0), s(8, 0), s(21, 0), s(30, -1), s(10, 0),
        s(1, 0),
    ];
    /// By rank of the nearest enemy pawn on it.
    danger_storm: [Score; 7] = [
        s(25, 12), s(10, -1), s(19, 0), s(25, -1), s(-1, -2), s(-16, 3),
        s(8, 2),
    ];
}
/// What is attacked and might be won.
Threats {
    /// Pawn attacks knight, bishop, rook, queen.
    threat_by_pawn: [Score; 4] = [s(62, 29), s(47, 38), s(72, 24), s(58, 33)];
    /// Knight or bishop attacks a pawn, knight, bishop, rook, queen that is weak or worth more.
    threat_by_minor: [Score; 5] = [s(1, 14), s(21, 22), s(40, 21), s(53, 22), s(42, 57)];
    /// Rook attacks a weak pawn, knight, bishop, rook; or a queen.
    threat_by_rook: [Score; 5] = [s(2, 14), s(18, 18), s(22, 18), s(1, 11), s(45, 32)];
    /// King attacks something weak.
    threat_by_king: Score = s(15, 21);
    /// For each enemy piece that is attacked and not defended, or attacked twice and no pawn.
    hanging: Score = s(12, 14);
    /// For each weak enemy piece that only the queen defends.
    weak_queen_defended: Score = s(5, 8);
    /// For each square that both attack and the enemy does not hold.
    restricted: Score = s(4, -1);
    /// For each enemy piece that a safe pawn move would attack.
    push_threat: Score = s(16, 9);
    /// For each safe square from which a knight would attack the queen.
    knight_on_queen: Score = s(8, 4);
    /// The same for bishops and rooks, supported.
    slider_on_queen: Score = s(15, 5);
}
/// What else makes a piece good or bad where it stands.
Pieces {
    /// Knight, bishop on a square of rank four to six that a pawn defends and no enemy pawn can attack.
    outpost: [Score; 2] = [s(25, 6), s(25, 9)];
    /// Knight that can go to one.
    reachable_outpost: Score = s(22, 10);
    /// Knight, bishop right behind a pawn.
    behind_pawn: [Score; 2] = [s(6, 10), s(5, 5)];
    /// For each step between knight, bishop and own king.
    minor_king_distance: [Score; 2] = [s(-6, -2), s(-1, -2)];
    /// For each own pawn on squares of the bishop's colour.
    bishop_pawns: Score = s(-4, -4);
    /// For each of these that cannot move, on the files c to f.
    bishop_blocked_centre: Score = s(-6, -8);
    /// Sees both centre squares of a long diagonal, pieces aside.
    bishop_long_diagonal: Score = s(22, 9);
    /// For each enemy pawn on its diagonals.
    bishop_xray_pawns: Score = s(-4, -3);
    /// On the enemy's a7, h7 (or eighth rank) shut in by a pawn.
    bishop_trapped: Score = s(-89, -59);
    /// No own pawn on its file; second: none at all.
    rook_open_file: [Score; 2] = [s(6, 3), s(20, 6)];
    /// The own pawn on its file is blocked.
    rook_closed_file: Score = s(-7, -2);
    /// On the seventh with the enemy king on the eighth or pawns on the seventh.
    rook_seventh: Score = s(-4, 10);
    /// On a half-open file to or beside the enemy king.
    rook_king_file: Score = s(7, -12);
    /// Shut in by the own king: three squares at most. Second: castling may help yet.
    rook_trapped: [Score; 2] = [s(-44, -8), s(5, 3)];
    /// Only one piece stands between it and an enemy slider.
    queen_target: Score = s(-19, -3);
    /// On the enemy's half where no pawn can attack it.
    queen_infiltration: Score = s(-1, 23);
}
/// Room behind the own pawns.
Space {
    /// For each safe square on c2 to f4 (those behind an own pawn twice), times pieces squared over 32.
    space: Score = s(4, 0);
}
/// The right to move.
Tempo {
    /// For the side to move.
    tempo: Score = s(22, 9);
}
/// By how many per cent an advantage in the end game grows or shrinks, whoever has it. The middle game's halves count nothing.
Winnability {
    /// Always.
    winnable_base: Score = s(0, -40);
    /// For each pawn on the board.
    winnable_pawn: Score = s(0, 18);
    /// For each passed pawn.
    winnable_passed: Score = s(0, 30);
    /// Pawns on both flanks.
    winnable_flanks: Score = s(0, 12);
    /// A king stands beyond the middle.
    winnable_infiltration: Score = s(0, 1);
    /// Kings and pawns alone.
    winnable_pawn_ending: Score = s(0, 42);
    /// Pawns on one flank only, and the kings further behind each other than beside.
    winnable_stuck: Score = s(0, -12);
}
}
