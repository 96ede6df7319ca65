//! AdamW: Adam with decoupled weight decay (I. Loshchilov, F. Hutter, "Decoupled Weight Decay Regularization", 2019).
//!
//! After each step the weights are limited to what the quantised network can hold: see [`max_feature_weight`],
//! [`MAX_THREAT_WEIGHT`], [`MAX_OUTPUT_WEIGHT`] and [`MAX_OUTPUT_SUM`].

use super::lanes::{LANES, Lanes};
use super::processor::Work;
use super::tensors::Shape;
use tabiya_eval::nnue::{self, QA, QB};

/// Decay rate of the mean gradient.
const BETA1: f64 = 0.9;
/// Decay rate of the mean squared gradient.
const BETA2: f64 = 0.999;
/// Keeps the step of a parameter without gradients finite.
const EPSILON: f32 = 1e-8;

/// Largest magnitude of a threat weight.
pub(super) const MAX_THREAT_WEIGHT: f32 = nnue::MAX_THREAT_WEIGHT as f32 / QA as f32;
/// Largest magnitude of an output weight.
pub(super) const MAX_OUTPUT_WEIGHT: f32 = nnue::MAX_OUTPUT_WEIGHT as f32 / QB as f32;
/// Largest sum of the magnitudes of a bucket's output weights of one sign: their products with the squared activations fit in
/// an `i32`.
pub(super) const MAX_OUTPUT_SUM: f32 = (i32::MAX / (QA * QA)) as f32 / QB as f32;

/// Returns the largest magnitude of a feature weight or bias: 32 features, 32 threat features if there are any, and the bias fit
/// in an `i16`.
pub(super) fn max_feature_weight(shape: Shape) -> f32 {
    let threats = if shape.threat_width > 0 { 32 * i32::from(nnue::MAX_THREAT_WEIGHT) } else { 0 };
    ((i32::from(i16::MAX) - threats) / 33) as f32 / QA as f32
}

/// A step of the optimiser.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Step {
    /// Learning rate divided by the bias correction of the first moment.
    corrected_rate: f32,
    /// Factor of the weights: one minus learning rate times weight decay.
    decay: f32,
    /// Inverse bias correction of the second moment.
    second_correction: f32,
}

impl Step {
    /// The step with this number, counted from 1.
    pub(super) fn new(number: u64, learning_rate: f64, weight_decay: f64) -> Step {
        let power = |beta: f64| 1.0 - beta.powi(i32::try_from(number).unwrap_or(i32::MAX));
        Step {
            corrected_rate: (learning_rate / power(BETA1)) as f32,
            decay: (1.0 - learning_rate * weight_decay) as f32,
            second_correction: (1.0 / power(BETA2)) as f32,
        }
    }

    /// Updates a parameter and its moments.
    #[inline(always)]
    fn apply(self, weight: Lanes, gradient: Lanes, moments: [&mut Lanes; 2]) -> Lanes {
        let (beta1, beta2) = (BETA1 as f32, BETA2 as f32);
        let [first, second] = moments;
        *first = first.zip(gradient, |first, gradient| beta1 * first + (1.0 - beta1) * gradient);
        *second =
            second.zip(gradient, |second, gradient| beta2 * second + (1.0 - beta2) * gradient * gradient);
        let change = first.zip(*second, |first, second| {
            self.corrected_rate * first / ((second * self.second_correction).sqrt() + EPSILON)
        });
        weight.zip(change, |weight, change| weight * self.decay - change)
    }
}

/// Adds up the gradients of the shards in their order, and sets them to zero for the next mini-batch.
#[inline(always)]
fn take_sum(gradients: &mut [&mut [Lanes]], index: usize) -> Lanes {
    let mut sum = Lanes::ZERO;
    for gradient in gradients {
        sum = sum + gradient[index];
        gradient[index] = Lanes::ZERO;
    }
    sum
}

/// Limits each element to a magnitude.
#[inline(always)]
fn limit(values: Lanes, bound: f32) -> Lanes {
    values.map(|value| {
        if value > bound {
            bound
        } else if value < -bound {
            -bound
        } else {
            value
        }
    })
}

