//! The mix of start positions, of the kinds of [`Origin`].

use anyhow::{Context, Result, bail};
use rand::RngExt;
use std::fmt;
use std::str::FromStr;
use tabiya_lab_common::games::Origin;
use tabiya_lab_common::random::Random;
use tabiya_movegen::Position;

/// Kinds, the first ones, whose shares can be given without their names, as in `80:10:10`. Later ones do not change this form, in
/// which the settings of files of games have it.
const UNNAMED: usize = 3;

/// The largest share of a kind.
const MAX_SHARE: u32 = 1_000_000;

/// Relative frequencies of the kinds of start positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Mix([u32; Origin::DRAWN.len()]);

impl Mix {
    /// True if some of the positions are of Chess960 or its like.
    pub(super) fn has_chess960(self) -> bool {
        let mut kinds = Origin::DRAWN.iter().zip(self.0);
        kinds.any(|(kind, share)| share > 0 && *kind != Origin::Standard)
    }

    /// Draws a start position.
    pub(super) fn draw(self, random: &mut Random) -> Result<(Origin, Position)> {
        let mut ticket = random.random_range(..self.0.iter().sum::<u32>());
        for (&share, kind) in self.0.iter().zip(Origin::DRAWN) {
            if ticket < share {
                let position = kind.draw(|| random.random_range(..960));
                return Ok((kind, position.context("the Chess960 number is out of range")?));
            }
            ticket -= share;
        }
        bail!("the mix has no start positions")
    }
}

impl FromStr for Mix {
    type Err = String;

    fn from_str(text: &str) -> Result<Mix, String> {
        let shares = if text.contains('=') { named(text) } else { unnamed(text) };
        let is_valid = |shares: &[u32; Origin::DRAWN.len()]| {
            shares.iter().all(|&share| share <= MAX_SHARE) && shares.iter().any(|&share| share > 0)
        };
        shares.filter(is_valid).map(Mix).ok_or_else(|| {
            let names = Origin::DRAWN.map(Origin::name);
            format!(
                "{text:?} is not a mix: expected shares of {}, as in {}=80,{}=20 or, for the first {UNNAMED}, as in 80:10:10",
                names.join(", "),
                names[0],
                names[1],
            )
        })
    }
}

/// Parses `80:10:10`.
fn unnamed(text: &str) -> Option<[u32; Origin::DRAWN.len()]> {
    let given: Vec<u32> = text.split(':').map(|share| share.trim().parse().ok()).collect::<Option<_>>()?;
    let mut shares = [0; Origin::DRAWN.len()];
    let given: [u32; UNNAMED] = given.try_into().ok()?;
    shares[..UNNAMED].copy_from_slice(&given);
    Some(shares)
}

/// Parses `standard=80,chess960=20`, in any order.
fn named(text: &str) -> Option<[u32; Origin::DRAWN.len()]> {
    let mut shares = [0; Origin::DRAWN.len()];
    for part in text.split(',') {
        let (name, share) = part.split_once('=')?;
        let index = Origin::DRAWN.iter().position(|kind| kind.name().eq_ignore_ascii_case(name.trim()))?;
        shares[index] = share.trim().parse().ok()?;
    }
    Some(shares)
}

impl fmt::Display for Mix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, others) = self.0.split_at(UNNAMED);
        if others.iter().all(|&share| share == 0) {
            return f.write_str(&first.iter().map(u32::to_string).collect::<Vec<_>>().join(":"));
        }
        let given = Origin::DRAWN.iter().zip(self.0).filter(|(_, share)| *share > 0);
        f.write_str(
            &given.map(|(kind, share)| format!("{}={share}", kind.name())).collect::<Vec<_>>().join(","),
        )
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
        for (text, printed) in
            [("80:10:10", "80:10:10"), ("double-chess960=7, standard=3", "3:0:7"), ("Chess960=1", "0:1:0")]
        {
            assert_eq!(text.parse::<Mix>().unwrap().to_string(), printed);
        }
        for text in [
            "", "1", "1:2", "0:0:0", "1:2:3:4", "-1:2:3", "9999999999:1:1", "2000000:0:0", "shogi=1",
            "standard=0", "standard=", "standard=1,", "standard=2000000",
        ] {
            assert!(text.parse::<Mix>().unwrap_err().contains("as in 80:10:10"), "{text}");
        }
    }
}
