//! Quantisation: the trained parameters as the integers of a network file and back, and its error.

use super::example::row;
use super::lanes::{self, LANES, Lanes};
use super::model::Model;
use super::optimiser::{MAX_FEATURE_WEIGHT, MAX_OUTPUT_WEIGHT};
use super::tensors::Shape;
use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use tabiya_eval::nnue::{self, Architecture, Network, QA, QB};

/// The largest magnitude of a threat weight that is written. Trained ones are hardly ever larger.
const MAX_THREAT: i16 = i8::MAX as i16;

/// Rounds the parameters to integers.
///
/// # Errors
/// If the network would overflow, or the description is too long.
pub(super) fn quantise(model: &Model, description: &str) -> Result<Network> {
    let architecture = model.architecture();
    let round = |value: f32, unit: i32, bound: f32| (value.clamp(-bound, bound) * unit as f32).round() as i16;
    let feature_weight = |&value: &f32| round(value, QA, MAX_FEATURE_WEIGHT);
    let parameters = &model.parameters;
    let shape = Shape::new(architecture);
    // The weights in threat state 0 are those of the feature; in the others the threat feature adds the difference.
    let row = |feature, state| model.feature_row(shape.in_bucket(feature, state)).map(feature_weight);
    let threat_rows = threat_features(architecture).map(|(feature, state)| {
        let difference = |(with, without): (i16, i16)| (with - without).clamp(-MAX_THREAT, MAX_THREAT) as i8;
        row(feature, state).zip(row(feature, 0)).map(difference)
    });
    let biases = lanes::floats(&parameters.output_bias).iter().take(architecture.output_buckets());
    let quantised = nnue::Parameters {
        feature_weights: (0..architecture.features()).flat_map(|feature| row(feature, 0)).collect(),
        threat_weights: threat_rows.flatten().collect(),
        feature_bias: lanes::floats(&parameters.bias).iter().map(feature_weight).collect(),
        output_weights: lanes::floats(&parameters.output)
            .iter()
            .map(|&weight| round(weight, QB, MAX_OUTPUT_WEIGHT))
            .collect(),
        output_bias: biases.map(|bias| (bias * (QA * QB) as f32).round() as i32).collect(),
    };
    Network::new(architecture.clone(), description, &quantised).context("cannot quantise the network")
}

/// Sets the parameters of a model of the same architecture to those of a network, within half a unit of quantisation of the
/// ones it was made from.
///
/// The file has no factoriser. Its weights become the mean of the buckets' weights, so that the parts of the buckets are
/// small, as weight decay keeps them.
pub(super) fn dequantise(network: &Network, model: &mut Model) {
    let source = network.parameters();
    let architecture = network.architecture();
    let shape = Shape::new(architecture);
    let hidden = architecture.hidden();
    let unit = |weights: &[i16], unit: i32| -> Vec<f32> {
        weights.iter().map(|&weight| f32::from(weight) / unit as f32).collect()
    };
    let parameters = &mut model.parameters;
    lanes::fill(&mut parameters.bias, unit(&source.feature_bias, QA));
    lanes::fill(&mut parameters.output, unit(&source.output_weights, QB));
    let mut output_bias = [0.0; LANES];
    for (target, &bias) in output_bias.iter_mut().zip(&source.output_bias) {
        *target = bias as f32 / (QA * QB) as f32;
    }
    lanes::fill(&mut parameters.output_bias, output_bias);

    // The weights of each feature bucket, in the order of the buckets.
    let mut buckets = vec![0.0; shape.rows() * hidden];
    for (feature, weights) in source.feature_weights.chunks_exact(hidden).enumerate() {
        buckets[shape.in_bucket(feature, 0) * hidden..][..hidden].copy_from_slice(&unit(weights, QA));
    }
    let threats = source.threat_weights.chunks_exact(hidden);
    for ((feature, state), threats) in threat_features(architecture).zip(threats) {
        let weights = &source.feature_weights[feature * hidden..][..hidden];
        let sums: Vec<i16> =
            weights.iter().zip(threats).map(|(weight, &threat)| weight + i16::from(threat)).collect();
        buckets[shape.in_bucket(feature, state) * hidden..][..hidden].copy_from_slice(&unit(&sums, QA));
    }

    let has_factoriser = shape.has_factoriser();
    for feature in 0..nnue::FEATURES_PER_BUCKET {
        let rows: Vec<&[f32]> = (0..shape.feature_buckets)
            .map(|bucket| &buckets[(bucket * nnue::FEATURES_PER_BUCKET + feature) * hidden..][..hidden])
            .collect();
        let shared: Vec<f32> = if has_factoriser {
            let sum = |column: usize| rows.iter().map(|row| row[column]).sum::<f32>();
            (0..hidden).map(|column| sum(column) / shape.feature_buckets as f32).collect()
        } else {
            vec![0.0; hidden]
        };
        if has_factoriser {
            set_row(&mut parameters.factoriser, feature, nnue::FEATURES_PER_BUCKET, shared.iter().copied());
        }
        for (bucket, weights) in rows.iter().enumerate() {
            let row = row(bucket * nnue::FEATURES_PER_BUCKET + feature, shape.feature_buckets);
            let own = weights.iter().zip(&shared).map(|(weight, shared)| weight - shared);
            set_row(&mut parameters.features, row, shape.rows(), own);
        }
    }
    model.merge();
}

