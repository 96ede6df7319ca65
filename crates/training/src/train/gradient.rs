//! The network's outputs for some examples, and the gradient of the loss.
//!
//! Only the rows of active features are touched: about twenty of 768 for each perspective. In the columns of neurons with threats,
//! the rows of active threat features are added to them. All examples of a block are computed one
//! column of [`Lanes`] after another: the column of a matrix of 768 rows has 96 KiB and stays in a fast cache.
//! For the gradient, all additions to a row follow each other.

use super::example::Example;
use super::lanes::{LANES, Lanes};
use super::loss::Loss;
use super::processor::Work;
use super::tensors::Tensors;
use tabiya_eval::nnue::THREAT_FEATURES;

/// The parameters as the network sees them: with the factoriser added to the rows of all king buckets. All are laid out as in
/// [`Tensors`].
#[derive(Clone, Copy)]
pub(super) struct Weights<'a> {
    pub(super) features: &'a [Lanes],
    pub(super) threats: &'a [Lanes],
    pub(super) bias: &'a [Lanes],
    pub(super) output: &'a [Lanes],
    pub(super) output_bias: &'a [f32; LANES],
}

impl Weights<'_> {
    /// Number of [`Lanes`] in the hidden layer.
    #[inline(always)]
    fn width(&self) -> usize {
        self.bias.len()
    }

    /// Number of feature rows.
    #[inline(always)]
    fn rows(&self) -> usize {
        self.features.len() / self.width()
    }

    /// A column's threat weights, or `None` if its neurons have no threats.
    #[inline(always)]
    fn threats(&self, column: usize) -> Option<&[Lanes]> {
        self.threats.chunks_exact(THREAT_FEATURES).nth(column)
    }

    /// A column's output weights for the accumulators of the side to move and of the other side, in an output bucket.
    #[inline(always)]
    fn output(&self, bucket: usize, column: usize) -> [Lanes; 2] {
        let [stm, nstm] = output_indices(self.width(), bucket, column);
        [self.output[stm], self.output[nstm]]
    }
}

/// The indices of a column's output weights for both accumulators, in an output bucket.
#[inline(always)]
fn output_indices(width: usize, bucket: usize, column: usize) -> [usize; 2] {
    let start = 2 * width * bucket + column;
    [start, start + width]
}

/// Working memory, reused for each block.
#[derive(Default)]
pub(super) struct Scratch {
    /// The hidden layer before its activation: for each column, the accumulators of the side to move and of the other side of every
    /// example. Later, column by column, the derivatives of the loss with respect to it.
    accumulators: Vec<[Lanes; 2]>,
    /// The output of each example as sums that are still to be added, later the derivative of the loss with respect to it.
    outputs: Vec<Lanes>,
    features: RowGroups,
    threats: RowGroups,
}

/// Computes the outputs for a block.
pub(super) struct Outputs<'a> {
    pub(super) weights: Weights<'a>,
    pub(super) examples: &'a [Example],
    /// Receives the output for each example.
    pub(super) outputs: &'a mut [f32],
    pub(super) scratch: &'a mut Scratch,
}

impl Work for Outputs<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        forward(self.weights, self.examples, self.scratch);
        let examples = self.examples.iter().zip(&self.scratch.outputs);
        for (output, (example, sums)) in self.outputs.iter_mut().zip(examples) {
            *output = sums.sum() + self.weights.output_bias[example.output_bucket()];
        }
    }
}

/// Adds the gradient of the mean loss of a block to a gradient, and returns the sum of the losses.
pub(super) struct Gradients<'a> {
    pub(super) weights: Weights<'a>,
    pub(super) loss: Loss,
    /// At most 32,768, so that the indices of their perspectives fit in an `u16`.
    pub(super) examples: &'a [Example],
    /// Factor of each example's gradient.
    pub(super) inverse_batch_size: f32,
    /// True if the feature weights have a gradient, too.
    pub(super) trains_features: bool,
    pub(super) gradient: &'a mut Tensors,
    pub(super) scratch: &'a mut Scratch,
}

