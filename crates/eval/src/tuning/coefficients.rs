//! One position as a function of the weights.

use crate::numbers::Numbers;
use crate::terms::danger::{LINE_DIVISOR, MOST_UNITS, SQUARE_DIVISOR};
use crate::tracer::record;
use crate::weights::{Term, declarations};
use crate::{Phase, endgame};
use std::sync::LazyLock;
use tabiya_core::Color;
use tabiya_movegen::Position;

/// How often each weight counts in one position, and how their sums become its value.
#[derive(Clone, Debug)]
pub struct Coefficients {
    /// The weights that count: first those that are added up (White's less Black's), then those of the danger to
    /// the white king, to the black king, and those of winnability.
    counts: Box<[Count]>,
    ends: [u16; 3],
    phase: u8,
    /// What is left of the end game's half, in 64ths, if White or Black is better.
    scales: [u8; 2],
    known: Option<i16>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Count {
    weight: u16,
    times: i16,
}

/// Middle game, end game.
type Halves = [f64; 2];

/// What the value is made of, on the way from weights to value.
struct Steps {
    danger: [Halves; 2],
    sum: Halves,
    /// What winnability multiplies each half by: the middle game's by 1.
    factor: Halves,
    /// How much each half of the stretched sum counts in the value.
    share: Halves,
    value: f64,
}

impl Coefficients {
    /// What counts in this position.
    pub fn of(position: &Position) -> Coefficients {
        static TERMS: LazyLock<Vec<Term>> = LazyLock::new(|| {
            declarations().iter().flat_map(|one| std::iter::repeat_n(one.term, one.scores.len())).collect()
        });
        let board = position.board();
        let numbers = Numbers::of(board);
        let (heard, _) = record(board, &numbers);
        let group = |index: usize, color| match (TERMS[index], color) {
            (Term::Danger, Color::White) => 1,
            (Term::Danger, Color::Black) => 2,
            (Term::Winnability, _) => 3,
            _ => 0,
        };
        let mut sorted: Vec<(usize, usize, i32)> = heard
            .iter()
            .map(|heard| {
                let group = group(heard.index, heard.color);
                let turned = group == 0 && heard.color == Color::Black;
                (group, heard.index, if turned { -heard.count } else { heard.count })
            })
            .collect();
        sorted.sort_unstable();
        sorted.dedup_by(|next, kept| {
            let same = (next.0, next.1) == (kept.0, kept.1);
            kept.2 += if same { next.2 } else { 0 };
            same
        });
        sorted.retain(|&(_, _, times)| times != 0);
        let end = |group| sorted.partition_point(|&(its, _, _)| its <= group) as u16;
        Coefficients {
            ends: [end(0), end(1), end(2)],
            counts: sorted
                .iter()
                .map(|&(_, weight, times)| Count { weight: weight as u16, times: times as i16 })
                .collect(),
            phase: numbers.phase().get(),
            scales: Color::ALL.map(|stronger| endgame::scale(board, &numbers, stronger) as u8),
            known: endgame::known(position).map(|value| value as i16),
        }
    }

    /// Is the value what it is, whatever the weights? So it is in known end games.
    pub fn is_known(&self) -> bool {
        self.known.is_some()
    }

    /// The value from White's point of view in centipawns: what the evaluation would be with these weights if
    /// it did not round.
    pub fn evaluate(&self, weights: &[f64]) -> f64 {
        match self.known {
            Some(value) => f64::from(value),
            None => self.steps(weights).value,
        }
    }

    /// Adds to `gradient` the derivatives of the value by the weights, each times `upstream`.
    pub fn add_gradient(&self, weights: &[f64], upstream: f64, gradient: &mut [f64]) {
        if self.known.is_some() {
            return;
        }
        let steps = self.steps(weights);
        let [sums, white, black, winnable] = self.groups();
        for half in 0..2 {
            let share = upstream * steps.share[half];
            let by_sum = share * steps.factor[half];
            let inside = steps.factor[half] > 0.0 && steps.factor[half] < 2.0;
            let by_winnable = if half == 1 && inside { share * steps.sum[half] / 100.0 } else { 0.0 };
            let mut add = |group: &[Count], slope: f64| {
                for count in group {
                    gradient[2 * usize::from(count.weight) + half] += slope * f64::from(count.times);
                }
            };
            add(sums, by_sum);
            add(white, -by_sum * cost_slope(half, steps.danger[0][half]));
            add(black, by_sum * cost_slope(half, steps.danger[1][half]));
            add(winnable, by_winnable);
        }
    }

    fn groups(&self) -> [&[Count]; 4] {
        let [first, second, third] = self.ends.map(usize::from);
        let all = &self.counts;
        [&all[..first], &all[first..second], &all[second..third], &all[third..]]
    }

    fn steps(&self, weights: &[f64]) -> Steps {
        let [sums, white, black, winnable] = self.groups().map(|group| total(group, weights));
        let danger = [white, black];
        let sum: Halves =
            std::array::from_fn(|half| sums[half] - cost(half, white[half]) + cost(half, black[half]));
        let factor = [1.0, 1.0 + winnable[1].clamp(-100.0, 100.0) / 100.0];
        let stretched: Halves = std::array::from_fn(|half| sum[half] * factor[half]);
        let scale = f64::from(self.scales[usize::from(stretched[1] <= 0.0)]) / f64::from(endgame::FULL);
        let middle_game = f64::from(self.phase) / f64::from(Phase::MIDDLE_GAME.get());
        let share = [middle_game, (1.0 - middle_game) * scale];
        let value = stretched[0] * share[0] + stretched[1] * share[1];
        Steps { danger, sum, factor, share, value }
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

/// [`danger::cost`](crate::terms::danger::cost) of one half, for real numbers.
fn cost(half: usize, units: f64) -> f64 {
    let units = units.clamp(0.0, f64::from(MOST_UNITS));
    if half == 0 { units * units / f64::from(SQUARE_DIVISOR) } else { units / f64::from(LINE_DIVISOR) }
}

fn cost_slope(half: usize, units: f64) -> f64 {
    if units <= 0.0 || units >= f64::from(MOST_UNITS) {
        0.0
    } else if half == 0 {
        2.0 * units / f64::from(SQUARE_DIVISOR)
    } else {
        1.0 / f64::from(LINE_DIVISOR)
    }
}
