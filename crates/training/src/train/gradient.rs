//! The network's outputs for some examples, and the gradient of the loss.
//!
//! Only the rows of active features are touched: about twenty of 768 for each perspective. The rows of all
//! examples of a block are added up a few columns at a time, so that the columns in use stay in the fastest cache; and
//! for the gradient, all additions to a row follow each other.

use super::example::Example;
use super::lanes::{LANES, Lanes, floats, floats_mut};
use super::loss::Loss;
use super::processor::Work;
use super::tensors::Tensors;

/// Floats of a row that are added up at once, as an array: its known length lets the compiler use vectors throughout.
const COLUMNS: usize = 64;

/// The parameters as the network sees them: with the factoriser added to the rows of all king buckets.
#[derive(Clone, Copy)]
pub(super) struct Weights<'a> {
    /// Rows of feature weights, indexed as in [`Tensors`].
    pub(super) features: &'a [Lanes],
    pub(super) bias: &'a [Lanes],
    /// One row for each output bucket: the weights of the side to move's accumulator, then those of the other side's.
    pub(super) output: &'a [Lanes],
    pub(super) output_bias: &'a [f32; LANES],
}

impl Weights<'_> {
    /// The size of the hidden layer.
    #[inline(always)]
    fn hidden(&self) -> usize {
        self.bias.len() * LANES
    }

    /// The output weights of an example's bucket.
    #[inline(always)]
    fn output_row(&self, example: &Example) -> &[f32] {
        let size = 2 * self.hidden();
        &floats(self.output)[example.output_bucket() * size..][..size]
    }
}

/// Working memory, reused for each block.
#[derive(Default)]
pub(super) struct Scratch {
    /// For each example, the accumulators of the side to move and of the other side, that is, the hidden layer before its
    /// activation. Later the derivatives of the loss with respect to it.
    accumulators: Vec<Lanes>,
    /// Summands of an output.
    products: Vec<Lanes>,
    /// Indices of the perspectives in `accumulators`, grouped by the rows of their features.
    perspectives: Vec<u32>,
    /// End of each row's group in `perspectives`.
    ends: Vec<u32>,
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
        sum_features(self.weights, self.examples, self.scratch);
        let Scratch { accumulators, products, .. } = self.scratch;
        let hidden = floats(accumulators).chunks_exact(2 * self.weights.hidden());
        for ((output, example), hidden) in self.outputs.iter_mut().zip(self.examples).zip(hidden) {
            *output = output_layer(self.weights, example, hidden, floats_mut(products));
        }
    }
}

/// Adds the gradient of the mean loss of a block to a gradient, and returns the sum of the losses.
pub(super) struct Gradients<'a> {
    pub(super) weights: Weights<'a>,
    pub(super) loss: Loss,
    pub(super) examples: &'a [Example],
    /// Factor of each example's gradient.
    pub(super) inverse_batch_size: f32,
    pub(super) gradient: &'a mut Tensors,
    pub(super) scratch: &'a mut Scratch,
}

impl Work for Gradients<'_> {
    type Output = f64;

    #[inline(always)]
    fn run(self) -> f64 {
        let size = self.weights.hidden();
        sum_features(self.weights, self.examples, self.scratch);
        let Scratch { accumulators, products, .. } = &mut *self.scratch;
        let mut total = 0.0;
        for (example, hidden) in self.examples.iter().zip(floats_mut(accumulators).chunks_exact_mut(2 * size))
        {
            let output = output_layer(self.weights, example, hidden, floats_mut(products));
            let (loss, slope) = self.loss.loss_and_slope(output, example.target);
            total += f64::from(loss);
            differentiate(self.weights, example, slope * self.inverse_batch_size, hidden, self.gradient);
        }
        group_by_row(self.examples, self.scratch, self.gradient.features.len() * LANES / size);
        add_to_rows(floats_mut(&mut self.gradient.features), self.scratch, size);
        total
    }
}

/// Computes the accumulators of each example: the bias plus the rows of the active features of a perspective.
#[inline(always)]
fn sum_features(weights: Weights<'_>, examples: &[Example], scratch: &mut Scratch) {
    let (size, width) = (weights.hidden(), weights.bias.len());
    scratch.products.resize(2 * width, Lanes::ZERO);
    scratch.accumulators.resize(2 * width * examples.len(), Lanes::ZERO);
    let (features, bias) = (floats(weights.features), floats(weights.bias));
    for start in (0..size).step_by(COLUMNS) {
        let end = (start + COLUMNS).min(size);
        let accumulators = floats_mut(&mut scratch.accumulators).chunks_exact_mut(2 * size);
        for (example, accumulators) in examples.iter().zip(accumulators) {
            for (perspective, accumulator) in accumulators.chunks_exact_mut(size).enumerate() {
                let accumulator = &mut accumulator[start..end];
                accumulator.copy_from_slice(&bias[start..end]);
                add_rows(accumulator, example.rows(perspective), features, size, start);
            }
        }
    }
}

/// Adds columns of some rows of a matrix to `sum`, as many as it has, from `start` on.
#[inline(always)]
fn add_rows(sum: &mut [f32], rows: &[u32], matrix: &[f32], size: usize, start: usize) {
    if let Some(sum) = sum.first_chunk_mut::<COLUMNS>() {
        add_arrays(sum, rows, matrix, size, start);
    } else if let Some(sum) = sum.first_chunk_mut::<{ COLUMNS / 2 }>() {
        // The size is a multiple of 32.
        add_arrays(sum, rows, matrix, size, start);
    }
}

