//! The mix of start positions.

use anyhow::{Context, Result};
use rand::RngExt;
use std::fmt;
use std::str::FromStr;
use tabiya_lab_common::games::Origin;
use tabiya_lab_common::random::Random;
use tabiya_movegen::Position;

/// Relative frequencies of the start positions of chess, Chess960 and double Chess960.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Mix([u32; 3]);

/// The origins, in the order of the shares.
const ORIGINS: [Origin; 3] = [Origin::Standard, Origin::Chess960, Origin::DoubleChess960];

impl Mix {
    /// Draws a start position.
    pub(super) fn draw(self, random: &mut Random) -> Result<(Origin, Position)> {
        let mut ticket = random.random_range(..self.0.iter().sum::<u32>());
        let mut origin = Origin::Standard;
        for (&share, candidate) in self.0.iter().zip(ORIGINS) {
            if ticket < share {
                origin = candidate;
                break;
            }
            ticket -= share;
        }
        let mut number = || random.random_range(..960);
        let position = match origin {
            Origin::Chess960 => Position::chess960(number()),
            Origin::DoubleChess960 => Position::double_chess960(number(), number()),
            _ => Some(Position::startpos()),
        };
        Ok((origin, position.context("the Chess960 number is out of range")?))
    }
}

impl FromStr for Mix {
    type Err = String;

    fn from_str(text: &str) -> Result<Mix, String> {
        let shares: Option<Vec<u32>> = text.split(':').map(|share| share.trim().parse().ok()).collect();
        match shares.as_deref() {
            Some(&[standard, chess960, double])
                if [standard, chess960, double].iter().all(|&share| share <= 1_000_000)
                    && standard + chess960 + double > 0 =>
            {
                Ok(Mix([standard, chess960, double]))
            }
            _ => Err(format!(
                "{text:?} is not a mix: expected standard:Chess960:double-Chess960, as in 80:10:10"
            )),
        }
    }
}

impl fmt::Display for Mix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [standard, chess960, double] = self.0;
        write!(f, "{standard}:{chess960}:{double}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_lab_common::random::seeded;

    #[test]
    fn start_positions_follow_the_shares() {
        let counts = |mix: &str| {
            let mix: Mix = mix.parse().unwrap();
            let mut random = seeded(1);
            let mut counts = [0; 3];
            for _ in 0..2000 {
                let (origin, position) = mix.draw(&mut random).unwrap();
                counts[origin as usize - 1] += 1;
                if origin == Origin::Standard {
                    assert_eq!(position, Position::startpos());
                }
            }
            counts
        };
        let [standard, chess960, double] = counts("6:3:1");
        assert!(standard > 1000 && chess960 > 450 && double > 100, "{standard} {chess960} {double}");
        assert_eq!(counts("0:7:0"), [0, 2000, 0]);
    }

    #[test]
    fn mixes_are_parsed() {
        assert_eq!("80:10:10".parse::<Mix>().unwrap().to_string(), "80:10:10");
        for text in ["", "1", "1:2", "0:0:0", "1:2:3:4", "-1:2:3", "9999999999:1:1", "2000000:0:0"] {
            assert!(text.parse::<Mix>().unwrap_err().contains("as in 80:10:10"), "{text}");
        }
    }
}
