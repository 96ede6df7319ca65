//! The phase of the game, which blends middlegame and endgame values.

use super::score::Score;
use std::fmt;
use tabiya_core::{Board, PieceType, Value};

/// The phase of the game, from 24 (middlegame) down to 0 (endgame), by the pieces left on the board.
///
/// Knights and bishops count 1, rooks 2 and queens 4; the start position has 24. Pawns do not count, because
/// an ending with many pawns is still an ending. Promotions cannot raise the phase above 24.
///
/// ```
/// use tabiya_core::Board;
/// use tabiya_eval::handcrafted::{Phase, Score};
///
/// assert_eq!(Phase::of(&Board::startpos()), Phase::MIDDLEGAME);
/// let rook_ending: Board = "8/5pk1/6p1/R7/5PK1/r5P1/8/8 w - - 0 1".parse()?;
/// assert_eq!(Phase::of(&rook_ending).get(), 4);
/// assert_eq!(Phase::of(&rook_ending).taper(Score::new(0, 60)), 50);
/// # Ok::<(), tabiya_core::FenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Phase(u8);

impl Phase {
    /// All pieces are on the board: only middlegame values count.
    pub const MIDDLEGAME: Phase = Phase(24);

    /// Only kings and pawns are left: only endgame values count.
    pub const ENDGAME: Phase = Phase(0);

    /// The phase of a board.
    #[inline]
    pub fn of(board: &Board) -> Phase {
        let count = |piece_type| board.by_type(piece_type).count() as i32;
        Phase::of_pieces(
            count(PieceType::Knight) + count(PieceType::Bishop),
            count(PieceType::Rook),
            count(PieceType::Queen),
        )
    }

    /// The phase with these numbers of pieces of both sides together.
    #[inline]
    pub(crate) const fn of_pieces(minor_pieces: i32, rooks: i32, queens: i32) -> Phase {
        let sum = minor_pieces + 2 * rooks + 4 * queens;
        let max = Self::MIDDLEGAME.0;
        Phase(if sum < max as i32 { sum as u8 } else { max })
    }

    /// The phase as a number, from 24 (middlegame) down to 0 (endgame).
    #[inline]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Blends the two halves of a score in proportion to the phase.
    ///
    /// Rounds towards zero, so that exchanging the colours only changes the sign.
    #[inline]
    pub const fn taper(self, score: Score) -> Value {
        self.blend(score.mg(), score.eg())
    }

    /// The same as [`taper`](Phase::taper), for unpacked halves.
    #[inline]
    pub(super) const fn blend(self, mg: Value, eg: Value) -> Value {
        let (phase, max) = (self.0 as Value, Self::MIDDLEGAME.0 as Value);
        (mg * phase + eg * (max - phase)) / max
    }
}

/// Written as `18 of 24`.
impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.0, Self::MIDDLEGAME.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_board::board;
    use super::*;

    #[test]
    fn taper_interpolates() {
        let score = Score::new(48, -24);
        assert_eq!(Phase::MIDDLEGAME.taper(score), 48);
        assert_eq!(Phase::ENDGAME.taper(score), -24);
        assert_eq!(Phase(12).taper(score), 12);
        for phase in 0..=24 {
            let odd = Score::new(7, -13);
            assert_eq!(Phase(phase).taper(odd), -Phase(phase).taper(-odd));
        }
    }

    #[test]
    fn promotions_do_not_raise_the_phase_above_its_maximum() {
        let board = board("4k3/8/8/8/8/QQQQ4/QQQQ4/4K3 w - - 0 1");
        assert_eq!(Phase::of(&board), Phase::MIDDLEGAME);
    }
}
