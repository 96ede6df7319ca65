//! The network in training: parameters, optimiser state and gradients, and one step on a mini-batch.
//!
//! A mini-batch is divided into shards with a gradient each, which threads compute side by side and then add up in the
//! order of the shards. So a result depends on the number of shards, but neither on that of threads nor on timing.

use super::example::{Example, row};
use super::gradient::{Gradients, Outputs, Scratch, Weights};
use super::lanes::{self, Lanes};
use super::loss::{Blend, Loss};
use super::optimiser::{
    FactorisedUpdate, MAX_OUTPUT_WEIGHT, MAX_THREAT_WEIGHT, Step, Update, limit_output_sum,
    max_feature_weight,
};
use super::processor::dispatch;
use super::tensors::{Shape, Tensors};
use crate::parallel::for_each_parallel;
use bulletformat::ChessBoard;
use rand::RngExt as _;
use std::sync::{Mutex, PoisonError};
use tabiya_eval::nnue::{Architecture, FEATURES_PER_BUCKET, THREAT_FEATURES};
use tabiya_lab_common::random;

/// Examples that are computed at once.
const BLOCK: usize = 512;

/// Typical number of active features, for the initial weights.
const ACTIVE_FEATURES: f32 = 24.0;

/// The loss, and the targets that records are turned into.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Objective {
    pub(super) loss: Loss,
    pub(super) blend: Blend,
}

/// A network in training.
pub(super) struct Model {
    architecture: Architecture,
    shape: Shape,
    pub(super) parameters: Tensors,
    /// First and second moments of the gradient.
    pub(super) moments: [Tensors; 2],
    /// Feature weights with the factoriser added; empty without king buckets.
    merged: Vec<Lanes>,
    /// False if only the output layer changes. The gradients of the hidden layer are then without use.
    trains_features: bool,
    shards: Vec<Mutex<Shard>>,
    threads: usize,
}

/// The working memory for a part of a mini-batch.
struct Shard {
    gradient: Tensors,
    scratch: Scratch,
    /// Sum of the losses of the last mini-batch.
    loss: f64,
}

impl Model {
    /// A network with random weights.
    pub(super) fn new(architecture: &Architecture, seed: u64, shards: usize, threads: usize) -> Model {
        let shape = Shape::new(architecture);
        let zeros = Tensors::zeros(shape);
        let shard =
            || Shard { gradient: Tensors::zero_gradient(shape), scratch: Scratch::default(), loss: 0.0 };
        let mut model = Model {
            architecture: architecture.clone(),
            shape,
            parameters: initial_parameters(shape, seed),
            moments: [zeros.clone(), zeros],
            merged: Vec::new(),
            trains_features: true,
            shards: (0..shards.max(1)).map(|_| Mutex::new(shard())).collect(),
            threads: threads.max(1),
        };
        model.merge();
        model
    }

    pub(super) fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// Keeps the feature weights and biases of the hidden layer as they are: from now on, only the output layer changes.
    pub(super) fn freeze_features(&mut self) {
        self.trains_features = false;
    }

    /// Recomputes what derives from the parameters; necessary after changing them.
    pub(super) fn merge(&mut self) {
        if self.shape.has_factoriser() {
            let rows =
                self.parameters.features.chunks(self.shape.king_buckets).zip(&self.parameters.factoriser);
            self.merged =
                rows.flat_map(|(rows, &shared)| rows.iter().map(move |&row| row + shared)).collect();
        }
    }

    /// Takes the parameters of a network of the same sizes that may lack king buckets and threats, so that the values stay the same:
    /// each bucket starts with its feature weights, and the threat weights are zero.
    pub(super) fn extend(&mut self, plain: Tensors) {
        let Tensors { factoriser, features, threats, bias, output, output_bias } = plain;
        let parameters = &mut self.parameters;
        if features.len() == parameters.features.len() {
            (parameters.factoriser, parameters.features) = (factoriser, features);
        } else {
            parameters.factoriser = features;
            parameters.features.fill(Lanes::ZERO);
        }
        if threats.is_empty() {
            parameters.threats.fill(Lanes::ZERO);
        } else {
            parameters.threats = threats;
        }
        (parameters.bias, parameters.output, parameters.output_bias) = (bias, output, output_bias);
        self.merge();
    }

    /// The weights of a feature in a king bucket, with the factoriser added.
    pub(super) fn feature_row(&self, feature: usize) -> impl Iterator<Item = &f32> {
        let row = row(feature, self.shape.king_buckets);
        lanes::row(self.weights().features, row, self.shape.rows())
    }

