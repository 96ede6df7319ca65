//! Scores as users and protocols read them.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;
use tabiya_core::{MATE, MATE_IN_MAX_PLY, Value};

/// A score as users and protocols read it, from the point of view of one side.
///
/// Scores are ordered from the worst to the best: being mated, the sooner the worse, then centipawns, then mates, the sooner the
/// better.
///
/// ```
/// use tabiya_search::Score;
///
/// assert!(Score::Mate(2) > Score::Mate(5) && Score::Mate(5) > Score::Centipawns(900));
/// assert!(Score::Centipawns(-900) > Score::Mate(-5) && Score::Mate(-5) > Score::Mate(-2));
/// assert_eq!("-1.20".parse(), Ok(Score::Centipawns(-120)));
/// assert_eq!("#-3".parse(), Ok(Score::Mate(-3)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Score {
    /// Hundredths of a pawn; positive if the side is better.
    Centipawns(i32),
    /// Mate in this many moves: positive if the side mates, negative if it is mated, 0 if it is checkmated now.
    Mate(i32),
}

impl Score {
    /// Converts a value of the search, in which a mate counts plies.
    ///
    /// ```
    /// use tabiya_core::{mate_in, mated_in};
    /// use tabiya_search::Score;
    ///
    /// assert_eq!(Score::from_value(-35), Score::Centipawns(-35));
    /// assert_eq!(Score::from_value(mate_in(3)), Score::Mate(2)); // move, reply, mate
    /// assert_eq!(Score::from_value(mated_in(4)), Score::Mate(-2));
    /// ```
    pub const fn from_value(value: Value) -> Score {
        if value >= MATE_IN_MAX_PLY {
            Score::Mate((MATE - value + 1) / 2)
        } else if value <= -MATE_IN_MAX_PLY {
            Score::Mate(-(MATE + value) / 2)
        } else {
            Score::Centipawns(value)
        }
    }

    /// Returns the score in centipawns; `None` for a mate.
    pub const fn centipawns(self) -> Option<i32> {
        match self {
            Score::Centipawns(value) => Some(value),
            Score::Mate(_) => None,
        }
    }

    /// Returns the number of moves to mate, negative if the side is mated; `None` if there is no mate.
    pub const fn mate(self) -> Option<i32> {
        match self {
            Score::Centipawns(_) => None,
            Score::Mate(moves) => Some(moves),
        }
    }

    /// Returns true if the side mates by force.
    pub const fn is_mating(self) -> bool {
        matches!(self, Score::Mate(moves) if moves > 0)
    }

    /// Returns true if the side is mated by force, or now.
    pub const fn is_mated(self) -> bool {
        matches!(self, Score::Mate(moves) if moves <= 0)
    }

    /// Returns a key that orders scores: class, then value.
    fn sort_key(self) -> (i8, i32) {
        match self {
            // `!moves` is `-moves - 1`, which cannot overflow.
            Score::Mate(moves) => (if moves > 0 { 1 } else { -1 }, !moves),
            Score::Centipawns(value) => (0, value),
        }
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Score) -> Ordering {
        self.sort_key().cmp(&other.sort_key())
    }
}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Score) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// `+0.35`, `-1.20`, `#3` (mate in three), `#-2`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match *self {
            Score::Centipawns(value) => {
                let sign = if value < 0 { '-' } else { '+' };
                let value = value.unsigned_abs();
                format!("{sign}{}.{:02}", value / 100, value % 100)
            }
            Score::Mate(moves) => format!("#{moves}"),
        };
        f.pad(&text)
    }
}

/// The error of a text that is not a [`Score`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ScoreError {
    /// The text is neither a number of pawns nor `#` and a number of moves.
    Syntax,
    /// There are more than two digits after the point.
    Precision,
    /// The number does not fit into 32 bits.
    Overflow,
}

impl fmt::Display for ScoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ScoreError::Syntax => {
                "invalid score (expected pawns, such as -0.35, or moves to mate, such as #3 or #-3)"
            }
            ScoreError::Precision => "invalid score: more than two digits after the point",
            ScoreError::Overflow => "invalid score: the number is too large",
        })
    }
}

impl std::error::Error for ScoreError {}

/// Reads what [`Display`](fmt::Display) writes, and pawns without a sign or with fewer digits: `0.35`, `-1.2`, `+3`.
impl FromStr for Score {
    type Err = ScoreError;

