//! Means of a position's score and of the later scores of its game.
//!
//! The search at a position sees a few plies ahead; the scores of the positions that follow have seen what it missed. Their mean
//! is a better estimate of the position's worth than its own score, and far less noisy than the result of the game. This is the
//! λ-return of temporal-difference learning.

/// Centipawns at which the expected score is 0.73. Scores are averaged as expected scores, so that one large score does not
/// dominate the mean.
const SCALE: f64 = 200.0;

/// The largest score in a mean, in centipawns: beyond it, games are decided.
const MAX_SCORE: i16 = 3000;

/// Returns for each of a game's scores the mean of it and of all later ones, in centipawns from White's point of view. The
/// weights of later scores halve every `half_life` plies; the last score stands for all that would follow it.
pub(super) fn later_scores(
    scores: impl DoubleEndedIterator<Item = i16> + ExactSizeIterator,
    half_life: u16,
) -> Vec<i16> {
    let keep = 0.5_f64.powf(1.0 / f64::from(half_life));
    let mut mean = None;
    let mut means = Vec::with_capacity(scores.len());
    for score in scores.rev() {
        let own = expected(score);
        let blended = mean.map_or(own, |later| own + keep * (later - own));
        mean = Some(blended);
        means.push(centipawns(blended));
    }
    means.reverse();
    means
}

fn expected(score: i16) -> f64 {
    1.0 / (1.0 + (-f64::from(score.clamp(-MAX_SCORE, MAX_SCORE)) / SCALE).exp())
}

/// The inverse of [`expected`].
fn centipawns(expected: f64) -> i16 {
    (SCALE * (expected / (1.0 - expected)).ln()).round() as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn means(scores: &[i16], half_life: u16) -> Vec<i16> {
        later_scores(scores.iter().copied(), half_life)
    }

    #[test]
    fn equal_scores_stay_and_large_ones_are_limited() {
        for score in [-3000, -777, -1, 0, 35, 1200, 3000] {
            assert_eq!(means(&[score; 9], 4), [score; 9]);
        }
        assert_eq!(means(&[-31_990, 31_990], 4)[1], 3000);
        assert_eq!(means(&[31_990, 3000, 5000], 4), [3000; 3]);
        assert!(means(&[], 4).is_empty());
    }

    #[test]
    fn weight_of_later_scores_halves_in_the_half_life() {
        // With a half-life of one ply, the weights are 1/2, 1/4 and, for the last score and all after it, 1/4.
        let mean = |weights: &[(f64, i16)]| {
            centipawns(weights.iter().map(|&(weight, score)| weight * expected(score)).sum())
        };
        let scores = [100, -300, 900];
        let expected_scores =
            [mean(&[(0.5, 100), (0.25, -300), (0.25, 900)]), mean(&[(0.5, -300), (0.5, 900)]), 900];
        assert_eq!(means(&scores, 1), expected_scores);
        // With one of three plies, a score three plies later has half of the weight of the own one.
        let late = [0, 0, 0, 2000, 2000, 2000, 2000, 2000, 2000, 2000];
        assert_eq!(means(&late, 3)[0], mean(&[(0.5, 0), (0.5, 2000)]));
    }
}
