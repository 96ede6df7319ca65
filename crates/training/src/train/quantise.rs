//! Quantisation: the trained parameters as the integers of a network file and back, and its error.

use super::example::row;
use super::lanes::{self, LANES, set_row};
use super::model::Model;
use super::optimiser::{MAX_OUTPUT_WEIGHT, MAX_THREAT_WEIGHT, max_feature_weight};
use super::tensors::Shape;
use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use tabiya_eval::nnue::{self, Network, QA, QB};

/// Rounds the parameters to integers.
///
/// # Errors
/// If the network would overflow, or the description is too long.
pub(super) fn quantise(model: &Model, description: &str) -> Result<Network> {
    let architecture = model.architecture();
    let round = |value: f32, unit: i32, bound: f32| (value.clamp(-bound, bound) * unit as f32).round() as i16;
    let max_feature_weight = max_feature_weight(Shape::new(architecture));
    let feature = |&value: &f32| round(value, QA, max_feature_weight);
    let parameters = &model.parameters;
    let rows = (0..architecture.features()).map(|index| model.feature_row(index));
    let threat_rows = (0..nnue::THREAT_FEATURES).map(|index| model.threat_row(index));
    let biases = lanes::floats(&parameters.output_bias).iter().take(architecture.output_buckets());
    let quantised = nnue::Parameters {
        feature_weights: rows.flatten().map(feature).collect(),
        threat_weights: threat_rows.flatten().map(|&value| round(value, QA, MAX_THREAT_WEIGHT)).collect(),
        feature_bias: lanes::floats(&parameters.bias).iter().map(feature).collect(),
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
/// The file has no factoriser. Its weights become the mean of the king buckets' weights, so that the parts of the buckets are
/// small, as weight decay keeps them.
pub(super) fn dequantise(network: &Network, model: &mut Model) {
    let source = network.parameters();
    let architecture = network.architecture();
    let (hidden, king_buckets) = (architecture.hidden(), architecture.king_buckets().count());
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
    // At least one, because zero is no length of chunks.
    for (feature, row) in source.threat_weights.chunks(architecture.threat_neurons().max(1)).enumerate() {
        set_row(&mut parameters.threats, feature, nnue::THREAT_FEATURES, unit(row, QA));
    }

    let has_factoriser = !parameters.factoriser.is_empty();
    let rows_of_features = nnue::FEATURES_PER_BUCKET * king_buckets;
    for feature in 0..nnue::FEATURES_PER_BUCKET {
        let rows: Vec<Vec<f32>> = (0..king_buckets)
            .map(|bucket| {
                let index = bucket * nnue::FEATURES_PER_BUCKET + feature;
                unit(&source.feature_weights[index * hidden..][..hidden], QA)
            })
            .collect();
        let shared: Vec<f32> = if has_factoriser {
            let sum = |column: usize| rows.iter().map(|row| row[column]).sum::<f32>();
            (0..hidden).map(|column| sum(column) / king_buckets as f32).collect()
        } else {
            vec![0.0; hidden]
        };
        if has_factoriser {
            set_row(&mut parameters.factoriser, feature, nnue::FEATURES_PER_BUCKET, shared.iter().copied());
        }
        for (bucket, weights) in rows.iter().enumerate() {
            let row = row(bucket * nnue::FEATURES_PER_BUCKET + feature, king_buckets);
            let own = weights.iter().zip(&shared).map(|(weight, shared)| weight - shared);
            set_row(&mut parameters.features, row, rows_of_features, own);
        }
    }
    model.merge();
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
    use tabiya_eval::nnue::{Architecture, KingBuckets, Parameters};

    #[test]
    fn networks_survive_the_way_through_a_model() {
        let buckets = KingBuckets::new(std::array::from_fn(|square| (square % 3) as u8)).unwrap();
        for (king_buckets, threats) in
            [(KingBuckets::single(), 0), (KingBuckets::single(), 32), (buckets.clone(), 0), (buckets, 64)]
        {
            let plain = Architecture::new(64, king_buckets, 3, 400).unwrap();
            let architecture = plain.with_threats(threats).unwrap();
            let parameters = Parameters::random(&architecture, 11);
            let network = Network::new(architecture.clone(), "from", &parameters).unwrap();
            let mut model = Model::new(&architecture, 5, 1, 1);
            dequantise(&network, &mut model);
            assert_eq!(quantise(&model, "to").unwrap().parameters(), parameters);
        }
    }
}
