//! Mini-batch gradient descent with Adam (D. Kingma, J. Ba, "Adam: a method for stochastic optimization",
//! 2015).

use super::model::Model;
use super::samples::Samples;
use super::sigmoid::Sigmoid;
use crate::parallel::{map_chunks, map_ranges};
use anyhow::{Result, bail};
use rand::seq::SliceRandom;
use serde::Serialize;
use tabiya_lab_common::random;

/// Hyperparameters of the training.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(super) struct Settings {
    /// Maximum number of epochs.
    pub(super) epochs: u32,
    /// Mini-batch size, in positions.
    pub(super) batch: usize,
    /// Initial learning rate: size of the first steps, in units of the weights.
    #[serde(rename = "rate")]
    pub(super) learning_rate: f64,
    /// L2 regularisation: penalty per squared distance of a weight from its start value.
    pub(super) l2: f64,
    /// Epochs without improvement on the held-out set before the learning rate is lowered.
    pub(super) patience: u32,
    /// Number of threads. It affects the order of the floating-point sums and so the last digits of the results.
    pub(super) threads: usize,
    /// Seed of the shuffling.
    pub(super) seed: u64,
}

/// Number of times that the learning rate is lowered before the training stops.
const MAX_DECAYS: u32 = 3;

/// Factor by which the learning rate is lowered.
const DECAY: f64 = 0.3;

/// The state after an epoch.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(super) struct Epoch {
    pub(super) number: u32,
    #[serde(rename = "rate")]
    pub(super) learning_rate: f64,
    /// Mean squared error on the training set.
    pub(super) training: f64,
    /// Mean squared error on the held-out set.
    pub(super) held_out: f64,
}

/// Trains until the error on the held-out set stops falling, and returns the weights with the lowest error
/// there (early stopping). Only weights whose `free` is true change. `on_epoch` is called before the training
/// as epoch 0 and after every epoch; it stops the training by returning false.
///
/// # Errors
/// If the training diverges: the error is no longer finite.
pub(super) fn train(
    model: &impl Model,
    [training, held_out]: [&Samples; 2],
    sigmoid: Sigmoid,
    free: &[bool],
    settings: &Settings,
    mut on_epoch: impl FnMut(Epoch) -> bool,
) -> Result<Vec<f64>> {
    let start = model.weights();
    let mut random = random::seeded(settings.seed);
    let mut order: Vec<u32> = (0..training.len()).map(u32::try_from).collect::<Result<_, _>>()?;
    let error = |samples: &Samples, weights: &[f64]| {
        mean_squared_error(model, samples, sigmoid, weights, settings.threads)
    };
    let mut best = (error(held_out, &start), start.clone());
    let mut weights = start.clone();
    let mut adam = Adam::new(weights.len(), settings.learning_rate);
    let (mut stale_epochs, mut decays) = (0, 0);
    let mut keep_going = on_epoch(Epoch {
        number: 0,
        learning_rate: adam.learning_rate,
        training: error(training, &start),
        held_out: best.0,
    });
    for number in 1..=settings.epochs {
        if !keep_going {
            break;
        }
        order.shuffle(&mut random);
        for batch in order.chunks(settings.batch.max(1)) {
            let mut gradient = gradient(model, training, batch, sigmoid, &weights, settings.threads);
            for (index, slope) in gradient.iter_mut().enumerate() {
                *slope += 2.0 * settings.l2 * (weights[index] - start[index]);
                *slope *= f64::from(u8::from(free[index]));
            }
            adam.step(&mut weights, &gradient);
        }
        let epoch = Epoch {
            number,
            learning_rate: adam.learning_rate,
            training: error(training, &weights),
            held_out: error(held_out, &weights),
        };
        if !epoch.training.is_finite() || !epoch.held_out.is_finite() {
            bail!("epoch {number}: the error is not finite; try a smaller --rate");
        }
        keep_going = on_epoch(epoch);
        if epoch.held_out < best.0 {
            best = (epoch.held_out, weights.clone());
            stale_epochs = 0;
            continue;
        }
        stale_epochs += 1;
        if stale_epochs >= settings.patience {
            if decays == MAX_DECAYS {
                break;
            }
            decays += 1;
            stale_epochs = 0;
            weights.clone_from(&best.1);
            adam = Adam::new(weights.len(), adam.learning_rate * DECAY);
        }
    }
    Ok(best.1)
}

