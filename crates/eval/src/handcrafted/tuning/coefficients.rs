//! One position as a function of the weights.

use super::super::endgame;
use super::super::material_counts::MaterialCounts;
use super::super::phase::Phase;
use super::super::sum::record;
use super::super::term::Unit;
use super::super::terms::king_safety::{EG_DIVISOR, MAX_DANGER, MG_DIVISOR};
use super::super::weights::declarations;
use super::packed::{self, Blend, GROUPS, Header, Reader};
use std::borrow::Cow;
use std::sync::LazyLock;
use tabiya_core::Color;
use tabiya_movegen::Position;

/// The number of times each weight counts in a position, and everything else that its value depends on.
///
/// Packed into about a hundred bytes ([`as_bytes`](Coefficients::as_bytes)), so that a tuner can hold many positions
/// in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coefficients<'a> {
    bytes: Cow<'a, [u8]>,
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

impl<'a> Coefficients<'a> {
    /// Returns the coefficients of a position.
    pub fn of(position: &Position) -> Coefficients<'static> {
        let known = endgame::known_value(position).map(|value| value as i16);
        let bytes = known.map_or_else(|| packed_terms(position), packed::known);
        Coefficients { bytes: Cow::Owned(bytes) }
    }

    /// Returns the coefficients with these bytes, which [`as_bytes`](Coefficients::as_bytes) has returned in the same
    /// program. Other bytes give meaningless values.
    pub fn from_bytes(bytes: &'a [u8]) -> Coefficients<'a> {
        Coefficients { bytes: Cow::Borrowed(bytes) }
    }

    /// The coefficients in a packed form.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the packed form as a vector.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes.into_owned()
    }

    /// Returns true if the position is an ending with a known result, whose value does not depend on the
    /// weights.
    pub fn is_known(&self) -> bool {
        matches!(Reader::new(&self.bytes), (Header::Known(_), _))
    }

    /// Returns the value in centipawns from White's point of view: that of the evaluation with these weights,
    /// without its rounding.
    pub fn evaluate(&self, weights: &[f64]) -> f64 {
        match Reader::new(&self.bytes) {
            (Header::Known(value), _) => f64::from(value),
            (Header::Terms(blend), counts) => Steps::of(blend, counts, weights).value,
        }
    }

    /// Adds to `gradient` the derivative of the value by each weight, times `upstream`.
    pub fn add_gradient(&self, weights: &[f64], upstream: f64, gradient: &mut [f64]) {
        let (Header::Terms(blend), mut counts) = Reader::new(&self.bytes) else { return };
        let steps = Steps::of(blend, counts, weights);
        let slopes: [[f64; GROUPS]; 2] = std::array::from_fn(|half| {
            let share = upstream * steps.share[half];
            let by_sum = share * steps.factor[half];
            let unclamped = steps.factor[half] > 0.0 && steps.factor[half] < 2.0;
            let by_complexity = if half == 1 && unclamped { share * steps.sum[half] / 100.0 } else { 0.0 };
            let by_danger = steps.danger.map(|danger| by_sum * penalty_slope(half, danger[half]));
            [by_sum, -by_danger[0], by_danger[1], by_complexity]
        });
        for (mg, eg) in slopes[0].into_iter().zip(slopes[1]) {
            counts.for_each(|weight, times| {
                if let Some([first, second]) = halves_mut(gradient, weight) {
                    *first += mg * times;
                    *second += eg * times;
                }
            });
        }
    }
}

/// Packs the coefficients of a position whose value depends on the weights.
fn packed_terms(position: &Position) -> Vec<u8> {
    static UNITS: LazyLock<Vec<Unit>> = LazyLock::new(|| {
        declarations()
            .iter()
            .flat_map(|declaration| std::iter::repeat_n(declaration.term.unit(), declaration.weights.len()))
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
    let blend = Blend {
        phase: material.phase().get(),
        scale_factors: Color::ALL.map(|stronger| endgame::scale_factor(board, &material, stronger) as u8),
    };
    packed::terms(blend, &sorted)
}

impl Steps {
    fn of(blend: Blend, mut counts: Reader<'_>, weights: &[f64]) -> Steps {
        let [sums, white, black, percent]: [Halves; GROUPS] = std::array::from_fn(|_| {
            let mut total = [0.0; 2];
            counts.for_each(|weight, times| {
                if let Some([mg, eg]) = halves(weights, weight) {
                    total[0] += mg * times;
                    total[1] += eg * times;
                }
            });
            total
        });
        let sum: Halves =
            std::array::from_fn(|half| sums[half] - penalty(half, white[half]) + penalty(half, black[half]));
        let factor = [1.0, 1.0 + percent[1].clamp(-100.0, 100.0) / 100.0];
        let adjusted: Halves = std::array::from_fn(|half| sum[half] * factor[half]);
        let scale_factor = f64::from(blend.scale_factors[usize::from(adjusted[1] <= 0.0)]);
        let phase = f64::from(blend.phase) / f64::from(Phase::MIDDLEGAME.get());
        let share = [phase, (1.0 - phase) * scale_factor / f64::from(endgame::FULL_SCALE)];
        let value = adjusted[0] * share[0] + adjusted[1] * share[1];
        Steps { danger: [white, black], sum, factor, share, value }
    }
}

/// The halves of a weight in the flat list; `None` beyond its end.
fn halves(weights: &[f64], weight: usize) -> Option<Halves> {
    weights.as_chunks().0.get(weight).copied()
}

/// [`halves`], to be changed.
fn halves_mut(weights: &mut [f64], weight: usize) -> Option<&mut Halves> {
    weights.as_chunks_mut().0.get_mut(weight)
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
