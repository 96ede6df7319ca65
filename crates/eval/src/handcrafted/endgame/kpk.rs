//! The KPK bitbase: every position of king and pawn against king, won or drawn.
//!
//! The bitbase is computed on first use, in well under a millisecond, by retrograde analysis from the
//! promotions. One bitboard covers up to 64 positions: the squares of the bare king that lose, for a pawn, a
//! king and a side to move. The pawn is on the files a to d (others are mirrored), which takes 24 KiB.

use std::sync::LazyLock;
use tabiya_core::{Bitboard, Color, File, Rank, Square};
use tabiya_movegen::attacks;

/// The number of pawn squares: files a to d, ranks 2 to 7.
const PAWN_SQUARES: usize = 24;

/// By squares of the pawn and of its king: the squares where the bare king is lost.
type Lost = [[Bitboard; Square::COUNT]; PAWN_SQUARES];

struct Bitbase {
    white_to_move: Lost,
    black_to_move: Lost,
}

static BITBASE: LazyLock<Box<Bitbase>> = LazyLock::new(solve);

/// Computes the bitbase if that has not been done yet.
pub(super) fn prepare() {
    LazyLock::force(&BITBASE);
}

/// Returns true if White, with king and pawn, wins against the bare king.
pub(super) fn is_won(white_to_move: bool, king: Square, pawn: Square, bare_king: Square) -> bool {
    let mirrored = |square: Square| if pawn.file() > File::D { square.flip_file() } else { square };
    let lost = if white_to_move { &BITBASE.white_to_move } else { &BITBASE.black_to_move };
    lost[pawn_index(mirrored(pawn))][mirrored(king).index()].contains(mirrored(bare_king))
}

/// The index of a pawn square, in the order a2, b2, c2, d2, a3, ..., d7.
fn pawn_index(pawn: Square) -> usize {
    (pawn.rank().index() - 1) * 4 + pawn.file().index()
}

/// The inverse of [`pawn_index`].
fn pawn_square(index: usize) -> Square {
    Square::new(File::wrapping((index % 4) as u8), Rank::wrapping((index / 4 + 1) as u8))
}

fn solve() -> Box<Bitbase> {
    let none = [[Bitboard::EMPTY; Square::COUNT]; PAWN_SQUARES];
    let mut bitbase = Box::new(Bitbase { white_to_move: none, black_to_move: none });
    // Pawns only advance, so the squares nearest to promotion can be solved completely before the others.
    for pawn in (0..PAWN_SQUARES).rev().map(pawn_square) {
        let index = pawn_index(pawn);
        for king in Bitboard::FULL - pawn.bitboard() {
            let won = (promotion_wins(king, pawn) | push_wins(&bitbase.black_to_move, king, pawn))
                & legal_white_to_move(king, pawn);
            bitbase.white_to_move[index][king.index()] = won;
        }
        // Positions not won at the fixed point are draws.
        while step_back(&mut bitbase, pawn) {}
    }
    bitbase
}

/// Adds the wins that are one move longer than those known. Returns true if there were any.
fn step_back(bitbase: &mut Bitbase, pawn: Square) -> bool {
    let index = pawn_index(pawn);
    let mut changed = false;
    for king in Bitboard::FULL - pawn.bitboard() {
        let lost = lost_black_to_move(bitbase.white_to_move[index][king.index()], king, pawn);
        changed |= lost != bitbase.black_to_move[index][king.index()];
        bitbase.black_to_move[index][king.index()] = lost;
    }
    for king in Bitboard::FULL - pawn.bitboard() {
        let targets = attacks::king_attacks(king) - pawn.bitboard();
        let won = targets
            .into_iter()
            .fold(Bitboard::EMPTY, |won, to| won | bitbase.black_to_move[index][to.index()]);
        bitbase.white_to_move[index][king.index()] |= won & legal_white_to_move(king, pawn);
    }
    changed
}

