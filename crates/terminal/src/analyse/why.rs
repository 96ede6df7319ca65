//! The purpose of the best move, and why another move is worse (`--why-not`).

use super::json::score_object;
use serde_json::{Value, json};
use tabiya_core::{Color, Move};
use tabiya_movegen::{Game, Outcome, Position};
use tabiya_review::{
    CancelToken, HumanModel, Judgement, PositionReview, Purpose, Reason, Reviewer, before_exchange, purpose,
    reason,
};
use tabiya_search::{Engine, Info, Limits, Score, TablebaseOptions};

/// The best line with what it shows.
pub(super) struct BestLine {
    review: PositionReview,
    /// True if the line is that of an iteration which ended before its score was exact: too short to show a reason.
    is_cut_short: bool,
    pub(super) purpose: Option<Purpose>,
}

impl BestLine {
    /// The line of the report that a [`LastReport`](tabiya_review::LastReport) keeps, or of the last report if the other does not begin with
    /// the best move. `None` if neither does.
    pub(super) fn new(
        game: &Game,
        best: Move,
        [certain, last]: [Option<&Info>; 2],
        tablebases: &TablebaseOptions,
    ) -> Option<BestLine> {
        let position = game.position();
        let begins = |info: &&Info| info.pv.first() == Some(&best);
        let certain = certain.filter(begins);
        let report = certain.or(last.filter(begins))?;
        let review = PositionReview::from_report(position, report, tablebases, HumanModel::LICHESS);
        let is_cut_short = certain.is_none();
        let purpose = if is_cut_short { None } else { purpose(before_exchange(game), position, &review) };
        Some(BestLine { review, is_cut_short, purpose })
    }

    /// Compares a move with the best one, by a search of the position after it. `None` if it is cancelled.
    pub(super) fn compare(
        &self,
        mv: Move,
        game: &Game,
        engine: Engine,
        limits: Limits,
        cancel: &CancelToken,
    ) -> Option<Alternative> {
        let position = game.position();
        let san = position.san(mv).to_string();
        let uci = mv.to_uci(!position.has_standard_castling()).to_string();
        let mut next = game.clone();
        next.play(mv).ok()?;
        let outcome = next.outcome();
        if self.review.line.first() == Some(&mv) {
            return Some(Alternative {
                uci,
                san,
                is_best: true,
                outcome,
                score: None,
                judgement: None,
                reason: None,
            });
        }
        let (judgement, after) = Reviewer::new(engine, limits).judge_move(game, mv, &self.review, cancel)?;
        let reason = judgement
            .filter(|_| !self.is_cut_short)
            .and_then(|_| reason(before_exchange(game), position, mv, &self.review, &after));
        // A finished game counts as a mate or a draw, which is not a score to print.
        let score = after.score_of(Color::White).filter(|_| outcome.is_none());
        Some(Alternative { uci, san, is_best: false, outcome, score, judgement, reason })
    }
}

/// A move compared with the best one.
pub(super) struct Alternative {
    uci: String,
    san: String,
    is_best: bool,
    /// The outcome, if the move ends the game.
    outcome: Option<Outcome>,
    /// The score after the move, from White's point of view.
    score: Option<Score>,
    judgement: Option<Judgement>,
    reason: Option<Reason>,
}

impl Alternative {
    /// The comparison in words.
    pub(super) fn text(&self) -> String {
        let san = &self.san;
        if self.is_best {
            return format!("{san} is the best move.");
        }
        let result = self.outcome.map(|outcome| outcome.result().to_owned());
        let value = result.or_else(|| self.score.map(|score| score.to_string()));
        let value = value.map(|value| format!(" ({value})")).unwrap_or_default();
        let reason = self.reason.as_ref().map(|reason| format!(" {}", reason.text)).unwrap_or_default();
        match self.judgement {
            Some(Judgement::Inaccuracy) => format!("{san} is an inaccuracy{value}.{reason}"),
            Some(judgement) => format!("{san} is a {}{value}.{reason}", judgement.name().to_lowercase()),
            None => format!("{san} is no mistake{value}."),
        }
    }

    /// The comparison as an object. If the move ends the game, it has an outcome, and no score.
    pub(super) fn json(&self, position: &Position) -> Value {
        let mut object = json!({
            "fen": position.to_string(),
            "why_not": self.san,
            "is_best": self.is_best,
            "score": self.score.map(score_object),
            "judgement": self.judgement,
            "reason": self.reason,
            "pv": [self.uci],
            "san": [self.san],
        });
        if let Some(outcome) = self.outcome {
            object["outcome"] = outcome.to_string().into();
        }
        object
    }
}
