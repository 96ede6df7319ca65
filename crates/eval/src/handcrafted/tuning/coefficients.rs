//! One position as a function of the weights.

use super::super::endgame;
use super::super::material_counts::MaterialCounts;
use super::super::phase::Phase;
use super::super::sum::record;
use super::super::term::Unit;
use super::super::terms::king_safety::{EG_DIVISOR, MAX_DANGER, MG_DIVISOR};
use super::super::weights::declarations;
use std::sync::LazyLock;
use tabiya_core::Color;
use tabiya_movegen::Position;

/// The number of times each weight counts in a position, and everything else that its value depends on.
#[derive(Clone, Debug)]
pub struct Coefficients {
    /// The weights that count, in four groups: those in centipawns (White's minus Black's), those of the
    /// danger to White's king, those of the danger to Black's king, and those of the complexity.
    counts: Box<[Count]>,
    /// The ends of the first three groups in `counts`.
    ends: [u16; 3],
    phase: u8,
    /// The endgame scale factors, in 64ths, for White or Black being better.
    scale_factors: [u8; 2],
    /// The value in centipawns of an ending with a known result, from White's point of view.
    known: Option<i16>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Count {
    weight: u16,
    times: i16,
}

/// Middlegame and endgame half.
type Halves = [f64; 2];

/// The intermediate results of an evaluation.
struct Steps {
    /// The king-danger units against White's and Black's king.
    danger: [Halves; 2],
    /// The sum of the terms, in centipawns.
    sum: Halves,
    /// The factors by which the complexity multiplies the sum; that of the middlegame is 1.
    factor: Halves,
    /// The share of each half of the adjusted sum in the value.
    share: Halves,
    /// The value, in centipawns.
    value: f64,
}

impl Coefficients {
    /// Returns the coefficients of a position.
    pub fn of(position: &Position) -> Coefficients {
        static UNITS: LazyLock<Vec<Unit>> = LazyLock::new(|| {
            declarations()
                .iter()
                .flat_map(|declaration| {
                    std::iter::repeat_n(declaration.term.unit(), declaration.weights.len())
                })
                .collect()
        });
        let board = position.board();
        let material = MaterialCounts::of(board);
        let (counts, _) = record(board, &material);
        let group = |index: usize, color| match (UNITS[index], color) {
            (Unit::Centipawns, _) => 0,
            (Unit::KingDanger, Color::White) => 1,
            (Unit::KingDanger, Color::Black) => 2,
            (Unit::Percent, _) => 3,
        };
        let mut sorted: Vec<(usize, usize, i32)> = counts
            .iter()
            .map(|count| {
                let group = group(count.index, count.color);
                let negated = group == 0 && count.color == Color::Black;
                (group, count.index, if negated { -count.times } else { count.times })
            })
            .collect();
        sorted.sort_unstable();
        sorted.dedup_by(|next, kept| {
            let same = (next.0, next.1) == (kept.0, kept.1);
            kept.2 += if same { next.2 } else { 0 };
            same
        });
        sorted.retain(|&(_, _, times)| times != 0);
        let end = |group| sorted.partition_point(|&(other, _, _)| other <= group) as u16;
        Coefficients {
            ends: [end(0), end(1), end(2)],
            counts: sorted
                .iter()
                .map(|&(_, weight, times)| Count { weight: weight as u16, times: times as i16 })
                .collect(),
            phase: material.phase().get(),
            scale_factors: Color::ALL.map(|stronger| endgame::scale_factor(board, &material, stronger) as u8),
            known: endgame::known_value(position).map(|value| value as i16),
        }
    }

    /// Returns true if the position is an ending with a known result, whose value does not depend on the
    /// weights.
    pub fn is_known(&self) -> bool {
        self.known.is_some()
    }

    /// Returns the value in centipawns from White's point of view: that of the evaluation with these weights,
    /// without its rounding.
    pub fn evaluate(&self, weights: &[f64]) -> f64 {
        match self.known {
            Some(value) => f64::from(value),
            None => self.steps(weights).value,
        }
    }

    /// Adds to `gradient` the derivative of the value by each weight, times `upstream`.
    pub fn add_gradient(&self, weights: &[f64], upstream: f64, gradient: &mut [f64]) {
        if self.known.is_some() {
            return;
        }
        let steps = self.steps(weights);
        let [sums, white_danger, black_danger, complexity] = self.groups();
        for half in 0..2 {
            let share = upstream * steps.share[half];
            let by_sum = share * steps.factor[half];
            let unclamped = steps.factor[half] > 0.0 && steps.factor[half] < 2.0;
            let by_complexity = if half == 1 && unclamped { share * steps.sum[half] / 100.0 } else { 0.0 };
            let mut add = |group: &[Count], slope: f64| {
                for count in group {
                    gradient[2 * usize::from(count.weight) + half] += slope * f64::from(count.times);
                }
            };
            add(sums, by_sum);
            add(white_danger, -by_sum * penalty_slope(half, steps.danger[0][half]));
            add(black_danger, by_sum * penalty_slope(half, steps.danger[1][half]));
            add(complexity, by_complexity);
        }
    }

    fn groups(&self) -> [&[Count]; 4] {
        let [first, second, third] = self.ends.map(usize::from);
        let all = &self.counts;
        [&all[..first], &all[first..second], &all[second..third], &all[third..]]
    }

    fn steps(&self, weights: &[f64]) -> Steps {
        let [sums, white, black, percent] = self.groups().map(|group| total(group, weights));
        let sum: Halves =
            std::array::from_fn(|half| sums[half] - penalty(half, white[half]) + penalty(half, black[half]));
        let factor = [1.0, 1.0 + percent[1].clamp(-100.0, 100.0) / 100.0];
        let adjusted: Halves = std::array::from_fn(|half| sum[half] * factor[half]);
        let scale_factor = f64::from(self.scale_factors[usize::from(adjusted[1] <= 0.0)]);
        let phase = f64::from(self.phase) / f64::from(Phase::MIDDLEGAME.get());
        let share = [phase, (1.0 - phase) * scale_factor / f64::from(endgame::FULL_SCALE)];
        let value = adjusted[0] * share[0] + adjusted[1] * share[1];
        Steps { danger: [white, black], sum, factor, share, value }
    }
}

fn total(group: &[Count], weights: &[f64]) -> Halves {
    let mut total = [0.0; 2];
    for count in group {
        let (index, times) = (2 * usize::from(count.weight), f64::from(count.times));
        total[0] += weights[index] * times;
        total[1] += weights[index + 1] * times;
    }
    total
}

/// One half of [`king_safety::penalty`](super::super::terms::king_safety::penalty), without rounding.
fn penalty(half: usize, danger: f64) -> f64 {
    let danger = danger.clamp(0.0, f64::from(MAX_DANGER));
    if half == 0 { danger * danger / f64::from(MG_DIVISOR) } else { danger / f64::from(EG_DIVISOR) }
}

/// The derivative of [`penalty`].
fn penalty_slope(half: usize, danger: f64) -> f64 {
    if danger <= 0.0 || danger >= f64::from(MAX_DANGER) {
        0.0
    } else if half == 0 {
        2.0 * danger / f64::from(MG_DIVISOR)
    } else {
        1.0 / f64::from(EG_DIVISOR)
    }
}
