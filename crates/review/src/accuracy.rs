//! The accuracy of moves by Lichess's formula, and of games after its method.

use crate::judgement::ExpectedScore;

/// The bounds of a move's weight: the standard deviation of White's expected score around it, in per cent.
const WEIGHTS: (f64, f64) = (0.5, 12.0);

/// The accuracy of a move in per cent: 100 for no loss of expected score, about 65 for a loss of 0.1.
///
/// One per cent is added because no evaluation is certain.
///
/// ```
/// assert!(tabiya_review::move_accuracy(0.0) > 99.9);
/// assert!(tabiya_review::move_accuracy(0.5) < 10.0);
/// ```
pub fn move_accuracy(loss: ExpectedScore) -> f64 {
    let lost_percent = 100.0 * loss.max(0.0);
    (103.1669 * (-0.04354 * lost_percent).exp() - 3.1669 + 1.0).clamp(0.0, 100.0)
}

/// The accuracy of moves of one side over a game in per cent, or `None` without a move: the average of a weighted mean and the harmonic
/// mean, so that one blunder weighs more than many small losses.
///
/// `moves` has the losses with their [weights].
pub(crate) fn accuracy(moves: impl Iterator<Item = (ExpectedScore, f64)>) -> Option<f64> {
    let moves: Vec<(f64, f64)> = moves.map(|(loss, weight)| (move_accuracy(loss), weight)).collect();
    let total: f64 = moves.iter().map(|(_, weight)| weight).sum();
    let mean = moves.iter().map(|(accuracy, weight)| accuracy * weight).sum::<f64>() / total;
    // A minimum of 1, because a move of accuracy 0 would make the harmonic mean 0.
    let harmonic =
        moves.len() as f64 / moves.iter().map(|(accuracy, _)| 1.0 / accuracy.max(1.0)).sum::<f64>();
    (!moves.is_empty()).then_some((mean + harmonic) / 2.0)
}

/// The weight of each move of a game: the volatility of the position. `white` has White's expected score before each move and after
/// the last one.
///
/// The volatility is the standard deviation over a tenth of the game, from two to eight positions, that ends after the move.
pub(crate) fn weights(white: &[ExpectedScore]) -> Vec<f64> {
    let moves = white.len().saturating_sub(1);
    let window = (moves / 10).clamp(2, 8).min(white.len());
    let weight = |index: usize| {
        let start = (index + 2).saturating_sub(window);
        100.0 * standard_deviation(&white[start..start + window])
    };
    (0..moves).map(|index| weight(index).clamp(WEIGHTS.0, WEIGHTS.1)).collect()
}

fn standard_deviation(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accuracy_falls_with_loss() {
        assert!((move_accuracy(0.0) - 100.0).abs() < 1e-6 && (move_accuracy(-0.3) - 100.0).abs() < 1e-6);
        assert!((move_accuracy(0.1) - 64.6).abs() < 0.5, "{}", move_accuracy(0.1));
        assert_eq!(move_accuracy(1.0), 0.0);
        let of = |losses: &[f64]| accuracy(losses.iter().map(|&loss| (loss, 1.0)));
        assert_eq!(of(&[]), None);
        assert!((of(&[0.0, 0.0]).unwrap() - 100.0).abs() < 1e-6);
        // One blunder weighs more than small losses of the same sum.
        assert!(of(&[0.0, 0.0, 0.0, 0.4]).unwrap() < of(&[0.1, 0.1, 0.1, 0.1]).unwrap());
    }

    #[test]
    fn moves_weigh_more_where_the_score_changes() {
        assert!(weights(&[]).is_empty());
        assert!(weights(&[0.5]).is_empty());
        assert_eq!(weights(&[0.5, 0.5]), [0.5]);
        assert_eq!(weights(&[0.5, 0.9, 0.9]), [12.0, 0.5]);
        // The window of the first moves of a long game is that of the first positions.
        let mut long = vec![0.5; 41];
        long[3] = 0.6;
        let weights = weights(&long);
        assert_eq!(weights.len(), 40);
        assert!((weights[0] - 4.33).abs() < 0.01 && weights[0] == weights[2], "{weights:?}");
        assert_eq!(weights[6], 0.5);
    }
}
