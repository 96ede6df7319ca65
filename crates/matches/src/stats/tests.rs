use super::*;
use crate::selfplay::run_folder::GameLine;
use crate::sprt::{Model, Sprt};

fn close(estimate: f64, expected: f64) -> bool {
    // fastchess's tests allow 1 %.
    (estimate - expected).abs() <= 0.01 * expected.abs()
}

#[test]
fn matches_published_estimates_from_games() {
    // (wins, losses, draws), nElo, its margin, then Elo and its margin, from fastchess's tests.
    for (wins, losses, draws, nelo, nelo_margin, elo) in [
        (76, 89, 123, -20.76, 40.13, None),
        (136, 96, 111, 49.77, 36.77, Some((40.70, 30.43))),
        (34, 356, 0, -508.44, 34.48, None),
    ] {
        let estimate = Estimate::new(&[losses, draws, wins]).unwrap();
        let normalized = estimate.normalized_elo.unwrap();
        assert!(close(normalized.value, nelo) && close(normalized.margin, nelo_margin), "{estimate:?}");
        if let Some((elo, margin)) = elo {
            assert!(close(estimate.elo.unwrap().value, elo), "{estimate:?}");
            assert!(close(estimate.elo.unwrap().margin, margin), "{estimate:?}");
        }
    }
    let estimate = Estimate::new(&[89, 123, 76]).unwrap();
    assert!((estimate.likelihood_of_superiority - 0.1553).abs() < 0.00005, "{estimate:?}");
    let estimate = Estimate::new(&[96, 111, 136]).unwrap();
    assert!((estimate.likelihood_of_superiority - 0.9960).abs() < 0.00005, "{estimate:?}");
}

#[test]
fn matches_published_estimates_from_pairs() {
    for (pairs, nelo, nelo_margin, elo, margin) in [
        ([34, 54, 63, 64, 75], 57.94, 28.28, 55.58, 27.65),
        ([332, 433, 498, 333, 334], -9.17, 10.96, -8.64, 10.33),
        ([7895, 8757, 5685, 568, 9999], -19.01, 2.65, -21.04, 2.95),
    ] {
        let estimate = Estimate::new(&pairs).unwrap();
        let normalized = estimate.normalized_elo.unwrap();
        let estimated_elo = estimate.elo.unwrap();
        assert!(close(normalized.value, nelo), "{estimate:?}");
        assert!(close(normalized.margin, nelo_margin), "{estimate:?}");
        assert!(close(estimated_elo.value, elo), "{estimate:?}");
        assert!(close(estimated_elo.margin, margin), "{estimate:?}");
    }
    // From a fishtest "raw statistics" page: Ptnml, nElo, LOS.
    let estimate = Estimate::new(&[13, 37, 50, 25, 3]).unwrap();
    assert!((estimate.normalized_elo.unwrap().value + 63.97).abs() < 0.005, "{estimate:?}");
    assert!((estimate.score - 0.4375).abs() < 1e-9);
}

#[test]
fn estimates_from_few_or_equal_results() {
    assert_eq!(Estimate::new(&[0; 5]), None);
    let all_won = Estimate::new(&[0, 0, 0, 0, 9]).unwrap();
    assert_eq!((all_won.score, all_won.elo, all_won.likelihood_of_superiority), (1.0, None, 1.0));
    assert_eq!(Estimate::new(&[0, 7, 0]).unwrap().likelihood_of_superiority, 0.5);
    // The interval extends beyond a score of 1.
    assert_eq!(Estimate::new(&[1, 0, 0, 0, 9]).unwrap().elo.unwrap().margin, f64::INFINITY);
}

#[test]
fn normal_cdf_matches_table() {
    for (x, expected) in [(0.0, 0.5), (1.0, 0.841_344_7), (-1.959_964, 0.025), (5.0, 0.999_999_7)] {
        assert!((normal_cdf(x) - expected).abs() < 2e-7, "{x}");
    }
}

