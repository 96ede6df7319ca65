//! What a move has cost, and how well a side has played.

use tabiya_core::Color;
use tabiya_core::notation::{Nag, PgnScore};
use tabiya_search::{Score, Wdl};

/// The points a side can expect, from 0 to 1.
pub(super) type Chances = f64;

/// The points that the side to move can expect.
pub(super) fn chances(wdl: Wdl) -> Chances {
    (f64::from(wdl.win) + f64::from(wdl.draw) / 2.0) / 1000.0
}

/// How bad a move is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mark {
    Inaccuracy,
    Mistake,
    Blunder,
}

impl Mark {
    /// The mark for a loss of chances, if there is one: a twentieth of a point is an inaccuracy, a tenth a
    /// mistake, three twentieths a blunder. (Lichess draws the lines there.)
    pub(super) fn of(loss: Chances) -> Option<Mark> {
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

    pub(super) fn word(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "Inaccuracy",
            Mark::Mistake => "Mistake",
            Mark::Blunder => "Blunder",
        }
    }
}

/// How accurate a move was, in per cent, by the chances it has lost: an exponential curve through 100 for no
/// loss and about 64 for a tenth of a point. (The published formula of lichess.)
fn move_accuracy(loss: Chances) -> f64 {
    let lost_percent = 100.0 * loss.max(0.0);
    (103.1669 * (-0.04354 * lost_percent).exp() - 3.1669).clamp(0.0, 100.0)
}

/// How accurately a side has played.
#[derive(Clone, Debug, Default)]
pub(super) struct Accuracy {
    moves: Vec<f64>,
}

impl Accuracy {
    pub(super) fn add(&mut self, loss: Chances) {
        self.moves.push(move_accuracy(loss));
    }

    /// Of the whole game, in per cent: half way between the mean and the harmonic mean of the moves, so
    /// that one blunder counts for more than many small losses. `None` without a move.
    pub(super) fn percent(&self) -> Option<f64> {
        let count = self.moves.len() as f64;
        let mean = self.moves.iter().sum::<f64>() / count;
        // A move of no accuracy at all would make everything nothing.
        let harmonic = count / self.moves.iter().map(|accuracy| 1.0 / accuracy.max(1.0)).sum::<f64>();
        (!self.moves.is_empty()).then_some((mean + harmonic) / 2.0)
    }
}

/// A score of the side to move as PGN has it, from White's point of view.
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
    fn marks() {
        let marks = [0.0, 0.049, 0.05, 0.099, 0.1, 0.149, 0.15, 1.0].map(Mark::of);
        let (inaccuracy, mistake, blunder) =
            (Some(Mark::Inaccuracy), Some(Mark::Mistake), Some(Mark::Blunder));
        assert_eq!(marks, [None, None, inaccuracy, inaccuracy, mistake, mistake, blunder, blunder]);
        assert_eq!(Mark::Blunder.nag().symbol(), Some("??"));
        assert_eq!(chances(Wdl { win: 300, draw: 500, loss: 200 }), 0.55);
    }

    #[test]
    fn accuracy() {
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
        // One blunder weighs more than the same loss in small parts.
        assert!(of(&[0.0, 0.0, 0.0, 0.4]).unwrap() < of(&[0.1, 0.1, 0.1, 0.1]).unwrap());
    }

    #[test]
    fn scores_are_white_s() {
        assert_eq!(pgn_score(Score::Centipawns(35), Color::Black), PgnScore::Centipawns(-35));
        assert_eq!(pgn_score(Score::Mate(-2), Color::Black), PgnScore::Mate(2));
        assert_eq!(pgn_score(Score::Mate(3), Color::White), PgnScore::Mate(3));
    }
}
