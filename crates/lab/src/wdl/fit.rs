//! The likeliest model.

use super::games::Sightings;
use tabiya_search::WdlModel;

/// The parameters are found to this precision.
const PRECISION: f64 = 0.05;
/// Where the steps of the search for them begin.
const FIRST_STEP: f64 = 32.0;
/// Chances are not taken to be smaller than this.
const LEAST_CHANCE: f64 = 1e-6;

/// What the model makes of the results, on average: minus the logarithm of the chance that it gave to
/// what happened.
pub(super) fn log_loss(model: &WdlModel, sightings: &Sightings) -> f64 {
    let mut sum = 0.0;
    for (&(value, material), counts) in &sightings.counts {
        for (chance, &count) in model.probabilities(value.into(), material).into_iter().zip(counts) {
            sum -= chance.max(LEAST_CHANCE).ln() * count as f64;
        }
    }
    sum / sightings.positions as f64
}

/// The model with the least [`log_loss`], searched for from `start` on.
///
/// One parameter after the other goes up or down as long as that helps; then the steps become smaller. With
/// four parameters and a smooth function of them nothing cleverer is needed.
pub(super) fn fit(start: WdlModel, sightings: &Sightings) -> WdlModel {
    let mut best = [start.half_won[0], start.half_won[1], start.spread[0], start.spread[1]];
    let model = |[a, b, c, d]: [f64; 4]| WdlModel { half_won: [a, b], spread: [c, d] };
    let mut least = log_loss(&model(best), sightings);
    let mut step = FIRST_STEP;
    while step > PRECISION {
        let mut improved = false;
        for index in 0..best.len() {
            for change in [step, -step] {
                let mut tried = best;
                // Below nothing wins and losses would add up to more than all games.
                tried[index] = (tried[index] + change).max(1.0);
                let loss = log_loss(&model(tried), sightings);
                if loss < least {
                    (best, least, improved) = (tried, loss, true);
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

    /// Results in exactly the shares that a model foretells.
    fn foretold(model: &WdlModel) -> Sightings {
        let mut sightings = Sightings::default();
        for value in (-600..=600).step_by(20) {
            for material in (6..=78).step_by(8) {
                let counts =
                    model.probabilities(value.into(), material).map(|chance| (chance * 1e4).round() as u64);
                sightings.positions += counts.iter().sum::<u64>();
                sightings.counts.insert((value, material), counts);
            }
        }
        sightings
    }

    #[test]
    fn a_model_is_found_again() {
        let truth = WdlModel { half_won: [120.0, 260.0], spread: [60.0, 95.0] };
        let sightings = foretold(&truth);
        let start = WdlModel { half_won: [300.0, 20.0], spread: [200.0, 30.0] };
        let found = fit(start, &sightings);
        for (found, truth) in
            found.half_won.iter().chain(&found.spread).zip(truth.half_won.iter().chain(&truth.spread))
        {
            assert!((found - truth).abs() < 1.0, "{found} for {truth}");
        }
        assert!(log_loss(&found, &sightings) < log_loss(&start, &sightings));
    }
}
