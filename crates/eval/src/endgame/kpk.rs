//! King and pawn against king: every position, won or drawn.
//!
//! The table is computed when it is first asked (a few milliseconds), by walking backwards from the
//! positions whose result is plain until nothing changes any more. One bit for each position, with the pawn on
//! the files a to d (the others are mirrored): 24 KiB.

use std::sync::LazyLock;
use tabiya_core::{Bitboard, Color, File, Rank, Square};
use tabiya_movegen::attacks;

/// Side to move, 24 pawn squares, two kings.
const POSITIONS: usize = 2 * 24 * 64 * 64;

static WON: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let mut won = vec![0u64; POSITIONS / 64];
    for (index, result) in solve().into_iter().enumerate() {
        won[index / 64] |= u64::from(result == Known::Won) << (index % 64);
    }
    won
});

/// Computes the table now, if nobody has asked yet.
pub(super) fn prepare() {
    LazyLock::force(&WON);
}

/// Does White, with king and pawn, win against the bare king?
pub(super) fn is_won(white_to_move: bool, king: Square, pawn: Square, other: Square) -> bool {
    let turned = |square: Square| if pawn.file() > File::D { square.flip_file() } else { square };
    let index = index(white_to_move, turned(king), turned(pawn), turned(other));
    WON[index / 64] >> (index % 64) & 1 != 0
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    Illegal,
    Unknown,
    Drawn,
    Won,
}

fn index(white_to_move: bool, king: Square, pawn: Square, other: Square) -> usize {
    let pawn = (pawn.rank().index() - 1) * 4 + pawn.file().index();
    ((usize::from(!white_to_move) * 24 + pawn) * 64 + king.index()) * 64 + other.index()
}

fn position(index: usize) -> (bool, Square, Square, Square) {
    let square = |index: usize| Square::wrapping(index as u8);
    let pawn = index / 4096 % 24;
    let pawn = Square::new(File::wrapping((pawn % 4) as u8), Rank::wrapping((pawn / 4 + 1) as u8));
    (index / 4096 < 24, square(index / 64 % 64), pawn, square(index % 64))
}

fn solve() -> Vec<Known> {
    let mut results: Vec<Known> = (0..POSITIONS).map(at_once).collect();
    // Pawns only go forward, so the squares nearest to promotion are solved for good before the others.
    for pawn in (0..24).rev() {
        let both_sides = [pawn, 24 + pawn].map(|block| block * 4096..(block + 1) * 4096);
        let mut open: Vec<usize> = both_sides.into_iter().flatten().collect();
        loop {
            let before = open.len();
            open.retain(|&index| {
                if results[index] == Known::Unknown {
                    results[index] = by_moves(index, &results);
                }
                results[index] == Known::Unknown
            });
            if open.len() == before {
                break;
            }
        }
    }
    // Whoever cannot make progress for ever has a draw.
    for result in &mut results {
        if *result == Known::Unknown {
            *result = Known::Drawn;
        }
    }
    results
}

/// What can be said without looking at other positions.
fn at_once(index: usize) -> Known {
    let (white_to_move, king, pawn, other) = position(index);
    let pawn_attacks = attacks::pawn_attacks(Color::White, pawn);
    if king == pawn || other == pawn || king.distance(other) <= 1 {
        return Known::Illegal;
    }
    if white_to_move {
        if pawn_attacks.contains(other) {
            return Known::Illegal;
        }
        return if promotes(king, pawn, other) { Known::Won } else { Known::Unknown };
    }
    let guarded = attacks::king_attacks(king) | pawn_attacks;
    let escapes = attacks::king_attacks(other) - guarded;
    if escapes.contains(pawn) || (escapes.is_empty() && !pawn_attacks.contains(other)) {
        return Known::Drawn; // The pawn falls, or it is stalemate.
    }
    Known::Unknown
}

/// Can the pawn step to the last rank and not be taken there?
fn promotes(king: Square, pawn: Square, other: Square) -> bool {
    let goal = pawn.bitboard().north();
    pawn.rank() == Rank::Seventh
        && !goal.contains(king)
        && !goal.contains(other)
        && (attacks::king_attacks(other).is_disjoint(goal) || !attacks::king_attacks(king).is_disjoint(goal))
}

fn by_moves(here: usize, results: &[Known]) -> Known {
    let (white_to_move, king, pawn, other) = position(here);
    let good = if white_to_move { Known::Won } else { Known::Drawn };
    let mut all_known = true;
    let mut judge = |next: usize| {
        all_known &= results[next] != Known::Unknown;
        results[next] == good
    };
    if white_to_move {
        let free = !(king.bitboard() | other.bitboard());
        let once = pawn.bitboard().north() & (free - Rank::Eighth.bitboard());
        let twice = (once & Rank::Third.bitboard()).north() & free;
        let pushed = (once | twice).into_iter().any(|to| judge(index(false, king, to, other)));
        let steps = attacks::king_attacks(king) - attacks::king_attacks(other) - pawn.bitboard();
        if pushed || steps.into_iter().any(|to| judge(index(false, to, pawn, other))) {
            return Known::Won;
        }
        return if all_known { Known::Drawn } else { Known::Unknown };
    }
    let guarded: Bitboard = attacks::king_attacks(king) | attacks::pawn_attacks(Color::White, pawn);
    let steps = attacks::king_attacks(other) - guarded - pawn.bitboard();
    if steps.into_iter().any(|to| judge(index(true, king, pawn, to))) {
        return Known::Drawn;
    }
    if all_known { Known::Won } else { Known::Unknown }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counted from the published tablebases: by side to move, wins and draws.
    #[test]
    fn there_are_as_many_wins_as_there_should_be() {
        let results = solve();
        let count = |half: &[Known], wanted| half.iter().filter(|&&result| result == wanted).count();
        let (white, black) = results.split_at(POSITIONS / 2);
        assert_eq!((count(white, Known::Won), count(white, Known::Drawn)), (62_480, 19_184));
        assert_eq!((count(black, Known::Won), count(black, Known::Drawn)), (48_802, 35_210));
    }

    #[test]
    fn indices_are_positions() {
        for here in (0..POSITIONS).step_by(7) {
            let (white_to_move, king, pawn, other) = position(here);
            assert_eq!(index(white_to_move, king, pawn, other), here);
        }
    }

    #[test]
    fn files_mirror() {
        assert!(is_won(true, Square::B7, Square::A6, Square::D7));
        assert!(is_won(true, Square::G7, Square::H6, Square::E7));
        assert!(is_won(true, Square::E6, Square::E5, Square::E8));
        assert!(!is_won(true, Square::E5, Square::E4, Square::E7));
    }
}