/// Updates a part of the parameters of one kind.
pub(super) struct Update<'a> {
    pub(super) step: Step,
    pub(super) weights: &'a mut [Lanes],
    pub(super) moments: [&'a mut [Lanes]; 2],
    /// The gradient of each shard.
    pub(super) gradients: Vec<&'a mut [Lanes]>,
    /// Largest magnitude of a weight.
    pub(super) bound: f32,
}

impl<'a> Update<'a> {
    /// Divides the update into those of parts of this length; the last one may be shorter.
    pub(super) fn parts(self, length: usize) -> Vec<Update<'a>> {
        let Update { step, weights, moments: [first, second], gradients, bound } = self;
        let moments = first.chunks_mut(length).zip(second.chunks_mut(length));
        let mut parts: Vec<Update<'a>> = weights
            .chunks_mut(length)
            .zip(moments)
            .map(|(weights, (first, second))| {
                let gradients = Vec::with_capacity(gradients.len());
                Update { step, weights, moments: [first, second], gradients, bound }
            })
            .collect();
        for gradient in gradients {
            for (part, gradient) in parts.iter_mut().zip(gradient.chunks_mut(length)) {
                part.gradients.push(gradient);
            }
        }
        parts
    }
}

impl Work for Update<'_> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let [first, second] = self.moments;
        for (index, weight) in self.weights.iter_mut().enumerate() {
            let gradient = take_sum(&mut self.gradients, index);
            let updated = self.step.apply(*weight, gradient, [&mut first[index], &mut second[index]]);
            *weight = limit(updated, self.bound);
        }
    }
}

/// Updates the feature weights of some features with their factoriser, and adds it to them in `merged`.
pub(super) struct FactorisedUpdate<'a> {
    pub(super) update: Update<'a>,
    pub(super) factoriser: &'a mut [Lanes],
    pub(super) factoriser_moments: [&'a mut [Lanes]; 2],
    pub(super) merged: &'a mut [Lanes],
}

impl Work for FactorisedUpdate<'_> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let Update { step, weights, moments: [first, second], gradients, bound } = &mut self.update;
        let [factoriser_first, factoriser_second] = self.factoriser_moments;
        let king_buckets = weights.len() / self.factoriser.len().max(1);
        for (index, factor) in self.factoriser.iter_mut().enumerate() {
            let rows = index * king_buckets..(index + 1) * king_buckets;
            let mut total = Lanes::ZERO;
            for at in rows.clone() {
                let gradient = take_sum(gradients, at);
                total = total + gradient;
                weights[at] = step.apply(weights[at], gradient, [&mut first[at], &mut second[at]]);
            }
            let moments = [&mut factoriser_first[index], &mut factoriser_second[index]];
            *factor = limit(step.apply(*factor, total, moments), *bound);
            for at in rows {
                self.merged[at] = limit(weights[at] + *factor, *bound);
                // The part of the bucket is limited so that the sum is.
                weights[at] = self.merged[at] - *factor;
            }
        }
    }
}

