//! The structure of the pawns, and what follows from the pawns alone.

use crate::Score;
use crate::side::{Black, Side, White, files_beside, from_edge};
use crate::squares::{Facing, on_square};
use crate::tracer::{Tracer, count};
use tabiya_core::{Bitboard, Board, PieceType, Square};
use tabiya_movegen::attacks;

/// What is known from the pawns alone. It is what the pawn cache keeps.
#[derive(Clone)]
pub(crate) struct Pawns {
    /// Structure, squares and the standing part of passed pawns; White's less Black's.
    pub(crate) score: Score,
    /// The passed pawns of both sides.
    pub(crate) passed: Bitboard,
    /// All squares that a side's pawns attack now or after advancing.
    pub(crate) attack_span: [Bitboard; 2],
}

impl Pawns {
    /// Looks at the pawns of a board.
    #[inline(always)]
    pub(crate) fn of<T: Tracer>(board: &Board, tracer: &mut T) -> Pawns {
        let mut pawns = Pawns {
            score: Score::ZERO,
            passed: Bitboard::EMPTY,
            attack_span: [span::<White>(board), span::<Black>(board)],
        };
        pawns.passed = passed::<White>(board) | passed::<Black>(board);
        pawns.score = structure::<White, T>(board, pawns.passed, tracer)
            - structure::<Black, T>(board, pawns.passed, tracer);
        pawns
    }
}

/// All squares that `S`'s pawns attack now or after advancing.
fn span<S: Side>(board: &Board) -> Bitboard {
    let pawns = board.pieces(S::US, PieceType::Pawn);
    S::pawn_attacks(pawns | S::ahead(pawns))
}

/// The pawns of `S` with no enemy pawn ahead on their own file or beside it; of two on one file, the first.
pub(crate) fn passed<S: Side>(board: &Board) -> Bitboard {
    let ours = board.pieces(S::US, PieceType::Pawn);
    let theirs = S::Them::ahead(board.pieces(S::THEM, PieceType::Pawn));
    ours - (theirs | theirs.east() | theirs.west()) - S::Them::ahead(ours)
}

/// What one pawn sees of the others.
struct View {
    rank: usize,
    opposed: bool,
    isolated: bool,
    backward: bool,
    candidate: bool,
    phalanx: bool,
    supporters: u32,
    levers: Bitboard,
    doubled: bool,
    blocked: bool,
}

fn view<S: Side>(board: &Board, square: Square) -> View {
    let (ours, theirs) = (board.pieces(S::US, PieceType::Pawn), board.pieces(S::THEM, PieceType::Pawn));
    let pawn = square.bitboard();
    let (front, stop) = (S::ahead(pawn), pawn.forward(S::US));
    let flanks = front.east() | front.west();
    let neighbours = ours & files_beside(square.file());
    let phalanx = neighbours & square.rank().bitboard();
    let behind = neighbours - flanks - phalanx;
    let supporters = neighbours & attacks::pawn_attacks(S::THEM, square);
    let opposed = !theirs.is_disjoint(front);
    let sentries = theirs & flanks;
    let stop_held = !theirs.is_disjoint(S::pawn_attacks(stop) | stop);
    View {
        rank: S::rank_of(square) - 1,
        opposed,
        isolated: neighbours.is_empty(),
        backward: phalanx.is_empty() && behind.is_empty() && stop_held,
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
        on_square::<S, T>(PieceType::Pawn, square, Facing::EITHER, &mut score, tracer);
        let pawn = view::<S>(board, square);
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
            count!(tracer, S, score, isolated[usize::from(pawn.opposed)][from_edge(square.file())]);
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
        count!(tracer, S, score, passed_file[from_edge(square.file())]);
        let near = attacks::king_attacks(square) & files_beside(square.file());
        if !near.is_disjoint(passed & ours) {
            count!(tracer, S, score, passed_connected[rank]);
        }
        if is_outside(board, square) {
            count!(tracer, S, score, passed_outside);
        }
    }
    score
}

/// Is every other pawn on the board three files away or more?
fn is_outside(board: &Board, square: Square) -> bool {
    let beside = files_beside(square.file());
    let near = square.file().bitboard() | beside | beside.east() | beside.west();
    let others = board.by_type(PieceType::Pawn) - square.bitboard();
    others.any() && others.is_disjoint(near)
}

/// The number of groups of pawns with an empty file between them.
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
    use super::*;

    fn board(fen: &str) -> Board {
        fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
    }

    #[test]
    fn passed_pawns() {
        let of = |fen| {
            let board = board(fen);
            (passed::<White>(&board), passed::<Black>(&board))
        };
        let (white, black) = of("4k3/p7/8/2p5/4P3/8/P5PP/4K3 w - - 0 1");
        assert_eq!(white, Square::E4.bitboard() | Square::G2.bitboard() | Square::H2.bitboard());
        assert_eq!(black, Square::C5.bitboard());
        // Of doubled pawns the first; nothing behind an enemy pawn counts.
        let (white, black) = of("4k3/8/4P3/4P3/3p4/8/8/4K3 w - - 0 1");
        assert_eq!((white, black), (Square::E6.bitboard(), Square::D4.bitboard()));
    }

    #[test]
    fn what_a_pawn_sees() {
        let chain = board("4k3/2p5/4p3/3pP3/3P4/2P5/P6P/4K3 w - - 0 1");
        let d4 = view::<White>(&chain, Square::D4);
        assert_eq!((d4.supporters, d4.phalanx, d4.opposed, d4.blocked), (1, false, true, true));
        assert!(view::<White>(&chain, Square::A2).isolated);
        assert!(!view::<White>(&chain, Square::A2).opposed);
        assert!(!view::<White>(&chain, Square::C3).isolated);
        let c3 = view::<White>(&chain, Square::C3);
        assert!(c3.backward, "d5 holds c4");
        let phalanx = board("4k3/8/8/8/2PP4/8/8/4K3 w - - 0 1");
        assert!(view::<White>(&phalanx, Square::C4).phalanx);
        let backward = board("4k3/8/8/4p3/2P5/3P4/8/4K3 w - - 0 1");
        assert!(view::<White>(&backward, Square::D3).backward, "e5 holds d4 and c4 has gone past");
        let candidate = board("4k3/6p1/8/8/8/8/6PP/4K3 w - - 0 1");
        assert!(view::<White>(&candidate, Square::H2).candidate);
        assert!(!view::<White>(&candidate, Square::G2).candidate);
        let doubled = board("4k3/8/8/8/4P3/4P3/8/4K3 w - - 0 1");
        assert!(view::<White>(&doubled, Square::E3).doubled && !view::<White>(&doubled, Square::E4).doubled);
        let lever = board("4k3/8/2p1p3/3P4/8/8/8/4K3 w - - 0 1");
        assert_eq!(view::<White>(&lever, Square::D5).levers.count(), 2);
    }

    #[test]
    fn islands_are_groups_of_files() {
        assert_eq!(islands(board("4k3/8/8/8/P1P5/3P4/5P1P/4K3 w - - 0 1").by_type(PieceType::Pawn)), 4);
        assert_eq!(islands(Bitboard::EMPTY), 0);
        assert_eq!(islands(board("4k3/8/8/8/8/8/PPPPPPPP/4K3 w - - 0 1").by_type(PieceType::Pawn)), 1);
    }

    #[test]
    fn outside_passed_pawns_are_far_from_the_others() {
        let ending = board("4k3/6pp/8/8/P7/8/5PP1/4K3 w - - 0 1");
        assert!(is_outside(&ending, Square::A4));
        assert!(!is_outside(&ending, Square::F2));
    }
}