#[inline(always)]
fn add_arrays<const COUNT: usize>(
    sum: &mut [f32; COUNT],
    rows: &[u32],
    matrix: &[f32],
    size: usize,
    start: usize,
) {
    let array = |row: u32| matrix[row as usize * size + start..].first_chunk::<COUNT>();
    // Four rows in one pass, so that the sums are loaded and stored less often.
    let (fours, rest) = rows.as_chunks::<4>();
    for &[a, b, c, d] in fours {
        if let (Some(a), Some(b), Some(c), Some(d)) = (array(a), array(b), array(c), array(d)) {
            for index in 0..COUNT {
                sum[index] = sum[index] + a[index] + b[index] + c[index] + d[index];
            }
        }
    }
    for &row in rest {
        if let Some(row) = array(row) {
            for index in 0..COUNT {
                sum[index] += row[index];
            }
        }
    }
}

/// Returns the output for an example, given its hidden layer. `products` has the size of the hidden layer and is
/// overwritten.
#[inline(always)]
fn output_layer(weights: Weights<'_>, example: &Example, hidden: &[f32], products: &mut [f32]) -> f32 {
    for ((product, &hidden), &weight) in products.iter_mut().zip(hidden).zip(weights.output_row(example)) {
        let value = clamp(hidden);
        *product = value * value * weight;
    }
    let mut sums = products;
    while sums.len() > LANES && sums.len().is_multiple_of(2) {
        let (low, high) = sums.split_at_mut(sums.len() / 2);
        for (low, high) in low.iter_mut().zip(high) {
            *low += *high;
        }
        sums = low;
    }
    sums.iter().sum::<f32>() + weights.output_bias[example.output_bucket()]
}

/// Adds an example's gradient of all but the feature weights to `gradient`, and turns its hidden layer into the
/// derivatives with respect to it. `slope` is the derivative of the loss with respect to the output.
#[inline(always)]
fn differentiate(
    weights: Weights<'_>,
    example: &Example,
    slope: f32,
    hidden: &mut [f32],
    gradient: &mut Tensors,
) {
    let bucket = example.output_bucket();
    gradient.output_bias[0].0[bucket] += slope;
    let row_gradient = &mut floats_mut(&mut gradient.output)[bucket * hidden.len()..][..hidden.len()];
    for ((hidden, &weight), gradient) in hidden.iter_mut().zip(weights.output_row(example)).zip(row_gradient)
    {
        let value = clamp(*hidden);
        *gradient += slope * value * value;
        // The derivative of the squared clamped value; 0 where it is clamped.
        let derivative = if *hidden < 1.0 { 2.0 * value } else { 0.0 };
        *hidden = slope * weight * derivative;
    }
    let (stm, nstm) = hidden.split_at(hidden.len() / 2);
    for ((gradient, &stm), &nstm) in floats_mut(&mut gradient.bias).iter_mut().zip(stm).zip(nstm) {
        *gradient += stm + nstm;
    }
}

/// The input of the SCReLU's square.
#[inline(always)]
fn clamp(value: f32) -> f32 {
    // Not `f32::clamp`, which keeps NaN and so needs more instructions. NaN in the feature weights is found when a
    // checkpoint is written.
    let positive = if value > 0.0 { value } else { 0.0 };
    if positive < 1.0 { positive } else { 1.0 }
}

/// Groups the perspectives of the examples by the rows of their features, by counting.
#[inline(always)]
fn group_by_row(examples: &[Example], scratch: &mut Scratch, rows: usize) {
    let Scratch { perspectives, ends, .. } = scratch;
    ends.clear();
    ends.resize(rows, 0);
    let mut total = 0;
    for example in examples {
        for perspective in 0..2 {
            for &row in example.rows(perspective) {
                ends[row as usize] += 1;
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
            for &row in example.rows(perspective) {
                let end = &mut ends[row as usize];
                perspectives[*end as usize] = 2 * number + perspective as u32;
                *end += 1;
            }
        }
    }
}

/// Adds the derivatives of the hidden layers to the rows of the active features.
#[inline(always)]
fn add_to_rows(gradient: &mut [f32], scratch: &Scratch, size: usize) {
    let accumulators = floats(&scratch.accumulators);
    for start in (0..size).step_by(COLUMNS) {
        let end = (start + COLUMNS).min(size);
        let mut first = 0;
        for (row, &last) in gradient.chunks_exact_mut(size).zip(&scratch.ends) {
            let perspectives = &scratch.perspectives[first as usize..last as usize];
            first = last;
            add_rows(&mut row[start..end], perspectives, accumulators, size, start);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::lanes;
    use crate::train::loss::Blend;
    use crate::train::processor::InstructionSet;
    use crate::train::tensors::Shape;
    use rand::RngExt as _;
    use tabiya_eval::nnue::{Architecture, KingBuckets};
    use tabiya_lab_common::random;

    #[test]
    fn every_instruction_set_gives_the_same_numbers() {
        for hidden in [32, 64, 96, 256] {
            let architecture = Architecture::new(hidden, KingBuckets::single(), 2, 400).unwrap();
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
                    gradient: &mut gradient,
                    scratch: &mut scratch,
                });
                (loss, gradient)
            };
            let expected = compute(InstructionSet::Baseline);
            assert!(expected.0 > 0.0 && floats(&expected.1.features).iter().any(|&slope| slope != 0.0));
            for instructions in InstructionSet::available() {
                assert_eq!(compute(instructions), expected, "{hidden} {instructions}");
            }
        }
    }
}