/// Scales down the output weights of a bucket whose products could overflow the sum of the quantised network.
pub(super) fn limit_output_sum(row: &mut [Lanes]) {
    let sum_of =
        |part: fn(f32) -> f32| row.iter().fold(Lanes::ZERO, |sum, lanes| sum + lanes.map(part)).sum();
    let sum = sum_of(|weight| weight.max(0.0)).max(sum_of(|weight| (-weight).max(0.0)));
    // Rounding to integers adds up to half a unit to each weight.
    let bound = MAX_OUTPUT_SUM - (row.len() * LANES) as f32 * 0.5 / QB as f32;
    if sum > bound {
        let factor = Lanes::splat(bound / sum);
        row.iter_mut().for_each(|lanes| *lanes = *lanes * factor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::processor::dispatch;

    #[test]
    fn matches_the_published_algorithm() {
        let (rate, decay, gradients) = (0.01, 0.1, [0.5, -0.2, 0.3]);
        let (mut weight, mut m, mut v) = (0.7_f64, 0.0, 0.0);
        let mut lanes = [Lanes::splat(0.7)];
        let mut moments = [[Lanes::ZERO], [Lanes::ZERO]];
        for (number, gradient) in (1..).zip(gradients) {
            m = 0.9 * m + 0.1 * gradient;
            v = 0.999 * v + 0.001 * gradient * gradient;
            let corrected = (m / (1.0 - 0.9_f64.powi(number)), v / (1.0 - 0.999_f64.powi(number)));
            weight -= rate * decay * weight + rate * corrected.0 / (corrected.1.sqrt() + 1e-8);
            // Two shards with half of the gradient each.
            let mut shards = [[Lanes::splat(gradient as f32 / 2.0)]; 2];
            let [first, second] = &mut moments;
            dispatch(Update {
                step: Step::new(number as u64, rate, decay),
                weights: &mut lanes,
                moments: [first, second],
                gradients: shards.iter_mut().map(|shard| shard.as_mut_slice()).collect(),
                bound: 10.0,
            });
            assert_eq!(shards, [[Lanes::ZERO]; 2]);
            assert!((f64::from(lanes[0].0[5]) - weight).abs() < 1e-6, "{number}: {lanes:?} {weight}");
        }
    }

    #[test]
    fn factoriser_receives_the_gradient_of_all_buckets() {
        let (king_buckets, features) = (3, 8);
        let gradient = |bucket: usize| Lanes::splat([0.3, -0.1, 0.4][bucket]);
        let mut weights = vec![Lanes::ZERO; king_buckets * features];
        let mut shard: Vec<Lanes> = (0..weights.len()).map(|index| gradient(index % king_buckets)).collect();
        let mut moments = [weights.clone(), weights.clone()];
        let mut merged = weights.clone();
        let mut factoriser = vec![Lanes::ZERO; features];
        let mut factoriser_moments = [factoriser.clone(), factoriser.clone()];
        let [first, second] = &mut moments;
        let [factoriser_first, factoriser_second] = &mut factoriser_moments;
        dispatch(FactorisedUpdate {
            update: Update {
                step: Step::new(1, 0.5, 0.0),
                weights: &mut weights,
                moments: [first, second],
                gradients: vec![&mut shard],
                bound: 0.75,
            },
            factoriser: &mut factoriser,
            factoriser_moments: [factoriser_first, factoriser_second],
            merged: &mut merged,
        });
        assert!(shard.iter().all(|&lanes| lanes == Lanes::ZERO));
        assert!(factoriser_first.iter().all(|lanes| (lanes.0[0] - 0.06).abs() < 1e-6));
        // The first step of Adam has the size of the learning rate.
        assert!(factoriser.iter().all(|lanes| (lanes.0[0] + 0.5).abs() < 1e-5));
        for (index, (weight, merged)) in weights.iter().zip(&merged).enumerate() {
            let expected = [-0.25, 0.5, -0.25][index % king_buckets];
            assert!((weight.0[3] - expected).abs() < 1e-5, "{index}: {weight:?}");
            assert_eq!(*merged, *weight + factoriser[0]);
        }
    }

    #[test]
    fn output_sum_is_limited() {
        let mut row = vec![Lanes::splat(-0.3); 128];
        limit_output_sum(&mut row);
        let units: f64 = super::super::lanes::floats(&row)
            .iter()
            .map(|&weight| f64::from(weight * 64.0).round().abs())
            .sum();
        assert!(units * 255.0 * 255.0 <= f64::from(i32::MAX));
        let mut small = vec![Lanes::splat(0.1); 64];
        limit_output_sum(&mut small);
        assert_eq!(small[9], Lanes::splat(0.1));
        // The weights of each sign are within the limit.
        let mut mixed = [vec![Lanes::splat(0.2); 64], vec![Lanes::splat(-0.2); 64]].concat();
        limit_output_sum(&mut mixed);
        assert_eq!((mixed[9], mixed[100]), (Lanes::splat(0.2), Lanes::splat(-0.2)));
    }
}
