//! Expected scores of people, and judgements of bad moves by Lichess's thresholds.

use serde::{Deserialize, Serialize};
use tabiya_core::Color;
use tabiya_core::notation::{Nag, PgnScore};
use tabiya_search::{Score, Wdl};

/// The expected score of a side, from 0 (loss) to 1 (win).
pub type ExpectedScore = f64;

/// The largest evaluation that still counts, in centipawns. More, and a mate, is as good as this.
const CEILING: i32 = 1000;

/// A model of the results of people: the expected score by evaluation, a logistic curve.
///
/// ```
/// use tabiya_review::HumanModel;
/// use tabiya_search::Score;
///
/// let expected = |model: HumanModel| model.expected(Score::Centipawns(300));
/// assert!((expected(HumanModel::LICHESS) - 0.751).abs() < 0.001);
/// // Weaker players win fewer of the games in which they are better.
/// assert!(expected(HumanModel::of_rating(1200)) < expected(HumanModel::of_rating(2200)));
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct HumanModel {
    /// The change of the odds' logarithm by one centipawn.
    slope: f64,
}

impl HumanModel {
    /// The curve that Lichess publishes, fitted to games of players rated about 2300 at fast time controls.
    pub const LICHESS: HumanModel = HumanModel { slope: 0.003_682_08 };

    /// The slope for players rated [`FITTED_RATING`](Self::FITTED_RATING), with a standard error of 0.0003.
    const FITTED_SLOPE: f64 = 0.0024;
    const FITTED_RATING: f64 = 1500.0;
    /// The growth of the slope's logarithm by 1,000 rating points, with a standard error of 0.13.
    const FITTED_GROWTH: f64 = 0.86;
    /// The range of ratings with enough games in the fit.
    const RATINGS: (f64, f64) = (1000.0, 2600.0);

    /// The curve for players of a rating. It is fitted to 1,519 games, each with the weight of one, from Lichess (blitz, mean rating
    /// 1800) and from tournaments (mean rating 2200), evaluated by Tabiya. Ratings outside 1000 to 2600 count as these.
    ///
    /// The growth with the rating is a weak result: it is the difference between the two sources. Within each of them the slope falls.
    pub fn of_rating(rating: u16) -> HumanModel {
        let rating = f64::from(rating).clamp(Self::RATINGS.0, Self::RATINGS.1);
        let growth = Self::FITTED_GROWTH * (rating - Self::FITTED_RATING) / 1000.0;
        HumanModel { slope: Self::FITTED_SLOPE * growth.exp() }
    }

    /// The expected score of the side whose score this is.
    pub fn expected(self, score: Score) -> ExpectedScore {
        let centipawns = match score {
            Score::Centipawns(value) => value.clamp(-CEILING, CEILING),
            Score::Mate(moves) => CEILING * if moves > 0 { 1 } else { -1 },
        };
        1.0 / (1.0 + (-self.slope * f64::from(centipawns)).exp())
    }
}

