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

/// Parameters of limited play and the Elo that they were measured at.
struct Step {
    elo: u16,
    /// Nodes per move, for all lines together.
    nodes: u64,
    /// The largest evaluation error, in centipawns.
    noise: Value,
    /// The scale of the choice between lines, in centipawns: a line so much worse than another is chosen 2.7 times less often.
    spread: Value,
    /// The rate at which moves are overlooked, per mille. [`Oversight`](crate::oversight::Oversight) multiplies it by factors
    /// for the kind of move and its distance.
    overlooked: u32,
}

const fn step(elo: u16, nodes: u64, noise: Value, spread: Value, overlooked: u32) -> Step {
    Step { elo, nodes, noise, spread, overlooked }
}

/// The calibration: the Elo measured for each set of parameters. In between, `nodes` is interpolated by its logarithm, the
/// others linearly.
///
/// `tests/clients/strength.py` reads the rows, one to a line.
///
/// A change of the search or the evaluation moves the Elo numbers, not the parameters: `docs/strength.md` says how to measure
/// them.
const CALIBRATION: [Step; 12] = [
    step(754, 40, 165, 41, 455),
    step(910, 80, 130, 34, 380),
    step(1081, 160, 100, 28, 310),
    step(1274, 320, 80, 23, 250),
    step(1479, 640, 60, 19, 195),
    step(1690, 1_300, 48, 15, 145),
    step(1902, 2_600, 36, 12, 100),
    step(2111, 5_200, 28, 9, 65),
    step(2310, 11_000, 20, 7, 40),
    step(2499, 25_000, 14, 5, 20),
    step(2663, 60_000, 10, 3, 10),
    step(2862, 150_000, 6, 2, 0),
];

/// A playing strength, in Elo.
///
/// ```
/// use tabiya_player::Strength;
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
        let nodes = limits.nodes.map_or(nodes, |limit| limit.min(nodes));
        let lines = limits.multipv.max(LINES);
        limits.with_nodes(nodes).with_multipv(lines)
    }

    /// Returns the nodes per move, for all lines together.
    fn nodes(self) -> u64 {
        let (below, above, fraction) = self.bracket();
        let (low, high) = ((below.nodes as f64).ln(), (above.nodes as f64).ln());
        (low + (high - low) * fraction).exp().round() as u64
    }

    /// Returns the largest evaluation error, in centipawns.
    pub(super) fn noise(self) -> Value {
        self.interpolate(|step| step.noise)
    }

    /// Returns the scale of the choice between lines, in centipawns.
    pub(super) fn spread(self) -> Value {
        self.interpolate(|step| step.spread)
    }

    /// Returns the rate at which moves are overlooked, per mille.
    pub(super) fn overlooked(self) -> u32 {
        self.interpolate(|step| step.overlooked as Value) as u32
    }

    /// Returns the calibration steps around this strength and its position between them, from 0 to 1.
    fn bracket(self) -> (&'static Step, &'static Step, f64) {
        let above =
            CALIBRATION.iter().position(|step| step.elo >= self.elo).unwrap_or(CALIBRATION.len() - 1).max(1);
        let (below, above) = (&CALIBRATION[above - 1], &CALIBRATION[above]);
        let fraction = (f64::from(self.elo) - f64::from(below.elo)) / f64::from(above.elo - below.elo);
        (below, above, fraction)
    }

    fn interpolate(self, parameter: impl Fn(&Step) -> Value) -> Value {
        let (below, above, fraction) = self.bracket();
        let (low, high) = (parameter(below), parameter(above));
        low + (f64::from(high - low) * fraction).round() as Value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strength_grows_with_elo() {
        let all: Vec<Strength> = (MIN_ELO..=MAX_ELO).map(Strength::from_elo).collect();
        for pair in all.windows(2) {
            assert!(pair[0].nodes() <= pair[1].nodes(), "{pair:?}");
            assert!(pair[0].noise() >= pair[1].noise() && pair[0].spread() >= pair[1].spread(), "{pair:?}");
            assert!(pair[0].overlooked() >= pair[1].overlooked(), "{pair:?}");
        }
        assert_eq!(Strength::from_elo(0), all[0]);
        assert_eq!(Strength::from_elo(u16::MAX).elo(), MAX_ELO);
        assert_eq!(Strength::from_skill_level(0), Some(all[0]));
        assert_eq!(Strength::from_skill_level(19).map(Strength::elo), Some(2700));
        assert_eq!(Strength::from_skill_level(20), None);
    }

    #[test]
    fn calibration_covers_every_level() {
        assert!(CALIBRATION[0].elo <= MIN_ELO && CALIBRATION[CALIBRATION.len() - 1].elo >= MAX_ELO);
        assert!(CALIBRATION.windows(2).all(|pair| pair[0].elo < pair[1].elo));
    }
}