impl Work for Gradients<'_> {
    type Output = f64;

    #[inline(always)]
    fn run(self) -> f64 {
        let Gradients { weights, examples, gradient, scratch, .. } = self;
        forward(weights, examples, scratch);
        let mut total = 0.0;
        for (example, sums) in examples.iter().zip(&mut scratch.outputs) {
            let bucket = example.output_bucket();
            let output = sums.sum() + weights.output_bias[bucket];
            let (loss, slope) = self.loss.loss_and_slope(output, example.target);
            total += f64::from(loss);
            let slope = slope * self.inverse_batch_size;
            gradient.output_bias[0].0[bucket] += slope;
            *sums = Lanes::splat(slope);
        }
        let rows = weights.rows();
        if self.trains_features {
            scratch.features.group(examples, rows, Example::rows);
            if !weights.threats.is_empty() {
                scratch.threats.group(examples, THREAT_FEATURES, Example::threat_rows);
            }
        }
        let Scratch { accumulators, outputs, features, threats } = scratch;
        let columns = accumulators.chunks_exact_mut(examples.len().max(1));
        for (column, accumulators) in columns.enumerate() {
            differentiate(weights, examples, outputs, column, accumulators, gradient);
            if self.trains_features {
                let derivatives = accumulators.as_flattened();
                features.add(&mut gradient.features[column * rows..][..rows], derivatives);
                if let Some(gradient) = gradient.threats.chunks_exact_mut(THREAT_FEATURES).nth(column) {
                    threats.add(gradient, derivatives);
                }
            }
        }
        total
    }
}

/// Computes the accumulators of each example, the bias plus the rows of the active features and threat features of a perspective,
/// and the products whose sum is the output, without its bias.
#[inline(always)]
fn forward(weights: Weights<'_>, examples: &[Example], scratch: &mut Scratch) {
    let Scratch { accumulators, outputs, .. } = scratch;
    let (width, rows) = (weights.width(), weights.rows());
    accumulators.resize(width * examples.len(), [Lanes::ZERO; 2]);
    outputs.clear();
    outputs.resize(examples.len(), Lanes::ZERO);
    let columns = accumulators.chunks_exact_mut(examples.len().max(1));
    for (column, accumulators) in columns.enumerate() {
        let features = &weights.features[column * rows..][..rows];
        let threats = weights.threats(column);
        for ((example, accumulators), output) in examples.iter().zip(accumulators).zip(&mut *outputs) {
            let [stm_weights, nstm_weights] = weights.output(example.output_bucket(), column);
            // Not `map` of an array, which is not inlined and so has no wide vectors.
            let mut stm = sum_rows(weights.bias[column], example.rows(0), features);
            let mut nstm = sum_rows(weights.bias[column], example.rows(1), features);
            if let Some(threats) = threats {
                stm = sum_rows(stm, example.threat_rows(0), threats);
                nstm = sum_rows(nstm, example.threat_rows(1), threats);
            }
            *accumulators = [stm, nstm];
            *output = *output + square(stm) * stm_weights + square(nstm) * nstm_weights;
        }
    }
}

/// Adds some elements of a column to `sum`.
#[inline(always)]
fn sum_rows(mut sum: Lanes, rows: &[u16], column: &[Lanes]) -> Lanes {
    // Four at a time and in pairs, so that additions need not wait for each other.
    let (fours, rest) = rows.as_chunks::<4>();
    for &[a, b, c, d] in fours {
        let pairs = (
            column[usize::from(a)] + column[usize::from(b)],
            column[usize::from(c)] + column[usize::from(d)],
        );
        sum = sum + (pairs.0 + pairs.1);
    }
    for &row in rest {
        sum = sum + column[usize::from(row)];
    }
    sum
}

/// Adds the examples' gradient of a column's output weights and bias to `gradient`, and turns the accumulators into the derivatives
/// with respect to them. `slopes` are the derivatives of the loss with respect to the outputs.
#[inline(always)]
fn differentiate(
    weights: Weights<'_>,
    examples: &[Example],
    slopes: &[Lanes],
    column: usize,
    accumulators: &mut [[Lanes; 2]],
    gradient: &mut Tensors,
) {
    let mut bias = Lanes::ZERO;
    for ((example, accumulators), &slope) in examples.iter().zip(accumulators).zip(slopes) {
        let bucket = example.output_bucket();
        let output_weights = weights.output(bucket, column);
        for (side, index) in output_indices(weights.width(), bucket, column).into_iter().enumerate() {
            let hidden = accumulators[side];
            gradient.output[index] = gradient.output[index] + slope * square(hidden);
            accumulators[side] = slope * output_weights[side] * square_slope(hidden);
            bias = bias + accumulators[side];
        }
    }
    gradient.bias[column] = gradient.bias[column] + bias;
}

/// The activation of the hidden layer, SCReLU: the square of the value clamped to 0 and 1.
#[inline(always)]
fn square(hidden: Lanes) -> Lanes {
    let value = hidden.map(clamp);
    value * value
}

/// The derivative of [`square`]; 0 where the value is clamped.
#[inline(always)]
fn square_slope(hidden: Lanes) -> Lanes {
    hidden.map(|value| if value < 1.0 { 2.0 * clamp(value) } else { 0.0 })
}

