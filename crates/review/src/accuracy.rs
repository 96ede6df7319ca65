//! The accuracy of moves and games, after Lichess's formulas: without its bonus for uncertainty and weights by volatility.

use crate::judgement::ExpectedScore;

/// The accuracy of a move in per cent: 100 for no loss of expected score, about 64 for a loss of 0.1.
///
/// ```
/// assert!(tabiya_review::move_accuracy(0.0) > 99.9);
/// assert!(tabiya_review::move_accuracy(0.5) < 10.0);
/// ```
pub fn move_accuracy(loss: ExpectedScore) -> f64 {
    let lost_percent = 100.0 * loss.max(0.0);
    (103.1669 * (-0.04354 * lost_percent).exp() - 3.1669).clamp(0.0, 100.0)
}

/// The accuracy of one side over a game in per cent, from the losses of its moves, or `None` without a move: the average of
/// mean and harmonic mean, so that one blunder weighs more than many small losses.
pub(crate) fn accuracy(losses: impl Iterator<Item = ExpectedScore>) -> Option<f64> {
    let moves: Vec<f64> = losses.map(move_accuracy).collect();
    let count = moves.len() as f64;
    let mean = moves.iter().sum::<f64>() / count;
    // A minimum of 1, because a move of accuracy 0 would make the harmonic mean 0.
    let harmonic = count / moves.iter().map(|accuracy| 1.0 / accuracy.max(1.0)).sum::<f64>();
    (!moves.is_empty()).then_some((mean + harmonic) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accuracy_falls_with_loss() {
        assert!((move_accuracy(0.0) - 100.0).abs() < 1e-6 && (move_accuracy(-0.3) - 100.0).abs() < 1e-6);
        assert!((move_accuracy(0.1) - 63.6).abs() < 0.5, "{}", move_accuracy(0.1));
        assert_eq!(move_accuracy(1.0), 0.0);
        let of = |losses: &[f64]| accuracy(losses.iter().copied());
        assert_eq!(of(&[]), None);
        assert!((of(&[0.0, 0.0]).unwrap() - 100.0).abs() < 1e-6);
        // One blunder weighs more than small losses of the same sum.
        assert!(of(&[0.0, 0.0, 0.0, 0.4]).unwrap() < of(&[0.1, 0.1, 0.1, 0.1]).unwrap());
    }
}
