//! Pawn structure, and everything else that depends on pawns alone.

use super::super::psqt::{Mirror, add_piece};
use super::super::score::Score;
use super::super::side::{Black, Side, White, adjacent_files, edge_distance};
use super::super::tracer::{Tracer, count};
use tabiya_core::{Bitboard, Board, PieceType, Square};
use tabiya_movegen::attacks;

/// The evaluation of the pawns alone, which the pawn cache stores.
#[derive(Clone)]
pub(crate) struct Pawns {
    /// Pawn structure, piece-square values of pawns and the static part of passed pawns: White minus Black.
    pub(crate) score: Score,
    /// The passed pawns of both sides.
    pub(crate) passed: Bitboard,
    /// By colour: all squares that the pawns attack now or could attack after advancing.
    pub(crate) attack_span: [Bitboard; 2],
}

impl Pawns {
    /// Evaluates the pawns of a board.
    #[inline(always)]
    pub(crate) fn of<T: Tracer>(board: &Board, tracer: &mut T) -> Pawns {
        let mut pawns = Pawns {
            score: Score::ZERO,
            passed: Bitboard::EMPTY,
            attack_span: [attack_span::<White>(board), attack_span::<Black>(board)],
        };
        pawns.passed = passed_pawns::<White>(board) | passed_pawns::<Black>(board);
        pawns.score = structure::<White, T>(board, pawns.passed, tracer)
            - structure::<Black, T>(board, pawns.passed, tracer);
        pawns
    }
}

/// All squares that `S`'s pawns attack now or could attack after advancing.
fn attack_span<S: Side>(board: &Board) -> Bitboard {
    let pawns = board.pieces(S::US, PieceType::Pawn);
    S::pawn_attacks(pawns | S::ahead(pawns))
}

/// The passed pawns of `S`: no enemy pawn ahead on their own or an adjacent file. Of doubled pawns, only the
/// front one counts.
pub(crate) fn passed_pawns<S: Side>(board: &Board) -> Bitboard {
    let ours = board.pieces(S::US, PieceType::Pawn);
    let theirs = S::Them::ahead(board.pieces(S::THEM, PieceType::Pawn));
    ours - (theirs | theirs.east() | theirs.west()) - S::Them::ahead(ours)
}

/// The relations of one pawn to the other pawns.
struct PawnRelations {
    /// The relative rank, 0 for the second rank to 5 for the seventh.
    rank: usize,
    /// An enemy pawn stands ahead on the same file.
    opposed: bool,
    /// No own pawn stands on an adjacent file.
    isolated: bool,
    /// No own pawn stands beside or behind it on an adjacent file, and an enemy pawn blocks or attacks its
    /// stop square.
    backward: bool,
    /// The pawn can become passed: its file is free ahead, and it has at least as many helpers as sentries.
    candidate: bool,
    /// An own pawn stands directly beside it.
    phalanx: bool,
    /// The number of own pawns that defend it.
    supporters: u32,
    /// The enemy pawns that it attacks.
    levers: Bitboard,
    /// An own pawn stands ahead on the same file.
    doubled: bool,
    /// An enemy pawn stands on its stop square.
    blocked: bool,
}

fn relations<S: Side>(board: &Board, square: Square) -> PawnRelations {
    let (ours, theirs) = (board.pieces(S::US, PieceType::Pawn), board.pieces(S::THEM, PieceType::Pawn));
    let pawn = square.bitboard();
    let (front, stop) = (S::ahead(pawn), pawn.forward(S::US));
    let flanks = front.east() | front.west();
    let neighbours = ours & adjacent_files(square.file());
    let phalanx = neighbours & square.rank().bitboard();
    let behind = neighbours - flanks - phalanx;
    let supporters = neighbours & attacks::pawn_attacks(S::THEM, square);
    let opposed = !theirs.is_disjoint(front);
    let sentries = theirs & flanks;
    let stop_controlled = !theirs.is_disjoint(S::pawn_attacks(stop) | stop);
    PawnRelations {
        rank: S::rank_of(square) - 1,
        opposed,
        isolated: neighbours.is_empty(),
        backward: phalanx.is_empty() && behind.is_empty() && stop_controlled,
        candidate: !opposed
            && sentries.any()
            && ours.is_disjoint(front)
            && (behind | phalanx).count() >= sentries.count(),
        phalanx: phalanx.any(),
        supporters: supporters.count(),
        levers: theirs & attacks::pawn_attacks(S::US, square),
        doubled: !ours.is_disjoint(front),
        blocked: !theirs.is_disjoint(stop),
    }
}

