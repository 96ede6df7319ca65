//! Expected scores, and judgements of bad moves by Lichess's thresholds.

use serde::{Deserialize, Serialize};
use tabiya_core::Color;
use tabiya_core::notation::{Nag, PgnScore};
use tabiya_search::{Score, Wdl};

/// The expected score of a side, from 0 (loss) to 1 (win).
pub type ExpectedScore = f64;

/// The expected score of the side to move.
pub(crate) fn expected_score(wdl: Wdl) -> ExpectedScore {
    (f64::from(wdl.win) + f64::from(wdl.draw) / 2.0) / 1000.0
}

/// The judgement of a bad move, from the least to the most severe.
///
/// ```
/// use tabiya_review::Judgement;
///
/// assert_eq!(Judgement::from_loss(0.12), Some(Judgement::Mistake));
/// assert_eq!(Judgement::from_loss(0.01), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    /// `?!`
    Inaccuracy,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

impl Judgement {
    /// All judgements, the least severe first.
    pub const ALL: [Judgement; 3] = [Judgement::Inaccuracy, Judgement::Mistake, Judgement::Blunder];

    /// The judgement of a loss of expected score. The thresholds of 0.05, 0.10 and 0.15 are Lichess's.
    pub fn from_loss(loss: ExpectedScore) -> Option<Judgement> {
        match loss {
            loss if loss >= 0.15 => Some(Judgement::Blunder),
            loss if loss >= 0.10 => Some(Judgement::Mistake),
            loss if loss >= 0.05 => Some(Judgement::Inaccuracy),
            _ => None,
        }
    }

    /// The glyph `?!`, `?` or `??`.
    pub const fn nag(self) -> Nag {
        match self {
            Judgement::Inaccuracy => Nag::DUBIOUS_MOVE,
            Judgement::Mistake => Nag::MISTAKE,
            Judgement::Blunder => Nag::BLUNDER,
        }
    }

    /// The English name, as it appears in comments.
    pub const fn name(self) -> &'static str {
        match self {
            Judgement::Inaccuracy => "Inaccuracy",
            Judgement::Mistake => "Mistake",
            Judgement::Blunder => "Blunder",
        }
    }
}

/// Converts a score of the side to move to PGN's, from White's point of view.
pub(crate) fn pgn_score(score: Score, side_to_move: Color) -> PgnScore {
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
    fn judges_by_loss() {
        let judgements = [0.0, 0.049, 0.05, 0.099, 0.1, 0.149, 0.15, 1.0].map(Judgement::from_loss);
        let [inaccuracy, mistake, blunder] = Judgement::ALL.map(Some);
        assert_eq!(judgements, [None, None, inaccuracy, inaccuracy, mistake, mistake, blunder, blunder]);
        assert_eq!(Judgement::Blunder.nag().symbol(), Some("??"));
        assert_eq!(expected_score(Wdl { win: 300, draw: 500, loss: 200 }), 0.55);
    }

    #[test]
    fn pgn_scores_are_from_whites_point_of_view() {
        assert_eq!(pgn_score(Score::Centipawns(35), Color::Black), PgnScore::Centipawns(-35));
        assert_eq!(pgn_score(Score::Mate(-2), Color::Black), PgnScore::Mate(2));
        assert_eq!(pgn_score(Score::Mate(3), Color::White), PgnScore::Mate(3));
    }
}
