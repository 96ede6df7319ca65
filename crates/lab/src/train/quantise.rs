//! Quantisation: the trained parameters as the integers of a network file, and its error.

use super::lanes;
use super::model::Model;
use super::optimiser::{MAX_FEATURE_WEIGHT, MAX_OUTPUT_WEIGHT};
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
    let feature = |&value: &f32| round(value, QA, MAX_FEATURE_WEIGHT);
    let parameters = &model.parameters;
    let rows = (0..architecture.features()).map(|index| model.feature_row(index));
    let biases = lanes::floats(&parameters.output_bias).iter().take(architecture.output_buckets());
    let quantised = nnue::Parameters {
        feature_weights: rows.flat_map(lanes::floats).map(feature).collect(),
        feature_bias: lanes::floats(&parameters.bias).iter().map(feature).collect(),
        output_weights: lanes::floats(&parameters.output)
            .iter()
            .map(|&weight| round(weight, QB, MAX_OUTPUT_WEIGHT))
            .collect(),
        output_bias: biases.map(|bias| (bias * (QA * QB) as f32).round() as i32).collect(),
    };
    Network::new(architecture.clone(), description, &quantised).context("cannot quantise the network")
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