fn structure<S: Side, T: Tracer>(board: &Board, passed: Bitboard, tracer: &mut T) -> Score {
    let mut score = Score::ZERO;
    let ours = board.pieces(S::US, PieceType::Pawn);
    for square in ours {
        add_piece::<S, T>(PieceType::Pawn, square, Mirror::NONE, &mut score, tracer);
        let pawn = relations::<S>(board, square);
        if pawn.phalanx {
            count!(tracer, S, score, phalanx[pawn.rank]);
        }
        if pawn.supporters > 0 {
            count!(tracer, S, score, supported[pawn.rank] * pawn.supporters);
        }
        if pawn.phalanx || pawn.supporters > 0 {
            if pawn.opposed {
                count!(tracer, S, score, connected_opposed);
            }
        } else if pawn.isolated {
            count!(tracer, S, score, isolated[usize::from(pawn.opposed)][edge_distance(square.file())]);
        } else if pawn.backward {
            count!(tracer, S, score, backward[usize::from(pawn.opposed)]);
        }
        if pawn.doubled {
            count!(tracer, S, score, doubled[usize::from(pawn.supporters > 0)]);
        }
        if pawn.levers.any() {
            count!(tracer, S, score, lever[pawn.rank]);
            if pawn.levers.more_than_one() && pawn.supporters == 0 {
                count!(tracer, S, score, weak_lever);
            }
        }
        if pawn.blocked && pawn.rank >= 3 {
            count!(tracer, S, score, blocked[pawn.rank - 3]);
        }
        if pawn.candidate {
            count!(tracer, S, score, candidate[pawn.rank]);
        }
    }
    count!(tracer, S, score, island * islands(ours));
    for square in passed & ours {
        let rank = S::rank_of(square) - 1;
        count!(tracer, S, score, passed_rank[rank]);
        count!(tracer, S, score, passed_file[edge_distance(square.file())]);
        let near = attacks::king_attacks(square) & adjacent_files(square.file());
        if !near.is_disjoint(passed & ours) {
            count!(tracer, S, score, passed_connected[rank]);
        }
        if is_outside(board, square) {
            count!(tracer, S, score, passed_outside);
        }
    }
    score
}

/// Returns true if every other pawn on the board is at least three files away.
fn is_outside(board: &Board, square: Square) -> bool {
    let adjacent = adjacent_files(square.file());
    let near = square.file().bitboard() | adjacent | adjacent.east() | adjacent.west();
    let others = board.by_type(PieceType::Pawn) - square.bitboard();
    others.any() && others.is_disjoint(near)
}

/// The number of pawn islands: groups of pawns on adjacent files.
fn islands(pawns: Bitboard) -> u32 {
    let mut files = pawns.0;
    files |= files >> 32;
    files |= files >> 16;
    files |= files >> 8;
    let files = files as u8;
    (files & !(files << 1)).count_ones()
}

#[cfg(test)]
mod tests {
    use super::super::super::test_board::board;
    use super::*;

    #[test]
    fn finds_passed_pawns() {
        let passed = |fen| {
            let board = board(fen);
            (passed_pawns::<White>(&board), passed_pawns::<Black>(&board))
        };
        let (white, black) = passed("4k3/p7/8/2p5/4P3/8/P5PP/4K3 w - - 0 1");
        assert_eq!(white, Square::E4.bitboard() | Square::G2.bitboard() | Square::H2.bitboard());
        assert_eq!(black, Square::C5.bitboard());
        // Only the front one of doubled pawns, and no pawn behind an enemy pawn.
        let (white, black) = passed("4k3/8/4P3/4P3/3p4/8/8/4K3 w - - 0 1");
        assert_eq!((white, black), (Square::E6.bitboard(), Square::D4.bitboard()));
    }

    #[test]
    fn finds_chains_and_isolated_pawns() {
        let chain = board("4k3/2p5/4p3/3pP3/3P4/2P5/P6P/4K3 w - - 0 1");
        let d4 = relations::<White>(&chain, Square::D4);
        assert_eq!((d4.supporters, d4.phalanx, d4.opposed, d4.blocked), (1, false, true, true));
        assert!(relations::<White>(&chain, Square::A2).isolated);
        assert!(!relations::<White>(&chain, Square::A2).opposed);
        let c3 = relations::<White>(&chain, Square::C3);
        assert!(!c3.isolated);
        assert!(c3.backward, "d5 attacks c4");
    }

    #[test]
    fn finds_phalanx_backward_candidate_doubled_and_lever() {
        let phalanx = board("4k3/8/8/8/2PP4/8/8/4K3 w - - 0 1");
        assert!(relations::<White>(&phalanx, Square::C4).phalanx);
        let backward = board("4k3/8/8/4p3/2P5/3P4/8/4K3 w - - 0 1");
        assert!(relations::<White>(&backward, Square::D3).backward, "e5 attacks d4, and c4 is ahead of d3");
        let candidate = board("4k3/6p1/8/8/8/8/6PP/4K3 w - - 0 1");
        assert!(relations::<White>(&candidate, Square::H2).candidate);
        assert!(!relations::<White>(&candidate, Square::G2).candidate);
        let doubled = board("4k3/8/8/8/4P3/4P3/8/4K3 w - - 0 1");
        assert!(relations::<White>(&doubled, Square::E3).doubled);
        assert!(!relations::<White>(&doubled, Square::E4).doubled);
        let lever = board("4k3/8/2p1p3/3P4/8/8/8/4K3 w - - 0 1");
        assert_eq!(relations::<White>(&lever, Square::D5).levers.count(), 2);
    }

    #[test]
    fn counts_islands() {
        assert_eq!(islands(board("4k3/8/8/8/P1P5/3P4/5P1P/4K3 w - - 0 1").by_type(PieceType::Pawn)), 4);
        assert_eq!(islands(Bitboard::EMPTY), 0);
        assert_eq!(islands(board("4k3/8/8/8/8/8/PPPPPPPP/4K3 w - - 0 1").by_type(PieceType::Pawn)), 1);
    }

    #[test]
    fn finds_outside_passed_pawns() {
        let ending = board("4k3/6pp/8/8/P7/8/5PP1/4K3 w - - 0 1");
        assert!(is_outside(&ending, Square::A4));
        assert!(!is_outside(&ending, Square::F2));
    }
}
