use crate::Score;
use std::fmt;
use tabiya_core::{Board, PieceType, Value};

/// How far the game is from its end, told by the pieces that are left.
///
/// Knights and bishops count one, rooks two, queens four: 24 with everything on the board, 0 with
/// kings and pawns alone. Pawns do not count, because an ending with many pawns is an ending.
/// Promoted queens do not push a game back before its beginning.
///
/// ```
/// use tabiya_core::Board;
/// use tabiya_eval::{Phase, Score};
///
/// assert_eq!(Phase::of(&Board::startpos()), Phase::MIDDLE_GAME);
/// let rook_ending: Board = "8/5pk1/6p1/R7/5PK1/r5P1/8/8 w - - 0 1".parse()?;
/// assert_eq!(Phase::of(&rook_ending).get(), 4);
/// assert_eq!(Phase::of(&rook_ending).taper(Score::new(0, 60)), 50);
/// # Ok::<(), tabiya_core::FenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Phase(u8);

impl Phase {
    /// Every piece is on the board: only middle-game values count.
    pub const MIDDLE_GAME: Phase = Phase(24);

    /// Kings and pawns only: only end-game values count.
    pub const END_GAME: Phase = Phase(0);

    /// The phase of this board.
    #[inline]
    pub fn of(board: &Board) -> Phase {
        let count = |piece_type| board.by_type(piece_type).count() as i32;
        Phase::of_pieces(
            count(PieceType::Knight) + count(PieceType::Bishop),
            count(PieceType::Rook),
            count(PieceType::Queen),
        )
    }

    /// The phase with so many pieces on the board, both sides together.
    #[inline]
    pub(crate) const fn of_pieces(minor: i32, rooks: i32, queens: i32) -> Phase {
        let sum = minor + 2 * rooks + 4 * queens;
        let most = Self::MIDDLE_GAME.0;
        Phase(if sum < most as i32 { sum as u8 } else { most })
    }

    /// 24 (middle game) down to 0 (end game).
    #[inline]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// One value from the two of a score, each weighed by how much of its phase is left. Rounds
    /// towards zero, so that turning the colours round turns the sign and nothing else.
    #[inline]
    pub const fn taper(self, score: Score) -> Value {
        self.blend(score.middle_game(), score.end_game())
    }

    /// [`taper`](Phase::taper) for two values that are in separate words.
    #[inline]
    pub(crate) const fn blend(self, middle_game: Value, end_game: Value) -> Value {
        let (now, full) = (self.0 as Value, Self::MIDDLE_GAME.0 as Value);
        (middle_game * now + end_game * (full - now)) / full
    }
}

/// `18 of 24`.
impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.0, Self::MIDDLE_GAME.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn taper_goes_from_one_half_to_the_other() {
        let score = Score::new(48, -24);
        assert_eq!(Phase::MIDDLE_GAME.taper(score), 48);
        assert_eq!(Phase::END_GAME.taper(score), -24);
        assert_eq!(Phase(12).taper(score), 12);
        for now in 0..=24 {
            let odd = Score::new(7, -13);
            assert_eq!(Phase(now).taper(odd), -Phase(now).taper(-odd));
        }
    }

    #[test]
    fn promotions_do_not_overflow_the_phase() {
        let fen = "4k3/8/8/8/8/QQQQ4/QQQQ4/4K3 w - - 0 1";
        let board: Board = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(Phase::of(&board), Phase::MIDDLE_GAME);
    }
}
