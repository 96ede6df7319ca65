//! The purpose of the best move, and why another move is worse (`--why-not`).

use super::json::score_object;
use serde_json::{Value, json};
use tabiya_core::{Color, Move};
use tabiya_movegen::{Game, Position};
use tabiya_review::{
    CancelToken, HumanModel, Judgement, PositionReview, Purpose, Reason, Reviewer, purpose, reason,
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
        position: &Position,
        best: Move,
        [certain, last]: [Option<&Info>; 2],
        tablebases: &TablebaseOptions,
    ) -> Option<BestLine> {
        let begins = |info: &&Info| info.pv.first() == Some(&best);
        let certain = certain.filter(begins);
        let report = certain.or(last.filter(begins))?;
        let review = PositionReview::from_report(position, report, tablebases, HumanModel::LICHESS);
        let is_cut_short = certain.is_none();
        let purpose = if is_cut_short { None } else { purpose(position, &review) };
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
        if self.review.line.first() == Some(&mv) {
            return Some(Alternative { uci, san, is_best: true, score: None, judgement: None, reason: None });
        }
        let (judgement, after) = Reviewer::new(engine, limits).judge_move(game, mv, &self.review, cancel)?;
        let reason =
            judgement.filter(|_| !self.is_cut_short).and_then(|_| reason(position, mv, &self.review, &after));
        let score = after.score_of(Color::White);
        Some(Alternative { uci, san, is_best: false, score, judgement, reason })
    }
}

/// A move compared with the best one.
pub(super) struct Alternative {
    uci: String,
    san: String,
    is_best: bool,
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
        let score = self.score.map(|score| format!(" ({score})")).unwrap_or_default();
        let reason = self.reason.as_ref().map(|reason| format!(" {}", reason.text)).unwrap_or_default();
        match self.judgement {
            Some(Judgement::Inaccuracy) => format!("{san} is an inaccuracy{score}.{reason}"),
            Some(judgement) => format!("{san} is a {}{score}.{reason}", judgement.name().to_lowercase()),
            None => format!("{san} is no mistake{score}."),
        }
    }

    /// The comparison as an object.
    pub(super) fn json(&self, position: &Position) -> Value {
        json!({
            "fen": position.to_string(),
            "why_not": self.san,
            "is_best": self.is_best,
            "score": self.score.map(score_object),
            "judgement": self.judgement,
            "reason": self.reason,
            "pv": [self.uci],
            "san": [self.san],
        })
    }
}