    /// The weights of a threat feature.
    pub(super) fn threat_row(&self, feature: usize) -> impl Iterator<Item = &f32> {
        lanes::row(&self.parameters.threats, feature, THREAT_FEATURES)
    }

    fn weights(&self) -> Weights<'_> {
        let Tensors { features, threats, bias, output, output_bias, .. } = &self.parameters;
        let features = if self.shape.has_factoriser() { &self.merged } else { features };
        Weights { features, threats, bias, output, output_bias: &output_bias[0].0 }
    }

    /// Computes the network's output for each record.
    pub(super) fn outputs(&self, records: &[ChessBoard], blend: Blend) -> Vec<f32> {
        let mut outputs = vec![0.0; records.len()];
        let tasks = records.chunks(16 * BLOCK).zip(outputs.chunks_mut(16 * BLOCK));
        for_each_parallel(tasks.collect(), self.threads, |(records, outputs)| {
            let mut scratch = Scratch::default();
            for (records, outputs) in records.chunks(BLOCK).zip(outputs.chunks_mut(BLOCK)) {
                let examples = self.examples(records, blend);
                let (weights, examples) = (self.weights(), examples.as_slice());
                dispatch(Outputs { weights, examples, outputs, scratch: &mut scratch });
            }
        });
        outputs
    }

    fn examples(&self, records: &[ChessBoard], blend: Blend) -> Vec<Example> {
        records.iter().map(|record| Example::new(record, &self.architecture, blend)).collect()
    }

    /// The examples of a block ordered by the numbers of their rows, so that the processor predicts the ends of the loops over them.
    fn ordered_examples(&self, records: &[ChessBoard], blend: Blend) -> Vec<Example> {
        let mut examples = self.examples(records, blend);
        examples.sort_by_key(|example| (example.rows(0).len(), example.threat_rows(0).len()));
        examples
    }

    /// Changes the parameters by one step on a mini-batch and returns the mean loss before it.
    pub(super) fn step(&mut self, records: &[ChessBoard], objective: Objective, step: Step) -> f64 {
        let loss = self.compute_gradients(records, objective);
        self.update(step);
        loss
    }

    /// Adds the gradient of the mean loss to those of the shards, and returns the mean loss.
    fn compute_gradients(&self, records: &[ChessBoard], objective: Objective) -> f64 {
        let inverse_batch_size = 1.0 / records.len().max(1) as f32;
        let length = records.len().div_ceil(self.shards.len()).max(1);
        let tasks: Vec<_> = records.chunks(length).zip(&self.shards).collect();
        let used = tasks.len();
        for_each_parallel(tasks, self.threads, |(records, shard)| {
            let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
            let Shard { gradient, scratch, loss } = &mut *shard;
            *loss = 0.0;
            for records in records.chunks(BLOCK) {
                let examples = self.ordered_examples(records, objective.blend);
                let (weights, examples) = (self.weights(), examples.as_slice());
                let block = Gradients {
                    weights,
                    loss: objective.loss,
                    examples,
                    inverse_batch_size,
                    trains_features: self.trains_features,
                    gradient,
                    scratch,
                };
                *loss += dispatch(block);
            }
        });
        let losses = self.shards[..used].iter().map(|shard| lock(shard).loss);
        losses.sum::<f64>() / records.len().max(1) as f64
    }

    /// Moves the parameters along the gradients of the shards and sets those to zero.
    fn update(&mut self, step: Step) {
        if self.trains_features {
            self.update_features(step);
            self.update_threats(step);
        }
        let max_feature_weight = max_feature_weight(self.shape);
        let [first, second] = &mut self.moments;
        let mut gradients = gradients(&mut self.shards);
        macro_rules! update {
            ($array:ident, $bound:expr) => {
                dispatch(Update {
                    step,
                    weights: &mut self.parameters.$array,
                    moments: [&mut first.$array, &mut second.$array],
                    gradients: gradients.iter_mut().map(|gradient| gradient.$array.as_mut_slice()).collect(),
                    bound: $bound,
                });
            };
        }
        if self.trains_features {
            update!(bias, max_feature_weight);
        }
        update!(output, MAX_OUTPUT_WEIGHT);
        update!(output_bias, f32::MAX);
        self.parameters.output.chunks_mut(2 * self.shape.width).for_each(limit_output_sum);
    }

    /// Moves the feature weights along their gradients.
    fn update_features(&mut self, step: Step) {
        let Shape { width, .. } = self.shape;
        let [first, second] = &mut self.moments;
        let gradients = gradients(&mut self.shards);
        // A part has all king buckets of its features.
        let features = part_length(FEATURES_PER_BUCKET * width, self.threads);
        let rows = features * self.shape.king_buckets;
        let all = Update {
            step,
            weights: &mut self.parameters.features,
            moments: [&mut first.features, &mut second.features],
            gradients: gradients.into_iter().map(|gradient| gradient.features.as_mut_slice()).collect(),
            bound: max_feature_weight(self.shape),
        };
        let updates = all.parts(rows);
        if self.shape.has_factoriser() {
            let factors = self.parameters.factoriser.chunks_mut(features);
            let moments = first.factoriser.chunks_mut(features).zip(second.factoriser.chunks_mut(features));
            let merged = self.merged.chunks_mut(rows);
            let tasks = updates.into_iter().zip(factors).zip(moments).zip(merged).map(
                |(((update, factoriser), (first, second)), merged)| FactorisedUpdate {
                    update,
                    factoriser,
                    factoriser_moments: [first, second],
                    merged,
                },
            );
            for_each_parallel(tasks.collect(), self.threads, dispatch);
        } else {
            for_each_parallel(updates, self.threads, dispatch);
        }
    }

    /// Moves the threat weights along their gradients.
    fn update_threats(&mut self, step: Step) {
        let length = part_length(self.parameters.threats.len(), self.threads);
        let [first, second] = &mut self.moments;
        let gradients = gradients(&mut self.shards);
        let all = Update {
            step,
            weights: &mut self.parameters.threats,
            moments: [&mut first.threats, &mut second.threats],
            gradients: gradients.into_iter().map(|gradient| gradient.threats.as_mut_slice()).collect(),
            bound: MAX_THREAT_WEIGHT,
        };
        for_each_parallel(all.parts(length), self.threads, dispatch);
    }

    /// The summed gradient of the shards.
    #[cfg(test)]
    fn gradient(&self) -> Tensors {
        let mut sum = Tensors::zero_gradient(self.shape);
        for shard in &self.shards {
            for (sum, (_, part)) in sum.arrays_mut().into_iter().zip(lock(shard).gradient.arrays()) {
                sum.iter_mut().zip(part).for_each(|(sum, &part)| *sum = *sum + part);
            }
        }
        sum
    }
}

