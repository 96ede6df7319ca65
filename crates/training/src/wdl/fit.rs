//! Maximum-likelihood fit of the WDL model.

use super::games::Observations;
use tabiya_search::tuning::WdlModel;

/// Step size at which the search ends.
const PRECISION: f64 = 0.05;
/// Initial step size.
const FIRST_STEP: f64 = 32.0;
/// Lower bound of a probability, so that its logarithm is finite.
const MIN_PROBABILITY: f64 = 1e-6;

/// Mean log loss (cross-entropy) of the observed results under the model.
pub(super) fn log_loss(model: &WdlModel, observations: &Observations) -> f64 {
    let mut sum = 0.0;
    for (&(value, material), counts) in &observations.counts {
        for (probability, &count) in model.probabilities(value.into(), material).into_iter().zip(counts) {
            sum -= probability.max(MIN_PROBABILITY).ln() * count as f64;
        }
    }
    sum / observations.positions as f64
}

/// Returns the model that minimises [`log_loss`], by coordinate descent from `start`.
///
/// Each parameter in turn moves by the step size if that lowers the loss. When no move lowers it, the step size is
/// halved. This suffices for four parameters and a smooth loss.
pub(super) fn fit(start: WdlModel, observations: &Observations) -> WdlModel {
    let mut best = [start.half_won[0], start.half_won[1], start.spread[0], start.spread[1]];
    let model = |[a, b, c, d]: [f64; 4]| WdlModel { half_won: [a, b], spread: [c, d] };
    let mut best_loss = log_loss(&model(best), observations);
    let mut step = FIRST_STEP;
    while step > PRECISION {
        let mut improved = false;
        for index in 0..best.len() {
            for change in [step, -step] {
                let mut candidate = best;
                // With a negative parameter, the probabilities of a win and a loss could sum to more than 1.
                candidate[index] = (candidate[index] + change).max(1.0);
                let loss = log_loss(&model(candidate), observations);
                if loss < best_loss {
                    (best, best_loss, improved) = (candidate, loss, true);
                }
            }
        }
        if !improved {
            step /= 2.0;
        }
    }
    model(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Observations with exactly the frequencies that a model predicts.
    fn predicted(model: &WdlModel) -> Observations {
        let mut observations = Observations::default();
        for value in (-600..=600).step_by(20) {
            for material in (6..=78).step_by(8) {
                let counts = model
                    .probabilities(value.into(), material)
                    .map(|probability| (probability * 1e4).round() as u64);
                observations.positions += counts.iter().sum::<u64>();
                observations.counts.insert((value, material), counts);
            }
        }
        observations
    }

    #[test]
    fn fit_recovers_the_model() {
        let truth = WdlModel { half_won: [120.0, 260.0], spread: [60.0, 95.0] };
        let observations = predicted(&truth);
        let start = WdlModel { half_won: [300.0, 20.0], spread: [200.0, 30.0] };
        let fitted = fit(start, &observations);
        for (value, truth) in
            fitted.half_won.iter().chain(&fitted.spread).zip(truth.half_won.iter().chain(&truth.spread))
        {
            assert!((value - truth).abs() < 1.0, "{value} for {truth}");
        }
        assert!(log_loss(&fitted, &observations) < log_loss(&start, &observations));
    }
}