/// The expected score of the side to move by the engine's model, which describes games of engines.
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

    /// The judgement of a move by the scores before and after it, both from the point of view of the side that moves. The rules are
    /// Lichess's.
    ///
    /// Without mates the loss of expected score decides. To lose a mate or allow one is a blunder, or less if the position
    /// is as good (or was as bad) as won (or lost) without it. A mate that takes longer is no mistake.
    ///
    /// ```
    /// use tabiya_review::{HumanModel, Judgement};
    /// use tabiya_search::Score::{Centipawns, Mate};
    ///
    /// let judge = |before, after| Judgement::of_move(HumanModel::LICHESS, before, after);
    /// assert_eq!(judge(Centipawns(20), Centipawns(-150)), Some(Judgement::Blunder));
    /// assert_eq!(judge(Mate(2), Centipawns(300)), Some(Judgement::Blunder));
    /// assert_eq!(judge(Mate(2), Centipawns(900)), Some(Judgement::Mistake));
    /// assert_eq!(judge(Mate(2), Mate(5)), None);
    /// ```
    pub fn of_move(model: HumanModel, before: Score, after: Score) -> Option<Judgement> {
        /// The judgement of a mate lost or allowed, by how much better than nothing the side is without it.
        fn of_mate(advantage: i32) -> Judgement {
            match advantage {
                1000.. => Judgement::Inaccuracy,
                701.. => Judgement::Mistake,
                _ => Judgement::Blunder,
            }
        }
        match (before, after) {
            (Score::Centipawns(_), Score::Centipawns(_)) => {
                Judgement::from_loss(model.expected(before) - model.expected(after))
            }
            (Score::Mate(1..), Score::Centipawns(value)) => Some(of_mate(value)),
            (Score::Centipawns(value), Score::Mate(..=0)) => Some(of_mate(-value)),
            (Score::Mate(1..), Score::Mate(..=0)) => Some(Judgement::Blunder),
            _ => None,
        }
    }

    /// The judgement of a loss of expected score. The thresholds of 0.05, 0.10 and 0.15 are Lichess's, which writes them as 10, 20 and 30
    /// per cent of the distance from a draw to a win.
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