/// Mean squared error between the targets and the expected points of the evaluation.
pub(super) fn mean_squared_error(
    model: &impl Model,
    samples: &Samples,
    sigmoid: Sigmoid,
    weights: &[f64],
    threads: usize,
) -> f64 {
    let sums = map_ranges(samples.len(), threads, |range| {
        range
            .map(|index| {
                let (features, target) = samples.get(index);
                let expected = sigmoid.expected_points(model.evaluate(features, weights));
                (expected - f64::from(target)).powi(2)
            })
            .sum::<f64>()
    });
    sums.iter().sum::<f64>() / samples.len() as f64
}

/// Gradient of the mean squared error of a mini-batch.
fn gradient(
    model: &impl Model,
    samples: &Samples,
    batch: &[u32],
    sigmoid: Sigmoid,
    weights: &[f64],
    threads: usize,
) -> Vec<f64> {
    let scale = 1.0 / batch.len() as f64;
    let parts = map_chunks(batch, threads, |chunk| {
        let mut gradient = vec![0.0; weights.len()];
        for &index in chunk {
            let (features, target) = samples.get(index as usize);
            let expected = sigmoid.expected_points(model.evaluate(features, weights));
            let upstream = 2.0 * (expected - f64::from(target)) * sigmoid.derivative(expected);
            model.add_gradient(features, weights, scale * upstream, &mut gradient);
        }
        gradient
    });
    let mut parts = parts.into_iter();
    let mut sum = parts.next().unwrap_or_default();
    for part in parts {
        sum.iter_mut().zip(part).for_each(|(total, value)| *total += value);
    }
    sum
}

/// State of the Adam optimiser.
struct Adam {
    learning_rate: f64,
    /// First moment: decaying mean of the gradient.
    mean: Vec<f64>,
    /// Second moment: decaying mean of the squared gradient.
    square: Vec<f64>,
    /// Bias of the two moments towards their start value of 0: the decay rates to the power of the step number.
    bias: [f64; 2],
}

impl Adam {
    const BETAS: [f64; 2] = [0.9, 0.999];

    fn new(length: usize, learning_rate: f64) -> Adam {
        Adam { learning_rate, mean: vec![0.0; length], square: vec![0.0; length], bias: [1.0; 2] }
    }

