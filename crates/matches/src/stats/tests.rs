use super::*;
use crate::sprt::{Model, Sprt};

#[test]
fn estimates_from_few_or_equal_results() {
    assert_eq!(Estimate::new(&[0; 5]), None);
    let all_won = Estimate::new(&[0, 0, 0, 0, 9]).unwrap();
    assert_eq!((all_won.score, all_won.elo, all_won.likelihood_of_superiority), (1.0, None, Some(1.0)));
    assert_eq!(Estimate::new(&[0, 8, 0]).unwrap().likelihood_of_superiority, Some(0.5));
    for pairs in [[0, 0, 0, 0, 1], [0, 0, 0, 1, 6], [7, 0, 0, 0, 0]] {
        assert_eq!(Estimate::new(&pairs).unwrap().likelihood_of_superiority, None, "{pairs:?}");
    }
    // The interval extends beyond a score of 1.
    assert_eq!(Estimate::new(&[1, 0, 0, 0, 9]).unwrap().elo.unwrap().margin, f64::INFINITY);
}

#[test]
fn normal_cdf_matches_table() {
    for (x, expected) in [(0.0, 0.5), (1.0, 0.841_344_7), (-1.959_964, 0.025), (5.0, 0.999_999_7)] {
        assert!((normal_cdf(x) - expected).abs() < 2e-7, "{x}");
    }
}

/// Results (from all lost to all won), bounds of an SPRT, and what the code of fastchess (revision 74deac2) computes of them: Elo and
/// its margin, nElo and its margin, LOS in per cent, and the LLR for normalised and for logistic bounds. fastchess's own tests and
/// fishtest's statistics publish some of the figures of the first three pairs and the first two games.
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
        let superiority = 100.0 * estimate.likelihood_of_superiority.unwrap();
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
