//! A middlegame and an endgame number in one word.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};
use tabiya_core::Value;

/// The unit of a [`Score`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Centipawns {}

/// The unit of a [`KingDanger`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DangerUnits {}

/// The unit of an [`EndgamePercent`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Percent {}

/// A tapered score, in centipawns.
pub type Score = Tapered<Centipawns>;

/// A danger to a king, in king-danger units. The middlegame penalty grows with the square of the middlegame half.
pub type KingDanger = Tapered<DangerUnits>;

/// A change of an endgame advantage, in per cent. Only the endgame half is used.
pub type EndgamePercent = Tapered<Percent>;

/// A middlegame and an endgame number, in the unit `U`, packed into one 32-bit word.
///
/// Both halves are added in a single instruction; the [`Phase`](super::Phase) of the game blends them at the
/// end. Numbers of different units cannot be mixed up.
///
/// The endgame number is in the high half and the middlegame number in the low half, where its sign borrows
/// one from the high half; [`eg`](Tapered::eg) adds it back. Each half must fit into 16 bits. It does by
/// far: even fifteen queens against a bare king are below 20,000 centipawns.
///
/// ```
/// use tabiya_eval::handcrafted::Score;
///
/// let sum = Score::new(10, -20) + Score::new(-30, 5);
/// assert_eq!((sum.mg(), sum.eg()), (-20, -15));
/// assert_eq!(-sum, Score::new(20, 15));
/// assert_eq!(sum * 3, Score::new(-60, -45));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Tapered<U>(i32, PhantomData<U>);

impl<U> Tapered<U> {
    /// Zero in both halves.
    pub const ZERO: Tapered<U> = Tapered::from_raw(0);

    /// Packs a middlegame and an endgame number.
    #[inline]
    pub const fn new(mg: i16, eg: i16) -> Tapered<U> {
        Tapered::from_raw(((eg as i32) << 16).wrapping_add(mg as i32))
    }

    #[inline]
    const fn from_raw(raw: i32) -> Tapered<U> {
        Tapered(raw, PhantomData)
    }

    /// The middlegame half.
    #[inline]
    pub const fn mg(&self) -> Value {
        self.0 as i16 as Value
    }

    /// The endgame half.
    #[inline]
    pub const fn eg(&self) -> Value {
        self.0.wrapping_add(0x8000) >> 16
    }

    /// The sum, like `+`, for constants.
    #[inline]
    pub const fn plus(&self, other: &Tapered<U>) -> Tapered<U> {
        Tapered::from_raw(self.0.wrapping_add(other.0))
    }
}

impl<U> Add for Tapered<U> {
    type Output = Tapered<U>;

    #[inline]
    fn add(self, other: Tapered<U>) -> Tapered<U> {
        self.plus(&other)
    }
}

impl<U> AddAssign for Tapered<U> {
    #[inline]
    fn add_assign(&mut self, other: Tapered<U>) {
        *self = self.plus(&other);
    }
}

impl<U> Sub for Tapered<U> {
    type Output = Tapered<U>;

    #[inline]
    fn sub(self, other: Tapered<U>) -> Tapered<U> {
        Tapered::from_raw(self.0.wrapping_sub(other.0))
    }
}

impl<U> SubAssign for Tapered<U> {
    #[inline]
    fn sub_assign(&mut self, other: Tapered<U>) {
        *self = Tapered::from_raw(self.0.wrapping_sub(other.0));
    }
}

impl<U> Neg for Tapered<U> {
    type Output = Tapered<U>;

    #[inline]
    fn neg(self) -> Tapered<U> {
        Tapered::from_raw(self.0.wrapping_neg())
    }
}

impl<U> Mul<i32> for Tapered<U> {
    type Output = Tapered<U>;

    #[inline]
    fn mul(self, times: i32) -> Tapered<U> {
        Tapered::from_raw(self.0.wrapping_mul(times))
    }
}

/// Written as `mg/eg`.
impl<U> fmt::Display for Tapered<U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}/{}", self.mg(), self.eg()))
    }
}

impl<U> fmt::Debug for Tapered<U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tapered({}, {})", self.mg(), self.eg())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_independent() {
        let samples = [i16::MIN / 2, -1000, -1, 0, 1, 77, 1000, i16::MAX / 2];
        for a in samples {
            for b in samples {
                let score = Score::new(a, b);
                assert_eq!((score.mg(), score.eg()), (a as Value, b as Value));
                assert_eq!((-score, score - score), (Score::new(-a, -b), Score::ZERO));
                for c in samples {
                    let sum = score + Score::new(c, -c);
                    assert_eq!(sum.mg(), a as Value + c as Value);
                    assert_eq!(sum.eg(), b as Value - c as Value);
                }
            }
        }
        let mut sum = Score::new(5, -5);
        sum += Score::new(-6, 6);
        sum -= Score::new(1, 1);
        assert_eq!(sum, Score::new(-2, 0));
        assert_eq!(sum.to_string(), "-2/0");
    }
}
