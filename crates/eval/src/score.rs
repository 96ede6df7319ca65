use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};
use tabiya_core::Value;

/// A middle-game value and an end-game value in one word.
///
/// Most of what an evaluation adds up is worth one thing with the board full and another with it
/// empty. Carrying both halves in one 32-bit word makes each sum a single addition; the
/// [`Phase`](crate::Phase) of the game blends them at the end.
///
/// The end-game value lies in the high half and the middle-game value in the low one, where its
/// sign borrows one from the high half; reading the high half gives that back. Each half must stay
/// within 16 bits: no legal position's sum comes near (both sides' whole material is below 13,000).
///
/// ```
/// use tabiya_eval::Score;
///
/// let sum = Score::new(10, -20) + Score::new(-30, 5);
/// assert_eq!((sum.middle_game(), sum.end_game()), (-20, -15));
/// assert_eq!(-sum, Score::new(20, 15));
/// assert_eq!(sum * 3, Score::new(-60, -45));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Score(i32);

impl Score {
    /// Worth nothing in either phase.
    pub const ZERO: Score = Score(0);

    /// A score of these two values.
    #[inline]
    pub const fn new(middle_game: i16, end_game: i16) -> Score {
        Score(((end_game as i32) << 16).wrapping_add(middle_game as i32))
    }

    /// The half that counts while the board is full.
    #[inline]
    pub const fn middle_game(self) -> Value {
        self.0 as i16 as Value
    }

    /// The half that counts once the board is empty.
    #[inline]
    pub const fn end_game(self) -> Value {
        self.0.wrapping_add(0x8000) >> 16
    }

    /// The sum; usable in constants, where `+` is not.
    #[inline]
    pub const fn plus(self, other: Score) -> Score {
        Score(self.0.wrapping_add(other.0))
    }

    /// The negative; usable in constants, where `-` is not.
    #[inline]
    pub const fn negated(self) -> Score {
        Score(self.0.wrapping_neg())
    }
}

impl Add for Score {
    type Output = Score;

    #[inline]
    fn add(self, other: Score) -> Score {
        self.plus(other)
    }
}

impl AddAssign for Score {
    #[inline]
    fn add_assign(&mut self, other: Score) {
        *self = self.plus(other);
    }
}

impl Sub for Score {
    type Output = Score;

    #[inline]
    fn sub(self, other: Score) -> Score {
        Score(self.0.wrapping_sub(other.0))
    }
}

impl SubAssign for Score {
    #[inline]
    fn sub_assign(&mut self, other: Score) {
        *self = *self - other;
    }
}

impl Neg for Score {
    type Output = Score;

    #[inline]
    fn neg(self) -> Score {
        self.negated()
    }
}

impl Mul<i32> for Score {
    type Output = Score;

    #[inline]
    fn mul(self, times: i32) -> Score {
        Score(self.0.wrapping_mul(times))
    }
}

/// `middle-game/end-game`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}/{}", self.middle_game(), self.end_game()))
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Score({}, {})", self.middle_game(), self.end_game())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_do_not_disturb_each_other() {
        let samples = [i16::MIN / 2, -1000, -1, 0, 1, 77, 1000, i16::MAX / 2];
        for a in samples {
            for b in samples {
                let score = Score::new(a, b);
                assert_eq!((score.middle_game(), score.end_game()), (a as Value, b as Value));
                assert_eq!((-score, score - score), (Score::new(-a, -b), Score::ZERO));
                for c in samples {
                    let sum = score + Score::new(c, -c);
                    assert_eq!(sum.middle_game(), a as Value + c as Value);
                    assert_eq!(sum.end_game(), b as Value - c as Value);
                }
            }
        }
        let mut running = Score::new(5, -5);
        running += Score::new(-6, 6);
        running -= Score::new(1, 1);
        assert_eq!(running, Score::new(-2, 0));
        assert_eq!(running.to_string(), "-2/0");
    }
}
