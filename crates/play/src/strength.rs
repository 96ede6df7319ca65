//! Playing strength by Elo, and its calibration.

use tabiya_core::Value;
use tabiya_search::Limits;

/// The lowest strength, in Elo.
pub const MIN_ELO: u16 = 800;
/// The highest limited strength, in Elo.
pub const MAX_ELO: u16 = 2800;
/// The skill level of full strength.
pub const MAX_SKILL_LEVEL: u8 = 20;

/// The number of lines to choose from.
const LINES: usize = 4;

/// A calibrated strength.
struct Step {
    elo: u16,
    /// Nodes per move, for all lines together.
    nodes: u64,
    /// The largest evaluation error, in centipawns.
    noise: Value,
    /// The largest difference of a chosen line from the best, in centipawns.
    margin: Value,
}

const fn step(elo: u16, nodes: u64, noise: Value, margin: Value) -> Step {
    Step { elo, nodes, noise, margin }
}

/// The calibration. Between two steps, noise and margin are interpolated linearly, nodes by their logarithm.
///
/// Fitted to 1,104 games against skill levels of Stockfish 15.1, whose ratings are known, and between neighbouring levels;
/// `docs/strength.md` states the errors.
const CALIBRATION: [Step; 11] = [
    step(800, 54, 270, 163),
    step(1000, 84, 227, 154),
    step(1200, 230, 147, 114),
    step(1400, 490, 102, 78),
    step(1600, 840, 77, 58),
    step(1800, 1_400, 62, 46),
    step(2000, 2_240, 48, 35),
    step(2200, 4_500, 37, 27),
    step(2400, 9_700, 28, 20),
    step(2600, 26_000, 16, 11),
    step(2800, 92_000, 10, 7),
];

/// A playing strength, in Elo.
///
/// ```
/// use tabiya_play::Strength;
/// use tabiya_search::Limits;
///
/// let weak = Strength::from_elo(1000).limit(Limits::depth(20));
/// let strong = Strength::from_elo(2000).limit(Limits::depth(20));
/// assert!(weak.nodes < strong.nodes);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Strength {
    elo: u16,
}

impl Strength {
    /// Returns the strength of an Elo number, clamped to the range from [`MIN_ELO`] to [`MAX_ELO`].
    pub fn from_elo(elo: u16) -> Strength {
        Strength { elo: elo.clamp(MIN_ELO, MAX_ELO) }
    }

    /// Returns the strength of a skill level from 0, the lowest; `None` for [`MAX_SKILL_LEVEL`] or more, which mean full strength.
    pub fn from_skill_level(level: u8) -> Option<Strength> {
        let span = u32::from(MAX_ELO - MIN_ELO) * u32::from(level) / u32::from(MAX_SKILL_LEVEL);
        (level < MAX_SKILL_LEVEL).then(|| Strength::from_elo(MIN_ELO + span as u16))
    }

    /// Returns the Elo number.
    pub fn elo(self) -> u16 {
        self.elo
    }

    /// Returns the limits of a search at this strength: the given ones with fewer nodes and several lines.
    pub fn limit(self, limits: Limits) -> Limits {
        let nodes = self.nodes();
        Limits {
            nodes: Some(limits.nodes.map_or(nodes, |limit| limit.min(nodes))),
            multipv: limits.multipv.max(LINES),
            ..limits
        }
    }

    /// Returns the nodes per move, for all lines together.
    fn nodes(self) -> u64 {
        let (below, above, fraction) = self.bracket();
        let (low, high) = ((below.nodes as f64).ln(), (above.nodes as f64).ln());
        (low + (high - low) * fraction).exp().round() as u64
    }

    /// Returns the largest evaluation error, in centipawns.
    pub(super) fn noise(self) -> Value {
        let (below, above, fraction) = self.bracket();
        interpolate(below.noise, above.noise, fraction)
    }

    /// Returns the largest difference of a chosen line from the best, in centipawns.
    pub(super) fn margin(self) -> Value {
        let (below, above, fraction) = self.bracket();
        interpolate(below.margin, above.margin, fraction)
    }

    /// Returns the calibration steps around this strength and its position between them, from 0 to 1.
    fn bracket(self) -> (&'static Step, &'static Step, f64) {
        let above =
            CALIBRATION.iter().position(|step| step.elo >= self.elo).unwrap_or(CALIBRATION.len() - 1).max(1);
        let (below, above) = (&CALIBRATION[above - 1], &CALIBRATION[above]);
        let fraction = f64::from(self.elo - below.elo) / f64::from(above.elo - below.elo);
        (below, above, fraction)
    }
}

fn interpolate(low: Value, high: Value, fraction: f64) -> Value {
    low + (f64::from(high - low) * fraction).round() as Value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strength_grows_with_elo() {
        let all: Vec<Strength> = (MIN_ELO..=MAX_ELO).map(Strength::from_elo).collect();
        assert_eq!((all[0].nodes(), all[0].noise(), all[0].margin()), (54, 270, 163));
        for pair in all.windows(2) {
            assert!(pair[0].nodes() <= pair[1].nodes(), "{pair:?}");
            assert!(pair[0].noise() >= pair[1].noise() && pair[0].margin() >= pair[1].margin(), "{pair:?}");
        }
        assert_eq!(Strength::from_elo(0), all[0]);
        assert_eq!(Strength::from_elo(u16::MAX).elo(), MAX_ELO);
        assert_eq!(Strength::from_skill_level(0), Some(all[0]));
        assert_eq!(Strength::from_skill_level(19).map(Strength::elo), Some(2700));
        assert_eq!(Strength::from_skill_level(20), None);
    }
}
