use super::*;
use rand::RngExt;
use tabiya_lab_common::random;

pub(super) fn sprt(elo0: f64, elo1: f64, model: Model) -> Sprt {
    Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap()
}

fn assert_close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
}

#[test]
fn published_pentanomial_llrs() {
    use Model::{Logistic, Normalized};
    // The first is from fishtest (2.946 by an approximation; the exact value is 2.9455), the next from a
    // fishtest "raw statistics" page with five decimals, the rest from fastchess's tests with two.
    for (counts, elo0, elo1, model, llr, tolerance) in [
        ([379, 10170, 21828, 10640, 343], 0.0, 2.0, Normalized, 2.9455, 0.0001),
        ([13, 37, 50, 25, 3], 0.0, 4.0, Normalized, -0.54912, 0.000_005),
        ([365, 16618, 36229, 16974, 390], 0.0, 2.0, Normalized, 2.25, 0.0225),
        ([127, 4883, 10712, 5150, 104], -1.75, 0.25, Normalized, 3.01, 0.0301),
        ([223, 9863, 21279, 10037, 246], 0.5, 2.5, Logistic, -3.07, 0.0307),
        ([871, 26175, 55983, 26678, 821], 0.0, 2.0, Logistic, -4.98, 0.0498),
    ] {
        assert_close(sprt(elo0, elo1, model).llr(&counts), llr, tolerance);
    }
}

#[test]
fn published_trinomial_llrs() {
    use Model::{Logistic, Normalized};
    // From fastchess's tests: two decimals, within 1 %.
    for (wins, losses, draws, elo0, elo1, model, llr) in [
        (36433, 36027, 68692, 0.0, 2.0, Normalized, 0.92),
        (10871, 10650, 20431, -1.75, 0.25, Normalized, 2.30),
        (21404, 21184, 40708, 0.5, 2.5, Logistic, -1.57),
        (57433, 57030, 106_593, 0.0, 2.0, Logistic, -2.59),
    ] {
        let result = sprt(elo0, elo1, model).llr(&[losses, draws, wins]);
        assert_close(result, llr, 0.01 * f64::abs(llr));
    }
}

#[test]
fn bounds_follow_wald() {
    let (lower, upper) = sprt(0.0, 2.0, Model::Normalized).bounds();
    assert_close(lower, -2.944, 0.0005);
    assert_close(upper, 2.944, 0.0005);
    let sprt = Sprt::new(0.0, 2.0, 0.01, 0.1, Model::Logistic).unwrap();
    let (lower, upper) = sprt.bounds();
    assert_close(lower, f64::ln(0.1 / 0.99), 1e-12);
    assert_close(upper, f64::ln(0.9 / 0.01), 1e-12);
    assert_eq!(sprt.verdict(lower), Some(Verdict::H0));
    assert_eq!(sprt.verdict(0.0), None);
    assert_eq!(sprt.verdict(upper), Some(Verdict::H1));
}

#[test]
fn parameter_errors_name_the_parameter() {
    let error = |elo0, elo1, alpha, beta| {
        Sprt::new(elo0, elo1, alpha, beta, Model::Normalized).unwrap_err().to_string()
    };
    assert!(error(2.0, 2.0, 0.05, 0.05).contains("elo0 must be less than elo1"));
    assert!(error(f64::NAN, 2.0, 0.05, 0.05).contains("elo0 must be less than elo1"));
    assert!(error(0.0, f64::INFINITY, 0.05, 0.05).contains("from -400 to 400, not inf"));
    assert!(error(0.0, 2.0, 0.0, 0.05).contains("alpha must be"));
    assert!(error(0.0, 2.0, 0.05, f64::NAN).contains("beta must be"));
    assert!("bayesian".parse::<Model>().unwrap_err().contains("normalized or logistic"));
}