#[inline(always)]
fn clamp(value: f32) -> f32 {
    // Not `f32::clamp`, which keeps NaN and so needs more instructions. NaN in the feature weights is found when a
    // checkpoint is written.
    let positive = if value > 0.0 { value } else { 0.0 };
    if positive < 1.0 { positive } else { 1.0 }
}

/// The perspectives of the examples of a block, grouped by the rows of their active features.
#[derive(Default)]
struct RowGroups {
    /// Indices of the perspectives in a column of [`Scratch::accumulators`].
    perspectives: Vec<u16>,
    /// End of each row's group in `perspectives`.
    ends: Vec<u32>,
}

impl RowGroups {
    /// Groups the perspectives by the rows that `rows_of` returns, by counting.
    #[inline(always)]
    fn group(&mut self, examples: &[Example], rows: usize, rows_of: impl Fn(&Example, usize) -> &[u16]) {
        let RowGroups { perspectives, ends } = self;
        ends.clear();
        ends.resize(rows, 0);
        let mut total = 0;
        for example in examples {
            for perspective in 0..2 {
                for &row in rows_of(example, perspective) {
                    ends[usize::from(row)] += 1;
                    total += 1;
                }
            }
        }
        // First the starts; each moves to the end while its group is filled.
        let mut start = 0;
        for end in ends.iter_mut() {
            start += std::mem::replace(end, start);
        }
        perspectives.resize(total, 0);
        for (number, example) in (0..).zip(examples) {
            for perspective in 0..2 {
                for &row in rows_of(example, perspective) {
                    let end = &mut ends[usize::from(row)];
                    perspectives[*end as usize] = 2 * number + perspective as u16;
                    *end += 1;
                }
            }
        }
    }

    /// Adds a column of the derivatives of the hidden layers to the rows of the active features.
    #[inline(always)]
    fn add(&self, gradient: &mut [Lanes], derivatives: &[Lanes]) {
        let mut first = 0;
        for (row, &last) in gradient.iter_mut().zip(&self.ends) {
            let last = last as usize;
            // Most threat features are rare: their rows need not be loaded.
            if first < last {
                *row = sum_rows(*row, &self.perspectives[first..last], derivatives);
                first = last;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::lanes::{self, floats};
    use crate::train::loss::Blend;
    use crate::train::processor::InstructionSet;
    use crate::train::tensors::Shape;
    use rand::RngExt as _;
    use tabiya_eval::nnue::{Architecture, KingBuckets};
    use tabiya_lab_common::random;

    #[test]
    fn every_instruction_set_gives_the_same_numbers() {
        for (hidden, threats) in [(32, 0), (64, 64), (96, 32), (256, 0)] {
            let plain = Architecture::new(hidden, KingBuckets::single(), 2, 400).unwrap();
            let architecture = plain.with_threats(threats).unwrap();
            let shape = Shape::new(&architecture);
            let mut random = random::seeded(3);
            let mut weights = Tensors::zeros(shape);
            for array in weights.arrays_mut() {
                lanes::fill(array, std::iter::repeat_with(|| random.random_range(-0.4..0.4)));
            }
            let blend = Blend { lambda: 0.5, eval_scale: 400.0 };
            let examples = [
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | 25 | 0.5",
                "4k3/8/8/3p4/8/8/8/4K2R b - - 0 1 | 550 | 1.0",
                "r4rk1/1bq1bppp/p2ppn2/1p6/3NPP2/2N1B3/PPPQ2PP/2KR1B1R w - - 0 1 | 80 | 0.0",
            ]
            .map(|text| Example::new(&text.parse().unwrap(), &architecture, blend));
            let weights = Weights {
                features: &weights.features,
                threats: &weights.threats,
                bias: &weights.bias,
                output: &weights.output,
                output_bias: &weights.output_bias[0].0,
            };
            let compute = |instructions: InstructionSet| {
                let (mut gradient, mut scratch) = (Tensors::zero_gradient(shape), Scratch::default());
                let loss = instructions.run(Gradients {
                    weights,
                    loss: Loss { slope: 1.0, exponent: 2.0 },
                    examples: &examples,
                    inverse_batch_size: 0.1,
                    trains_features: true,
                    gradient: &mut gradient,
                    scratch: &mut scratch,
                });
                (loss, gradient)
            };
            let expected = compute(InstructionSet::Baseline);
            assert!(expected.0 > 0.0 && floats(&expected.1.features).iter().any(|&slope| slope != 0.0));
            assert_eq!(floats(&expected.1.threats).iter().any(|&slope| slope != 0.0), threats > 0);
            for instructions in InstructionSet::available() {
                assert_eq!(compute(instructions), expected, "{hidden} {instructions}");
            }
        }
    }
}
