//! Expected scores, marks for bad moves and accuracy, by Lichess's formulas.

use tabiya_core::Color;
use tabiya_core::notation::{Nag, PgnScore};
use tabiya_search::{Score, Wdl};

/// The expected score of a side, from 0 (loss) to 1 (win).
pub(super) type ExpectedScore = f64;

/// The expected score of the side to move.
pub(super) fn expected_score(wdl: Wdl) -> ExpectedScore {
    (f64::from(wdl.win) + f64::from(wdl.draw) / 2.0) / 1000.0
}

/// The mark of a bad move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mark {
    Inaccuracy,
    Mistake,
    Blunder,
}

impl Mark {
    /// The mark for a loss of expected score. The thresholds of 0.05, 0.10 and 0.15 are Lichess's.
    pub(super) fn of(loss: ExpectedScore) -> Option<Mark> {
        match loss {
            loss if loss >= 0.15 => Some(Mark::Blunder),
            loss if loss >= 0.10 => Some(Mark::Mistake),
            loss if loss >= 0.05 => Some(Mark::Inaccuracy),
            _ => None,
        }
    }

    pub(super) fn nag(self) -> Nag {
        match self {
            Mark::Inaccuracy => Nag::DUBIOUS_MOVE,
            Mark::Mistake => Nag::MISTAKE,
            Mark::Blunder => Nag::BLUNDER,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "Inaccuracy",
            Mark::Mistake => "Mistake",
            Mark::Blunder => "Blunder",
        }
    }
}

/// The accuracy of a move in per cent: 100 for no loss of expected score, about 64 for a loss of 0.1
/// (Lichess's formula).
fn move_accuracy(loss: ExpectedScore) -> f64 {
    let lost_percent = 100.0 * loss.max(0.0);
    (103.1669 * (-0.04354 * lost_percent).exp() - 3.1669).clamp(0.0, 100.0)
}

/// The accuracy of one side.
#[derive(Clone, Debug, Default)]
pub(super) struct Accuracy {
    moves: Vec<f64>,
}

impl Accuracy {
    pub(super) fn add(&mut self, loss: ExpectedScore) {
        self.moves.push(move_accuracy(loss));
    }

    /// The accuracy over the game in per cent, or `None` without a move: the average of mean and harmonic
    /// mean, so that one blunder weighs more than many small losses.
    pub(super) fn percent(&self) -> Option<f64> {
        let count = self.moves.len() as f64;
        let mean = self.moves.iter().sum::<f64>() / count;
        // A minimum of 1, because a move of accuracy 0 would make the harmonic mean 0.
        let harmonic = count / self.moves.iter().map(|accuracy| 1.0 / accuracy.max(1.0)).sum::<f64>();
        (!self.moves.is_empty()).then_some((mean + harmonic) / 2.0)
    }
}

/// Converts a score of the side to move to PGN's, from White's point of view.
pub(super) fn pgn_score(score: Score, side_to_move: Color) -> PgnScore {
    let sign = if side_to_move == Color::White { 1 } else { -1 };
    match score {
        Score::Centipawns(value) => PgnScore::Centipawns(sign * value),
        Score::Mate(moves) => PgnScore::Mate(sign * moves),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_by_loss() {
        let marks = [0.0, 0.049, 0.05, 0.099, 0.1, 0.149, 0.15, 1.0].map(Mark::of);
        let (inaccuracy, mistake, blunder) =
            (Some(Mark::Inaccuracy), Some(Mark::Mistake), Some(Mark::Blunder));
        assert_eq!(marks, [None, None, inaccuracy, inaccuracy, mistake, mistake, blunder, blunder]);
        assert_eq!(Mark::Blunder.nag().symbol(), Some("??"));
        assert_eq!(expected_score(Wdl { win: 300, draw: 500, loss: 200 }), 0.55);
    }

    #[test]
    fn accuracy_falls_with_loss() {
        assert!((move_accuracy(0.0) - 100.0).abs() < 1e-6 && (move_accuracy(-0.3) - 100.0).abs() < 1e-6);
        assert!((move_accuracy(0.1) - 63.6).abs() < 0.5, "{}", move_accuracy(0.1));
        assert_eq!(move_accuracy(1.0), 0.0);
        let of = |losses: &[f64]| {
            let mut accuracy = Accuracy::default();
            losses.iter().for_each(|&loss| accuracy.add(loss));
            accuracy.percent()
        };
        assert_eq!(of(&[]), None);
        assert!((of(&[0.0, 0.0]).unwrap() - 100.0).abs() < 1e-6);
        // One blunder weighs more than small losses of the same sum.
        assert!(of(&[0.0, 0.0, 0.0, 0.4]).unwrap() < of(&[0.1, 0.1, 0.1, 0.1]).unwrap());
    }

    #[test]
    fn pgn_scores_are_from_whites_point_of_view() {
        assert_eq!(pgn_score(Score::Centipawns(35), Color::Black), PgnScore::Centipawns(-35));
        assert_eq!(pgn_score(Score::Mate(-2), Color::Black), PgnScore::Mate(2));
        assert_eq!(pgn_score(Score::Mate(3), Color::White), PgnScore::Mate(3));
    }
}