/// Converts a score from White's point of view to that of a side.
pub(crate) fn score_of(score: PgnScore, side: Color) -> Score {
    let sign = if side == Color::White { 1 } else { -1 };
    match score {
        PgnScore::Centipawns(value) => Score::Centipawns(sign * value),
        PgnScore::Mate(moves) => Score::Mate(sign * moves),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accuracy::{accuracy, weights};
    use tabiya_core::notation::{Annotation, annotations};
    use tabiya_movegen::GameTree;

    #[test]
    fn judges_by_loss() {
        let judgements = [0.0, 0.049, 0.05, 0.099, 0.1, 0.149, 0.15, 1.0].map(Judgement::from_loss);
        let [inaccuracy, mistake, blunder] = Judgement::ALL.map(Some);
        assert_eq!(judgements, [None, None, inaccuracy, inaccuracy, mistake, mistake, blunder, blunder]);
        assert_eq!(Judgement::Blunder.nag().symbol(), Some("??"));
        assert_eq!(expected_score(Wdl { win: 300, draw: 500, loss: 200 }), 0.55);
    }

    /// A move with the evaluation after it and its mark, both by Lichess. A checkmate has no evaluation.
    struct LichessMove {
        color: Color,
        eval: Option<PgnScore>,
        mark: Option<Judgement>,
    }

    /// White's advantage in the initial position, as Lichess has it.
    const FIRST_EVAL: PgnScore = PgnScore::Centipawns(15);

    fn lichess_games() -> Vec<Vec<LichessMove>> {
        let games = include_str!("../../../tests/data/pgn/lichess_marks.pgn").split("\n\n[Event");
        let games = games.map(|game| format!("[Event{}", game.trim_start_matches("[Event")));
        games
            .map(|game| {
                let tree: GameTree = game.parse().unwrap();
                tree.mainline()
                    .map(|node| {
                        let mut found = node.comments().iter().flat_map(|comment| annotations(comment));
                        let eval = found.find_map(|found| match found {
                            Annotation::Eval { score, .. } => Some(score),
                            _ => None,
                        });
                        let mark = |judgement: &Judgement| node.nags().contains(&judgement.nag());
                        let mark = Judgement::ALL.into_iter().find(mark);
                        LichessMove { color: !node.position().side_to_move(), eval, mark }
                    })
                    .collect()
            })
            .collect()
    }

    #[test]
    fn moves_are_judged_as_by_lichess() {
        let (mut alike, mut total, mut unmarked_blunders) = (0, 0, 0);
        for game in lichess_games() {
            let mut before = FIRST_EVAL;
            for LichessMove { color, eval, mark } in game {
                let judged = eval.and_then(|after| {
                    let [before, after] = [before, after].map(|score| score_of(score, color));
                    Judgement::of_move(HumanModel::LICHESS, before, after)
                });
                total += 1;
                alike += usize::from(judged == mark);
                unmarked_blunders += usize::from(mark == Some(Judgement::Blunder) && judged.is_none());
                before = eval.unwrap_or(before);
            }
        }
        assert_eq!(total, 2231);
        assert!(100 * alike >= 92 * total, "{alike} of {total}");
        assert_eq!(unmarked_blunders, 0);
    }

    /// Accuracy of White and Black in the games, by another implementation of the method that Lichess publishes.
    #[rustfmt::skip]
    const ACCURACIES: [(f64, f64); 37] = [
        (95.2, 74.8), (80.1, 71.1), (50.3, 44.1), (84.5, 74.5), (83.2, 70.2), (78.3, 94.6),
        (92.7, 85.4), (68.9, 85.8), (95.8, 85.7), (80.5, 85.8), (97.0, 84.2), (97.5, 77.0),
        (82.7, 94.1), (70.8, 59.8), (73.9, 66.3), (54.7, 64.1), (90.8, 86.0), (82.0, 86.8),
        (58.0, 64.5), (95.8, 69.0), (97.3, 91.0), (83.4, 76.8), (72.4, 81.7), (76.1, 81.6),
        (56.3, 64.1), (88.8, 82.9), (86.7, 97.2), (92.6, 78.4), (78.5, 71.8), (74.4, 83.5),
        (92.0, 73.8), (76.5, 87.1), (90.7, 79.1), (73.5, 61.4), (47.7, 77.8), (40.5, 70.1),
        (68.9, 76.0),
    ];

    #[test]
    fn accuracy_is_that_of_lichess() {
        let games = lichess_games();
        assert_eq!(games.len(), ACCURACIES.len());
        for (number, (game, expected)) in games.iter().zip(ACCURACIES).enumerate() {
            let evals = || game.iter().map_while(|mv| mv.eval);
            let white = |score| HumanModel::LICHESS.expected(score_of(score, Color::White));
            let white: Vec<ExpectedScore> = [FIRST_EVAL].into_iter().chain(evals()).map(white).collect();
            let moves = || game.iter().zip(white.windows(2)).zip(weights(&white));
            let of_side = |color| {
                let losses = moves().filter(|((mv, _), _)| mv.color == color).map(|((_, pair), weight)| {
                    let loss = pair[0] - pair[1];
                    (if color == Color::White { loss } else { -loss }, weight)
                });
                accuracy(losses).unwrap()
            };
            for (color, expected) in [(Color::White, expected.0), (Color::Black, expected.1)] {
                let found = of_side(color);
                assert!((found - expected).abs() < 0.1, "game {number}, {color:?}: {found} {expected}");
            }
        }
    }

    #[test]
    fn expected_scores_are_symmetric_and_bounded() {
        for model in [HumanModel::LICHESS, HumanModel::of_rating(0), HumanModel::of_rating(u16::MAX)] {
            for score in [0, 80, 999, i32::MAX] {
                let sum =
                    model.expected(Score::Centipawns(score)) + model.expected(Score::Centipawns(-score));
                assert!((sum - 1.0).abs() < 1e-9);
            }
            assert_eq!(model.expected(Score::Mate(3)), model.expected(Score::Centipawns(1000)));
            assert_eq!(model.expected(Score::Mate(0)), model.expected(Score::Centipawns(-1000)));
        }
    }

    #[test]
    fn pgn_scores_are_from_whites_point_of_view() {
        assert_eq!(pgn_score(Score::Centipawns(35), Color::Black), PgnScore::Centipawns(-35));
        assert_eq!(pgn_score(Score::Mate(-2), Color::Black), PgnScore::Mate(2));
        assert_eq!(pgn_score(Score::Mate(3), Color::White), PgnScore::Mate(3));
    }
}
