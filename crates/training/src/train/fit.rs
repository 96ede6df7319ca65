//! Losses of values in centipawns against search scores and results, and the scale that fits best.

use super::loss::{Blend, Loss};
use crate::golden_section;
use crate::record;
use bulletformat::ChessBoard;
use serde::{Deserialize, Serialize};

/// Range of scales searched, in centipawns.
const SCALES: [f64; 2] = [20.0, 20_000.0];

/// A loss with the scale of the sigmoid that minimises it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Fitted {
    pub(super) scale: f64,
    pub(super) loss: f64,
}

/// Losses of an evaluation on some records.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Losses {
    pub(super) name: String,
    /// Loss against the blend that is trained for, with its scale.
    pub(super) blend: f64,
    /// The same with the best scale.
    pub(super) blend_fitted: Fitted,
    /// Mean squared error against the results, on the positions of games. `None` if there is none.
    pub(super) result: Option<Fitted>,
    /// Mean squared error against the search scores' sigmoid.
    pub(super) score: Fitted,
}

impl Losses {
    /// Computes the losses of values in centipawns for the side to move, one for each record.
    pub(super) fn new(
        name: &str,
        values: &[f32],
        records: &[ChessBoard],
        blend: Blend,
        exponent: f64,
    ) -> Losses {
        let targets =
            |blend: Blend| -> Vec<f32> { records.iter().map(|record| blend.target(record)).collect() };
        let blended = targets(blend);
        let scores = targets(Blend { lambda: 1.0, ..blend });
        Losses {
            name: name.to_owned(),
            blend: mean_loss(values, &blended, f64::from(blend.eval_scale), exponent),
            blend_fitted: fit(values, &blended, exponent),
            result: fit_results(values, records),
            score: fit(values, &scores, 2.0),
        }
    }
}

/// The scale with which the records' scores fit their results best. `None` if no record is a position of a game.
pub(super) fn score_scale(records: &[ChessBoard]) -> Option<Fitted> {
    let values: Vec<f32> = records.iter().map(|record| f32::from(record.score)).collect();
    fit_results(&values, records)
}

/// Fits values to the results of the records that are positions of games. The result of another record is that of a game with another
/// position.
fn fit_results(values: &[f32], records: &[ChessBoard]) -> Option<Fitted> {
    let of_games = values.iter().zip(records).filter(|(_, record)| !record::is_score_only(record));
    let (values, results): (Vec<f32>, Vec<f32>) =
        of_games.map(|(&value, record)| (value, f32::from(record.result) / 2.0)).unzip();
    (!values.is_empty()).then(|| fit(&values, &results, 2.0))
}

fn mean_loss(values: &[f32], targets: &[f32], scale: f64, exponent: f64) -> f64 {
    let factor = (-1.0 / scale) as f32;
    let losses = values.iter().zip(targets).map(|(value, &target)| {
        let expected = 1.0 / (1.0 + (value * factor).exp());
        Loss::of_expected(exponent, f64::from(expected), f64::from(target))
    });
    losses.sum::<f64>() / values.len().max(1) as f64
}

/// Finds the scale by golden-section search over its logarithm.
fn fit(values: &[f32], targets: &[f32], exponent: f64) -> Fitted {
    let loss = |logarithm: f64| mean_loss(values, targets, logarithm.exp(), exponent);
    let logarithm = golden_section::minimum(SCALES.map(f64::ln), 1e-3, loss);
    Fitted { scale: logarithm.exp(), loss: loss(logarithm) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fit_recovers_the_scale() {
        let values: Vec<f32> = (-100..=100).map(|step| step as f32 * 9.0).collect();
        for scale in [90.0_f32, 400.0, 2500.0] {
            let targets: Vec<f32> = values.iter().map(|value| 1.0 / (1.0 + (-value / scale).exp())).collect();
            for exponent in [2.0, 2.5] {
                let fitted = fit(&values, &targets, exponent);
                assert!((fitted.scale / f64::from(scale) - 1.0).abs() < 0.01, "{scale}: {fitted:?}");
                assert!(fitted.loss < 1e-6);
            }
        }
    }

    #[test]
    fn losses_are_those_of_the_targets() {
        let record: ChessBoard = "4k3/8/8/8/8/8/8/4K2R w - - 0 1 | 400 | 1.0".parse().unwrap();
        let lost = ChessBoard { score: -400, result: 0, ..record };
        let blend = Blend { lambda: 1.0, eval_scale: 400.0 };
        let losses = Losses::new("test", &[400.0, -400.0], &[record, lost], blend, 2.0);
        assert!(losses.blend < 1e-9 && losses.score.loss < 1e-6, "{losses:?}");
        assert!(losses.result.is_some_and(|result| result.loss < 1e-3 && result.scale < 50.0), "{losses:?}");
        let flat = Losses::new("test", &[0.0, 0.0], &[record, lost], Blend { lambda: 0.0, ..blend }, 2.0);
        assert!((flat.blend - 0.25).abs() < 1e-9, "{flat:?}");
        assert_eq!(score_scale(&[record, lost]), losses.result);
    }

    #[test]
    fn results_of_score_only_records_do_not_count() {
        let record: ChessBoard = "4k3/8/8/8/8/8/8/4K2R w - - 0 1 | 400 | 1.0".parse().unwrap();
        let mut near = ChessBoard { result: 0, ..record };
        near.extra[0] |= record::SCORE_ONLY;
        assert_eq!(score_scale(&[record, near]), score_scale(&[record]));
        assert_eq!(score_scale(&[near]), None);
    }
}
