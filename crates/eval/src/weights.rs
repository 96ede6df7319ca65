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
    piece_value: [Score; 5] = [s(55, 83), s(321, 331), s(328, 343), s(464, 534), s(938, 990)];
    /// Two bishops cover both colours of square, the more so the emptier the board.
    bishop_pair: Score = s(33, 46);
    /// For each knight and each own pawn above five (below: less): closed positions suit the jumper (Kaufman).
    knight_pawns: Score = s(6, 2);
    /// The same for rooks, which want open files.
    rook_pawns: Score = s(-5, -4);
    /// The second rook finds the open files taken.
    rook_pair: Score = s(-21, -39);
}
/// Where the pieces stand: boards a8 first, files a to d; files e to h mirror them.
Squares {
    /// Centre pawns are pulled off their first square; wing pawns stay before their king.
    pawn_squares: [Score; 32] = half_boards(
        [
               0,    0,    0,    0,
              26,   37,   39,   44,
              20,   21,   30,   32,
              21,   22,    7,   26,
               1,    0,    0,    7,
              -8,   -2,   -9,  -12,
              -2,   15,    1,   -5,
               0,    0,    0,    0,
        ],
        [
               0,    0,    0,    0,
              53,   66,   68,   66,
              29,   28,   24,   29,
              14,   14,    8,    1,
               2,    8,    2,   -6,
              -6,    1,    5,    2,
               1,    5,    8,   14,
               0,    0,    0,    0,
        ],
    );
    /// As many moves as it has on an empty board, and forward.
    knight_squares: [Score; 32] = half_boards(
        [
             -53,  -33,  -25,  -22,
             -13,   -4,   10,   11,
               5,   15,   22,   28,
              14,   11,   18,   19,
               7,   13,   21,   13,
              -3,    3,   -1,   10,
             -23,  -25,   -9,  -11,
             -47,  -22,  -28,  -23,
        ],
        [
             -47,  -17,   -5,   -2,
             -10,   -1,    5,    9,
              -1,    1,    7,   13,
               3,    6,   12,   17,
              -6,    9,    8,   13,
             -12,   -7,   -6,    5,
             -10,  -10,   -8,   -6,
             -35,  -28,  -12,   -3,
        ],
    );
    /// The length of its diagonals, and the fianchetto.
    bishop_squares: [Score; 32] = half_boards(
        [
             -17,  -14,  -18,  -15,
             -11,  -13,  -10,   -7,
               9,   -1,   -7,    5,
              -4,   -1,   10,   -8,
               3,    7,    8,    2,
               0,   12,  -11,   10,
               6,    0,   13,   -7,
              -8,    1,  -13,  -16,
        ],
        [
              -8,    6,   -1,    0,
               0,    2,   10,    5,
               0,    7,    7,    8,
               2,    5,    7,    4,
              -5,   -1,   10,   -3,
              -7,    1,   -3,    6,
              -2,  -14,   -5,    1,
             -22,   -6,   -1,   -4,
        ],
    );
    /// The centre files and the seventh rank.
    rook_squares: [Score; 32] = half_boards(
        [
               1,   10,   10,   19,
               7,    7,   14,   14,
               0,   11,    3,   16,
             -11,    5,   -4,   13,
             -19,   -5,  -17,   -8,
             -16,   -1,   -4,   -1,
             -32,   -5,    0,    2,
             -14,  -11,   -5,    1,
        ],
        [
               8,   10,    8,   11,
              -2,    5,    0,    0,
               9,    8,   12,    6,
              12,   12,   15,   10,
               0,    4,   10,    8,
              -7,   -4,    1,   -4,
              -9,  -12,  -10,  -12,
             -14,   -9,  -12,  -18,
        ],
    );
    /// Little in the middle game; the centre in the end game.
    queen_squares: [Score; 32] = half_boards(
        [
             -13,   -6,   -5,   -4,
              -2,   -3,    5,    0,
              -3,   -2,   -4,    3,
               4,   -3,   -5,  -11,
               0,   12,   -6,  -12,
               3,    5,    3,    1,
             -14,    3,    6,    8,
             -12,   -2,   -3,    2,
        ],
        [
             -11,   -5,   -1,   -2,
              -3,    1,    8,   10,
               0,    4,   10,   14,
               5,   16,   15,   17,
               3,   13,   17,   25,
               0,    5,    5,   12,
             -17,  -18,  -10,   -9,
             -19,  -16,  -17,  -24,
        ],
    );
    /// Behind its pawns while there are pieces to fear, in the centre once there are not.
    king_squares: [Score; 32] = half_boards(
        [
             -54,  -42,  -68,  -89,
             -47,  -38,  -66,  -89,
             -38,  -36,  -66,  -91,
             -36,  -34,  -63,  -90,
             -29,  -28,  -55,  -74,
             -12,   -8,  -41,  -52,
              21,   12,  -33,  -37,
              20,   33,    8,    8,
        ],
        [
             -57,  -19,  -12,   -6,
             -24,    8,   15,   15,
              -3,   22,   31,   30,
              -1,   17,   20,   30,
              -5,    3,   13,   25,
             -16,   -5,    6,   15,
             -18,   -7,   -4,    5,
             -41,  -24,  -22,  -21,
        ],
    );
}
/// How many squares a piece can go to and not be lost to a pawn.
Mobility {
    /// By number of squares. The first few count most.
    knight_mobility: [Score; 9] = [
        s(-27, -22), s(-15, -35), s(-11, -5), s(-6, 2), s(2, 10), s(8, 14),
        s(11, 16), s(17, 15), s(19, 12),
    ];
    /// By number of squares, through the own queen.
    bishop_mobility: [Score; 14] = [
        s(-18, -26), s(-10, -17), s(3, -4), s(8, 5), s(10, 13), s(14, 19),
        s(15, 25), s(19, 26), s(16, 29), s(15, 33), s(23, 31), s(27, 27),
        s(38, 38), s(36, 36),
    ];
    /// By number of squares, through own rooks and queen.
    rook_mobility: [Score; 15] = [
        s(-31, -49), s(-17, -11), s(-3, 3), s(2, 10), s(2, 21), s(6, 27),
        s(6, 32), s(11, 38), s(17, 41), s(20, 45), s(18, 49), s(23, 51),
        s(29, 54), s(25, 57), s(42, 59),
    ];
    /// By number of squares.
    queen_mobility: [Score; 28] = [
        s(-38, -50), s(-5, -28), s(-10, -21), s(-3, -16), s(4, -13), s(5, -6),
        s(6, 6), s(9, 10), s(11, 24), s(12, 33), s(13, 40), s(17, 43),
        s(17, 48), s(18, 52), s(20, 55), s(20, 58), s(16, 62), s(22, 63),
        s(28, 61), s(26, 66), s(26, 65), s(26, 69), s(31, 73), s(30, 74),
        s(34, 79), s(34, 82), s(38, 86), s(38, 89),
    ];
}
/// The structure of the pawns alone; remembered by the pawn cache.
Pawns {
    /// Side by side with another, by rank (second to seventh).
    phalanx: [Score; 6] = [s(11, 0), s(14, 5), s(12, 7), s(21, 16), s(42, 43), s(58, 67)];
    /// Defended by a pawn, for each that defends it, by rank.
    supported: [Score; 6] = [s(8, 4), s(22, 11), s(19, 9), s(17, 12), s(39, 30), s(46, 19)];
    /// Supported or in a phalanx, but an enemy pawn stands on the file ahead.
    connected_opposed: Score = s(-3, 0);
    /// No own pawn on the files beside it; by file from the edge. First: no enemy pawn ahead, so that rooks get at it.
    isolated: [[Score; 4]; 2] = [
        [s(1, -8), s(-9, -12), s(-1, -11), s(1, -14)],
        [s(12, -3), s(1, -14), s(-2, -8), s(4, -5)],
    ];
    /// Behind its neighbours and unable to advance. First: on a half-open file.
    backward: [Score; 2] = [s(-12, -10), s(0, -9)];
    /// Behind an own pawn on its file. Second: supported.
    doubled: [Score; 2] = [s(4, -9), s(-4, -14)];
    /// Can take a pawn, by rank.
    lever: [Score; 6] = [s(-6, -1), s(5, 1), s(9, 2), s(10, 10), s(19, 15), s(10, 10)];
    /// Attacked by two pawns and supported by none.
    weak_lever: Score = s(-6, -29);
    /// Stopped by an enemy pawn on the fifth, sixth, seventh rank.
    blocked: [Score; 3] = [s(-5, -10), s(-7, -15), s(0, 0)];
    /// Free of pawns ahead on its file, and helped by as many as watch its way: it can become passed; by rank.
    candidate: [Score; 6] = [s(1, 2), s(0, -2), s(0, 11), s(4, 15), s(14, 35), s(30, 64)];
    /// For each group of pawns on neighbouring files: each must be defended by itself.
    island: Score = s(-10, 6);
}
/// Pawns that no pawn can stop.
Passed {
    /// By rank.
    passed_rank: [Score; 6] = [s(6, 20), s(9, 19), s(11, 47), s(33, 53), s(60, 78), s(98, 144)];
    /// By file from the edge: outer ones draw the king away.
    passed_file: [Score; 4] = [s(4, -2), s(2, 2), s(-3, -4), s(-2, -13)];
    /// With another passed pawn beside it or one rank off, by rank.
    passed_connected: [Score; 6] = [s(5, -4), s(-8, -1), s(-3, 0), s(9, 12), s(15, 3), s(35, 47)];
    /// Three files or more from every other pawn.
    passed_outside: Score = s(4, 8);
    /// For each step from the own king to the square ahead (five at most), by rank.
    passed_own_king: [Score; 6] = [s(-7, 2), s(-2, -4), s(0, -12), s(-1, -15), s(-9, -20), s(-9, -30)];
    /// For each step of the enemy king to it.
    passed_their_king: [Score; 6] = [s(2, -3), s(-3, 0), s(-6, 6), s(-7, 15), s(3, 24), s(19, 28)];
    /// A piece stands in its way, by rank.
    passed_blocked: [Score; 6] = [s(-1, -3), s(1, 7), s(2, -3), s(2, -3), s(2, -10), s(-35, -56)];
    /// The square ahead is free and not attacked, by rank.
    passed_safe_step: [Score; 6] = [s(-3, 1), s(-3, 7), s(4, 5), s(2, 15), s(19, 23), s(23, 48)];
    /// The whole path is not attacked, by rank.
    passed_safe_path: [Score; 6] = [s(-3, 8), s(-2, 9), s(-3, 17), s(11, 22), s(22, 39), s(24, 48)];
    /// The square ahead is defended, by rank.
    passed_defended_step: [Score; 6] = [s(6, 0), s(10, 9), s(14, 6), s(12, 11), s(23, 22), s(18, 33)];
    /// Own rook or queen behind it (Tarrasch).
    passed_rook_behind: Score = s(-1, 7);
    /// Enemy rook or queen behind it.
    passed_enemy_behind: Score = s(-2, -6);
    /// The enemy has only pawns and his king is outside the square.
    passed_unstoppable: Score = s(0, 240);
}
/// The pawns before the king; remembered with the pawns.
Shelter {
    /// By file from the edge and rank of the rearmost own pawn not behind the king (first: none), on the king's file and both beside it.
    shelter: [[Score; 7]; 4] = [
        [s(-18, 6), s(3, -14), s(16, -6), s(11, -1), s(6, 4), s(16, 8), s(-3, 9)],
        [s(-18, 6), s(27, 0), s(15, -3), s(1, 3), s(0, 2), s(-16, 1), s(-4, 7)],
        [s(-14, -1), s(22, -1), s(-4, -1), s(-1, -2), s(7, 4), s(1, 3), s(-3, -2)],
        [s(-8, -3), s(9, -5), s(14, -4), s(-4, 2), s(-9, -2), s(-17, -5), s(-9, -5)],
    ];
    /// By file and rank of the nearest enemy pawn, seen from the king's side.
    storm: [[Score; 7]; 4] = [
        [s(-5, -14), s(-34, 10), s(-39, 5), s(-30, 7), s(-17, 3), s(-1, -7), s(-7, -5)],
        [s(3, 0), s(-37, 5), s(-43, 18), s(-13, 13), s(-20, 8), s(2, -1), s(3, -4)],
        [s(4, -7), s(-41, 11), s(-47, 11), s(-8, 2), s(-8, -5), s(-1, -6), s(4, -9)],
        [s(-9, 3), s(-41, 5), s(-35, 7), s(-10, -7), s(-17, -3), s(-5, -4), s(-14, 4)],
    ];
    /// Instead, if the own pawn blocks it.
    storm_blocked: [Score; 7] = [
        s(0, 0), s(0, 0), s(-30, -32), s(-4, -14), s(-2, -12), s(7, -8),
        s(6, 1),
    ];
    /// No own pawn on the king's file; second: none at all.
    king_open_file: [Score; 2] = [s(-4, 0), s(-27, -8)];
    /// For each step from the king to his nearest own pawn beyond the first.
    king_pawn_distance: Score = s(-3, -4);
}
/// Units of danger to a king. Middle game: their square counts; end game: they count as they are.
Danger {
    /// Each king starts here.
    danger_base: Score = s(-47, -15);
    /// Knight, bishop, rook, queen that attacks the ring round the king, each.
    danger_attacker: [Score; 4] = [s(58, 11), s(39, 12), s(24, -2), s(25, 17)];
    /// For each attack on a square beside the king.
    danger_attacks: Score = s(15, -3);
    /// For each attacked square of the ring that only king or queen defends, or nobody.
    danger_weak_ring: Score = s(24, 0);
    /// Knight, bishop, rook, queen can give a check unharmed; second: on more than one square.
    danger_safe_check: [[Score; 2]; 4] = [
        [s(96, 23), s(127, 31)],
        [s(62, 27), s(88, 21)],
        [s(107, 29), s(142, 38)],
        [s(82, 27), s(134, 30)],
    ];
    /// For each other square from which a knight, bishop or rook could check.
    danger_unsafe_check: Score = s(26, 10);
    /// The attacker has no queen.
    danger_no_queen: Score = s(-154, -27);
    /// For each square of the king's flank and own half that the enemy attacks; twice, if attacked twice.
    danger_flank_attack: Score = s(16, -7);
    /// For each of them that is defended.
    danger_flank_defence: Score = s(-5, 6);
    /// An own knight stands by.
    danger_knight_defender: Score = s(-29, 3);
    /// For each piece, of whichever side, alone between king and a slider of the enemy.
    danger_pinned: Score = s(12, -4);
    /// By rank of the own pawn before the king (first: none), for each of three files.
    danger_shelter: [Score; 7] = [
        s(14, 15), s(-9, 1), s(7, 1), s(16, 1), s(30, -1), s(10, -1),
        s(1, 0),
    ];
    /// By rank of the nearest enemy pawn on it.
    danger_storm: [Score; 7] = [
        s(15, 11), s(11, -1), s(21, 0), s(25, -1), s(-2, -2), s(-19, 4),
        s(6, 4),
    ];
}
/// What is attacked and might be won.
Threats {
    /// Pawn attacks knight, bishop, rook, queen.
    threat_by_pawn: [Score; 4] = [s(61, 29), s(44, 39), s(74, 24), s(56, 33)];
    /// Knight or bishop attacks a pawn, knight, bishop, rook, queen that is weak or worth more.
    threat_by_minor: [Score; 5] = [s(1, 15), s(21, 22), s(40, 22), s(55, 21), s(42, 58)];
    /// Rook attacks a weak pawn, knight, bishop, rook; or a queen.
    threat_by_rook: [Score; 5] = [s(1, 14), s(19, 18), s(23, 19), s(2, 12), s(45, 32)];
    /// King attacks something weak.
    threat_by_king: Score = s(14, 20);
    /// For each enemy piece that is attacked and not defended, or attacked twice and no pawn.
    hanging: Score = s(13, 14);
    /// For each weak enemy piece that only the queen defends.
    weak_queen_defended: Score = s(5, 6);
    /// For each square that both attack and the enemy does not hold.
    restricted: Score = s(4, -1);
    /// For each enemy piece that a safe pawn move would attack.
    push_threat: Score = s(17, 10);
    /// For each safe square from which a knight would attack the queen.
    knight_on_queen: Score = s(8, 6);
    /// The same for bishops and rooks, supported.
    slider_on_queen: Score = s(17, 5);
}
/// What else makes a piece good or bad where it stands.
Pieces {
    /// Knight, bishop on a square of rank four to six that a pawn defends and no enemy pawn can attack.
    outpost: [Score; 2] = [s(27, 6), s(26, 8)];
    /// Knight that can go to one.
    reachable_outpost: Score = s(22, 11);
    /// Knight, bishop right behind a pawn.
    behind_pawn: [Score; 2] = [s(6, 11), s(4, 5)];
    /// For each step between knight, bishop and own king.
    minor_king_distance: [Score; 2] = [s(-6, -2), s(0, -2)];
    /// For each own pawn on squares of the bishop's colour.
    bishop_pawns: Score = s(-3, -4);
    /// For each of these that cannot move, on the files c to f.
    bishop_blocked_centre: Score = s(-7, -9);
    /// Sees both centre squares of a long diagonal, pieces aside.
    bishop_long_diagonal: Score = s(24, 9);
    /// For each enemy pawn on its diagonals.
    bishop_xray_pawns: Score = s(-4, -3);
    /// On the enemy's a7, h7 (or eighth rank) shut in by a pawn.
    bishop_trapped: Score = s(-89, -60);
    /// No own pawn on its file; second: none at all.
    rook_open_file: [Score; 2] = [s(7, 3), s(20, 6)];
    /// The own pawn on its file is blocked.
    rook_closed_file: Score = s(-7, -2);
    /// On the seventh with the enemy king on the eighth or pawns on the seventh.
    rook_seventh: Score = s(-4, 10);
    /// On a half-open file to or beside the enemy king.
    rook_king_file: Score = s(7, -12);
    /// Shut in by the own king: three squares at most. Second: castling may help yet.
    rook_trapped: [Score; 2] = [s(-44, -9), s(7, 5)];
    /// Only one piece stands between it and an enemy slider.
    queen_target: Score = s(-20, -2);
    /// On the enemy's half where no pawn can attack it.
    queen_infiltration: Score = s(-4, 27);
}
/// Room behind the own pawns.
Space {
    /// For each safe square on c2 to f4 (those behind an own pawn twice), times pieces squared over 32.
    space: Score = s(4, 1);
}
/// The right to move.
Tempo {
    /// For the side to move.
    tempo: Score = s(15, 7);
}
/// By how many per cent an advantage in the end game grows or shrinks, whoever has it. The middle game's halves count nothing.
Winnability {
    /// Always.
    winnable_base: Score = s(0, -73);
    /// For each pawn on the board.
    winnable_pawn: Score = s(0, 32);
    /// For each passed pawn.
    winnable_passed: Score = s(0, 39);
    /// Pawns on both flanks.
    winnable_flanks: Score = s(0, 0);
    /// Distance of the kings' files, plus how far they have come past each other.
    winnable_outflanking: Score = s(0, -1);
    /// A king stands beyond the middle.
    winnable_infiltration: Score = s(0, 3);
    /// Kings and pawns alone.
    winnable_pawn_ending: Score = s(0, 39);
    /// No outflanking, and pawns on one flank only.
    winnable_stuck: Score = s(0, -15);
}
}
