//! The training target and the loss.

use crate::record;
use bulletformat::ChessBoard;
use serde::{Deserialize, Serialize};

/// The loss of an output: `|sigmoid(output * slope) - target|^exponent`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Loss {
    /// The network's scale over the sigmoid's: a network output of 1 stands for `scale` centipawns.
    pub(super) slope: f32,
    pub(super) exponent: f32,
}

impl Loss {
    /// Returns the loss and its derivative with respect to the output.
    #[inline(always)]
    pub(super) fn loss_and_slope(self, output: f32, target: f32) -> (f32, f32) {
        let expected = sigmoid(output * self.slope);
        let error = expected - target;
        let inner = expected * (1.0 - expected) * self.slope;
        if self.exponent == 2.0 {
            return (error * error, 2.0 * error * inner);
        }
        let power = error.abs().powf(self.exponent - 1.0);
        (power * error.abs(), self.exponent * power * error.signum() * inner)
    }

    /// Returns the loss of an expected result.
    pub(super) fn of_expected(exponent: f64, expected: f64, target: f64) -> f64 {
        (expected - target).abs().powf(exponent)
    }
}

/// The blend of search score and game result that the network is fitted to.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Blend {
    /// Weight of the search score; the rest is the game result.
    pub(super) lambda: f32,
    /// Centipawns at which the sigmoid's argument is 1.
    pub(super) eval_scale: f32,
}

impl Blend {
    /// Returns the target of a record, from 0 to 1. That of a record of a score alone does not depend on `lambda`.
    #[inline(always)]
    pub(super) fn target(self, record: &ChessBoard) -> f32 {
        let lambda = if record::is_score_only(record) { 1.0 } else { self.lambda };
        let result = f32::from(record.result) / 2.0;
        if lambda == 0.0 {
            return result;
        }
        lambda * sigmoid(f32::from(record.score) / self.eval_scale) + (1.0 - lambda) * result
    }
}

/// The logistic function.
#[inline(always)]
pub(super) fn sigmoid(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_core::Board;

    #[test]
    fn slope_matches_finite_differences() {
        for exponent in [2.0, 2.3, 2.6] {
            let loss = Loss { slope: 1.3, exponent };
            for (output, target) in [(0.4, 0.9), (-1.2, 0.1), (2.0, 0.5)] {
                let at = |output| f64::from(loss.loss_and_slope(output, target).0);
                let difference = (at(output + 1e-2) - at(output - 1e-2)) / 2e-2;
                let slope = f64::from(loss.loss_and_slope(output, target).1);
                assert!((slope - difference).abs() < 1e-4, "{exponent} {output}: {slope} {difference}");
            }
            assert_eq!(loss.loss_and_slope(0.0, 0.5), (0.0, 0.0));
        }
    }

    #[test]
    fn target_blends_score_and_result() {
        let blend = |lambda| Blend { lambda, eval_scale: 400.0 };
        let target = |lambda, score, result| {
            blend(lambda).target(&ChessBoard { score, result, ..ChessBoard::default() })
        };
        assert_eq!([0, 1, 2].map(|result| target(0.0, 900, result)), [0.0, 0.5, 1.0]);
        assert_eq!(target(1.0, 0, 2), 0.5);
        assert!((target(1.0, 400, 0) - 0.731_058_6).abs() < 1e-6);
        assert_eq!(target(0.5, 0, 2), 0.75);
        let bytes = record::pack_score_only(&Board::startpos(), 0, 2);
        let score_only = record::decode(&bytes).unwrap();
        assert_eq!([0.0, 0.5].map(|lambda| blend(lambda).target(&score_only)), [0.5, 0.5]);
    }
}
