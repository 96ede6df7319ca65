//! King and pawn against king: every position, won or drawn.
//!
//! The table is computed when it is first asked (well below a millisecond), by walking backwards from the
//! promotions until nothing changes any more. A set of squares stands for up to 64 positions at once: where the
//! bare king may be, for a pawn, a king and a side to move. The pawn is on the files a to d (the others are
//! mirrored): 24 KiB.

use std::sync::LazyLock;
use tabiya_core::{Bitboard, Color, File, Rank, Square};
use tabiya_movegen::attacks;

/// Squares of the pawn.
const PAWNS: usize = 24;

/// For each square of the pawn and of its king, where the bare king is lost.
type Lost = [[Bitboard; Square::COUNT]; PAWNS];

struct Table {
    white_to_move: Lost,
    black_to_move: Lost,
}

static WON: LazyLock<Box<Table>> = LazyLock::new(solve);

/// Computes the table now, if nobody has asked yet.
pub(super) fn prepare() {
    LazyLock::force(&WON);
}

/// Does White, with king and pawn, win against the bare king?
pub(super) fn is_won(white_to_move: bool, king: Square, pawn: Square, other: Square) -> bool {
    let turned = |square: Square| if pawn.file() > File::D { square.flip_file() } else { square };
    let lost = if white_to_move { &WON.white_to_move } else { &WON.black_to_move };
    lost[number(turned(pawn))][turned(king).index()].contains(turned(other))
}

/// The number of a pawn's square, from a2, b2, c2, d2 and a3 to d7.
fn number(pawn: Square) -> usize {
    (pawn.rank().index() - 1) * 4 + pawn.file().index()
}

fn pawn_square(number: usize) -> Square {
    Square::new(File::wrapping((number % 4) as u8), Rank::wrapping((number / 4 + 1) as u8))
}

fn solve() -> Box<Table> {
    let nowhere = [[Bitboard::EMPTY; Square::COUNT]; PAWNS];
    let mut table = Box::new(Table { white_to_move: nowhere, black_to_move: nowhere });
    // Pawns only go forward, so the squares nearest to promotion are solved for good before the others.
    for pawn in (0..PAWNS).rev().map(pawn_square) {
        let here = number(pawn);
        for king in Bitboard::FULL - pawn.bitboard() {
            let won = (promotions(king, pawn) | pushes(&table.black_to_move, king, pawn))
                & with_white_to_move(king, pawn);
            table.white_to_move[here][king.index()] = won;
        }
        // What is not won when nothing changes any more, White cannot make progress in.
        while walk_back(&mut table, pawn) {}
    }
    table
}

/// Finds wins one move further from the end than those that are known; were there any?
fn walk_back(table: &mut Table, pawn: Square) -> bool {
    let here = number(pawn);
    let mut found = false;
    for king in Bitboard::FULL - pawn.bitboard() {
        let lost = lost_by_moves(table.white_to_move[here][king.index()], king, pawn);
        found |= lost != table.black_to_move[here][king.index()];
        table.black_to_move[here][king.index()] = lost;
    }
    for king in Bitboard::FULL - pawn.bitboard() {
        let steps = attacks::king_attacks(king) - pawn.bitboard();
        let won =
            steps.into_iter().fold(Bitboard::EMPTY, |won, to| won | table.black_to_move[here][to.index()]);
        table.white_to_move[here][king.index()] |= won & with_white_to_move(king, pawn);
    }
    found
}

/// Where the bare king may be when it is his turn.
fn with_black_to_move(king: Square, pawn: Square) -> Bitboard {
    !(attacks::king_attacks(king) | king.bitboard() | pawn.bitboard())
}

/// Where he may be when it is not: not in check.
fn with_white_to_move(king: Square, pawn: Square) -> Bitboard {
    with_black_to_move(king, pawn) - attacks::pawn_attacks(Color::White, pawn)
}

/// Where the bare king can be so that the pawn can step to the last rank and is not taken there.
fn promotions(king: Square, pawn: Square) -> Bitboard {
    let goal = pawn.bitboard().north();
    if pawn.rank() != Rank::Seventh || goal.contains(king) {
        return Bitboard::EMPTY;
    }
    let guarded = !attacks::king_attacks(king).is_disjoint(goal);
    let takes = if guarded { Bitboard::EMPTY } else { neighbours(goal) };
    !(goal | takes)
}

/// Where he can be so that a step of the pawn wins that does not promote it.
fn pushes(lost: &Lost, king: Square, pawn: Square) -> Bitboard {
    let mut won = Bitboard::EMPTY;
    let mut way = Bitboard::EMPTY;
    let most = if pawn.rank() == Rank::Second { 2 } else { 1 };
    for _ in 0..most {
        let step = (pawn.bitboard() | way).north() - way;
        let Some(to) = step.into_iter().next().filter(|to| to.rank() != Rank::Eighth && *to != king) else {
            break;
        };
        way |= step;
        won |= lost[number(to)][king.index()] - way;
    }
    won
}

/// Where he is lost although it is his turn: he has a move or is in check, and all that he can do loses.
fn lost_by_moves(won: Bitboard, king: Square, pawn: Square) -> Bitboard {
    let checks = attacks::pawn_attacks(Color::White, pawn);
    let free = !(attacks::king_attacks(king) | checks);
    // The pawn's square among them, which is never one of those where he is lost.
    let safe = free - won;
    let saved = neighbours(safe);
    with_black_to_move(king, pawn) & ((neighbours(free) | checks) - saved)
}

fn neighbours(squares: Bitboard) -> Bitboard {
    let row = squares | squares.east() | squares.west();
    // Nobody asks whether a square neighbours itself: kings do not stand still.
    let around = row.north() | row.south();
    around | squares.east() | squares.west()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counted from the published tablebases: by side to move, wins and draws.
    #[test]
    fn there_are_as_many_wins_as_there_should_be() {
        let table = solve();
        let count = |lost: &Lost, legal: fn(Square, Square) -> Bitboard| {
            let mut counts = (0, 0);
            for (pawn, lost) in (0..PAWNS).map(pawn_square).zip(lost) {
                for king in Bitboard::FULL - pawn.bitboard() {
                    let lost = lost[king.index()];
                    assert_eq!(lost - legal(king, pawn), Bitboard::EMPTY);
                    counts.0 += lost.count();
                    counts.1 += (legal(king, pawn) - lost).count();
                }
            }
            counts
        };
        assert_eq!(count(&table.white_to_move, with_white_to_move), (62_480, 19_184));
        assert_eq!(count(&table.black_to_move, with_black_to_move), (48_802, 35_210));
    }

    #[test]
    fn numbers_are_squares() {
        for pawn in 0..PAWNS {
            assert_eq!(number(pawn_square(pawn)), pawn);
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