/// Length of the parts of an array that threads update side by side: so short that a thread which is interrupted does not hold up
/// the others for long.
fn part_length(length: usize, threads: usize) -> usize {
    length.div_ceil(8 * threads).max(1)
}

/// The gradients of the shards.
fn gradients(shards: &mut [Mutex<Shard>]) -> Vec<&mut Tensors> {
    shards
        .iter_mut()
        .map(|shard| &mut shard.get_mut().unwrap_or_else(PoisonError::into_inner).gradient)
        .collect()
}

fn lock(shard: &Mutex<Shard>) -> std::sync::MutexGuard<'_, Shard> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Uniform weights whose sums have a standard deviation that neither saturates the activation nor the sigmoid. With a
/// factoriser, the parts of the king buckets start at zero. So do the threat weights.
fn initial_parameters(shape: Shape, seed: u64) -> Tensors {
    let mut random = random::seeded(seed);
    let mut tensors = Tensors::zeros(shape);
    let mut fill = |array: &mut [Lanes], deviation: f32| {
        let bound = deviation * 3.0_f32.sqrt();
        lanes::fill(array, std::iter::repeat_with(|| random.random_range(-bound..=bound)));
    };
    let features = if shape.has_factoriser() { &mut tensors.factoriser } else { &mut tensors.features };
    fill(features, 0.5 / ACTIVE_FEATURES.sqrt());
    fill(&mut tensors.output, 1.0 / (tensors.bias.len() as f32 * lanes::LANES as f32).sqrt());
    tensors
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::position;
    use crate::train::lanes::floats_mut;
    use crate::train::quantise::{dequantise, quantise};
    use tabiya_eval::nnue::KingBuckets;

    const SCALE: i32 = 400;

    const OBJECTIVE: Objective = Objective {
        loss: Loss { slope: 1.0, exponent: 2.0 },
        blend: Blend { lambda: 0.6, eval_scale: 400.0 },
    };

    /// Positions with few and many pieces, kings on both wings, and different targets.
    fn records() -> Vec<ChessBoard> {
        [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | 25 | 0.5",
            "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 2 3 | -300 | 1.0",
            "4k3/8/8/8/8/8/8/4K2R w - - 0 1 | 550 | 1.0",
            "1k6/pp6/8/8/8/8/5PPP/1R4K1 b - - 0 1 | 480 | 1.0",
            "8/5k2/8/3p4/3P4/2K5/8/8 w - - 0 1 | -20 | 0.0",
            "r4rk1/1bq1bppp/p2ppn2/1p6/3NPP2/2N1B3/PPPQ2PP/2KR1B1R w - - 0 1 | 80 | 0.0",
            "2kr4/ppp5/8/8/8/8/5PPP/3R2K1 w - - 0 1 | 0 | 0.5",
        ]
        .map(|text| text.parse().unwrap())
        .to_vec()
    }

    /// The sizes of a network.
    #[derive(Clone, Copy, PartialEq, Debug)]
    struct Sizes {
        hidden: usize,
        threats: usize,
        king_buckets: u8,
    }

    fn architecture(sizes: Sizes) -> Architecture {
        let map = std::array::from_fn(|square| (square % usize::from(sizes.king_buckets)) as u8);
        let plain = Architecture::new(sizes.hidden, KingBuckets::new(map).unwrap(), 3, SCALE).unwrap();
        plain.with_threats(sizes.threats).unwrap()
    }

    fn model(sizes: Sizes, shards: usize, threads: usize) -> Model {
        let mut model = Model::new(&architecture(sizes), 7, shards, threads);
        // Random numbers everywhere, also in the parts that start at zero.
        let mut random = random::seeded(8);
        for array in model.parameters.arrays_mut() {
            for value in floats_mut(array) {
                *value += random.random_range(-0.05..=0.05);
            }
        }
        model.merge();
        model
    }

    #[test]
    fn gradient_matches_finite_differences() {
        let records = records();
        for (sizes, exponent) in [
            (Sizes { hidden: 32, threats: 0, king_buckets: 1 }, 2.0),
            (Sizes { hidden: 96, threats: 64, king_buckets: 3 }, 2.4),
        ] {
            let objective = Objective { loss: Loss { exponent, ..OBJECTIVE.loss }, ..OBJECTIVE };
            let mut model = model(sizes, 3, 2);
            model.compute_gradients(&records, objective);
            let gradient = model.gradient();
            let loss = |model: &Model| {
                let outputs = model.outputs(&records, objective.blend);
                let losses = outputs.iter().zip(&records).map(|(&output, record)| {
                    let target = objective.blend.target(record);
                    f64::from(objective.loss.loss_and_slope(output, target).0)
                });
                losses.sum::<f64>() / records.len() as f64
            };
            // The first array is the factoriser; its gradient is the sum of those of the king buckets.
            for array in 1..6 {
                let slopes = lanes::floats(gradient.arrays()[array].1).to_vec();
                let mut largest: Vec<usize> = (0..slopes.len()).collect();
                largest.sort_by(|&a, &b| slopes[b].abs().total_cmp(&slopes[a].abs()));
                for &index in largest.iter().take(12) {
                    let mut at = |change: f32| {
                        floats_mut(model.parameters.arrays_mut()[array])[index] += change;
                        model.merge();
                        let loss = loss(&model);
                        floats_mut(model.parameters.arrays_mut()[array])[index] -= change;
                        loss
                    };
                    let difference = (at(4e-4) - at(-4e-4)) / 8e-4;
                    let slope = f64::from(slopes[index]);
                    let tolerance = 1e-4 + 0.03 * slope.abs();
                    assert!((slope - difference).abs() < tolerance, "{array} {index}: {slope} {difference}");
                }
            }
        }
    }

    #[test]
    fn small_network_overfits_a_few_positions() {
        let records = records();
        for (threats, king_buckets) in [(0, 1), (32, 4)] {
            let sizes = Sizes { hidden: 32, threats, king_buckets };
            let mut model = Model::new(&architecture(sizes), 1, 2, 1);
            let first = model.step(&records, OBJECTIVE, Step::new(1, 0.01, 0.0));
            let last =
                (2..400).map(|number| model.step(&records, OBJECTIVE, Step::new(number, 0.01, 0.0))).last();
            assert!(first > 0.02 && last.unwrap() < 1e-4, "{first} {last:?}");
        }
    }

    #[test]
    fn frozen_features_stay_and_the_output_layer_learns() {
        let records = records();
        for (threats, king_buckets) in [(32, 1), (0, 3)] {
            let mut model = model(Sizes { hidden: 32, threats, king_buckets }, 2, 1);
            let before = model.parameters.clone();
            model.freeze_features();
            let losses: Vec<f64> = (1..400)
                .map(|number| model.step(&records, OBJECTIVE, Step::new(number, 0.01, 0.01)))
                .collect();
            let Tensors { factoriser, features, threats, bias, output, output_bias } = &model.parameters;
            assert_eq!((features, factoriser, bias), (&before.features, &before.factoriser, &before.bias));
            assert_eq!(*threats, before.threats);
            assert!(*output != before.output && *output_bias != before.output_bias);
            assert!(losses[398] < 0.2 * losses[0], "{} {}", losses[0], losses[398]);
        }
    }

    #[test]
    fn result_depends_on_shards_but_not_on_threads() {
        let records: Vec<ChessBoard> = records().into_iter().cycle().take(700).collect();
        let trained = |sizes, shards, threads| {
            let mut model = model(sizes, shards, threads);
            for number in 1..5 {
                model.step(&records, OBJECTIVE, Step::new(number, 0.001, 0.01));
            }
            model.parameters
        };
        for (threats, king_buckets) in [(0, 1), (32, 2)] {
            let sizes = Sizes { hidden: 64, threats, king_buckets };
            let expected = trained(sizes, 4, 1);
            for threads in [2, 3, 8] {
                assert_eq!(trained(sizes, 4, threads), expected);
            }
            assert_ne!(trained(sizes, 1, 1), expected);
        }
    }

    #[test]
    fn quantised_network_has_nearly_the_same_values() {
        let records = records();
        for sizes in [
            Sizes { hidden: 32, threats: 0, king_buckets: 1 },
            Sizes { hidden: 64, threats: 64, king_buckets: 1 },
            Sizes { hidden: 128, threats: 32, king_buckets: 4 },
        ] {
            let model = model(sizes, 1, 1);
            let network = quantise(&model, "test").unwrap();
            let value = |record: &ChessBoard| f64::from(network.evaluate(&position(record).unwrap()));
            let error = |model: &Model, record: &ChessBoard| {
                let outputs = model.outputs(std::slice::from_ref(record), OBJECTIVE.blend);
                f64::from(outputs[0]) * f64::from(SCALE) - value(record)
            };
            let mut rounded = Model::new(model.architecture(), 1, 1, 1);
            dequantise(&network, &mut rounded);
            for record in &records {
                // With the rounded weights only the integer arithmetic differs.
                assert!(error(&rounded, record).abs() < 1.5, "{sizes:?}: {}", error(&rounded, record));
                // The rounding of the random weights of a small network.
                assert!(error(&model, record).abs() < 20.0, "{sizes:?}: {}", error(&model, record));
            }
        }
    }

    #[test]
    fn weights_are_clipped_to_what_integers_hold() {
        let records = records();
        for (threats, bound) in [(0, 992.0 / 255.0), (64, 869.0 / 255.0)] {
            let sizes = Sizes { hidden: 1024, threats, king_buckets: 2 };
            let mut model = Model::new(&architecture(sizes), 3, 2, 2);
            for number in 1..30 {
                model.step(&records, OBJECTIVE, Step::new(number, 1.5, 0.0));
            }
            let largest = |array: &[Lanes]| {
                lanes::floats(array).iter().fold(0.0, |largest: f32, value| largest.max(value.abs()))
            };
            assert_eq!(largest(&model.merged), bound);
            assert!(largest(&model.parameters.bias) <= bound);
            assert_eq!(largest(&model.parameters.threats), if threats > 0 { MAX_THREAT_WEIGHT } else { 0.0 });
            assert!(largest(&model.parameters.output) <= MAX_OUTPUT_WEIGHT);
            quantise(&model, "clipped").unwrap();
        }
    }

    #[test]
    fn largest_weights_fit_the_quantised_network() {
        for threats in [0, 32] {
            let sizes = Sizes { hidden: 32, threats, king_buckets: 1 };
            let mut model = Model::new(&architecture(sizes), 3, 1, 1);
            for array in [0, 1, 2, 3] {
                model.parameters.arrays_mut()[array].fill(Lanes::splat(100.0));
            }
            let parameters = quantise(&model, "largest").unwrap().parameters();
            let largest = if threats > 0 { 869 } else { 992 };
            assert_eq!((parameters.feature_weights[0], parameters.feature_bias[0]), (largest, largest));
            assert!(parameters.threat_weights.iter().all(|&weight| weight == 127));
        }
    }

    #[test]
    fn threats_start_at_zero() {
        let sizes = Sizes { hidden: 64, threats: 32, king_buckets: 2 };
        let [plain, with_threats] = [0, 32].map(|threats| {
            Model::new(&architecture(Sizes { threats, ..sizes }), 5, 1, 1)
                .outputs(&records(), OBJECTIVE.blend)
        });
        assert_eq!(plain, with_threats);
    }
}