/// The feature and the threat state of each threat feature, in their order.
fn threat_features(architecture: &Architecture) -> impl Iterator<Item = (usize, usize)> {
    let states = 1..architecture.threat_state_count();
    (0..architecture.king_buckets().count()).flat_map(move |king_bucket| {
        let features = nnue::FEATURES_PER_BUCKET * king_bucket..nnue::FEATURES_PER_BUCKET * (king_bucket + 1);
        states.clone().flat_map(move |state| features.clone().map(move |feature| (feature, state)))
    })
}

/// Sets a row of a matrix that is stored by columns of [`Lanes`].
fn set_row(matrix: &mut [Lanes], row: usize, rows: usize, values: impl Iterator<Item = f32>) {
    let targets = matrix[row..].iter_mut().step_by(rows).flat_map(|lanes| &mut lanes.0);
    for (target, value) in targets.zip(values) {
        *target = value;
    }
}

/// The difference between the values of the trained network and the quantised one, in centipawns.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
pub(super) struct QuantisationError {
    pub(super) positions: usize,
    pub(super) mean: f64,
    pub(super) max: f64,
}

impl QuantisationError {
    /// Compares values in centipawns, in pairs.
    pub(super) fn new(pairs: impl Iterator<Item = (f32, f32)>) -> QuantisationError {
        let (mut positions, mut sum, mut max) = (0, 0.0, 0.0_f64);
        for (trained, quantised) in pairs {
            let error = f64::from((trained - quantised).abs());
            positions += 1;
            sum += error;
            max = max.max(error);
        }
        QuantisationError { positions, mean: if positions == 0 { 0.0 } else { sum / positions as f64 }, max }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_eval::nnue::{KingBuckets, Parameters};

    #[test]
    fn networks_survive_the_way_through_a_model() {
        let buckets = KingBuckets::new(std::array::from_fn(|square| (square % 3) as u8)).unwrap();
        let plain = |king_buckets| Architecture::new(32, king_buckets, 3, 400).unwrap();
        let with_threats = plain(buckets.clone()).with_threats().unwrap();
        for architecture in [plain(KingBuckets::single()), plain(buckets), with_threats] {
            let parameters = Parameters::random(&architecture, 11);
            let network = Network::new(architecture.clone(), "from", &parameters).unwrap();
            let mut model = Model::new(&architecture, 5, 1, 1);
            dequantise(&network, &mut model);
            assert_eq!(quantise(&model, "to").unwrap().parameters(), parameters);
        }
    }
}