#[test]
fn constrained_distributions_satisfy_their_constraints() {
    for counts in [[13, 37, 50, 25, 3], [0, 0, 1, 0, 0], [104, 0, 0, 0, 0], [0, 0, 0, 0, 7]] {
        let observed = Distribution::from_counts(&counts);
        for elo in [-50.0, -2.0, 0.0, 5.0, 100.0] {
            let constrained = observed.with_mean(expected_score(elo));
            assert_close(constrained.p.iter().sum::<f64>(), 1.0, 1e-9);
            assert_close(constrained.mean(), expected_score(elo), 1e-9);
            let t = elo / NORMALIZED_ELO_PER_SIGMA;
            let constrained = observed.with_t_value(t);
            assert_close(constrained.p.iter().sum::<f64>(), 1.0, 1e-9);
            assert_close((constrained.mean() - 0.5) / constrained.variance().sqrt(), t, 1e-6);
        }
    }
}

#[test]
fn extreme_results_have_finite_llrs() {
    for model in [Model::Normalized, Model::Logistic] {
        let sprt = sprt(0.0, 5.0, model);
        assert_eq!(sprt.llr(&[0; 5]), 0.0);
        for index in 0..5 {
            let mut counts = [0; 5];
            counts[index] = 1000;
            let llr = sprt.llr(&counts);
            assert!(llr.is_finite());
            assert_eq!(llr > 0.0, index > 2, "{counts:?}: {llr}");
        }
    }
    // From fastchess's tests: all pairs won.
    assert_close(sprt(0.0, 5.0, Model::Normalized).llr(&[0, 0, 0, 0, 5550]), 111.82, 0.1);
}

/// Numbers of pairs and verdicts of `tests` simulated tests with results from `truth`.
pub(super) fn simulate(sprt: &Sprt, truth: &Distribution<5>, tests: u32, seed: u64) -> Vec<(u64, Verdict)> {
    let mut random = random::seeded(seed);
    let mut simulate_one = || {
        let mut counts = [0; 5];
        loop {
            for _ in 0..4 {
                let mut draw = random.random::<f64>();
                let index = truth.p.iter().position(|&p| {
                    draw -= p;
                    draw < 0.0
                });
                counts[index.unwrap_or(4)] += 1;
            }
            if let Some(verdict) = sprt.verdict(sprt.llr(&counts)) {
                return (counts.iter().sum(), verdict);
            }
        }
    };
    (0..tests).map(|_| simulate_one()).collect()
}

/// Share of `tests` simulated tests with results from `truth` that accept H1.
fn acceptance(sprt: &Sprt, truth: &Distribution<5>, tests: u32, seed: u64) -> f64 {
    let accepted = simulate(sprt, truth, tests, seed).iter().filter(|test| test.1 == Verdict::H1).count();
    accepted as f64 / f64::from(tests)
}

#[test]
fn simulated_error_rates_match_alpha_and_beta() {
    let shape = Distribution::from_counts(&[20, 215, 500, 235, 30]);
    let tests = 1500;
    for (model, elo1) in [(Model::Normalized, 50.0), (Model::Logistic, 30.0)] {
        let sprt = sprt(0.0, elo1, model);
        let truth = |elo: f64| match model {
            Model::Normalized => {
                shape.with_t_value(elo / NORMALIZED_ELO_PER_SIGMA * std::f64::consts::SQRT_2)
            }
            Model::Logistic => shape.with_mean(expected_score(elo)),
        };
        // Three standard deviations of the simulation at an error rate of 5 % are 1.7 %. Overshooting
        // the bounds makes the true rates slightly smaller than nominal.
        let false_positives = acceptance(&sprt, &truth(0.0), tests, 1);
        assert!((0.015..0.067).contains(&false_positives), "{model}: {false_positives}");
        let power = acceptance(&sprt, &truth(elo1), tests, 2);
        assert!((0.933..0.985).contains(&power), "{model}: {power}");
        // Half-way between the hypotheses neither is favoured.
        let middle = acceptance(&sprt, &truth(elo1 / 2.0), tests / 3, 3);
        assert!((0.4..0.6).contains(&middle), "{model}: {middle}");
    }
}
