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
    piece_value: [Score; 5] = [s(88, 108), s(330, 305), s(345, 325), s(470, 530), s(960, 980)];
    /// Two bishops cover both colours of square, the more so the emptier the board.
    bishop_pair: Score = s(25, 45);
    /// For each knight and each own pawn above five (below: less): closed positions suit the jumper (Kaufman).
    knight_pawns: Score = s(4, 4);
    /// The same for rooks, which want open files.
    rook_pawns: Score = s(-5, -2);
    /// The second rook finds the open files taken.
    rook_pair: Score = s(-15, -10);
}
/// Where the pieces stand: boards a8 first, files a to d; files e to h mirror them.
Squares {
    /// Centre pawns are pulled off their first square; wing pawns stay before their king.
    pawn_squares: [Score; 32] = half_boards(
        [
               0,    0,    0,    0,
              34,   36,   38,   40,
              20,   22,   26,   29,
               8,   11,   17,   23,
               1,    2,   11,   23,
               1,    2,    3,    5,
               2,    6,    0,  -16,
               0,    0,    0,    0,
        ],
        [
               0,    0,    0,    0,
              70,   72,   72,   74,
              36,   38,   38,   40,
              16,   14,   14,   12,
               4,    2,    2,    0,
              -2,   -4,   -4,   -6,
              -4,   -6,   -6,   -8,
               0,    0,    0,    0,
        ],
    );
    /// As many moves as it has on an empty board, and forward.
    knight_squares: [Score; 32] = half_boards(
        [
             -38,  -32,  -26,  -26,
             -16,  -10,    2,    2,
               0,   12,   24,   24,
               0,   12,   24,   24,
              -6,    6,   18,   18,
             -10,    2,   14,   14,
             -22,  -16,   -4,   -4,
             -32,  -26,  -20,  -20,
        ],
        [
             -26,  -21,  -16,  -16,
             -17,  -12,   -2,   -2,
             -10,    0,   10,   10,
              -6,    4,   14,   14,
              -6,    4,   14,   14,
             -10,    0,   10,   10,
             -17,  -12,   -2,   -2,
             -24,  -19,  -14,  -14,
        ],
    );
    /// The length of its diagonals, and the fianchetto.
    bishop_squares: [Score; 32] = half_boards(
        [
             -15,  -15,  -15,  -15,
             -13,   -8,   -8,   -8,
              -7,   -2,    3,    3,
              -3,    2,    7,   12,
              -1,    4,    9,   14,
              -1,    4,    9,    9,
              -1,   10,    4,    4,
             -15,  -15,  -15,  -15,
        ],
        [
              -6,   -6,   -6,   -6,
              -4,    0,    0,    0,
              -4,    0,    4,    4,
              -2,    2,    6,   10,
              -2,    2,    6,   10,
              -4,    0,    4,    4,
              -4,    0,    0,    0,
              -6,   -6,   -6,   -6,
        ],
    );
    /// The centre files and the seventh rank.
    rook_squares: [Score; 32] = half_boards(
        [
               5,    6,    9,   11,
              11,   12,   15,   17,
              -3,   -2,    1,    3,
              -7,   -6,   -3,   -1,
             -11,  -10,   -7,   -5,
             -11,  -10,   -7,   -5,
             -12,   -9,   -4,    0,
              -4,   -1,    4,    8,
        ],
        [
               8,    8,    8,    7,
              10,   10,   10,    9,
               6,    6,    6,    5,
               4,    4,    4,    3,
               0,    0,    0,   -1,
              -4,   -4,   -4,   -5,
              -8,   -8,   -8,   -9,
              -6,   -6,   -6,   -7,
        ],
    );
    /// Little in the middle game; the centre in the end game.
    queen_squares: [Score; 32] = half_boards(
        [
             -10,   -8,   -6,   -4,
              -6,   -4,   -2,    0,
              -6,   -4,   -2,    0,
              -4,   -2,    0,    2,
              -2,    0,    2,    4,
               0,    2,    4,    6,
               0,    2,    4,    6,
              -3,   -2,   -1,    0,
        ],
        [
             -15,  -10,   -5,    0,
              -8,   -3,    2,    7,
              -1,    4,    9,   14,
               6,   11,   16,   21,
               4,    9,   14,   19,
              -5,    0,    5,   10,
             -14,   -9,   -4,    1,
             -23,  -18,  -13,   -8,
        ],
    );
    /// Behind its pawns while there are pieces to fear, in the centre once there are not.
    king_squares: [Score; 32] = half_boards(
        [
             -50,  -46,  -72,  -92,
             -48,  -44,  -70,  -90,
             -44,  -40,  -66,  -86,
             -38,  -34,  -60,  -80,
             -28,  -24,  -50,  -70,
             -12,   -8,  -34,  -54,
               8,   12,  -14,  -34,
              22,   30,    8,   -8,
        ],
        [
             -34,  -26,  -18,  -10,
             -20,   -8,    0,    8,
              -8,    4,   16,   24,
               0,   12,   24,   36,
              -2,   10,   22,   34,
             -12,    0,   12,   20,
             -22,  -10,   -2,    6,
             -34,  -26,  -18,  -10,
        ],
    );
}
/// How many squares a piece can go to and not be lost to a pawn.
Mobility {
    /// By number of squares. The first few count most.
    knight_mobility: [Score; 9] = [
        s(-45, -60), s(-21, -28), s(-11, -15), s(-3, -4), s(8, 8), s(14, 14),
        s(19, 19), s(22, 22), s(25, 25),
    ];
    /// By number of squares, through the own queen.
    bishop_mobility: [Score; 14] = [
        s(-40, -55), s(-20, -28), s(-12, -16), s(-5, -7), s(0, 0), s(15, 17),
        s(21, 24), s(26, 29), s(30, 33), s(34, 37), s(37, 41), s(40, 44),
        s(42, 47), s(45, 50),
    ];
    /// By number of squares, through own rooks and queen.
    rook_mobility: [Score; 15] = [
        s(-40, -60), s(-21, -32), s(-13, -20), s(-7, -11), s(-2, -3), s(8, 18),
        s(14, 32), s(18, 41), s(21, 49), s(24, 55), s(27, 61), s(29, 66),
        s(31, 71), s(33, 76), s(35, 80),
    ];
    /// By number of squares.
    queen_mobility: [Score; 28] = [
        s(-30, -50), s(-19, -31), s(-14, -23), s(-10, -17), s(-7, -12), s(-5, -8),
        s(-2, -4), s(0, 0), s(9, 20), s(13, 28), s(15, 35), s(18, 40),
        s(20, 45), s(22, 49), s(24, 53), s(25, 57), s(27, 60), s(28, 64),
        s(30, 67), s(31, 70), s(32, 73), s(33, 75), s(35, 78), s(36, 80),
        s(37, 83), s(38, 85), s(39, 88), s(40, 90),
    ];
}
/// The structure of the pawns alone; remembered by the pawn cache.
Pawns {
    /// Side by side with another, by rank (second to seventh).
    phalanx: [Score; 6] = [s(3, 1), s(5, 4), s(12, 11), s(23, 24), s(38, 43), s(58, 66)];
    /// Defended by a pawn, for each that defends it, by rank.
    supported: [Score; 6] = [s(8, 4), s(10, 6), s(14, 12), s(22, 21), s(34, 34), s(48, 52)];
    /// Supported or in a phalanx, but an enemy pawn stands on the file ahead.
    connected_opposed: Score = s(-6, -5);
    /// No own pawn on the files beside it; by file from the edge. First: no enemy pawn ahead, so that rooks get at it.
    isolated: [[Score; 4]; 2] = [
        [s(-10, -14), s(-12, -15), s(-14, -16), s(-16, -17)],
        [s(-3, -8), s(-4, -9), s(-5, -10), s(-6, -11)],
    ];
    /// Behind its neighbours and unable to advance. First: on a half-open file.
    backward: [Score; 2] = [s(-16, -18), s(-6, -10)];
    /// Behind an own pawn on its file. Second: supported.
    doubled: [Score; 2] = [s(-12, -35), s(-6, -20)];
    /// Can take a pawn, by rank.
    lever: [Score; 6] = [s(0, 0), s(2, 2), s(4, 4), s(8, 8), s(12, 14), s(10, 10)];
    /// Attacked by two pawns and supported by none.
    weak_lever: Score = s(-4, -30);
    /// Stopped by an enemy pawn on the fifth, sixth, seventh rank.
    blocked: [Score; 3] = [s(-4, -4), s(-4, 2), s(0, 0)];
    /// Free of pawns ahead on its file, and helped by as many as watch its way: it can become passed; by rank.
    candidate: [Score; 6] = [s(0, 2), s(1, 4), s(5, 12), s(11, 24), s(19, 42), s(30, 64)];
    /// For each group of pawns on neighbouring files: each must be defended by itself.
    island: Score = s(-4, -6);
}
/// Pawns that no pawn can stop.
Passed {
    /// By rank.
    passed_rank: [Score; 6] = [s(2, 8), s(4, 11), s(11, 24), s(28, 53), s(57, 104), s(100, 179)];
    /// By file from the edge: outer ones draw the king away.
    passed_file: [Score; 4] = [s(0, 6), s(-2, 3), s(-6, -3), s(-8, -6)];
    /// With another passed pawn beside it or one rank off, by rank.
    passed_connected: [Score; 6] = [s(0, 4), s(2, 7), s(6, 16), s(14, 31), s(24, 52), s(38, 79)];
    /// Three files or more from every other pawn.
    passed_outside: Score = s(2, 14);
    /// For each step from the own king to the square ahead (five at most), by rank.
    passed_own_king: [Score; 6] = [s(0, 0), s(0, -1), s(0, -4), s(0, -8), s(0, -11), s(0, -12)];
    /// For each step of the enemy king to it.
    passed_their_king: [Score; 6] = [s(0, 1), s(0, 3), s(0, 7), s(0, 13), s(0, 19), s(0, 24)];
    /// A piece stands in its way, by rank.
    passed_blocked: [Score; 6] = [s(-2, -3), s(-3, -5), s(-5, -10), s(-8, -18), s(-14, -34), s(-25, -60)];
    /// The square ahead is free and not attacked, by rank.
    passed_safe_step: [Score; 6] = [s(0, 1), s(1, 2), s(3, 6), s(6, 12), s(12, 25), s(20, 40)];
    /// The whole path is not attacked, by rank.
    passed_safe_path: [Score; 6] = [s(0, 2), s(1, 4), s(4, 8), s(8, 16), s(15, 30), s(20, 40)];
    /// The square ahead is defended, by rank.
    passed_defended_step: [Score; 6] = [s(0, 0), s(1, 2), s(3, 5), s(6, 9), s(10, 15), s(14, 20)];
    /// Own rook or queen behind it (Tarrasch).
    passed_rook_behind: Score = s(4, 18);
    /// Enemy rook or queen behind it.
    passed_enemy_behind: Score = s(-4, -20);
    /// The enemy has only pawns and his king is outside the square.
    passed_unstoppable: Score = s(0, 250);
}
/// The pawns before the king; remembered with the pawns.
Shelter {
    /// By file from the edge and rank of the rearmost own pawn not behind the king (first: none), on the king's file and both beside it.
    shelter: [[Score; 7]; 4] = [
        [s(-18, 0), s(26, 0), s(16, 0), s(2, 0), s(-6, 0), s(-8, 0), s(-8, 0)],
        [s(-22, 0), s(30, 0), s(16, 0), s(2, 0), s(-6, 0), s(-8, 0), s(-8, 0)],
        [s(-18, 0), s(30, 0), s(16, 0), s(2, 0), s(-6, 0), s(-8, 0), s(-8, 0)],
        [s(-18, 0), s(26, 0), s(16, 0), s(2, 0), s(-6, 0), s(-8, 0), s(-8, 0)],
    ];
    /// By file and rank of the nearest enemy pawn, seen from the king's side.
    storm: [[Score; 7]; 4] = [
        [s(2, 0), s(-40, 0), s(-45, 0), s(-25, 0), s(-8, 0), s(0, 0), s(0, 0)],
        [s(2, 0), s(-40, 0), s(-45, 0), s(-25, 0), s(-8, 0), s(0, 0), s(0, 0)],
        [s(2, 0), s(-40, 0), s(-45, 0), s(-25, 0), s(-8, 0), s(0, 0), s(0, 0)],
        [s(2, 0), s(-40, 0), s(-45, 0), s(-25, 0), s(-8, 0), s(0, 0), s(0, 0)],
    ];
    /// Instead, if the own pawn blocks it.
    storm_blocked: [Score; 7] = [
        s(0, 0), s(0, 0), s(-20, -10), s(-5, -8), s(0, -4), s(0, 0),
        s(0, 0),
    ];
    /// No own pawn on the king's file; second: none at all.
    king_open_file: [Score; 2] = [s(-12, 4), s(-30, 0)];
    /// For each step from the king to his nearest own pawn beyond the first.
    king_pawn_distance: Score = s(0, -8);
}
/// Units of danger to a king. Middle game: their square counts; end game: they count as they are.
Danger {
    /// Each king starts here.
    danger_base: Score = s(-60, -20);
    /// Knight, bishop, rook, queen that attacks the ring round the king, each.
    danger_attacker: [Score; 4] = [s(38, 10), s(26, 10), s(34, 10), s(30, 15)];
    /// For each attack on a square beside the king.
    danger_attacks: Score = s(14, 3);
    /// For each attacked square of the ring that only king or queen defends, or nobody.
    danger_weak_ring: Score = s(28, 5);
    /// Knight, bishop, rook, queen can give a check unharmed; second: on more than one square.
    danger_safe_check: [[Score; 2]; 4] = [
        [s(90, 20), s(130, 30)],
        [s(60, 15), s(90, 20)],
        [s(95, 20), s(140, 30)],
        [s(80, 20), s(115, 25)],
    ];
    /// For each other square from which a knight, bishop or rook could check.
    danger_unsafe_check: Score = s(12, 2);
    /// The attacker has no queen.
    danger_no_queen: Score = s(-130, -30);
    /// For each square of the king's flank and own half that the enemy attacks; twice, if attacked twice.
    danger_flank_attack: Score = s(6, 1);
    /// For each of them that is defended.
    danger_flank_defence: Score = s(-5, -1);
    /// An own knight stands by.
    danger_knight_defender: Score = s(-30, 0);
    /// For each piece, of whichever side, alone between king and a slider of the enemy.
    danger_pinned: Score = s(18, 5);
    /// By rank of the own pawn before the king (first: none), for each of three files.
    danger_shelter: [Score; 7] = [
        s(20, 0), s(-8, 0), s(-4, 0), s(4, 0), s(6, 0), s(6, 0),
        s(6, 0),
    ];
    /// By rank of the nearest enemy pawn on it.
    danger_storm: [Score; 7] = [
        s(4, 0), s(12, 0), s(14, 0), s(8, 0), s(0, 0), s(0, 0),
        s(0, 0),
    ];
}
/// What is attacked and might be won.
Threats {
    /// Pawn attacks knight, bishop, rook, queen.
    threat_by_pawn: [Score; 4] = [s(60, 35), s(60, 45), s(75, 30), s(70, 40)];
    /// Knight or bishop attacks a pawn, knight, bishop, rook, queen that is weak or worth more.
    threat_by_minor: [Score; 5] = [s(4, 20), s(30, 30), s(35, 35), s(60, 50), s(55, 70)];
    /// Rook attacks a weak pawn, knight, bishop, rook; or a queen.
    threat_by_rook: [Score; 5] = [s(2, 25), s(25, 35), s(28, 35), s(4, 15), s(45, 35)];
    /// King attacks something weak.
    threat_by_king: Score = s(15, 50);
    /// For each enemy piece that is attacked and not defended, or attacked twice and no pawn.
    hanging: Score = s(45, 25);
    /// For each weak enemy piece that only the queen defends.
    weak_queen_defended: Score = s(10, 0);
    /// For each square that both attack and the enemy does not hold.
    restricted: Score = s(5, 5);
    /// For each enemy piece that a safe pawn move would attack.
    push_threat: Score = s(20, 15);
    /// For each safe square from which a knight would attack the queen.
    knight_on_queen: Score = s(14, 10);
    /// The same for bishops and rooks, supported.
    slider_on_queen: Score = s(40, 15);
}
/// What else makes a piece good or bad where it stands.
Pieces {
    /// Knight, bishop on a square of rank four to six that a pawn defends and no enemy pawn can attack.
    outpost: [Score; 2] = [s(35, 20), s(22, 12)];
    /// Knight that can go to one.
    reachable_outpost: Score = s(18, 8);
    /// Knight, bishop right behind a pawn.
    behind_pawn: [Score; 2] = [s(6, 5), s(6, 4)];
    /// For each step between knight, bishop and own king.
    minor_king_distance: [Score; 2] = [s(-4, -3), s(-3, -3)];
    /// For each own pawn on squares of the bishop's colour.
    bishop_pawns: Score = s(-3, -6);
    /// For each of these that cannot move, on the files c to f.
    bishop_blocked_centre: Score = s(-4, -5);
    /// Sees both centre squares of a long diagonal, pieces aside.
    bishop_long_diagonal: Score = s(22, 6);
    /// For each enemy pawn on its diagonals.
    bishop_xray_pawns: Score = s(-3, -3);
    /// On the enemy's a7, h7 (or eighth rank) shut in by a pawn.
    bishop_trapped: Score = s(-90, -60);
    /// No own pawn on its file; second: none at all.
    rook_open_file: [Score; 2] = [s(14, 8), s(32, 12)];
    /// The own pawn on its file is blocked.
    rook_closed_file: Score = s(-8, -4);
    /// On the seventh with the enemy king on the eighth or pawns on the seventh.
    rook_seventh: Score = s(4, 26);
    /// On a half-open file to or beside the enemy king.
    rook_king_file: Score = s(12, 0);
    /// Shut in by the own king: three squares at most. Second: castling may help yet.
    rook_trapped: [Score; 2] = [s(-45, -10), s(-18, -4)];
    /// Only one piece stands between it and an enemy slider.
    queen_target: Score = s(-28, -12);
    /// On the enemy's half where no pawn can attack it.
    queen_infiltration: Score = s(-2, 14);
}
/// Room behind the own pawns.
Space {
    /// For each safe square on c2 to f4 (those behind an own pawn twice), times pieces squared over 32.
    space: Score = s(5, 1);
}
/// The right to move.
Tempo {
    /// For the side to move.
    tempo: Score = s(20, 12);
}
/// How much of an advantage can be made to count: added to its amount, never beyond nothing.
Winnability {
    /// Always.
    winnable_base: Score = s(0, -50);
    /// For each pawn on the board.
    winnable_pawn: Score = s(0, 6);
    /// For each passed pawn.
    winnable_passed: Score = s(0, 4);
    /// Pawns on both flanks.
    winnable_flanks: Score = s(0, 18);
    /// Distance of the kings' files, plus how far they have come past each other.
    winnable_outflanking: Score = s(0, 4);
    /// A king stands beyond the middle.
    winnable_infiltration: Score = s(0, 15);
    /// Kings and pawns alone.
    winnable_pawn_ending: Score = s(0, 35);
    /// No outflanking, and pawns on one flank only.
    winnable_stuck: Score = s(0, -25);
}
}