/// The legal squares of the bare king when it is to move.
fn legal_black_to_move(king: Square, pawn: Square) -> Bitboard {
    !(attacks::king_attacks(king) | king.bitboard() | pawn.bitboard())
}

/// The legal squares of the bare king when White is to move: not in check.
fn legal_white_to_move(king: Square, pawn: Square) -> Bitboard {
    legal_black_to_move(king, pawn) - attacks::pawn_attacks(Color::White, pawn)
}

/// The squares of the bare king for which the pawn can promote and is not captured.
fn promotion_wins(king: Square, pawn: Square) -> Bitboard {
    let target = pawn.bitboard().north();
    if pawn.rank() != Rank::Seventh || target.contains(king) {
        return Bitboard::EMPTY;
    }
    let defended = !attacks::king_attacks(king).is_disjoint(target);
    let captures = if defended { Bitboard::EMPTY } else { neighbours(target) };
    !(target | captures)
}

/// The squares of the bare king for which a push without promotion wins.
fn push_wins(lost: &Lost, king: Square, pawn: Square) -> Bitboard {
    let mut won = Bitboard::EMPTY;
    let mut path = Bitboard::EMPTY;
    let max_steps = if pawn.rank() == Rank::Second { 2 } else { 1 };
    for _ in 0..max_steps {
        let step = (pawn.bitboard() | path).north() - path;
        let Some(to) = step.into_iter().next().filter(|to| to.rank() != Rank::Eighth && *to != king) else {
            break;
        };
        path |= step;
        won |= lost[pawn_index(to)][king.index()] - path;
    }
    won
}

/// The squares where the bare king is lost with Black to move: it has a move or is in check, and every move
/// loses.
fn lost_black_to_move(won: Bitboard, king: Square, pawn: Square) -> Bitboard {
    let checks = attacks::pawn_attacks(Color::White, pawn);
    let reachable = !(attacks::king_attacks(king) | checks);
    // Includes the pawn's square, where the bare king is never lost: capturing the pawn draws.
    let safe = reachable - won;
    let drawing = neighbours(safe);
    legal_black_to_move(king, pawn) & ((neighbours(reachable) | checks) - drawing)
}

/// The squares a king's move away from any of `squares`.
fn neighbours(squares: Bitboard) -> Bitboard {
    let row = squares | squares.east() | squares.west();
    row.north() | row.south() | squares.east() | squares.west()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected numbers of wins and draws, by side to move, were counted from published tablebases.
    #[test]
    fn win_counts_agree_with_tablebases() {
        let bitbase = solve();
        let count = |lost: &Lost, legal: fn(Square, Square) -> Bitboard| {
            let mut counts = (0, 0);
            for (pawn, lost) in (0..PAWN_SQUARES).map(pawn_square).zip(lost) {
                for king in Bitboard::FULL - pawn.bitboard() {
                    let lost = lost[king.index()];
                    assert_eq!(lost - legal(king, pawn), Bitboard::EMPTY);
                    counts.0 += lost.count();
                    counts.1 += (legal(king, pawn) - lost).count();
                }
            }
            counts
        };
        assert_eq!(count(&bitbase.white_to_move, legal_white_to_move), (62_480, 19_184));
        assert_eq!(count(&bitbase.black_to_move, legal_black_to_move), (48_802, 35_210));
    }

    #[test]
    fn pawn_index_round_trips() {
        for index in 0..PAWN_SQUARES {
            assert_eq!(pawn_index(pawn_square(index)), index);
        }
    }

    #[test]
    fn pawns_on_both_wings() {
        assert!(is_won(true, Square::B7, Square::A6, Square::D7));
        assert!(is_won(true, Square::G7, Square::H6, Square::E7));
        assert!(is_won(true, Square::E6, Square::E5, Square::E8));
        assert!(!is_won(true, Square::E5, Square::E4, Square::E7));
    }
}
