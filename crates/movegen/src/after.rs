//! The position after a move, by value.

// Returned from a local variable, the position is copied to the caller: the compiler does not construct a modified
// variable in the place of the return value. Without that copy, `LegalMove::play` takes a third less time.
#![allow(unsafe_code)]

use crate::position::Position;
use core::mem::MaybeUninit;
use tabiya_core::Move;

impl Position {
    /// Returns the position after a move, without checking that it is legal.
    #[inline]
    pub(crate) fn after(&self, mv: Move) -> Position {
        let mut next = MaybeUninit::uninit();
        write_after(&mut next, self, mv);
        // SAFETY: `write_after` initialises `next`.
        unsafe { next.assume_init() }
    }
}

/// Writes the position after a move to `next`.
///
/// Never inlined: LLVM passes the place of the caller's return value to a call, but does not let inlined code
/// write to it. The order of the parameters is that of a method returning a position, so that such a method becomes a jump.
#[inline(never)]
fn write_after(next: &mut MaybeUninit<Position>, position: &Position, mv: Move) {
    position.play_into_unchecked(mv, next.write(Position::with_unknown_legality(position.board().clone())));
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_core::NoObserver;

    #[test]
    fn position_after_a_move_is_the_one_played_in_place() {
        let fens = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "rnbqkbnr/ppp1pppp/8/8/3p4/8/PPPPPPPP/RNBQKBNR w KQkq - 0 3",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        ];
        for fen in fens {
            let position: Position = fen.parse().unwrap();
            for mv in position.legal_moves() {
                let mut next = position.clone();
                next.play_unchecked(mv);
                assert_eq!(position.after(mv), next, "{mv:?} in {fen}");
                let mut overwritten = Position::startpos();
                position.play_into_unchecked(mv, &mut overwritten);
                assert_eq!(overwritten, next, "{mv:?} in {fen}");
                let mut board = position.board().clone();
                assert_eq!(board.make_move(mv, &mut NoObserver), board.en_passant(), "{mv:?} in {fen}");
                let returned =
                    position.board().make_move_into(mv, &mut overwritten.board().clone(), &mut NoObserver);
                assert_eq!(returned, board.en_passant(), "{mv:?} in {fen}");
                for played in [&position.after(mv), &overwritten] {
                    assert_eq!(
                        (played.checkers(), played.pinned()),
                        (next.checkers(), next.pinned()),
                        "{mv:?} in {fen}"
                    );
                }
            }
        }
    }
}