    fn step(&mut self, weights: &mut [f64], gradient: &[f64]) {
        let [beta1, beta2] = Adam::BETAS;
        self.bias = [self.bias[0] * beta1, self.bias[1] * beta2];
        for (index, &slope) in gradient.iter().enumerate() {
            let mean = &mut self.mean[index];
            let square = &mut self.square[index];
            *mean = beta1 * *mean + (1.0 - beta1) * slope;
            *square = beta2 * *square + (1.0 - beta2) * slope * slope;
            let [mean, square] = [*mean / (1.0 - self.bias[0]), *square / (1.0 - self.bias[1])];
            weights[index] -= self.learning_rate * mean / (square.sqrt() + 1e-12);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::model::toy::Material;
    use super::*;
    use rand::RngExt;

    const SIGMOID: Sigmoid = Sigmoid { k: 1.0 };
    /// True weights, from which the targets are computed.
    const TRUTH: [f64; 5] = [100.0, 320.0, 18.0, 500.0, 900.0];

    /// Random positions whose targets are the points expected from the true weights.
    fn samples(seed: u64, count: usize) -> Samples {
        let mut random = random::seeded(seed);
        let mut samples = Samples::default();
        for _ in 0..count {
            let features: [u8; 5] = std::array::from_fn(|_| random.random_range(-2_i8..=2).cast_unsigned());
            let target = SIGMOID.expected_points(Material.evaluate(&features, &TRUTH)) as f32;
            samples.push(&features, target);
        }
        samples
    }

    fn settings() -> Settings {
        Settings { epochs: 400, batch: 256, learning_rate: 5.0, l2: 0.0, patience: 5, threads: 3, seed: 1 }
    }

    fn tuned(settings: &Settings, free: &[bool]) -> (Vec<f64>, Vec<Epoch>) {
        let (training, held_out) = (samples(1, 4000), samples(2, 400));
        let mut epochs = Vec::new();
        let weights = train(&Material, [&training, &held_out], SIGMOID, free, settings, |epoch| {
            epochs.push(epoch);
            true
        });
        (weights.unwrap(), epochs)
    }

    #[test]
    fn recovers_true_weights() {
        let (weights, epochs) = tuned(&settings(), &[true; 5]);
        for (weight, truth) in weights.iter().zip(TRUTH) {
            assert!((weight / truth - 1.0).abs() < 0.02, "{weights:?}");
        }
        let best = epochs.iter().map(|epoch| epoch.held_out).fold(f64::INFINITY, f64::min);
        assert!(best < 1e-6 && epochs[0].held_out > 1e-3, "{best}");
        assert!(epochs.len() < 400, "no early stopping");
    }

    #[test]
    fn gradient_matches_finite_differences() {
        let samples = samples(3, 100);
        let batch: Vec<u32> = (0..100).collect();
        let weights = Material.weights();
        let slopes = gradient(&Material, &samples, &batch, SIGMOID, &weights, 3);
        for index in 0..weights.len() {
            let error = |change: f64| {
                let mut weights = weights.clone();
                weights[index] += change;
                mean_squared_error(&Material, &samples, SIGMOID, &weights, 2)
            };
            let slope = (error(1e-3) - error(-1e-3)) / 2e-3;
            assert!((slope - slopes[index]).abs() < 1e-8, "{index}: {slope} {}", slopes[index]);
        }
    }

    #[test]
    fn training_is_reproducible() {
        let settings = Settings { epochs: 3, ..settings() };
        assert_eq!(tuned(&settings, &[true; 5]), tuned(&settings, &[true; 5]));
        let other = Settings { seed: 2, ..settings.clone() };
        assert_ne!(tuned(&settings, &[true; 5]).0, tuned(&other, &[true; 5]).0);
    }

    #[test]
    fn frozen_and_regularised_weights_stay() {
        let (weights, _) = tuned(&Settings { epochs: 20, ..settings() }, &[true, false, true, true, false]);
        assert_eq!([weights[1], weights[4]], [200.0, 600.0]);
        assert_ne!(weights[0], 50.0);
        let strict = Settings { l2: 1.0, learning_rate: 0.01, ..settings() };
        let (weights, _) = tuned(&strict, &[true; 5]);
        let drift = weights.iter().zip(Material.weights()).map(|(weight, start)| (weight - start).abs());
        assert!(drift.fold(0.0, f64::max) < 1.0, "{weights:?}");
    }

    #[test]
    fn callback_can_stop_and_divergence_is_an_error() {
        let (training, held_out) = (samples(1, 500), samples(2, 50));
        let mut calls = 0;
        let run = |learning_rate, calls: &mut u32| {
            let settings = Settings { learning_rate, ..settings() };
            train(&Material, [&training, &held_out], SIGMOID, &[true; 5], &settings, |_| {
                *calls += 1;
                *calls < 3
            })
        };
        run(5.0, &mut calls).unwrap();
        assert_eq!(calls, 3);
        let error = run(f64::INFINITY, &mut 0).unwrap_err().to_string();
        assert!(error.contains("not finite"), "{error}");
    }
}