/// A real match of 200 games; see tests/data/README.md.
const MATCH: &str = include_str!("../../../../tests/data/match.jsonl");

fn pairs_of_the_match() -> [u64; 5] {
    let mut points = std::collections::BTreeMap::new();
    for line in MATCH.lines() {
        let line: GameLine = serde_json::from_str(line).unwrap();
        *points.entry(line.id.pair).or_insert(0) += line.half_points();
    }
    assert_eq!((MATCH.lines().count(), points.len()), (200, 100));
    let mut pairs = [0; 5];
    points.values().for_each(|&half_points| pairs[half_points] += 1);
    pairs
}

/// Independent implementation of the formulas documented by fastchess, solving every equation by a
/// different method.
mod oracle {
    const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
    const NELO: f64 = 800.0 / std::f64::consts::LN_10;

    pub(super) struct Figures {
        pub(super) elo: [f64; 2],
        pub(super) normalized_elo: [f64; 2],
        pub(super) superiority: f64,
    }

    fn moments(p: [f64; 5]) -> (f64, f64) {
        let mean: f64 = (0..5).map(|i| p[i] * SCORES[i]).sum();
        (mean, (0..5).map(|i| p[i] * (SCORES[i] - mean) * (SCORES[i] - mean)).sum())
    }

    /// Elo and nElo with half-widths of the 95 % intervals, and LOS.
    pub(super) fn figures(counts: [u64; 5]) -> Figures {
        let pairs = counts.iter().sum::<u64>() as f64;
        let (score, variance) = moments(counts.map(|count| count as f64 / pairs));
        let error = 1.959_963_984_540_054 * (variance / pairs).sqrt();
        let elo = |score: f64| -400.0 * (1.0 / score - 1.0).log10();
        let normalized = |score: f64| (score - 0.5) / (2.0 * variance).sqrt() * NELO;
        let both = |f: &dyn Fn(f64) -> f64| [f(score), (f(score + error) - f(score - error)) / 2.0];
        // Normal distribution by Simpson's rule.
        let x = (score - 0.5) / (variance / pairs).sqrt();
        let density = |x: f64| (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt();
        let steps = 2000;
        let width = x / f64::from(steps);
        let weight = |i: i32| {
            if i == 0 || i == steps {
                1.0
            } else if i % 2 == 1 {
                4.0
            } else {
                2.0
            }
        };
        let area: f64 =
            (0..=steps).map(|i| weight(i) * density(f64::from(i) * width)).sum::<f64>() * width / 3.0;
        Figures { elo: both(&elo), normalized_elo: both(&normalized), superiority: 0.5 + area }
    }

    /// LLR for normalised Elo bounds: maximises over distributions with a given mean and variance, then
    /// over the variance.
    pub(super) fn normalized_llr(counts: [u64; 5], [nelo0, nelo1]: [f64; 2]) -> f64 {
        let counts = counts.map(|count| if count == 0 { 1e-3 } else { count as f64 });
        let pairs: f64 = counts.iter().sum();
        let p = counts.map(|count| count / pairs);
        let best = |nelo: f64| {
            let t = nelo / NELO * 2.0_f64.sqrt();
            let likelihood = |sigma: f64| log_likelihood(p, 0.5 + t * sigma, sigma * sigma);
            let centre = moments(p).1.sqrt();
            let (mut low, mut high) = (0.8 * centre, 1.25 * centre);
            for _ in 0..100 {
                let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
                if likelihood(a) < likelihood(b) { low = a } else { high = b }
            }
            likelihood((low + high) / 2.0)
        };
        pairs * (best(nelo1) - best(nelo0))
    }

    /// Maximum mean log-likelihood of a distribution with this mean and variance, by the dual problem:
    /// minimise `-Σ p ln(1 + θ·g)` by Newton's method.
    fn log_likelihood(p: [f64; 5], mean: f64, variance: f64) -> f64 {
        let g: [[f64; 2]; 5] = SCORES.map(|x| [x - mean, (x - mean) * (x - mean) - variance]);
        let mut theta = [0.0, 0.0];
        let value = |theta: [f64; 2]| -> f64 {
            (0..5)
                .map(|i| 1.0 + theta[0] * g[i][0] + theta[1] * g[i][1])
                .zip(p)
                .map(|(factor, p)| if factor > 0.0 { -p * factor.ln() } else { f64::INFINITY })
                .sum()
        };
        for _ in 0..100 {
            let (mut slope, mut curve) = ([0.0; 2], [[0.0; 2]; 2]);
            for i in 0..5 {
                let factor = 1.0 + theta[0] * g[i][0] + theta[1] * g[i][1];
                for j in 0..2 {
                    slope[j] -= p[i] * g[i][j] / factor;
                    for k in 0..2 {
                        curve[j][k] += p[i] * g[i][j] * g[i][k] / (factor * factor);
                    }
                }
            }
            let determinant = curve[0][0] * curve[1][1] - curve[0][1] * curve[1][0];
            let step = [
                (curve[1][1] * slope[0] - curve[0][1] * slope[1]) / determinant,
                (curve[0][0] * slope[1] - curve[1][0] * slope[0]) / determinant,
            ];
            let mut length = 1.0;
            let next = |length: f64| [theta[0] - length * step[0], theta[1] - length * step[1]];
            while value(next(length)) > value(theta) && length > 1e-9 {
                length /= 2.0;
            }
            theta = next(length);
        }
        let entropy: f64 = p.iter().map(|p| p * p.ln()).sum();
        entropy + value(theta)
    }
}

/// Results (from all lost to all won), bounds of an SPRT, and what the code of fastchess (revision 74deac2) computes of them: Elo and
/// its margin, nElo and its margin, LOS in per cent, and the LLR for normalised and for logistic bounds.
type FastchessRow<const N: usize> = ([u64; N], [f64; 2], [f64; 7]);

const FASTCHESS_PAIRS: [FastchessRow<5>; 12] = [
    ([34, 54, 63, 64, 75], [0.0, 5.0], [55.5798, 27.6534, 57.9356, 28.2754, 99.9970, 1.3014, 1.3374]),
    (
        [332, 433, 498, 333, 334],
        [-1.75, 0.25],
        [-8.6427, 10.3342, -9.1729, 10.9605, 5.0470, -0.5377, -0.5670],
    ),
    ([13, 37, 50, 25, 3], [0.0, 2.0], [-43.6578, 29.4272, -63.9681, 42.5601, 0.1610, -0.2704, -0.3931]),
    ([379, 10170, 21828, 10640, 343], [0.5, 2.5], [1.5946, 1.2087, 3.0505, 2.3124, 99.5139, 2.2272, 0.4973]),
    ([1, 20, 60, 25, 2], [-5.0, 0.0], [11.2634, 23.7687, 22.0061, 46.3335, 82.4043, 0.2187, 0.4664]),
    ([0, 12, 77, 14, 0], [0.0, 10.0], [3.3733, 16.8577, 9.5019, 47.4448, 65.2665, 0.0768, -0.2179]),
    ([61, 588, 1298, 592, 68], [0.0, 5.0], [1.1994, 5.3788, 2.1031, 9.4305, 66.8979, -0.0857, -0.8627]),
    ([5, 100, 300, 140, 10], [-3.0, 1.0], [15.6608, 10.5704, 30.3324, 20.4391, 99.8185, 1.1438, 2.2608]),
    (
        [120, 2400, 5200, 2350, 130],
        [1.0, 6.0],
        [-0.5109, 2.5312, -0.9624, 4.7677, 34.6189, -3.7709, -12.0033],
    ),
    ([2, 9, 30, 31, 18], [0.0, 30.0], [107.5381, 39.1189, 149.4100, 50.7559, 100.0000, 4.9249, 5.9615]),
    ([900, 80, 20, 70, 950], [-10.0, 0.0], [7.7412, 14.6579, 5.6633, 10.7135, 84.9913, 3.5664, 2.2817]),
    (
        [40, 30, 20, 10, 5],
        [-40.0, 10.0],
        [-159.1760, 47.9464, -180.5328, 46.9908, 0.0000, -11.2563, -11.1173],
    ),
];

const FASTCHESS_GAMES: [FastchessRow<3>; 8] = [
    ([89, 123, 76], [0.5, 2.5], [-15.6935, 30.4580, -20.7565, 40.1260, 15.5326, -0.1060, -0.1431]),
    ([96, 111, 136], [-5.0, 0.0], [40.7025, 30.4272, 49.7684, 36.7685, 99.6010, 0.7353, 0.9030]),
    ([1100, 2600, 1200], [0.0, 10.0], [7.0915, 6.6655, 10.3539, 9.7280, 98.1514, 2.1721, 1.8090]),
    ([7, 90, 3], [0.0, 5.0], [-13.9048, 21.4224, -44.3034, 68.0961, 10.1127, -0.1920, -0.6585]),
    ([480, 10, 500], [-3.0, 1.0], [7.0199, 21.5648, 7.0561, 21.6424, 73.8591, 0.2642, 0.2657]),
    ([20, 300, 45], [1.0, 6.0], [23.8343, 14.9211, 57.1490, 35.6431, 99.9163, 0.8013, 1.7500]),
    ([10100, 30000, 10000], [0.0, 30.0], [-0.6935, 1.9270, -1.0949, 3.0423, 24.0297, -200.2176, -482.4502]),
    ([60, 3, 15], [-10.0, 0.0], [-228.5565, 96.3774, -252.7965, 77.1037, 0.0000, -1.2885, -1.3139]),
];

fn assert_figures<const N: usize>(rows: &[FastchessRow<N>]) {
    for (counts, [elo0, elo1], expected) in rows {
        let estimate = Estimate::new(counts).unwrap();
        let [elo, normalized] = [estimate.elo, estimate.normalized_elo].map(Option::unwrap);
        let [llr, logistic_llr] = [Model::Normalized, Model::Logistic]
            .map(|model| Sprt::new(*elo0, *elo1, 0.05, 0.05, model).unwrap().llr(counts));
        let superiority = 100.0 * estimate.likelihood_of_superiority;
        let figures =
            [elo.value, elo.margin, normalized.value, normalized.margin, superiority, llr, logistic_llr];
        for (figure, expected) in figures.into_iter().zip(expected) {
            assert!((figure - expected).abs() < 1e-3, "{counts:?}: {figure} (expected {expected})");
        }
    }
}

#[test]
fn figures_agree_with_fastchess() {
    assert_figures(&FASTCHESS_PAIRS);
    assert_figures(&FASTCHESS_GAMES);
}

#[test]
fn real_match_agrees_with_independent_formulas() {
    let pairs = pairs_of_the_match();
    let expected = oracle::figures(pairs);
    let estimate = Estimate::new(&pairs).unwrap();
    let agree =
        |estimate: f64, expected: f64| assert!((estimate - expected).abs() < 0.0005, "{estimate} {expected}");
    let [elo, normalized] = [estimate.elo, estimate.normalized_elo].map(Option::unwrap);
    agree(elo.value, expected.elo[0]);
    agree(elo.margin, expected.elo[1]);
    agree(normalized.value, expected.normalized_elo[0]);
    agree(normalized.margin, expected.normalized_elo[1]);
    agree(estimate.likelihood_of_superiority, expected.superiority);
    for bounds in [[0.0, 5.0], [-1.75, 0.25], [0.0, 20.0], [-30.0, 10.0]] {
        let sprt = Sprt::new(bounds[0], bounds[1], 0.05, 0.05, Model::Normalized).unwrap();
        agree(sprt.llr(&pairs), oracle::normalized_llr(pairs, bounds));
    }
}