    fn from_str(text: &str) -> Result<Score, ScoreError> {
        if let Some(moves) = text.strip_prefix('#') {
            let (is_negative, digits) = sign(moves);
            return Ok(Score::Mate(signed(is_negative, number(digits)?)?));
        }
        let (is_negative, number_text) = sign(text);
        let (pawns, fraction) = number_text.split_once('.').unwrap_or((number_text, "00"));
        let hundredths = match fraction.len() {
            1 => number(fraction)? * 10,
            2 => number(fraction)?,
            0 => return Err(ScoreError::Syntax),
            _ if fraction.bytes().all(|byte| byte.is_ascii_digit()) => return Err(ScoreError::Precision),
            _ => return Err(ScoreError::Syntax),
        };
        let value = number(pawns)?.checked_mul(100).and_then(|value| value.checked_add(hundredths));
        Ok(Score::Centipawns(signed(is_negative, value.ok_or(ScoreError::Overflow)?)?))
    }
}

/// Splits off a sign, and returns true if it is negative.
fn sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

/// Parses digits, at least one.
fn number(digits: &str) -> Result<i64, ScoreError> {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(ScoreError::Syntax);
    }
    digits.parse().map_err(|_| ScoreError::Overflow)
}

fn signed(is_negative: bool, number: i64) -> Result<i32, ScoreError> {
    i32::try_from(if is_negative { -number } else { number }).map_err(|_| ScoreError::Overflow)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_core::{mate_in, mated_in};

    #[test]
    fn formats_scores() {
        assert_eq!(Score::from_value(0).to_string(), "+0.00");
        assert_eq!(Score::from_value(-7).to_string(), "-0.07");
        assert_eq!(Score::from_value(1234).to_string(), "+12.34");
        assert_eq!(Score::from_value(mate_in(1)).to_string(), "#1");
        assert_eq!(Score::from_value(mate_in(5)).to_string(), "#3");
        assert_eq!(Score::from_value(mated_in(0)), Score::Mate(0));
        assert_eq!(Score::from_value(mated_in(2)).to_string(), "#-1");
        assert_eq!(format!("{:>6}|", Score::Mate(3)), "    #3|");
    }

    #[test]
    fn order_is_from_worst_to_best() {
        let sorted = [
            Score::Mate(0),
            Score::Mate(-1),
            Score::Mate(-9),
            Score::Mate(i32::MIN),
            Score::Centipawns(i32::MIN),
            Score::Centipawns(-1),
            Score::Centipawns(0),
            Score::Centipawns(i32::MAX),
            Score::Mate(i32::MAX),
            Score::Mate(9),
            Score::Mate(1),
        ];
        for pair in sorted.windows(2) {
            assert!(pair[0] < pair[1], "{pair:?}");
        }
        for (index, score) in sorted.into_iter().enumerate() {
            assert_eq!(score.mate().is_none(), score.centipawns().is_some());
            assert_eq!((score.is_mated(), score.is_mating()), (index < 4, index > 7));
        }
    }

    #[test]
    fn order_is_that_of_values() {
        let values = [mated_in(0), mated_in(2), mated_in(6), -500, 0, 3, mate_in(9), mate_in(3), mate_in(1)];
        assert!(values.map(Score::from_value).is_sorted());
    }

    #[test]
    fn text_is_read_back() {
        for score in [0, 1, -1, 35, -99, 100, -12_345, i32::MAX, i32::MIN]
            .into_iter()
            .flat_map(|number| [Score::Centipawns(number), Score::Mate(number)])
        {
            assert_eq!(score.to_string().parse(), Ok(score));
        }
        for (text, score) in [("3", 300), ("+3", 300), ("-1.2", -120), ("0.05", 5), ("-0.00", 0)] {
            assert_eq!(text.parse(), Ok(Score::Centipawns(score)), "{text}");
        }
        assert_eq!("#+4".parse(), Ok(Score::Mate(4)));
    }

    #[test]
    fn text_that_is_no_score_is_refused() {
        for text in [
            "", "+", "#", "#-", "--1", "1.", ".5", "1.2.3", "1,5", "M3", "+-1", "1e5", "٣", "1.٣", " 1",
            "#1.5",
        ] {
            assert_eq!(text.parse::<Score>(), Err(ScoreError::Syntax), "{text}");
        }
        assert_eq!("0.123".parse::<Score>(), Err(ScoreError::Precision));
        for text in ["21474836.48", "99999999999999999999", "#2147483648", "-92233720368547758.07"] {
            assert_eq!(text.parse::<Score>(), Err(ScoreError::Overflow), "{text}");
        }
    }
}
